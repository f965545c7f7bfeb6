//! Getting to know each other.

use anyhow::{Result, ensure};
use askdock_tests::agent::Agent;
use askdock_tests::home::Home;
use serde_json::{Value, json};

fn tool_names(listed: &Value) -> Vec<&str> {
    listed["tools"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|tool| tool["name"].as_str())
        .collect()
}

#[tokio::test]
async fn both_revisions_are_spoken_and_older_ones_kept() -> Result<()> {
    let home = Home::new()?;
    for (asked, expected) in [
        ("2025-11-25", "2025-11-25"),
        ("2025-06-18", "2025-06-18"),
        ("2024-11-05", "2024-11-05"),
        ("2026-07-28", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
    ] {
        let mut agent = Agent::spawn(&home, &[])?;
        let response = agent.shake_hands(asked, "test").await?;
        ensure!(response["result"]["protocolVersion"] == expected, "{asked}: {response}");
        ensure!(response["result"]["serverInfo"]["name"] == "askdock", "{response}");
        ensure!(response["result"]["instructions"].is_string(), "{response}");
    }
    Ok(())
}

#[tokio::test]
async fn a_probe_for_the_stateless_era_breaks_nothing() -> Result<()> {
    let home = Home::new()?;
    let mut agent = Agent::spawn(&home, &[])?;
    let modern = json!({ "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "claude-code", "version": "2" },
        "io.modelcontextprotocol/clientCapabilities": {},
    } });
    for params in [modern, json!({})] {
        let probe = agent.request("server/discover", params).await?;
        let response = agent.response(probe).await?;
        ensure!(response["error"]["code"] == -32601, "{response}");
        agent.cancel(probe).await?;
    }
    agent.shake_hands("2025-11-25", "claude-code").await?;
    let again = agent.request("server/discover", json!({})).await?;
    ensure!(agent.response(again).await?["error"]["code"] == -32601);
    let listed = agent.request("tools/list", json!({})).await?;
    let names = agent.result(listed).await?;
    ensure!(tool_names(&names) == ["ask_user", "wait_for_answer", "cancel_question"], "{names}");
    Ok(())
}

#[tokio::test]
async fn gemini_sees_the_ask_under_a_name_that_it_does_not_hide() -> Result<()> {
    let home = Home::new()?;
    let mut agent = Agent::start(&home, "gemini-cli-mcp-client-askdock", &[]).await?;
    let listed = agent.request("tools/list", json!({})).await?;
    let names = agent.result(listed).await?;
    ensure!(tool_names(&names)[0] == "ask_user_question", "{names}");
    ensure!(!tool_names(&names).contains(&"ask_user"), "{names}");
    Ok(())
}

#[tokio::test]
async fn what_is_not_the_protocol_is_refused_or_left_alone() -> Result<()> {
    let home = Home::new()?;
    let mut agent = Agent::start(&home, "test", &[]).await?;
    let unknown = agent.request("ask/everything", json!({})).await?;
    ensure!(agent.response(unknown).await?["error"]["code"] == -32601);
    let tool = agent.call("ask_everybody", json!({})).await?;
    let response = agent.response(tool).await?;
    ensure!(response["error"]["code"] == -32602, "{response}");
    agent.send(&json!("no message")).await?;
    let ping = agent.request("ping", json!({})).await?;
    ensure!(agent.response(ping).await?["result"] == json!({}));
    Ok(())
}
