use askdock_domain::limits;
use serde_json::{Value, json};

use super::*;

fn problems(input: &Value) -> Vec<(&'static str, String)> {
    match normalise(input, Dialect::Askdock) {
        Ok(ask) => panic!("accepted: {ask:?}"),
        Err(problems) => problems.into_iter().map(|p| (p.code, p.path)).collect(),
    }
}

#[test]
fn limits_are_told_at_the_callers_own_place() {
    let text = |limit: limits::Limit, over: usize| "x".repeat(limit.max + over);
    let ask = |over| json!([{ "prompt": text(limits::QUESTION, over), "choices": ["a"] }]);
    assert!(normalise(&ask(0), Dialect::Askdock).is_ok());
    assert_eq!(problems(&ask(1)), [("too_large", "[0].prompt".to_owned())]);

    let label = json!({ "query": "Which?", "choices": ["a", text(limits::LABEL, 1)] });
    assert_eq!(problems(&label), [("too_large", "choices[1]".to_owned())]);
    let text_alias = json!({ "query": "Which?", "choices": [{ "text": text(limits::LABEL, 1) }] });
    assert_eq!(problems(&text_alias), [("too_large", "choices[0].text".to_owned())]);
}

#[test]
fn a_batch_is_limited_as_a_whole() {
    let ask = |questions: usize| {
        let long = "x".repeat(limits::QUESTION.max - 100);
        Value::from(vec![json!({ "question": long }); questions])
    };
    assert!(normalise(&ask(15), Dialect::Askdock).is_ok());
    assert_eq!(problems(&ask(17)), [("too_large", String::new())]);
}

#[test]
fn what_is_nested_too_deeply_is_refused() {
    let nested = |depth: usize| {
        (0..depth).fold(json!({ "question": "Which?" }), |inner, _| {
            Value::Object([("input".to_owned(), inner)].into_iter().collect())
        })
    };
    assert!(normalise(&nested(6), Dialect::Askdock).is_ok());
    assert_eq!(problems(&nested(20)).first().map(|p| p.0), Some("too_deep"));
    assert_eq!(problems(&nested(2_000)), [("too_deep", String::new())]);
}

#[test]
fn long_lists_of_faults_are_cut() {
    let input = json!({ "question": "Which?", "options": vec![Value::Null; 5_000] });
    assert_eq!(problems(&input), [("no_usable_option", "options".to_owned())]);
    let mut options = vec![Value::Null; 5_000];
    options.push("a".into());
    let ask = normalise(&json!({ "question": "Which?", "options": options }), Dialect::Askdock);
    let warnings = ask.map(|ask| ask.warnings).unwrap_or_default();
    assert_eq!(warnings.len(), 101);
    assert_eq!(warnings.last().map(|warning| warning.code), Some("more"));
}

#[test]
fn paths_lead_into_json_in_strings_and_past_what_was_left_out() {
    let input = json!({
        "items": r#"[null, {"id": "a", "ask": "A?", "choices": [null, "x", "\u200bx"]}]"#
    });
    assert_eq!(problems(&input), [("same_label", "items[1].choices".to_owned())]);
}
