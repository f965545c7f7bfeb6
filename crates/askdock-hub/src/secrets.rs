//! Secret answers: in memory only, handed to the agent that waits, and gone once it has them. What
//! is stored, shown and logged says only that one was given.

use std::collections::{BTreeMap, HashMap};

use askdock_domain::Question;
use askdock_store::batches::BatchRow;
use askdock_wire::ops::Scope;
use askdock_wire::{AnswerDto, Code, Outcome, WireError};

use crate::{Caller, Hub, lock, views};

/// Secret texts by question id, of each batch that was answered and not collected.
pub(crate) type Secrets = HashMap<u64, BTreeMap<String, String>>;

/// What stands in the place of a secret.
const GIVEN: &str = "[secret given]";

/// Takes the secret texts out of the answers.
pub(crate) fn taken_out(
    questions: &[Question],
    answers: &mut BTreeMap<String, AnswerDto>,
) -> BTreeMap<String, String> {
    let mut secrets = BTreeMap::new();
    for question in questions.iter().filter(|question| question.secret) {
        let Some(answer) = answers.get_mut(&question.id) else { continue };
        answer.notes = None;
        if let Some(text) = &mut answer.text {
            secrets.insert(question.id.clone(), std::mem::replace(text, GIVEN.to_owned()));
        }
    }
    secrets
}

impl Hub {
    /// Whether the agent is there to be handed a secret.
    ///
    /// # Errors
    /// `invalid` when nobody waits: it would lie about until somebody comes.
    pub(crate) fn check_secrets(&self, number: u64) -> Result<(), WireError> {
        if self.has_live_waiter(number) {
            return Ok(());
        }
        Err(WireError::new(
            Code::Invalid,
            "The agent is away, and a secret is only handed to one that waits. Answer when it is \
             back, or skip.",
        ))
    }

    /// Keeps the secrets of the answer that ended the batch for the agent that waits.
    pub(crate) fn keep_secrets(&self, number: u64, secrets: BTreeMap<String, String>) {
        if !secrets.is_empty() {
            lock(&self.0.secrets).insert(number, secrets);
        }
    }

    /// The agent has them.
    pub(crate) fn forget_secrets(&self, number: u64) {
        lock(&self.0.secrets).remove(&number);
    }

    /// The outcome as this caller gets it: the agent with the secrets that it asked for.
    pub(crate) fn outcome_for(&self, caller: &Caller, row: &BatchRow) -> Option<Outcome> {
        let mut outcome = views::outcome(row)?;
        if caller.scope == Scope::Person {
            return Some(outcome);
        }
        if let Some(secrets) = lock(&self.0.secrets).get(&row.number) {
            for answers in [&mut outcome.answers, &mut outcome.answers_by_id] {
                for (id, secret) in secrets {
                    // What the record says was given, and nothing else.
                    let given = answers.get_mut(id).and_then(|answer| answer.text.as_mut());
                    if let Some(text) = given.filter(|text| *text == GIVEN) {
                        text.clone_from(secret);
                    }
                }
            }
        }
        Some(outcome)
    }
}
