//! `cargo xtask run`: from a fresh clone to an open window, or to a hub in the terminal.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Result, bail};

use crate::workspace::{self, Profile};
use crate::{command, packages, ui};

/// Builds Askdock and runs it in this program's place.
pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    let (profile, passed_on) = read(arguments)?;
    let program = if has_display(|name| std::env::var_os(name)) {
        packages::ensure(packages::DESKTOP)?;
        ui::build_if_stale()?;
        // The desktop app's neighbour: agents are connected to it.
        workspace::build(profile, &["askdock-cli"], &[])?;
        workspace::build(profile, &["askdock-desktop"], &[])?;
        Command::new(workspace::program(profile, "askdock-desktop")?)
    } else {
        // The command needs no packages beyond the linker that has built this program.
        workspace::build(profile, &["askdock-cli"], &[])?;
        let askdock = workspace::program(profile, "askdock")?;
        eprint!("{}", how_to_answer(&askdock));
        let mut serve = Command::new(askdock);
        serve.arg("serve");
        serve
    };
    let mut program = program;
    program.args(passed_on);
    command::become_program(program)
}

fn read(arguments: &[String]) -> Result<(Profile, &[String])> {
    let (ours, passed_on) = match arguments.iter().position(|argument| argument == "--") {
        Some(at) => (&arguments[..at], &arguments[at + 1..]),
        None => (arguments, &[][..]),
    };
    let mut profile = Profile::Dev;
    for argument in ours {
        match argument.as_str() {
            "--release" => profile = Profile::Release,
            other => bail!("run doesn't know {other:?}; arguments for the app go after --"),
        }
    }
    Ok((profile, passed_on))
}

/// Whether a window can be shown. Only where displays are named by the environment can one
/// be missing.
fn has_display(environment: impl Fn(&str) -> Option<OsString>) -> bool {
    if !cfg!(all(unix, not(target_os = "macos"))) {
        return true;
    }
    let is_set = |name| environment(name).is_some_and(|value| !value.is_empty());
    is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

fn how_to_answer(askdock: &Path) -> String {
    let askdock = askdock.display();
    format!(
        "
There is no display here, so the hub runs in this terminal; Ctrl-C stops it.
In another terminal:

  {askdock} demo          a scripted agent asks you something
  {askdock} list          what is waiting for an answer
  {askdock} answer N 2    answers number N with its second option

"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_after_the_dashes_are_the_apps() {
        let words = ["--release", "--", "--release", "--hidden"].map(str::to_owned);
        let (profile, passed_on) = read(&words).unwrap();
        assert_eq!(profile, Profile::Release);
        assert_eq!(passed_on, ["--release", "--hidden"]);
        assert_eq!(read(&[]).unwrap(), (Profile::Dev, &[][..]));
        assert!(read(&["--hidden".to_owned()]).is_err());
    }

    #[cfg(all(unix, not(target_os = "macos")))]
    #[test]
    fn an_empty_display_is_none() {
        let with = |set: &'static [(&str, &str)]| {
            has_display(move |name| {
                set.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value))
            })
        };
        assert!(!with(&[]));
        assert!(!with(&[("DISPLAY", ""), ("WAYLAND_DISPLAY", "")]));
        assert!(with(&[("DISPLAY", ":0")]));
        assert!(with(&[("DISPLAY", ""), ("WAYLAND_DISPLAY", "wayland-0")]));
    }

    #[test]
    fn says_how_to_answer_with_the_built_program() {
        let text = how_to_answer(Path::new("/there/askdock"));
        for line in ["/there/askdock demo ", "/there/askdock list ", "/there/askdock answer N 2 "] {
            assert!(text.contains(line), "{line:?} is missing in {text}");
        }
    }
}
