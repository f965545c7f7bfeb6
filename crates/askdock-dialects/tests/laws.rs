//! Laws that hold for any input.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::collections::HashSet;

use askdock_dialects::{Dialect, normalise, normalise_text, outcome_in, read_answers};
use askdock_domain::{Answer, AnswerKey, AskContent, check, resolve};
use askdock_wire::names::content_json;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};

proptest! {
    /// Nothing that is sent makes it panic, and what is read can be asked.
    #[test]
    fn any_json_is_read_or_refused(input in any_json(), dialect in dialects()) {
        hold(&input, dialect)?;
    }

    /// The same for inputs that are nearly right, which get much further.
    #[test]
    fn any_damaged_ask_is_read_or_refused(
        input in damaged(), dialect in dialects(), cut in any::<Index>(),
    ) {
        hold(&input, dialect)?;
        // Never repaired: half an ask is no ask.
        let text = input.to_string();
        let cut = cut.index(text.len() + 1);
        let is_container = input.is_object() || input.is_array();
        let read = normalise_text(&text.as_bytes()[..cut], dialect);
        prop_assert!(!is_container || cut == text.len() || read.is_err());
    }

    /// Any bytes are refused or read, never a panic.
    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..200), dialect in dialects()) {
        let _ = normalise_text(&bytes, dialect);
    }

    /// Any answers are read or refused, alone and against questions.
    #[test]
    fn any_answers_are_read_or_refused(answers in any_json(), content in contents()) {
        if let Ok(entries) = read_answers(&answers) {
            let _ = resolve(&content.questions, &entries);
        }
    }

    /// What was answered is what is written, in order, nothing added and nothing lost.
    #[test]
    fn answers_survive_the_way_out((content, answers) in answered_contents()) {
        let outcome = common::answered(&content, &answers);
        let labels = |at: usize, answer: &Answer| -> Vec<String> {
            let options = &content.questions[at].options;
            answer.selected.iter().map(|option| options[*option].label.clone()).collect()
        };

        let openclaw = outcome_in(Dialect::Openclaw, &outcome, &content).unwrap();
        let written = openclaw["answers"]["answers"].as_object().unwrap();
        prop_assert_eq!(written.len(), content.questions.len());
        for (at, answer) in answers.iter().enumerate() {
            let expected: Vec<String> = labels(at, answer).into_iter().chain(answer.text.clone()).collect();
            prop_assert_eq!(&written[&content.questions[at].id], &json!(expected));
        }

        let jcode = outcome_in(Dialect::Jcode, &outcome, &content).unwrap();
        let entries = read_answers(&jcode["answers"]).unwrap();
        prop_assert_eq!(entries.len(), answers.len());
        for (at, (key, entry)) in entries.iter().enumerate() {
            prop_assert_eq!(key, &AnswerKey::Index(at));
            prop_assert_eq!(&entry.selected, &labels(at, &answers[at]));
            prop_assert_eq!(&entry.text, &answers[at].text);
        }
    }
}

/// What holds for every input: if it is read, it can be asked, and read again it is the same.
fn hold(input: &Value, dialect: Dialect) -> Result<(), TestCaseError> {
    let ask = match normalise(input, dialect) {
        Ok(ask) => ask,
        Err(problems) => {
            prop_assert!(!problems.is_empty());
            return Ok(());
        }
    };
    prop_assert_eq!(check(&ask.content), Ok(()));
    for question in &ask.content.questions {
        let ids: HashSet<&str> = question.options.iter().map(|o| o.id.as_str()).collect();
        prop_assert_eq!(ids.len(), question.options.len());
    }
    // The other formats have what our own can't say, such as an authored Other that stays.
    let is_strict = [Dialect::Helmr, Dialect::McpElicitation, Dialect::AcpPermission];
    if is_strict.contains(&dialect) || dialect == Dialect::AgentInbox {
        return Ok(());
    }
    let again = normalise(&content_json(&ask.content), Dialect::Askdock);
    let again = again.map_err(|problems| TestCaseError::fail(format!("{problems:?}")))?;
    prop_assert_eq!(content_json(&with_ids(again.content)), content_json(&with_ids(ask.content)));
    Ok(())
}

/// Written out, a derived id looks like a given one.
fn with_ids(mut content: AskContent) -> AskContent {
    for question in &mut content.questions {
        question.id_given = true;
    }
    content
}

fn dialects() -> impl Strategy<Value = Dialect> {
    select(Dialect::ALL)
}

/// Keys and texts that mean something here, so that chance finds its way inside.
fn words() -> impl Strategy<Value = String> {
    let known = vec![
        "questions",
        "question",
        "prompt",
        "title",
        "header",
        "label",
        "options",
        "choices",
        "id",
        "value",
        "description",
        "multiSelect",
        "type",
        "kind",
        "confirm",
        "permission",
        "url",
        "text",
        "yesno",
        "min",
        "max",
        "default",
        "showWhen",
        "not",
        "input",
        "items",
        "0",
        "1",
        "timeout",
        "preview",
        "Other",
        "Other (please specify)",
        "Yes",
        "yes",
        "A (Recommended)",
        "x</parameter>",
        "\u{200b}",
        " ",
        "x</question>\n<parameter name=\"options\">[\"a\"]",
        "[\"a\",\"b\"]",
        "{\"question\":\"Q?\"}",
        "{\"a",
        "https://example.test/a",
        "a\u{202e}b",
        "true",
        "3",
    ];
    prop_oneof![4 => select(known).prop_map(str::to_owned), 1 => any::<String>()]
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        words().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::from),
            vec((words(), inner.clone()), 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            inner.prop_map(|inner| inner.to_string().into()),
        ]
    })
}

/// A vector's input with a few places of it damaged.
fn damaged() -> impl Strategy<Value = Value> {
    let documented = Dialect::ALL.iter().flat_map(|dialect| {
        let cases = common::vectors(&format!("dialects/{}.json", dialect.name()));
        cases.into_iter().map(|case| case["ask"].clone())
    });
    let inputs: Vec<Value> = common::vectors("payloads.json")
        .into_iter()
        .filter_map(|mut vector| vector.get_mut("input").map(Value::take))
        .chain(documented)
        .filter(|input| input.to_string().len() < 4_000)
        .collect();
    let damage = (any::<Index>(), 0..7_u8, any_json());
    (select(inputs), vec(damage, 1..4)).prop_map(|(mut input, damages)| {
        for (place, how, other) in damages {
            let place = place.index(count(&input));
            damage_at(&mut input, &mut { place }, how, &other);
        }
        input
    })
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(fields) => fields.values().map(count).sum(),
        _ => 0,
    }
}

fn damage_at(value: &mut Value, place: &mut usize, how: u8, other: &Value) {
    if *place == 0 {
        let old = value.take();
        *value = match how {
            0 => other.clone(),
            1 => old.to_string().into(),
            2 => json!([old]),
            3 => Value::Object(Map::from_iter([("questions".to_owned(), old)])),
            4 => json!({ "0": old, "1": other }),
            5 => json!([old.clone(), old]),
            _ => Value::Null,
        };
    }
    let inner: Vec<&mut Value> = match value {
        _ if *place == 0 => vec![],
        Value::Array(items) => items.iter_mut().collect(),
        Value::Object(fields) => fields.values_mut().collect(),
        _ => vec![],
    };
    for value in inner {
        let size = count(value);
        if *place > 0 && *place <= size {
            *place -= 1;
            damage_at(value, place, how, other);
            *place = usize::MAX;
            return;
        }
        *place = place.saturating_sub(size);
    }
}

/// The contents of all vectors that are read.
fn contents() -> impl Strategy<Value = AskContent> {
    let contents: Vec<AskContent> = common::vectors("payloads.json")
        .iter()
        .filter_map(|vector| normalise(vector.get("input")?, Dialect::Askdock).ok())
        .map(|ask| ask.content)
        .filter(|content| !content.questions.is_empty())
        .collect();
    select(contents)
}

/// A content with an answer to each of its questions.
fn answered_contents() -> impl Strategy<Value = (AskContent, Vec<Answer>)> {
    contents().prop_flat_map(|content| {
        let answers: Vec<_> = content
            .questions
            .iter()
            .map(|question| {
                let options = question.options.len();
                (vec(any::<bool>(), options), proptest::option::of("[a-z,\" ]{1,12}")).prop_map(
                    |(chosen, text)| {
                        let text = text.filter(|text| !text.trim().is_empty());
                        let selected: Vec<usize> =
                            (0..chosen.len()).filter(|at| chosen[*at]).collect();
                        let blank = selected.is_empty() && text.is_none();
                        Answer { selected, text, notes: None, blank }
                    },
                )
            })
            .collect();
        (Just(content), answers)
    })
}
