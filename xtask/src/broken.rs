//! The deliberately broken builds: for each invariant a switch that breaks it, and the tests
//! that must notice. A check that has never failed proves nothing.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Write;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::cargo_tests::{self, PRODUCT_PACKAGE, Selection};
use crate::command::{Output, Ran};
use crate::tally::Tally;
use crate::workspace::{self, Profile};

/// Features whose name begins so break what the rest of the name says.
const PREFIX: &str = "broken-";

/// Every switch and the tests that it must fail. A switch without a row here is a failure.
const BROKEN_BUILDS: &[BrokenBuild] = &[
    own("askdock-domain", "broken-visibility", "visibility::"),
    own("askdock-domain", "broken-one-end", "lifecycle::"),
    own("askdock-domain", "broken-answer-id", "lifecycle::"),
    own("askdock-domain", "broken-reply", "reply::"),
    own("askdock-store", "broken-compare-and-set", "only_the_first_end_is_recorded"),
    own("askdock-hub", "broken-ancestry", "a_child_of_a_waiting_agent"),
    own("askdock-hub", "broken-draft", "an_agent_never_sees_a_draft"),
    own("askdock-hub", "broken-gone-asker", "an_asker_that_is_gone"),
    own("askdock-hub", "broken-nonce", "an_unknown_nonce"),
    own("askdock-hub", "broken-own", "an_agent_reaches_only_its_own"),
    own("askdock-hub", "broken-reattach", "two_live_calls"),
    own("askdock-hub", "broken-resume", "a_machine_that_slept"),
];

/// A switch that the tests of its own package must notice.
const fn own(package: &'static str, feature: &'static str, filter: &'static str) -> BrokenBuild {
    BrokenBuild { package, feature, noticed_by: Tests::Own(filter) }
}

/// One switch.
#[derive(Debug)]
struct BrokenBuild {
    /// The package that has the feature.
    package: &'static str,
    /// The feature.
    feature: &'static str,
    /// Which tests must fail.
    noticed_by: Tests,
}

/// Tests that must fail, by a part of their name.
#[derive(Clone, Copy, Debug)]
enum Tests {
    /// Those of the package itself.
    Own(&'static str),
    /// Those of the whole product, run with a broken `askdock`.
    #[cfg_attr(not(test), expect(dead_code, reason = "no switch needs a running program yet"))]
    Product(&'static str),
}

/// Runs every row, and looks for switches without one.
pub(crate) fn test() -> Result<Tally> {
    let metadata = workspace::metadata()?;
    let mut tally = Tally::default();
    for broken in BROKEN_BUILDS {
        eprintln!("\n{} of {} must be noticed", broken.feature, broken.package);
        tally += match broken.run(&metadata) {
            Ok(ran) => judge(broken, &ran),
            Err(error) => {
                eprintln!("error: {error:#}");
                Tally::FAILED
            }
        };
    }
    for (package, feature) in unlisted(&metadata, BROKEN_BUILDS) {
        eprintln!("error: {feature} of {package} has no row in xtask/src/broken.rs");
        tally += Tally::FAILED;
    }
    Ok(tally)
}

impl BrokenBuild {
    fn run(&self, metadata: &Value) -> Result<Ran> {
        match self.noticed_by {
            Tests::Own(filter) => {
                let selection = Selection {
                    package: Some(self.package),
                    features: &[self.feature],
                    filter: Some(filter),
                    environment: &[forget_failures()],
                    ..Selection::default()
                };
                cargo_tests::run(&selection, Output::Kept)
            }
            Tests::Product(filter) => {
                let askdock = self.build_askdock()?;
                let selection = Selection {
                    package: Some(PRODUCT_PACKAGE),
                    targets: &cargo_tests::product_targets(metadata)?,
                    filter: Some(filter),
                    environment: &[askdock, forget_failures()],
                    ..Selection::default()
                };
                cargo_tests::run(&selection, Output::Kept)
            }
        }
    }

    /// Builds the broken `askdock`, beside the sound one that the other tests use.
    fn build_askdock(&self) -> Result<(&'static str, OsString)> {
        let feature = format!("{}/{}", self.package, self.feature);
        workspace::build(Profile::Dev, &["askdock-cli", self.package], &[&feature])?;
        let built = workspace::program(Profile::Dev, "askdock")?;
        let folder = workspace::target_dir()?.join("broken").join(self.feature);
        let broken = folder.join(built.file_name().context("the built program has no name")?);
        std::fs::create_dir_all(&folder)
            .and_then(|()| std::fs::copy(&built, &broken))
            .with_context(|| format!("copying {} to {}", built.display(), broken.display()))?;
        workspace::build(Profile::Dev, &["askdock-cli"], &[])?;
        Ok((cargo_tests::ASKDOCK, broken.into()))
    }
}

/// proptest writes the input of a failure beside the sources, to try it again: one that was
/// provoked isn't worth that.
fn forget_failures() -> (&'static str, OsString) {
    ("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1".into())
}

/// Failed tests pass. A build that doesn't compile, or a filter that finds no test, doesn't.
fn judge(broken: &BrokenBuild, ran: &Ran) -> Tally {
    if ran.tally.failed > 0 {
        eprintln!("noticed: {}", ran.tally);
        return Tally::PASSED;
    }
    // Only a runner that went wrong has something worth reading.
    let _ = std::io::stderr().write_all(&ran.kept);
    let (Tests::Own(filter) | Tests::Product(filter)) = broken.noticed_by;
    eprintln!(
        "error: with {} no test named like {filter:?} failed ({}; it ended with {})",
        broken.feature, ran.tally, ran.status
    );
    Tally::FAILED
}

/// The switches of the workspace that the table leaves out, with their packages.
fn unlisted(metadata: &Value, table: &[BrokenBuild]) -> Vec<(String, String)> {
    let listed: BTreeSet<(&str, &str)> =
        table.iter().map(|broken| (broken.package, broken.feature)).collect();
    let mut unlisted = Vec::new();
    for package in workspace::packages(metadata) {
        let name = package["name"].as_str().unwrap_or_default();
        for feature in package["features"].as_object().into_iter().flat_map(|all| all.keys()) {
            if feature.starts_with(PREFIX) && !listed.contains(&(name, feature)) {
                unlisted.push((name.to_owned(), feature.clone()));
            }
        }
    }
    unlisted
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_switch_without_a_row_is_found() {
        let table = [BrokenBuild {
            package: "askdock-store",
            feature: "broken-durability",
            noticed_by: Tests::Own("survives"),
        }];
        let metadata = json!({"packages": [
            {"name": "askdock-store", "features": {"default": [], "broken-durability": []}},
            {"name": "askdock-hub", "features": {"broken-durability": [], "broken-race": []}},
        ]});
        let unlisted = unlisted(&metadata, &table);
        let expected = [("askdock-hub", "broken-durability"), ("askdock-hub", "broken-race")];
        assert_eq!(unlisted, expected.map(|(package, name)| (package.to_owned(), name.to_owned())));
    }

    #[cfg(unix)]
    #[test]
    fn only_failed_tests_are_a_noticed_break() {
        use std::os::unix::process::ExitStatusExt;
        let broken = BrokenBuild {
            package: "askdock-tests",
            feature: "broken-durability",
            noticed_by: Tests::Product("crash"),
        };
        let ran = |passed, failed, code: i32| Ran {
            status: std::process::ExitStatus::from_raw(code << 8),
            tally: Tally { passed, failed },
            kept: Vec::new(),
        };
        assert_eq!(judge(&broken, &ran(3, 1, 100)), Tally::PASSED);
        assert_eq!(judge(&broken, &ran(4, 0, 0)), Tally::FAILED);
        // It didn't compile.
        assert_eq!(judge(&broken, &ran(0, 0, 101)), Tally::FAILED);
        // The filter found nothing.
        assert_eq!(judge(&broken, &ran(0, 0, 0)), Tally::FAILED);
    }
}
