//! Golden files of the foreign dialects: an ask as their documentation shows it, what is read
//! from it, and how its ends are written back.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use askdock_dialects::{Dialect, Timeout, normalise, outcome_in, read_answers};
use askdock_domain::{AskContent, resolve};
use askdock_wire::BatchStatus;
use askdock_wire::names::{content_from_json, content_json};
use serde_json::{Value, json};

#[test]
fn openclaw() {
    check("openclaw", include_str!("golden/openclaw.json"));
}

#[test]
fn jcode() {
    check("jcode", include_str!("golden/jcode.json"));
}

#[test]
fn our_own_outcome_needs_no_writing() {
    let outcome = common::ended(BatchStatus::Dismissed);
    assert_eq!(outcome_in(Dialect::Askdock, &outcome, &AskContent::default()), None);
}

#[test]
fn a_dismissed_jcode_ask_says_why() {
    let mut outcome = common::ended(BatchStatus::Dismissed);
    outcome.reason = Some("ask_back".into());
    outcome.message = Some("Which cluster?".into());
    outcome.guidance = Some("Assume nothing.".into());
    let written = outcome_in(Dialect::Jcode, &outcome, &AskContent::default());
    let expected = json!({
        "status": "dismissed", "reason": "ask_back", "message": "Which cluster?",
        "guidance": "Assume nothing.",
    });
    assert_eq!(written, Some(expected));
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

fn check(name: &str, golden: &str) {
    let golden: Value = serde_json::from_str(golden).unwrap();
    let dialect: Dialect = name.parse().unwrap();
    let ask = normalise(&golden["ask"], dialect).unwrap();
    assert_eq!(ask.warnings, []);
    assert_eq!(content_json(&ask.content), content_json(&content_of(&golden["content"])));
    let timeout = match ask.timeout {
        Timeout::Absent => Value::Null,
        Timeout::Seconds(seconds) => seconds.into(),
    };
    let around = json!([timeout, ask.session, ask.owner_session, ask.teammate]);
    let names = ["timeout", "session", "owner_session", "teammate"];
    assert_eq!(around, Value::from(names.map(|name| golden[name].clone()).to_vec()));

    for case in golden["answered"].as_array().unwrap() {
        let entries = read_answers(&case["answers"]).unwrap();
        let answers = resolve(&ask.content.questions, &entries).unwrap();
        let outcome = common::answered(&ask.content, &answers);
        assert_eq!(outcome_in(dialect, &outcome, &ask.content).as_ref(), case.get("written"));
    }
    let ends = [
        ("dismissed", BatchStatus::Dismissed),
        ("expired", BatchStatus::Expired),
        ("cancelled", BatchStatus::Cancelled),
    ];
    for (end, status) in ends {
        let written = outcome_in(dialect, &common::ended(status), &ask.content);
        assert_eq!(written.as_ref(), golden["ended"].get(end), "{end}");
    }
}

/// The content of a golden file, in which what is absent, false or empty is left out.
fn content_of(short: &Value) -> AskContent {
    const FLAGS: [&str; 5] =
        ["id_given", "multi_select", "allow_custom", "allow_notes", "required"];
    let mut content = short.clone();
    for question in content["questions"].as_array_mut().unwrap() {
        let question = question.as_object_mut().unwrap();
        for flag in FLAGS.iter().chain(&["secret"]) {
            question.entry(*flag).or_insert(false.into());
        }
        question.entry("options").or_insert(json!([]));
        question.entry("short_header").or_insert("".into());
        for option in question["options"].as_array_mut().unwrap() {
            let option = option.as_object_mut().unwrap();
            option.entry("recommended").or_insert(false.into());
            option.entry("display_label").or_insert("".into());
        }
    }
    content_from_json(&content).unwrap()
}
