//! `answer`, `dismiss`, `cancel` and `extend`: what ends a batch, once.

use anyhow::Result;
use serde_json::{Value, json};

use crate::{Desk, deploy, target};

#[tokio::test]
async fn an_answer_is_the_outcome_and_stays_it() -> Result<()> {
    let desk = Desk::open().await?;
    let asked = desk.asked(json!({})).await?;
    let mut answer = target("Staging (Recommended)");
    answer["answer_id"] = "a-1".into();
    answer["content_hash"] = asked["content_hash"].clone();
    answer["answers"]["target"]["notes"] = "after 18:00".into();
    let line = "POST /v1/batches/1/answer";
    let outcome = desk.person.call(line, answer.clone()).await?.expect(200)?;
    let given = json!({ "selected": [{ "id": "staging", "label": "Staging (Recommended)" }],
        "text": null, "notes": "after 18:00" });
    assert_eq!([&outcome["status"], &outcome["batch"]], [&json!("answered"), &asked["id"]]);
    assert_eq!(outcome["answers"]["target"], given);
    assert_eq!(outcome["answers"]["why"]["blank"], true);
    assert_eq!(outcome["order"], json!(["target", "why"]));
    assert_eq!(outcome["answers_by_id"]["target"], given);
    assert_eq!(outcome["responder"]["kind"], "user");
    assert_eq!(outcome["content_hash"], asked["content_hash"]);

    // The same act again is the same result; another one is too late and told who was first.
    assert_eq!(desk.person.call(line, answer.clone()).await?.expect(200)?, outcome);
    answer["answers"]["target"]["notes"] = "at once".into();
    desk.person.call(line, answer).await?.refused(409, "answer_id_reused")?;
    for (end, body) in [
        ("answer", target("Production")),
        ("dismiss", json!({})),
        ("cancel", json!({})),
        ("extend", json!({ "seconds": 60 })),
    ] {
        let line = format!("POST /v1/batches/1/{end}");
        let body = if end == "answer" {
            json!({ "answers": { "target": "Production", "why": { "text": "It is time." } } })
        } else {
            body
        };
        let error = desk.person.call(&line, body).await?.refused(409, "already_ended")?;
        assert_eq!(error["outcome"], outcome, "{end}");
    }
    // Nor is somebody who is too late told what else was wrong.
    let late = desk.person.call(line, target("Nowhere")).await?.refused(409, "already_ended")?;
    assert_eq!(late["outcome"], outcome);
    Ok(())
}

#[tokio::test]
async fn what_is_no_answer_is_422_by_name_and_the_batch_waits_on() -> Result<()> {
    let desk = Desk::open().await?;
    desk.asked(json!({})).await?;
    let check = async |answers: Value, path: &str| -> Result<()> {
        let body = json!({ "answers": answers });
        let response = desk.person.call("POST /v1/batches/1/answer", body).await?;
        let error = response.refused(422, "invalid")?;
        let paths: Vec<_> = error["problems"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|problem| problem["path"].as_str().unwrap_or_default())
            .collect();
        assert!(paths.contains(&path), "{answers}: {error}");
        Ok(())
    };
    for blank in [json!({}), json!(""), json!([]), json!({ "text": " \n" }), Value::Null] {
        check(json!({ "target": blank }), "answers.target").await?;
    }
    check(json!({}), "answers.target").await?;
    check(json!({ "target": { "text": "\u{200b}" } }), "answers.target").await?;
    check(json!({ "target": { "notes": "alone" } }), "answers.target").await?;
    check(json!({ "target": "Nowhere" }), "answers.target").await?;
    check(json!({ "target": ["Staging (Recommended)", "Production"] }), "answers.target").await?;
    check(json!({ "target": { "selected": ["Production"], "text": "both" } }), "answers.target")
        .await?;
    // A number is no option.
    check(json!({ "target": { "selected": ["2"] } }), "answers.target").await?;
    check(json!({ "target": "Production" }), "answers.why").await?;
    check(json!({ "target": "staging", "where": "x" }), "answers.where").await?;
    let blank = json!({ "blank": true });
    check(json!({ "target": blank, "why": blank }), "answers").await?;
    for body in [json!({}), Value::Null] {
        desk.person.call("POST /v1/batches/1/answer", body).await?.refused(422, "invalid")?;
    }
    let batch = desk.person.call("GET /v1/batches/1", Value::Null).await?.expect(200)?;
    assert_eq!(batch["status"], "pending");
    Ok(())
}

#[tokio::test]
async fn a_typed_reply_answers_a_single_question() -> Result<()> {
    let desk = Desk::open().await?;
    let body = json!({ "question": "Port?", "options": ["80", "443"], "session": "s" });
    desk.agent.call("POST /v1/batches", body).await?.expect(201)?;
    let reply = json!({ "reply": "2" });
    let outcome =
        desk.person.call("POST /v1/batches/1/answer", reply.clone()).await?.expect(200)?;
    assert_eq!(outcome["answers"]["q1"]["selected"][0]["label"], "443");
    desk.asked(json!({})).await?;
    let error = desk.person.call("POST /v1/batches/2/answer", reply).await?;
    assert_eq!(error.refused(422, "invalid")?["problems"][0]["path"], "reply");
    Ok(())
}

#[tokio::test]
async fn a_dismissal_has_no_answers_and_says_so_to_the_model() -> Result<()> {
    let desk = Desk::open().await?;
    desk.asked(json!({})).await?;
    let outcome = desk.person.call("POST /v1/batches/1/dismiss", json!({})).await?.expect(200)?;
    assert_eq!([&outcome["status"], &outcome["answers"]], [&json!("dismissed"), &json!({})]);
    let guidance = "The person chose not to answer; assume nothing, don't ask the same again.";
    assert_eq!(outcome["guidance"], guidance);
    Ok(())
}

#[tokio::test]
async fn a_withdrawn_ask_is_not_resurrected_by_its_key() -> Result<()> {
    let desk = Desk::open().await?;
    let asked = desk.asked(json!({ "request_id": "k" })).await?;
    let owner = desk.agent.clone().owning(&asked["session_secret"]);
    let reason = json!({ "reason": "not needed" });
    let outcome = owner.call("POST /v1/batches/1/cancel", reason).await?.expect(200)?;
    assert_eq!([&outcome["status"], &outcome["reason"]], ["cancelled", "not needed"]);
    assert_eq!(outcome["responder"]["kind"], "system");
    let late = desk.person.call("POST /v1/batches/1/answer", target("staging")).await?;
    assert_eq!(late.refused(409, "already_ended")?["outcome"], outcome);
    assert_eq!(desk.asked(json!({ "request_id": "k" })).await?["number"], 2);
    Ok(())
}

#[tokio::test]
async fn a_cancel_right_behind_its_ask_ends_that_ask() -> Result<()> {
    let desk = Desk::open().await?;
    let mut connection = desk.agent.clone().connect().await?;
    let first = connection.call("POST /v1/batches", deploy()).await?.expect(201)?;
    let owner = desk.agent.clone().owning(&first["session_secret"]);
    let (mut asking, mut cancelling) = (owner.connect().await?, owner.connect().await?);
    for number in 2..200 {
        asking.call("POST /v1/batches", deploy()).await?.expect(201)?;
        let line = format!("POST /v1/batches/{number}/cancel");
        let outcome = cancelling.call(&line, json!({})).await?.expect(200)?;
        assert_eq!([&outcome["status"], &outcome["number"]], [&json!("cancelled"), &json!(number)]);
    }
    let left = desk.person.call("GET /v1/batches", Value::Null).await?.expect(200)?;
    assert_eq!(left.as_array().map(Vec::len), Some(1));
    assert_eq!(left[0]["number"], 1);
    Ok(())
}

#[tokio::test]
async fn asking_back_keeps_the_answers_so_far() -> Result<()> {
    let desk = Desk::open().await?;
    desk.asked(json!({})).await?;
    let body = json!({ "message": "Which cluster?", "answers": { "target": { "selected": ["Production"] } } });
    let outcome = desk.person.call("POST /v1/batches/1/ask-back", body).await?.expect(200)?;
    assert_eq!([&outcome["status"], &outcome["reason"]], ["dismissed", "ask_back"]);
    assert_eq!(outcome["message"], "Which cluster?");
    assert_eq!(outcome["partial"]["target"]["selected"][0]["label"], "Production");
    Ok(())
}
