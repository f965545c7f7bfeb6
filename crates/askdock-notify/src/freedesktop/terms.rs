//! The words between the board and the line to the server.

use askdock_hub::NoticeEvent;

use super::posting::Posting;

/// Names one call to the server. Later calls have larger ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct CallId(pub(super) u64);

/// What the server, or the bus, is to be asked.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Call {
    /// `GetServerInformation`
    Information,
    /// `GetCapabilities`
    Capabilities,
    /// `StartServiceByName`, to the bus
    Start,
    /// `Notify`; `replaces` is 0 for a new notice
    Notify { posting: Posting, replaces: u32 },
    /// `CloseNotification`; its answer says nothing
    Close { id: u32 },
}

/// What a call brought back.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Answer {
    Information { name: String, vendor: String, version: String },
    Capabilities(Vec<String>),
    Started,
    Posted(u32),
}

/// An error answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) name: String,
    pub(super) message: String,
}

/// A signal of the present server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Signal {
    Token { id: u32, token: String },
    Invoked { id: u32, action: String },
    Replied { id: u32, text: String },
    Closed { id: u32 },
}

#[derive(Debug, PartialEq)]
pub(super) enum Effect {
    Call(CallId, Call),
    Event(NoticeEvent),
}

impl Signal {
    pub(super) fn id(&self) -> u32 {
        match self {
            Self::Token { id, .. }
            | Self::Invoked { id, .. }
            | Self::Replied { id, .. }
            | Self::Closed { id } => *id,
        }
    }
}
