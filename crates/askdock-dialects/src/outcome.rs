//! The outcome in the dialect of the ask.

mod decisions;
mod form;
mod helmr;
mod joined;
mod lists;

use askdock_domain::{AskContent, OptionItem, Question};
use askdock_wire::{AnswerDto, BatchStatus, Outcome};
use serde_json::{Map, Value, json};

use crate::Dialect;

pub(crate) use decisions::EDIT;
pub(crate) use joined::split;

/// What goes back to the caller.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// The outcome as it is: the dialect is ours.
    Outcome,
    /// The result in the caller's form.
    Result {
        /// The result.
        body: Value,
        /// The caller's turn ends with it, since that is what its format says of a dismissal.
        ends_turn: bool,
    },
    /// The format has no result for an ask that wasn't answered: reject it by the caller's own
    /// means (opencode's reject route).
    Reject,
    /// Say nothing, so that the agent's own prompt appears.
    Silence(Silence),
}

/// Why nothing is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Silence {
    /// Answers go by the question's text, and two questions have the same.
    SameText,
    /// There is no answer; the outcome's status says why.
    NoAnswer,
}

/// `outcome` as `dialect` writes it.
pub fn reply_in(dialect: Dialect, outcome: &Outcome, content: &AskContent) -> Reply {
    let ended = Ended { outcome, content };
    let is_answered = outcome.status == BatchStatus::Answered;
    let body = match dialect {
        Dialect::Askdock => return Reply::Outcome,
        Dialect::ClaudeCode if !is_answered => return Reply::Silence(Silence::NoAnswer),
        Dialect::ClaudeCode if has_equal_texts(content) => {
            return Reply::Silence(Silence::SameText);
        }
        Dialect::Opencode if !is_answered => return Reply::Reject,
        Dialect::ClaudeCode => joined::by_text(&ended),
        Dialect::Gemini => joined::by_position(&ended),
        Dialect::Openclaw => lists::openclaw(&ended),
        Dialect::Jcode => lists::jcode(&ended),
        Dialect::Frogbot => lists::frogbot(&ended),
        Dialect::Opencode => lists::opencode(&ended),
        Dialect::Codex => lists::codex(&ended),
        Dialect::Helmr => helmr::write(&ended),
        Dialect::McpElicitation => form::write(&ended),
        Dialect::AcpPermission => decisions::acp_permission(&ended),
        Dialect::AgentInbox => decisions::agent_inbox(&ended),
    };
    let ends_turn = dialect == Dialect::Frogbot && outcome.status == BatchStatus::Dismissed;
    Reply::Result { body, ends_turn }
}

/// The body of [`reply_in`]; `None`: the dialect is ours or has no form for this end, and the
/// outcome goes out as it is.
pub fn outcome_in(dialect: Dialect, outcome: &Outcome, content: &AskContent) -> Option<Value> {
    match reply_in(dialect, outcome, content) {
        Reply::Result { body, .. } => Some(body),
        Reply::Outcome | Reply::Reject | Reply::Silence(_) => None,
    }
}

/// Whether two questions can't be told apart by their texts.
fn has_equal_texts(content: &AskContent) -> bool {
    let mut texts: Vec<&str> = content.questions.iter().map(|q| q.question.as_str()).collect();
    texts.sort_unstable();
    texts.windows(2).any(|pair| pair[0] == pair[1])
}

/// An outcome with what was asked.
struct Ended<'a> {
    outcome: &'a Outcome,
    content: &'a AskContent,
}

impl<'a> Ended<'a> {
    fn is_answered(&self) -> bool {
        self.outcome.status == BatchStatus::Answered
    }

    /// Each question in order, with its answer.
    fn answers(&self) -> impl Iterator<Item = Answered<'a>> {
        let outcome = self.outcome;
        self.content.questions.iter().map(move |question| {
            let answer = outcome.answers.get(&question.id).filter(|answer| !answer.blank);
            Answered { question, answer }
        })
    }

    /// How an ask ended that wasn't answered, added to the fields that the format demands.
    fn without_answer(&self, mut fields: Map<String, Value>) -> Value {
        fields.insert("status".into(), json!(self.outcome.status));
        let Outcome { reason, message, guidance, .. } = self.outcome;
        for (name, text) in [("reason", reason), ("message", message), ("guidance", guidance)] {
            if let Some(text) = text {
                fields.insert(name.into(), text.clone().into());
            }
        }
        fields.into()
    }
}

/// A question with its answer; none: it is blank or was hidden.
struct Answered<'a> {
    question: &'a Question,
    answer: Option<&'a AnswerDto>,
}

impl<'a> Answered<'a> {
    /// The selected labels, exactly as the caller sent them.
    fn labels(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.answer.into_iter().flat_map(|answer| &answer.selected).map(|o| o.label.as_str())
    }

    /// The selected options as they were asked, in order.
    fn options(&self) -> impl Iterator<Item = &'a OptionItem> + use<'a> {
        let question = self.question;
        let selected = self.answer.into_iter().flat_map(|answer| &answer.selected);
        selected.filter_map(move |chosen| question.options.iter().find(|o| o.id == chosen.id))
    }

    fn text(&self) -> Option<&'a str> {
        self.answer.and_then(|answer| answer.text.as_deref())
    }

    fn notes(&self) -> Option<&'a str> {
        self.answer.and_then(|answer| answer.notes.as_deref())
    }

    /// The labels, then what was typed.
    fn values(&self) -> Vec<&'a str> {
        self.labels().chain(self.text()).collect()
    }
}
