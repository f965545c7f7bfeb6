//! The deliberately broken builds: for each invariant a switch that breaks it, and the tests
//! that must notice. A check that has never failed proves nothing.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Write;

use anyhow::Result;
use serde_json::Value;

use crate::cargo_tests::{self, Selection};
use crate::command::{Output, Ran};
use crate::tally::Tally;
use crate::workspace;

/// Features whose name begins so break what the rest of the name says.
const PREFIX: &str = "broken-";

/// Every switch and the tests that it must fail. A switch without a row here is a failure.
const BROKEN_BUILDS: &[BrokenBuild] = &[
    broken("askdock-domain", "broken-visibility", "visibility::"),
    broken("askdock-domain", "broken-one-end", "lifecycle::"),
    broken("askdock-domain", "broken-answer-id", "lifecycle::"),
    broken("askdock-domain", "broken-reply", "reply::"),
    broken("askdock-store", "broken-compare-and-set", "only_the_first_end_is_recorded"),
    broken("askdock-hub", "broken-ancestry", "a_child_of_a_waiting_agent"),
    broken("askdock-hub", "broken-draft", "an_agent_never_sees_a_draft"),
    broken("askdock-hub", "broken-gone-asker", "an_asker_that_is_gone"),
    broken("askdock-hub", "broken-nonce", "an_unknown_nonce"),
    broken("askdock-hub", "broken-own", "an_agent_reaches_only_its_own"),
    broken("askdock-hub", "broken-reattach", "two_live_calls"),
    broken("askdock-hub", "broken-resume", "a_machine_that_slept"),
];

/// A switch and what must notice it.
#[derive(Debug)]
struct BrokenBuild {
    /// The package that has the feature.
    package: &'static str,
    /// The feature.
    feature: &'static str,
    /// Which of the package's tests must fail, by a part of their name.
    noticed_by: &'static str,
}

const fn broken(
    package: &'static str,
    feature: &'static str,
    noticed_by: &'static str,
) -> BrokenBuild {
    BrokenBuild { package, feature, noticed_by }
}

/// Runs every row, and looks for switches without one.
pub(crate) fn test() -> Result<Tally> {
    let metadata = workspace::metadata()?;
    let mut tally = Tally::default();
    for broken in BROKEN_BUILDS {
        eprintln!("\n{} of {} must be noticed", broken.feature, broken.package);
        tally += match broken.run() {
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
    fn run(&self) -> Result<Ran> {
        let selection = Selection {
            package: Some(self.package),
            features: &[self.feature],
            filter: Some(self.noticed_by),
            environment: &[forget_failures()],
            ..Selection::default()
        };
        cargo_tests::run(&selection, Output::Kept)
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
    eprintln!(
        "error: with {} no test named like {:?} failed ({}; it ended with {})",
        broken.feature, broken.noticed_by, ran.tally, ran.status
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
            noticed_by: "survives",
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
            noticed_by: "crash",
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
