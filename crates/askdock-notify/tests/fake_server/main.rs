//! The notifier against a scripted notification server on a private session bus.

#![cfg(all(unix, not(target_os = "macos")))]

mod desk;
mod faults;
mod pressing;
mod showing;
