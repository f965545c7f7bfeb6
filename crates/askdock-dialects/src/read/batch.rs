//! The ask as a whole.

use std::collections::HashSet;

use askdock_domain::{BatchKind, Condition, Question, QuestionKind, limits};
use serde_json::Value;

use super::around::Around;
use super::containers::{self, Located};
use super::notes::Notes;
use super::other::means_other;
use super::path::Path;
use super::question::{self, ReadQuestion};
use super::review::review;
use super::{form, interrupt, options, tool_call};
use crate::Ask;
use crate::dialect::{Permission, Profile, Shape};

/// Reads `input`; what is missing or wrong is in `notes`.
pub(crate) fn read(input: Value, profile: Profile, notes: &mut Notes) -> Ask {
    match profile.shape {
        Shape::Questions | Shape::Prompt => questions(input, profile, notes),
        Shape::Form => form::read(input, profile, notes),
        Shape::ToolCall => tool_call::read(input, profile, notes),
        Shape::Interrupt => interrupt::read(&input, profile, notes),
    }
}

/// Reads questions in any container.
pub(super) fn questions(input: Value, profile: Profile, notes: &mut Notes) -> Ask {
    let located = containers::locate(input, profile.shape == Shape::Prompt, notes);
    let Located { levels, items, list, flat } = located;
    let mut around = Around { levels };
    notes.place("questions".to_owned(), &list);
    let kind = if profile.kinds { around.kind(!items.is_empty(), notes) } else { None };
    let kind = kind.unwrap_or_default();
    let mut ask = around.envelope(profile, notes);
    ask.content.kind = kind;
    if matches!(kind, BatchKind::Confirm | BatchKind::Url) {
        around.statement(&mut ask.content, notes);
        around.finish(profile, notes);
        return ask;
    }
    if is_crowded(items.len(), &list, notes) {
        return ask;
    }
    let is_permission = kind == BatchKind::Permission;
    let mut read = vec![];
    let is_nested = around.levels.len() > 1;
    if let Some(fields) = around.levels.last_mut().filter(|_| flat) {
        // A text alone and what was wrapped have their own warning; a permission and a prompt are
        // one question.
        let is_meant = is_permission || profile.shape == Shape::Prompt;
        if !is_meant && !is_nested && !fields.is_short() {
            let message = "The question stood outside a list; it was read as the only one.";
            notes.warn("flat_question", &fields.path, message);
        }
        read.push(question::read(fields, 0, is_permission, profile, notes));
    }
    for mut fields in items {
        read.push(question::read(&mut fields, read.len(), is_permission, profile, notes));
        fields.finish(notes);
    }
    if !flat {
        around.introduction(&mut ask.content, notes);
    }
    around.finish(profile, notes);
    fold_others(&mut read, profile, notes);
    ask.content.questions = assembled(read, notes);
    ask
}

/// Whether there are more questions than a batch may have, which are then not even read: far too
/// many would take far too long.
pub(super) fn is_crowded(count: usize, place: &Path, notes: &mut Notes) -> bool {
    let limits::Limit { what, max, unit } = limits::QUESTIONS;
    if count > max {
        let message = format!("{what} may be at most {max} {unit}, here are {count}; send less.");
        notes.problem("too_large", place, message);
    }
    count > max
}

/// The questions with an id each, and their options in place.
pub(super) fn assembled(mut read: Vec<ReadQuestion>, notes: &mut Notes) -> Vec<Question> {
    review(&read, notes);
    give_ids(&mut read);
    read.into_iter().enumerate().map(|(at, question)| settled(at, question, notes)).collect()
}

/// Authored *Other* rows become the free-text row, which is permitted then whatever the flag
/// said, except in a format whose options are the only answers unless it asks for more. One that
/// a later question depends on stays an option, since only those can be named.
fn fold_others(questions: &mut [ReadQuestion], profile: Profile, notes: &mut Notes) {
    let named: HashSet<(String, String)> = questions
        .iter()
        .flat_map(|read| &read.question.show_when)
        .flat_map(|Condition { question, options, .. }| {
            options.iter().map(|option| (question.clone(), option.clone()))
        })
        .collect();
    for ReadQuestion { question, options, .. } in questions {
        if profile.custom != Permission::Given && !question.allow_custom {
            continue;
        }
        let id = question.id.clone();
        let is_named = |name: &str| named.contains(&(id.clone(), name.to_owned()));
        let (others, kept): (Vec<_>, Vec<_>) = std::mem::take(options).into_iter().partition(|o| {
            means_other(&o.item.label) && !is_named(&o.item.label) && !is_named(&o.item.id)
        });
        *options = kept;
        for other in others {
            let message = "This option is the field for the person's own words, \
                which is always there; it was merged with it.";
            notes.warn("other_merged", &other.path, message);
            question.allow_custom = true;
            if question.placeholder.is_none() {
                question.placeholder = other.item.description;
            }
        }
        question.multi_select &= !options.is_empty();
    }
}

/// Ids by position for the questions without one, different from the given ones.
fn give_ids(questions: &mut [ReadQuestion]) {
    let mut taken: HashSet<String> =
        questions.iter().map(|read| read.question.id.clone()).filter(|id| !id.is_empty()).collect();
    for (position, read) in questions.iter_mut().enumerate() {
        if read.question.id.is_empty() {
            let mut id = format!("q{}", position + 1);
            while !taken.insert(id.clone()) {
                id.push('_');
            }
            read.question.id = id;
        }
    }
}

/// The question with its options in place.
fn settled(position: usize, read: ReadQuestion, notes: &mut Notes) -> Question {
    let ReadQuestion { mut question, options, .. } = read;
    for (at, option) in options.iter().enumerate() {
        let place = format!("questions[{position}].options[{at}]");
        let label = format!("{place}.label");
        notes.place(place, &option.path);
        notes.place(label, &option.label_path);
    }
    question.options = options.into_iter().map(|option| option.item).collect();
    options::give_ids(&mut question.options);
    question.kind =
        if question.options.is_empty() { QuestionKind::Text } else { QuestionKind::Choice };
    question
}
