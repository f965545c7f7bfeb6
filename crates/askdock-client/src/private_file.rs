//! Small files for the owner alone, replaced whole.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Reads a JSON file. Missing, or not readable as a `T`: none.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

/// Writes a JSON file of mode 0600 by renaming, so that a reader finds the old or the new one,
/// after a power cut too.
pub(crate) fn write(path: &Path, content: &impl Serialize) -> io::Result<()> {
    let json = serde_json::to_vec_pretty(content)?;
    let fresh = path.with_extension(format!("{}.new", std::process::id()));
    let written = create(&fresh).and_then(|mut file| {
        file.write_all(&json)?;
        file.sync_all()?;
        std::fs::rename(&fresh, path)
    });
    if written.is_err() {
        let _ = std::fs::remove_file(&fresh);
    }
    written
}

/// Opens a file for an advisory lock, making it where it is missing.
pub(crate) fn open_lock(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(path)
}

fn create(path: &Path) -> io::Result<File> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}
