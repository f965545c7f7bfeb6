//! Exit codes: scripts rely on them.

use std::process::ExitCode;

use askdock_client::ClientError;
use askdock_wire::{BatchStatus, Code};

/// How the command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done; for a wait: answered.
    Done = 0,
    /// Anything else that went wrong.
    Failed = 1,
    /// The command has to be changed.
    Usage = 2,
    /// The person chose not to answer, or asked back.
    Dismissed = 3,
    /// The deadline passed.
    Expired = 4,
    /// The ask was withdrawn.
    Cancelled = 5,
    /// Nobody can be reached.
    NoPerson = 6,
    /// Ctrl-C while waiting; as shells report it.
    Interrupted = 130,
}

/// The command line can't be carried out as it is.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(pub(crate) String);

impl Exit {
    /// For a batch that ended.
    pub(crate) fn of_status(status: BatchStatus) -> Self {
        match status {
            BatchStatus::Answered => Self::Done,
            BatchStatus::Dismissed => Self::Dismissed,
            BatchStatus::Expired => Self::Expired,
            BatchStatus::Cancelled => Self::Cancelled,
            // Waiting ends with an end only.
            BatchStatus::Pending => Self::Failed,
        }
    }

    /// For a command that failed.
    pub(crate) fn of(error: &anyhow::Error) -> Self {
        if error.is::<Usage>() {
            return Self::Usage;
        }
        match error.downcast_ref::<ClientError>().and_then(ClientError::code) {
            Some(Code::NoPerson) => Self::NoPerson,
            Some(Code::Invalid | Code::TooLarge) => Self::Usage,
            _ => Self::Failed,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}
