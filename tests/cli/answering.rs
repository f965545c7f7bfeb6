//! `answer`, `dismiss` and `extend`, where they don't go through.

use anyhow::Result;
use askdock_tests::home::Home;

use crate::shown::run;

#[tokio::test]
async fn what_is_no_answer_is_refused_and_the_batch_stays() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    home.run(&[
        "ask",
        "--question",
        "Which?",
        "--option",
        "A",
        "--option",
        "B",
        "--no-custom",
        "--no-wait",
    ])
    .await?;
    insta::assert_snapshot!(run(&home, &["answer", "1", "3"]).await?, @r"
    exit 2
    -- stderr
    askdock: Reply with a number from 1 to 2.
    ");
    insta::assert_snapshot!(run(&home, &["answer", "1", "neither"]).await?, @r#"
    exit 2
    -- stderr
    askdock: "neither" is not one of the options: "A", "B".
    "#);
    insta::assert_snapshot!(run(&home, &["answer", "1", "--option", "C"]).await?, @r#"
    exit 2
    -- stderr
    askdock: answers.q1: "Which?" has no option "C"; send the id or the exact label of one of "A", "B".
    "#);
    insta::assert_snapshot!(run(&home, &["answer", "7", "A"]).await?, @r#"
    exit 1
    -- stderr
    askdock: There is no batch "7".
    "#);
    std::fs::write(home.path().join("wrong.json"), r#"{"answers": {"x": "A"}}"#)?;
    insta::assert_snapshot!(run(&home, &["answer", "1", "--input", "wrong.json"]).await?, @r#"
    exit 2
    -- stderr
    askdock: this was not accepted:
      answers.x: There is no question "x"; the ids are "q1".
      answers.q1: "Which?" has an empty answer; select an option, or mark it blank on purpose.
    "#);
    std::fs::write(home.path().join("text.json"), "A")?;
    insta::assert_snapshot!(run(&home, &["answer", "1", "--input", "text.json"]).await?, @r#"
    exit 2
    -- stderr
    askdock: The input is not a JSON object with "answers".
    "#);
    let stale = r#"{"content_hash": "other", "answers": {"q1": "A"}}"#;
    std::fs::write(home.path().join("stale.json"), stale)?;
    insta::assert_snapshot!(run(&home, &["answer", "1", "--input", "stale.json"]).await?, @r"
    exit 1
    -- stderr
    askdock: The answer is for other content than batch #1 shows; read the batch again.
    ");
    assert_eq!(home.run(&["get", "1", "--json"]).await?.json()?["status"], "pending");

    insta::assert_snapshot!(run(&home, &["answer", "1", "a"]).await?, @r"
    exit 0
    -- stdout
    Answered #1: A
    ");
    insta::assert_snapshot!(run(&home, &["answer", "1", "b"]).await?, @r"
    exit 1
    -- stderr
    askdock: Batch #1 had already ended: answered by user, via cli.
    ");
    insta::assert_snapshot!(run(&home, &["dismiss", "1", "--json"]).await?, @r#"
    exit 1
    -- stdout
    {"error":{"code":"already_ended","message":"Batch #1 had already ended: answered by user, via cli.","outcome":{"status":"answered","batch":"[id]","number":1,"answers":{"q1":{"selected":[{"id":"a","label":"A"}],"text":null,"notes":null}},"order":["q1"],"answers_by_id":{},"responder":{"kind":"user","id":"local","via":"cli","[pid],"program":"askdock"},"asked_at":"[time]","ended_at":"[time]","content_hash":"[hash]","guidance":null,"warnings":[]}}}
    -- stderr
    askdock: Batch #1 had already ended: answered by user, via cli.
    "#);
    Ok(())
}

#[tokio::test]
async fn text_is_taken_as_it_is() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let ask = ["ask", "--question", "Port?", "--option", "80", "--option", "443", "--no-wait"];
    for (answer, selected, text) in [
        (&["answer", "1", "2"][..], Some("443"), None),
        (&["answer", "2", "--text", "2"][..], None, Some("2")),
        (&["answer", "3", "\"8080\""][..], None, Some("8080")),
        (&["answer", "4", "ask", "the", "admin"][..], None, Some("ask the admin")),
    ] {
        home.run(&ask).await?;
        let outcome = home.run(&[answer, &["--json"]].concat()).await?.json()?;
        let given = &outcome["answers"]["q1"];
        assert_eq!(given["selected"][0]["label"].as_str(), selected, "{answer:?}");
        assert_eq!(given["text"].as_str(), text, "{answer:?}");
    }
    Ok(())
}

#[tokio::test]
async fn a_deadline_can_be_moved() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    home.run(&["ask", "--question", "?", "--timeout", "60", "--no-wait"]).await?;
    let before = home.run(&["get", "1", "--json"]).await?.json()?;
    insta::assert_snapshot!(run(&home, &["extend", "1", "600"]).await?, @r"
    exit 0
    -- stdout
    #1 now has until [time].
    ");
    let after = home.run(&["get", "1", "--json"]).await?.json()?;
    assert!(before["deadline"].as_str() < after["deadline"].as_str());
    Ok(())
}
