//! An agent's own shell may not answer for the person.

use anyhow::{Context, Result};
use askdock_tests::home::Home;
use serde_json::json;
use tokio::io::AsyncWriteExt;

use crate::shown::run;

/// This process is the agent: it started `askdock mcp`, which waits, and now tries to answer.
#[tokio::test]
async fn an_agent_that_waits_cannot_answer_itself() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let mut mcp = home.askdock(&["mcp"]).stdin(std::process::Stdio::piped()).spawn()?;
    let mut stdin = mcp.stdin.take().context("piped")?;
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "claude-code", "version": "2"}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
            "name": "ask_user", "arguments": {"questions": [
                {"question": "May I?", "options": ["Yes", "No"]}]}}}),
    ];
    for message in messages {
        stdin.write_all(format!("{message}\n").as_bytes()).await?;
    }
    // Not by what only the person may read: that is refused to us, too.
    while home.run(&["list", "--json"]).await?.json()?.as_array().is_none_or(Vec::is_empty) {}
    insta::assert_snapshot!(run(&home, &["answer", "1", "Yes"]).await?, @r"
    exit 1
    -- stderr
    askdock: Only the person may do this, and askdock ([pid]) was started by an agent that waits for an answer ([pid]). Use your own terminal, the window or the notification.
    ");
    // Nor through a shell, nor by another way to the same end.
    for script in ["exec \"$0\" answer 1 Yes", "(\"$0\" answer 1 --option Yes)", "\"$0\" dismiss 1"]
    {
        let shell = home
            .command("sh")
            .args(["-c", script])
            .arg(askdock_tests::home::askdock())
            .output()
            .await?;
        assert_eq!(shell.status.code(), Some(1), "{script}");
        let said = String::from_utf8_lossy(&shell.stderr);
        assert!(said.contains("Only the person may do this"), "{script}: {said}");
    }
    assert_eq!(home.run(&["get", "1", "--json"]).await?.json()?["status"], "pending");
    mcp.kill().await?;
    Ok(())
}
