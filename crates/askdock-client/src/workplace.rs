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

/// Whether the asker runs where nobody watches: what `CI` in its environment says.
pub fn is_unattended(ci: Option<&str>) -> bool {
    ci.is_some_and(|value| !matches!(value.trim(), "" | "0" | "false"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_branch_comes_from_the_nearest_repository() {
        let top = tempfile::tempdir().unwrap();
        let deep = top.path().join("repo/src/deep");
        fs::create_dir_all(&deep).unwrap();
        assert_eq!(branch(&deep), None);
        fs::create_dir_all(top.path().join("repo/.git")).unwrap();
        fs::write(top.path().join("repo/.git/HEAD"), "ref: refs/heads/feature/dock\n").unwrap();
        assert_eq!(branch(&deep).as_deref(), Some("feature/dock"));
        // Detached.
        fs::write(top.path().join("repo/.git/HEAD"), "0123456789abcdef\n").unwrap();
        assert_eq!(branch(&deep), None);
    }

    #[test]
    fn a_worktree_names_its_repository() {
        let top = tempfile::tempdir().unwrap();
        let (tree, git) = (top.path().join("tree"), top.path().join("main/.git/worktrees/tree"));
        fs::create_dir_all(&tree).unwrap();
        fs::create_dir_all(&git).unwrap();
        fs::write(git.join("HEAD"), "ref: refs/heads/fix\n").unwrap();
        for target in ["../main/.git/worktrees/tree", git.to_str().unwrap()] {
            fs::write(tree.join(".git"), format!("gitdir: {target}\n")).unwrap();
            assert_eq!(branch(&tree).as_deref(), Some("fix"), "{target}");
        }
    }

    #[test]
    fn ci_means_that_nobody_is_there() {
        assert!(is_unattended(Some("true")) && is_unattended(Some("1")));
        assert!(!is_unattended(Some("false")) && !is_unattended(Some("0")));
        assert!(!is_unattended(Some(" ")) && !is_unattended(None));
    }
}
