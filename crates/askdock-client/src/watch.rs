//! Waits for the discovery file to change, without a timer.

pub(crate) use platform::Watch;

#[cfg(target_os = "linux")]
mod platform {
    use std::ffi::OsString;

    use futures_util::StreamExt;
    use inotify::{EventStream, Inotify, WatchMask};

    use crate::Paths;

    /// Room for several events with names as long as they get.
    type Buffer = [u8; 4096];

    /// Sees every change of the discovery file from its making on.
    pub(crate) struct Watch {
        events: EventStream<Buffer>,
        name: OsString,
    }

    impl Watch {
        /// `None`: the folder is missing, or the user's watches are used up.
        pub(crate) fn on(paths: &Paths) -> Option<Self> {
            let watched = || {
                let inotify = Inotify::init()?;
                let changes = WatchMask::MOVED_TO | WatchMask::CLOSE_WRITE;
                inotify.watches().add(paths.data(), changes)?;
                inotify.into_event_stream([0; 4096])
            };
            let events = watched()
                .inspect_err(|error| tracing::debug!(%error, "the discovery file is not watched"))
                .ok()?;
            Some(Self { events, name: paths.hub_file().file_name()?.to_owned() })
        }

        /// Completes with the next change. Nothing is missed when it is dropped and called again.
        pub(crate) async fn changed(&mut self) {
            while let Some(Ok(event)) = self.events.next().await {
                // An overflow names no file and may have swallowed ours.
                if event.name.is_none_or(|name| name == self.name) {
                    return;
                }
            }
        }
    }
}

/// Where there is no inotify, whoever waits looks again after growing pauses.
#[cfg(not(target_os = "linux"))]
mod platform {
    use crate::Paths;

    pub(crate) enum Watch {}

    impl Watch {
        pub(crate) fn on(_paths: &Paths) -> Option<Self> {
            None
        }

        pub(crate) async fn changed(&mut self) {
            match *self {}
        }
    }
}
