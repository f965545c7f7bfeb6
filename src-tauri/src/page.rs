//! The hub's events on their way to the page.

use std::time::Duration;

use askdock_hub::Hub;
use askdock_wire::Event;
use futures_util::FutureExt;
use tauri::ipc::Channel;

/// One frame of a 60 Hz screen: the page can't show more than one change in it.
const FRAME: Duration = Duration::from_millis(16);
/// Events sent at once.
const MOST: usize = 500;

/// Sends the page a snapshot, then what changes, until the page or the hub is gone. The first
/// change is sent at once; what follows within a frame goes together, each entity once and as it
/// is then.
pub(crate) async fn follow(hub: Hub, page: Channel<Vec<Event>>) {
    let mut events = hub.events(None);
    while let Some(first) = events.next().await {
        let mut together = vec![first];
        while together.len() < MOST
            && let Some(Some(event)) = events.next().now_or_never()
        {
            together.push(event);
        }
        if let Err(error) = page.send(together) {
            tracing::debug!(%error, "the page is gone");
            return;
        }
        tokio::time::sleep(FRAME).await;
    }
}
