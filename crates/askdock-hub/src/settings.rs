//! The person's settings: one stored value a field, all of them in memory.

use askdock_domain::Problem;
use askdock_store::{Store, settings};
use askdock_wire::ops::SettingsPatch;
use askdock_wire::{Settings, WireError};
use serde_json::{Map, Value};

use crate::{Hub, HubError, lock};

/// Reads the stored fields over the defaults; what can't be read keeps its default.
pub(crate) fn load(store: &Store) -> Result<Settings, HubError> {
    let mut current = Settings::default();
    for (name, json) in store.read(settings::all)? {
        let Ok(value) = serde_json::from_str(&json) else { continue };
        if let Some(changed) = with_field(&current, &name, value) {
            current = changed;
        }
    }
    Ok(current)
}

fn with_field(settings: &Settings, name: &str, value: Value) -> Option<Settings> {
    let Ok(Value::Object(mut fields)) = serde_json::to_value(settings) else { return None };
    *fields.get_mut(name)? = value;
    serde_json::from_value(Value::Object(fields)).ok()
}

impl Hub {
    pub(crate) async fn set_settings(&self, patch: SettingsPatch) -> Result<Settings, WireError> {
        let changed = patched(&self.settings(), &patch.changes)?;
        self.change(move |change| {
            for (name, value) in &patch.changes {
                settings::set(change.connection, name, &value.to_string())?;
            }
            Ok(())
        })
        .await?;
        *lock(&self.0.settings) = changed.clone();
        // Logged after the value is in place: readers of the log read it from memory.
        self.change(|change| Ok(change.changed("settings", "")?)).await?;
        Ok(changed)
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
