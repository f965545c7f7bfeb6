//! The golden files of `tests/vectors/dialects`, whose README describes them: asks as each
//! format's documentation shows them, what is read, and how their ends are written and read back.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use askdock_dialects::{
    Ask, Dialect, Given, Reply, Silence, Timeout, answers_in, normalise, outcome_in, read_answers,
    reply_in,
};
use askdock_domain::resolve;
use askdock_wire::names::content_json;
use askdock_wire::{BatchStatus, Outcome};
use serde_json::{Value, json};

#[test]
fn every_dialect() {
    for dialect in Dialect::ALL {
        let cases = common::vectors(&format!("dialects/{}.json", dialect.name()));
        assert!(!cases.is_empty(), "{}", dialect.name());
        for case in &cases {
            check(*dialect, case);
        }
    }
}

#[test]
fn dialects_are_known_by_name() {
    for dialect in Dialect::ALL {
        assert_eq!(dialect.name().parse(), Ok(*dialect));
    }
    let problem = "klingon".parse::<Dialect>().unwrap_err();
    assert_eq!(problem.path, "dialect");
    assert!(problem.message.contains("askdock, openclaw, jcode"), "{}", problem.message);
}

fn check(dialect: Dialect, case: &Value) {
    let name = format!("{}: {}", dialect.name(), case["name"]);
    let ask = normalise(&case["ask"], dialect).unwrap();
    let warnings: Vec<Value> = ask.warnings.iter().map(|w| json!([w.code, w.path])).collect();
    let none = json!([]);
    assert_eq!(&json!(warnings), case.get("warnings").unwrap_or(&none), "{name}");
    let content = content_json(&ask.content);
    assert!(common::matches(&content, &case["content"]), "{name}: {content:#}");
    let timeout = match ask.timeout {
        Timeout::Absent => Value::Null,
        Timeout::Seconds(seconds) => seconds.into(),
    };
    let around = json!([timeout, ask.session, ask.owner_session, ask.teammate]);
    let names = ["timeout", "session", "owner_session", "teammate"];
    assert_eq!(around, Value::from(names.map(|name| case[name].clone()).to_vec()), "{name}");

    for answered in case["answered"].as_array().into_iter().flatten() {
        check_answered(dialect, &ask, answered, &name);
    }
    for refused in case["refused"].as_array().into_iter().flatten() {
        let problems = answers_in(dialect, &refused["given"], &ask.content).unwrap_err();
        let wanted = refused["problems"].as_array().unwrap();
        assert_eq!(problems.len(), wanted.len(), "{name}: {problems:?}");
        for (problem, wanted) in problems.iter().zip(wanted) {
            assert_eq!(
                json!([problem.code, problem.path]),
                json!([wanted["code"], wanted["path"]])
            );
            for mention in wanted["mentions"].as_array().unwrap() {
                assert!(problem.message.contains(mention.as_str().unwrap()), "{problem:?}");
            }
        }
    }
    for (end, written) in case["ended"].as_object().into_iter().flatten() {
        check_end(dialect, &ask, end, written, case);
    }
}

fn check_answered(dialect: Dialect, ask: &Ask, answered: &Value, name: &str) {
    let questions = &ask.content.questions;
    let answers = match answered.get("given") {
        Some(given) => match answers_in(dialect, given, &ask.content) {
            Ok(Given::Answers(answers)) => answers,
            other => panic!("{name}: {other:?}"),
        },
        None => resolve(questions, &read_answers(&answered["answers"]).unwrap()).unwrap(),
    };
    let outcome = common::answered(&ask.content, &answers);
    let reply = reply_in(dialect, &outcome, &ask.content);
    assert_eq!(written(&reply), answered["written"], "{name}");
    // What is written is read back as what is written so.
    if let Reply::Result { body, .. } = &reply {
        let read = answers_in(dialect, body, &ask.content);
        let Ok(Given::Answers(answers)) = read else { panic!("{name}: {read:?}") };
        let again = common::answered(&ask.content, &answers);
        assert_eq!(reply_in(dialect, &again, &ask.content), reply, "{name}");
    }
}

fn check_end(dialect: Dialect, ask: &Ask, end: &str, expected: &Value, case: &Value) {
    let mut outcome = match end {
        "expired" => common::ended(BatchStatus::Expired),
        "cancelled" => common::ended(BatchStatus::Cancelled),
        _ => common::ended(BatchStatus::Dismissed),
    };
    if end == "ask_back" {
        ask_back(&mut outcome);
    }
    let name = format!("{}: {} {end}", dialect.name(), case["name"]);
    let reply = reply_in(dialect, &outcome, &ask.content);
    assert_eq!(&written(&reply), expected, "{name}");
    let Reply::Result { body, ends_turn } = reply else { return };
    let ending = case["ends_turn"].as_array().into_iter().flatten();
    assert_eq!(ends_turn, ending.filter_map(Value::as_str).any(|name| name == end), "{name}");
    let read = answers_in(dialect, &body, &ask.content);
    assert!(matches!(read, Ok(Given::Declined | Given::Cancelled)), "{name}: {read:?}");
}

fn ask_back(outcome: &mut Outcome) {
    outcome.reason = Some("ask_back".into());
    outcome.message = Some("Which cluster?".into());
    outcome.guidance = Some("Assume nothing.".into());
}

/// A reply as the golden files show it.
fn written(reply: &Reply) -> Value {
    match reply {
        Reply::Outcome => "as it is".into(),
        Reply::Result { body, .. } => body.clone(),
        Reply::Reject => "reject".into(),
        Reply::Silence(Silence::SameText) => "silence: same text".into(),
        Reply::Silence(Silence::NoAnswer) => "silence: no answer".into(),
    }
}

#[test]
fn where_nothing_is_written_the_outcome_goes_out_as_it_is() {
    let outcome = common::ended(BatchStatus::Expired);
    for dialect in [Dialect::Askdock, Dialect::ClaudeCode, Dialect::Opencode] {
        assert_eq!(outcome_in(dialect, &outcome, &Default::default()), None);
    }
}
