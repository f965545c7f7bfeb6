//! macOS and Windows: plain notices through notify-rust. Not run on macOS or Windows yet.
//!
//! Deliberately without answers, buttons and replies: on macOS a click on the menu that collects
//! several actions reports the first of them, which would be an answer that nobody gave. The
//! tray and the window carry the answer there. Nothing can be replaced or taken down either.

use std::sync::mpsc;

use askdock_hub::{Notice, NoticeCommand, NoticeEvent, NoticeEvents, Notifier};

use crate::AppIdentity;
use crate::server_info::{ServerInfo, Unavailable};

/// Shows plain notices.
#[derive(Debug)]
pub struct PlainNotifier {
    notices: mpsc::Sender<Notice>,
    events: NoticeEvents,
}

impl Notifier for PlainNotifier {
    fn send(&self, command: NoticeCommand) {
        let sent = match command {
            // Both systems always take notices; whether they show them is the person's choice.
            NoticeCommand::Prepare => {
                self.events.send(NoticeEvent::Available(Ok(system().to_owned()))).is_ok()
            }
            NoticeCommand::Show(notice) => self.notices.send(notice).is_ok(),
            NoticeCommand::Close(_) | NoticeCommand::Farewell { .. } => true,
        };
        if !sent {
            tracing::debug!("a notice came after the end");
        }
    }
}

impl PlainNotifier {
    /// A thread of its own: showing a notice blocks on both systems.
    pub(crate) fn start(app: AppIdentity, events: NoticeEvents) -> Self {
        let (notices, inbox) = mpsc::channel::<Notice>();
        let reports = events.clone();
        std::thread::spawn(move || {
            let mut last = None;
            for notice in inbox {
                let available = match show(&app, &notice) {
                    Ok(()) => Ok(system().to_owned()),
                    Err(error) => Err(Unavailable::Refused(error.to_string()).to_string()),
                };
                if last.as_ref() != Some(&available) {
                    last = Some(available.clone());
                    if events.send(NoticeEvent::Available(available)).is_err() {
                        tracing::debug!("nobody listens to the notices any more");
                    }
                }
            }
        });
        Self { notices, events: reports }
    }
}

fn show(app: &AppIdentity, notice: &Notice) -> Result<(), notify_rust::error::Error> {
    let mut shown = notify_rust::Notification::new();
    shown.appname(&app.name).summary(&notice.title).body(&notice.body);
    #[cfg(windows)]
    shown.app_id(&app.desktop_entry);
    if notice.sound {
        shown.sound_name("Default");
    }
    shown.show().map(drop)
}

/// What shows notices here.
///
/// # Errors
///
/// None: whether a notice is let through is known only when one is shown.
#[allow(clippy::unused_async, reason = "asks over the bus on the other systems")]
pub async fn probe() -> Result<ServerInfo, Unavailable> {
    Ok(ServerInfo { name: system().to_owned(), ..ServerInfo::default() })
}

fn system() -> &'static str {
    if cfg!(windows) { "Windows" } else { "macOS" }
}
