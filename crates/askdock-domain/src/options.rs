//! Naming an option: by id or by label.

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::Question;
use crate::text::{label_key, quoted};

/// Why a name picks no option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoOption {
    /// None is called so.
    Unknown,
    /// Several are, apart from case.
    Ambiguous,
}

/// What the options of a question are called, to find many of them. Labels are folded once, when
/// a name is neither an id nor an exact label.
pub(crate) struct OptionNames<'a> {
    question: &'a Question,
    ids: HashMap<&'a str, usize>,
    labels: HashMap<&'a str, usize>,
    folded: OnceCell<HashMap<String, Result<usize, NoOption>>>,
}

impl<'a> OptionNames<'a> {
    pub(crate) fn of(question: &'a Question) -> Self {
        let (mut ids, mut labels) = (HashMap::new(), HashMap::new());
        for (position, option) in question.options.iter().enumerate() {
            ids.entry(option.id.as_str()).or_insert(position);
            labels.entry(option.label.as_str()).or_insert(position);
        }
        Self { question, ids, labels, folded: OnceCell::new() }
    }

    /// The position of the option that `name` names: its exact id, else its exact label, else its
    /// label in NFC, trimmed and case-folded if only one option has it so. Never its number.
    pub(crate) fn position(&self, name: &str) -> Result<usize, NoOption> {
        let exact = self.ids.get(name).or_else(|| self.labels.get(name));
        if let Some(position) = exact {
            return Ok(*position);
        }
        let folded = self.folded.get_or_init(|| fold(self.question));
        folded.get(&label_key(name)).copied().unwrap_or(Err(NoOption::Unknown))
    }
}

fn fold(question: &Question) -> HashMap<String, Result<usize, NoOption>> {
    let mut folded = HashMap::new();
    for (position, option) in question.options.iter().enumerate() {
        folded
            .entry(label_key(&option.label))
            .and_modify(|found| *found = Err(NoOption::Ambiguous))
            .or_insert(Ok(position));
    }
    folded
}

/// The labels of a question as a message lists them.
pub(crate) fn listed(question: &Question) -> String {
    const IN_MESSAGES: usize = 10;
    let mut labels: Vec<String> =
        question.options.iter().take(IN_MESSAGES).map(|option| quoted(&option.label)).collect();
    if let Some(more) = question.options.len().checked_sub(IN_MESSAGES + 1) {
        labels.push(format!("… ({} more)", more + 1));
    }
    labels.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::choice;

    #[test]
    fn ids_then_labels_then_folded_labels() {
        let mut question = choice(&["Postgres", "SQLite", "sqlite 3", "SQLITE 3"]);
        question.options[0].id = "pg".into();
        let check = |name, expect| {
            assert_eq!(OptionNames::of(&question).position(name), expect, "{name:?}")
        };
        check("pg", Ok(0));
        check("Postgres", Ok(0));
        check(" POSTGRES\n", Ok(0));
        check("SQLite", Ok(1));
        check("sqlite 3", Ok(2));
        check("Sqlite 3", Err(NoOption::Ambiguous));
        check("PG", Err(NoOption::Unknown));
        check("2", Err(NoOption::Unknown));
        check("", Err(NoOption::Unknown));
    }

    #[test]
    fn an_id_beats_anothers_label() {
        let mut question = choice(&["a", "b"]);
        question.options[1].id = "a".into();
        assert_eq!(OptionNames::of(&question).position("a"), Ok(1));
    }

    #[test]
    fn long_lists_are_cut() {
        let labels: Vec<String> = (0..12).map(|n| format!("o{n}")).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        assert!(listed(&choice(&labels)).ends_with("\"o9\", … (2 more)"));
        assert_eq!(listed(&choice(&["a", "b"])), "\"a\", \"b\"");
    }
}
