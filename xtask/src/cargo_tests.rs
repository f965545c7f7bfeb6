//! Runs the tests of Rust packages with the best runner that the machine has.

use std::ffi::OsString;
use std::process::Command;
use std::sync::LazyLock;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::command::{self, Output, Ran};
use crate::tally::Format;
use crate::workspace::{self, Profile};

/// The package with the tests of the whole product.
pub(crate) const PRODUCT_PACKAGE: &str = "askdock-tests";
/// That one of its test targets which needs a display and WebKit.
pub(crate) const DESKTOP_TARGET: &str = "desktop";

/// The variable that tells the tests and the bench which built `askdock` to run.
pub(crate) const ASKDOCK: &str = "ASKDOCK_BIN";
/// The same for the desktop app.
pub(crate) const ASKDOCK_DESKTOP: &str = "ASKDOCK_DESKTOP_BIN";

/// nextest runs each test in a process of its own and stops those that hang.
pub(crate) static HAS_NEXTEST: LazyLock<bool> =
    LazyLock::new(|| command::works("cargo-nextest", &["nextest", "--version"]));

/// Which tests to run.
#[derive(Debug, Default)]
pub(crate) struct Selection<'a> {
    /// Of this package; otherwise of the workspace's default members.
    pub(crate) package: Option<&'a str>,
    /// Built with these features.
    pub(crate) features: &'a [&'a str],
    /// In these targets, as Cargo's flags (`--lib`, `--test NAME`); otherwise in all.
    pub(crate) targets: &'a [String],
    /// Whose name contains this.
    pub(crate) filter: Option<&'a str>,
    /// With these in the environment.
    pub(crate) environment: &'a [(&'a str, OsString)],
}

/// Runs the selected tests, all of them even when some fail.
pub(crate) fn run(selection: &Selection<'_>, output: Output) -> Result<Ran> {
    let (mut command, format) = if *HAS_NEXTEST {
        let mut nextest = workspace::cargo(["nextest", "run", "--no-fail-fast"]);
        // That there were none is for the caller to judge.
        nextest.arg("--no-tests=pass");
        (nextest, Format::Nextest)
    } else {
        (workspace::cargo(["test", "--no-fail-fast"]), Format::Libtest)
    };
    select(&mut command, selection);
    command::count(command, format, output)
}

/// Runs the examples in the documentation of the default members, which nextest can't.
pub(crate) fn run_examples() -> Result<Ran> {
    command::count(
        workspace::cargo(["test", "--no-fail-fast", "--doc"]),
        Format::Libtest,
        Output::Shown,
    )
}

fn select(command: &mut Command, selection: &Selection<'_>) {
    if let Some(package) = selection.package {
        command.args(["--package", package]);
    }
    for feature in selection.features {
        command.args(["--features", feature]);
    }
    command.args(selection.targets).args(selection.filter);
    command.envs(selection.environment.iter().map(|(name, value)| (name, value)));
    // A snapshot that differs is a failure here, not a file to review.
    command.env("INSTA_UPDATE", "no");
}

/// Cargo's flags for every test of the whole product except those of the desktop app.
pub(crate) fn product_targets(metadata: &Value) -> Result<Vec<String>> {
    let package = workspace::package(metadata, PRODUCT_PACKAGE)
        .with_context(|| format!("the workspace has no package {PRODUCT_PACKAGE}"))?;
    let mut flags = vec!["--lib".to_owned(), "--bins".to_owned()];
    for target in workspace::test_targets(package) {
        if target != DESKTOP_TARGET {
            flags.extend(["--test".to_owned(), target.to_owned()]);
        }
    }
    Ok(flags)
}

/// The setting that gives the tests of the whole product the sound `askdock`.
pub(crate) fn askdock() -> Result<(&'static str, OsString)> {
    Ok((ASKDOCK, workspace::program(Profile::Dev, "askdock")?.into()))
}

/// The setting that gives the desktop tests the desktop app.
pub(crate) fn askdock_desktop() -> Result<(&'static str, OsString)> {
    Ok((ASKDOCK_DESKTOP, workspace::program(Profile::Dev, "askdock-desktop")?.into()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn product_tests_leave_the_desktop_out() {
        let metadata = json!({"packages": [
            {"name": "askdock-hub", "targets": [{"kind": ["test"], "name": "laws"}]},
            {"name": "askdock-tests", "targets": [
                {"kind": ["lib"], "name": "askdock_tests"},
                {"kind": ["bin"], "name": "askdock-bench"},
                {"kind": ["test"], "name": "cli"},
                {"kind": ["test"], "name": "desktop"},
                {"kind": ["test"], "name": "crash"},
            ]},
        ]});
        let flags = product_targets(&metadata).unwrap();
        assert_eq!(flags, ["--lib", "--bins", "--test", "cli", "--test", "crash"]);
    }
}
