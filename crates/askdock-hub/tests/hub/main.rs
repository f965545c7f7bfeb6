//! The hub against its rules, with a clock that only the tests move.

mod asking;
mod ending;
mod fixture;
mod following;
mod noticing;
mod time;
