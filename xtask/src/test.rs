//! `cargo xtask test`: every tier of tests that the machine allows.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::cargo_tests::{self, DESKTOP_TARGET, PRODUCT_PACKAGE, Selection};
use crate::command::{self, Output, Ran};
use crate::tally::{Format, Tally};
use crate::workspace::{self, Profile};
use crate::{broken, packages, ui};

/// A tier of tests, the cheap ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tier {
    /// The crates' own tests: no WebKit, no built programs.
    Fast,
    /// The real programs, without a window.
    Product,
    /// Deliberately broken builds, which the tests must notice.
    Broken,
    /// The UI's types, and its components in a real browser.
    Ui,
    /// The real window.
    Desktop,
}

impl Tier {
    const ALL: [Self; 5] = [Self::Fast, Self::Product, Self::Broken, Self::Ui, Self::Desktop];

    fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Product => "product",
            Self::Broken => "broken",
            Self::Ui => "ui",
            Self::Desktop => "desktop",
        }
    }

    fn run(self) -> Result<Verdict> {
        match self {
            Self::Fast => fast(),
            Self::Product => product(),
            Self::Broken => broken(),
            Self::Ui => ui(),
            Self::Desktop => desktop(),
        }
    }
}

/// How a tier ended.
#[derive(Debug)]
enum Verdict {
    Ran(Tally),
    /// This machine doesn't allow it, for that reason.
    Skipped(String),
}

/// Runs the tiers that the arguments name, or all, and prints the tally as the last line.
pub(crate) fn test(arguments: &[String]) -> Result<ExitCode> {
    let named = read(arguments)?;
    let tiers = if named.is_empty() { &Tier::ALL[..] } else { &named[..] };
    let mut sum = Tally::default();
    let mut report = String::new();
    for tier in tiers {
        eprintln!("\n== {} ==", tier.name());
        let (tally, line) = settle(tier.run(), !named.is_empty());
        sum += tally;
        report += &format!("{:<9}{line}\n", tier.name());
    }
    eprintln!("\n{report}");
    print_tally(sum);
    Ok(if sum.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[expect(clippy::print_stdout, reason = "the line that other programs read")]
fn print_tally(tally: Tally) {
    println!("{tally}");
}

fn read(arguments: &[String]) -> Result<Vec<Tier>> {
    let mut named = Vec::new();
    for argument in arguments {
        let name = argument.strip_prefix("--").unwrap_or_default();
        match Tier::ALL.into_iter().find(|tier| tier.name() == name) {
            Some(tier) => named.push(tier),
            None => bail!(
                "test doesn't know {argument:?}; there are --fast, --product, --broken, --ui and --desktop"
            ),
        }
    }
    Ok(named)
}

/// What a tier adds to the sum, and its line in the report. A tier that could not run although
/// somebody asked for it by name counts as one failure, and so does one that broke off.
fn settle(ended: Result<Verdict>, asked_for: bool) -> (Tally, String) {
    match ended {
        Ok(Verdict::Ran(tally)) => (tally, tally.to_string()),
        Ok(Verdict::Skipped(reason)) if !asked_for => {
            (Tally::default(), format!("skipped: {reason}"))
        }
        Ok(Verdict::Skipped(reason)) => (Tally::FAILED, format!("could not run: {reason}")),
        Err(error) => (Tally::FAILED, format!("broke off: {error:#}")),
    }
}

fn fast() -> Result<Verdict> {
    ensure_session_bus();
    let mut tally = counted(&cargo_tests::run(&Selection::default(), Output::Shown)?);
    if *cargo_tests::HAS_NEXTEST {
        // There may be none: not every crate's documentation has examples.
        tally += without_hidden_failure(&cargo_tests::run_examples()?);
    }
    // Not a default member: building this program isn't part of building Askdock.
    let own = Selection { package: Some("xtask"), ..Selection::default() };
    tally += counted(&cargo_tests::run(&own, Output::Shown)?);
    Ok(Verdict::Ran(tally))
}

fn product() -> Result<Verdict> {
    ensure_session_bus();
    workspace::build(Profile::Dev, &["askdock-cli"], &[])?;
    install_agent_sdks()?;
    let selection = Selection {
        package: Some(PRODUCT_PACKAGE),
        targets: &cargo_tests::product_targets(&workspace::metadata()?)?,
        environment: &[cargo_tests::askdock()?],
        ..Selection::default()
    };
    Ok(Verdict::Ran(counted(&cargo_tests::run(&selection, Output::Shown)?)))
}

/// The official SDKs, of which agents in the tests are made.
fn install_agent_sdks() -> Result<()> {
    crate::npm::install(&workspace::root().join("tests/mcp-client"))
}

/// Without it the tests of notifications fail, which is no reason to skip all the others.
fn ensure_session_bus() {
    if let Err(missing) = packages::ensure(packages::SESSION_BUS) {
        eprintln!("{missing}");
    }
}

fn broken() -> Result<Verdict> {
    let tally = broken::test()?;
    if tally.is_empty() {
        return Ok(Verdict::Skipped("no crate has a switch that breaks it".to_owned()));
    }
    Ok(Verdict::Ran(tally))
}

fn ui() -> Result<Verdict> {
    if let Err(missing) = packages::ensure(&packages::for_ui_tests()) {
        return Ok(Verdict::Skipped(missing.to_string()));
    }
    ui::install_dependencies()?;
    let mut tally = Tally::default();
    tally += match command::run(ui::npm(&["run", "check"])) {
        Ok(()) => Tally::PASSED,
        Err(error) => {
            eprintln!("error: {error:#}");
            Tally::FAILED
        }
    };
    let mut vitest = ui::npm(&["run", "test"]);
    // It would wait for changes otherwise.
    vitest.env("CI", "true");
    if let Some(browser) = packages::browser() {
        vitest.env("CHROMIUM", browser);
    }
    let ran = command::count(vitest, Format::Vitest, Output::Shown)?;
    tally += counted(&ran);
    Ok(Verdict::Ran(tally))
}

fn desktop() -> Result<Verdict> {
    if !cfg!(target_os = "linux") {
        return Ok(Verdict::Skipped("the window is tested under Xvfb, on Linux".to_owned()));
    }
    if let Err(missing) = packages::ensure(&packages::for_desktop_tests()) {
        return Ok(Verdict::Skipped(missing.to_string()));
    }
    let has_tests = workspace::package(&workspace::metadata()?, PRODUCT_PACKAGE)
        .is_some_and(|package| workspace::test_targets(package).contains(&DESKTOP_TARGET));
    if !has_tests {
        bail!("{PRODUCT_PACKAGE} has no test target {DESKTOP_TARGET}");
    }
    prepare_desktop()?;
    Ok(Verdict::Ran(counted(&run_desktop(None, None)?)))
}

/// Builds everything that the desktop tests use.
pub(crate) fn prepare_desktop() -> Result<()> {
    packages::ensure(&packages::for_desktop_tests())?;
    install_agent_sdks()?;
    ui::build_if_stale()?;
    workspace::build(Profile::Dev, &["askdock-cli"], &[])?;
    workspace::build(Profile::Dev, &["askdock-desktop"], &[])
}

/// Runs the desktop tests. They start a display and a session bus of their own, and one at a
/// time: see `.config/nextest.toml`.
pub(crate) fn run_desktop(filter: Option<&str>, screenshots: Option<&Path>) -> Result<Ran> {
    let targets = ["--test", DESKTOP_TARGET].map(str::to_owned);
    let mut environment = vec![
        cargo_tests::askdock()?,
        cargo_tests::askdock_desktop()?,
        // For libtest, which doesn't read nextest's configuration.
        ("RUST_TEST_THREADS", "1".into()),
    ];
    environment.extend(screenshots.map(|folder| ("ASKDOCK_SCREENSHOTS", folder.into())));
    let selection = Selection {
        package: Some(PRODUCT_PACKAGE),
        targets: &targets,
        filter,
        environment: &environment,
        ..Selection::default()
    };
    cargo_tests::run(&selection, Output::Shown)
}

/// The tally of a run that must have found tests: finding none is a failure.
fn counted(ran: &Ran) -> Tally {
    let tally = without_hidden_failure(ran);
    if tally.is_empty() {
        eprintln!("error: there were no tests to run");
        return Tally::FAILED;
    }
    tally
}

/// The tally of a run; one failure when it failed without a failed test, as it does when it
/// doesn't compile.
fn without_hidden_failure(ran: &Ran) -> Tally {
    let mut tally = ran.tally;
    if !ran.status.success() && tally.failed == 0 {
        eprintln!("error: the tests ended with {}", ran.status);
        tally += Tally::FAILED;
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_are_named_by_flags() {
        let words = ["--ui", "--fast"].map(str::to_owned);
        assert_eq!(read(&words).unwrap(), [Tier::Ui, Tier::Fast]);
        assert!(read(&["--quick".to_owned()]).is_err());
        assert!(read(&["fast".to_owned()]).is_err());
    }

    #[test]
    fn what_could_not_run_is_a_failure_only_when_asked_for() {
        let skipped = || Ok(Verdict::Skipped("no browser".to_owned()));
        assert_eq!(settle(skipped(), false), (Tally::default(), "skipped: no browser".to_owned()));
        assert_eq!(settle(skipped(), true).0, Tally::FAILED);
        assert_eq!(settle(Err(anyhow::anyhow!("no space")), false).0, Tally::FAILED);
    }

    #[cfg(unix)]
    #[test]
    fn a_run_that_fails_without_a_failed_test_counts_as_one() {
        use std::os::unix::process::ExitStatusExt;
        let ran = |passed, failed, code: i32| Ran {
            status: std::process::ExitStatus::from_raw(code << 8),
            tally: Tally { passed, failed },
            kept: Vec::new(),
        };
        assert_eq!(counted(&ran(2, 0, 0)), Tally { passed: 2, failed: 0 });
        assert_eq!(counted(&ran(2, 0, 101)), Tally { passed: 2, failed: 1 });
        assert_eq!(counted(&ran(2, 3, 101)), Tally { passed: 2, failed: 3 });
        assert_eq!(counted(&ran(0, 0, 0)), Tally::FAILED);
        assert_eq!(without_hidden_failure(&ran(0, 0, 0)), Tally::default());
    }
}
