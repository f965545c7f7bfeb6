//! Whose the database is: ours, or that of an app that runs already. A headless hub hands over.

use std::pin::pin;
use std::time::Duration;

use askdock_client::{Client, ClientError, HubFile, HubLock, Paths, Program, Role};
use askdock_wire::ops;

/// How long another hub may take to answer, or to hand over.
const PATIENCE: Duration = Duration::from_secs(15);
/// How often a hub that doesn't answer yet is asked again.
const PAUSE: Duration = Duration::from_millis(100);

/// How the claim ended.
#[derive(Debug)]
pub(crate) enum Claim {
    /// This process is the hub.
    Ours(HubLock),
    /// Another desktop app is, and was asked to show its window.
    Another,
}

/// Why this process can neither be the hub nor reach the one that is.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClaimError {
    /// The lock or the other hub.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// Somebody has the lock and can't be talked to.
    #[error(
        "Another Askdock{} has the database but doesn't answer. End it, then start again.",
        pid.map(|pid| format!(" (process {pid})")).unwrap_or_default()
    )]
    Silent {
        /// The process that announced itself last.
        pid: Option<u32>,
    },
}

/// Takes the hub lock, from a headless hub if need be. `hidden` leaves another app's window as
/// it is.
pub(crate) async fn claim(paths: &Paths, hidden: bool) -> Result<Claim, ClaimError> {
    if let Some(lock) = HubLock::try_acquire(paths)? {
        return Ok(Claim::Ours(lock));
    }
    tokio::time::timeout(PATIENCE, negotiate(paths, hidden)).await.unwrap_or_else(|_| {
        Err(ClaimError::Silent { pid: HubFile::read(paths).map(|last| last.pid) })
    })
}

async fn negotiate(paths: &Paths, hidden: bool) -> Result<Claim, ClaimError> {
    let client = Client::new(paths.clone(), Role::Person, Program::Cli);
    // From the start, so that a hub that hands over finds somebody waiting for the lock.
    let mut lock = pin!(HubLock::acquire(paths));
    loop {
        let asked = async {
            let health = client.call::<ops::HealthGet>(&ops::NoFields {}).await?;
            match health.kind.as_str() {
                "desktop" if hidden => Ok(true),
                "desktop" => client
                    .call::<ops::WindowOpen>(&ops::WindowOpenRequest::default())
                    .await
                    .map(|_| true),
                _ => client.call::<ops::HubHandover>(&ops::NoFields {}).await.map(|_| false),
            }
        };
        tokio::select! {
            lock = &mut lock => return Ok(Claim::Ours(lock?)),
            asked = asked => match asked {
                Ok(true) => return Ok(Claim::Another),
                Ok(false) => {}
                // One that starts, or stops: it isn't there yet or any more.
                Err(ClientError::NoHub | ClientError::Disconnected(_)) => {}
                Err(error) => return Err(error.into()),
            },
        }
        tokio::select! {
            lock = &mut lock => return Ok(Claim::Ours(lock?)),
            () = tokio::time::sleep(PAUSE) => {}
        }
    }
}
