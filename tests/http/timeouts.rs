//! `timeout_seconds`, and `extend`.

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::Desk;

/// The deadline of an ask in milliseconds after it was asked, and its warnings about it.
async fn limit(desk: &Desk, ask: Value) -> Result<(Option<i64>, Vec<Value>)> {
    let asked = desk.agent.call("POST /v1/batches", ask).await?.expect(201)?;
    let line = format!("GET /v1/batches/{}", asked["number"]);
    let batch = desk.person.call(&line, Value::Null).await?.expect(200)?;
    assert_eq!(batch["deadline"], asked["deadline"]);
    let warnings = asked["warnings"].as_array().cloned().unwrap_or_default();
    let about =
        |warning: &Value| warning["code"].as_str().is_some_and(|c| c.starts_with("timeout"));
    let span = span(&batch["asked_at"], &batch["deadline"])?;
    Ok((span, warnings.into_iter().filter(about).collect()))
}

fn span(from: &Value, to: &Value) -> Result<Option<i64>> {
    let Some(to) = to.as_str() else { return Ok(None) };
    let millis = |text: &str| askdock_wire::parse_timestamp(text).context("a time");
    Ok(Some(millis(to)?.since(millis(from.as_str().unwrap_or_default())?).0))
}

fn ask(timeout: &Value) -> [Value; 2] {
    // In the batch itself, and beside it.
    let inside = json!({ "question": "Go?", "session": "s", "timeout_seconds": timeout });
    let beside =
        json!({ "input": { "question": "Go?" }, "session": "s", "timeout_seconds": timeout });
    [inside, beside]
}

#[tokio::test]
async fn nothing_zero_and_less_mean_no_limit() -> Result<()> {
    let desk = Desk::open().await?;
    let omitted = json!({ "question": "Go?", "session": "s" });
    assert_eq!(limit(&desk, omitted).await?, (None, vec![]));
    for timeout in [Value::Null, json!(0), json!(""), json!(-1), json!(-5.5), json!("0")] {
        for body in ask(&timeout) {
            assert_eq!(limit(&desk, body.clone()).await?, (None, vec![]), "{body}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_limit_is_kept_within_its_bounds_with_a_warning() -> Result<()> {
    let desk = Desk::open().await?;
    for (timeout, seconds, warned) in [
        (json!(5), 30, true),
        (json!(29), 30, true),
        (json!(30), 30, false),
        (json!("90"), 90, false),
        (json!(3600), 3600, false),
        (json!(3601), 3600, true),
        (json!(1e300), 3600, true),
    ] {
        for body in ask(&timeout) {
            let (span, warnings) = limit(&desk, body.clone()).await?;
            assert_eq!(span, Some(seconds * 1000), "{body}");
            let codes: Vec<_> = warnings.iter().map(|warning| &warning["code"]).collect();
            let expected: &[&str] = if warned { &["timeout_clamped"] } else { &[] };
            assert_eq!(codes, expected, "{body}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn openclaw_has_a_default_of_its_own() -> Result<()> {
    let desk = Desk::open().await?;
    let ask = |timeout: Option<Value>| {
        let mut ask = json!({ "dialect": "openclaw", "session": "s",
            "questions": [{ "id": "c", "question": "Which?", "options": ["A", "B"] }] });
        if let Some(timeout) = timeout {
            ask["timeoutSeconds"] = timeout;
        }
        ask
    };
    assert_eq!(limit(&desk, ask(None)).await?.0, Some(900_000));
    assert_eq!(limit(&desk, ask(Some(Value::Null))).await?.0, None);
    assert_eq!(limit(&desk, ask(Some(json!(0)))).await?.0, None);
    Ok(())
}

#[tokio::test]
async fn extend_adds_time_where_there_is_a_deadline() -> Result<()> {
    let desk = Desk::open().await?;
    let [limited, _] = ask(&json!(60));
    let [unlimited, _] = ask(&Value::Null);
    let before = desk.agent.call("POST /v1/batches", limited).await?.expect(201)?;
    let body = json!({ "seconds": 90 });
    let line = "POST /v1/batches/1/extend";
    let after = desk.person.call(line, body.clone()).await?.expect(200)?;
    assert_eq!(span(&before["deadline"], &after["deadline"])?, Some(90_000));
    for seconds in [json!(0), json!(-60), json!(86_401), json!("x"), Value::Null] {
        let error = desk.person.call(line, json!({ "seconds": seconds })).await?;
        assert_eq!(error.refused(422, "invalid")?["problems"][0]["path"], "seconds", "{seconds}");
    }
    desk.agent.call("POST /v1/batches", unlimited).await?.expect(201)?;
    let none = desk.person.call("POST /v1/batches/2/extend", body.clone()).await?;
    assert_eq!(none.refused(422, "invalid")?["problems"][0]["code"], "no_deadline");
    desk.person.call("POST /v1/batches/3/extend", body).await?.refused(404, "not_found")?;
    Ok(())
}
