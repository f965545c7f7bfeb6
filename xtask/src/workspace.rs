//! Where things are in this repository, and the tools that build it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

/// The repository's top folder.
pub(crate) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// The folder into which Cargo builds: this program runs from `<target>/debug/`, wherever
/// the person's Cargo configuration puts that.
pub(crate) fn target_dir() -> Result<PathBuf> {
    let program = std::env::current_exe().context("finding this program's own file")?;
    let folder = program.ancestors().nth(2).context("this program isn't in a target folder")?;
    Ok(folder.to_path_buf())
}

/// Which of Cargo's profiles to build with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// Quick to build.
    Dev,
    /// What people get.
    Release,
}

/// The file of a built program of ours.
pub(crate) fn program(profile: Profile, name: &str) -> Result<PathBuf> {
    let folder = match profile {
        Profile::Dev => "debug",
        Profile::Release => "release",
    };
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    Ok(target_dir()?.join(folder).join(file))
}

/// The Cargo that started this program, in the repository's top folder.
pub(crate) fn cargo<const N: usize>(arguments: [&str; N]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.args(arguments).current_dir(root());
    command
}

/// Builds the named packages together.
pub(crate) fn build(profile: Profile, packages: &[&str], features: &[&str]) -> Result<()> {
    let mut command = cargo(["build"]);
    if profile == Profile::Release {
        command.arg("--release");
    }
    for package in packages {
        command.args(["--package", package]);
    }
    for feature in features {
        command.args(["--features", feature]);
    }
    crate::command::run(command)
}

/// What Cargo says about the workspace's own packages.
pub(crate) fn metadata() -> Result<Value> {
    let output = cargo(["metadata", "--no-deps", "--format-version", "1"])
        .stderr(std::process::Stdio::inherit())
        .output()
        .context("starting cargo metadata")?;
    anyhow::ensure!(output.status.success(), "cargo metadata ended with {}", output.status);
    serde_json::from_slice(&output.stdout).context("reading the output of cargo metadata")
}

/// The package of that name in the output of [`metadata`].
pub(crate) fn package<'a>(metadata: &'a Value, name: &str) -> Option<&'a Value> {
    packages(metadata).find(|package| package["name"] == name)
}

/// Every package in the output of [`metadata`].
pub(crate) fn packages(metadata: &Value) -> impl Iterator<Item = &Value> {
    metadata["packages"].as_array().into_iter().flatten()
}

/// The names of a package's integration test targets.
pub(crate) fn test_targets(package: &Value) -> Vec<&str> {
    let targets = package["targets"].as_array().into_iter().flatten();
    targets
        .filter(|target| {
            target["kind"].as_array().is_some_and(|kinds| kinds.contains(&"test".into()))
        })
        .filter_map(|target| target["name"].as_str())
        .collect()
}
