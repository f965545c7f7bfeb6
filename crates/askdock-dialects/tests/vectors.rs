//! Every vector of `tests/vectors`, whose README describes their format.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use askdock_dialects::{Ask, Dialect, Given, Timeout, answers_in, normalise, normalise_text};
use askdock_domain::Problem;
use askdock_wire::names::content_json;
use serde_json::{Value, json};

#[test]
fn payloads() {
    let vectors = common::vectors("payloads.json");
    let faults: Vec<String> = vectors.iter().flat_map(payload_faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(vectors.len() >= 400, "vectors went missing: {}", vectors.len());
}

fn payload_faults(vector: &Value) -> Vec<String> {
    let mut faults = vec![];
    let mut expect = |what: &str, got: &Value, want: &Value| {
        if got != want {
            faults.push(format!("{}: {what} is {got}, not {want}", vector["id"]));
        }
    };
    match (read(vector), vector.get("accept"), vector.get("reject")) {
        (Ok(ask), Some(accept), None) => {
            let warnings: Vec<Value> =
                ask.warnings.iter().map(|w| json!([w.code, w.path])).collect();
            expect("warnings", &warnings.into(), &accept["warnings"]);
            let timeout = match ask.timeout {
                Timeout::Absent => Value::Null,
                Timeout::Seconds(seconds) => seconds.into(),
            };
            expect("timeout", &timeout, &accept["timeout"]);
            expect("session", &json!(ask.session), &accept["session"]);
            let content = content_json(&ask.content);
            if !common::matches(&content, &accept["content"]) {
                expect("content", &content, &accept["content"]);
            }
        }
        (Err(problems), None, Some(reject)) => {
            let found: Vec<Value> = problems.iter().map(|p| json!([p.code, p.path])).collect();
            let wanted = reject.as_array().into_iter().flatten();
            let wanted: Vec<Value> = wanted.map(|p| json!([p["code"], p["path"]])).collect();
            expect("problems", &found.into(), &wanted.into());
            for (problem, wanted) in problems.iter().zip(reject.as_array().into_iter().flatten()) {
                for mention in wanted["mentions"].as_array().into_iter().flatten() {
                    if !problem.message.contains(mention.as_str().unwrap()) {
                        expect("message", &problem.message.clone().into(), mention);
                    }
                }
            }
        }
        (got, ..) => faults.push(format!("{}: unexpected {got:?}", vector["id"])),
    }
    faults
}

fn read(vector: &Value) -> Result<Ask, Vec<Problem>> {
    let dialect: Dialect = vector["dialect"].as_str().unwrap().parse().unwrap();
    let text = |bytes: &[u8]| normalise_text(bytes, dialect).map(|(_, ask)| ask);
    if let Some(sent) = vector.get("text") {
        return text(sent.as_str().unwrap().as_bytes());
    }
    if let Some(sent) = vector.get("bytes") {
        let pairs = sent.as_str().unwrap().as_bytes().chunks(2);
        let bytes: Vec<u8> = pairs
            .map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect();
        return text(&bytes);
    }
    let sent = normalise(&vector["input"], dialect);
    // What the surfaces that parse by themselves read, the others read as well.
    let written = text(vector["input"].to_string().as_bytes());
    assert_eq!(sent, written, "{}", vector["id"]);
    sent
}

#[test]
fn answers() {
    let vectors = common::vectors("answers.json");
    let faults: Vec<String> = vectors.iter().filter_map(answer_fault).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(vectors.len() >= 40, "vectors went missing: {}", vectors.len());
}

fn answer_fault(vector: &Value) -> Option<String> {
    let dialect: Dialect = vector["dialect"].as_str().unwrap_or("askdock").parse().unwrap();
    let ask = normalise(&vector["questions"], dialect).unwrap();
    let questions = &ask.content.questions;
    let answers = match answers_in(dialect, &vector["answers"], &ask.content) {
        Ok(Given::Answers(answers)) => Ok(answers),
        Ok(other) => return Some(format!("{}: {other:?}", vector["id"])),
        Err(problems) => Err(problems),
    };
    let fits = match (&answers, vector.get("accept"), vector.get("reject")) {
        (Ok(answers), Some(accept), None) => {
            let answers = questions.iter().zip(answers).map(|(question, answer)| {
                let labels = answer.selected.iter().map(|at| question.options[*at].label.as_str());
                let labels: Vec<&str> = labels.collect();
                json!({
                    "selected": labels, "text": answer.text, "notes": answer.notes,
                    "blank": answer.blank.then_some(true),
                })
            });
            let found: Vec<Value> = answers.collect();
            let wanted = accept.as_array().unwrap();
            found.len() == wanted.len()
                && found.iter().zip(wanted).all(|(found, wanted)| {
                    ["selected", "text", "notes", "blank"]
                        .iter()
                        .all(|name| found[name] == wanted[name])
                })
        }
        (Err(problems), None, Some(reject)) => problems.iter().any(|problem| {
            let mut mentions = reject["mentions"].as_array().into_iter().flatten();
            mentions.all(|mention| problem.message.contains(mention.as_str().unwrap()))
                && reject["path"].as_str().is_none_or(|path| problem.path == path)
        }),
        _ => false,
    };
    (!fits).then(|| format!("{}: got {answers:?}", vector["id"]))
}
