//! The ask formats that are spoken, and in what their readings differ.

use std::str::FromStr;

use askdock_domain::Problem;

use crate::Timeout;

/// A foreign ask format, or our own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Dialect {
    /// Our own.
    #[default]
    Askdock,
    /// `ask_user` of OpenClaw.
    Openclaw,
    /// jcode's questions with branching, answered by position.
    Jcode,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: &[Dialect] = &[Dialect::Askdock, Dialect::Openclaw, Dialect::Jcode];

    /// The name under which callers ask for it.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Askdock => "askdock",
            Dialect::Openclaw => "openclaw",
            Dialect::Jcode => "jcode",
        }
    }

    pub(crate) fn profile(self) -> Profile {
        match self {
            Dialect::Askdock => {
                Profile { kinds: true, allow_notes: true, omitted_timeout: Timeout::Absent }
            }
            // Neither format has a place for notes in its outcome.
            Dialect::Openclaw => {
                Profile { kinds: false, allow_notes: false, omitted_timeout: Timeout::Seconds(900) }
            }
            Dialect::Jcode => {
                Profile { kinds: false, allow_notes: false, omitted_timeout: Timeout::Absent }
            }
        }
    }
}

impl FromStr for Dialect {
    type Err = Problem;

    fn from_str(name: &str) -> Result<Self, Problem> {
        let wanted = name.trim();
        Self::ALL.iter().copied().find(|d| d.name().eq_ignore_ascii_case(wanted)).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|dialect| dialect.name()).collect();
            let message = format!("This dialect is not known; send one of {}.", known.join(", "));
            Problem::new("unknown_dialect", "dialect", message)
        })
    }
}

/// In what the reading of a dialect differs from the others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Profile {
    /// Knows permission, confirm and url batches.
    pub(crate) kinds: bool,
    /// Notes are permitted unless the question says otherwise.
    pub(crate) allow_notes: bool,
    /// The timeout of an ask that names none.
    pub(crate) omitted_timeout: Timeout,
}
