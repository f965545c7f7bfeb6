//! Starts a hub for a new ask: the desktop app where there is a display, else `askdock serve`.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::process::{Child, Command};

use crate::client::Client;
use crate::waiting::Absence;
use crate::{ClientError, DesktopEnvironment, HubFile, Paths};

/// How long a hub may take until it accepts connections.
const READY: Duration = Duration::from_secs(10);
const DESKTOP: &str = "askdock-desktop";
const COMMAND: &str = "askdock";
const APP: &str = "the desktop app";
/// What started programs write to their standard output and error.
const LOG: &str = "start.log";

/// Starts a hub and completes when `client` can reach it.
pub(crate) async fn start(
    client: &Client,
    say: &(dyn Fn(&str) + Send + Sync),
) -> Result<(), ClientError> {
    let paths = client.paths();
    paths.create_data_folder()?;
    let log = paths.logs().join(LOG);
    let not_started =
        |reason: &str| ClientError::NotStarted { reason: reason.to_owned(), log: log.clone() };
    let ready = async {
        let mut candidates = candidates(paths).into_iter();
        while let Some(mut child) = spawn_next(&mut candidates, paths, &log, say) {
            tokio::select! {
                () = reachable(client) => return Ok(()),
                // A hub that another ask started meanwhile has the lock: ours leaves, all is well.
                Ok(status) = child.wait() => if status.success() {
                    reachable(client).await;
                    return Ok(());
                },
            }
        }
        Err(not_started("no program that could be started stayed"))
    };
    tokio::time::timeout(READY, ready)
        .await
        .unwrap_or_else(|_| Err(not_started("it was not ready within 10 seconds")))
}

/// Starts the desktop app and lets it go. It takes over from an `askdock serve`, and if it runs
/// already, it raises its window.
///
/// # Errors
/// The app or a display is missing, or it can't be started.
pub fn open_desktop(paths: &Paths) -> Result<(), ClientError> {
    let desktop = desktop_environment(paths)
        .ok_or(ClientError::NoDesktop("needs a display, and there is none here"))?;
    let program = find(DESKTOP).ok_or(ClientError::NoDesktop(
        "(askdock-desktop) is neither beside this program nor on PATH; install it",
    ))?;
    paths.create_data_folder()?;
    let app = Candidate {
        what: APP,
        program,
        arguments: &[],
        environment: Some(desktop),
        own_group: true,
    };
    app.spawn(paths, &paths.logs().join(LOG)).map(drop)
}

/// Leaves the terminal and process group of whoever started this process, so that ending them
/// doesn't end the hub. Call it first thing in a hub that an ask started.
pub fn detach_from_terminal() {
    if let Err(error) = rustix::process::setsid() {
        tracing::debug!(%error, "already leads a session or group");
    }
}

/// The first of `candidates` that the system executes. One that it doesn't (for another
/// architecture, half installed) must not keep the others from being tried.
fn spawn_next(
    candidates: &mut impl Iterator<Item = Candidate>,
    paths: &Paths,
    log: &Path,
    say: &(dyn Fn(&str) + Send + Sync),
) -> Option<Child> {
    candidates.find_map(|candidate| {
        say(&format!("No Askdock hub is running; starting {}.", candidate.what));
        candidate
            .spawn(paths, log)
            .inspect_err(|error| say(&format!("{} could not be started: {error}", candidate.what)))
            .ok()
    })
}

async fn reachable(client: &Client) {
    let mut absence = Absence::new(client.paths());
    while let Err(error) = client.reach().await {
        absence.over(&error).await;
    }
}

/// Some agents start us with a bare environment: then the last desktop's is used.
fn desktop_environment(paths: &Paths) -> Option<DesktopEnvironment> {
    DesktopEnvironment::of_this_process()
        .or_else(|| HubFile::read(paths).and_then(|last| last.desktop))
}

struct Candidate {
    what: &'static str,
    program: PathBuf,
    arguments: &'static [&'static str],
    environment: Option<DesktopEnvironment>,
    /// Put in a process group of its own. `askdock serve` leaves the whole terminal by itself,
    /// which the leader of a group can't.
    own_group: bool,
}

/// What to try, in order.
fn candidates(paths: &Paths) -> Vec<Candidate> {
    let desktop = desktop_environment(paths);
    let app = desktop.as_ref().and_then(|_| find(DESKTOP)).map(|program| Candidate {
        what: APP,
        program,
        arguments: &["--hidden"],
        environment: desktop.clone(),
        own_group: true,
    });
    let serve = find(COMMAND).map(|program| Candidate {
        what: "`askdock serve`",
        program,
        arguments: &["serve", "--started-by-ask"],
        environment: desktop,
        own_group: false,
    });
    app.into_iter().chain(serve).collect()
}

impl Candidate {
    fn spawn(&self, paths: &Paths, log: &Path) -> Result<Child, ClientError> {
        // The hub outlives whoever asked: it must not keep open what they handed down, a lock or
        // the pipe that somebody reads to its end.
        close_fds::set_fds_cloexec(3, &[]);
        let output = || {
            std::fs::create_dir_all(paths.logs())?;
            OpenOptions::new().create(true).append(true).mode(0o600).open(log)
        };
        let stdio = || output().map_or_else(|_| Stdio::null(), Stdio::from);
        let mut command = Command::new(&self.program);
        command
            .args(self.arguments)
            .stdin(Stdio::null())
            .stdout(stdio())
            .stderr(stdio())
            .current_dir(paths.data())
            .env_remove("ASKDOCK_SESSION");
        if self.own_group {
            command.process_group(0);
        }
        if let Some(environment) = &self.environment {
            command.envs(environment.variables());
        }
        command.spawn().map_err(|source| ClientError::File { path: self.program.clone(), source })
    }
}

/// The program beside ours, else the first on PATH.
fn find(name: &str) -> Option<PathBuf> {
    let beside = std::env::current_exe().ok()?.parent().map(|folder| folder.join(name));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path: Vec<_> = std::env::split_paths(&path).map(|folder| folder.join(name)).collect();
    beside.into_iter().chain(on_path).find(|program| is_executable(program))
}

fn is_executable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok() && path.is_file()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::sync::Mutex;

    use super::*;

    #[tokio::test]
    async fn a_program_that_cannot_be_executed_does_not_keep_the_next_from_starting() {
        let home = tempfile::tempdir().unwrap();
        let broken = home.path().join("broken");
        std::fs::write(&broken, "#!/nowhere/interpreter\n").unwrap();
        std::fs::set_permissions(&broken, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert!(is_executable(&broken));
        let candidate = |what, program: PathBuf| Candidate {
            what,
            program,
            arguments: &[],
            environment: None,
            own_group: true,
        };
        let works = find("true").unwrap();
        let mut both = [candidate("the first", broken), candidate("the second", works)].into_iter();
        let said = Mutex::new(vec![]);
        let say = |line: &str| said.lock().unwrap().push(line.to_owned());
        let paths = Paths::under(home.path().to_owned());
        let mut child = spawn_next(&mut both, &paths, &home.path().join(LOG), &say).unwrap();
        assert!(child.wait().await.unwrap().success());
        let said = said.lock().unwrap();
        assert_eq!(said.len(), 3, "{said:?}");
        assert!(said[1].starts_with("the first could not be started"), "{said:?}");
    }
}
