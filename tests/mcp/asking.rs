//! Asking, and what the agent gets.

use anyhow::{Context, Result, ensure};
use askdock_client::Role;
use askdock_tests::agent::Agent;
use askdock_tests::home::Home;
use askdock_tests::person::{Person, go, went};
use askdock_wire::BatchStatus;
use askdock_wire::ops::{BatchDismiss, DismissRequest, MessagePost, MessagePostRequest};
use serde_json::{Value, json};

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}

/// Both forms say the same.
fn check_forms(result: &Value) -> Result<()> {
    let (_, behind) = text(result).rsplit_once("\n\n").context("no JSON behind the text")?;
    let json: Value = serde_json::from_str(behind)?;
    ensure!(json == result["structuredContent"], "{result}");
    Ok(())
}

#[tokio::test]
async fn an_answer_comes_back_in_both_forms_and_is_acknowledged() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let person = Person::at(&home);
    let mut agent = Agent::start(&home, "claude-code", &[]).await?;
    let call = agent.call("ask_user", go()).await?;
    let batch = person.only().await?;
    ensure!(batch.agent == "Claude Code", "{batch:?}");
    let folder = home.path().canonicalize()?;
    ensure!(batch.folder.as_deref() == folder.to_str(), "{batch:?}");
    ensure!(batch.delivered_at.is_none());
    let outcome = person.selects(&batch.id, "Production").await?;
    let result = agent.result(call).await?;
    ensure!(result["isError"] == false, "{result}");
    ensure!(result["structuredContent"] == serde_json::to_value(&outcome)?, "{result}");
    ensure!(
        text(&result).starts_with("The person answered #1.\nGo where? → Production\n"),
        "{result}"
    );
    check_forms(&result)?;
    person.once(&batch.id, |batch| batch.delivered_at.is_some()).await?;
    Ok(())
}

#[tokio::test]
async fn three_questions_branch_and_come_back_together() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let person = Person::at(&home);
    let mut agent = Agent::start(&home, "test", &[]).await?;
    let call = agent
        .call(
            "ask_user",
            json!({ "questions": [
            { "id": "target", "question": "Which target?", "options": ["Web", "Desktop"] },
            { "id": "browser", "question": "Which browser?", "options": ["Firefox", "Chromium"],
              "show_when": { "question": "target", "options": ["Web"] } },
            { "question": "When?" },
        ] }),
        )
        .await?;
    let batch = person.only().await?;
    let answers = json!({ "target": { "selected": ["Desktop"] }, "When?": { "text": "now" } });
    person.answers(&batch.id, answers).await?;
    let result = agent.result(call).await?;
    let got = &result["structuredContent"];
    ensure!(got["order"] == json!(["target", "browser", "q3"]), "{got}");
    ensure!(got["answers"]["target"]["selected"][0]["label"] == "Desktop", "{got}");
    ensure!(got["answers"]["browser"]["blank"] == true, "{got}");
    ensure!(got["answers"]["q3"]["text"] == "now", "{got}");
    ensure!(got["answers_by_id"].get("q3").is_none(), "{got}");
    // What was not shown was not left blank by the person.
    ensure!(got["guidance"].is_null(), "{got}");
    ensure!(
        text(&result).contains("Which target? → Desktop\nWhich browser? → (blank)\nWhen? → now"),
        "{result}"
    );
    check_forms(&result)
}

#[tokio::test]
async fn calls_that_can_be_read_are_asked() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let person = Person::at(&home);
    let mut agent = Agent::start(&home, "test", &[]).await?;
    let question = json!([{ "id": "go", "question": "Go where?", "choices": ["Staging", 2] }]);
    let readable = [
        json!({ "questions": question.to_string() }),
        json!({ "questions": question[0] }),
        json!({ "questions": { "questions": question } }),
        // Not even an object.
        json!(json!({ "questions": question }).to_string()),
        question,
    ];
    for (index, arguments) in readable.into_iter().enumerate() {
        let call = agent.call("ask_user", arguments.clone()).await?;
        let batches = person.asked(index + 1).await?;
        let batch = batches.last().context("a batch")?;
        person.selects(&batch.id, "2").await?;
        let result = agent.result(call).await?;
        ensure!(went(&result) == "2", "{arguments}: {result}");
        ensure!(result.get("resultType").is_none(), "{result}");
        check_forms(&result)?;
        person.once(&batch.id, |batch| batch.delivered_at.is_some()).await?;
    }
    Ok(())
}

#[tokio::test]
async fn calls_that_cannot_be_read_say_what_to_send_instead() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let person = Person::at(&home);
    let mut agent = Agent::start(&home, "test", &[]).await?;
    let twice = json!({ "id": "a", "question": "Really?" });
    for (arguments, path) in [
        (json!({}), "questions"),
        (json!({ "questions": "[{\"question\": \"Half a" }), "questions"),
        (json!({ "questions": [twice, twice] }), "questions[1].id"),
        (json!(7), ""),
    ] {
        let call = agent.call("ask_user", arguments.clone()).await?;
        let result = agent.result(call).await?;
        ensure!(result["isError"] == true, "{arguments}: {result}");
        let problem = &result["structuredContent"]["error"]["problems"][0];
        ensure!(problem["path"] == path, "{arguments}: {result}");
        let sentence = problem["message"].as_str().context("a sentence")?;
        ensure!(text(&result).contains(sentence), "{result}");
        check_forms(&result)?;
    }
    let call = agent.call("wait_for_answer", json!({})).await?;
    ensure!(agent.result(call).await?["isError"] == true);
    let call = agent.call("wait_for_answer", json!({ "batch": 7 })).await?;
    let result = agent.result(call).await?;
    ensure!(result["structuredContent"]["error"]["code"] == "not_found", "{result}");
    person.asked(0).await?;
    Ok(())
}

#[tokio::test]
async fn in_ci_nobody_is_asked() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let mut agent = Agent::start(&home, "test", &[("CI", "true")]).await?;
    let call = agent.call("ask_user", go()).await?;
    let result = agent.result(call).await?;
    ensure!(result["isError"] == true, "{result}");
    ensure!(result["structuredContent"]["error"]["code"] == "no_person", "{result}");
    ensure!(text(&result).contains("best judgement and state the assumption"), "{result}");
    Person::at(&home).asked(0).await?;
    Ok(())
}

#[tokio::test]
async fn a_dismissal_is_no_answer() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let person = Person::at(&home);
    let mut agent = Agent::start(&home, "test", &[]).await?;
    let call = agent.call("ask_user", go()).await?;
    let batch = person.only().await?;
    let dismissal = DismissRequest { id: batch.id, answer_id: None, content_hash: None, via: None };
    person.client.call::<BatchDismiss>(&dismissal).await?;
    let result = agent.result(call).await?;
    ensure!(result["isError"] == false, "{result}");
    ensure!(result["structuredContent"]["status"] == "dismissed", "{result}");
    ensure!(result["structuredContent"]["answers"] == json!({}), "{result}");
    ensure!(text(&result).contains("chose not to answer; assume nothing"), "{result}");
    Ok(())
}

#[tokio::test]
async fn an_agent_withdraws_its_own_question() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let person = Person::at(&home);
    let mut agent = Agent::start(&home, "test", &[]).await?;
    let asked = agent.call("ask_user", go()).await?;
    let batch = person.only().await?;
    let withdrawn = agent.call("cancel_question", json!({ "batch": batch.number })).await?;
    for call in [withdrawn, asked] {
        let result = agent.result(call).await?;
        ensure!(result["structuredContent"]["status"] == "cancelled", "{result}");
    }
    ensure!(person.batch(&batch.id).await?.status == BatchStatus::Cancelled);
    // Another client's folder is another session, which this question isn't of.
    let mut other = Agent::start(&home, "another", &[]).await?;
    let call = other.call("cancel_question", json!({ "batch": batch.number })).await?;
    let result = other.result(call).await?;
    ensure!(result["structuredContent"]["error"]["code"] == "forbidden", "{result}");
    Ok(())
}

#[tokio::test]
async fn what_the_person_writes_meanwhile_comes_with_the_next_result() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let person = Person::at(&home);
    let mut agent = Agent::start(&home, "test", &[]).await?;
    let call = agent.call("ask_user", go()).await?;
    let batch = person.only().await?;
    let message = MessagePostRequest {
        session: batch.session.clone(),
        text: "Production, of course".into(),
        key: None,
    };
    home.client(Role::Person).call::<MessagePost>(&message).await?;
    ensure!(person.batch(&batch.id).await?.status == BatchStatus::Pending);
    person.selects(&batch.id, "Staging").await?;
    let result = agent.result(call).await?;
    ensure!(went(&result) == "Staging", "{result}");
    ensure!(
        result["structuredContent"]["messages"][0]["text"] == "Production, of course",
        "{result}"
    );
    ensure!(
        text(&result).contains("(this answers no question):\n- Production, of course"),
        "{result}"
    );
    // Delivered once.
    let call = agent.call("ask_user", go()).await?;
    let batches = person.asked(2).await?;
    person.selects(&batches[1].id, "Staging").await?;
    let result = agent.result(call).await?;
    ensure!(result["structuredContent"].get("messages").is_none(), "{result}");
    Ok(())
}

#[tokio::test]
async fn the_conversation_is_the_session_where_the_client_names_one() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let person = Person::at(&home);
    let mut codex = Agent::start(&home, "codex-mcp-client", &[]).await?;
    codex.call_with("ask_user", go(), json!({ "callId": "c1", "threadId": "thread-1" })).await?;
    let batch = person.only().await?;
    ensure!((batch.session.as_str(), batch.agent.as_str()) == ("thread-1", "Codex"), "{batch:?}");
    let mut named = Agent::start(&home, "test", &[("ASKDOCK_SESSION", "mine")]).await?;
    named.call_with("ask_user", go(), json!({ "threadId": "thread-1" })).await?;
    let batches = person.asked(2).await?;
    ensure!(batches[1].session == "mine", "{batches:?}");
    Ok(())
}
