//! npm, in whichever folder of ours has a package.json.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use anyhow::Result;

use crate::command;

const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// npm with these arguments in `folder`.
pub(crate) fn npm(folder: &Path, arguments: &[&str]) -> Command {
    let mut npm = Command::new(NPM);
    npm.args(arguments).current_dir(folder);
    npm
}

/// Installs the folder's dependencies unless they are those that its lock file names.
pub(crate) fn install(folder: &Path) -> Result<()> {
    // npm writes this file last, so a broken-off install doesn't count.
    let installed = modified(&folder.join("node_modules/.package-lock.json"));
    let wanted = modified(&folder.join("package-lock.json"));
    if is_newer(installed, wanted) {
        return Ok(());
    }
    anyhow::ensure!(
        command::works(NPM, &["--version"]),
        "npm can't be started: install Node 20.19 or newer, which brings it"
    );
    command::run(npm(folder, &["ci", "--no-audit", "--no-fund"]))
}

/// Whether a result is there and at least as new as its source.
pub(crate) fn is_newer(result: Option<SystemTime>, source: Option<SystemTime>) -> bool {
    result.is_some_and(|result| source.is_none_or(|source| result >= source))
}

/// When the file last changed; `None`: it isn't there.
pub(crate) fn modified(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|metadata| metadata.modified()).ok()
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;

    #[test]
    fn what_was_never_made_is_stale() {
        assert!(!is_newer(None, None));
        assert!(!is_newer(None, Some(UNIX_EPOCH)));
        assert!(is_newer(Some(UNIX_EPOCH), None));
    }
}
