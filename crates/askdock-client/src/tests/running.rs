//! A hub in this process, as a host would run it.

use std::sync::Arc;

use askdock_hub::{Hub, HubParts, SystemClock, SystemIds};
use askdock_server::{Tokens, bind_first, serve};
use askdock_wire::{AskRequest, WIRE_VERSION};
use serde_json::json;
use tempfile::TempDir;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::{Client, HubFile, HubKind, Paths, Program, Role};

/// An installation of its own.
pub(super) struct Home {
    pub(super) paths: Paths,
    _folder: TempDir,
}

impl Home {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { paths: Paths::under(folder.path().to_owned()), _folder: folder }
    }

    pub(super) fn client(&self, role: Role) -> Client {
        Client::new(self.paths.clone(), role, Program::Cli)
    }

    pub(super) fn start_hub(&self) -> Running {
        let running = self.start_quietly();
        running.file.clone().announce(&self.paths).unwrap();
        running
    }

    /// Without announcing it.
    pub(super) fn start_quietly(&self) -> Running {
        let tokens = Arc::new(Tokens::load_or_create(self.paths.data()).unwrap());
        let hub = Hub::open(HubParts {
            database: self.paths.database(),
            kind: askdock_hub::HubKind::Serve { by_person: true },
            clock: Arc::new(SystemClock::default()),
            ids: Arc::new(SystemIds),
            notifier: None,
            host: mpsc::unbounded_channel().0,
        })
        .unwrap();
        let (listener, socket) = bind_first(&self.paths.sockets()).unwrap();
        let file = HubFile {
            socket,
            pid: std::process::id(),
            hub: hub.run_id().to_owned(),
            version: "0.1.0".into(),
            wire: WIRE_VERSION,
            kind: HubKind::Serve,
            quit: false,
            desktop: None,
        };
        let (stop, stopped) = oneshot::channel::<()>();
        let server = tokio::spawn(serve(listener, Arc::new(hub.clone()), tokens, async {
            let _ = stopped.await;
        }));
        Running { hub, file, stop, server }
    }
}

pub(super) struct Running {
    pub(super) hub: Hub,
    pub(super) file: HubFile,
    stop: oneshot::Sender<()>,
    server: JoinHandle<()>,
}

impl Running {
    /// Stops as a host does: the server first, then the hub.
    pub(super) async fn stop(self) {
        drop(self.stop);
        self.server.await.unwrap();
        self.hub.close().await;
    }

    /// Breaks every connection in the middle of whatever it does.
    pub(super) async fn crash(self) {
        self.server.abort();
        let _ = self.server.await;
        self.hub.close().await;
    }
}

pub(super) fn question(text: &str) -> AskRequest {
    let input = json!({"question": text, "options": ["Yes", "No"]});
    serde_json::from_value(json!({"input": input, "session": "s"})).unwrap()
}
