//! The embedded hub with its socket, opened and closed as one.

use std::path::PathBuf;
use std::sync::Arc;

use askdock_client::{DesktopEnvironment, HubFile, HubLock, Paths};
use askdock_hub::{HostRequest, Hub, HubParts, SystemClock, SystemIds};
use askdock_notify::AppIdentity;
use askdock_server::Tokens;
use askdock_wire::WIRE_VERSION;
use tokio::runtime::Runtime;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::JoinHandle;

/// The name of the desktop entry, of the window's class and of the icon in icon themes.
pub(crate) const DESKTOP_ENTRY: &str = "askdock";

/// Where the hub is while it is open. Locked while it opens, so that who closes it waits for that.
#[derive(Clone, Default)]
pub(crate) struct HubSlot(Arc<Mutex<Option<OpenHub>>>);

impl HubSlot {
    /// Opens the hub on a thread of its own; not for a task of the runtime. `open` returns
    /// nothing where it failed, and has said so.
    pub(crate) fn fill(
        &self,
        runtime: &Runtime,
        open: impl FnOnce() -> Option<OpenHub> + Send + 'static,
    ) {
        let mut slot = self.0.clone().blocking_lock_owned();
        runtime.spawn_blocking(move || *slot = open());
    }

    /// Closes the hub, if it is open; see [`OpenHub::close`].
    pub(crate) async fn close(&self, quit: bool) {
        if let Some(hub) = self.0.lock().await.take() {
            hub.close(quit).await;
        }
    }
}

/// The open hub, serving its socket.
pub(crate) struct OpenHub {
    hub: Hub,
    paths: Paths,
    stop: oneshot::Sender<()>,
    served: JoinHandle<()>,
    /// Let go of last.
    _lock: HubLock,
}

impl OpenHub {
    /// Opens the hub, serves it and announces it. `host` gets what it asks of this program.
    ///
    /// Reads and writes files: not for a worker of the runtime, but inside it.
    ///
    /// # Errors
    /// A sentence for the person is the error's whole text.
    pub(crate) fn open(
        paths: Paths,
        lock: HubLock,
        host: mpsc::UnboundedSender<HostRequest>,
    ) -> anyhow::Result<Self> {
        let (notices, notice_events) = mpsc::unbounded_channel();
        let app = AppIdentity {
            name: "Askdock".into(),
            desktop_entry: DESKTOP_ENTRY.into(),
            icon: DESKTOP_ENTRY.into(),
        };
        let notifier = askdock_notify::desktop_notifier(app, notices);
        let hub = Hub::open(HubParts {
            database: paths.database(),
            kind: askdock_hub::HubKind::Desktop,
            clock: Arc::new(SystemClock::default()),
            ids: Arc::new(SystemIds),
            notifier: Some((Box::new(notifier), notice_events)),
            host,
        })?;
        let tokens = Arc::new(Tokens::load_or_create(paths.data())?);
        let (listener, socket) = askdock_server::bind_first(&paths.sockets())?;
        let (stop, stopped) = oneshot::channel::<()>();
        let served = tokio::spawn(askdock_server::serve(
            listener,
            Arc::new(hub.clone()),
            tokens,
            // A sender that is gone stops it as well.
            async { drop(stopped.await) },
        ));
        announce(&paths, &hub, socket)?;
        Ok(Self { hub, paths, stop, served, _lock: lock })
    }

    /// The hub.
    pub(crate) fn hub(&self) -> &Hub {
        &self.hub
    }

    /// Stops serving, closes the database and lets go of the lock. `quit`: the person wanted it,
    /// so nobody who waits starts a hub again.
    async fn close(self, quit: bool) {
        if quit && let Err(error) = HubFile::record_quit(&self.paths) {
            tracing::error!(%error, "that the person quit was not recorded");
        }
        let _ = self.stop.send(());
        // The hub ends what waits, which the server is waiting for.
        let (_, served) = tokio::join!(self.hub.close(), self.served);
        if let Err(error) = served {
            tracing::error!(%error, "the server ended badly");
        }
    }
}

fn announce(paths: &Paths, hub: &Hub, socket: PathBuf) -> anyhow::Result<()> {
    HubFile {
        socket,
        pid: std::process::id(),
        hub: hub.run_id().to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        wire: WIRE_VERSION,
        kind: askdock_client::HubKind::Desktop,
        quit: false,
        desktop: DesktopEnvironment::of_this_process(),
    }
    .announce(paths)?;
    Ok(())
}
