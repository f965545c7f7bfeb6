//! Runs other programs: to the end, counting their tests, or in this one's place.

use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::tally::{Format, Tally};

/// Runs a program to its end; an error when it fails.
pub(crate) fn run(mut command: Command) -> Result<()> {
    announce(&command);
    let status = command.status().with_context(|| cannot_start(&command))?;
    if !status.success() {
        bail!("{} ended with {status}", shown(&command));
    }
    Ok(())
}

/// What to do with the output of a run whose tests are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// Passes it on line by line.
    Shown,
    /// Keeps it, for a run that is expected to fail.
    Kept,
}

/// A run of tests that has ended.
#[derive(Debug)]
pub(crate) struct Ran {
    /// How it ended.
    pub(crate) status: ExitStatus,
    /// The sum of the summaries that it printed.
    pub(crate) tally: Tally,
    /// What it printed, when that was kept.
    pub(crate) kept: Vec<u8>,
}

/// What the two readers of a program's output tell.
enum Heard {
    Summary(Tally),
    Line(Vec<u8>),
}

/// Runs tests, without standard input, and reads the summaries that they print.
pub(crate) fn count(mut command: Command, format: Format, output: Output) -> Result<Ran> {
    announce(&command);
    if io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        command.env("CARGO_TERM_COLOR", "always").env("FORCE_COLOR", "1");
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| cannot_start(&command))?;
    let (heard, hearing) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        let heard = heard.clone();
        std::thread::spawn(move || listen(stdout, io::stdout(), format, output, &heard));
    }
    if let Some(stderr) = child.stderr.take() {
        std::thread::spawn(move || listen(stderr, io::stderr(), format, output, &heard));
    }
    let status = child.wait().with_context(|| format!("waiting for {}", shown(&command)))?;

    let mut ran = Ran { status, tally: Tally::default(), kept: Vec::new() };
    // The readers end with the pipes. A program that a test has left behind may hold them
    // open for ever, so they get a moment after the runner itself has gone.
    while let Ok(heard) = hearing.recv_timeout(Duration::from_secs(2)) {
        match heard {
            Heard::Summary(tally) => ran.tally += tally,
            Heard::Line(line) => ran.kept.extend(line),
        }
    }
    Ok(ran)
}

fn listen(
    from: impl Read,
    mut to: impl Write,
    format: Format,
    output: Output,
    heard: &mpsc::Sender<Heard>,
) {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
        if let Some(tally) = format.summary(&String::from_utf8_lossy(&line)) {
            // Nobody listens any more when the runner has gone; the same below.
            let _ = heard.send(Heard::Summary(tally));
        }
        match output {
            // A closed terminal is no reason to stop reading: the program would block.
            Output::Shown => drop(to.write_all(&line).and_then(|()| to.flush())),
            Output::Kept => drop(heard.send(Heard::Line(line.clone()))),
        }
        line.clear();
    }
}

/// Runs a program in this one's place, so that signals reach it and its exit status is ours.
pub(crate) fn become_program(mut command: Command) -> Result<ExitCode> {
    announce(&command);
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        // Returns only when the program couldn't be started.
        let error = command.exec();
        Err(error).with_context(|| cannot_start(&command))
    }
    #[cfg(not(unix))]
    {
        let status = command.status().with_context(|| cannot_start(&command))?;
        std::process::exit(status.code().unwrap_or(1))
    }
}

/// Whether a program can be started and ends well; what it prints is not shown.
pub(crate) fn works(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn announce(command: &Command) {
    eprintln!("$ {}", shown(command));
}

/// A command as a person would type it.
pub(crate) fn shown(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let mut words = vec![match program.file_stem() {
        // Its path says only which toolchain it is from.
        Some(name) if name == "cargo" => "cargo".to_owned(),
        _ => program.display().to_string(),
    }];
    words.extend(command.get_args().map(|argument| argument.to_string_lossy().into_owned()));
    words.join(" ")
}

fn cannot_start(command: &Command) -> String {
    format!("starting {}", command.get_program().to_string_lossy())
}
