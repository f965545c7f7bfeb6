//! OS notifications behind the hub's Notifier port.
//!
//! On Linux and BSD notices carry answers: [`desktop_notifier`] speaks to the notification server
//! itself, because a press must be believed only from that server and must not be lost. On macOS
//! and Windows notices are plain. What to show, when and to whom is the hub's; nothing here
//! decides an answer.

#[cfg(all(unix, not(target_os = "macos")))]
mod freedesktop;
#[cfg(any(target_os = "macos", windows))]
mod plain;
mod server_info;

pub use server_info::{ServerInfo, Unavailable};

#[cfg(all(unix, not(target_os = "macos")))]
pub use freedesktop::{DesktopNotifier, probe, probe_at};
#[cfg(any(target_os = "macos", windows))]
pub use plain::{PlainNotifier, probe};

use askdock_hub::{NoticeEvents, Notifier};

/// Who the notices come from, as the desktop should name it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AppIdentity {
    /// The name that the person sees.
    pub name: String,
    /// The name of the desktop entry without `.desktop`; on Windows the AppUserModelID.
    pub desktop_entry: String,
    /// An icon of the icon theme, or a path to one; may be empty.
    pub icon: String,
}

/// Shows notices on the desktop of this session and reports to `events` what becomes of them.
/// Nothing is connected before the first notice, and dropping it leaves what is shown in place
/// (GNOME takes it down).
///
/// # Panics
///
/// Outside a tokio runtime.
#[must_use = "notices are sent through it"]
pub fn desktop_notifier(app: AppIdentity, events: NoticeEvents) -> impl Notifier {
    #[cfg(all(unix, not(target_os = "macos")))]
    return DesktopNotifier::start(None, app, events);
    #[cfg(any(target_os = "macos", windows))]
    return PlainNotifier::start(app, events);
}

/// As [`desktop_notifier`], on the bus with this D-Bus address.
///
/// # Panics
///
/// Outside a tokio runtime.
#[cfg(all(unix, not(target_os = "macos")))]
#[must_use = "notices are sent through it"]
pub fn desktop_notifier_at(
    address: impl Into<String>,
    app: AppIdentity,
    events: NoticeEvents,
) -> impl Notifier {
    DesktopNotifier::start(Some(address.into()), app, events)
}
