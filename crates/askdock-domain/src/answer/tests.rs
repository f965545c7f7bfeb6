use super::*;
use crate::fixtures::{choice, multi, selected, text, typed};
use crate::limits::TYPED_ANSWER;
use crate::{Condition, Format};

fn entry(selected: &[&str], text: &str) -> Submitted {
    Submitted {
        selected: selected.iter().map(|name| (*name).to_owned()).collect(),
        text: (!text.is_empty()).then(|| text.to_owned()),
        ..Submitted::default()
    }
}

fn blank() -> Submitted {
    Submitted { blank: true, ..Submitted::default() }
}

fn named(name: &str) -> AnswerKey {
    AnswerKey::Name(name.into())
}

fn storage() -> Question {
    Question {
        header: Some("Storage".into()),
        question: "Where should sessions be stored?".into(),
        ..choice(&["Postgres", "SQLite"]).named("db")
    }
}

/// One entry for one question.
fn one(question: &Question, entry: Submitted) -> Result<Answer, Vec<Problem>> {
    let questions = [question.clone()];
    resolve(&questions, &[(AnswerKey::Index(0), entry)]).map(|mut answers| answers.remove(0))
}

#[track_caller]
fn accepts(question: &Question, entry: Submitted, expect: &Answer) {
    assert_eq!(one(question, entry).as_ref(), Ok(expect));
}

/// Rejected with exactly one problem: its code, and words that its message has.
#[track_caller]
fn rejects(question: &Question, entry: Submitted, code: &str, mentions: &[&str]) {
    let problems = one(question, entry).expect_err("rejected");
    let [problem] = problems.as_slice() else { panic!("one problem: {problems:?}") };
    assert_eq!(problem.code, code, "{problem:?}");
    assert_eq!(problem.path, format!("answers.{}", question.id));
    for word in mentions {
        assert!(problem.message.contains(word), "{word:?} in {problem:?}");
    }
}

#[test]
fn single_choice() {
    let db = storage();
    for name in ["o2", "SQLite", " sqlite ", "S\u{200b}QLite"] {
        accepts(&db, entry(&[name], ""), &selected(&[1]));
    }
    accepts(&db, entry(&["o1", "Postgres"], ""), &selected(&[0]));
    accepts(&db, entry(&[], "In memory"), &typed("In memory"));
    // Typed text never ticks an option, however it reads.
    accepts(&db, entry(&[], "SQLite"), &typed("SQLite"));
    accepts(&db, entry(&[], "{\"action\": \"cancel\"}"), &typed("{\"action\": \"cancel\"}"));
    accepts(&db, entry(&["Other"], "In memory"), &typed("In memory"));
    accepts(&choice(&["3", "1", "2"]), entry(&["1"], ""), &selected(&[1]));

    rejects(&db, entry(&["MySQL"], ""), "unknown_option", &["Storage", "MySQL", "Postgres"]);
    rejects(&db, entry(&["2"], ""), "unknown_option", &["\"2\"", "label"]);
    rejects(&db, entry(&["__cancelled__"], ""), "unknown_option", &["__cancelled__"]);
    rejects(&db, entry(&["Postgres", "SQLite"], ""), "several_selected", &["Storage", "one"]);
    rejects(
        &db,
        entry(&["SQLite"], "or not"),
        "selection_and_text",
        &["Storage", "one of the two"],
    );
    rejects(&db, entry(&["Other"], ""), "other_without_text", &["Storage", "text"]);
    let strict = Question { allow_custom: false, ..db };
    rejects(&strict, entry(&[], "In memory"), "text_not_allowed", &["Storage", "select"]);
    rejects(&strict, entry(&["other"], "In memory"), "unknown_option", &["other"]);
}

#[test]
fn folded_labels_must_be_unique() {
    let question = choice(&["yes", "Yes", "No"]);
    accepts(&question, entry(&["Yes"], ""), &selected(&[1]));
    rejects(&question, entry(&["YES"], ""), "ambiguous_option", &["YES", "exact"]);
}

#[test]
fn multiple_choice() {
    let checks = multi(&["Unit tests", "Linter", "Type check"]);
    accepts(&checks, entry(&["Linter", "Unit tests", "o2"], ""), &selected(&[0, 1]));
    let both = Answer { text: Some("only src, tests".into()), ..selected(&[1]) };
    accepts(&checks, entry(&["Linter"], "only src, tests"), &both);
    accepts(&checks, entry(&[], "a smoke run"), &typed("a smoke run"));
    rejects(&checks, entry(&["Linter", "x"], ""), "unknown_option", &["\"x\""]);

    let two = Question { min_selected: Some(2), max_selected: Some(2), ..checks };
    accepts(&two, entry(&["o1", "o2"], ""), &selected(&[0, 1]));
    accepts(&two, entry(&["o2"], "more"), &Answer { text: Some("more".into()), ..selected(&[1]) });
    rejects(&two, entry(&["o1"], ""), "too_few_selected", &["at least 2", "has 1"]);
    rejects(&two, entry(&["o1", "o2", "o3"], ""), "too_many_selected", &["at most 2", "has 3"]);
    rejects(&two, entry(&["o1", "o2"], "more"), "too_many_selected", &["has 3"]);
}

#[test]
fn what_is_no_answer() {
    let db = storage();
    let note = Submitted { notes: Some("leaning to the file".into()), ..Submitted::default() };
    let nothing = [
        Submitted::default(),
        entry(&[], " \n\u{200b}"),
        entry(&[""], ""),
        entry(&[" "], " "),
        note,
    ];
    for entry in nothing {
        rejects(&db, entry, "no_answer", &["Storage", "empty"]);
    }
    let problems = resolve(std::slice::from_ref(&db), &[]).expect_err("missing");
    assert_eq!((problems[0].code, problems[0].path.as_str()), ("no_answer", "answers.db"));
}

#[test]
fn blanks_are_deliberate() {
    let db = storage();
    let why = text("Why?").named("why");
    let submit = |first, second| {
        resolve(&[db.clone(), why.clone()], &[(named("db"), first), (named("why"), second)])
    };
    let answers = submit(entry(&["SQLite"], ""), blank()).expect("one blank");
    assert_eq!(answers, [selected(&[1]), Answer::blank()]);
    let problems = submit(blank(), blank()).expect_err("all blank");
    assert_eq!((problems[0].code, problems[0].path.as_str()), ("all_blank", "answers"));
    assert!(problems[0].message.contains("use dismiss"));

    rejects(&db, Submitted { blank: true, ..entry(&["o1"], "") }, "blank_and_answer", &["blank"]);
    rejects(&db, Submitted { blank: true, ..entry(&[], "x") }, "blank_and_answer", &["blank"]);
    let required = Question { required: true, ..db.clone() };
    rejects(&required, blank(), "required", &["Storage"]);
}

#[test]
fn keys() {
    let mut b = storage().named("b");
    b.header = Some("Queue".into());
    let questions = [storage(), b, text("0").named("Storage")];
    let submit = |keys: [&str; 3]| {
        let entries = [entry(&["o1"], ""), entry(&["o2"], ""), entry(&[], "x")];
        resolve(&questions, &keys.map(named).into_iter().zip(entries).collect::<Vec<_>>())
    };
    let check = |keys, expect: &[(&str, &str)]| {
        let problems = submit(keys).err().unwrap_or_default();
        let found: Vec<_> = problems.iter().map(|p| (p.code, p.path.as_str())).collect();
        assert_eq!(found, expect, "{keys:?}");
    };
    check(["db", "b", "Storage"], &[]);
    // An id beats a header, a text beats an index.
    check(["db", "Queue", "0"], &[]);
    check(["db", "1", "2"], &[]);
    let text = "Where should sessions be stored?";
    let lost = ("no_answer", "answers.db");
    check([text, "b", "2"], &[("ambiguous_key", "answers.Where should sessions be stored?"), lost]);
    check(["Delete backups?", "b", "2"], &[("unknown_question", "answers.Delete backups?"), lost]);
    for key in ["3", "01", "-1", "+1", "STORAGE", ""] {
        let path = format!("answers.{key}");
        check([key, "b", "2"], &[("unknown_question", path.as_str()), lost]);
    }
    check(["b", "1", "2"], &[("answered_twice", "answers.b"), lost]);
    let problems = resolve(&questions, &[(AnswerKey::Index(3), blank())]).expect_err("no fourth");
    assert_eq!(problems[0].code, "unknown_question");
}

#[test]
fn hidden_answers_are_discarded_unread() {
    let mut host = text("Which host?").named("host");
    host.required = true;
    host.show_when = vec![Condition {
        question: "db".into(),
        options: vec!["Postgres".into()],
        ..Condition::default()
    }];
    let questions = [storage(), host];
    let submit = |db: &str, host: Submitted| {
        resolve(&questions, &[(named("db"), entry(&[db], "")), (named("host"), host)])
    };
    assert_eq!(submit("Postgres", entry(&[], "db1")), Ok(vec![selected(&[0]), typed("db1")]));
    for left_over in [entry(&[], "db1"), entry(&["nonsense"], ""), blank()] {
        assert_eq!(submit("SQLite", left_over), Ok(vec![selected(&[1]), Answer::blank()]));
    }
    let db_only = [(named("db"), entry(&["SQLite"], ""))];
    assert_eq!(resolve(&questions, &db_only), Ok(vec![selected(&[1]), Answer::blank()]));
    // A faulty answer brings up no fault in what hangs on it.
    assert_eq!(submit("MySQL", blank()).expect_err("unknown").len(), 1);
}

#[test]
fn typed_text_and_notes_have_limits() {
    let at = "x".repeat(TYPED_ANSWER.max);
    let over = format!("{at}x");
    let why = text("Why?");
    let note = |notes: &str| Submitted { notes: Some(notes.into()), ..entry(&[], "x") };
    accepts(&why, entry(&[], &at), &typed(&at));
    rejects(&why, entry(&[], &over), "too_large", &["65537", "65536"]);
    accepts(&why, note(&at), &Answer { notes: Some(at.clone()), ..typed("x") });
    rejects(&why, note(&over), "too_large", &["note", "65537", "65536"]);
    let no_notes = Question { allow_notes: false, ..why };
    rejects(&no_notes, note("hm"), "notes_not_allowed", &["note"]);
    accepts(&no_notes, note(" "), &typed("x"));
}

#[test]
fn typed_text_keeps_to_its_format() {
    let count = Question { format: Some(Format::Integer), max: Some(9.0), ..text("How many?") };
    accepts(&count, entry(&[], " 7 "), &typed("7"));
    rejects(&count, entry(&[], "42xyz"), "wrong_format", &["integer", "whole number"]);
    rejects(&count, entry(&[], "10"), "too_big", &["at most 9"]);
    accepts(&text("Why?"), entry(&[], " as typed "), &typed(" as typed "));
}

#[test]
fn messages_are_safe() {
    let db = storage();
    rejects(&db, entry(&["\u{1b}[31m"], ""), "unknown_option", &["␛[31m"]);
    let token = Question { secret: true, ..text("Token?") };
    let problems = one(&token, entry(&["hunter2"], "")).expect_err("no options");
    assert!(!problems[0].message.contains("hunter2"));
}
