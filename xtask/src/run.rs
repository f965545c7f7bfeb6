//! `cargo xtask run`: from a fresh clone to an open window, or to a hub in the terminal.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

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
    forget_cargo(&mut program)?;
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

/// Takes back what Cargo and rustup have put into this program's environment: the app starts
/// agents, and those may build projects of their own with a toolchain of their own.
fn forget_cargo(program: &mut Command) -> Result<()> {
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(is_cargos) {
            program.env_remove(name);
        }
    }
    if let Some(libraries) = std::env::var_os("LD_LIBRARY_PATH") {
        let ours =
            [Some(workspace::target_dir()?), std::env::var_os("RUSTUP_HOME").map(Into::into)];
        match without(&libraries, &ours)? {
            Some(others) => program.env("LD_LIBRARY_PATH", others),
            None => program.env_remove("LD_LIBRARY_PATH"),
        };
    }
    Ok(())
}

fn is_cargos(variable: &str) -> bool {
    matches!(
        variable,
        "CARGO" | "RUSTUP_TOOLCHAIN" | "RUSTUP_TOOLCHAIN_SOURCE" | "RUST_RECURSION_COUNT"
    ) || variable.starts_with("CARGO_PKG_")
        || variable.starts_with("CARGO_MANIFEST_")
}

/// A search path without what lies in those folders; none when nothing is left.
fn without(path: &OsStr, folders: &[Option<PathBuf>]) -> Result<Option<OsString>> {
    let ours = |entry: &PathBuf| folders.iter().flatten().any(|folder| entry.starts_with(folder));
    let mut others = std::env::split_paths(path).filter(|entry| !ours(entry)).peekable();
    if others.peek().is_none() {
        return Ok(None);
    }
    std::env::join_paths(others).map(Some).context("reading LD_LIBRARY_PATH")
}

fn how_to_answer(askdock: &Path) -> String {
    let askdock = askdock.display();
    format!(
        "
There is no display here, so the hub runs in this terminal; Ctrl-C stops it.
In another terminal:

  {askdock} demo          a scripted agent asks you something
  {askdock} list          what is waiting for an answer
  {askdock} get N         number N in full, with its options
  {askdock} answer N      asks you the questions of number N, one after the other

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
    fn the_app_gets_the_persons_environment() {
        assert!(["CARGO", "CARGO_PKG_NAME", "RUSTUP_TOOLCHAIN"].into_iter().all(is_cargos));
        assert!(!["CARGO_HOME", "CARGO_TARGET_DIR", "RUST_LOG", "PATH"].into_iter().any(is_cargos));

        let folders = [Some(PathBuf::from("/a/target")), None];
        let path = std::env::join_paths(["/a/target/debug", "/opt/lib", "/a/target"]).unwrap();
        assert_eq!(without(&path, &folders).unwrap(), Some(OsString::from("/opt/lib")));
        assert_eq!(without(OsStr::new("/a/target/debug"), &folders).unwrap(), None);
    }

    #[test]
    fn says_how_to_answer_with_the_built_program() {
        let text = how_to_answer(Path::new("/there/askdock"));
        for line in ["/there/askdock demo ", "/there/askdock list ", "/there/askdock answer N "] {
            assert!(text.contains(line), "{line:?} is missing in {text}");
        }
    }
}
