//! Reads what models send and writes the outcome back in the caller's own format.
//!
//! [`normalise`] is liberal: whatever has one sensible meaning is read, and every change is
//! returned as a warning with the place in the caller's own input. What has none is rejected as
//! a list of problems of the same shape. Field names and their aliases stand in one table
//! (`read/fields.rs`); limits, duplicates and conditions are decided by [`askdock_domain::check`].
//!
//! Everything here is pure and returns on any input. Deliberately absent: I/O, a clock, any
//! repair of JSON that was cut short, and any choice made for the person.

mod answers;
mod dialect;
mod outcome;
mod read;
mod text_input;

pub use answers::{Given, answers_in, read_answers};
pub use dialect::Dialect;
pub use outcome::{Reply, Silence, outcome_in, reply_in};
pub use read::normalise;
pub use text_input::normalise_text;

use askdock_domain::{AskContent, Problem};

/// An ask, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// What the person is shown.
    pub content: AskContent,
    /// The caller's explicit key.
    pub request_id: Option<String>,
    /// When it expires.
    pub timeout: Timeout,
    /// The session that the input claims, such as jcode's `sessionId`.
    pub session: Option<String>,
    /// The session that owns the ask, when a child asks.
    pub owner_session: Option<String>,
    /// The child's name.
    pub teammate: Option<String>,
    /// How the input was changed to be read.
    pub warnings: Vec<Problem>,
}

/// How long an ask waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Timeout {
    /// No limit of its own.
    #[default]
    Absent,
    /// Expires after so many seconds, 30 to 3600.
    Seconds(u32),
}

impl Timeout {
    /// The shortest time that an ask waits, in seconds.
    pub const SHORTEST: u32 = 30;
    /// The longest limit that an ask may set, in seconds.
    pub const LONGEST: u32 = 3600;

    /// The timeout for a caller's number of seconds, and the warning where it was clamped.
    /// Zero, negative and not a number: no limit.
    pub fn from_seconds(seconds: f64, path: &str) -> (Self, Option<Problem>) {
        if seconds.is_nan() || seconds <= 0.0 {
            return (Timeout::Absent, None);
        }
        let whole = seconds.ceil();
        let clamped = whole.clamp(f64::from(Self::SHORTEST), f64::from(Self::LONGEST));
        let warning = (clamped != whole || seconds < f64::from(Self::SHORTEST)).then(|| {
            let message = format!(
                "The timeout was changed to {clamped} seconds; it may be {} to {}.",
                Self::SHORTEST,
                Self::LONGEST
            );
            Problem::new("timeout_clamped", path, message)
        });
        // Within the bounds above, so nothing is cut.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let seconds = clamped as u32;
        (Timeout::Seconds(seconds), warning)
    }
}
