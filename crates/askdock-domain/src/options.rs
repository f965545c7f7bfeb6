//! Naming an option: by id or by label.

use crate::Question;
use crate::text::{label_key, quoted};

/// Why a name picks no option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoOption {
    /// None is called so.
    Unknown,
    /// Several are, apart from case.
    Ambiguous,
}

/// The position of the option that `name` names: its exact id, else its exact label, else its
/// label in NFC, trimmed and case-folded if only one option has it so. Never its number.
///
/// # Errors
/// When no option or several are named.
pub fn option_named(question: &Question, name: &str) -> Result<usize, NoOption> {
    let options = &question.options;
    let exact = options
        .iter()
        .position(|option| option.id == name)
        .or_else(|| options.iter().position(|option| option.label == name));
    if let Some(position) = exact {
        return Ok(position);
    }
    let key = label_key(name);
    let alike = |position: &usize| label_key(&options[*position].label) == key;
    let mut found = (0..options.len()).filter(alike);
    match (found.next(), found.next()) {
        (Some(position), None) => Ok(position),
        (Some(_), Some(_)) => Err(NoOption::Ambiguous),
        (None, _) => Err(NoOption::Unknown),
    }
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
        let check = |name, expect| assert_eq!(option_named(&question, name), expect, "{name:?}");
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
        assert_eq!(option_named(&question, "a"), Ok(1));
    }

    #[test]
    fn long_lists_are_cut() {
        let labels: Vec<String> = (0..12).map(|n| format!("o{n}")).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        assert!(listed(&choice(&labels)).ends_with("\"o9\", … (2 more)"));
        assert_eq!(listed(&choice(&["a", "b"])), "\"a\", \"b\"");
    }
}
