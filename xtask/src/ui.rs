//! The UI: installs its dependencies and builds it, when that is needed.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result};

use crate::npm::{is_newer, modified};
use crate::{command, workspace};

/// What lies beside the UI's sources and isn't one.
const NOT_SOURCES: &[&str] = &["dist", "node_modules", "test-results", "coverage"];

/// The UI's folder.
pub(crate) fn folder() -> PathBuf {
    workspace::root().join("ui")
}

/// npm in the UI's folder.
pub(crate) fn npm(arguments: &[&str]) -> Command {
    crate::npm::npm(&folder(), arguments)
}

/// Installs the UI's dependencies unless they are those that its lock file names.
pub(crate) fn install_dependencies() -> Result<()> {
    crate::npm::install(&folder())
}

/// Builds `ui/dist` unless it is newer than everything that it is made from.
pub(crate) fn build_if_stale() -> Result<()> {
    install_dependencies()?;
    let folder = folder();
    let built = modified(&folder.join("dist/index.html"));
    let changed = newest(&folder).with_context(|| format!("reading {}", folder.display()))?;
    if is_newer(built, changed) {
        return Ok(());
    }
    command::run(npm(&["run", "build"]))
}

/// When anything among the sources in the UI's folder last changed. Subfolders count too:
/// theirs is the only time that changes when a file is deleted.
fn newest(folder: &Path) -> io::Result<Option<SystemTime>> {
    let mut newest = None;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if is_source(&entry.file_name()) {
            newest = newest.max(newest_within(&entry.path())?);
        }
    }
    Ok(newest)
}

fn newest_within(path: &Path) -> io::Result<Option<SystemTime>> {
    let metadata = fs::symlink_metadata(path)?;
    let mut newest = metadata.modified().ok();
    if metadata.is_dir() {
        for entry in fs::read_dir(path)? {
            newest = newest.max(newest_within(&entry?.path())?);
        }
    }
    Ok(newest)
}

fn is_source(name: &OsStr) -> bool {
    !NOT_SOURCES.iter().any(|other| name == *other)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    /// Creates the file, last changed at that second.
    fn touch(path: &Path, second: u64) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let time = UNIX_EPOCH + Duration::from_secs(second);
        File::create(path).unwrap().set_modified(time).unwrap();
        // The folders of a real checkout aren't newer than what is in them.
        for folder in path.ancestors().skip(1).take(2) {
            File::open(folder).unwrap().set_modified(time).unwrap();
        }
    }

    #[test]
    fn a_changed_source_makes_the_build_stale_and_a_result_does_not() {
        let ui = tempfile::tempdir().unwrap();
        let at = |second| Some(UNIX_EPOCH + Duration::from_secs(second));
        touch(&ui.path().join("src/features/dock.ts"), 10);
        touch(&ui.path().join("dist/index.html"), 20);
        touch(&ui.path().join("node_modules/svelte/index.js"), 30);
        assert_eq!(newest(ui.path()).unwrap(), at(10));
        assert!(is_newer(at(20), newest(ui.path()).unwrap()));

        touch(&ui.path().join("src/features/inbox.ts"), 40);
        assert_eq!(newest(ui.path()).unwrap(), at(40));
        assert!(!is_newer(at(20), newest(ui.path()).unwrap()));

        // Whichever of the two is read first.
        touch(&ui.path().join("src/features/dock.ts"), 50);
        assert_eq!(newest(ui.path()).unwrap(), at(50));
    }

    #[test]
    fn a_deleted_source_makes_the_build_stale() {
        let ui = tempfile::tempdir().unwrap();
        let file = ui.path().join("src/features/dock.ts");
        touch(&file, 10);
        fs::remove_file(&file).unwrap();
        assert!(newest(ui.path()).unwrap() > Some(UNIX_EPOCH + Duration::from_secs(10)));
    }
}
