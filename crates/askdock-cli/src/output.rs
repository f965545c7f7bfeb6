//! Standard output and standard error.

use std::io::{self, Write};

use askdock_client::ClientError;
use askdock_domain::text::plain;
use askdock_wire::{Code, ErrorBody, WireError};
use serde::Serialize;

use crate::exit::Usage;

/// Writes data: `json` on one line, or `text`, which holds nothing hostile.
///
/// # Errors
/// Nobody reads it.
pub(crate) fn data(
    json: bool,
    value: &impl Serialize,
    text: impl FnOnce() -> String,
) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if json {
        serde_json::to_writer(&mut out, value)?;
        out.write_all(b"\n")?;
    } else {
        let text = text();
        out.write_all(text.as_bytes())?;
        if !text.is_empty() && !text.ends_with('\n') {
            out.write_all(b"\n")?;
        }
    }
    out.flush()
}

/// Tells the person something beside the data. If nobody reads standard error, so be it.
pub(crate) fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Reports a failure: a sentence on standard error, with `--json` also an object as the hub sends
/// it on standard output.
pub(crate) fn failed(error: &anyhow::Error, json: bool) {
    if error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe) {
        // Whoever read the data has enough, like `head`.
        return;
    }
    let wire = match error.downcast_ref::<ClientError>() {
        Some(error) => error.to_wire(),
        None if error.is::<Usage>() => WireError::new(Code::Invalid, error.to_string()),
        None => WireError::new(Code::Internal, format!("{error:#}")),
    };
    match wire.problems.as_slice() {
        // The path of a typed reply tells nothing.
        [problem] if problem.path == "reply" => {
            say(&format!("askdock: {}", plain(&problem.message)));
        }
        [] | [_] => say(&format!("askdock: {}", plain(&wire.message))),
        problems => {
            say("askdock: this was not accepted:");
            for problem in problems {
                say(&format!("  {}", plain(&problem.sentence())));
            }
        }
    }
    if json {
        // Standard output may be what failed.
        let _ = data(true, &ErrorBody { error: wire }, String::new);
    }
}
