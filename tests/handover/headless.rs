//! The command needs no window system: not in its dependencies, not in its libraries, not to run.

use std::process::Command;

use anyhow::{Context, Result, ensure};
use askdock_tests::home::{Home, askdock};

use crate::{Asker, all_answered, waited_on};

const WINDOWS: [&str; 8] =
    ["webkit", "javascriptcore", "libgtk", "libgdk", "libX11", "libxcb", "libwayland", "libsoup"];

#[test]
fn no_crate_of_the_command_draws_windows() -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    // Who depends on this crate, among what the command is made of.
    let dependents = |package: &str, on: &str| -> Result<String> {
        let output = Command::new(&cargo)
            .args(["tree", "--offline", "--locked", "--prefix", "none"])
            .args(["--edges", "normal,build", "--package", package, "--invert", on])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()?;
        let complaint = String::from_utf8(output.stderr)?;
        let none = complaint.contains("did not match any packages");
        ensure!(output.status.success() || none, "{complaint}");
        Ok(String::from_utf8(output.stdout)?)
    };
    for windows in ["tauri", "wry", "tao", "gtk", "webkit2gtk"] {
        ensure!(dependents("askdock-desktop", windows)?.contains("askdock-desktop"), "{windows}");
        let found = dependents("askdock-cli", windows)?;
        ensure!(found.is_empty(), "{windows}: {found}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_runs_without_a_display_and_loads_no_window_library() -> Result<()> {
    let linked = Command::new("ldd").arg(askdock()).output().context("ldd")?;
    let linked = String::from_utf8(linked.stdout)?;
    ensure!(linked.contains("libc.so"), "{linked}");
    let home = Home::new()?;
    let hub = home.serve().await?;
    let asker = Asker::start(&home, "a")?;
    waited_on(&home, 1).await?;
    let pid = hub.pid().context("it runs")?;
    let environment = std::fs::read(format!("/proc/{pid}/environ"))?;
    ensure!(!String::from_utf8_lossy(&environment).contains("DISPLAY="));
    all_answered(&home, vec![asker]).await?;
    // Whatever it opened by itself while it ran, too.
    let loaded = std::fs::read_to_string(format!("/proc/{pid}/maps"))?;
    ensure!(loaded.contains("libc.so"));
    for library in WINDOWS {
        ensure!(!linked.contains(library) && !loaded.contains(library), "{library}");
    }
    Ok(())
}
