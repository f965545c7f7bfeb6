//! What can go wrong between a client and its hub.

use std::io;
use std::path::PathBuf;

use askdock_wire::{Code, WIRE_VERSION, WireError};

/// Why a call had no result. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// No hub accepts connections.
    #[error("No Askdock hub is running; start it with `askdock serve` or open the app.")]
    NoHub,
    /// The hub went away during the call. Whether it was carried out is not known.
    #[error("The connection to the Askdock hub broke ({0}); try again.")]
    Disconnected(String),
    /// The hub took too long.
    #[error("The Askdock hub did not answer within {0} seconds; try again, or restart it.")]
    TooSlow(u64),
    /// The hub's own answer.
    #[error("{0}")]
    Refused(WireError),
    /// The hub that runs is of another release.
    #[error(
        "The running Askdock hub speaks wire version {theirs}, this program {WIRE_VERSION}; \
         restart whichever is older."
    )]
    WireVersion {
        /// The hub's.
        theirs: u32,
    },
    /// The response isn't what the operation returns.
    #[error("The Askdock hub's response could not be read ({0}); restart whichever is older.")]
    Unreadable(String),
    /// A file of ours could not be used.
    #[error("{path}: {source}; check its owner and permissions.")]
    File {
        /// Which.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// There is no home folder.
    #[error("There is no home folder; set HOME, or ASKDOCK_HOME to a folder for Askdock.")]
    NoHome,
    /// The app isn't there to be opened.
    #[error("The desktop app {0}.")]
    NoDesktop(&'static str),
    /// A hub was started, but didn't get ready.
    #[error("Askdock could not be started: {reason}. Its messages are in {log}.")]
    NotStarted {
        /// What happened.
        reason: String,
        /// Where its output went.
        log: PathBuf,
    },
}

impl ClientError {
    /// The hub's error code, where the hub answered.
    pub fn code(&self) -> Option<Code> {
        match self {
            Self::Refused(error) => Some(error.code),
            Self::WireVersion { .. } => Some(Code::WireVersion),
            _ => None,
        }
    }

    /// The error as the hub would send it, for `--json`.
    pub fn to_wire(&self) -> WireError {
        match self {
            Self::Refused(error) => error.clone(),
            Self::NoHub
            | Self::NoDesktop(_)
            | Self::Disconnected(_)
            | Self::TooSlow(_)
            | Self::NotStarted { .. } => WireError::new(Code::Unavailable, self.to_string()),
            Self::WireVersion { .. } => WireError::new(Code::WireVersion, self.to_string()),
            Self::Unreadable(_) | Self::File { .. } | Self::NoHome => {
                WireError::new(Code::Internal, self.to_string())
            }
        }
    }

    /// Whether the same call may succeed once a hub is back.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            Self::NoHub | Self::Disconnected(_) | Self::TooSlow(_) => true,
            Self::Refused(error) => error.code == Code::Unavailable,
            _ => false,
        }
    }
}
