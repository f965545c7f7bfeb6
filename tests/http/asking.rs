//! `POST /v1/batches`, and reading batches.

use anyhow::Result;
use askdock_tests::http::Caller;
use serde_json::{Value, json};

use crate::{Desk, deploy, target};

#[tokio::test]
async fn a_new_ask_is_201_and_the_same_again_200() -> Result<()> {
    let desk = Desk::open().await?;
    let mut body = deploy();
    body["request_id"] = "k".into();
    let first = desk.agent.call("POST /v1/batches", body.clone()).await?.expect(201)?;
    assert_eq!(
        [&first["number"], &first["status"], &first["session"], &first["created"]],
        [&json!(1), &json!("pending"), &json!("s"), &json!(true)]
    );
    assert_eq!([&first["deadline"], &first["outcome"]], [&Value::Null, &Value::Null]);
    assert_eq!(first["warnings"], json!([]));
    for field in ["id", "session_secret", "content_hash"] {
        assert!(first[field].as_str().is_some_and(|text| !text.is_empty()), "{field}");
    }
    let again = desk.agent.call("POST /v1/batches", body.clone()).await?.expect(200)?;
    assert_eq!([&again["id"], &again["created"]], [&first["id"], &json!(false)]);

    body["questions"][0]["question"] = "Where else?".into();
    desk.agent.call("POST /v1/batches", body.clone()).await?.refused(409, "key_conflict")?;
    // The key is this session's and this turn's.
    body["session"] = "other".into();
    let other = desk.agent.call("POST /v1/batches", body).await?.expect(201)?;
    assert_eq!(other["number"], 2);
    Ok(())
}

#[tokio::test]
async fn a_batch_is_read_by_id_and_number_with_its_texts_as_sent() -> Result<()> {
    let desk = Desk::open().await?;
    let asked = desk.asked(json!({})).await?;
    let id = asked["id"].as_str().unwrap_or_default().to_owned();
    let read =
        desk.person.call(&format!("GET /v1/batches/{id}"), Value::Null).await?.expect(200)?;
    for name in ["1", "%231"] {
        let line = format!("GET /v1/batches/{name}");
        assert_eq!(desk.person.call(&line, Value::Null).await?.expect(200)?, read, "{name}");
    }
    let [target, why] = [&read["questions"][0], &read["questions"][1]];
    assert_eq!(target["options"][0]["label"], "Staging (Recommended)");
    assert_eq!(target["options"][0]["recommended"], true);
    assert_eq!([&target["id"], &target["kind"]], [&json!("target"), &json!("choice")]);
    assert_eq!([&target["multi_select"], &target["allow_custom"]], [&json!(false), &json!(true)]);
    assert_eq!([&target["header"], &why["header"]], [&json!("Deploy to"), &Value::Null]);
    assert_eq!([&why["kind"], &why["options"]], [&json!("text"), &json!([])]);
    assert_eq!(read["visible"], json!([true, false]));
    assert_eq!(read["content_hash"], asked["content_hash"]);

    let line = "GET /v1/batches/7";
    let error = desk.person.call(line, Value::Null).await?.refused(404, "not_found")?;
    assert_eq!(error["message"], "There is no batch \"7\".");
    Ok(())
}

#[tokio::test]
async fn lists_are_filtered_by_status_and_session() -> Result<()> {
    let desk = Desk::open().await?;
    for session in ["s", "t", "s"] {
        desk.asked(json!({ "session": session })).await?;
    }
    desk.person.call("POST /v1/batches/3/answer", target("staging")).await?.expect(200)?;
    let numbers = async |query: &str| -> Result<Vec<Value>> {
        let line = format!("GET /v1/batches{query}");
        let list = desk.person.call(&line, Value::Null).await?.expect(200)?;
        let list = list.as_array().cloned().unwrap_or_default();
        Ok(list.iter().map(|batch| batch["number"].clone()).collect())
    };
    assert_eq!(numbers("").await?, [1, 2]);
    assert_eq!(numbers("?status=all").await?, [1, 2, 3]);
    assert_eq!(numbers("?status=answered").await?, [3]);
    assert_eq!(numbers("?status=all&session=s").await?, [1, 3]);
    assert_eq!(numbers("?session=nobody").await?, [0; 0]);
    let unknown = desk.person.call("GET /v1/batches?status=open", Value::Null).await?;
    assert_eq!(unknown.refused(422, "invalid")?["problems"][0]["path"], "status");

    let first = desk.person.call("GET /v1/batches", Value::Null).await?.expect(200)?[0].clone();
    let fields: Vec<_> = first.as_object().into_iter().flatten().map(|(name, _)| name).collect();
    let fixed = ["number", "id", "session", "agent", "status", "questions", "asked_at", "deadline"];
    for field in fixed {
        assert!(fields.iter().any(|name| *name == field), "{field} of {fields:?}");
    }
    Ok(())
}

#[tokio::test]
async fn what_cannot_be_asked_is_a_list_of_problems_and_records_nothing() -> Result<()> {
    let desk = Desk::open().await?;
    let check = async |body: Value, code: &str, path: &str| -> Result<()> {
        let error = desk.agent.call("POST /v1/batches", body).await?.refused(422, "invalid")?;
        let problem = &error["problems"][0];
        assert_eq!([&problem["code"], &problem["path"]], [code, path], "{error}");
        let sentence = problem["message"].as_str().unwrap_or_default();
        assert!(sentence.ends_with('.') && !sentence.contains("enum"), "{error}");
        Ok(())
    };
    check(json!({ "questions": [] }), "nothing_to_ask", "questions").await?;
    check(json!({ "questions": [{ "question": " " }] }), "blank_question", "questions[0].question")
        .await?;
    check(json!({ "question": "?", "dialect": "klingon" }), "unknown_dialect", "dialect").await?;
    check(json!({ "question": "?", "session": { "id": " " } }), "bad_name", "session.id").await?;
    check(json!({ "question": "?", "session": 7 }), "wrong_shape", "").await?;
    let list = desk.person.call("GET /v1/batches?status=all", Value::Null).await?.expect(200)?;
    assert_eq!(list, json!([]));
    let sessions = desk.person.call("GET /v1/sessions", Value::Null).await?.expect(200)?;
    assert_eq!(sessions, json!([]));
    Ok(())
}

#[tokio::test]
async fn a_field_of_the_wrong_kind_is_named() -> Result<()> {
    let desk = Desk::open().await?;
    for (field, value) in [("request_id", json!(7)), ("timeout_seconds", json!("soon"))] {
        let mut body = json!({ "input": deploy(), "session": "s" });
        body[field] = value;
        let error = desk.agent.call("POST /v1/batches", body).await?.refused(422, "invalid")?;
        assert!(error["message"].as_str().is_some_and(|text| text.contains(field)), "{error}");
    }
    Ok(())
}

#[tokio::test]
async fn health_needs_no_token() -> Result<()> {
    let desk = Desk::open().await?;
    let nobody = Caller::nobody(&desk.home)?;
    let health = nobody.call("GET /v1/health", Value::Null).await?.expect(200)?;
    assert_eq!([&health["kind"], &health["wire"]], [&json!("serve"), &json!(1)]);
    assert_eq!(health["reachable_by"], json!(["serve"]));
    assert_eq!([&health["pending"], &health["away"]], [0, 0]);
    desk.asked(json!({})).await?;
    let health = nobody.call("GET /v1/health", Value::Null).await?.expect(200)?;
    assert_eq!(
        health["pending"].as_u64().zip(health["away"].as_u64()).map(|(p, a)| p + a),
        Some(1)
    );
    Ok(())
}
