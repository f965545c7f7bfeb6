use super::*;
use crate::Format;
use crate::fixtures::{choice, multi, selected, text, typed};

#[track_caller]
fn answers(question: &Question, reply: &str, expect: &Answer) {
    assert_eq!(match_reply(question, reply), Reply::Answer(expect.clone()), "{reply:?}");
}

#[track_caller]
fn picks(question: &Question, reply: &str, position: usize) {
    answers(question, reply, &selected(&[position]));
}

#[track_caller]
fn types(question: &Question, reply: &str, expect: &str) {
    answers(question, reply, &typed(expect));
}

/// Rejected, with these words in the sentence.
#[track_caller]
fn rejects(question: &Question, reply: &str, words: &[&str]) {
    match match_reply(question, reply) {
        Reply::Rejected(says) => {
            for word in words {
                assert!(says.contains(word), "{word:?} in {says:?}");
            }
        }
        other => panic!("{reply:?}: {other:?}"),
    }
}

fn strict(question: Question) -> Question {
    Question { allow_custom: false, ..question }
}

#[test]
fn an_exact_label_comes_first() {
    let odd = choice(&["2", "/skip", "1", "\"x\"", "a, b", "3 "]);
    for (position, option) in odd.options.iter().enumerate() {
        picks(&odd, &option.label, position);
    }
}

#[test]
fn commands() {
    for reply in ["/skip", "/dismiss", " /Skip\n"] {
        assert_eq!(match_reply(&choice(&["a"]), reply), Reply::Dismiss);
        assert_eq!(match_reply(&text("Why?"), reply), Reply::Dismiss);
    }
    types(&text("Why?"), "/clear the folder", "/clear the folder");
}

#[test]
fn quotes_mean_literal_text() {
    let db = choice(&["Postgres", "8080"]);
    for reply in ["\"8080\"", "“8080”", "„8080“", " \"8080\" "] {
        types(&db, reply, "8080");
    }
    types(&db, "\"Postgres\"", "Postgres");
    types(&db, "\"/skip\"", "/skip");
    types(&db, "\" 2 \"", " 2 ");
    types(&db, "\"a\" or \"b\"", "\"a\" or \"b\"");
    types(&db, "\"", "\"");
    rejects(&db, "\" \"", &["/skip"]);
    rejects(&strict(db), "\"x\"", &["\"x\"", "Postgres"]);
}

#[test]
fn folded_labels() {
    let db = choice(&["Staging (Recommended)", "Unit  Tests", "Straße", "ＳＱＬｉｔｅ"]);
    picks(&db, "staging", 0);
    picks(&db, "STAGING (recommended)", 0);
    picks(&db, "unit tests (Recommended)", 1);
    picks(&db, " unit\ttests ", 1);
    picks(&db, "STRASSE", 2);
    picks(&db, "sqlite", 3);
    rejects(&choice(&["yes", "Yes"]), "YES", &["\"yes\" (1)", "\"Yes\" (2)", "number"]);
}

#[test]
fn numbers() {
    let db = choice(&["Postgres", "SQLite"]);
    for reply in ["2", "2.", "2)", "#2", "２", "2\u{fe0f}\u{20e3}", " 2 "] {
        picks(&db, reply, 1);
    }
    let rejected = |question: &Question, reply| match match_reply(question, reply) {
        Reply::Rejected(says) => says,
        other => panic!("{other:?}"),
    };
    let says = "Reply with a number from 1 to 2, or quote it: \"8080\".";
    assert_eq!(rejected(&db, "8080"), says);
    assert_eq!(rejected(&strict(db.clone()), "3"), "Reply with a number from 1 to 2.");
    rejects(&db, "0", &["from 1 to 2"]);
    let port = Question { format: Some(Format::Integer), ..db };
    picks(&port, "2", 1);
    types(&port, "8080", "8080");
    rejects(&strict(port), "8080", &["from 1 to 2"]);
    types(&text("Which port?"), "8080", "8080");
}

#[test]
fn several_options() {
    let checks = multi(&["Unit tests", "Linter", "Type check", "Lint, then test", "Lint"]);
    answers(&checks, "linter, unit tests", &selected(&[0, 1]));
    answers(&checks, "1;3", &selected(&[0, 2]));
    answers(&checks, "1, 2 and 3", &selected(&[0, 1, 2]));
    answers(&checks, "1, 2, and 3", &selected(&[0, 1, 2]));
    answers(&checks, "Linter\nUnit tests、2", &selected(&[0, 1]));
    // The longest label first.
    answers(&checks, "Linter, lint, then test", &selected(&[1, 3]));
    answers(&checks, "Lint, Linter", &selected(&[1, 4]));
    let with_text =
        |positions, text: &str| Answer { text: Some(text.into()), ..selected(positions) };
    answers(&checks, "Linter, only src, tests", &with_text(&[1], "only src, tests"));
    answers(&checks, "a, Linter, b", &with_text(&[1], "a, b"));
    answers(&checks, "Linter, \"8080\"", &with_text(&[1], "8080"));
    types(&checks, "src, tests, and docs", "src, tests, and docs");
    rejects(&checks, "Linter, 9", &["from 1 to 5", "\"9\""]);
    rejects(&strict(checks.clone()), "Linter, docs", &["\"docs\"", "\"Unit tests\""]);
    rejects(&strict(checks), "src, docs", &["\"src, docs\""]);
    rejects(&multi(&["yes", "Yes", "no"]), "no, YES", &["could mean"]);
    // Only where several may be selected.
    types(&choice(&["a", "b"]), "a, b", "a, b");
}

#[test]
fn prefixes() {
    let db = choice(&["Postgres", "PostGIS", "SQLite", "ab"]);
    picks(&db, "sql", 2);
    picks(&db, "POSTGR", 0);
    rejects(&db, "post", &["\"Postgres\" (1)", "\"PostGIS\" (2)"]);
    types(&db, "sq", "sq");
    types(&db, "SQLite3", "SQLite3");
    rejects(&strict(db), "sq", &["\"sq\"", "\"SQLite\""]);
    picks(&multi(&["Unit tests", "Linter"]), "uni", 0);
}

#[test]
fn typed_text() {
    types(&text("Why?"), " because\nof this ", "because\nof this");
    types(&choice(&["a"]), "neither", "neither");
    rejects(&strict(choice(&["a", "b"])), "neither", &["\"neither\"", "\"a\", \"b\""]);
    let custom = Question { allow_custom: true, ..text("Why?") };
    types(&custom, "5", "5");
}

#[test]
fn blank_replies() {
    for reply in ["", " \n", "\u{200b}"] {
        rejects(&text("Why?"), reply, &["/skip"]);
    }
}

#[test]
fn secrets_are_not_repeated() {
    let token = Question { secret: true, ..strict(choice(&["a"])) };
    match match_reply(&token, "hunter2") {
        Reply::Rejected(says) => assert!(!says.contains("hunter2"), "{says}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_endless_list_is_text() {
    let hostile = multi(&[&"a,".repeat(2000), "b"]);
    let listed = |pieces: usize| "b,".repeat(pieces);
    answers(&hostile, &listed(1000), &selected(&[1]));
    types(&hostile, &listed(1001), &listed(1001));
}
