//! Answering in a terminal.

use std::process::Stdio;

use anyhow::{Context, Result};
use askdock_tests::home::{Home, PATIENCE, askdock};
use tokio::io::AsyncWriteExt;

/// Types `lines` into `askdock answer 1` on a terminal of its own; returns what that showed.
async fn typed(home: &Home, lines: &str) -> Result<(i32, String)> {
    let mut terminal = home
        .command("script")
        .args(["--quiet", "--return", "--echo", "never", "--command"])
        .arg(format!("'{}' answer 1", askdock().display()))
        .arg("/dev/null")
        .stdin(Stdio::piped())
        .spawn()?;
    let mut stdin = terminal.stdin.take().context("piped")?;
    stdin.write_all(lines.as_bytes()).await?;
    let output = tokio::time::timeout(PATIENCE, terminal.wait_with_output()).await??;
    drop(stdin);
    let shown = String::from_utf8(output.stdout)?.replace('\r', "");
    Ok((output.status.code().context("it ended by itself")?, shown))
}

async fn ask(home: &Home) -> Result<()> {
    let batch = r#"{"context": "The build is green.", "questions": [
        {"id": "target", "question": "Where to?", "options": ["Staging", "Production"]},
        {"id": "window", "question": "When?", "options": ["Now", "Tonight"], "allow_custom": false,
         "show_when": {"question": "target", "options": ["Production"]}},
        {"id": "note", "question": "Anything else?"}]}"#;
    std::fs::write(home.path().join("batch.json"), batch)?;
    home.run(&["ask", "--input", "batch.json", "--agent", "robot", "--no-wait"]).await?;
    Ok(())
}

#[tokio::test]
#[cfg(target_os = "linux")]
async fn each_visible_question_is_asked() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    ask(&home).await?;
    let (code, shown) = typed(&home, "2\nnever\n2\n\n").await?;
    assert_eq!(code, 0);
    insta::assert_snapshot!(shown, @r#"
    #1 from robot
    The build is green.

    Where to?
      1. Staging
      2. Production
      Or type something else.
    Your answer (Enter leaves it blank, /skip dismisses all): 
    When?
      1. Now
      2. Tonight
    Your answer (Enter leaves it blank, /skip dismisses all): "never" is not one of the options: "Now", "Tonight".
    Your answer (Enter leaves it blank, /skip dismisses all): 
    Anything else?
    Your answer (Enter leaves it blank, /skip dismisses all): Answered #1.
    target: Production
    window: Tonight
    note: (left blank)
    "#);
    Ok(())
}

#[tokio::test]
#[cfg(target_os = "linux")]
async fn hidden_questions_are_passed_over_and_skip_dismisses() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    ask(&home).await?;
    let (code, shown) = typed(&home, "staging\n/skip\n").await?;
    assert_eq!(code, 0);
    insta::assert_snapshot!(shown, @r"
    #1 from robot
    The build is green.

    Where to?
      1. Staging
      2. Production
      Or type something else.
    Your answer (Enter leaves it blank, /skip dismisses all): 
    Anything else?
    Your answer (Enter leaves it blank, /skip dismisses all): Dismissed #1.
    ");
    assert_eq!(home.run(&["get", "1", "--json"]).await?.json()?["status"], "dismissed");
    Ok(())
}
