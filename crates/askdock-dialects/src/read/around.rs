//! What stands around the questions: timeout, risk, session, keys, and the kind of the ask.

use askdock_domain::{AskContent, BatchKind, Risk};
use askdock_wire::names;
use serde_json::Value;

use super::fields::{Field, Fields, Found, batch, question as q};
use super::notes::Notes;
use super::scalar;
use crate::dialect::Profile;
use crate::{Ask, Timeout};

/// The objects around the questions.
pub(super) struct Around {
    pub(super) levels: Vec<Fields>,
}

impl Around {
    /// Takes `field` from the innermost level that has it.
    pub(super) fn take(&mut self, field: Field, place: &str, notes: &mut Notes) -> Option<Found> {
        let found = self.levels.iter_mut().rev().find_map(|fields| fields.take(field, notes))?;
        if !place.is_empty() {
            notes.place(place.to_owned(), &found.path);
        }
        Some(found)
    }

    pub(super) fn text(&mut self, field: Field, place: &str, notes: &mut Notes) -> Option<String> {
        self.take(field, place, notes).and_then(|found| scalar::text(found, notes))
    }

    /// The kind of the batch. In a flat ask the same field may say what kind of question it is:
    /// it is left to the question where it names no kind of batch.
    pub(super) fn kind(&mut self, has_list: bool, notes: &mut Notes) -> Option<BatchKind> {
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
    pub(super) fn envelope(&mut self, profile: Profile, notes: &mut Notes) -> Ask {
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
        let fields =
            [(batch::TIMEOUT, 1.0), (batch::TIMEOUT_MINUTES, 60.0), (batch::TIMEOUT_MS, 0.001)];
        let is_named = |around: &Self, field: Field| around.levels.iter().any(|l| l.names(field));
        let omitted = fields.iter().all(|(field, _)| !is_named(self, *field));
        if omitted {
            return profile.omitted_timeout;
        }
        for (field, unit) in fields {
            let Some(found) = self.take(field, "", notes) else { continue };
            let Some(number) = seconds(&found.value, unit) else {
                let message = "This timeout was not understood and was ignored; send seconds.";
                notes.warn("timeout_not_understood", &found.path, message);
                return profile.omitted_timeout;
            };
            let path = found.path.as_str();
            let (timeout, warning) = Timeout::from_seconds(number, path);
            if let Some(warning) = warning {
                notes.push_warning(warning);
            }
            return timeout;
        }
        Timeout::Absent
    }

    /// The message and address of a batch without questions.
    pub(super) fn statement(&mut self, content: &mut AskContent, notes: &mut Notes) {
        content.url = self.text(batch::URL, "url", notes);
        let message = [q::TEXT, q::TITLE, q::DESCRIPTION, q::HEADER]
            .into_iter()
            .find_map(|field| self.take(field, "message", notes));
        content.message = message.and_then(|found| scalar::text(found, notes));
    }

    /// A text beside the list of questions says why they are asked.
    pub(super) fn introduction(&mut self, content: &mut AskContent, notes: &mut Notes) {
        if content.context.is_some() {
            return;
        }
        content.context = [q::DESCRIPTION, q::TEXT, q::TITLE]
            .into_iter()
            .find_map(|field| self.take(field, "context", notes))
            .and_then(|found| scalar::text(found, notes));
    }

    /// Warns of every field that says something and was not read.
    pub(super) fn finish(self, profile: Profile, notes: &mut Notes) {
        for mut fields in self.levels {
            fields.pass_over(profile.familiar);
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

/// Seconds in a number of `unit` seconds, or in text such as `60`, `60s` or `5 min`. Zero: no limit.
fn seconds(value: &Value, unit: f64) -> Option<f64> {
    const UNITS: &[(f64, &[&str])] = &[
        (0.001, &["ms", "millis", "milliseconds"]),
        (1.0, &["s", "sec", "secs", "second", "seconds"]),
        (60.0, &["m", "min", "mins", "minute", "minutes"]),
        (3600.0, &["h", "hr", "hrs", "hour", "hours"]),
    ];
    let text = match value {
        Value::Bool(false) => return Some(0.0),
        Value::String(text) => text.trim().to_lowercase(),
        value => return scalar::number(value).map(|number| number * unit),
    };
    if ["none", "never", "null", "forever", "no", "off", "unlimited", "infinite"].contains(&&*text)
    {
        return Some(0.0);
    }
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let name = &text[digits.len()..];
    let unit = if name.is_empty() {
        unit
    } else {
        UNITS.iter().find(|(_, names)| names.contains(&name))?.0
    };
    scalar::number(&Value::String(digits.to_owned())).map(|number| number * unit)
}
