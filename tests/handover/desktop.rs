//! The desktop app takes over from `serve` and gives back.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use askdock_client::{HubFile, HubKind, HubLock, Role};
use askdock_hub::{HostRequest, Hub, HubParts, SystemClock, SystemIds};
use askdock_server::{Tokens, bind_first};
use askdock_tests::home::Home;
use askdock_tests::http::Caller;
use askdock_tests::notification_server::{NotificationServer, Persona};
use askdock_tests::session_bus::SessionBus;
use askdock_wire::WIRE_VERSION;
use askdock_wire::ops::{HubHandover, NoFields};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::{Asker, all_answered, answer_all, waited_on};

/// A hub that takes longer to hand over hangs.
const SOON: Duration = Duration::from_secs(20);

/// The hub of a desktop app, without its window.
struct Desktop {
    hub: Hub,
    stop: oneshot::Sender<()>,
    served: JoinHandle<()>,
    _host: mpsc::UnboundedReceiver<HostRequest>,
    _lock: HubLock,
}

impl Desktop {
    /// First in line for the lock, then the request, as the app does it.
    async fn take_over(home: &Home) -> Result<Self> {
        let paths = home.paths();
        let waiting = tokio::spawn(async move { HubLock::acquire(&paths).await });
        home.client(Role::Person).call::<HubHandover>(&NoFields {}).await?;
        let lock = tokio::time::timeout(SOON, waiting).await.context("not handed over")???;
        Self::open(home, lock)
    }

    fn open(home: &Home, lock: HubLock) -> Result<Self> {
        let paths = home.paths();
        let (host, requests) = mpsc::unbounded_channel();
        let hub = Hub::open(HubParts {
            database: paths.database(),
            kind: askdock_hub::HubKind::Desktop,
            clock: Arc::new(SystemClock::default()),
            ids: Arc::new(SystemIds),
            notifier: None,
            host,
        })?;
        let tokens = Arc::new(Tokens::load_or_create(paths.data())?);
        let (listener, socket) = bind_first(&paths.sockets())?;
        let (stop, stopped) = oneshot::channel::<()>();
        let until = async { drop(stopped.await) };
        let served =
            tokio::spawn(askdock_server::serve(listener, Arc::new(hub.clone()), tokens, until));
        HubFile {
            socket,
            pid: std::process::id(),
            hub: hub.run_id().to_owned(),
            version: "0".into(),
            wire: WIRE_VERSION,
            kind: HubKind::Desktop,
            quit: false,
            desktop: None,
        }
        .announce(&paths)?;
        Ok(Self { hub, stop, served, _host: requests, _lock: lock })
    }

    async fn leave(self) -> Result<()> {
        let _ = self.stop.send(());
        let (_, served) = tokio::join!(self.hub.close(), self.served);
        Ok(served?)
    }
}

async fn kind(home: &Home) -> Result<String> {
    let health = Caller::nobody(home)?.call("GET /v1/health", Value::Null).await?.expect(200)?;
    Ok(health["kind"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_waits_goes_along_to_the_desktop_and_back() -> Result<()> {
    let bus = SessionBus::start().await?;
    let server = NotificationServer::start(bus.address(), Persona::xfce()).await?;
    let home = Home::with_bus(bus.address())?;
    let serve = home.serve().await?;
    let askers = vec![Asker::start(&home, "a")?, Asker::start(&home, "b")?];
    waited_on(&home, 2).await?;
    server.wait_notified(2).await?;
    for _ in 0..3 {
        let desktop = Desktop::take_over(&home).await?;
        waited_on(&home, 2).await?;
        ensure!(kind(&home).await? == "desktop");
        desktop.leave().await?;
        waited_on(&home, 2).await?;
        ensure!(kind(&home).await? == "serve");
    }
    all_answered(&home, askers).await?;
    let anew = server.notified().iter().filter(|notified| notified.replaces == 0).count();
    ensure!(anew == 2, "{anew} notifications were shown for two asks");
    drop(serve);
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_given_to_the_desktop_reaches_who_asked_serve() -> Result<()> {
    let home = Home::new()?;
    let serve = home.serve().await?;
    let askers: Vec<_> =
        (0..6).map(|n| Asker::start(&home, &n.to_string())).collect::<Result<_>>()?;
    waited_on(&home, 6).await?;
    let desktop = Desktop::take_over(&home).await?;
    // Whether they are back yet or not.
    all_answered(&home, askers).await?;
    desktop.leave().await?;
    drop(serve);
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_given_right_before_a_handover_is_not_lost_in_it() -> Result<()> {
    let home = Home::new()?;
    let serve = home.serve().await?;
    let askers: Vec<_> =
        (0..6).map(|n| Asker::start(&home, &n.to_string())).collect::<Result<_>>()?;
    waited_on(&home, 6).await?;
    // Some have collected by then, some are about to, some are cut off.
    let outcomes = answer_all(&home).await?;
    let desktop = Desktop::take_over(&home).await?;
    for asker in askers {
        let own = outcomes.iter().find(|(session, _)| *session == asker.session);
        let expected = own.context("it was answered")?.1.clone();
        ensure!(asker.outcome().await? == expected);
    }
    desktop.leave().await?;
    drop(serve);
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_desktop_hands_over_to_nobody() -> Result<()> {
    let home = Home::new()?;
    let lock = HubLock::try_acquire(&home.paths())?.context("the lock is free")?;
    let desktop = Desktop::open(&home, lock)?;
    let asker = Asker::start(&home, "a")?;
    waited_on(&home, 1).await?;
    let response =
        Caller::person(&home)?.call("POST /v1/hub/handover", serde_json::json!({})).await?;
    response.refused(503, "unavailable")?;
    all_answered(&home, vec![asker]).await?;
    desktop.leave().await
}
