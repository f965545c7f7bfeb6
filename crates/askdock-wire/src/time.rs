//! RFC 3339 at the edge, integers inside.

use askdock_domain::Timestamp;
use chrono::{DateTime, SecondsFormat, Utc};

/// `2026-11-30T14:02:00.123Z`.
pub fn timestamp(at: Timestamp) -> String {
    DateTime::<Utc>::from_timestamp_millis(at.0)
        .unwrap_or(if at.0 < 0 { DateTime::<Utc>::MIN_UTC } else { DateTime::<Utc>::MAX_UTC })
        .to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// The inverse of [`timestamp`]; any RFC 3339 offset is accepted. `None`: not a date and time.
pub fn parse_timestamp(text: &str) -> Option<Timestamp> {
    DateTime::parse_from_rfc3339(text).ok().map(|at| Timestamp(at.timestamp_millis()))
}
