//! One notice on the board: what it should say, where it is shown, what is on its way.

use askdock_hub::{self as ports, Notice};
use tokio::time::Instant;

use super::posting::{Offer, Posting, REPLY_ACTION};
use super::terms::CallId;
use crate::server_info::ServerInfo;

pub(super) struct Slip {
    /// Orders notices by when they first came, for showing them again.
    pub(super) place: u64,
    pub(super) wanted: Wanted,
    /// `wanted` was not sent to the present server yet.
    pub(super) unsent: bool,
    /// Shown again after a restart of the server: the person heard it already.
    pub(super) quiet: bool,
    pub(super) shown: Option<Shown>,
    /// Where it was shown over an earlier connection; holds once, and only for the same server.
    pub(super) before: Option<ports::Shown>,
    /// The `Notify` that the server has not answered yet. There is never a second one: which of
    /// two notices is the right one could not be told.
    pub(super) flight: Option<Flight>,
    /// When to try again after the server found the notice too like the last one.
    pub(super) retry: Option<Instant>,
    pub(super) retries: u32,
    /// What the person pressed on what is shown, so that a doubled signal counts once.
    pressed: Vec<Press>,
}

pub(super) enum Wanted {
    Notice(Box<Notice>),
    /// A last word; the slip goes once the server has it.
    Farewell {
        title: String,
        text: String,
        /// Worth a notice of its own: the person pressed what it would have replaced.
        anew: bool,
    },
    /// Closed while its id, or the server that shows it, is not known: to be taken down then.
    Gone,
}

/// Where a notice is shown by the present server.
pub(super) struct Shown {
    pub(super) id: u32,
    pub(super) offer: Offer,
    pub(super) token: Option<String>,
}

pub(super) struct Flight {
    pub(super) call: CallId,
    pub(super) offer: Offer,
}

#[derive(PartialEq)]
enum Press {
    Button(String),
    Reply(String),
}

impl Slip {
    pub(super) fn of_notice(place: u64, mut notice: Notice) -> Self {
        let before = notice.replaces.take();
        Self { before, ..Self::new(place, Wanted::Notice(Box::new(notice))) }
    }

    pub(super) fn new(place: u64, wanted: Wanted) -> Self {
        Self {
            place,
            wanted,
            before: None,
            unsent: true,
            quiet: false,
            shown: None,
            flight: None,
            retry: None,
            retries: 0,
            pressed: Vec::new(),
        }
    }

    pub(super) fn want(&mut self, wanted: Wanted) {
        self.wanted = wanted;
        self.unsent = true;
        self.quiet = false;
        self.retry = None;
        self.retries = 0;
    }

    /// The title to put over a last word.
    pub(super) fn title(&self) -> Option<&str> {
        match &self.wanted {
            Wanted::Notice(notice) => Some(&notice.title),
            Wanted::Farewell { title, .. } => Some(title),
            Wanted::Gone => None,
        }
    }

    /// Whether the person may be looking at it, as far as is known.
    pub(super) fn is_up(&self) -> bool {
        self.shown.is_some() || self.before.is_some() || self.flight.is_some()
    }

    /// The posting to send now and the id that it replaces (0: none), if one is due.
    pub(super) fn next_posting(&mut self, server: &ServerInfo) -> Option<(Posting, u32)> {
        if !self.unsent || self.flight.is_some() || self.retry.is_some() {
            return None;
        }
        let posting = match &self.wanted {
            Wanted::Notice(notice) => Posting::of_notice(notice, server, self.quiet),
            Wanted::Farewell { title, text, .. } => Posting::farewell(title, text, server),
            Wanted::Gone => return None,
        };
        self.unsent = false;
        self.pressed.clear();
        Some((posting, self.shown.as_ref().map_or(0, |shown| shown.id)))
    }

    /// Takes over what an earlier connection showed, if the server is still the same one.
    pub(super) fn adopt(&mut self, owner: &str) {
        let before = self.before.take().filter(|before| before.server == owner);
        if let (None, Some(before)) = (&self.shown, before) {
            self.shown = Some(Shown { id: before.id, offer: Offer::default(), token: None });
        }
    }

    /// The nonce behind an invoked action, unless it was not offered or was pressed already.
    /// Opening may be asked for again and again.
    pub(super) fn press(&mut self, action: &str) -> Option<String> {
        if action == REPLY_ACTION {
            return None;
        }
        let (nonce, opens) = self.offers().find_map(|offer| {
            let nonce = offer.nonce(action)?;
            Some((nonce.to_owned(), offer.open.as_deref() == Some(nonce)))
        })?;
        (opens || self.first(Press::Button(nonce.clone()))).then_some(nonce)
    }

    /// The nonce of the reply field, unless there is none or the same text came already.
    pub(super) fn reply(&mut self, text: &str) -> Option<String> {
        let nonce = self.offers().find_map(|offer| offer.reply.clone())?;
        self.first(Press::Reply(text.to_owned())).then_some(nonce)
    }

    fn first(&mut self, press: Press) -> bool {
        let first = !self.pressed.contains(&press);
        if first {
            self.pressed.push(press);
        }
        first
    }

    /// What is shown, then what is about to replace it: a press may be on either.
    fn offers(&self) -> impl Iterator<Item = &Offer> {
        let shown = self.shown.iter().map(|shown| &shown.offer);
        shown.chain(self.flight.iter().map(|flight| &flight.offer))
    }

    /// Forgets the server that is out of reach. `false`: nothing is left to tell the next one.
    pub(super) fn survives(&mut self, owner: Option<&str>) -> bool {
        self.quiet |= self.shown.is_some();
        if let (Some(shown), Some(owner)) = (self.shown.take(), owner) {
            self.before = Some(ports::Shown { server: owner.to_owned(), id: shown.id });
        }
        self.flight = None;
        self.retry = None;
        self.retries = 0;
        match self.wanted {
            Wanted::Notice(_) => self.unsent = true,
            Wanted::Farewell { .. } | Wanted::Gone => self.unsent = self.before.is_some(),
        }
        self.unsent
    }
}
