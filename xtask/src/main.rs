//! The project's own commands. `cargo xtask` without arguments lists them.
//!
//! What a command reports goes to standard error; standard output is left to the programs it
//! starts and to the one line that other programs read: the tally of `cargo xtask test`.

mod bench;
mod broken;
mod cargo_tests;
mod codegen;
mod command;
mod npm;
mod packages;
mod run;
mod screenshots;
mod tally;
mod test;
mod ui;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
The project's own commands:

  cargo xtask run [--release] [-- ARGS…]
      installs what is missing, builds Askdock and opens it; without a display
      it runs the hub in this terminal
  cargo xtask test [--fast] [--product] [--broken] [--ui] [--desktop]
      runs every tier of tests that this machine allows, or only the named ones
  cargo xtask bench [--desktop] [ARGS…]
      builds the release programs and measures them
  cargo xtask codegen
      writes the TypeScript types of the wire into ui/src/api/types.ts
  cargo xtask screenshots
      takes the screenshots of the desktop app anew, into tests/screenshots/
  cargo xtask setup
      installs the packages that building and testing need and builds the UI
";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next();
    let rest: Vec<String> = arguments.collect();
    let ended = match command.as_deref() {
        Some("run") => run::run(&rest),
        Some("test") => test::test(&rest),
        Some("bench") => bench::bench(rest),
        Some("codegen") => no_arguments(&rest).and_then(|()| codegen::codegen()),
        Some("screenshots") => no_arguments(&rest).and_then(|()| screenshots::screenshots()),
        Some("setup") => no_arguments(&rest).and_then(|()| setup()),
        None | Some("help" | "--help" | "-h") => {
            eprint!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        Some(other) => {
            eprintln!("There is no command {other:?}.\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    ended.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

fn no_arguments(arguments: &[String]) -> anyhow::Result<()> {
    match arguments {
        [] => Ok(()),
        [first, ..] => anyhow::bail!("this command takes no arguments, not {first:?}"),
    }
}

/// Makes the machine ready for a build of the whole workspace and for every tier of tests.
fn setup() -> anyhow::Result<ExitCode> {
    packages::ensure(&packages::for_desktop_tests())?;
    // Apart, because it can fail where the others don't: not every system packages Chromium.
    // The UI tier says so again.
    if let Err(missing) = packages::ensure(&packages::for_ui_tests()) {
        eprintln!("{missing}");
    }
    ui::build_if_stale()?;
    Ok(ExitCode::SUCCESS)
}
