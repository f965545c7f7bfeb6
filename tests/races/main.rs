//! Many at once: whoever answers, asks or comes back at the same moment as others.

#[cfg(target_os = "linux")]
mod answerers;
mod asks;
#[cfg(target_os = "linux")]
mod keys;

/// How often each race is run: `ASKDOCK_RACES`, else `few`.
#[cfg(target_os = "linux")]
fn rounds(few: usize) -> usize {
    std::env::var("ASKDOCK_RACES").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(few)
}

/// A fourth ask within ten seconds is shown in a digest, which has no buttons: after so many
/// the hub starts anew.
#[cfg(target_os = "linux")]
const SHOWN_ALONE: usize = 3;
