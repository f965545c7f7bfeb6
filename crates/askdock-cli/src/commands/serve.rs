//! `serve`: the hub without a window.

use std::sync::Arc;

use askdock_client::{DesktopEnvironment, HubFile, HubKind, Paths};
use askdock_hub::{HostRequest, Hub, HubParts, SystemClock, SystemIds};
use askdock_notify::{AppIdentity, desktop_notifier};
use askdock_server::{Tokens, bind_first, raise_open_files_limit};
use askdock_wire::WIRE_VERSION;
use rustix::fs::Mode;
use rustix::process::umask;
use serde_json::json;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc::{self, UnboundedReceiver};

use super::standby::{self, Turn};
use crate::exit::Exit;
use crate::output;

pub(super) async fn serve(paths: Paths, by_person: bool) -> anyhow::Result<Exit> {
    raise_open_files_limit();
    // The database, its backups and the log are nobody else's business.
    umask(Mode::RWXG | Mode::RWXO);
    let mut termination = Termination::new()?;
    let mut last_run = None;
    loop {
        let lock =
            match standby::wait_for_lock(&paths, by_person, last_run, &mut termination).await? {
                Turn::Ours(lock) => lock,
                Turn::Over => return Ok(Exit::Done),
            };
        let run = run_hub(&paths, by_person, &mut termination).await?;
        if let Ended::Quit = run.ended {
            // While the lock is ours, so is the file.
            HubFile::record_quit(&paths)?;
        }
        drop(lock);
        match run.ended {
            Ended::Handover => last_run = Some(run.id),
            Ended::Quit | Ended::Terminated => return Ok(Exit::Done),
        }
    }
}

/// One run of the hub, from taking the database to giving it back.
struct Run {
    id: String,
    ended: Ended,
}

enum Ended {
    Handover,
    Quit,
    Terminated,
}

/// Runs the hub while this process holds the lock.
async fn run_hub(
    paths: &Paths,
    by_person: bool,
    termination: &mut Termination,
) -> anyhow::Result<Run> {
    let tokens = Arc::new(Tokens::load_or_create(paths.data())?);
    let (host, mut requests) = mpsc::unbounded_channel();
    let (notice_events, notices) = mpsc::unbounded_channel();
    let app = AppIdentity {
        name: "Askdock".into(),
        desktop_entry: "askdock".into(),
        icon: "askdock".into(),
    };
    let hub = Hub::open(HubParts {
        database: paths.database(),
        kind: askdock_hub::HubKind::Serve { by_person },
        clock: Arc::new(SystemClock::default()),
        ids: Arc::new(SystemIds),
        notifier: Some((Box::new(desktop_notifier(app, notice_events)), notices)),
        host,
    })?;
    let id = hub.run_id().to_owned();
    let (listener, socket) = bind_first(&paths.sockets())?;
    HubFile {
        socket: socket.clone(),
        pid: std::process::id(),
        hub: id.clone(),
        version: env!("CARGO_PKG_VERSION").into(),
        wire: WIRE_VERSION,
        kind: HubKind::Serve,
        quit: false,
        desktop: DesktopEnvironment::of_this_process(),
    }
    .announce(paths)?;
    tracing::info!(socket = %socket.display(), "the hub is ready");
    // Whoever started us may have closed the pipe, at the latest when we resume after a handover.
    if let Err(error) =
        output::data(false, &json!(null), || format!("listening on {}", socket.display()))
    {
        tracing::warn!(%error, "nobody reads that the hub listens");
    }

    let mut ended = Ended::Terminated;
    let until = async {
        ended = tokio::select! {
            () = termination.requested() => Ended::Terminated,
            request = leaving(&mut requests) => request,
        };
    };
    askdock_server::serve(listener, Arc::new(hub.clone()), tokens, until).await;
    hub.close().await;
    tracing::info!("the hub is closed");
    Ok(Run { id, ended })
}

/// Completes when the hub asks to be closed.
async fn leaving(requests: &mut UnboundedReceiver<HostRequest>) -> Ended {
    while let Some(request) = requests.recv().await {
        match request {
            HostRequest::Handover => return Ended::Handover,
            HostRequest::Quit => return Ended::Quit,
            HostRequest::OpenWindow { .. } => tracing::info!("there is no window to raise"),
        }
    }
    Ended::Terminated
}

/// SIGTERM, SIGINT or SIGHUP.
pub(super) struct Termination([Signal; 3]);

impl Termination {
    fn new() -> std::io::Result<Self> {
        let signals = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
        let [terminate, interrupt, hangup] = signals;
        Ok(Self([signal(terminate)?, signal(interrupt)?, signal(hangup)?]))
    }

    /// Completes when the process is asked to end.
    pub(super) async fn requested(&mut self) {
        let [terminate, interrupt, hangup] = &mut self.0;
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hangup.recv() => {}
        }
    }
}
