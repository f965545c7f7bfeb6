//! `ask`, `wait`, `list` and `get`.

use anyhow::Result;
use askdock_tests::home::Home;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::shown::{ended, left_alone, run, shown, waited_on};

const DEPLOY: [&str; 7] =
    ["ask", "--question", "Deploy where?", "--option", "Staging", "--option", "Production"];

#[tokio::test]
async fn the_answer_is_the_output() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let ask = home.askdock(&DEPLOY).spawn()?;
    waited_on(&home, 1).await?;
    insta::assert_snapshot!(run(&home, &["list"]).await?, @r"
    exit 0
    -- stdout
    #1  pending  script  Deploy where?
    ");
    insta::assert_snapshot!(run(&home, &["list", "--json"]).await?, @r#"
    exit 0
    -- stdout
    [{"number":1,"id":"[id]","session":"[id]","agent":"script","status":"pending","away":false,"questions":["Deploy where?"],"asked_at":"[time]","deadline":null}]
    "#);
    insta::assert_snapshot!(run(&home, &["answer", "1", "2"]).await?, @r"
    exit 0
    -- stdout
    Answered #1: Production
    ");
    insta::assert_snapshot!(shown(&home, &ended(ask).await?), @r"
    exit 0
    -- stdout
    Production
    -- stderr
    Asked as #1; waiting for the answer.
    ");
    insta::assert_snapshot!(run(&home, &["get", "#1"]).await?, @r"
    exit 0
    -- stdout
    #1  answered  script  [folder]
    Asked by askdock ([pid])
    In [home]

    Deploy where?
      1. Staging
      2. Production
      Or type something else.

    Ended at [time] via cli:
    Production
    ");
    insta::assert_snapshot!(run(&home, &["list"]).await?, @r"
    exit 0
    -- stderr
    Nothing waits for an answer.
    ");
    insta::assert_snapshot!(run(&home, &["list", "--all"]).await?, @r"
    exit 0
    -- stdout
    #1  answered  script  Deploy where?
    ");
    insta::assert_snapshot!(run(&home, &["sessions"]).await?, @r"
    exit 0
    -- stdout
    [id]  script  [folder]  0 pending, away
    ");
    insta::assert_snapshot!(run(&home, &["health"]).await?, @r"
    exit 0
    -- stdout
    The hub is well: serve 0.1.0, [pid], at [home]/run/askdock.sock.
    0 waiting for an answer, 0 whose agent is away.
    The person is reached by: serve.
    ");
    Ok(())
}

#[tokio::test]
async fn with_json_the_outcome_is_the_output() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let ask = home.askdock(&[&DEPLOY[..], &["--json"]].concat()).spawn()?;
    waited_on(&home, 1).await?;
    home.run(&["answer", "1", "--option", "Staging", "--notes", "after 18:00"]).await?;
    insta::assert_snapshot!(shown(&home, &ended(ask).await?), @r#"
    exit 0
    -- stdout
    {"status":"answered","batch":"[id]","number":1,"answers":{"q1":{"selected":[{"id":"staging","label":"Staging"}],"text":null,"notes":"after 18:00"}},"order":["q1"],"answers_by_id":{},"responder":{"kind":"user","id":"local","via":"cli","[pid],"program":"askdock"},"asked_at":"[time]","ended_at":"[time]","content_hash":"[hash]","guidance":null,"warnings":[]}
    -- stderr
    Asked as #1; waiting for the answer.
    "#);
    Ok(())
}

#[tokio::test]
async fn a_batch_comes_from_a_file_in_any_dialect() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    std::fs::write(
        home.path().join("batch.json"),
        r#"{"session": "chat-7", "context": "The build is green.", "questions": [
            {"id": "target", "question": "Where to?", "options": [
                {"label": "Staging (Recommended)", "description": "Safe"}, "Production"]},
            {"id": "when", "question": "When?",
             "show_when": {"question": "target", "options": ["Production"]}},
            {"id": "checks", "question": "Which checks?", "options": ["Unit", "Load"],
             "multi_select": true}]}"#,
    )?;
    let asked = home.run(&["ask", "--input", "batch.json", "--no-wait", "--json"]).await?;
    assert_eq!(asked.json()?["number"], 1);
    insta::assert_snapshot!(run(&home, &["get", "1"]).await?, @r"
    exit 0
    -- stdout
    #1  pending  script  chat-7
    Asked by askdock ([pid])
    The build is green.

    Where to?
      1. Staging (recommended) - Safe
      2. Production
      Or type something else.

    When?

    Which checks?
      1. Unit
      2. Load
      Several may be selected, separated by commas.
      Or type something else.
    ");
    std::fs::write(
        home.path().join("answers.json"),
        r#"{"answers": {"target": {"selected": ["Staging (Recommended)"]},
                        "checks": {"selected": ["Unit", "Load"], "notes": "fast ones first"}}}"#,
    )?;
    insta::assert_snapshot!(run(&home, &["answer", "1", "--input", "answers.json"]).await?, @r"
    exit 0
    -- stdout
    Answered #1.
    target: Staging (Recommended)
    when: (left blank)
    checks: Unit, Load (note: fast ones first)
    ");
    insta::assert_snapshot!(run(&home, &["wait", "1"]).await?, @r"
    exit 0
    -- stdout
    target: Staging (Recommended)
    when: (left blank)
    checks: Unit, Load (note: fast ones first)
    ");

    let input = r#"{"questions": [{"id": "c", "header": "Colour", "question": "Which colour?",
        "options": [{"label": "Red"}, {"label": "Blue"}]}]}"#;
    std::fs::write(home.path().join("openclaw.json"), input)?;
    let arguments = ["ask", "--input", "openclaw.json", "--dialect", "openclaw", "--json"];
    let ask = home.askdock(&arguments).spawn()?;
    waited_on(&home, 1).await?;
    home.run(&["answer", "2", "blue"]).await?;
    insta::assert_snapshot!(shown(&home, &ended(ask).await?), @r#"
    exit 0
    -- stdout
    {"status":"answered","answers":{"answers":{"c":["Blue"]}}}
    -- stderr
    Asked as #2; waiting for the answer.
    "#);
    Ok(())
}

#[tokio::test]
async fn each_end_has_its_exit_code() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let ask = home.askdock(&DEPLOY).spawn()?;
    waited_on(&home, 1).await?;
    insta::assert_snapshot!(run(&home, &["dismiss", "1"]).await?, @r"
    exit 0
    -- stdout
    Dismissed #1.
    ");
    insta::assert_snapshot!(shown(&home, &ended(ask).await?), @r"
    exit 3
    -- stdout
    Not answered: dismissed.
    The person chose not to answer; assume nothing, don't ask the same again.
    -- stderr
    Asked as #1; waiting for the answer.
    ");
    let ask = home.askdock(&DEPLOY).spawn()?;
    waited_on(&home, 1).await?;
    insta::assert_snapshot!(run(&home, &["cancel", "2", "--reason", "not needed"]).await?, @r"
    exit 0
    -- stdout
    Cancelled #2.
    ");
    insta::assert_snapshot!(shown(&home, &ended(ask).await?), @r"
    exit 5
    -- stdout
    Not answered: cancelled (not needed).
    No answer; continue with your best judgement and state the assumption.
    -- stderr
    Asked as #2; waiting for the answer.
    ");
    Ok(())
}

#[tokio::test]
async fn an_ask_that_says_nothing_is_refused_with_its_problems() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    std::fs::write(home.path().join("cut.json"), r#"{"questions": [{"question": "Wh"#)?;
    insta::assert_snapshot!(run(&home, &["ask", "--input", "cut.json"]).await?, @r"
    exit 2
    -- stderr
    askdock: The input is text that is not valid JSON: it is incomplete and ends too early. Send an array or object itself, not as text.
    ");
    let blank = ["ask", "--question", " ", "--json"];
    insta::assert_snapshot!(run(&home, &blank).await?, @r#"
    exit 2
    -- stdout
    {"error":{"code":"invalid","message":"questions[0].question: The question has no text; send what the person is asked as question.","problems":[{"code":"blank_question","path":"questions[0].question","message":"The question has no text; send what the person is asked as question."}]}}
    -- stderr
    askdock: questions[0].question: The question has no text; send what the person is asked as question.
    "#);
    insta::assert_snapshot!(run(&home, &["ask", "--input", "missing.json"]).await?, @r"
    exit 1
    -- stderr
    askdock: cannot read missing.json: No such file or directory (os error 2)
    ");
    assert_eq!(home.run(&["list", "--all", "--json"]).await?.json()?, Value::Array(vec![]));
    Ok(())
}

#[tokio::test]
async fn ctrl_c_leaves_the_question_open() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let ask = home.askdock(&DEPLOY).spawn()?;
    waited_on(&home, 1).await?;
    let pid = ask.id().and_then(|pid| Pid::from_raw(pid.cast_signed()));
    kill_process(pid.expect("it runs"), Signal::INT)?;
    insta::assert_snapshot!(shown(&home, &ended(ask).await?), @r"
    exit 130
    -- stderr
    Asked as #1; waiting for the answer.

    The question stays open. Wait for its answer again with: askdock wait 1
    ");
    // The same command again is the same ask, from another process.
    left_alone(&home).await?;
    let again = home.askdock(&DEPLOY).spawn()?;
    waited_on(&home, 1).await?;
    home.run(&["answer", "1", "Production"]).await?;
    insta::assert_snapshot!(shown(&home, &ended(again).await?), @r"
    exit 0
    -- stdout
    Production
    -- stderr
    Asked before as #1; waiting for the answer.
    ");
    // Answered and delivered: now it is a new one.
    let asked = home.run(&[&DEPLOY[..], &["--no-wait"]].concat()).await?;
    assert!(asked.stdout.starts_with("#2 "), "{}", asked.stdout);
    Ok(())
}

#[tokio::test]
async fn one_key_is_one_ask() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let ask = |question| ["ask", "--question", question, "--request-id", "k", "--no-wait"];
    let first = home.run(&ask("A?")).await?;
    assert_eq!(home.run(&ask("A?")).await?, first);
    insta::assert_snapshot!(run(&home, &ask("B?")).await?, @r"
    exit 1
    -- stderr
    askdock: The request_id was used for batch #1 with other content; send a new one.
    ");
    Ok(())
}

#[tokio::test]
async fn sessions_are_named_by_option_variable_or_folder() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let ask = ["ask", "--question", "?", "--no-wait"];
    home.run(&[&ask[..], &["--session", "by-option"]].concat()).await?;
    home.askdock(&ask).env("ASKDOCK_SESSION", "by-variable").output().await?;
    home.run(&[&ask[..], &["--agent", "Robot"]].concat()).await?;
    let list = home.run(&["list", "--json"]).await?.json()?;
    assert_eq!(list[0]["session"], "by-option");
    assert_eq!(list[1]["session"], "by-variable");
    assert_eq!(list[2]["agent"], "Robot");
    insta::assert_snapshot!(run(&home, &["list", "--session", "by-variable"]).await?, @r"
    exit 0
    -- stdout
    #2  pending  script  ?
    ");
    Ok(())
}

#[tokio::test]
async fn the_demo_goes_an_agents_way() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let demo = home.askdock(&["demo"]).spawn()?;
    waited_on(&home, 1).await?;
    insta::assert_snapshot!(run(&home, &["get", "1"]).await?, @r"
    exit 0
    -- stdout
    #1  pending  Demo agent  Demo
    Asked by askdock ([pid])
    The release is built and waits for your decision.

    Where should the release go first?
      1. Staging (recommended) - Same data as last night, nobody notices
      2. Production - Live for everyone at once
      Or type something else.

    Which checks should run before it?
      1. Smoke tests
      2. Load test
      3. Accessibility
      Several may be selected, separated by commas.
      Or type something else.

    When may production be touched?
      1. Now
      2. After 18:00
      3. Tomorrow morning
      Or type something else.
    ");
    let answers = r#"{"target": "Staging (Recommended)", "checks": ["Smoke tests", "Load test"]}"#;
    std::fs::write(home.path().join("answers.json"), answers)?;
    home.run(&["answer", "1", "--input", "answers.json"]).await?;
    insta::assert_snapshot!(shown(&home, &ended(demo).await?), @r#"
    exit 0
    -- stdout
    {"status":"answered","batch":"[id]","number":1,"answers":{"checks":{"selected":[{"id":"smoke-tests","label":"Smoke tests"},{"id":"load-test","label":"Load test"}],"text":null,"notes":null},"target":{"selected":[{"id":"staging","label":"Staging (Recommended)"}],"text":null,"notes":null},"window":{"selected":[],"text":null,"notes":null,"blank":true}},"order":["target","checks","window"],"answers_by_id":{"checks":{"selected":[{"id":"smoke-tests","label":"Smoke tests"},{"id":"load-test","label":"Load test"}],"text":null,"notes":null},"target":{"selected":[{"id":"staging","label":"Staging (Recommended)"}],"text":null,"notes":null},"window":{"selected":[],"text":null,"notes":null,"blank":true}},"responder":{"kind":"user","id":"local","via":"cli","[pid],"program":"askdock"},"asked_at":"[time]","ended_at":"[time]","content_hash":"[hash]","guidance":null,"warnings":[]}
    -- stderr
    A demo agent asked you three questions as #1. Answer them in the app, from the notification, or in another terminal: askdock answer 1
    This is what the agent gets:
    "#);
    Ok(())
}
