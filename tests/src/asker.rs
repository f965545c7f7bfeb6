//! An agent's script that asks with `askdock ask` and doesn't know that hubs die.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use askdock_wire::Outcome;

use crate::home::Home;

/// Asks to choose between Staging and Production under this key, and returns the one outcome that
/// was printed. Where no hub listens, the script runs `askdock` again.
///
/// # Errors
/// `askdock` ends without an answer.
pub async fn ask_until_answered(home: Arc<Home>, question: String, key: String) -> Result<Outcome> {
    let arguments = [
        "ask",
        "--question",
        &question,
        "--option",
        "Staging",
        "--option",
        "Production",
        "--session",
        "crash",
        "--request-id",
        &key,
        "--json",
    ];
    loop {
        let output = home.askdock(&arguments).env("ASKDOCK_NO_START", "1").output().await?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        if stderr.contains("No Askdock hub is running") {
            continue;
        }
        ensure!(output.status.code() == Some(0), "{:?}: {stderr}", output.status);
        return serde_json::from_slice(&output.stdout).context("one outcome on standard output");
    }
}
