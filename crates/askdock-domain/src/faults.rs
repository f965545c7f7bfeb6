//! What keeps one answer from being submitted.

use crate::limits::{Limit, TYPED_ANSWER};
use crate::text::{is_blank, quoted};
use crate::typed::typed_fault;
use crate::{Answer, Problem, Question, QuestionKind};

/// Everything that is wrong with `answer` as the answer to the visible `question`.
pub(crate) fn faults(question: &Question, answer: &Answer) -> Vec<Problem> {
    let mut problems = note_faults(question, answer);
    if answer.blank {
        if question.required {
            problems.push(problem(question, "required", "needs an answer; it can't be left blank"));
        }
    } else if answer.is_answered() {
        problems.extend(selection_faults(question, answer));
        problems.extend(answer.typed().into_iter().flat_map(|text| text_faults(question, text)));
    } else {
        problems.push(missing(question));
    }
    problems
}

/// `question` has no answer, not even a deliberate blank.
pub(crate) fn missing(question: &Question) -> Problem {
    let what = match question.kind {
        QuestionKind::Choice if question.allow_custom => "select an option or type text",
        QuestionKind::Choice => "select an option",
        QuestionKind::Text => "type text",
    };
    let or_blank = if question.required { "" } else { ", or mark it blank on purpose" };
    problem(question, "no_answer", &format!("has an empty answer; {what}{or_blank}"))
}

/// Every visible answer is a deliberate blank.
pub(crate) fn use_dismiss() -> Problem {
    let message = "Every answer is blank; answer at least one question, or use dismiss.";
    Problem::new("all_blank", "answers", message)
}

/// A problem with the answer to `question`, which `says` goes on to describe.
pub(crate) fn problem(question: &Question, code: &'static str, says: &str) -> Problem {
    let header = question.header.as_deref().filter(|header| !is_blank(header));
    let name = quoted(header.unwrap_or(&question.question));
    Problem::new(code, format!("answers.{}", question.id), format!("{name} {says}."))
}

fn selection_faults(question: &Question, answer: &Answer) -> Vec<Problem> {
    let selected = answer.selected.len();
    let typed = usize::from(answer.typed().is_some());
    let chosen = selected + typed;
    let mut found = vec![];
    let mut add = |code, says: &str| found.push(problem(question, code, says));
    if answer.selected.iter().any(|option| *option >= question.options.len()) {
        add("unknown_option", "has no such option; select one that is shown");
    }
    if typed > 0 && question.kind == QuestionKind::Choice && !question.allow_custom {
        add("text_not_allowed", "takes no typed text; select an option");
    }
    if question.multi_select {
        if let Some(least) = question.min_selected.filter(|least| chosen < *least as usize) {
            add("too_few_selected", &format!("needs at least {least} choices; it has {chosen}"));
        }
        if let Some(most) = question.max_selected.filter(|most| chosen > *most as usize) {
            add("too_many_selected", &format!("takes at most {most} choices; it has {chosen}"));
        }
    } else if selected > 1 {
        add("several_selected", &format!("takes one option; {selected} are selected"));
    } else if chosen > 1 {
        add("selection_and_text", "takes one option or typed text; send one of the two");
    }
    found
}

fn text_faults(question: &Question, text: &str) -> Vec<Problem> {
    if let Some(says) = over_limit(TYPED_ANSWER, "answer", text) {
        return vec![problem(question, "too_large", &says)];
    }
    let fault = typed_fault(question, text);
    fault.into_iter().map(|(code, says)| problem(question, code, &says)).collect()
}

fn note_faults(question: &Question, answer: &Answer) -> Vec<Problem> {
    let Some(note) = answer.notes.as_deref().filter(|note| !is_blank(note)) else {
        return vec![];
    };
    let mut found = vec![];
    if !question.allow_notes {
        found.push(problem(question, "notes_not_allowed", "takes no note; leave the note out"));
    }
    if let Some(says) = over_limit(TYPED_ANSWER, "note", note) {
        found.push(problem(question, "too_large", &says));
    }
    found
}

fn over_limit(limit: Limit, what: &str, text: &str) -> Option<String> {
    let Limit { max, unit, .. } = limit;
    let size = text.len();
    (size > max).then(|| {
        format!("has a typed {what} of {size} {unit}; the most is {max} {unit}, send a shorter one")
    })
}
