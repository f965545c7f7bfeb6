//! Answers: what was submitted, and what it means for the questions.

#[cfg(test)]
mod tests;

use crate::faults::{faults, missing, problem, use_dismiss};
use crate::options::{NoOption, OptionNames, listed};
use crate::text::{is_blank, quoted};
use crate::visibility::Branching;
use crate::{Problem, Question};

/// The answer to one question, resolved against its options.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// Selected options as positions in `Question::options`, in the question's order.
    pub selected: Vec<usize>,
    /// Typed text.
    pub text: Option<String>,
    /// A note beside the answer.
    pub notes: Option<String>,
    /// Left blank on purpose, or hidden.
    pub blank: bool,
}

impl Answer {
    /// A deliberate or implied blank.
    pub fn blank() -> Self {
        Self { blank: true, ..Self::default() }
    }

    /// Whether there is an answer at all: a selection or typed text. Notes alone are none.
    pub fn is_answered(&self) -> bool {
        !self.blank && (!self.selected.is_empty() || self.typed().is_some())
    }

    /// The typed text, if any of it is visible.
    pub(crate) fn typed(&self) -> Option<&str> {
        self.text.as_deref().filter(|text| !is_blank(text))
    }
}

/// One [`Answer`] for each question of the batch, in order; hidden ones blank.
pub type Answers = Vec<Answer>;

/// How a submitted entry names its question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerKey {
    /// Question id, else exact question text, else unique header, else a 0-based index in digits.
    Name(String),
    /// 0-based position (answers sent as a list).
    Index(usize),
}

/// One submitted entry, not yet checked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Submitted {
    /// Option ids or labels.
    pub selected: Vec<String>,
    /// Typed text.
    pub text: Option<String>,
    /// A note.
    pub notes: Option<String>,
    /// `{"blank": true}`.
    pub blank: bool,
}

/// Matches submitted entries to the questions and checks them.
///
/// # Errors
/// One [`Problem`] for each fault, path `answers.<question id>`; nothing is partially accepted.
pub fn resolve(
    questions: &[Question],
    entries: &[(AnswerKey, Submitted)],
) -> Result<Answers, Vec<Problem>> {
    let (by_question, mut problems) = by_question(questions, entries);
    let mut answers = Answers::with_capacity(questions.len());
    let branching = Branching::of(questions);
    let mut shown = Vec::with_capacity(questions.len());
    for (question, entry) in questions.iter().zip(by_question) {
        shown.push(branching.is_shown(&answers, &shown));
        answers.push(match (shown.last(), entry) {
            (Some(false), _) => Answer::blank(),
            (_, Some(entry)) => read(question, entry, &mut problems),
            (_, None) => {
                problems.push(missing(question));
                Answer::default()
            }
        });
    }
    if problems.is_empty() && !answers.is_empty() && answers.iter().all(|answer| answer.blank) {
        problems.push(use_dismiss());
    }
    if problems.is_empty() { Ok(answers) } else { Err(problems) }
}

/// The entry of each question, and what is wrong with the keys.
fn by_question<'a>(
    questions: &[Question],
    entries: &'a [(AnswerKey, Submitted)],
) -> (Vec<Option<&'a Submitted>>, Vec<Problem>) {
    let mut found = vec![None; questions.len()];
    let mut problems = vec![];
    for (key, entry) in entries {
        let position = match key {
            AnswerKey::Index(index) if *index < questions.len() => Ok(*index),
            AnswerKey::Index(index) => Err(unknown_key(&index.to_string(), questions)),
            AnswerKey::Name(name) => position(questions, name),
        };
        match position {
            Ok(position) if found[position].is_none() => found[position] = Some(entry),
            Ok(position) => problems.push(problem(
                &questions[position],
                "answered_twice",
                "is answered twice; send one entry for it",
            )),
            Err(unknown) => problems.push(unknown),
        }
    }
    (found, problems)
}

fn position(questions: &[Question], name: &str) -> Result<usize, Problem> {
    if let Some(position) = questions.iter().position(|question| question.id == name) {
        return Ok(position);
    }
    let by_text: Vec<usize> = positions(questions, |question| question.question == name);
    let by_header = || positions(questions, |question| question.header.as_deref() == Some(name));
    let named = if by_text.is_empty() { by_header() } else { by_text };
    match named.as_slice() {
        [position] => Ok(*position),
        [] => index(name)
            .filter(|index| *index < questions.len())
            .ok_or_else(|| unknown_key(name, questions)),
        _ => Err(Problem::new(
            "ambiguous_key",
            key_path(name),
            format!("Several questions are called {}; send their ids.", quoted(name)),
        )),
    }
}

fn positions(questions: &[Question], is_meant: impl Fn(&Question) -> bool) -> Vec<usize> {
    (0..questions.len()).filter(|position| is_meant(&questions[*position])).collect()
}

/// A 0-based index in digits, without sign or leading zeros.
fn index(name: &str) -> Option<usize> {
    name.parse().ok().filter(|index: &usize| index.to_string() == name)
}

fn unknown_key(name: &str, questions: &[Question]) -> Problem {
    let ids: Vec<String> = questions.iter().map(|question| quoted(&question.id)).collect();
    let message = format!("There is no question {}; the ids are {}.", quoted(name), ids.join(", "));
    Problem::new("unknown_question", key_path(name), message)
}

fn key_path(name: &str) -> String {
    format!("answers.{}", quoted(name).trim_matches('"'))
}

/// Reads the entry of a visible question. What is returned beside problems is the best guess, so
/// that one fault doesn't bring up others behind it.
fn read(question: &Question, entry: &Submitted, problems: &mut Vec<Problem>) -> Answer {
    let trimmed = |text: &String| {
        // A format describes the text inside; elsewhere white space may be meant.
        if question.format.is_some() { text.trim().to_owned() } else { text.clone() }
    };
    let some = |text: &Option<String>| text.clone().filter(|text| !is_blank(text));
    let mut answer = Answer {
        selected: vec![],
        text: some(&entry.text).as_ref().map(trimmed),
        notes: some(&entry.notes),
        blank: entry.blank,
    };
    let selects = entry.selected.iter().any(|name| !is_blank(name));
    if entry.blank && (selects || answer.text.is_some()) {
        let says = "is marked blank but also has an answer; send one of the two";
        problems.push(problem(question, "blank_and_answer", says));
        return answer;
    }
    let before = problems.len();
    if selects {
        select(question, entry, &mut answer, problems);
    }
    // An unknown option is fault enough: what else is missing follows from it.
    if problems.len() == before {
        problems.extend(faults(question, &answer));
    }
    answer
}

fn select(
    question: &Question,
    entry: &Submitted,
    answer: &mut Answer,
    problems: &mut Vec<Problem>,
) {
    let names = OptionNames::of(question);
    for name in &entry.selected {
        match names.position(name) {
            Ok(option) => answer.selected.push(option),
            Err(NoOption::Unknown) if is_other(question, name) => {
                if answer.text.is_none() {
                    let says = "needs text for Other; send it as text";
                    problems.push(problem(question, "other_without_text", says));
                }
            }
            Err(fault) => problems.push(no_option(question, name, fault)),
        }
    }
    answer.selected.sort_unstable();
    answer.selected.dedup();
}

/// Whether `name` means the free-text row, whose text comes as text.
fn is_other(question: &Question, name: &str) -> bool {
    question.allow_custom && name.trim().eq_ignore_ascii_case("other")
}

fn no_option(question: &Question, name: &str, fault: NoOption) -> Problem {
    // Perhaps a secret in the wrong field.
    let named = if question.secret { "what was selected".to_owned() } else { quoted(name) };
    if question.options.is_empty() {
        let says = format!("has no options, so {named} can't be selected; send it as text");
        return problem(question, "unknown_option", &says);
    }
    let options = listed(question);
    let (code, says) = match fault {
        NoOption::Ambiguous => (
            "ambiguous_option",
            format!("has several options like {named}; send the option's id or its exact label"),
        ),
        NoOption::Unknown => (
            "unknown_option",
            format!("has no option {named}; send the id or the exact label of one of {options}"),
        ),
    };
    problem(question, code, &says)
}
