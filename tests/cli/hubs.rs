//! Hubs that aren't there, are started, stand by and leave.

use std::fs::Permissions;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result};
use askdock_client::{HubFile, HubKind, HubLock, Role};
use askdock_tests::home::{Home, PATIENCE};
use askdock_wire::ops::{HubHandover, HubQuit, NoFields};
use rustix::io::FdFlags;
use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStderr, ChildStdout};

use crate::shown::{ended, run, shown, waited_on};

#[tokio::test]
async fn without_a_hub_every_command_says_so() -> Result<()> {
    let home = Home::new()?;
    insta::assert_snapshot!(run(&home, &["list"]).await?, @r"
    exit 1
    -- stderr
    askdock: No Askdock hub is running; start it with `askdock serve` or open the app.
    ");
    insta::assert_snapshot!(run(&home, &["health", "--json"]).await?, @r#"
    exit 1
    -- stdout
    {"error":{"code":"unavailable","message":"No Askdock hub is running; start it with `askdock serve` or open the app."}}
    -- stderr
    askdock: No Askdock hub is running; start it with `askdock serve` or open the app.
    "#);
    insta::assert_snapshot!(run(&home, &["open"]).await?, @r"
    exit 1
    -- stderr
    askdock: The desktop app needs a display, and there is none here.
    ");
    let answer = run(&home, &["answer", "1", "x"]).await?;
    assert_eq!(answer, run(&home, &["dismiss", "1"]).await?);
    Ok(())
}

#[tokio::test]
async fn in_ci_an_ask_fails_fast_unless_told_to_wait() -> Result<()> {
    let home = Home::new()?;
    let ask = |more: &[&'static str]| {
        let arguments = [&["ask", "--question", "Go?", "--option", "Yes"], more].concat();
        let mut command = home.askdock(&arguments);
        command.env("CI", "true");
        command
    };
    let in_ci = ended(ask(&[]).spawn()?).await?;
    insta::assert_snapshot!(shown(&home, &in_ci), @r"
    exit 6
    -- stderr
    askdock: CI is set and no Askdock hub is running, so nobody can answer. Continue with your best judgement and state the assumption, or ask with --wait.
    ");
    assert!(HubFile::read(&home.paths()).is_none(), "no hub was started");
    let _hub = home.serve().await?;
    let with_hub = ended(ask(&["--json"]).spawn()?).await?;
    insta::assert_snapshot!(shown(&home, &with_hub), @r#"
    exit 6
    -- stdout
    {"error":{"code":"no_person","message":"CI is set in the asker's environment, so nobody is there to answer. Continue with your best judgement and state the assumption, or ask with --wait."}}
    -- stderr
    askdock: CI is set in the asker's environment, so nobody is there to answer. Continue with your best judgement and state the assumption, or ask with --wait.
    "#);
    let waiting = ask(&["--wait"]).spawn()?;
    waited_on(&home, 1).await?;
    home.run(&["answer", "1", "yes"]).await?;
    insta::assert_snapshot!(shown(&home, &ended(waiting).await?), @r"
    exit 0
    -- stdout
    Yes
    -- stderr
    Asked as #1; waiting for the answer.
    ");
    Ok(())
}

#[tokio::test]
async fn a_new_ask_starts_a_hub_and_outlives_the_terminal() -> Result<()> {
    let home = Home::new()?;
    // Nobody can be reached by a hub that no person started, without display and bus.
    // As an agent may, we leave a pipe open in whatever we start.
    let (mut left_open, inherited) = std::io::pipe()?;
    rustix::io::fcntl_setfd(&inherited, FdFlags::empty())?;
    insta::assert_snapshot!(run(&home, &["ask", "--question", "Go?"]).await?, @r"
    exit 6
    -- stderr
    No Askdock hub is running; starting `askdock serve`.
    askdock: No window, notification server or terminal of the person's is attached. Continue with your best judgement and state the assumption, or ask with --wait.
    ");
    let hub = HubFile::read(&home.paths()).context("a hub was started")?;
    let _ends = Ends(hub.pid);
    assert_eq!(hub.kind, HubKind::Serve);
    // It left our group and session, so that ending them doesn't end it.
    let pid = Pid::from_raw(hub.pid.cast_signed()).context("a pid")?;
    assert_eq!(rustix::process::getsid(Some(pid))?, pid);
    // Nothing of the agent's lives on in it: the pipe has an end.
    drop(inherited);
    let end = tokio::task::spawn_blocking(move || left_open.read(&mut [0]));
    assert_eq!(tokio::time::timeout(PATIENCE, end).await???, 0);
    let waiting = home.askdock(&["ask", "--question", "Go?", "--wait"]).spawn()?;
    waited_on(&home, 1).await?;
    home.run(&["answer", "1", "yes"]).await?;
    insta::assert_snapshot!(shown(&home, &ended(waiting).await?), @r"
    exit 0
    -- stdout
    yes
    -- stderr
    Asked as #1; waiting for the answer.
    ");

    // Quit is remembered, for who waits.
    home.client(Role::Person).call::<HubQuit>(&NoFields {}).await?;
    let quit = async {
        while !HubFile::read(&home.paths()).is_some_and(|hub| hub.quit) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, quit).await?;
    assert!(home.client(Role::Person).reach().await.is_err());
    Ok(())
}

#[tokio::test]
async fn where_there_was_a_display_the_app_is_started_else_serve() -> Result<()> {
    let home = Home::new()?;
    // An app that cannot start, beside a command that is ours.
    let askdock = askdock_tests::home::askdock();
    let folder = tempfile::tempdir_in(askdock.parent().context("a folder")?)?;
    let command = folder.path().join("askdock");
    std::fs::hard_link(&askdock, &command)?;
    let app = folder.path().join("askdock-desktop");
    let script = "#!/bin/sh\necho \"$* on $DISPLAY\" >> \"$ASKDOCK_HOME/app\"; exit 1\n";
    std::fs::write(&app, script)?;
    std::fs::set_permissions(&app, Permissions::from_mode(0o755))?;
    // An agent gave this environment, in which there is no display; the last hub had one.
    let last = r#"{"socket": "/none", "pid": 1, "hub": "last", "version": "0", "wire": 1,
        "kind": "desktop", "quit": true, "desktop": {"DISPLAY": ":77"}}"#;
    std::fs::write(home.paths().hub_file(), last)?;
    let ask = ["ask", "--question", "Go?", "--wait", "--no-wait"];
    let asked = ended(home.command(&command).args(ask).spawn()?).await?;
    let hub = HubFile::read(&home.paths()).context("a hub was started")?;
    let _ends = Ends(hub.pid);
    insta::assert_snapshot!(shown(&home, &asked), @r"
    exit 0
    -- stdout
    #1 [id]
    -- stderr
    No Askdock hub is running; starting the desktop app.
    No Askdock hub is running; starting `askdock serve`.
    ");
    assert_eq!(std::fs::read_to_string(home.path().join("app"))?, "--hidden on :77\n");
    assert!(hub.desktop.is_some() && !hub.quit, "{hub:?}");
    Ok(())
}

#[tokio::test]
async fn serve_ends_cleanly() -> Result<()> {
    let home = Home::new()?;
    for signal in [Signal::TERM, Signal::INT] {
        let mut serve = home.askdock(&["serve"]).spawn()?;
        let mut lines = lines(&mut serve)?;
        let listening = lines.0.next_line().await?.context("a line")?;
        let socket = home.paths().sockets()[0].display().to_string();
        assert_eq!(listening, format!("listening on {socket}"));
        let pid = serve.id().and_then(|pid| Pid::from_raw(pid.cast_signed())).context("runs")?;
        kill_process(pid, signal)?;
        assert_eq!(lines.0.next_line().await?, None);
        assert!(serve.wait().await?.success());
    }
    let mode = |file: &str| -> Result<u32> {
        Ok(std::fs::metadata(home.path().join(file))?.permissions().mode() & 0o077)
    };
    for file in ["askdock.db", "hub.json", "agent.token", "person.token", "logs/serve.log"] {
        assert_eq!(mode(file)?, 0, "{file} is private");
    }
    Ok(())
}

#[tokio::test]
async fn a_second_serve_stands_by_until_the_first_is_gone() -> Result<()> {
    let home = Home::new()?;
    let first = home.serve().await?;
    let ask = home.askdock(&["ask", "--question", "Go?"]).spawn()?;
    waited_on(&home, 1).await?;
    let mut second = home.askdock(&["serve"]).spawn()?;
    let (mut out, mut err) = lines(&mut second)?;
    let said = err.next_line().await?;
    assert_eq!(
        said.as_deref(),
        Some("Another Askdock hub is running; standing by until it leaves.")
    );
    first.kill().await?;
    assert!(out.next_line().await?.context("a line")?.starts_with("listening on "));
    waited_on(&home, 1).await?;
    home.run(&["answer", "1", "yes"]).await?;
    insta::assert_snapshot!(shown(&home, &ended(ask).await?), @r"
    exit 0
    -- stdout
    yes
    -- stderr
    Asked as #1; waiting for the answer.
    ");
    Ok(())
}

#[tokio::test]
async fn the_app_takes_over_from_serve_and_gives_back() -> Result<()> {
    let home = Home::new()?;
    let mut serve = home.askdock(&["serve"]).spawn()?;
    let (mut out, mut err) = lines(&mut serve)?;
    out.next_line().await?;
    // As the app does it: first in line for the lock, then the request.
    let paths = home.paths();
    let app = tokio::spawn(async move { HubLock::acquire(&paths).await });
    home.client(Role::Person).call::<HubHandover>(&NoFields {}).await?;
    let lock = app.await??;
    assert_eq!(
        err.next_line().await?.as_deref(),
        Some("The desktop app takes over; standing by until it leaves.")
    );
    let last = HubFile::read(&home.paths()).context("serve's")?;
    HubFile { hub: "the app".into(), kind: HubKind::Desktop, ..last }.announce(&home.paths())?;
    assert_eq!(
        err.next_line().await?.as_deref(),
        Some("Another Askdock hub is running; standing by until it leaves.")
    );
    drop(lock);
    assert!(out.next_line().await?.context("a line")?.starts_with("listening on "));
    assert!(HubFile::read(&home.paths()).is_some_and(|hub| hub.kind == HubKind::Serve));
    serve.kill().await?;
    Ok(())
}

/// Ends the hub that an ask started, which isn't our child.
struct Ends(u32);

impl Drop for Ends {
    fn drop(&mut self) {
        if let Some(pid) = Pid::from_raw(self.0.cast_signed()) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

type Streams = (Lines<BufReader<ChildStdout>>, Lines<BufReader<ChildStderr>>);

fn lines(child: &mut Child) -> Result<Streams> {
    Ok((
        BufReader::new(child.stdout.take().context("piped")?).lines(),
        BufReader::new(child.stderr.take().context("piped")?).lines(),
    ))
}

#[tokio::test]
async fn a_wait_without_a_hub_waits_for_one() -> Result<()> {
    let home = Home::new()?;
    let hub = home.serve().await?;
    home.run(&["ask", "--question", "Go?", "--no-wait"]).await?;
    hub.kill().await?;
    let mut wait = home.askdock(&["wait", "1"]).stderr(Stdio::piped()).spawn()?;
    let mut err = BufReader::new(wait.stderr.take().context("piped")?).lines();
    assert_eq!(
        err.next_line().await?.as_deref(),
        Some("No Askdock hub is running; waiting until one starts.")
    );
    let _hub = home.serve().await?;
    home.run(&["answer", "1", "yes"]).await?;
    insta::assert_snapshot!(shown(&home, &ended(wait).await?), @r"
    exit 0
    -- stdout
    yes
    ");
    Ok(())
}
