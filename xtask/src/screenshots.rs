//! `cargo xtask screenshots`: takes the screenshots of the desktop app anew.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};

use crate::test;
use crate::workspace;

/// Runs the desktop test that takes them and copies them to where the README shows them.
pub(crate) fn screenshots() -> Result<ExitCode> {
    let taken = workspace::root().join("tests/artefacts/screenshots");
    if taken.exists() {
        fs::remove_dir_all(&taken).with_context(|| format!("emptying {}", taken.display()))?;
    }
    fs::create_dir_all(&taken).with_context(|| format!("creating {}", taken.display()))?;

    test::prepare_desktop()?;
    let ran = test::run_desktop(Some("screenshot"), Some(&taken))?;
    ensure!(ran.status.success(), "the screenshots could not be taken");

    let shown = workspace::root().join("tests/screenshots");
    let copied = copy_pictures(&taken, &shown)?;
    ensure!(
        copied > 0,
        "no desktop test named like \"screenshot\" left a picture in {}",
        taken.display()
    );
    eprintln!("{copied} screenshots in {}", shown.display());
    Ok(ExitCode::SUCCESS)
}

fn copy_pictures(from: &Path, to: &Path) -> Result<usize> {
    fs::create_dir_all(to).with_context(|| format!("creating {}", to.display()))?;
    let mut copied = 0;
    for entry in fs::read_dir(from).with_context(|| format!("reading {}", from.display()))? {
        let entry = entry.with_context(|| format!("reading {}", from.display()))?;
        if entry.path().extension().is_some_and(|extension| extension == "png") {
            let copy = to.join(entry.file_name());
            fs::copy(entry.path(), &copy).with_context(|| format!("writing {}", copy.display()))?;
            copied += 1;
        }
    }
    Ok(copied)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_pictures_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("a/to"));
        fs::create_dir(&from).unwrap();
        for name in ["dock.png", "quick.png", "window.html"] {
            fs::write(from.join(name), name).unwrap();
        }
        assert_eq!(copy_pictures(&from, &to).unwrap(), 2);
        assert_eq!(fs::read(to.join("quick.png")).unwrap(), b"quick.png");
        assert!(!to.join("window.html").exists());
    }
}
