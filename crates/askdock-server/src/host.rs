//! What the server needs of the hub beside the operations.

use askdock_hub::{Caller, Hub, Peer};
use askdock_wire::ops::Handler;
use askdock_wire::{Event, WireError};
use futures_util::{Stream, stream};

/// The hub as the server sees it.
pub trait Host: Handler<Caller = Caller> + 'static {
    /// Live events: those after `after` where they are still known, else a snapshot first.
    fn events(&self, after: Option<u64>) -> impl Stream<Item = Event> + Send + 'static;

    /// Why this process may not act as the person, whatever token it shows: it descends from an
    /// agent that waits for the person.
    fn person_refusal(&self, peer: &Peer) -> Option<WireError>;

    /// The connection with this id, as in [`Caller::connection`], closed.
    fn connection_closed(&self, connection: u64);
}

impl Host for Hub {
    fn events(&self, after: Option<u64>) -> impl Stream<Item = Event> + Send + 'static {
        stream::unfold(self.events(after), |mut events| async move {
            let event = events.next().await?;
            Some((event, events))
        })
    }

    fn person_refusal(&self, peer: &Peer) -> Option<WireError> {
        self.person_refusal(peer)
    }

    fn connection_closed(&self, connection: u64) {
        self.connection_closed(connection);
    }
}
