//! A notification server that does as a test tells it: it owns `org.freedesktop.Notifications` on
//! a private bus, records every call with its time, and can be slow, silent, rude, new or forged.
//!
//! It speaks D-Bus messages directly rather than through an object server, so that a test decides
//! what is sent before what.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use futures_util::StreamExt;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use zbus::connection::Builder;
use zbus::message::Type;
use zbus::{Connection, Message, MessageStream, OwnedVariant, Variant};

const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";
/// A test that waits longer than this has failed.
const PATIENCE: Duration = Duration::from_secs(20);

/// What the server says of itself.
#[derive(Debug, Clone)]
pub struct Persona {
    /// `GetServerInformation`: name.
    pub name: String,
    /// `GetServerInformation`: vendor.
    pub vendor: String,
    /// `GetServerInformation`: version.
    pub version: String,
    /// `GetCapabilities`.
    pub capabilities: Vec<String>,
}

impl Persona {
    /// A server with this name and these capabilities.
    pub fn new(name: &str, capabilities: &[&str]) -> Self {
        Self {
            name: name.to_owned(),
            vendor: "Askdock tests".to_owned(),
            version: "1.0".to_owned(),
            capabilities: capabilities.iter().map(|own| (*own).to_owned()).collect(),
        }
    }

    /// GNOME Shell: three buttons, markup.
    pub fn gnome() -> Self {
        let own = ["actions", "body", "body-markup", "icon-static", "persistence", "sound"];
        Self::new("gnome-shell", &own)
    }

    /// KDE Plasma: every button, markup, inline replies.
    pub fn plasma() -> Self {
        Self::new("Plasma", &["actions", "body", "body-markup", "inline-reply", "persistence"])
    }

    /// Xfce: every button, markup.
    pub fn xfce() -> Self {
        Self::new("Xfce Notify Daemon", &["actions", "body", "body-markup", "icon-static"])
    }

    /// A server that shows text and nothing else.
    pub fn plain() -> Self {
        Self::new("plain", &["body"])
    }
}

/// One `Notify` as it came.
#[derive(Debug, Clone)]
pub struct Notified {
    /// When.
    pub at: Instant,
    /// The unique bus name of the sender.
    pub sender: String,
    /// The id that was, or will be, answered.
    pub id: u32,
    /// `app_name`
    pub app_name: String,
    /// `replaces_id`
    pub replaces: u32,
    /// `app_icon`
    pub app_icon: String,
    /// `summary`
    pub summary: String,
    /// `body`
    pub body: String,
    /// `actions`, as pairs of key and label.
    pub actions: Vec<(String, String)>,
    /// `hints`
    pub hints: HashMap<String, OwnedVariant>,
    /// `expire_timeout` in milliseconds
    pub expire: i32,
}

impl Notified {
    /// Labels of the buttons: every action but `default` and `inline-reply`.
    pub fn buttons(&self) -> Vec<&str> {
        let buttons =
            self.actions.iter().filter(|(key, _)| key != "default" && key != "inline-reply");
        buttons.map(|(_, label)| label.as_str()).collect()
    }

    /// The key of the button with this label.
    pub fn key(&self, label: &str) -> Option<&str> {
        self.actions.iter().find(|(_, own)| own == label).map(|(key, _)| key.as_str())
    }

    /// A hint that is a byte, a boolean or a string, as text.
    pub fn hint(&self, name: &str) -> Option<String> {
        match &**self.hints.get(name)? {
            Variant::U8(value) => Some(value.to_string()),
            Variant::Bool(value) => Some(value.to_string()),
            Variant::Str(value) => Some(value.to_string()),
            _ => None,
        }
    }
}

/// One call as it came.
#[derive(Debug, Clone)]
pub enum Record {
    /// `Notify`
    Notify(Notified),
    /// `CloseNotification`
    Close {
        /// When.
        at: Instant,
        /// The id to close.
        id: u32,
    },
    /// `GetServerInformation` or `GetCapabilities`
    Asked {
        /// When.
        at: Instant,
        /// The method.
        method: String,
    },
}

/// How the server answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Manner {
    /// As it should.
    #[default]
    Prompt,
    /// Not at all for now; what was asked is answered in order when it is prompt again.
    Hanging,
    /// Takes `Notify` and never answers it. Everything else is answered.
    Forgetful,
    /// Refuses `Notify` with this error name.
    Refusing(String),
}

/// A signal of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Emission {
    /// `ActionInvoked`
    Invoked(u32, String),
    /// `NotificationClosed`
    Closed(u32, u32),
    /// `NotificationReplied` (KDE)
    Replied(u32, String),
    /// `ActivationToken`
    Token(u32, String),
}

type EarlyEmissions = Box<dyn FnMut(&Notified) -> Vec<Emission> + Send>;

struct State {
    persona: Persona,
    manner: Manner,
    next_id: u32,
    /// KDE: an identical notice within this time is refused.
    similar_pause: Option<Duration>,
    last: Option<(Instant, String, String)>,
    shown: Vec<u32>,
    before_answer: Option<EarlyEmissions>,
    records: Vec<Record>,
    held: Vec<Received>,
}

struct Shared {
    state: Mutex<State>,
    /// Rises with every call and every answer.
    recorded: watch::Sender<usize>,
    manner_changed: tokio::sync::Notify,
}

/// The server. Dropping it takes it off the bus.
pub struct NotificationServer {
    address: String,
    shared: Arc<Shared>,
    running: Option<Running>,
}

struct Running {
    connection: Connection,
    task: JoinHandle<()>,
}

impl NotificationServer {
    /// Takes the name on the bus with this address.
    ///
    /// # Errors
    ///
    /// The bus is out of reach or the name is taken.
    pub async fn start(address: &str, persona: Persona) -> Result<Self> {
        let state = State {
            persona,
            manner: Manner::Prompt,
            next_id: 1,
            similar_pause: None,
            last: None,
            shown: Vec::new(),
            before_answer: None,
            records: Vec::new(),
            held: Vec::new(),
        };
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            recorded: watch::Sender::new(0),
            manner_changed: tokio::sync::Notify::new(),
        });
        let mut server = Self { address: address.to_owned(), shared, running: None };
        server.resume().await?;
        Ok(server)
    }

    /// Leaves the bus without a word, as a crash does. What it showed is gone.
    pub async fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.task.abort();
            let _ = running.task.await;
            let _ = running.connection.close().await;
        }
        let mut state = self.state();
        state.shown.clear();
        state.held.clear();
        state.last = None;
        state.next_id = 1;
    }

    /// Comes back as a new run of the same program: another unique name, ids from 1.
    ///
    /// # Errors
    ///
    /// As [`NotificationServer::start`].
    pub async fn resume(&mut self) -> Result<()> {
        let connection = Builder::address(self.address.as_str()).build().await?;
        let messages = MessageStream::from(&connection);
        let task = tokio::spawn(serve(connection.clone(), messages, Arc::clone(&self.shared)));
        connection.request_name(NAME).await?;
        self.running = Some(Running { connection, task });
        Ok(())
    }

    /// [`NotificationServer::stop`], then [`NotificationServer::resume`].
    ///
    /// # Errors
    ///
    /// As [`NotificationServer::start`].
    pub async fn restart(&mut self) -> Result<()> {
        self.stop().await;
        self.resume().await
    }

    /// The unique bus name of this run, empty while stopped.
    pub fn unique_name(&self) -> String {
        let name = self.running.as_ref().and_then(|running| running.connection.unique_name());
        name.map(ToString::to_string).unwrap_or_default()
    }

    /// From now on it is somebody else.
    pub fn become_persona(&self, persona: Persona) {
        self.state().persona = persona;
    }

    /// From now on it answers like this.
    pub fn behave(&self, manner: Manner) {
        self.state().manner = manner;
        self.shared.manner_changed.notify_one();
    }

    /// The id that the next new notice gets.
    pub fn set_next_id(&self, id: u32) {
        self.state().next_id = id;
    }

    /// Refuses a notice that equals the last one for this long, as KDE does for a second.
    pub fn refuse_similar_within(&self, pause: Duration) {
        self.state().similar_pause = Some(pause);
    }

    /// Signals to send for each notice *before* its `Notify` is answered.
    pub fn emit_before_answer(
        &self,
        emissions: impl FnMut(&Notified) -> Vec<Emission> + Send + 'static,
    ) {
        self.state().before_answer = Some(Box::new(emissions));
    }

    /// Ends [`NotificationServer::emit_before_answer`].
    pub fn emit_nothing_before_answer(&self) {
        self.state().before_answer = None;
    }

    /// Sends a signal.
    ///
    /// # Errors
    ///
    /// It is stopped, or the bus is gone.
    pub async fn emit(&self, emission: &Emission) -> Result<()> {
        let running = self.running.as_ref().context("the server is stopped")?;
        if let Emission::Closed(id, _) = emission {
            self.state().shown.retain(|shown| shown != id);
        }
        Ok(running.connection.send(&signal(emission, None)?).await?)
    }

    /// The person presses a button, or the body (`default`).
    ///
    /// # Errors
    ///
    /// As [`NotificationServer::emit`].
    pub async fn click(&self, id: u32, action: &str) -> Result<()> {
        self.emit(&Emission::Invoked(id, action.to_owned())).await
    }

    /// The person dismisses a notice.
    ///
    /// # Errors
    ///
    /// As [`NotificationServer::emit`].
    pub async fn dismiss(&self, id: u32) -> Result<()> {
        self.emit(&Emission::Closed(id, 2)).await
    }

    /// Another program on the bus sends `emission`, as a broadcast and to `victim` directly.
    /// Returns once the bus has passed both on.
    ///
    /// # Errors
    ///
    /// The bus is out of reach.
    pub async fn forge(&self, victim: &str, emission: &Emission) -> Result<()> {
        let forger = Builder::address(self.address.as_str()).build().await?;
        forger.send(&signal(emission, None)?).await?;
        forger.send(&signal(emission, Some(victim))?).await?;
        // A round trip: whatever was sent before it has been handled.
        let bus = "org.freedesktop.DBus";
        forger.call_method(Some(bus), "/org/freedesktop/DBus", Some(bus), "GetId", &()).await?;
        Ok(())
    }

    /// Everything recorded so far.
    pub fn records(&self) -> Vec<Record> {
        self.state().records.clone()
    }

    /// Ids that are shown now, oldest first.
    pub fn shown(&self) -> Vec<u32> {
        self.state().shown.clone()
    }

    /// Every `Notify` so far.
    pub fn notified(&self) -> Vec<Notified> {
        let records = self.records().into_iter();
        let notified = records.filter_map(|record| match record {
            Record::Notify(notified) => Some(notified),
            Record::Close { .. } | Record::Asked { .. } => None,
        });
        notified.collect()
    }

    /// The ids of every `CloseNotification` so far.
    pub fn closed(&self) -> Vec<u32> {
        let records = self.records().into_iter();
        let closed = records.filter_map(|record| match record {
            Record::Close { id, .. } => Some(id),
            Record::Notify(_) | Record::Asked { .. } => None,
        });
        closed.collect()
    }

    /// Waits until what was recorded and is shown satisfies `enough`.
    ///
    /// # Errors
    ///
    /// They did not in 20 seconds.
    pub async fn wait_until(&self, enough: impl Fn(&Self) -> bool) -> Result<()> {
        let mut recorded = self.shared.recorded.subscribe();
        let wait = recorded.wait_for(|_| enough(self));
        match tokio::time::timeout(PATIENCE, wait).await {
            Ok(seen) => seen.map(drop).context("the server is gone"),
            Err(_) => anyhow::bail!("not in time; recorded: {:#?}", self.records()),
        }
    }

    /// Waits for the `nth` (from 1) `Notify` and returns it.
    ///
    /// # Errors
    ///
    /// As [`NotificationServer::wait_until`].
    pub async fn wait_notified(&self, nth: usize) -> Result<Notified> {
        self.wait_until(|server| server.notified().len() >= nth).await?;
        self.notified().into_iter().nth(nth.saturating_sub(1)).context("nth counts from 1")
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.lock()
    }
}

impl Drop for NotificationServer {
    fn drop(&mut self) {
        if let Some(running) = &self.running {
            running.task.abort();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self, record: Record) {
        self.lock().records.push(record);
        self.changed();
    }

    fn changed(&self) {
        self.recorded.send_modify(|count| *count += 1);
    }
}

/// A call that was recorded and is to be answered.
struct Received {
    call: Message,
    request: Request,
}

enum Request {
    Information,
    Capabilities,
    Notify(Box<Notified>),
    Close(u32),
}

async fn serve(connection: Connection, mut messages: MessageStream, shared: Arc<Shared>) {
    loop {
        let due = tokio::select! {
            message = messages.next() => match message {
                Some(Ok(call)) if call.message_type() == Type::MethodCall => {
                    shared.receive(call).into_iter().collect()
                }
                Some(Ok(_)) => Vec::new(),
                Some(Err(_)) | None => return,
            },
            () = shared.manner_changed.notified() => shared.release(),
        };
        for received in due {
            // An error means that the bus is gone, which ends the stream too.
            if answer(&connection, &shared, received).await.is_err() {
                return;
            }
            shared.changed();
        }
    }
}

impl Shared {
    /// Records a call; returns it unless its answer has to wait.
    fn receive(&self, call: Message) -> Option<Received> {
        let at = Instant::now();
        let method = call.header().member().map(ToString::to_string).unwrap_or_default();
        let (request, record) = match method.as_str() {
            "GetServerInformation" => (Request::Information, Record::Asked { at, method }),
            "GetCapabilities" => (Request::Capabilities, Record::Asked { at, method }),
            "CloseNotification" => {
                let id = call.body().deserialize::<u32>().ok()?;
                (Request::Close(id), Record::Close { at, id })
            }
            "Notify" => {
                let notified = self.read_notify(&call, at)?;
                (Request::Notify(Box::new(notified.clone())), Record::Notify(notified))
            }
            _ => return None,
        };
        let received = Received { call, request };
        let due = {
            let mut state = self.lock();
            match (&state.manner, &received.request) {
                (Manner::Hanging, _) => {
                    state.held.push(received);
                    None
                }
                (Manner::Forgetful, Request::Notify(_)) => None,
                _ => Some(received),
            }
        };
        self.record(record);
        due
    }

    /// What was held back, unless it still has to wait.
    fn release(&self) -> Vec<Received> {
        let mut state = self.lock();
        match state.manner {
            Manner::Hanging => Vec::new(),
            _ => std::mem::take(&mut state.held),
        }
    }

    fn read_notify(&self, call: &Message, at: Instant) -> Option<Notified> {
        type Body =
            (String, u32, String, String, String, Vec<String>, HashMap<String, OwnedVariant>, i32);
        let (app_name, replaces, app_icon, summary, body, actions, hints, expire) =
            call.body().deserialize::<Body>().ok()?;
        let sender = call.header().sender().map(ToString::to_string).unwrap_or_default();
        let pairs = actions.chunks_exact(2);
        let actions = pairs.map(|pair| (pair[0].clone(), pair[1].clone())).collect();
        let mut state = self.lock();
        let id = if state.shown.contains(&replaces) {
            replaces
        } else {
            let id = state.next_id;
            state.next_id += 1;
            id
        };
        Some(Notified {
            at,
            sender,
            id,
            app_name,
            replaces,
            app_icon,
            summary,
            body,
            actions,
            hints,
            expire,
        })
    }

    /// The error to refuse a notice with, if it is to be refused.
    fn refusal(&self, notified: &Notified) -> Option<String> {
        let mut state = self.lock();
        if let Manner::Refusing(error) = &state.manner {
            return Some(error.clone());
        }
        let pause = state.similar_pause?;
        let same = state.last.as_ref().is_some_and(|(at, summary, body)| {
            notified.at.duration_since(*at) < pause
                && *summary == notified.summary
                && *body == notified.body
        });
        if same {
            return Some(format!("{NAME}.Error.ExcessNotificationGeneration"));
        }
        state.last = Some((notified.at, notified.summary.clone(), notified.body.clone()));
        None
    }
}

async fn answer(connection: &Connection, shared: &Shared, received: Received) -> Result<()> {
    let Received { call, request } = received;
    let header = call.header();
    match request {
        Request::Information => {
            let own = shared.lock().persona.clone();
            connection.reply(&header, &(own.name, own.vendor, own.version, "1.2")).await?;
        }
        Request::Capabilities => {
            let own = shared.lock().persona.capabilities.clone();
            connection.reply(&header, &own).await?;
        }
        Request::Close(id) => {
            let was_shown = {
                let mut state = shared.lock();
                let before = state.shown.len();
                state.shown.retain(|shown| *shown != id);
                state.shown.len() < before
            };
            if was_shown {
                connection.send(&signal(&Emission::Closed(id, 3), None)?).await?;
            }
            connection.reply(&header, &()).await?;
        }
        Request::Notify(notified) => {
            if let Some(error) = shared.refusal(&notified) {
                connection.reply_error(&header, error, &"as the test wants it").await?;
                return Ok(());
            }
            let early = {
                let mut state = shared.lock();
                if !state.shown.contains(&notified.id) {
                    state.shown.push(notified.id);
                }
                state.before_answer.as_mut().map(|emissions| emissions(&notified))
            };
            for emission in early.unwrap_or_default() {
                connection.send(&signal(&emission, None)?).await?;
            }
            connection.reply(&header, &notified.id).await?;
        }
    }
    Ok(())
}

fn signal(emission: &Emission, to: Option<&str>) -> Result<Message> {
    let build = |member: &'static str| {
        let signal = Message::signal(PATH, NAME, member);
        match to {
            Some(to) => signal.destination(to.to_owned()),
            None => signal,
        }
    };
    Ok(match emission {
        Emission::Invoked(id, action) => build("ActionInvoked").build(&(id, action))?,
        Emission::Closed(id, reason) => build("NotificationClosed").build(&(id, reason))?,
        Emission::Replied(id, text) => build("NotificationReplied").build(&(id, text))?,
        Emission::Token(id, token) => build("ActivationToken").build(&(id, token))?,
    })
}
