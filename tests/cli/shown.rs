//! What a command said, without what differs from run to run.

use std::process::Output;
use std::time::Duration;

use anyhow::{Context, Result};
use askdock_client::Role;
use askdock_tests::home::{Home, PATIENCE, Ran};
use askdock_wire::SessionDto;
use askdock_wire::ops::{NoFields, SessionList};
use regex::Regex;
use tokio::process::Child;

/// Exit code, standard output and standard error, as a snapshot.
pub(crate) fn shown(home: &Home, ran: &Ran) -> String {
    let mut text = format!("exit {}\n", ran.code.map_or("by signal".into(), |c| c.to_string()));
    for (name, stream) in [("stdout", &ran.stdout), ("stderr", &ran.stderr)] {
        if !stream.is_empty() {
            text += &format!("-- {name}\n{}", stable(home, stream));
            if !stream.ends_with('\n') {
                text += "(no line break)\n";
            }
        }
    }
    text
}

fn stable(home: &Home, text: &str) -> String {
    let folder = home.path().to_string_lossy();
    let name = folder.rsplit('/').next().unwrap_or_default();
    let mut text = text.replace(&*folder, "[home]").replace(name, "[folder]");
    for (pattern, replacement) in [
        (r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}", "[id]"),
        (r"\b[0-9a-f]{64}\b", "[hash]"),
        (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", "[time]"),
        (r#"\bpid"?[: ]\d+"#, "[pid]"),
    ] {
        #[expect(clippy::expect_used, reason = "the patterns stand above")]
        let pattern = Regex::new(pattern).expect("a valid pattern");
        text = pattern.replace_all(&text, replacement).into_owned();
    }
    text
}

/// Runs a command to its end and shows it.
pub(crate) async fn run(home: &Home, arguments: &[&str]) -> Result<String> {
    Ok(shown(home, &home.run(arguments).await?))
}

/// Waits for a command that was started.
pub(crate) async fn ended(child: Child) -> Result<Ran> {
    let Output { status, stdout, stderr } =
        tokio::time::timeout(PATIENCE, child.wait_with_output()).await.context("did not end")??;
    Ok(Ran {
        code: status.code(),
        stdout: String::from_utf8(stdout)?,
        stderr: String::from_utf8(stderr)?,
    })
}

/// Until so many batches are pending and a client waits in each of their sessions.
pub(crate) async fn waited_on(home: &Home, number: usize) -> Result<()> {
    until(home, "nobody waits", |sessions| {
        let asking: Vec<_> =
            sessions.iter().filter(|session| session.pending + session.away > 0).collect();
        let pending: u32 = asking.iter().map(|session| session.pending + session.away).sum();
        pending as usize == number && asking.iter().all(|session| session.connected)
    })
    .await
}

/// Until no client waits any more.
pub(crate) async fn left_alone(home: &Home) -> Result<()> {
    until(home, "somebody still waits", |sessions| sessions.iter().all(|one| !one.connected)).await
}

async fn until(
    home: &Home,
    otherwise: &'static str,
    reached: impl Fn(&[SessionDto]) -> bool,
) -> Result<()> {
    let person = home.client(Role::Person);
    tokio::time::timeout(PATIENCE, async {
        loop {
            // The hub may still be starting.
            match person.call::<SessionList>(&NoFields {}).await {
                Ok(sessions) if reached(&sessions) => return,
                _ => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
    })
    .await
    .context(otherwise)
}
