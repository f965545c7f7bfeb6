//! The real desktop app on a display of its own, its page driven over WebDriver.
//!
//! The driver attaches to the app by WebKit's remote inspector, so the tests start and kill the
//! app themselves. It knows only the first page that an app shows: a window made anew after a
//! close is looked at through [`Display`].

mod app;
mod display;
mod notices;
mod page;

use std::future::Future;
use std::time::Duration;

use anyhow::{Context, Result};

pub use app::App;
pub use display::Display;
pub use notices::{Area, DUNST, NoticeProgram, RunningNotices, XFCE};
pub use page::Page;

use crate::home::PATIENCE;

/// How often a condition that can't be waited for is looked at.
const PAUSE: Duration = Duration::from_millis(30);

/// Waits until `look` finds something.
///
/// # Errors
/// It does not within [`PATIENCE`], or fails.
pub async fn until<T, F>(what: &str, mut look: impl FnMut() -> F) -> Result<T>
where
    F: Future<Output = Result<Option<T>>>,
{
    let found = async {
        loop {
            if let Some(found) = look().await? {
                return Ok(found);
            }
            tokio::time::sleep(PAUSE).await;
        }
    };
    tokio::time::timeout(PATIENCE, found).await.with_context(|| format!("never came: {what}"))?
}

/// A port of the loopback address that nobody listens on.
fn free_port() -> Result<u16> {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0))?;
    Ok(listener.local_addr()?.port())
}
