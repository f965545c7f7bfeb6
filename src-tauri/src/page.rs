//! The hub's events on their way to the page.

use std::time::Duration;

use askdock_hub::Hub;
use askdock_wire::Event;
use futures_util::FutureExt;
use serde::Serialize;
use tauri::ipc::Channel;

use crate::controller::FocusRequest;

/// One frame of a 60 Hz screen: the page can't show more than one change in it.
const FRAME: Duration = Duration::from_millis(16);
/// Events sent at once.
const MOST: usize = 500;

/// What the page is sent. Focus requests share the way of the events, so that the page knows
/// what they name.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PageMessage {
    /// Changes, in the order in which they happened.
    Events(Vec<Event>),
    /// What to show.
    Focus(FocusRequest),
}

/// Sends the page a snapshot, says that it is `ready`, then sends what changes, until the page or
/// the hub is gone. The first change is sent at once; what follows within a frame goes together,
/// each entity once and as it is then.
pub(crate) async fn follow(hub: Hub, page: Channel<PageMessage>, ready: impl FnOnce() + Send) {
    let mut events = hub.events(None);
    let mut ready = Some(ready);
    while let Some(first) = events.next().await {
        let mut together = vec![first];
        while together.len() < MOST
            && let Some(Some(event)) = events.next().now_or_never()
        {
            together.push(event);
        }
        if let Err(error) = page.send(PageMessage::Events(together)) {
            tracing::debug!(%error, "the page is gone");
            return;
        }
        if let Some(ready) = ready.take() {
            ready();
        }
        tokio::time::sleep(FRAME).await;
    }
}
