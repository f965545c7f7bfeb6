//! The command line: too short for a parser.

use std::ffi::OsString;
use std::process::ExitCode;

/// What was asked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// Start without a window: an ask or the login started us.
    pub(crate) hidden: bool,
}

/// Why nothing is to be started.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    Help,
    Version,
    Unknown(String),
}

const USAGE: &str = "Usage: askdock-desktop [--hidden]

Opens Askdock, where agents ask you. If it runs already, its window is raised.

      --hidden   start without a window: only tray and notifications
  -h, --help     show this
  -V, --version  show the version

ASKDOCK_HOME puts all files under one folder; ASKDOCK_LOG=debug logs to this terminal.";

pub(crate) fn read(words: impl Iterator<Item = OsString>) -> Result<Arguments, End> {
    let mut arguments = Arguments::default();
    for word in words {
        match word.to_string_lossy().as_ref() {
            "--hidden" => arguments.hidden = true,
            "-h" | "--help" => return Err(End::Help),
            "-V" | "--version" => return Err(End::Version),
            other => return Err(End::Unknown(other.to_owned())),
        }
    }
    Ok(arguments)
}

impl End {
    #[expect(clippy::print_stdout, reason = "what was asked for goes to stdout")]
    pub(crate) fn print(&self) -> ExitCode {
        match self {
            Self::Help => println!("{USAGE}"),
            Self::Version => println!("askdock-desktop {}", env!("CARGO_PKG_VERSION")),
            Self::Unknown(word) => {
                eprintln!("askdock-desktop doesn't know {word:?}.\n\n{USAGE}");
                return ExitCode::from(2);
            }
        }
        ExitCode::SUCCESS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read() {
        let read = |words: &[&str]| super::read(words.iter().map(OsString::from));
        assert_eq!(read(&[]), Ok(Arguments { hidden: false }));
        assert_eq!(read(&["--hidden"]), Ok(Arguments { hidden: true }));
        assert_eq!(read(&["-V"]), Err(End::Version));
        assert_eq!(read(&["--hidden", "--help"]), Err(End::Help));
        assert_eq!(read(&["--hide"]), Err(End::Unknown("--hide".into())));
    }
}
