//! The hub against its rules, with a clock that only the tests move.

#![allow(unreachable_pub, reason = "a test program exports nothing")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "fixtures are tests too")]
#![allow(clippy::needless_pass_by_value, reason = "json! is written in place")]

mod asking;
mod ending;
mod fixture;
mod following;
mod noticing;
mod time;
