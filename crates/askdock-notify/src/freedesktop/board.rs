//! Which notices the person should be looking at, and what the server was told of them.
//!
//! Pure: commands, replies, signals and the time go in, calls and events come out. What must hold
//! here is that a press is believed only for what was offered under an id of the present server,
//! that nobody is notified twice, and that a server which is slow, silent or new costs nothing
//! but the wait for it.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use askdock_hub::{self as ports, Notice, NoticeCommand, NoticeEvent, NoticeKey};
use tokio::time::Instant;

use super::posting::Offer;
use super::signals::Closing;
use super::slip::{Flight, Shown, Slip, Wanted};
use super::terms::{Answer, Call, CallId, Effect, Refusal, Signal};
use crate::server_info::{ServerInfo, Unavailable};

/// How long a call may go unanswered before the person is told that the server is silent. A later
/// answer still counts.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// Starting a server takes longer than asking one.
const START_PATIENCE: Duration = Duration::from_secs(30);
/// KDE refuses a notice that equals the last one for a second.
const TOO_SIMILAR_PAUSE: Duration = Duration::from_millis(1100);
const TOO_SIMILAR: &str = "org.freedesktop.Notifications.Error.ExcessNotificationGeneration";
const MOST_RETRIES: u32 = 3;
/// Ids of our own closing whose `NotificationClosed` is still to come.
const MOST_CLOSING: usize = 256;
/// Presses that a last word may still answer.
const MOST_PRESSES: usize = 64;

#[derive(Default)]
pub(super) struct Board {
    server: Server,
    pub(super) slips: HashMap<NoticeKey, Slip>,
    /// A server is to be found, and started if there is none, before anything is to be shown.
    wanted: bool,
    /// The present server's ids of what is shown.
    pub(super) ids: HashMap<u32, NoticeKey>,
    asked: HashMap<CallId, Asked>,
    pub(super) early: VecDeque<Signal>,
    pub(super) closing: VecDeque<Closing>,
    /// Notices that the person pressed lately, with their titles, whether or not they are still
    /// shown.
    presses: VecDeque<(NoticeKey, String)>,
    effects: Vec<Effect>,
    last_availability: Option<Result<String, String>>,
    calls_made: u64,
    slips_made: u64,
}

#[derive(Default)]
enum Server {
    /// No bus.
    #[default]
    Unreachable,
    /// A bus that has not said yet who owns the name.
    Unknown,
    /// Nobody owns it.
    Absent,
    /// It owns the name; what it is and can do is not known yet.
    Meeting {
        owner: String,
        described: Option<ServerInfo>,
        capabilities: Option<Vec<String>>,
    },
    Known {
        owner: String,
        info: ServerInfo,
    },
}

impl Server {
    fn owner(&self) -> Option<&str> {
        match self {
            Self::Meeting { owner, .. } | Self::Known { owner, .. } => Some(owner),
            Self::Unreachable | Self::Unknown | Self::Absent => None,
        }
    }
}

struct Asked {
    about: About,
    /// `None` once it has passed.
    deadline: Option<Instant>,
}

enum About {
    Information,
    Capabilities,
    Start,
    Notice(NoticeKey),
    /// A `Notify` that was passed over and sent again: should it be answered after all, what it
    /// put up is one too many.
    Stray(NoticeKey),
}

impl Board {
    pub(super) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// When [`Board::due`] wants to be called; `None` while nothing is awaited.
    pub(super) fn next_deadline(&self) -> Option<Instant> {
        let calls = self.asked.values().filter_map(|asked| asked.deadline);
        let retries = self.slips.values().filter_map(|slip| slip.retry);
        calls.chain(retries).min()
    }

    /// Whether something waits to be shown.
    pub(super) fn has_unsent(&self) -> bool {
        self.slips.values().any(|slip| slip.unsent)
    }

    pub(super) fn command(&mut self, command: NoticeCommand, now: Instant) {
        match command {
            NoticeCommand::Prepare => self.wanted = true,
            NoticeCommand::Show(notice) => self.show(notice, now),
            NoticeCommand::Close(key) => self.close(&key, now),
            NoticeCommand::Farewell { key, text } => self.farewell(&key, text, now),
        }
    }

    fn show(&mut self, notice: Notice, now: Instant) {
        let key = notice.key.clone();
        if let Some(slip) = self.slips.get_mut(&key) {
            slip.want(Wanted::Notice(Box::new(notice)));
        } else {
            self.slips_made += 1;
            self.slips.insert(key.clone(), Slip::of_notice(self.slips_made, notice));
        }
        self.approach_server(now);
        self.pump(&key, now);
    }

    fn close(&mut self, key: &NoticeKey, now: Instant) {
        let Some(slip) = self.slips.get_mut(key) else { return };
        if slip.flight.is_some() || slip.before.is_some() {
            slip.want(Wanted::Gone);
            self.pump(key, now);
        } else {
            self.drop_slip(key, true);
        }
    }

    fn farewell(&mut self, key: &NoticeKey, text: String, now: Instant) {
        let pressed = self.forget_press(key);
        match self.slips.get_mut(key) {
            Some(slip) => match slip.title().map(str::to_owned) {
                Some(title) if slip.is_up() => {
                    slip.want(Wanted::Farewell { title, text, anew: pressed.is_some() });
                }
                _ => return self.drop_slip(key, false),
            },
            None => {
                // Dismissed or never shown: nothing to replace. Pressed: the person waits for it.
                let Some(title) = pressed else { return };
                self.slips_made += 1;
                let wanted = Wanted::Farewell { title, text, anew: true };
                self.slips.insert(key.clone(), Slip::new(self.slips_made, wanted));
            }
        }
        self.pump(key, now);
    }

    pub(super) fn remember_press(&mut self, key: NoticeKey, title: String) {
        self.forget_press(&key);
        if self.presses.len() == MOST_PRESSES {
            self.presses.pop_front();
        }
        self.presses.push_back((key, title));
    }

    /// The title of the notice, if it was pressed lately.
    fn forget_press(&mut self, key: &NoticeKey) -> Option<String> {
        let at = self.presses.iter().position(|(pressed, _)| pressed == key)?;
        self.presses.remove(at).map(|(_, title)| title)
    }

    /// Sends what the notice should say now, if it can be sent now.
    fn pump(&mut self, key: &NoticeKey, now: Instant) {
        let Server::Known { owner, info } = &self.server else { return };
        let Some(slip) = self.slips.get_mut(key) else { return };
        if slip.flight.is_none() {
            slip.adopt(owner);
            match slip.wanted {
                Wanted::Gone => return self.drop_slip(key, true),
                // What it would have replaced went with its server.
                Wanted::Farewell { anew: false, .. } if slip.shown.is_none() => {
                    return self.drop_slip(key, false);
                }
                _ => {}
            }
        }
        let Some((posting, replaces)) = slip.next_posting(info) else { return };
        if replaces != 0 {
            self.ids.insert(replaces, key.clone());
        }
        let offer = posting.offer.clone();
        let about = About::Notice(key.clone());
        let call = self.call(Call::Notify { posting, replaces }, about, now + PATIENCE);
        if let Some(slip) = self.slips.get_mut(key) {
            slip.flight = Some(Flight { call, offer });
        }
    }

    fn pump_all(&mut self, now: Instant) {
        let mut unsent: Vec<_> = self
            .slips
            .iter()
            .filter(|(_, slip)| slip.unsent)
            .map(|(key, slip)| (slip.place, key.clone()))
            .collect();
        unsent.sort_unstable_by_key(|(place, _)| *place);
        for (_, key) in unsent {
            self.pump(&key, now);
        }
    }

    // The server and its replies

    /// A bus is there; who owns the name comes next.
    pub(super) fn bus_opened(&mut self) {
        self.server = Server::Unknown;
    }

    /// The bus is out of reach. The next command tries again.
    pub(super) fn bus_lost(&mut self, why: &Unavailable) {
        self.forget_server();
        self.server = Server::Unreachable;
        self.unavailable(why);
    }

    /// Who owns the name now (`None`: nobody). What the last owner showed went with it.
    pub(super) fn owner_changed(&mut self, owner: Option<String>, now: Instant) {
        if owner.is_some() && self.server.owner() == owner.as_deref() {
            return;
        }
        let first = matches!(self.server, Server::Unknown);
        self.forget_server();
        match owner {
            Some(owner) => {
                self.server = Server::Meeting { owner, described: None, capabilities: None };
                self.call(Call::Information, About::Information, now + PATIENCE);
                self.call(Call::Capabilities, About::Capabilities, now + PATIENCE);
            }
            // A server that left is not called back: on a desktop that restarts its own one,
            // the bus might start another in its place. The next notice asks.
            None if first && (self.wanted || self.has_unsent()) => self.approach_server(now),
            None => self.unavailable(&Unavailable::NoServer),
        }
    }

    fn forget_server(&mut self) {
        let server = std::mem::replace(&mut self.server, Server::Absent);
        self.ids.clear();
        self.asked.clear();
        self.early.clear();
        self.closing.clear();
        self.slips.retain(|_, slip| slip.survives(server.owner()));
    }

    /// Before something is shown: has a server started if there is none, asks a silent one again,
    /// and asks one without buttons whether it still has none (xfce4-notifyd drops them while it
    /// must not disturb).
    fn approach_server(&mut self, now: Instant) {
        let awaited = |board: &Self, of: fn(&About) -> bool| {
            board.asked.values().any(|asked| of(&asked.about) && asked.deadline.is_some())
        };
        match &mut self.server {
            Server::Absent => {
                if !awaited(self, |about| matches!(about, About::Start)) {
                    self.call(Call::Start, About::Start, now + START_PATIENCE);
                }
            }
            Server::Known { owner, info } if !info.can("actions") => {
                let owner = std::mem::take(owner);
                let described = Some(std::mem::take(info));
                self.server = Server::Meeting { owner, described, capabilities: None };
                self.call(Call::Capabilities, About::Capabilities, now + PATIENCE);
            }
            Server::Known { .. } | Server::Unreachable | Server::Unknown => {}
            Server::Meeting { described, capabilities, .. } => {
                let (described, capable) = (described.is_some(), capabilities.is_some());
                if !described && !awaited(self, |about| matches!(about, About::Information)) {
                    self.call(Call::Information, About::Information, now + PATIENCE);
                }
                if !capable && !awaited(self, |about| matches!(about, About::Capabilities)) {
                    self.call(Call::Capabilities, About::Capabilities, now + PATIENCE);
                }
            }
        }
    }

    pub(super) fn answered(&mut self, call: CallId, answer: Result<Answer, Refusal>, now: Instant) {
        let Some(asked) = self.asked.remove(&call) else { return };
        match (asked.about, answer) {
            (About::Start, Ok(_)) => return,
            (About::Start, Err(_)) => {
                if matches!(self.server, Server::Absent) {
                    self.unavailable(&Unavailable::NoServer);
                }
                return;
            }
            (About::Information, Ok(Answer::Information { name, vendor, version })) => {
                self.described(ServerInfo { name, vendor, version, capabilities: Vec::new() }, now);
            }
            (About::Information, _) => self.described(ServerInfo::default(), now),
            (About::Capabilities, Ok(Answer::Capabilities(own))) => self.capable(own, now),
            (About::Capabilities, _) => self.capable(Vec::new(), now),
            (About::Notice(key), Ok(Answer::Posted(id))) => self.posted(&key, call, id, now),
            (About::Notice(key), Err(refusal)) => self.refused(&key, call, &refusal, now),
            (About::Stray(key), Ok(Answer::Posted(id))) => {
                if !self.ids.contains_key(&id) {
                    let (title, offer) = (String::new(), Offer::default());
                    self.take_down(Closing { id, key, title, offer });
                }
            }
            (About::Notice(_) | About::Stray(_), _) => {}
        }
        self.resend_passed_over(call, now);
        self.drop_idle_early();
    }

    fn described(&mut self, info: ServerInfo, now: Instant) {
        if let Server::Meeting { described, .. } = &mut self.server {
            *described = Some(info);
            self.met(now);
        }
    }

    fn capable(&mut self, own: Vec<String>, now: Instant) {
        if let Server::Meeting { capabilities, .. } = &mut self.server {
            *capabilities = Some(own);
            self.met(now);
        }
    }

    fn met(&mut self, now: Instant) {
        if let Server::Meeting { owner, described: Some(info), capabilities: Some(own) } =
            &mut self.server
        {
            let info = ServerInfo { capabilities: std::mem::take(own), ..std::mem::take(info) };
            self.server = Server::Known { owner: std::mem::take(owner), info };
            self.available();
            self.pump_all(now);
        }
    }

    fn posted(&mut self, key: &NoticeKey, call: CallId, id: u32, now: Instant) {
        let Some(server) = self.server.owner().map(str::to_owned) else { return };
        self.available();
        // The server gave an id of ours away: what it stood for is gone.
        if let Some(former) = self.ids.get(&id).filter(|former| *former != key).cloned() {
            self.went_away(&former);
        }
        let Some(slip) = self.slips.get_mut(key) else { return };
        let offer = match slip.flight.take() {
            Some(flight) if flight.call == call => flight.offer,
            other => {
                slip.flight = other;
                return;
            }
        };
        let before = slip.shown.replace(Shown { id, offer, token: None }).map(|shown| shown.id);
        let ended = match slip.wanted {
            Wanted::Farewell { .. } => !slip.unsent,
            Wanted::Gone => true,
            Wanted::Notice(_) => false,
        };
        let take_down = matches!(slip.wanted, Wanted::Gone);
        self.ids.insert(id, key.clone());
        if let Some(before) = before.filter(|before| *before != id) {
            self.ids.remove(&before);
        }
        if ended {
            self.drop_slip(key, take_down);
            self.early.retain(|signal| signal.id() != id);
            return;
        }
        self.event(NoticeEvent::Posted { key: key.clone(), shown: ports::Shown { server, id } });
        self.replay_early(id);
        self.pump(key, now);
    }

    fn refused(&mut self, key: &NoticeKey, call: CallId, refusal: &Refusal, now: Instant) {
        let Some(slip) = self.slips.get_mut(key) else { return };
        if slip.flight.as_ref().is_none_or(|flight| flight.call != call) {
            return;
        }
        slip.flight = None;
        match slip.wanted {
            Wanted::Gone => return self.drop_slip(key, true),
            Wanted::Farewell { .. } if !slip.unsent => return self.drop_slip(key, true),
            _ => {}
        }
        if slip.unsent {
            return self.pump(key, now);
        }
        if refusal.name == TOO_SIMILAR && slip.retries < MOST_RETRIES {
            slip.retries += 1;
            slip.unsent = true;
            slip.retry = Some(now + TOO_SIMILAR_PAUSE);
        } else {
            self.unavailable(&Unavailable::Refused(refusal.message.clone()));
        }
    }

    /// A server that answers a later call will not answer an overdue earlier one.
    fn resend_passed_over(&mut self, answered: CallId, now: Instant) {
        let passed_over: Vec<NoticeKey> = self
            .slips
            .iter()
            .filter(|(_, slip)| {
                slip.flight.as_ref().is_some_and(|flight| {
                    flight.call < answered
                        && self.asked.get(&flight.call).is_some_and(|own| own.deadline.is_none())
                })
            })
            .map(|(key, _)| key.clone())
            .collect();
        for key in passed_over {
            let Some(slip) = self.slips.get_mut(&key) else { continue };
            if let Some(flight) = slip.flight.take() {
                self.asked.insert(
                    flight.call,
                    Asked { about: About::Stray(key.clone()), deadline: None },
                );
            }
            match slip.wanted {
                Wanted::Notice(_) | Wanted::Farewell { .. } => {
                    slip.unsent = true;
                    self.pump(&key, now);
                }
                Wanted::Gone => self.drop_slip(&key, true),
            }
        }
    }

    /// Time passed: gives up waiting for what is overdue, tries again what was put off.
    pub(super) fn due(&mut self, now: Instant) {
        let mut silent = false;
        for asked in self.asked.values_mut() {
            if asked.deadline.is_some_and(|deadline| deadline <= now) {
                asked.deadline = None;
                silent = true;
            }
        }
        if silent {
            self.unavailable(&Unavailable::Silent);
        }
        for slip in self.slips.values_mut() {
            if slip.retry.is_some_and(|retry| retry <= now) {
                slip.retry = None;
            }
        }
        self.pump_all(now);
    }

    fn drop_slip(&mut self, key: &NoticeKey, take_down: bool) {
        let Some(slip) = self.slips.remove(key) else { return };
        let title = slip.title().unwrap_or_default().to_owned();
        let Some(shown) = slip.shown else { return };
        self.ids.remove(&shown.id);
        if take_down {
            let (id, key, offer) = (shown.id, key.clone(), shown.offer);
            self.take_down(Closing { id, key, title, offer });
        }
    }

    fn take_down(&mut self, closing: Closing) {
        if self.closing.len() == MOST_CLOSING {
            self.closing.pop_front();
        }
        self.calls_made += 1;
        self.effects.push(Effect::Call(CallId(self.calls_made), Call::Close { id: closing.id }));
        self.closing.push_back(closing);
    }

    fn call(&mut self, call: Call, about: About, deadline: Instant) -> CallId {
        self.calls_made += 1;
        let id = CallId(self.calls_made);
        self.asked.insert(id, Asked { about, deadline: Some(deadline) });
        self.effects.push(Effect::Call(id, call));
        id
    }

    pub(super) fn event(&mut self, event: NoticeEvent) {
        self.effects.push(Effect::Event(event));
    }

    fn available(&mut self) {
        if let Server::Known { info, .. } = &self.server {
            let title = info.title();
            self.report(Ok(title));
        }
    }

    fn unavailable(&mut self, why: &Unavailable) {
        self.report(Err(why.to_string()));
    }

    fn report(&mut self, availability: Result<String, String>) {
        if self.last_availability.as_ref() != Some(&availability) {
            self.last_availability = Some(availability.clone());
            self.event(NoticeEvent::Available(availability));
        }
    }
}
