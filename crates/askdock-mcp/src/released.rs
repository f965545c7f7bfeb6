//! Questions whose calls the client gave up. The same call made right afterwards takes its question
//! up from here: the hub may not have noticed yet that the old call is gone, and would take the
//! two for calls that live side by side.

use std::sync::{Mutex, PoisonError};

use askdock_wire::SessionRef;
use serde_json::Value;

/// More than any agent gives up before the hub has noticed the first.
const KEPT: usize = 16;

/// A question by what its call said.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Released {
    pub(crate) input: Value,
    pub(crate) session: SessionRef,
    pub(crate) batch: String,
}

/// The latest ones, oldest first.
#[derive(Debug, Default)]
pub(crate) struct ReleasedCalls(Mutex<Vec<Released>>);

impl ReleasedCalls {
    /// Keeps a question for the next call like it.
    pub(crate) fn keep(&self, released: Released) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let surplus = (kept.len() + 1).saturating_sub(KEPT);
        kept.drain(..surplus);
        kept.push(released);
    }

    /// The batch of the oldest call like this one; a second such call doesn't get it too.
    pub(crate) fn take(&self, input: &Value, session: &SessionRef) -> Option<String> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let like = kept.iter().position(|one| one.input == *input && one.session == *session)?;
        Some(kept.remove(like).batch)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_is_taken_once_by_a_call_like_it() {
        let calls = ReleasedCalls::default();
        let session = SessionRef { agent: Some("a".into()), ..SessionRef::default() };
        for batch in ["one", "two"] {
            calls.keep(Released {
                input: json!({ "questions": "Go?" }),
                session: session.clone(),
                batch: batch.into(),
            });
        }
        let take = |input: Value, session: &SessionRef| calls.take(&input, session);
        assert_eq!(take(json!({ "questions": "Stay?" }), &session), None);
        assert_eq!(take(json!({ "questions": "Go?" }), &SessionRef::default()), None);
        assert_eq!(take(json!({ "questions": "Go?" }), &session).as_deref(), Some("one"));
        assert_eq!(take(json!({ "questions": "Go?" }), &session).as_deref(), Some("two"));
        assert_eq!(take(json!({ "questions": "Go?" }), &session), None);
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let calls = ReleasedCalls::default();
        for number in 0..=KEPT {
            let session = SessionRef::default();
            calls.keep(Released { input: json!(number), session, batch: number.to_string() });
        }
        assert_eq!(calls.take(&json!(0), &SessionRef::default()), None);
        assert_eq!(calls.take(&json!(1), &SessionRef::default()).as_deref(), Some("1"));
    }
}
