//! A hub on a temporary database with a clock that only the test moves.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use askdock_domain::Timestamp;
use askdock_hub::{
    Caller, ClientProgram, Clock, HostRequest, Hub, HubKind, HubParts, Ids, NoticeCommand,
    NoticeEvent, Notifier, Peer, ProcessId,
};
use askdock_wire::ops::{AskBody, Handler, Scope, WaitRequest};
use askdock_wire::{AskRequest, AskResponse, Outcome, WireError};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::{Notify, mpsc};

/// 2026-11-30T12:00:00Z.
pub const START: Timestamp = Timestamp(1_796_040_000_000);

/// A clock that stands still until the test moves it.
#[derive(Default)]
pub struct TestClock {
    state: Mutex<ClockState>,
    moved: Arc<Notify>,
}

struct ClockState {
    wall: Timestamp,
    monotonic: Duration,
    sleepers: BTreeMap<(Duration, u64), Arc<Notify>>,
    next: u64,
}

impl Default for ClockState {
    fn default() -> Self {
        Self { wall: START, monotonic: Duration::ZERO, sleepers: BTreeMap::new(), next: 0 }
    }
}

impl TestClock {
    /// Time passes on both clocks; sleepers whose time has come wake.
    pub fn pass(&self, span: Duration) {
        let mut state = self.state.lock().unwrap();
        state.wall = state.wall + askdock_domain::Millis(i64::try_from(span.as_millis()).unwrap());
        state.monotonic += span;
        let now = state.monotonic;
        while let Some(entry) = state.sleepers.first_entry() {
            if entry.key().0 > now {
                break;
            }
            entry.remove().notify_one();
        }
    }

    /// The wall clock jumps (suspend, or somebody set it) while the monotonic one stands still.
    pub fn jump(&self, millis: i64) {
        let mut state = self.state.lock().unwrap();
        state.wall = Timestamp(state.wall.0 + millis);
    }

    /// Waits until something sleeps for at most `span`: the hub has planned its next look.
    pub async fn planned_within(&self, span: Duration) {
        loop {
            let moved = self.moved.notified();
            {
                let state = self.state.lock().unwrap();
                let limit = state.monotonic + span;
                if state.sleepers.keys().any(|(at, _)| *at <= limit) {
                    return;
                }
            }
            moved.await;
        }
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        self.state.lock().unwrap().wall
    }

    fn monotonic(&self) -> Duration {
        self.state.lock().unwrap().monotonic
    }

    fn sleep(&self, span: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let mut state = self.state.lock().unwrap();
        let wake = Arc::new(Notify::new());
        if span.is_zero() {
            wake.notify_one();
        } else {
            state.next += 1;
            let place = (state.monotonic + span, state.next);
            state.sleepers.insert(place, wake.clone());
        }
        self.moved.notify_waiters();
        Box::pin(async move { wake.notified().await })
    }
}

/// Ids and secrets that count up.
#[derive(Default)]
pub struct TestIds(AtomicU64);

impl Ids for TestIds {
    fn id(&self, _: Timestamp) -> String {
        format!("00000000-0000-7000-8000-{:012}", self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn secret(&self) -> String {
        format!("secret-{}", self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// Records what it is told to show.
#[derive(Clone, Default)]
pub struct TestNotifier(pub Arc<Mutex<Vec<NoticeCommand>>>);

impl Notifier for TestNotifier {
    fn send(&self, command: NoticeCommand) {
        self.0.lock().unwrap().push(command);
    }
}

impl TestNotifier {
    /// Every notice shown, in order.
    pub fn shown(&self) -> Vec<askdock_hub::Notice> {
        let commands = self.0.lock().unwrap();
        commands
            .iter()
            .filter_map(|command| match command {
                NoticeCommand::Show(notice) => Some(notice.clone()),
                _ => None,
            })
            .collect()
    }
}

pub struct Bench {
    pub hub: Hub,
    pub clock: Arc<TestClock>,
    pub notifier: TestNotifier,
    pub notices: mpsc::UnboundedSender<NoticeEvent>,
    pub host: mpsc::UnboundedReceiver<HostRequest>,
    pub dir: TempDir,
}

impl Bench {
    pub fn new() -> Self {
        Self::open(tempfile::tempdir().unwrap(), Arc::default(), Arc::new(TestIds::default()))
    }

    fn open(dir: TempDir, clock: Arc<TestClock>, ids: Arc<TestIds>) -> Self {
        let notifier = TestNotifier::default();
        let (notices, events) = mpsc::unbounded_channel();
        let (host_sender, host) = mpsc::unbounded_channel();
        let hub = Hub::open(HubParts {
            database: dir.path().join("askdock.db"),
            kind: HubKind::Serve { by_person: true },
            clock: clock.clone(),
            ids,
            notifier: Some((Box::new(notifier.clone()), events)),
            host: host_sender,
        })
        .unwrap();
        Self { hub, clock, notifier, notices, host, dir }
    }

    /// Closes the hub and opens another on the same database, as after a crash or an upgrade.
    pub async fn restart(self) -> Self {
        self.hub.close().await;
        let ids = Arc::new(TestIds(AtomicU64::new(1_000_000)));
        Self::open(self.dir, self.clock, ids)
    }

    pub async fn ask(&self, body: Value) -> AskResponse {
        self.try_ask(&agent(), body).await.unwrap()
    }

    pub async fn try_ask(&self, caller: &Caller, body: Value) -> Result<AskResponse, WireError> {
        self.hub.batch_ask(caller, AskBody(AskRequest::from_body(body).unwrap())).await
    }

    /// Starts waiting in a task of its own, and returns once the waiter counts.
    pub async fn wait(&self, asked: &AskResponse) -> tokio::task::JoinHandle<Outcome> {
        self.wait_as(owner(asked), asked).await
    }

    pub async fn wait_as(
        &self,
        caller: Caller,
        asked: &AskResponse,
    ) -> tokio::task::JoinHandle<Outcome> {
        let (hub, id) = (self.hub.clone(), asked.id.clone());
        let started = Arc::new(Notify::new());
        let signal = started.clone();
        let task = tokio::spawn(async move {
            let request = WaitRequest { id, wait: Some(-1.0), full: true };
            let wait = hub.batch_wait(&caller, request);
            tokio::pin!(wait);
            // The first poll attaches; only then does the test go on.
            let first = poll_once(wait.as_mut()).await;
            signal.notify_one();
            match first {
                Some(result) => result.unwrap().outcome.unwrap(),
                None => wait.await.unwrap().outcome.unwrap(),
            }
        });
        started.notified().await;
        task
    }
}

/// Polls once.
pub async fn poll_once<F: Future + Unpin>(mut future: F) -> Option<F::Output> {
    std::future::poll_fn(|context| {
        std::task::Poll::Ready(match Pin::new(&mut future).poll(context) {
            std::task::Poll::Ready(output) => Some(output),
            std::task::Poll::Pending => None,
        })
    })
    .await
}

/// An agent's caller without a session yet.
pub fn agent() -> Caller {
    Caller { scope: Scope::Agent, via: "http", ..Caller::window() }
}

/// The caller that asked.
pub fn owner(asked: &AskResponse) -> Caller {
    Caller { session_secrets: vec![asked.session_secret.clone()], ..agent() }
}

/// A caller in a process: `pid`, its ancestors from the parent upwards.
pub fn process(scope: Scope, program: ClientProgram, pid: u32, ancestors: &[u32]) -> Caller {
    let id = |pid: u32| ProcessId { pid, started: u64::from(pid) };
    Caller {
        scope,
        program,
        peer: Some(Peer {
            process: id(pid),
            program: "askdock".into(),
            ancestors: ancestors.iter().copied().map(id).collect(),
            agent: ancestors.first().copied().map(id),
        }),
        ..agent()
    }
}

/// One question with two options.
pub fn question() -> Value {
    json!({ "questions": [{
        "id": "target", "question": "Where should it go first?", "header": "Deploy target",
        "options": [{ "label": "Staging (Recommended)" }, { "label": "Production" }],
    }] })
}

/// `question` with other fields beside.
pub fn question_with(fields: Value) -> Value {
    let mut body = question();
    for (name, value) in fields.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}
