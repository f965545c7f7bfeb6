//! `--input FILE|-`.

use std::io::{self, Read};
use std::path::Path;

use anyhow::Context;
use serde_json::Value;

/// More than any input that the hub takes; keeps a wrong file from filling the memory.
const MOST: u64 = 64 * 1024 * 1024;

/// The JSON in a file or, for `-`, on standard input. What isn't JSON is a text, of which the
/// hub says what is wrong with it.
pub(super) fn read(path: &Path) -> anyhow::Result<Value> {
    let mut text = String::new();
    let read = if path == Path::new("-") {
        io::stdin().lock().take(MOST).read_to_string(&mut text)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(MOST).read_to_string(&mut text))
    };
    read.with_context(|| format!("cannot read {}", path.display()))?;
    Ok(serde_json::from_str(&text).unwrap_or(Value::String(text)))
}
