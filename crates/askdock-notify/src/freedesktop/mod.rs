//! Linux and BSD: the Desktop Notifications Specification over the session bus.
//!
//! One task holds one connection for as long as the program runs, since GNOME takes notices down
//! when their sender leaves and some servers answer nobody else. It sleeps until a command, a
//! message or a deadline of an unanswered call comes; with nothing awaited there is no timer.

mod board;
mod line;
mod posting;
mod probe;
mod signals;
mod slip;
mod terms;

use askdock_hub::{NoticeCommand, NoticeEvents, Notifier};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use self::board::Board;
use self::line::{Heard, Line};
use self::terms::Effect;
use crate::AppIdentity;

pub use self::probe::{probe, probe_at};

/// Commands taken at once.
const BATCH: usize = 64;

/// Shows notices through the desktop's notification server.
#[derive(Debug)]
pub struct DesktopNotifier {
    commands: mpsc::UnboundedSender<NoticeCommand>,
}

impl Notifier for DesktopNotifier {
    fn send(&self, command: NoticeCommand) {
        // The task ends only with its runtime, and then nobody is left to be shown anything.
        if self.commands.send(command).is_err() {
            tracing::debug!("a notice came after the end");
        }
    }
}

impl DesktopNotifier {
    /// Starts the task. `address` is a D-Bus address, `None` the session bus of the environment.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime.
    pub(crate) fn start(address: Option<String>, app: AppIdentity, events: NoticeEvents) -> Self {
        let (commands, inbox) = mpsc::unbounded_channel();
        tokio::spawn(Desk { address, app, events, board: Board::default(), line: None }.run(inbox));
        Self { commands }
    }
}

/// The board and its line to the server.
struct Desk {
    address: Option<String>,
    app: AppIdentity,
    events: NoticeEvents,
    board: Board,
    line: Option<Line>,
}

impl Desk {
    async fn run(mut self, mut inbox: mpsc::UnboundedReceiver<NoticeCommand>) {
        let mut batch = Vec::with_capacity(BATCH);
        let mut open = true;
        while open || self.board.next_deadline().is_some() {
            let deadline = self.board.next_deadline();
            tokio::select! {
                taken = inbox.recv_many(&mut batch, BATCH), if open => {
                    open = taken > 0;
                    let mut meet = false;
                    for command in batch.drain(..) {
                        meet |= command == NoticeCommand::Prepare;
                        self.board.command(command, Instant::now());
                    }
                    if self.line.is_none() && (meet || self.board.has_unsent()) {
                        self.connect().await;
                    }
                }
                heard = hear(&mut self.line) => self.take(heard),
                () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => {
                    self.board.due(Instant::now());
                }
            }
            self.carry_out().await;
        }
        if let Some(line) = self.line {
            line.close().await;
        }
    }

    async fn connect(&mut self) {
        match Line::open(self.address.as_deref()).await {
            Ok(line) => {
                self.line = Some(line);
                self.board.bus_opened();
            }
            Err(why) => {
                tracing::debug!(%why, "no session bus");
                self.board.bus_lost(&why);
            }
        }
    }

    fn take(&mut self, heard: Heard) {
        let now = Instant::now();
        match heard {
            Heard::Owner(owner) => self.board.owner_changed(owner, now),
            Heard::Answer(call, answer) => self.board.answered(call, answer, now),
            Heard::Signal(signal) => self.board.signal(signal),
            Heard::Lost(why) => {
                self.line = None;
                self.board.bus_lost(&why);
            }
        }
    }

    async fn carry_out(&mut self) {
        for effect in self.board.take_effects() {
            match effect {
                Effect::Event(event) => {
                    if self.events.send(event).is_err() {
                        tracing::debug!("nobody listens to the notices any more");
                    }
                }
                Effect::Call(id, call) => {
                    let Some(line) = &mut self.line else { continue };
                    if let Err(why) = line.send(id, &call, &self.app).await {
                        self.line = None;
                        self.board.bus_lost(&why);
                    }
                }
            }
        }
    }
}

async fn hear(line: &mut Option<Line>) -> Heard {
    match line {
        Some(line) => line.hear().await,
        None => std::future::pending().await,
    }
}
