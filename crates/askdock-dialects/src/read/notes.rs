//! What is found while reading: warnings, problems, and where each part came from.

use std::collections::HashMap;

use askdock_domain::{AskContent, Problem};

use super::path::Path;

/// Warnings or problems that are told; a caller learns nothing from the hundredth.
const MOST: usize = 100;

/// Collects warnings and problems, and remembers the place of each part in the caller's input
/// wherever it differs from its place in the content.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    warnings: Vec<Problem>,
    problems: Vec<Problem>,
    sources: HashMap<String, String>,
}

impl Notes {
    /// The input was read with a change.
    pub(crate) fn warn(&mut self, code: &'static str, path: &Path, message: impl Into<String>) {
        add(&mut self.warnings, code, path, message);
    }

    /// The input can't be read.
    pub(crate) fn problem(&mut self, code: &'static str, path: &Path, message: impl Into<String>) {
        add(&mut self.problems, code, path, message);
    }

    /// A warning made elsewhere.
    pub(crate) fn push_warning(&mut self, warning: Problem) {
        self.warnings.push(warning);
    }

    /// Whether anything is wrong so far.
    pub(crate) fn has_problems(&self) -> bool {
        !self.problems.is_empty()
    }

    /// The problems alone.
    pub(crate) fn into_problems(self) -> Vec<Problem> {
        self.problems
    }

    /// Remembers that the content's `place` stands at `path` in the input. Parents first.
    pub(crate) fn place(&mut self, place: String, path: &Path) {
        if self.sources.is_empty() && place == path.as_str() {
            return;
        }
        if self.translate(&place) != path.as_str() {
            self.sources.insert(place, path.as_str().to_owned());
        }
    }

    /// Where the content's `place` stands in the input.
    pub(crate) fn translate(&self, place: &str) -> String {
        let mut end = place.len();
        loop {
            if let Some(source) = self.sources.get(&place[..end]) {
                let rest = &place[end..];
                let rest = if source.is_empty() { rest.trim_start_matches('.') } else { rest };
                return format!("{source}{rest}");
            }
            match place[..end].rfind(['.', '[']) {
                Some(shorter) => end = shorter,
                None => return place.to_owned(),
            }
        }
    }

    /// Warnings and problems, with those that `check` finds in `content`. An input that couldn't
    /// be read isn't checked as well: its faults would come up twice.
    pub(crate) fn settle(
        mut self,
        content: &AskContent,
        check: impl Fn(&AskContent) -> Result<(), Vec<Problem>>,
    ) -> (Vec<Problem>, Vec<Problem>) {
        if self.problems.is_empty() {
            let found = check(content).err().unwrap_or_default();
            self.problems = found.into_iter().map(|problem| self.in_input(problem)).collect();
        }
        (close(self.warnings), close(self.problems))
    }

    fn in_input(&self, problem: Problem) -> Problem {
        let path = self.translate(&problem.path);
        let message = match problem.path.as_str() {
            place if path != place && place.contains('.') => problem.message.replace(place, &path),
            _ => problem.message,
        };
        Problem { code: problem.code, path, message }
    }
}

fn add(notes: &mut Vec<Problem>, code: &'static str, path: &Path, message: impl Into<String>) {
    if notes.len() <= MOST {
        notes.push(Problem::new(code, path.as_str(), message));
    }
}

fn close(mut notes: Vec<Problem>) -> Vec<Problem> {
    if notes.len() > MOST {
        notes.truncate(MOST);
        notes.push(Problem::new("more", "", "There is more of this kind; it is left out here."));
    }
    notes
}
