//! Agent text in the terminal.

use anyhow::Result;
use askdock_tests::home::Home;

use crate::shown::run;

/// Clears the screen, sets the title, goes back, rings, turns the writing round, hides text.
const EVIL: &str = "A\u{1b}[2J\u{1b}]0;pwned\u{7}\u{9b}31m\rB\u{8}\u{202e}C\u{200b}\u{e0041}D";

#[tokio::test]
async fn no_control_reaches_the_terminal() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let ask = ["--question", EVIL, "--option", EVIL, "--header", EVIL, "--context", EVIL];
    home.run(&[&["ask", "--no-wait", "--agent", EVIL][..], &ask].concat()).await?;
    let mut commands = vec![
        vec!["list"],
        vec!["get", "1"],
        vec!["sessions"],
        vec!["answer", "1", EVIL],
        vec!["answer", "1", "--option", EVIL],
        vec!["wait", "1"],
        vec!["get", "1"],
        vec!["get", EVIL],
        vec!["list", "--all"],
    ];
    let missing = [EVIL, "x"].concat();
    commands.push(vec!["answer", &missing, "1"]);
    for command in commands {
        let ran = home.run(&command).await?;
        for stream in [&ran.stdout, &ran.stderr] {
            let hostile = stream.chars().find(|c| {
                c.is_control() && *c != '\n' || matches!(c, '\u{202e}' | '\u{200b}' | '\u{e0041}')
            });
            assert_eq!(hostile, None, "{command:?}: {stream:?}");
        }
        assert!(ran.stdout.len() + ran.stderr.len() > 0, "{command:?}");
    }
    insta::assert_snapshot!(run(&home, &["get", "1"]).await?, @r"
    exit 0
    -- stdout
    #1  answered  A␛[2J␛]0;pwned␇⟨U+009B⟩31m␍B␈⟨U+202E⟩C⟨U+200B⟩⟨U+E0041⟩D  [folder]
    Asked by askdock ([pid])
    In [home]
    A␛[2J␛]0;pwned␇⟨U+009B⟩31m␍B␈⟨U+202E⟩C⟨U+200B⟩⟨U+E0041⟩D

    A␛[2J␛]0;pwned␇⟨U+009B⟩31m␍B␈⟨U+202E⟩C⟨U+200B⟩⟨U+E0041⟩D
      1. A␛[2J␛]0;pwned␇⟨U+009B⟩31m␍B␈⟨U+202E⟩C⟨U+200B⟩⟨U+E0041⟩D
      Or type something else.

    Ended at [time] via cli:
    A␛[2J␛]0;pwned␇⟨U+009B⟩31m␍B␈⟨U+202E⟩C⟨U+200B⟩⟨U+E0041⟩D
    ");
    Ok(())
}

#[tokio::test]
async fn what_belongs_to_a_script_stays() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    home.run(&["ask", "--no-wait", "--question", "ما اسمك؟ 👩‍💻 می‌خواهم"]).await?;
    let shown = home.run(&["list"]).await?.stdout;
    assert!(shown.contains("ما اسمك؟ 👩‍💻 می‌خواهم"), "{shown}");
    Ok(())
}
