//! The real desktop app on a display of its own, its page driven over WebDriver.
//!
//! The driver attaches to the app by WebKit's remote inspector, so the tests start and kill the
//! app themselves. It knows only the first page that an app shows: a window made anew after a
//! close is looked at through [`Display`].

mod app;
mod display;
mod notices;
mod page;
mod tray_host;

use anyhow::Result;

pub use app::App;
pub use display::Display;
pub use notices::{Area, DUNST, NoticeProgram, RunningNotices, XFCE};
pub use page::Page;
pub use tray_host::{MenuLine, TrayHost};

/// Waits until `look` finds something.
///
/// # Errors
/// As [`crate::until::until`].
pub async fn until<T>(what: &str, look: impl AsyncFnMut() -> Result<Option<T>>) -> Result<T> {
    crate::until::until(&format!("never came: {what}"), look).await
}

/// A port of the loopback address that nobody listens on.
fn free_port() -> Result<u16> {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0))?;
    Ok(listener.local_addr()?.port())
}
