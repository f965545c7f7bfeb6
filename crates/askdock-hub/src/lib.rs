//! The hub: the one process that owns the database and the waiting agents.
//!
//! Every change runs on the store's writer: the batch is read, the domain decides, the new state
//! and a line in the event log are written in one transaction; only after its commit are waiters
//! woken, notices shown and windows told. So nothing is acknowledged that could be lost, and no
//! copy of a batch in memory can differ from the stored one.
//!
//! Deliberately absent: transports, windows, notification servers (ports), and any timer that
//! ticks: one task sleeps until the earliest thing that is due.

mod access;
mod answering;
mod asking;
mod caller;
mod clock;
mod commit;
mod drafts;
mod due;
mod events;
mod handler;
mod notices;
mod ports;
mod presence;
mod secrets;
mod sessions;
mod settings;
mod turns;
mod views;

pub use caller::{Caller, ClientProgram, Peer, ProcessId};
pub use clock::{SystemClock, SystemIds};
pub use events::EventStream;
pub use ports::{
    Clock, Ids, Notice, NoticeAction, NoticeCommand, NoticeEvent, NoticeEvents, NoticeKey,
    Notifier, Shown,
};

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askdock_store::{OpenError, Store};
use askdock_wire::Settings;
use tokio::sync::{mpsc, watch};

use crate::due::DueTimes;
use crate::notices::NoticeBook;
use crate::presence::Presence;
use crate::secrets::Secrets;

/// What the process that embeds the hub is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HubKind {
    /// The desktop app.
    Desktop,
    /// `askdock serve`, headless.
    Serve {
        /// Started by a person, who therefore can be reached in a terminal; not by an ask.
        by_person: bool,
    },
}

impl HubKind {
    /// The name in `health` and in the discovery file.
    pub fn name(self) -> &'static str {
        match self {
            HubKind::Desktop => "desktop",
            HubKind::Serve { .. } => "serve",
        }
    }
}

/// What the hub asks of the process that embeds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostRequest {
    /// Raise the window, on this session or batch.
    OpenWindow {
        /// Session to show.
        session: Option<String>,
        /// Id of the batch to show.
        batch: Option<String>,
        /// Lets the window take the focus, where the platform gives one.
        activation_token: Option<String>,
    },
    /// Close the hub, let go of the lock and stand by: a desktop app takes over.
    Handover,
    /// Close the hub and leave; the person quit.
    Quit,
}

/// Everything a hub is made of.
pub struct HubParts {
    /// The database file.
    pub database: PathBuf,
    /// What embeds it.
    pub kind: HubKind,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Ids and secrets.
    pub ids: Arc<dyn Ids>,
    /// Shows notices; `None`: none can be shown.
    pub notifier: Option<(Box<dyn Notifier>, mpsc::UnboundedReceiver<NoticeEvent>)>,
    /// Where requests to the embedding process go.
    pub host: mpsc::UnboundedSender<HostRequest>,
}

/// The running hub. Cheap to clone; all clones are the same hub.
#[derive(Clone)]
pub struct Hub(Arc<Inner>);

struct Inner {
    store: Store,
    kind: HubKind,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    /// Identifies this run.
    run: String,
    notifier: Option<Box<dyn Notifier>>,
    host: mpsc::UnboundedSender<HostRequest>,
    settings: Mutex<Settings>,
    presence: Mutex<Presence>,
    notices: Mutex<NoticeBook>,
    /// Becomes true once the notifier has said whether it can show anything.
    notices_known: watch::Sender<bool>,
    secrets: Mutex<Secrets>,
    due: DueTimes,
    /// The number of the last committed change.
    seq: watch::Sender<u64>,
    /// Set once; then nothing is accepted any more.
    closed: watch::Sender<bool>,
}

/// Why a hub could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// The database.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Reading what is pending.
    #[error("the stored batches could not be read: {0}")]
    Read(#[from] askdock_store::SqlError),
}

impl Hub {
    /// Opens the database, restores what is pending and starts the hub's task on the current
    /// tokio runtime. The caller holds the hub lock.
    ///
    /// # Errors
    /// See [`HubError`].
    pub fn open(parts: HubParts) -> Result<Self, HubError> {
        let store = Store::open(&parts.database)?;
        let seq = store.read(askdock_store::events::last)?;
        let settings = settings::load(&store)?;
        let (notifier, notice_events) = match parts.notifier {
            Some((notifier, events)) => (Some(notifier), Some(events)),
            None => (None, None),
        };
        let hub = Self(Arc::new(Inner {
            run: parts.ids.id(parts.clock.now()),
            store,
            kind: parts.kind,
            clock: parts.clock,
            ids: parts.ids,
            notifier,
            host: parts.host,
            settings: Mutex::new(settings),
            presence: Mutex::default(),
            notices: Mutex::default(),
            notices_known: watch::Sender::new(false),
            secrets: Mutex::default(),
            due: DueTimes::default(),
            seq: watch::Sender::new(seq),
            closed: watch::Sender::new(false),
        }));
        // It is refused to ask where nobody can be reached, so that must be known before.
        if hub.needs_notices()
            && let Some(notifier) = &hub.0.notifier
        {
            notifier.send(NoticeCommand::Prepare);
        }
        hub.restore()?;
        tokio::spawn(due::run(hub.clone()));
        if let Some(events) = notice_events {
            tokio::spawn(notices::listen(hub.clone(), events));
        }
        Ok(hub)
    }

    /// Stops accepting, ends every wait without an outcome and closes the database. Batches stay
    /// pending; whoever waits comes back to the next hub.
    pub async fn close(&self) {
        self.0.closed.send_replace(true);
        let hub = self.clone();
        // Joins the writer thread once everything queued is committed.
        let _ = tokio::task::spawn_blocking(move || hub.0.store.close()).await;
    }

    /// Completes when the hub is closed.
    pub async fn closed(&self) {
        // An error means that the hub is gone, which is as closed as it gets.
        let _ = self.0.closed.subscribe().wait_for(|closed| *closed).await;
    }

    /// Identifies this run of the hub.
    pub fn run_id(&self) -> &str {
        &self.0.run
    }

    /// The settings as they are now.
    pub fn settings(&self) -> Settings {
        lock(&self.0.settings).clone()
    }

    /// Pending batches with a waiter, and without: the numbers that badge and tray show.
    ///
    /// # Errors
    /// Reading failed.
    pub fn counts(&self) -> Result<(u32, u32), askdock_store::SqlError> {
        self.0.store.read(askdock_store::batches::count_pending)
    }
}

/// A panic elsewhere leaves these structures whole: each is changed in one step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
