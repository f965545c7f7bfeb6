//! The person's settings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// All settings; every field has a default, so older and newer files are read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
pub struct Settings {
    /// `light`, `dark` or `system`.
    pub theme: String,
    /// Catalogue language, `system` follows the platform.
    pub language: String,
    /// Enter sends and Shift+Enter breaks the line; false: the other way round.
    pub enter_sends: bool,
    /// Closing the window keeps the hub running.
    pub keep_running: bool,
    /// The person was told that closing keeps it running.
    pub told_keep_running: bool,
    /// Notifications are shown.
    pub notifications: bool,
    /// Notifications hide the question's text.
    pub hide_text: bool,
    /// Notifications make a sound.
    pub sound: bool,
    /// Seconds after which an ask without its own limit expires; 0: never.
    pub default_timeout_seconds: u32,
    /// Hours after which a batch without a waiter is withdrawn; 0: never.
    pub abandon_after_hours: u32,
    /// RFC 3339; notifications are paused until then.
    pub paused_until: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: "system".into(),
            language: "system".into(),
            enter_sends: true,
            keep_running: true,
            told_keep_running: false,
            notifications: true,
            hide_text: false,
            sound: true,
            default_timeout_seconds: 0,
            abandon_after_hours: 24,
            paused_until: None,
        }
    }
}
