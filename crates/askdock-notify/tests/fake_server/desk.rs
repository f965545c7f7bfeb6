//! A bus, a server on it and a notifier that a test speaks through.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use askdock_hub::{Notice, NoticeAction, NoticeCommand, NoticeEvent, NoticeKey, Notifier, Shown};
use askdock_notify::{AppIdentity, desktop_notifier_at};
use askdock_tests::notification_server::{NotificationServer, Persona};
use askdock_tests::session_bus::SessionBus;
use tokio::sync::mpsc;

/// A test that waits longer than this has failed.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Desk {
    pub(crate) bus: SessionBus,
    pub(crate) server: NotificationServer,
    pub(crate) notifier: Line,
}

/// A notifier and what it reports.
pub(crate) struct Line {
    notifier: Box<dyn Notifier>,
    events: mpsc::UnboundedReceiver<NoticeEvent>,
}

impl Desk {
    pub(crate) async fn open(persona: Persona) -> Result<Self> {
        let bus = SessionBus::start().await?;
        let server = NotificationServer::start(bus.address(), persona).await?;
        let notifier = Line::open(bus.address());
        Ok(Self { bus, server, notifier })
    }
}

impl Line {
    pub(crate) fn open(address: &str) -> Self {
        let (sender, events) = mpsc::unbounded_channel();
        let app = AppIdentity {
            name: "Askdock".to_owned(),
            desktop_entry: "askdock".to_owned(),
            icon: "askdock".to_owned(),
        };
        Self { notifier: Box::new(desktop_notifier_at(address, app, sender)), events }
    }

    pub(crate) fn show(&self, notice: Notice) {
        self.notifier.send(NoticeCommand::Show(notice));
    }

    pub(crate) fn close(&self, name: &str) {
        self.notifier.send(NoticeCommand::Close(key(name)));
    }

    pub(crate) fn farewell(&self, name: &str, text: &str) {
        self.notifier.send(NoticeCommand::Farewell { key: key(name), text: text.to_owned() });
    }

    /// The next report.
    pub(crate) async fn event(&mut self) -> Result<NoticeEvent> {
        let next = tokio::time::timeout(PATIENCE, self.events.recv()).await;
        next.context("no report in time")?.context("the notifier ended")
    }

    /// The next report that is not about availability.
    pub(crate) async fn report(&mut self) -> Result<NoticeEvent> {
        loop {
            match self.event().await? {
                NoticeEvent::Available(_) => {}
                event => return Ok(event),
            }
        }
    }

    /// The next report, which must say that the notice was posted.
    pub(crate) async fn posted(&mut self, name: &str) -> Result<Shown> {
        match self.report().await? {
            NoticeEvent::Posted { key: posted, shown } if posted == key(name) => Ok(shown),
            other => bail!("expected {name} to be posted, got {other:?}"),
        }
    }

    /// The next report about availability, whatever else comes before it.
    pub(crate) async fn availability(&mut self) -> Result<Result<String, String>> {
        loop {
            if let NoticeEvent::Available(availability) = self.event().await? {
                return Ok(availability);
            }
        }
    }
}

pub(crate) fn key(name: &str) -> NoticeKey {
    NoticeKey(name.to_owned())
}

pub(crate) fn action(nonce: &str, label: &str) -> NoticeAction {
    NoticeAction { nonce: nonce.to_owned(), label: label.to_owned() }
}

/// A notice with these answers; nonces are `name/label`.
pub(crate) fn notice(name: &str, answers: &[&str]) -> Notice {
    let own = |label: &str| action(&format!("{name}/{label}"), label);
    Notice {
        key: key(name),
        replaces: None,
        title: format!("Claude Code — {name}"),
        body: "Deploy target\nWhere should it go?".to_owned(),
        critical: false,
        sound: true,
        answers: answers.iter().map(|label| own(label)).collect(),
        fallback: vec![own("Open"), own("Skip"), own("Later")],
        skip: Some(own("Skip")),
        open: action(&format!("{name}/open"), "Open"),
        reply: Some(own("Reply")),
    }
}

pub(crate) fn invoked(name: &str, nonce: &str) -> NoticeEvent {
    NoticeEvent::Invoked { key: key(name), nonce: nonce.to_owned(), activation_token: None }
}
