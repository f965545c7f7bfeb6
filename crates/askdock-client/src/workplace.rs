//! Where an agent works: the folder and git branch by which the person recognises it.

use std::path::Path;

use askdock_wire::SessionRef;

/// A session named by the folder, with its canonical path and checked-out branch.
pub fn session_in(folder: &Path) -> SessionRef {
    let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    SessionRef {
        branch: branch(&folder),
        folder: Some(folder.to_string_lossy().into_owned()),
        ..SessionRef::default()
    }
}

/// The branch checked out at or above `folder`, read from git's own files: a git process would
/// cost more than everything else that an ask does.
fn branch(folder: &Path) -> Option<String> {
    let head = folder.ancestors().find_map(|folder| {
        let git = folder.join(".git");
        std::fs::read_to_string(git.join("HEAD")).ok().or_else(|| {
            // A worktree's or submodule's `.git` is a file that names the folder.
            let pointer = std::fs::read_to_string(&git).ok()?;
            let target = pointer.strip_prefix("gitdir:")?.trim();
            std::fs::read_to_string(folder.join(target).join("HEAD")).ok()
        })
    })?;
    let branch = head.trim().strip_prefix("ref: refs/heads/")?;
    (!branch.is_empty()).then(|| branch.to_owned())
}
