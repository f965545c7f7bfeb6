//! The checks of one question among its batch.

use std::collections::HashMap;
use std::fmt;

use super::limit;
use crate::limits::{
    CONDITION_OPTIONS, CONDITIONS, DESCRIPTION, HEADER, LABEL, Limit, OPTIONS, PREVIEW, QUESTION,
    QUESTION_ID,
};
use crate::options::{NoOption, OptionNames, listed};
use crate::text::{is_blank, look_alike_key, quoted};
use crate::typed::is_checkable_pattern;
use crate::{Condition, Problem, Question, QuestionKind};

/// A batch with more problems is looked at no further: nobody reads them all.
const MOST_PROBLEMS: usize = 200;

/// Checks the question at `position` of `questions`, whose options have these `names`.
pub(super) fn check_question(
    questions: &[Question],
    names: &[OptionNames<'_>],
    position: usize,
    problems: &mut Vec<Problem>,
) {
    let question = &questions[position];
    let mut found = Found { path: format!("questions[{position}]"), problems };
    check_texts(question, &mut found);
    check_id(questions, position, &mut found);
    check_options(question, &mut found);
    check_ranges(question, &mut found);
    let conditions = &question.show_when;
    limit(CONDITIONS, &format!("{}.show_when", found.path), conditions.len(), found.problems);
    for (at, condition) in conditions.iter().enumerate().take(CONDITIONS.max) {
        check_condition(questions, names, position, at, condition, &mut found);
    }
}

/// The problems of one question, whose path comes before each.
struct Found<'a> {
    path: String,
    problems: &'a mut Vec<Problem>,
}

impl Found<'_> {
    fn add(&mut self, code: &'static str, field: &str, message: impl Into<String>) {
        self.problems.push(Problem::new(code, format!("{}.{field}", self.path), message));
    }

    fn limit(&mut self, most: Limit, field: fmt::Arguments<'_>, text: Option<&str>) {
        let size = text.map_or(0, str::len);
        // Nearly all are within their limits: the path is made for the others only.
        if size > most.max {
            limit(most, &format!("{}.{field}", self.path), size, self.problems);
        }
    }
}

fn check_texts(question: &Question, found: &mut Found<'_>) {
    if is_blank(&question.question) {
        let message = "The question has no text; send what the person is asked as question.";
        found.add("blank_question", "question", message);
    }
    found.limit(QUESTION, format_args!("question"), Some(&question.question));
    found.limit(QUESTION_ID, format_args!("id"), Some(&question.id));
    found.limit(HEADER, format_args!("header"), question.header.as_deref());
    found.limit(DESCRIPTION, format_args!("description"), question.description.as_deref());
    for (at, option) in question.options.iter().enumerate() {
        found.limit(LABEL, format_args!("options[{at}].label"), Some(&option.label));
        let description = option.description.as_deref();
        found.limit(DESCRIPTION, format_args!("options[{at}].description"), description);
        let preview = option.preview.as_ref().map(|preview| preview.text.as_str());
        found.limit(PREVIEW, format_args!("options[{at}].preview"), preview);
    }
}

fn check_id(questions: &[Question], position: usize, found: &mut Found<'_>) {
    let id = &questions[position].id;
    if is_blank(id) {
        found.add("blank_id", "id", "The id is blank; send some text, or leave the id out.");
    } else if let Some(first) = questions[..position].iter().position(|other| other.id == *id) {
        let message = format!(
            "questions[{first}] has the id {} too; give each question its own id.",
            quoted(id)
        );
        found.add("duplicate_id", "id", message);
    }
}

fn check_options(question: &Question, found: &mut Found<'_>) {
    limit(OPTIONS, &format!("{}.options", found.path), question.options.len(), found.problems);
    match (question.kind, question.options.is_empty()) {
        (QuestionKind::Choice, true) => {
            let message = "A choice has no option with a usable label; \
                send at least one, or send kind \"text\".";
            found.add("no_options", "options", message);
        }
        (QuestionKind::Text, false) => {
            let message = "A question for text has no options; \
                leave them out, or send kind \"choice\".";
            found.add("unexpected_options", "options", message);
        }
        _ => {}
    }
    let mut labels = HashMap::new();
    let mut ids = HashMap::new();
    for (at, option) in question.options.iter().enumerate() {
        let label_key = look_alike_key(&option.label);
        if label_key.is_empty() {
            let message = "The label is blank; send the text that the person chooses.";
            found.add("blank_label", &format!("options[{at}].label"), message);
        } else if let Some(first) = labels.insert(label_key, at) {
            let message = format!(
                "Options {} and {} have the same label {} to the eye; rename one of them.",
                first + 1,
                at + 1,
                quoted(&option.label)
            );
            found.add("same_label", "options", message);
        }
        let id_field = || format!("options[{at}].id");
        if is_blank(&option.id) {
            let message = "The id is blank; send some text, or leave the id out.";
            found.add("blank_option_id", &id_field(), message);
        } else if let Some(first) = ids.insert(option.id.as_str(), at) {
            let message = format!(
                "options[{first}] has the id {} too; give each option its own id.",
                quoted(&option.id)
            );
            found.add("duplicate_option_id", &id_field(), message);
        }
    }
}

fn check_ranges(question: &Question, found: &mut Found<'_>) {
    let selectable = match (question.kind, question.multi_select) {
        (QuestionKind::Text, _) => None,
        (QuestionKind::Choice, false) => Some(1),
        (QuestionKind::Choice, true) => {
            Some(question.options.len() + usize::from(question.allow_custom))
        }
    };
    let too_many = |least: u32| selectable.is_some_and(|most| least as usize > most);
    if let Some(least) = question.min_selected.filter(|least| too_many(*least)) {
        let message = format!("{least} choices can't be made here; send a smaller min_selected.");
        found.add("bad_range", "min_selected", message);
    }
    if question.max_selected == Some(0) {
        let message = "With max_selected 0 nothing can be selected; send at least 1.";
        found.add("bad_range", "max_selected", message);
    }
    if question.max_length == Some(0) {
        let message = "With max_length 0 nothing can be typed; send at least 1.";
        found.add("bad_range", "max_length", message);
    }
    let number = |n: Option<u32>| n.map(f64::from);
    let ranges = [
        ("min", question.min, "max", question.max),
        ("min_length", number(question.min_length), "max_length", number(question.max_length)),
        (
            "min_selected",
            number(question.min_selected),
            "max_selected",
            number(question.max_selected),
        ),
    ];
    for (low_name, low, high_name, high) in ranges {
        let Some((low, high)) = low.zip(high).filter(|(low, high)| low > high) else { continue };
        let message = format!(
            "{low_name} {low} is above {high_name} {high}; send a {high_name} of at least {low}."
        );
        found.add("bad_range", high_name, message);
    }
    for (name, bound) in [("min", question.min), ("max", question.max)] {
        if bound.is_some_and(|n| !n.is_finite()) {
            found.add("bad_range", name, "This is no number; send a finite one.");
        }
    }
    if question.pattern.as_deref().is_some_and(|pattern| !is_checkable_pattern(pattern)) {
        let message = "The pattern can't be checked; send a regular expression \
            without look-around and back-references, or leave it out.";
        found.add("bad_pattern", "pattern", message);
    }
}

fn check_condition(
    questions: &[Question],
    names: &[OptionNames<'_>],
    position: usize,
    at: usize,
    condition: &Condition,
    found: &mut Found<'_>,
) {
    let field = format!("show_when[{at}].question");
    let name = quoted(&condition.question);
    let named = questions.iter().position(|question| question.id == condition.question);
    let fault = match named {
        None => Some(("unknown_question", format!("No question has the id {name}"))),
        Some(named) if named == position => {
            Some(("own_question", format!("{name} is this question itself")))
        }
        Some(named) if named > position => {
            Some(("later_question", format!("The question {name} comes later")))
        }
        Some(named) if !questions[named].id_given => {
            Some(("id_not_given", format!("The question {name} was sent without an id")))
        }
        Some(named) => {
            check_condition_options(&questions[named], &names[named], at, condition, found);
            None
        }
    };
    if let Some((code, fault)) = fault {
        let message = format!("{fault}; name an earlier question by the id you gave it.");
        found.add(code, &field, message);
    }
}

fn check_condition_options(
    question: &Question,
    names: &OptionNames<'_>,
    at: usize,
    condition: &Condition,
    found: &mut Found<'_>,
) {
    let path = format!("{}.show_when[{at}].options", found.path);
    limit(CONDITION_OPTIONS, &path, condition.options.len(), found.problems);
    for (option_at, name) in condition.options.iter().enumerate().take(CONDITION_OPTIONS.max) {
        let Err(fault) = names.position(name) else { continue };
        if found.problems.len() >= MOST_PROBLEMS {
            return;
        }
        let (id, name) = (quoted(&question.id), quoted(name));
        let message = match fault {
            _ if question.options.is_empty() => format!(
                "The question {id} has no options; leave options out to ask whether it is answered."
            ),
            NoOption::Unknown => {
                format!("The question {id} has no option {name}; send one of {}.", listed(question))
            }
            NoOption::Ambiguous => {
                format!("The question {id} has several options like {name}; send the exact label.")
            }
        };
        let field = format!("show_when[{at}].options[{option_at}]");
        found.add("unknown_option", &field, message);
    }
}
