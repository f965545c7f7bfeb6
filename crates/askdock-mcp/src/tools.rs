//! The tools as published. What a call may look like is the normaliser's to say: the schemas
//! document what is best sent and forbid nothing, because a client that checks them would refuse
//! calls that can be read.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool as Published, ToolAnnotations};
use serde_json::{Value, json};

/// What a client is told about the whole server.
pub(crate) const INSTRUCTIONS: &str = "Askdock asks the person you work for, and waits. Ask when \
    you are blocked on a decision that is theirs; if a result says pending, call wait_for_answer. \
    Silence is never consent.";

const ASK: &str = "\
Ask the person you work for, and wait for their answer. They are notified at once and may take \
minutes or hours; nothing is decided for them.

When: only when you are blocked on a decision that is the user's to make: a preference, a \
requirement, a choice with consequences. Not for permission to proceed, nor to confirm your own \
plan. Never for passwords, keys or other credentials: ask the person to put the credential in a \
named file or environment variable, and to confirm that they did.

How: one question per call, unless the answers must be given together (1-4 questions with 2-4 \
options each are best). Put every choice in `options`, never only in the question's text. Put the \
recommended option first and end its label with \"(Recommended)\". Write no \"Other\" option: the \
person can always type an answer of their own. Call this tool alone, not in parallel with edits.

Result: `status` is `answered` (with `answers` by question id), `dismissed`, `expired`, \
`cancelled`, or `pending`: then call wait_for_answer with the `batch`. After no answer, continue \
with your best judgement and say which assumption you made.";
const WAIT: &str = "Wait on for the answer to a question that was asked before and is still \
pending. The result is that of the ask; the answer is kept until you collect it.";
const CANCEL: &str = "Withdraw a question that no longer matters, so that the person doesn't \
answer it in vain. A question that has ended stays as it ended.";

/// The tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tool {
    /// Asks and waits.
    Ask,
    /// Waits on.
    Wait,
    /// Withdraws.
    Cancel,
}

impl Tool {
    const ASK_USER: &str = "ask_user";
    /// For a client that hides [`Self::ASK_USER`].
    const ASK_USER_QUESTION: &str = "ask_user_question";
    const WAIT_FOR_ANSWER: &str = "wait_for_answer";
    const CANCEL_QUESTION: &str = "cancel_question";

    /// The tool of that name. The ask is known by both of its names, whichever was published.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            Self::ASK_USER | Self::ASK_USER_QUESTION => Some(Self::Ask),
            Self::WAIT_FOR_ANSWER => Some(Self::Wait),
            Self::CANCEL_QUESTION => Some(Self::Cancel),
            _ => None,
        }
    }
}

/// The tools for one client.
pub(crate) fn list(hides_ask_user: bool) -> Vec<Published> {
    let ask = if hides_ask_user { Tool::ASK_USER_QUESTION } else { Tool::ASK_USER };
    // Asking changes nothing in the agent's world: clients need no approval for it.
    let harmless = || ToolAnnotations::new().read_only(true).open_world(false);
    let output = Arc::new(object(output()));
    let tool = |name, title, description, input: Value, annotations| {
        Published::new(name, description, object(input))
            .with_title(title)
            .with_annotations(annotations)
            .with_raw_output_schema(Arc::clone(&output))
    };
    vec![
        tool(ask, "Ask the user", ASK, ask_input(), harmless()),
        tool(Tool::WAIT_FOR_ANSWER, "Wait for the answer", WAIT, batch_input(), harmless()),
        tool(
            Tool::CANCEL_QUESTION,
            "Withdraw a question",
            CANCEL,
            batch_input(),
            ToolAnnotations::new()
                .read_only(false)
                .destructive(false)
                .idempotent(true)
                .open_world(false),
        ),
    ]
}

fn ask_input() -> Value {
    json!({
        "type": "object",
        "properties": {
            "questions": {
                "description": "The questions, a list; answered together. One is best.",
                "items": question(),
            },
            "context": {
                "description": "Why you ask, in a sentence or two: what you found, what hangs on it.",
            },
            "timeout_seconds": {
                "description": "Leave this out: the question then waits as long as the person \
                    needs. Else 30 to 3600 seconds, after which nobody has answered.",
            },
            "request_id": {
                "description": "A key of your own. The same key with the same questions is the \
                    same ask: a retry gets its answer and the person isn't asked twice.",
            },
        },
        "additionalProperties": true,
    })
}

fn question() -> Value {
    json!({
        "properties": {
            "id": {
                "description": "A short name by which you find the answer, such as \
                    deploy_target. Needed where another question's show_when refers to this one.",
            },
            "header": { "description": "A label of at most 12 characters, such as \"Deploy to\"." },
            "question": { "description": "The question itself, one decision, ending in \"?\"." },
            "description": { "description": "What the person must know to decide. Markdown." },
            "options": {
                "description": "The choices, 2-4 of them are best. Leave out for a typed answer.",
                "items": {
                    "properties": {
                        "label": {
                            "description": "What is chosen, in a few words. End the recommended \
                                one with \"(Recommended)\" and put it first.",
                        },
                        "description": { "description": "What choosing it means." },
                        "preview": { "description": "How it would look: markdown, code or a diff." },
                        "value": { "description": "Any JSON, returned with the answer." },
                    },
                    "additionalProperties": true,
                },
            },
            "multi_select": { "description": "true: several options may be chosen.", "default": false },
            "show_when": {
                "description": "Shows this question only for some answers to an earlier one: \
                    {\"question\": its id, \"options\": [labels or ids], \"not\": true to invert}. \
                    Without options: for any answer.",
            },
        },
        "additionalProperties": true,
    })
}

fn batch_input() -> Value {
    json!({
        "type": "object",
        "properties": {
            "batch": { "description": "The batch's id, or its number, as the ask returned it." },
        },
        "additionalProperties": true,
    })
}

/// The structured result. Short, because some clients show it to the model with every tool:
/// only the status is always there, and only what a model reads first is described.
fn output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "status": {
                "type": "string",
                "enum": ["answered", "dismissed", "expired", "cancelled", "pending", "error"],
                "description": "pending: call wait_for_answer. error: nothing was asked.",
            },
            "batch": { "type": "string", "description": "Names the batch to the other tools." },
            "number": { "type": "integer", "description": "What the person calls the batch: #number." },
            "answers": {
                "type": "object",
                "description": "By question id; empty unless answered.",
                "additionalProperties": {
                    "type": "object",
                    "properties": {
                        "selected": {
                            "type": "array",
                            "items": {
                                "type": "object",
                                "properties": {
                                    "id": { "type": "string" },
                                    "label": { "type": "string" },
                                    "value": {},
                                },
                            },
                        },
                        "text": { "type": ["string", "null"], "description": "Typed by the person." },
                        "notes": { "type": ["string", "null"] },
                        "blank": { "type": "boolean", "description": "Left blank, or not shown." },
                    },
                },
            },
            "order": { "type": "array", "items": { "type": "string" } },
            "answers_by_id": {
                "type": "object",
                "description": "The answers to questions whose id you gave.",
            },
            "reason": { "type": ["string", "null"] },
            "message": {
                "type": ["string", "null"],
                "description": "The person asks back: answer this, then ask again.",
            },
            "partial": {
                "type": ["object", "null"],
                "description": "Answers given before the person asked back.",
            },
            "guidance": { "type": ["string", "null"], "description": "How to go on." },
            "responder": { "type": "object", "description": "Who ended it, and by which surface." },
            "asked_at": { "type": "string" },
            "ended_at": { "type": "string" },
            "content_hash": { "type": "string" },
            "warnings": { "type": "array", "description": "How the call was changed to be read." },
            "next": { "type": "string", "description": "While pending: what to do." },
            "messages": {
                "type": "array",
                "description": "What the person wrote meanwhile; it answers no question.",
                "items": {
                    "type": "object",
                    "properties": {
                        "text": { "type": "string" },
                        "posted_at": { "type": "string" },
                    },
                },
            },
            "error": {
                "type": "object",
                "description": "Why the call was not accepted: code, message, problems.",
            },
        },
        "required": ["status"],
    })
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        // Every schema above is an object.
        _ => JsonObject::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use askdock_wire::{AnswerDto, Outcome};

    use super::*;

    fn names(hides_ask_user: bool) -> Vec<String> {
        list(hides_ask_user).into_iter().map(|tool| tool.name.into_owned()).collect()
    }

    #[test]
    fn one_client_sees_one_ask() {
        assert_eq!(names(false), ["ask_user", "wait_for_answer", "cancel_question"]);
        assert_eq!(names(true), ["ask_user_question", "wait_for_answer", "cancel_question"]);
        for name in names(false).into_iter().chain(names(true)) {
            assert!(Tool::named(&name).is_some(), "{name}");
        }
        assert_eq!(Tool::named("ask"), None);
    }

    #[test]
    fn no_input_schema_forbids_anything() {
        fn check(schema: &Value, top: bool) {
            let Value::Object(fields) = schema else { return };
            for (keyword, value) in fields {
                match keyword.as_str() {
                    // Every call's arguments are an object, says the protocol.
                    "type" => assert!(top && value == "object", "{schema}"),
                    "additionalProperties" => assert_eq!(value, true, "{schema}"),
                    "properties" => {
                        value.as_object().unwrap().values().for_each(|own| check(own, false));
                    }
                    "items" => check(value, false),
                    "description" | "default" => {}
                    forbidding => panic!("{forbidding} in {schema}"),
                }
            }
        }
        for tool in list(false) {
            check(&Value::Object(tool.input_schema.as_ref().clone()), true);
        }
    }

    #[test]
    fn the_description_holds_the_rules_of_asking() {
        let tools = list(false);
        let description = tools[0].description.as_deref().unwrap();
        for rule in [
            "only when you are blocked",
            "one question per call",
            "never only in the question's text",
            "(Recommended)",
            "no \"Other\" option",
            "Never for passwords",
            "Not for permission to proceed",
            "continue with your best judgement",
            "not in parallel with edits",
        ] {
            assert!(description.contains(rule), "{rule}");
        }
    }

    #[test]
    fn the_output_schema_knows_every_field_of_an_outcome() {
        let tools = list(false);
        let schema = tools[0].output_schema.as_deref().unwrap();
        assert_eq!(schema["type"], "object");
        assert_eq!(schema["required"], json!(["status"]));
        let documented = |schema: &Value| -> BTreeSet<String> {
            schema["properties"].as_object().unwrap().keys().cloned().collect()
        };
        let own = documented(&Value::Object(schema.clone()));
        let outcome = documented(&schemars::schema_for!(Outcome).to_value());
        let beside: Vec<_> = own.difference(&outcome).map(String::as_str).collect();
        assert_eq!(beside, ["error", "messages", "next"]);
        assert!(own.is_superset(&outcome));
        let answer = &schema["properties"]["answers"]["additionalProperties"];
        assert_eq!(documented(answer), documented(&schemars::schema_for!(AnswerDto).to_value()));
    }
}
