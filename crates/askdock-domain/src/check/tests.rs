use super::*;
use crate::fixtures::{choice, multi, text};
use crate::limits::{
    CONDITION_OPTIONS, CONDITIONS, DESCRIPTION, HEADER, LABEL, OPTIONS, PREVIEW, QUESTION,
    QUESTION_ID,
};
use crate::{Condition, Preview, PreviewKind};

fn ask(questions: Vec<Question>) -> AskContent {
    AskContent { questions, ..AskContent::default() }
}

fn found(content: &AskContent) -> Vec<(&'static str, String)> {
    let problems = check(content).err().unwrap_or_default();
    for problem in &problems {
        assert!(problem.message.ends_with('.') && problem.message.contains(';'), "{problem:?}");
    }
    problems.into_iter().map(|problem| (problem.code, problem.path)).collect()
}

#[track_caller]
fn expect(content: &AskContent, expect: &[(&'static str, &str)]) {
    let expect: Vec<_> = expect.iter().map(|(code, path)| (*code, (*path).to_owned())).collect();
    assert_eq!(found(content), expect);
}

#[test]
fn ordinary_batches_pass() {
    let mut why = text("Why?").named("why");
    why.show_when = vec![
        Condition { question: "db".into(), options: vec!["sqlite".into()], not: true },
        Condition { question: "db".into(), ..Condition::default() },
    ];
    expect(&ask(vec![choice(&["Postgres", "SQLite"]).named("db"), why]), &[]);
    // Differences in case and inner space are told apart; one option is enough.
    expect(&ask(vec![choice(&["yes", "Yes", "y es"])]), &[]);
    expect(&ask(vec![choice(&["Go on"])]), &[]);
}

#[test]
fn something_to_ask() {
    expect(&ask(vec![]), &[("nothing_to_ask", "questions")]);
    let permission = AskContent { kind: BatchKind::Permission, ..AskContent::default() };
    expect(&permission, &[("nothing_to_ask", "questions")]);
    expect(&ask(vec![text(" \n\u{200b}")]), &[("blank_question", "questions[0].question")]);
    expect(&ask(vec![choice(&[])]), &[("no_options", "questions[0].options")]);
    let options = choice(&["a"]).options;
    let odd = Question { options, ..text("?") };
    expect(&ask(vec![odd]), &[("unexpected_options", "questions[0].options")]);
}

#[test]
fn confirm_and_url() {
    let confirm = |message: &str| AskContent {
        kind: BatchKind::Confirm,
        message: Some(message.into()),
        ..AskContent::default()
    };
    expect(&confirm("Ship it?"), &[]);
    expect(&confirm(" "), &[("blank_message", "message")]);
    let mixed = AskContent { questions: vec![text("Why?")], ..confirm("Ship it?") };
    expect(&mixed, &[("unexpected_questions", "questions")]);

    let open = |url: &str| AskContent {
        kind: BatchKind::Url,
        url: Some(url.into()),
        ..confirm("Sign in")
    };
    expect(&open("https://example.org/a?b"), &[]);
    expect(&open("HTTP://localhost:8080"), &[]);
    for bad in ["javascript:alert(1)", "file:///etc/passwd", "https:", "https://", "x", "h ttp://a"]
    {
        expect(&open(bad), &[("bad_url", "url")]);
    }
    expect(&AskContent { url: None, ..open("") }, &[("bad_url", "url")]);
}

#[test]
fn every_size_limit_at_n_and_one_more() {
    type Build = fn(usize) -> AskContent;
    let cases: &[(Limit, &str, Build)] = &[
        (QUESTIONS, "questions", |n| {
            ask((0..n).map(|i| text("Why?").named(&format!("q{i}"))).collect())
        }),
        (OPTIONS, "questions[0].options", |n| {
            let labels: Vec<String> = (0..n).map(|i| format!("o{i}")).collect();
            ask(vec![choice(&labels.iter().map(String::as_str).collect::<Vec<_>>())])
        }),
        (CONDITIONS, "questions[1].show_when", |n| {
            let mut last = text("Why?");
            last.show_when = vec![Condition { question: "a".into(), ..Condition::default() }; n];
            ask(vec![text("A?").named("a"), last])
        }),
        (CONDITION_OPTIONS, "questions[1].show_when[0].options", |n| {
            let (question, options) = ("a".into(), vec!["X".into(); n]);
            let mut last = text("Why?");
            last.show_when = vec![Condition { question, options, not: false }];
            ask(vec![choice(&["x", "y"]).named("a"), last])
        }),
        (QUESTION_ID, "questions[0].id", |n| ask(vec![text("Why?").named(&"x".repeat(n))])),
        (LABEL, "questions[0].options[0].label", |n| ask(vec![choice(&[&"x".repeat(n)])])),
        (HEADER, "questions[0].header", |n| {
            ask(vec![Question { header: Some("x".repeat(n)), ..text("Why?") }])
        }),
        (QUESTION, "questions[0].question", |n| ask(vec![text(&"x".repeat(n))])),
        (DESCRIPTION, "questions[0].description", |n| {
            ask(vec![Question { description: Some("x".repeat(n)), ..text("Why?") }])
        }),
        (DESCRIPTION, "questions[0].options[0].description", |n| {
            let mut question = choice(&["a"]);
            question.options[0].description = Some("x".repeat(n));
            ask(vec![question])
        }),
        (PREVIEW, "questions[0].options[0].preview", |n| {
            let mut question = choice(&["a"]);
            question.options[0].preview =
                Some(Preview { kind: PreviewKind::Markdown, text: "x".repeat(n) });
            ask(vec![question])
        }),
        (BATCH, "", |n| {
            let question = Question { id: "q".into(), ..text("?") };
            AskContent { context: Some("x".repeat(n - 2)), ..ask(vec![question]) }
        }),
    ];
    for (most, path, build) in cases {
        expect(&build(most.max), &[]);
        let over = build(most.max + 1);
        expect(&over, &[("too_large", path)]);
        let message = &check(&over).expect_err("over")[0].message;
        for part in [path.to_string(), most.max.to_string(), (most.max + 1).to_string()] {
            assert!(message.contains(&part), "{part} in {message}");
        }
    }
}

#[test]
fn ids_are_unique() {
    let two = |a: &str, b: &str| ask(vec![text("A?").named(a), text("B?").named(b)]);
    expect(&two("a", "A"), &[]);
    expect(&two("a", "a"), &[("duplicate_id", "questions[1].id")]);
    expect(&two(" ", "a"), &[("blank_id", "questions[0].id")]);
    let mut options = choice(&["a", "b"]);
    options.options[1].id = "o1".into();
    expect(&ask(vec![options.clone()]), &[("duplicate_option_id", "questions[0].options[1].id")]);
    options.options[1].id = String::new();
    expect(&ask(vec![options]), &[("blank_option_id", "questions[0].options[1].id")]);
}

#[test]
fn options_must_look_different() {
    let same = &[("same_label", "questions[0].options")];
    for (a, b) in [
        ("Node", "Node"),
        ("admin", "ad\u{200b}min"),
        ("é", "e\u{301}"),
        (" Yes", "Yes "),
        ("report\u{202e}", "report"),
    ] {
        expect(&ask(vec![choice(&[a, b])]), same);
    }
    let message = &check(&ask(vec![choice(&["Node", "Node"])])).expect_err("same")[0].message;
    assert!(message.contains("Options 1 and 2 have the same label"), "{message}");
    let blank = ask(vec![choice(&["a", "\u{200b}\u{2060}"])]);
    expect(&blank, &[("blank_label", "questions[0].options[1].label")]);
}

#[test]
fn conditions_name_what_was_asked_before() {
    let batch = |question: &str, options: &[&str]| {
        let mut last = text("Why?").named("last");
        let options = options.iter().map(|name| (*name).to_owned()).collect();
        last.show_when = vec![Condition { question: question.into(), options, not: false }];
        ask(vec![choice(&["x", "X", "y"]).named("a"), text("B?"), last, text("C?").named("c")])
    };
    let at = "questions[2].show_when[0].question";
    expect(&batch("a", &["y", "o1", "Y", "X"]), &[]);
    expect(&batch("nope", &[]), &[("unknown_question", at)]);
    expect(&batch("last", &[]), &[("own_question", at)]);
    expect(&batch("c", &[]), &[("later_question", at)]);
    expect(&batch("q1", &[]), &[("id_not_given", at)]);
    let second = "questions[2].show_when[0].options[1]";
    expect(&batch("a", &["x", "z"]), &[("unknown_option", second)]);
    expect(&batch("a", &["x", "\u{200b}"]), &[("unknown_option", second)]);

    let mut on_text = text("Why?").named("b");
    on_text.show_when =
        vec![Condition { question: "a".into(), options: vec!["x".into()], not: false }];
    let batch = ask(vec![text("A?").named("a"), on_text]);
    expect(&batch, &[("unknown_option", "questions[1].show_when[0].options[0]")]);
}

#[test]
fn a_flood_of_unknown_options_is_not_answered_in_full() {
    let condition = Condition { question: "a".into(), options: vec!["no".into(); 200], not: false };
    let mut last = text("Why?");
    last.show_when = vec![condition; 32];
    let problems = check(&ask(vec![choice(&["x"]).named("a"), last])).expect_err("unknown");
    assert_eq!(problems.len(), 200);
}

#[test]
fn ranges_can_be_met() {
    let base = multi(&["a", "b"]);
    let strict = Question { allow_custom: false, ..base.clone() };
    let with = |question: Question| ask(vec![question]);
    let least =
        |n, question: &Question| with(Question { min_selected: Some(n), ..question.clone() });
    expect(&least(3, &base), &[]);
    expect(&least(4, &base), &[("bad_range", "questions[0].min_selected")]);
    expect(&least(2, &strict), &[]);
    expect(&least(3, &strict), &[("bad_range", "questions[0].min_selected")]);
    expect(&least(1, &choice(&["a"])), &[]);
    expect(&least(2, &choice(&["a"])), &[("bad_range", "questions[0].min_selected")]);
    let none = Question { max_selected: Some(0), ..base.clone() };
    expect(&with(none), &[("bad_range", "questions[0].max_selected")]);
    let crossed = Question { min_selected: Some(2), max_selected: Some(1), ..base };
    expect(&with(crossed), &[("bad_range", "questions[0].max_selected")]);

    let why = || text("Why?");
    let crossed = Question { min: Some(2.0), max: Some(1.5), ..why() };
    expect(&with(crossed), &[("bad_range", "questions[0].max")]);
    let endless = Question { max: Some(f64::INFINITY), ..why() };
    expect(&with(endless), &[("bad_range", "questions[0].max")]);
    let crossed = Question { min_length: Some(2), max_length: Some(1), ..why() };
    expect(&with(crossed), &[("bad_range", "questions[0].max_length")]);
    let none = Question { max_length: Some(0), ..why() };
    expect(&with(none), &[("bad_range", "questions[0].max_length")]);
    let pattern = |pattern: &str| with(Question { pattern: Some(pattern.into()), ..why() });
    expect(&pattern("^a+$"), &[]);
    expect(&pattern("(?=a)b"), &[("bad_pattern", "questions[0].pattern")]);
}
