//! `cargo xtask bench`: measures the release programs with `askdock-bench`.

use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::workspace::{self, Profile};
use crate::{cargo_tests, command, packages, ui};

/// Builds the release programs and the bench, and runs the bench in this program's place.
///
/// `--desktop` is taken out of the arguments: the desktop app is measured too, which needs
/// WebKit and minutes more to build.
pub(crate) fn bench(mut arguments: Vec<String>) -> Result<ExitCode> {
    let before = arguments.len();
    arguments.retain(|argument| argument != "--desktop");
    let with_desktop = arguments.len() < before;

    workspace::build(Profile::Release, &["askdock-cli"], &[])?;
    if with_desktop {
        packages::ensure(&packages::for_desktop_tests())?;
        ui::build_if_stale()?;
        workspace::build(Profile::Release, &["askdock-desktop"], &[])?;
    }
    workspace::build(Profile::Release, &[cargo_tests::PRODUCT_PACKAGE], &[])?;

    let mut bench = Command::new(workspace::program(Profile::Release, "askdock-bench")?);
    bench
        .args(arguments)
        .env(cargo_tests::ASKDOCK, workspace::program(Profile::Release, "askdock")?);
    if with_desktop {
        let desktop = workspace::program(Profile::Release, "askdock-desktop")?;
        bench.env(cargo_tests::ASKDOCK_DESKTOP, desktop);
    }
    command::become_program(bench)
}
