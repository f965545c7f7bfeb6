//! What the hub needs from outside: a clock, ids, and something that shows notices.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use askdock_domain::Timestamp;

/// Wall time and monotonic time, as everything that decides sees them.
pub trait Clock: Send + Sync + 'static {
    /// The wall clock.
    fn now(&self) -> Timestamp;
    /// Monotonic time since an arbitrary start; doesn't advance while the machine sleeps.
    fn monotonic(&self) -> Duration;
    /// Completes when `monotonic` has advanced by `span`.
    fn sleep(&self, span: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}

/// Ids and secrets.
pub trait Ids: Send + Sync + 'static {
    /// A UUIDv7 for something created at `now`.
    fn id(&self, now: Timestamp) -> String;
    /// An unguessable secret of at least 128 bits, in hex.
    fn secret(&self) -> String;
}

/// Shows notices to the person outside our windows. Never blocks and never fails towards the
/// ask path: what happens comes back as [`NoticeEvent`]s.
pub trait Notifier: Send + Sync + 'static {
    /// Shows, replaces or closes.
    fn send(&self, command: NoticeCommand);
}

/// Where a [`Notifier`] reports what happened.
pub type NoticeEvents = tokio::sync::mpsc::UnboundedSender<NoticeEvent>;

/// What the hub asks of a notifier.
#[expect(clippy::large_enum_variant, reason = "one a notice; a box would buy nothing")]
#[derive(Debug, Clone, PartialEq)]
pub enum NoticeCommand {
    /// Finds out whether notices can be shown, before there is one, and reports it.
    Prepare,
    /// Shows the notice, replacing the one of the same key.
    Show(Notice),
    /// Closes the notice of this key, if it is shown.
    Close(NoticeKey),
    /// Replaces the notice of this key by a short plain text that goes away by itself.
    Farewell {
        /// Which.
        key: NoticeKey,
        /// What to say, for example who answered.
        text: String,
    },
}

/// Names a notice over restarts: a batch id, or `digest` for several at once.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NoticeKey(pub String);

/// One notice as it should appear. Texts are plain and final; a notifier only escapes them as
/// its server requires.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// Its key.
    pub key: NoticeKey,
    /// Where it was shown before a restart, so that it is replaced rather than doubled.
    pub replaces: Option<Shown>,
    /// First line.
    pub title: String,
    /// The rest, at most 240 characters.
    pub body: String,
    /// Whether it must stay in view.
    pub critical: bool,
    /// Whether a sound may be played.
    pub sound: bool,
    /// Buttons that answer, in order; used only if the server shows them all beside `skip`.
    pub answers: Vec<NoticeAction>,
    /// Buttons used when `answers` is empty or does not fit, in order.
    pub fallback: Vec<NoticeAction>,
    /// The button beside the answers.
    pub skip: Option<NoticeAction>,
    /// What a click on the body means. Its key is `default` on D-Bus.
    pub open: NoticeAction,
    /// An inline reply is welcome; its nonce.
    pub reply: Option<NoticeAction>,
}

/// A button: what it says, and an unguessable key bound to the batch and what it showed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NoticeAction {
    /// Opaque; comes back in [`NoticeEvent::Invoked`].
    pub nonce: String,
    /// Exactly the option's label, or one of our own words.
    pub label: String,
}

/// Where a notice is shown, in the notification server's own terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Identifies this run of the server (the unique bus name of its owner).
    pub server: String,
    /// The server's id of the notice.
    pub id: u32,
}

/// What happened to a notice.
#[derive(Debug, Clone, PartialEq)]
pub enum NoticeEvent {
    /// The server took it.
    Posted {
        /// Which.
        key: NoticeKey,
        /// Where it is shown now.
        shown: Shown,
    },
    /// The person pressed a button or the body of a notice that is shown.
    Invoked {
        /// Which.
        key: NoticeKey,
        /// The nonce of the action.
        nonce: String,
        /// Lets the window take the focus, where the platform gives one.
        activation_token: Option<String>,
    },
    /// The person replied inline.
    Replied {
        /// Which.
        key: NoticeKey,
        /// The nonce of [`Notice::reply`].
        nonce: String,
        /// What was typed.
        text: String,
    },
    /// It went away. Never an answer.
    Closed {
        /// Which.
        key: NoticeKey,
    },
    /// Notices can be shown again, or cannot be shown: why, in a sentence.
    Available(Result<String, String>),
}
