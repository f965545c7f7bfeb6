//! Asks in every dialect, answered at random: what is written is what was chosen, word for word,
//! and it is read back as the same answers.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use askdock_dialects::{Dialect, Given, answers_in, normalise, outcome_in, read_answers};
use askdock_domain::{Answers, AskContent, resolve};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, subsequence};
use serde_json::{Map, Value, json};

/// Labels that are easily damaged on the way.
const LABELS: &[&str] = &[
    "Yes",
    "Yes, proceed",
    "No, \"never\"",
    "say \"hi\"",
    "\"",
    "C:\\new",
    "a,b",
    "1",
    "null",
    "ä / ö",
    "日本語",
    "x (Recommended)",
    "{\"json\": 1}",
    "[list]",
];

#[derive(Debug, Clone)]
struct Asked {
    labels: Vec<&'static str>,
    several: bool,
}

/// What a person does with one question.
#[derive(Debug, Clone)]
struct Choice {
    options: Vec<Index>,
    text: Option<String>,
}

fn asked() -> impl Strategy<Value = Asked> {
    (subsequence(LABELS, 1..6), any::<bool>())
        .prop_map(|(labels, several)| Asked { labels, several })
}

fn choice() -> impl Strategy<Value = Choice> {
    // Typed text that no label equals.
    let text = proptest::option::of("typed [a-z,\" \\\\]{0,8}z");
    (vec(any::<Index>(), 0..4), text).prop_map(|(options, text)| Choice { options, text })
}

impl Asked {
    fn labels(&self) -> Vec<Value> {
        self.labels.iter().map(|label| json!({ "label": label, "description": "d" })).collect()
    }

    /// What is chosen: labels in order, then typed text.
    fn chosen(&self, choice: &Choice) -> (Vec<String>, Option<String>) {
        let mut at: Vec<usize> =
            choice.options.iter().map(|index| index.index(self.labels.len())).collect();
        at.sort_unstable();
        at.dedup();
        let mut text = choice.text.clone();
        if !self.several {
            at.truncate(1);
            if !at.is_empty() {
                text = None;
            }
        }
        (at.into_iter().map(|at| self.labels[at].to_owned()).collect(), text)
    }
}

fn question_text(at: usize) -> String {
    format!("Question \"{at}\", which?\r\n ")
}

/// The questions as `dialect` documents them.
fn ask_in(dialect: Dialect, questions: &[Asked]) -> Value {
    let several = match dialect {
        Dialect::Openclaw | Dialect::Jcode | Dialect::ClaudeCode | Dialect::Gemini => "multiSelect",
        _ => "multiple",
    };
    let questions = questions.iter().enumerate().map(|(at, asked)| {
        json!({
            "id": format!("id {at}"), "header": format!("H, {at}"), "question": question_text(at),
            "options": asked.labels(), several: asked.several,
        })
    });
    json!({ "questions": questions.collect::<Vec<_>>() })
}

fn answers_of(content: &AskContent, chosen: &[(Vec<String>, Option<String>)]) -> Option<Answers> {
    let answers = chosen.iter().map(|(labels, text)| match (labels.is_empty(), text) {
        (true, None) => json!({ "blank": true }),
        _ => json!({ "selected": labels, "text": text }),
    });
    let entries = read_answers(&answers.collect()).unwrap();
    resolve(&content.questions, &entries).ok()
}

/// The values of the question at `at` in what `dialect` writes.
fn values_in(dialect: Dialect, body: &Value, at: usize) -> Option<Value> {
    let id = format!("id {at}");
    Some(match dialect {
        Dialect::Openclaw => body["answers"]["answers"][id].clone(),
        Dialect::Codex => body["answers"][id]["answers"].clone(),
        Dialect::Opencode => body[at].clone(),
        Dialect::Frogbot => body["output"]["answers"][at]["selected"].clone(),
        Dialect::Jcode => {
            let entry = &body["answers"][at];
            let labels = entry["selected"].as_array().into_iter().flatten();
            labels.chain(entry.get("text")).cloned().collect()
        }
        _ => return None,
    })
}

const LISTS: [Dialect; 5] =
    [Dialect::Openclaw, Dialect::Codex, Dialect::Opencode, Dialect::Frogbot, Dialect::Jcode];
const JOINED: [Dialect; 2] = [Dialect::ClaudeCode, Dialect::Gemini];

proptest! {
    #[test]
    fn questions_come_back_word_for_word(
        asked in vec(asked(), 1..4), choices in vec(choice(), 3),
    ) {
        let chosen: Vec<_> =
            asked.iter().zip(&choices).map(|(asked, choice)| asked.chosen(choice)).collect();
        for dialect in LISTS.into_iter().chain(JOINED) {
            let ask = normalise(&ask_in(dialect, &asked), dialect).unwrap();
            let Some(answers) = answers_of(&ask.content, &chosen) else { continue };
            let outcome = common::answered(&ask.content, &answers);
            let body = outcome_in(dialect, &outcome, &ask.content).unwrap();
            for (at, (labels, text)) in chosen.iter().enumerate() {
                let expected: Vec<&String> = labels.iter().chain(text).collect();
                if let Some(values) = values_in(dialect, &body, at) {
                    prop_assert_eq!(values, json!(expected), "{}", dialect.name());
                    continue;
                }
                let key = match dialect {
                    Dialect::ClaudeCode => question_text(at),
                    _ => at.to_string(),
                };
                let written = body["answers"].get(&key);
                // One answer is the text itself, none has no entry.
                match expected.as_slice() {
                    [] => prop_assert_eq!(written, None),
                    [only] if !asked[at].several => prop_assert_eq!(written, Some(&json!(only))),
                    _ => prop_assert!(written.is_some_and(Value::is_string)),
                }
            }
            let read = answers_in(dialect, &body, &ask.content);
            prop_assert_eq!(read, Ok(Given::Answers(answers)), "{}", dialect.name());
        }
    }

    #[test]
    fn hidden_questions_are_blank(choices in vec(choice(), 3), asked in vec(asked(), 3)) {
        let mut ask = ask_in(Dialect::Jcode, &asked);
        let first = asked[0].labels[0];
        ask["questions"][1]["showWhen"] = json!({ "question": "id 0", "options": [first] });
        ask["questions"][2]["showWhen"] =
            json!({ "question": "id 0", "options": [first], "not": true });
        let ask = normalise(&ask, Dialect::Jcode).unwrap();
        let chosen: Vec<_> =
            asked.iter().zip(&choices).map(|(asked, choice)| asked.chosen(choice)).collect();
        let Some(answers) = answers_of(&ask.content, &chosen) else { return Ok(()) };
        let outcome = common::answered(&ask.content, &answers);
        let body = outcome_in(Dialect::Jcode, &outcome, &ask.content).unwrap();
        let hidden = if chosen[0].0.iter().any(|label| label == first) { 2 } else { 1 };
        prop_assert_eq!(&body["answers"][hidden], &json!({}));
        let read = answers_in(Dialect::Jcode, &body, &ask.content);
        prop_assert_eq!(read, Ok(Given::Answers(answers)));
    }

    #[test]
    fn a_helmr_choice_comes_back_with_its_values(
        asked in asked(), choice in choice(), notes in proptest::option::of("[a-z]{1,5}"),
    ) {
        let options = asked.labels.iter().enumerate().map(|(at, label)| {
            json!({ "id": format!("o {at}"), "label": label, "value": { "at": at, "of": label } })
        });
        let ask = json!({
            "prompt": [{ "type": "text", "text": "Which?" }, { "type": "json", "json": [1, "`"] }],
            "type": "choice", "multiple": asked.several, "allowCustom": true, "allowNotes": true,
            "options": options.collect::<Vec<_>>(),
        });
        let ask = normalise(&ask, Dialect::Helmr).unwrap();
        let (labels, text) = asked.chosen(&choice);
        let given = json!([{ "selected": labels, "text": text, "notes": notes }]);
        let Ok(answers) = resolve(&ask.content.questions, &read_answers(&given).unwrap()) else {
            return Ok(());
        };
        let outcome = common::answered(&ask.content, &answers);
        let body = outcome_in(Dialect::Helmr, &outcome, &ask.content).unwrap();
        let selected = labels.iter().map(|label| {
            let at = asked.labels.iter().position(|known| known == label).unwrap();
            json!({ "id": format!("o {at}"), "value": { "at": at, "of": label } })
        });
        prop_assert_eq!(&body["answer"]["selected"], &selected.collect::<Value>());
        prop_assert_eq!(body["answer"].get("custom").cloned(), text.map(Value::from));
        prop_assert_eq!(body["answer"].get("notes").cloned(), notes.map(Value::from));
        prop_assert_eq!(answers_in(Dialect::Helmr, &body, &ask.content), Ok(Given::Answers(answers)));
    }

    /// The content of a form is returned as it was given, of the declared types.
    #[test]
    fn a_form_is_returned_in_its_own_types(fields in vec(field(), 1..8)) {
        let named = || fields.iter().enumerate().map(|(at, field)| (format!("f {at}"), field));
        let properties: Map<String, Value> =
            named().map(|(name, (schema, _))| (name, schema.clone())).collect();
        let content: Map<String, Value> = named()
            .filter(|(_, (_, value))| !value.is_null())
            .map(|(name, (_, value))| (name, value.clone()))
            .collect();
        prop_assume!(!content.is_empty());
        let ask = json!({
            "message": "Fill in", "requestedSchema": { "type": "object", "properties": properties },
        });
        let ask = normalise(&ask, Dialect::McpElicitation).unwrap();
        let given = json!({ "action": "accept", "content": content });
        let read = answers_in(Dialect::McpElicitation, &given, &ask.content).unwrap();
        let Given::Answers(answers) = read else { panic!("{read:?}") };
        let outcome = common::answered(&ask.content, &answers);
        let written = outcome_in(Dialect::McpElicitation, &outcome, &ask.content);
        prop_assert_eq!(written, Some(given));
    }

    #[test]
    fn a_permission_is_given_by_option_id(ids in subsequence(LABELS, 1..6), at in any::<Index>()) {
        let options = ids.iter().map(|id| {
            json!({ "optionId": id, "name": format!("Do {id}"), "kind": "allow_once" })
        });
        let ask = json!({
            "sessionId": "s", "toolCall": { "toolCallId": "c", "title": "Run it" },
            "options": options.collect::<Vec<_>>(),
        });
        let ask = normalise(&ask, Dialect::AcpPermission).unwrap();
        let given = json!({ "outcome": { "outcome": "selected", "optionId": ids[at.index(ids.len())] } });
        let read = answers_in(Dialect::AcpPermission, &given, &ask.content).unwrap();
        let Given::Answers(answers) = read else { panic!("{read:?}") };
        let outcome = common::answered(&ask.content, &answers);
        prop_assert_eq!(outcome_in(Dialect::AcpPermission, &outcome, &ask.content), Some(given));
    }

    #[test]
    fn interrupts_are_answered_in_order(kinds in vec(0..4_usize, 1..6), text in "typed [a-z]{1,5}") {
        let interrupt = json!({
            "action_request": { "action": "send", "args": { "to": "a", "n": 2, "deep": { "x": [1] } } },
            "config": {
                "allow_accept": true, "allow_edit": true, "allow_respond": true, "allow_ignore": true,
            },
            "description": "Send it?",
        });
        let ask = Value::from(vec![interrupt; kinds.len()]);
        let ask = normalise(&ask, Dialect::AgentInbox).unwrap();
        let edited = json!({ "action": "send", "args": { "to": &text, "n": 7, "deep": { "x": [] } } });
        let responses = [
            json!({ "type": "accept", "args": null }),
            json!({ "type": "ignore", "args": null }),
            json!({ "type": "response", "args": text }),
            json!({ "type": "edit", "args": edited }),
        ];
        let given: Value = kinds.iter().map(|kind| responses[*kind].clone()).collect();
        let read = answers_in(Dialect::AgentInbox, &given, &ask.content).unwrap();
        let Given::Answers(answers) = read else { panic!("{read:?}") };
        let outcome = common::answered(&ask.content, &answers);
        prop_assert_eq!(outcome_in(Dialect::AgentInbox, &outcome, &ask.content), Some(given));
    }
}

/// A field's schema with a value of it; `null`: it is left out.
fn field() -> impl Strategy<Value = (Value, Value)> {
    let titled = |labels: &[&str]| -> Vec<Value> {
        labels
            .iter()
            .map(|label| json!({ "const": label, "title": format!("The {label}") }))
            .collect()
    };
    let strings = "[a-zä\" ,]{0,8}x".prop_map(|text| (json!({ "type": "string" }), text.into()));
    let integers = any::<i64>().prop_map(|n| (json!({ "type": "integer" }), n.into()));
    let numbers = any::<f64>()
        .prop_filter("finite", |n| n.is_finite() && n.fract() != 0.0)
        .prop_map(|n| (json!({ "type": "number" }), n.into()));
    let flags = any::<bool>().prop_map(|flag| (json!({ "type": "boolean" }), flag.into()));
    let one = (subsequence(LABELS, 1..6), any::<Index>())
        .prop_map(|(all, at)| (json!({ "enum": all }), all[at.index(all.len())].into()));
    let one_titled = (subsequence(LABELS, 1..6), any::<Index>()).prop_map(move |(all, at)| {
        (json!({ "type": "string", "oneOf": titled(&all) }), all[at.index(all.len())].into())
    });
    let whole = (vec(-9..9_i32, 1..5), any::<Index>()).prop_map(|(all, at)| {
        (json!({ "type": "integer", "enum": all }), all[at.index(all.len())].into())
    });
    let several = subsequence(LABELS, 1..6).prop_flat_map(|all| {
        let schema = json!({ "type": "array", "items": { "type": "string", "enum": all } });
        let len = all.len();
        (Just(schema), subsequence(all, 1..=len).prop_map(Value::from))
    });
    let absent = Just((json!({ "type": "string" }), Value::Null));
    prop_oneof![strings, integers, numbers, flags, one, one_titled, whole, several, absent]
}
