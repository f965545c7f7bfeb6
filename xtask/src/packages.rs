//! The Debian packages that building and testing need.

use std::collections::BTreeSet;
use std::fmt;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::command;

/// For building the desktop app.
pub(crate) const DESKTOP: &[&str] = &[
    "build-essential",
    "libayatana-appindicator3-dev",
    "librsvg2-dev",
    "libwebkit2gtk-4.1-dev",
    "libxdo-dev",
    "pkg-config",
];

/// For a private session bus, which the tests of notifications start.
pub(crate) const SESSION_BUS: &[&str] = &["dbus"];

/// For driving the desktop app in its tests, beyond building it: a display, a session bus,
/// notification servers, a window manager, and fonts for the languages in the screenshots.
const DESKTOP_TESTS: &[&str] = &[
    "at-spi2-core",
    "dbus",
    "dbus-x11",
    "dunst",
    "fonts-dejavu-core",
    "fonts-noto-cjk",
    "fonts-noto-core",
    "imagemagick",
    "openbox",
    "webkit2gtk-driver",
    "x11-utils",
    "xdotool",
    "xfce4-notifyd",
    "xterm",
    "xvfb",
];

/// For the component tests of the UI, which run in a real browser.
const UI_TESTS: &[&str] = &["chromium", "fonts-dejavu-core", "fonts-noto-cjk", "fonts-noto-core"];

/// Names under which the browser of the `chromium` package may already be there. Ubuntu has
/// no such package.
const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// What the desktop tier needs.
pub(crate) fn for_desktop_tests() -> Vec<&'static str> {
    [DESKTOP, DESKTOP_TESTS].concat()
}

/// What the UI tier needs.
pub(crate) fn for_ui_tests() -> Vec<&'static str> {
    let has_browser = browser().is_some();
    UI_TESTS.iter().copied().filter(|package| !(has_browser && *package == "chromium")).collect()
}

/// The path of the browser that runs the UI's tests, if there is one.
pub(crate) fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    BROWSERS.iter().filter(|browser| command::works(browser, &["--version"])).find_map(|browser| {
        std::env::split_paths(&path).map(|at| at.join(browser)).find(|at| at.exists())
    })
}

/// Packages that are needed and could not be installed.
#[derive(Debug)]
pub(crate) struct Missing {
    packages: Vec<String>,
}

impl std::error::Error for Missing {}

impl fmt::Display for Missing {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            to,
            "some Debian packages are missing and could not be installed from here. Install them \
             with\n  sudo apt-get update && sudo {}",
            install_words(&self.packages).join(" ")
        )
    }
}

/// Installs those of the packages that are missing.
///
/// Where there is no Debian package database nothing is checked: other systems name these
/// packages differently or bring them along, and the build says what it lacks.
pub(crate) fn ensure(packages: &[&str]) -> Result<(), Missing> {
    let Some(packages) = missing(packages) else {
        if cfg!(target_os = "linux") {
            eprintln!(
                "This system has no dpkg-query, so no packages are installed. Under Debian's names \
                 these are needed: {}",
                packages.join(" ")
            );
        }
        return Ok(());
    };
    if packages.is_empty() {
        return Ok(());
    }
    eprintln!("Installing Debian packages: {}", packages.join(" "));
    match install(&packages) {
        Ok(()) => Ok(()),
        Err(error) => {
            eprintln!("{error:#}");
            Err(Missing { packages })
        }
    }
}

/// Those of the packages that aren't installed; none when there is no way to know.
fn missing(wanted: &[&str]) -> Option<Vec<String>> {
    let output = Command::new("dpkg-query")
        .args(["--show", "--showformat=${Package} ${db:Status-Status}\n"])
        .args(wanted)
        // It complains there about each package that it has never heard of.
        .stderr(Stdio::null())
        .output()
        .ok()?;
    Some(not_listed(wanted, &String::from_utf8_lossy(&output.stdout)))
}

fn not_listed(wanted: &[&str], listing: &str) -> Vec<String> {
    let installed: BTreeSet<&str> =
        listing.lines().filter_map(|line| line.strip_suffix(" installed")).collect();
    let wanted: BTreeSet<&str> = wanted.iter().copied().collect();
    wanted.difference(&installed).map(|package| (*package).to_owned()).collect()
}

fn install(packages: &[String]) -> anyhow::Result<()> {
    command::run(as_root(&["apt-get".to_owned(), "update".to_owned()]))?;
    command::run(as_root(&install_words(packages)))
}

fn install_words(packages: &[String]) -> Vec<String> {
    // Another apt, such as the daily upgrade of a new machine, may hold the lock for a while.
    let fixed =
        ["apt-get", "install", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"];
    fixed.into_iter().map(str::to_owned).chain(packages.iter().cloned()).collect()
}

/// A command run by root, asking for a password only where somebody can type one.
fn as_root(words: &[String]) -> Command {
    let mut command;
    if is_root() {
        command = Command::new("env");
    } else {
        command = Command::new("sudo");
        if !std::io::stdin().is_terminal() {
            command.arg("--non-interactive");
        }
        command.arg("env");
    }
    command.arg("DEBIAN_FRONTEND=noninteractive").args(words);
    command
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_counts_only_when_it_is_installed() {
        let listing = "xvfb installed\ndunst config-files\nlibxdo-dev not-installed\n";
        let missing = not_listed(&["xvfb", "dunst", "libxdo-dev", "xterm", "xterm"], listing);
        assert_eq!(missing, ["dunst", "libxdo-dev", "xterm"]);
    }

    #[test]
    fn says_what_to_type() {
        let missing = Missing { packages: vec!["xvfb".to_owned(), "dunst".to_owned()] };
        assert_eq!(
            missing.to_string().lines().last(),
            Some(
                "  sudo apt-get update && sudo apt-get install -y --no-install-recommends \
                 -o DPkg::Lock::Timeout=300 xvfb dunst"
            )
        );
    }
}
