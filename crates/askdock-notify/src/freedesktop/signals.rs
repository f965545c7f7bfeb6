//! Which signals of the server are believed, and for which notice.

use askdock_hub::{NoticeEvent, NoticeKey};

use super::board::Board;
use super::posting::{DEFAULT_ACTION, Offer};
use super::slip::Slip;
use super::terms::Signal;

/// Signals kept for an id that is not known yet; other programs' notices are among them.
const MOST_EARLY: usize = 256;

/// A notice that the server was told to take down and that it may still show.
pub(super) struct Closing {
    pub(super) id: u32,
    pub(super) key: NoticeKey,
    pub(super) title: String,
    pub(super) offer: Offer,
}

impl Board {
    pub(super) fn signal(&mut self, signal: Signal) {
        let id = signal.id();
        let closing = self.closing.iter().position(|closing| closing.id == id);
        if let (Signal::Closed { .. }, Some(at)) = (&signal, closing) {
            self.closing.remove(at);
            return;
        }
        let Some(key) = self.ids.get(&id).cloned() else {
            match closing {
                Some(at) => self.pressed_in_passing(at, &signal),
                None => self.keep_early(signal),
            }
            return;
        };
        let Some(slip) = self.slips.get_mut(&key) else { return };
        match signal {
            Signal::Token { token, .. } => {
                if let Some(shown) = &mut slip.shown {
                    shown.token = Some(token);
                }
            }
            Signal::Invoked { action, .. } => match slip.press(&action) {
                Some(nonce) => {
                    let token = slip.shown.as_mut().and_then(|shown| shown.token.take());
                    let title = slip.title().unwrap_or_default().to_owned();
                    self.remember_press(key.clone(), title);
                    self.event(NoticeEvent::Invoked { key, nonce, activation_token: token });
                }
                None => tracing::debug!(id, "ignored an action that is not offered"),
            },
            Signal::Replied { text, .. } => match slip.reply(&text) {
                Some(nonce) => {
                    let title = slip.title().unwrap_or_default().to_owned();
                    self.remember_press(key.clone(), title);
                    self.event(NoticeEvent::Replied { key, nonce, text });
                }
                None => tracing::debug!(id, "ignored a reply that is not welcome"),
            },
            // What is on its way replaces it and is up again by now.
            Signal::Closed { .. } if slip.flight.is_some() => {}
            Signal::Closed { .. } => self.went_away(&key),
        }
    }

    /// A button that was pressed before the server heard that it should close the notice. It is
    /// too late, and the person is to be told so.
    fn pressed_in_passing(&mut self, at: usize, signal: &Signal) {
        let Some(closing) = self.closing.get_mut(at) else { return };
        let Signal::Invoked { action, .. } = signal else { return };
        if action == DEFAULT_ACTION {
            return;
        }
        let Some(nonce) = closing.offer.nonce(action).map(str::to_owned) else { return };
        closing.offer = Offer::default();
        let (key, title) = (closing.key.clone(), closing.title.clone());
        self.remember_press(key.clone(), title);
        self.event(NoticeEvent::Invoked { key, nonce, activation_token: None });
    }

    fn keep_early(&mut self, signal: Signal) {
        if self.awaits_id() {
            if self.early.len() == MOST_EARLY {
                self.early.pop_front();
            }
            self.early.push_back(signal);
        }
    }

    /// The server named a notice: what it said of it before counts now.
    pub(super) fn replay_early(&mut self, id: u32) {
        let (early, later): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.early).into_iter().partition(|signal| signal.id() == id);
        self.early = later.into();
        for signal in early {
            self.signal(signal);
        }
    }

    pub(super) fn drop_idle_early(&mut self) {
        if !self.early.is_empty() && !self.awaits_id() {
            self.early.clear();
        }
    }

    fn awaits_id(&self) -> bool {
        self.slips.values().any(|slip| slip.flight.is_some())
    }

    /// The server no longer shows it.
    pub(super) fn went_away(&mut self, key: &NoticeKey) {
        let Some(slip) = self.slips.get_mut(key) else { return };
        if let Some(shown) = slip.shown.take() {
            self.ids.remove(&shown.id);
        }
        if !is_awaited(slip) {
            self.slips.remove(key);
            self.event(NoticeEvent::Closed { key: key.clone() });
        }
    }
}

fn is_awaited(slip: &Slip) -> bool {
    slip.unsent || slip.flight.is_some()
}
