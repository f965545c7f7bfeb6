//! How the hub is found: by its file in the data folder, and by nothing else.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use askdock_client::{HubFile, Paths};
use askdock_tests::home::{Home, Ran, askdock};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::{Ends, ended};

#[tokio::test]
async fn a_file_that_a_dead_hub_left_is_seen_through() -> Result<()> {
    let home = Home::new()?;
    home.serve().await?.kill().await?;
    let file = home.paths().hub_file();
    let left = std::fs::read_to_string(&file)?;
    let dead = HubFile::read(&home.paths()).context("it is still there")?;
    // Its process number may be another program's by now.
    let reused = left.replace(&dead.pid.to_string(), &std::process::id().to_string());
    let gone = left.replace("askdock.sock", "gone.sock");
    for content in [left.as_str(), &reused, &gone, "", "{", "[]", "null"] {
        std::fs::write(&file, content)?;
        let ran = home.run(&["list"]).await?;
        ensure!(ran.code == Some(1), "{content}: {ran:?}");
        ensure!(ran.stderr.contains("No Askdock hub is running"), "{content}: {ran:?}");
    }
    // A new ask isn't held up by it either.
    std::fs::write(&file, &reused)?;
    let asked = home.run(&["ask", "--question", "Go?", "--wait", "--no-wait", "--json"]).await?;
    let started = HubFile::read(&home.paths()).context("a new file")?;
    ensure!(started.hub != dead.hub && started.pid != std::process::id(), "{started:?}");
    let _ends = Ends(started.pid);
    ensure!(asked.code == Some(0) && asked.json()?["number"] == 1, "{asked:?}");
    Ok(())
}

#[tokio::test]
async fn a_home_with_a_very_long_path_works() -> Result<()> {
    let home = Home::new()?;
    // Longer than any socket's path may be, with what a shell or a URL would trip over.
    let long = home.path().join("söme folder %20'$x").join("deep/".repeat(60));
    ensure!(long.as_os_str().len() > 300);
    let run = |arguments: &[&str]| {
        let mut command = home.askdock(arguments);
        command.env("ASKDOCK_HOME", &long);
        command
    };
    let mut serve = run(&["serve"]).spawn()?;
    let socket = listening(&mut serve).await?;
    let _gone = Gone(socket.clone());
    ensure!(mode(&socket)? == 0o600, "{:o}", mode(&socket)?);
    ensure!(mode(socket.parent().context("a folder")?)? == 0o700);
    ensure!(Paths::under(long.clone()).hub_file().exists());
    goes_through(&run).await
}

#[tokio::test]
async fn with_only_home_and_path_the_platforms_folders_are_used() -> Result<()> {
    let home = Home::new()?;
    let runtime = home.path().join("runtime");
    std::fs::create_dir(&runtime)?;
    std::fs::set_permissions(&runtime, std::fs::Permissions::from_mode(0o700))?;
    // As some agents start their tools.
    let bare = |arguments: &[&str]| {
        let mut command = Command::new(askdock());
        command
            .args(arguments)
            .env_clear()
            .env("HOME", home.path())
            .env("PATH", "/usr/bin:/bin")
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .kill_on_drop(true);
        command
    };
    let mut serve = bare(&["serve"]).env("XDG_RUNTIME_DIR", &runtime).spawn()?;
    let socket = listening(&mut serve).await?;
    ensure!(socket == runtime.join("askdock/askdock.sock"), "{}", socket.display());
    let data = home.path().join(".local/share/askdock");
    for file in ["hub.json", "askdock.db", "person.token", "agent.token"] {
        ensure!(mode(&data.join(file))? == 0o600, "{file}");
    }
    goes_through(&bare).await?;
    serve.kill().await?;
    // A hub that an agent started so puts its socket beside the data; all find that too.
    let mut serve = bare(&["serve"]).spawn()?;
    let socket = listening(&mut serve).await?;
    ensure!(socket == data.join("run/askdock.sock"), "{}", socket.display());
    let all = ended(bare(&["list", "--all"]).env("XDG_RUNTIME_DIR", &runtime).spawn()?).await?;
    ensure!(all.stdout.starts_with("#1  answered"), "{all:?}");
    Ok(())
}

/// Asks and answers.
async fn goes_through(command: &impl Fn(&[&str]) -> Command) -> Result<()> {
    let run = async |arguments: &[&str]| -> Result<Ran> {
        let ran = ended(command(arguments).spawn()?).await?;
        ensure!(ran.code == Some(0), "{arguments:?}: {ran:?}");
        Ok(ran)
    };
    let asked = run(&["ask", "--question", "Go?", "--no-wait", "--json"]).await?.json()?;
    let number = asked["number"].to_string();
    run(&["answer", &number, "yes"]).await?;
    let waited = run(&["wait", &number]).await?;
    ensure!(waited.stdout == "yes\n", "{waited:?}");
    Ok(())
}

async fn listening(serve: &mut Child) -> Result<PathBuf> {
    let mut line = String::new();
    BufReader::new(serve.stdout.take().context("piped")?).read_line(&mut line).await?;
    let socket = line.trim_end().strip_prefix("listening on ");
    Ok(socket.with_context(|| format!("instead of listening: {line:?}"))?.into())
}

fn mode(path: &Path) -> Result<u32> {
    let metadata = std::fs::metadata(path).with_context(|| path.display().to_string())?;
    Ok(metadata.permissions().mode() & 0o777)
}

/// Removes a socket outside the test's own folder.
struct Gone(PathBuf);

impl Drop for Gone {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
