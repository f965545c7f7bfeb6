//! The person's settings: one stored value a field, all of them in memory.

use askdock_domain::Problem;
use askdock_store::{Store, batches, settings};
use askdock_wire::ops::SettingsPatch;
use askdock_wire::{Settings, WireError};
use serde_json::{Map, Value};

use crate::notices::paused_until;
use crate::{Hub, HubError};

/// Reads the stored fields over the defaults; what can't be read keeps its default.
pub(crate) fn load(store: &Store) -> Result<Settings, HubError> {
    Ok(over_defaults(store.read(settings::all)?))
}

fn over_defaults(stored: impl IntoIterator<Item = (String, String)>) -> Settings {
    let mut current = Settings::default();
    for (name, json) in stored {
        let Ok(value) = serde_json::from_str(&json) else { continue };
        if let Some(changed) = with_field(&current, &name, value) {
            current = changed;
        }
    }
    current
}

fn with_field(settings: &Settings, name: &str, value: Value) -> Option<Settings> {
    let Ok(Value::Object(mut fields)) = serde_json::to_value(settings) else { return None };
    *fields.get_mut(name)? = value;
    serde_json::from_value(Value::Object(fields)).ok()
}

impl Hub {
    pub(crate) async fn set_settings(&self, patch: SettingsPatch) -> Result<Settings, WireError> {
        let before = self.settings();
        let changed = self
            .change(move |change| {
                // What an earlier job of this commit has set counts too, so not from memory.
                let current = over_defaults(settings::all(change.connection)?);
                let changed = patched(&current, &patch.changes)?;
                for (name, value) in &patch.changes {
                    settings::set(change.connection, name, &value.to_string())?;
                }
                change.settings(changed.clone())?;
                Ok(changed)
            })
            .await?;
        self.take_effect(&before, &changed)?;
        Ok(changed)
    }

    /// What was planned by the old settings is planned anew.
    fn take_effect(&self, before: &Settings, now: &Settings) -> Result<(), WireError> {
        if before.abandon_after_hours != now.abandon_after_hours {
            for row in self.read(batches::pending)? {
                self.reschedule(&row);
            }
        }
        let quiet =
            |settings: &Settings| !settings.notifications || paused_until(settings).is_some();
        if quiet(before) && !quiet(now) {
            self.notice_waiting();
        }
        Ok(())
    }
}

fn patched(current: &Settings, changes: &Map<String, Value>) -> Result<Settings, WireError> {
    let mut settings = current.clone();
    let mut problems = vec![];
    for (name, value) in changes {
        match with_field(&settings, name, value.clone()) {
            Some(changed) => settings = changed,
            None => problems.push(
                Problem::new(
                    "unknown_setting",
                    name,
                    "There is no such setting, or it does not take this kind of value.",
                )
                .into(),
            ),
        }
    }
    if problems.is_empty() { Ok(settings) } else { Err(WireError::invalid(problems)) }
}
