//! The ask as a whole.

use std::collections::HashSet;

use askdock_domain::{AskContent, BatchKind, Condition, Question, QuestionKind, Risk};
use askdock_wire::names;
use serde_json::Value;

use super::containers::{self, Located};
use super::fields::{Field, Fields, Found, batch, question as q};
use super::notes::Notes;
use super::options;
use super::other::means_other;
use super::question::{self, ReadQuestion};
use super::review::review;
use super::scalar;
use crate::dialect::Profile;
use crate::{Ask, Timeout};

/// Reads `input`; what is missing or wrong is in `notes`.
pub(crate) fn read(input: Value, profile: Profile, notes: &mut Notes) -> Ask {
    let Located { levels, items, list, flat } = containers::locate(input, notes);
    let mut around = Around { levels };
    notes.place("questions".to_owned(), &list);
    let kind = if profile.kinds { around.kind(!items.is_empty(), notes) } else { None };
    let kind = kind.unwrap_or_default();
    let mut ask = around.envelope(profile, notes);
    ask.content.kind = kind;
    if matches!(kind, BatchKind::Confirm | BatchKind::Url) {
        around.statement(&mut ask.content, notes);
        around.finish(notes);
        return ask;
    }
    let is_permission = kind == BatchKind::Permission;
    let mut read = vec![];
    let is_nested = around.levels.len() > 1;
    if let Some(fields) = around.levels.last_mut().filter(|_| flat) {
        // A text alone and what was wrapped have their own warning; a permission is one question.
        if !is_permission && !is_nested && !fields.is_short() {
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
    around.finish(notes);
    fold_others(&mut read, notes);
    review(&read, notes);
    give_ids(&mut read);
    ask.content.questions =
        read.into_iter().enumerate().map(|(at, q)| settled(at, q, notes)).collect();
    ask
}

/// The objects around the questions.
struct Around {
    levels: Vec<Fields>,
}

impl Around {
    /// Takes `field` from the innermost level that has it.
    fn take(&mut self, field: Field, place: &str, notes: &mut Notes) -> Option<Found> {
        let found = self.levels.iter_mut().rev().find_map(|fields| fields.take(field, notes))?;
        if !place.is_empty() {
            notes.place(place.to_owned(), &found.path);
        }
        Some(found)
    }

    fn text(&mut self, field: Field, place: &str, notes: &mut Notes) -> Option<String> {
        self.take(field, place, notes).and_then(|found| scalar::text(found, notes))
    }

    /// The kind of the batch. In a flat ask the same field may say what kind of question it is:
    /// it is left to the question where it names no kind of batch.
    fn kind(&mut self, has_list: bool, notes: &mut Notes) -> Option<BatchKind> {
        let named = |fields: &Fields, field: Field| {
            fields.peek(field).and_then(Value::as_str).and_then(kind_named)
        };
        let innermost = self.levels.last()?;
        let by_type = named(innermost, batch::TYPE).filter(|kind| *kind == BatchKind::Permission);
        let (field, kind) = named(innermost, batch::KIND)
            .map(|kind| (batch::KIND, kind))
            .or(by_type.map(|kind| (batch::TYPE, kind)))?;
        let found = self.take(field, "kind", notes)?;
        let asks = has_list || self.levels.last().is_some_and(|fields| fields.has(q::OPTIONS));
        if asks && matches!(kind, BatchKind::Confirm | BatchKind::Url) {
            let message = "There are questions or options; they are asked as questions.";
            notes.warn("kind_ignored", &found.path, message);
            return None;
        }
        Some(kind)
    }

    /// Everything but the questions.
    fn envelope(&mut self, profile: Profile, notes: &mut Notes) -> Ask {
        let timeout = self.timeout(profile, notes);
        let content = AskContent {
            risk: self.risk(notes),
            context: self.text(batch::CONTEXT, "context", notes),
            ..AskContent::default()
        };
        let ask = Ask {
            content,
            request_id: self.text(batch::REQUEST_ID, "request_id", notes),
            timeout,
            session: self.text(batch::SESSION, "session", notes),
            owner_session: self.text(batch::OWNER_SESSION, "owner_session", notes),
            teammate: self.text(batch::TEAMMATE, "teammate", notes),
            warnings: vec![],
        };
        for fields in &mut self.levels {
            fields.refuse(batch::FORGED, notes);
        }
        ask
    }

    fn risk(&mut self, notes: &mut Notes) -> Risk {
        let Some(found) = self.take(batch::RISK, "risk", notes) else { return Risk::Normal };
        let name = found.value.as_str().unwrap_or_default().trim().to_lowercase();
        match name.as_str() {
            "critical" | "danger" | "dangerous" => Risk::High,
            "low" | "medium" | "none" => Risk::Normal,
            name => names::risk_from_name(name).unwrap_or_else(|| {
                // Care that wasn't needed costs less than care that was missing.
                let message = "This risk is not known and was read as high; send normal or high.";
                notes.warn("risk_not_understood", &found.path, message);
                Risk::High
            }),
        }
    }

    fn timeout(&mut self, profile: Profile, notes: &mut Notes) -> Timeout {
        let fields = [(batch::TIMEOUT, 1.0), (batch::TIMEOUT_MS, 1000.0)];
        let is_named = |around: &Self, field: Field| around.levels.iter().any(|l| l.names(field));
        let omitted = fields.iter().all(|(field, _)| !is_named(self, *field));
        if omitted {
            return profile.omitted_timeout;
        }
        for (field, in_a_second) in fields {
            let Some(found) = self.take(field, "", notes) else { continue };
            let Some(number) = seconds(&found.value) else {
                let message = "This timeout was not understood and was ignored; send seconds.";
                notes.warn("timeout_not_understood", &found.path, message);
                return profile.omitted_timeout;
            };
            let path = found.path.as_str();
            let (timeout, warning) = Timeout::from_seconds(number / in_a_second, path);
            if let Some(warning) = warning {
                notes.push_warning(warning);
            }
            return timeout;
        }
        Timeout::Absent
    }

    /// The message and address of a batch without questions.
    fn statement(&mut self, content: &mut AskContent, notes: &mut Notes) {
        content.url = self.text(batch::URL, "url", notes);
        let message = [q::TEXT, q::TITLE, q::DESCRIPTION, q::HEADER]
            .into_iter()
            .find_map(|field| self.take(field, "message", notes));
        content.message = message.and_then(|found| scalar::text(found, notes));
    }

    /// A text beside the list of questions says why they are asked.
    fn introduction(&mut self, content: &mut AskContent, notes: &mut Notes) {
        if content.context.is_some() {
            return;
        }
        content.context = [q::DESCRIPTION, q::TEXT, q::TITLE]
            .into_iter()
            .find_map(|field| self.take(field, "context", notes))
            .and_then(|found| scalar::text(found, notes));
    }

    fn finish(self, notes: &mut Notes) {
        for fields in self.levels {
            fields.finish(notes);
        }
    }
}

fn kind_named(name: &str) -> Option<BatchKind> {
    match name.trim().to_lowercase().as_str() {
        "approval" => Some(BatchKind::Permission),
        "confirmation" => Some(BatchKind::Confirm),
        name => names::kind_from_name(name),
    }
}

/// Seconds in a number or in text such as `"60"` or `"60s"`.
fn seconds(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => {
            let text = text.trim().trim_end_matches(['s', 'S']);
            scalar::number(&Value::String(text.to_owned()))
        }
        value => scalar::number(value),
    }
}

/// Authored *Other* rows become the free-text row, which is permitted then whatever the flag
/// said. One that a later question depends on stays an option, since only those can be named.
fn fold_others(questions: &mut [ReadQuestion], notes: &mut Notes) {
    let named: HashSet<(String, String)> = questions
        .iter()
        .flat_map(|read| &read.question.show_when)
        .flat_map(|Condition { question, options, .. }| {
            options.iter().map(|option| (question.clone(), option.clone()))
        })
        .collect();
    for ReadQuestion { question, options, .. } in questions {
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
