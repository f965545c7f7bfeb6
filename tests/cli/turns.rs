//! `turn`.

use anyhow::Result;
use askdock_tests::home::Home;

use crate::shown::{ended, run, shown, waited_on};

#[tokio::test]
async fn a_turn_that_ends_withdraws_what_it_asks() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let in_session = |arguments: &[&'static str]| [arguments, &["--session", "s"]].concat();
    let begin = in_session(&["turn", "begin", "--turn", "t1"]);
    insta::assert_snapshot!(run(&home, &begin).await?, @r"
    exit 0
    -- stdout
    t1 open
    ");
    let ask = in_session(&["ask", "--question", "Go?", "--turn", "t1"]);
    let asking = home.askdock(&ask).spawn()?;
    waited_on(&home, 1).await?;
    insta::assert_snapshot!(run(&home, &["list", "--turn", "t1"]).await?, @r"
    exit 0
    -- stdout
    #1  pending  script  Go?
    ");
    let finalize = in_session(&["turn", "finalize", "--turn", "t1", "--json"]);
    insta::assert_snapshot!(run(&home, &finalize).await?, @r#"
    exit 0
    -- stdout
    {"id":"t1","session":"s","state":"finalizing"}
    "#);
    insta::assert_snapshot!(run(&home, &ask).await?, @r"
    exit 1
    -- stderr
    askdock: The turn is finalizing; it takes no new questions.
    ");
    let end = in_session(&["turn", "end", "--turn", "t1"]);
    insta::assert_snapshot!(run(&home, &end).await?, @r"
    exit 0
    -- stdout
    t1 failed
    ");
    insta::assert_snapshot!(shown(&home, &ended(asking).await?), @r"
    exit 5
    -- stdout
    Not answered: cancelled (turn_ended).
    No answer; continue with your best judgement and state the assumption.
    -- stderr
    Asked as #1; waiting for the answer.
    ");
    Ok(())
}
