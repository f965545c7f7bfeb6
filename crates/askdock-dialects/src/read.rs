//! The normaliser: from anything a model sends to an [`Ask`].
//!
//! In order: find the questions ([`containers`]), read what belongs to the whole ask ([`batch`]),
//! read each question and its options, fold authored *Other* rows, then let the domain check the
//! result and translate its paths back into the caller's own.

mod around;
mod batch;
mod conditions;
mod containers;
mod embedded;
mod fields;
mod form;
mod interrupt;
mod markup;
mod notes;
mod options;
mod other;
mod parts;
mod path;
mod question;
mod review;
mod scalar;
mod schema;
#[cfg(test)]
mod tests;
mod tool_call;

use std::io;

use askdock_domain::{Problem, check, limits};
use serde_json::Value;

use crate::{Ask, Dialect};

pub(crate) use embedded::{Embedded, embedded, unfenced};
pub(crate) use fields::{Field, Fields, answer, is_placeholder};
pub(crate) use notes::Notes;
pub(crate) use path::{Path, quoted};
pub(crate) use scalar::flag;

/// Levels of nesting that are read; JSON text can't hold more than the parser's own limit.
const DEEPEST: usize = 128;

/// Reads `input` as an ask in `dialect`.
///
/// # Errors
/// Every problem found, each with its path in `input` and a sentence saying what to send instead.
pub fn normalise(input: &Value, dialect: Dialect) -> Result<Ask, Vec<Problem>> {
    if is_too_deep(input) {
        let message = format!("The input is nested deeper than {DEEPEST} levels; send it flatter.");
        return Err(vec![Problem::new("too_deep", "", message)]);
    }
    if let Some(problem) = too_large(json_size(input)) {
        return Err(vec![problem]);
    }
    let mut notes = Notes::default();
    let ask = batch::read(input.clone(), dialect.profile(), &mut notes);
    let (warnings, problems) = notes.settle(&ask.content, check);
    if problems.is_empty() { Ok(Ask { warnings, ..ask }) } else { Err(problems) }
}

/// The problem of a batch of `size` bytes, if it has one.
pub(crate) fn too_large(size: usize) -> Option<Problem> {
    let limits::Limit { what, max, unit } = limits::BATCH;
    (size > max).then(|| {
        let message = format!("{what} may have at most {max} {unit}, this has {size}; send less.");
        Problem::new("too_large", "", message)
    })
}

fn is_too_deep(input: &Value) -> bool {
    // Without recursion: this is what makes recursion safe for everything after it.
    let mut open = vec![(input, 1)];
    while let Some((value, depth)) = open.pop() {
        if depth > DEEPEST {
            return true;
        }
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(fields) => open.extend(fields.values().map(|item| (item, depth + 1))),
            _ => {}
        }
    }
    false
}

fn json_size(input: &Value) -> usize {
    struct Counted(usize);
    impl io::Write for Counted {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut counted = Counted(0);
    // Neither the counter nor a value with text keys can fail.
    let _ = serde_json::to_writer(&mut counted, input);
    counted.0
}
