//! How many tests passed and failed, read from the summaries that test runners print.

use std::fmt;
use std::ops::AddAssign;

/// Counted tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Tests that passed.
    pub(crate) passed: u64,
    /// Tests that failed, were stopped or couldn't be run.
    pub(crate) failed: u64,
}

impl Tally {
    /// One check that passed.
    pub(crate) const PASSED: Self = Self { passed: 1, failed: 0 };
    /// One check that failed.
    pub(crate) const FAILED: Self = Self { passed: 0, failed: 1 };

    /// Whether nothing was counted.
    pub(crate) fn is_empty(self) -> bool {
        self == Self::default()
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// Which runner's summaries to read. One at a time: nextest prints the output of a failed
/// test, and with it the summary of that one test in libtest's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// `Summary [ 0.1s] 3 tests run: 2 passed (1 slow), 1 failed, 0 skipped`
    Nextest,
    /// `test result: FAILED. 2 passed; 1 failed; 0 ignored; …`, once per test binary
    Libtest,
    /// `Tests  1 failed | 2 passed (3)`
    Vitest,
}

impl Format {
    /// The counts in one line of output; none unless the line is a summary.
    pub(crate) fn summary(self, line: &str) -> Option<Tally> {
        let line = without_colours(line);
        let line = line.trim();
        let counts = match self {
            Self::Nextest => {
                let (_, run) = line.strip_prefix("Summary [")?.split_once("] ")?;
                run.split_once(" run: ")?.1
            }
            Self::Libtest => line.strip_prefix("test result: ")?.split_once(". ")?.1,
            // The gap tells it from prose that begins with the same word.
            Self::Vitest => line.strip_prefix("Tests  ")?,
        };
        Some(counted(counts))
    }
}

/// Adds up `2 passed (1 slow), 1 failed, 1 timed out` and the like.
fn counted(counts: &str) -> Tally {
    let mut tally = Tally::default();
    for count in counts.split([',', ';', '|']) {
        let mut words = count.split_whitespace();
        let Some(number) = words.next().and_then(|word| word.parse::<u64>().ok()) else { continue };
        match words.next() {
            Some("passed") => tally.passed += number,
            // nextest: `1 exec failed`, `1 timed out`.
            Some("failed" | "exec" | "timed") => tally.failed += number,
            _ => {}
        }
    }
    tally
}

/// The text without ANSI escape sequences of the kind `ESC [ … letter`.
fn without_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, sequence)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        rest = sequence.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        rest = rest.strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or(rest);
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(format: Format, line: &str, expected: Option<(u64, u64)>) {
        let expected = expected.map(|(passed, failed)| Tally { passed, failed });
        assert_eq!(format.summary(line), expected, "{line:?}");
    }

    #[test]
    fn reads_nextest() {
        check(
            Format::Nextest,
            "     Summary [   0.005s] 3 tests run: 3 passed, 0 skipped\n",
            Some((3, 0)),
        );
        check(
            Format::Nextest,
            "     Summary [  71.218s] 9/12 tests run: 5 passed (1 slow, 2 flaky, 1 leaky), \
             1 failed (1 due to being leaky), 1 exec failed, 2 timed out, 4 skipped",
            Some((5, 4)),
        );
        check(
            Format::Nextest,
            "\u{1b}[31;1m     Summary\u{1b}[0m [   0.006s] \u{1b}[1m2\u{1b}[0m tests run: \
             \u{1b}[1m1\u{1b}[0m \u{1b}[32;1mpassed\u{1b}[0m, \u{1b}[1m1\u{1b}[0m \
             \u{1b}[31;1mfailed\u{1b}[0m, \u{1b}[1m0\u{1b}[0m \u{1b}[33;1mskipped\u{1b}[0m",
            Some((1, 1)),
        );
        check(Format::Nextest, "        PASS [   0.004s] askdock-domain tests::laws", None);
    }

    #[test]
    fn nextest_ignores_the_summary_inside_a_failed_tests_output() {
        let line = "    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; \
                    41 filtered out; finished in 0.00s";
        check(Format::Nextest, line, None);
    }

    #[test]
    fn reads_libtest() {
        check(
            Format::Libtest,
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out",
            Some((12, 0)),
        );
        check(
            Format::Libtest,
            "test result: \u{1b}[31mFAILED\u{1b}[0m. 2 passed; 3 failed; 0 ignored; 0 measured",
            Some((2, 3)),
        );
        check(Format::Libtest, "test tests::result ... ok", None);
    }

    #[test]
    fn reads_vitest() {
        check(Format::Vitest, "      Tests  3 passed (3)", Some((3, 0)));
        check(
            Format::Vitest,
            "\u{1b}[2m      Tests \u{1b}[22m \u{1b}[1m\u{1b}[31m1 failed\u{1b}[39m\u{1b}[22m\
             \u{1b}[2m | \u{1b}[22m\u{1b}[1m\u{1b}[32m2 passed\u{1b}[39m\u{1b}[22m\
             \u{1b}[90m (3)\u{1b}[39m",
            Some((2, 1)),
        );
        check(Format::Vitest, "      Tests  2 passed | 1 skipped (3)", Some((2, 0)));
        check(Format::Vitest, "      Tests  no tests", Some((0, 0)));
        check(Format::Vitest, " Test Files  1 passed (1)", None);
        check(Format::Vitest, "Tests are good for you: 3 failed", None);
    }

    #[test]
    fn prints_the_line_that_other_programs_read() {
        let mut tally = Tally::PASSED;
        tally += Tally::FAILED;
        tally += Tally { passed: 40, failed: 0 };
        assert_eq!(tally.to_string(), "41 passed, 1 failed");
    }
}
