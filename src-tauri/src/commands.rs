//! What the page may call. `build.rs` names the same commands for the window's permissions.

use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, MutexGuard, PoisonError};

use askdock_hub::{Caller, Hub};
use askdock_wire::ops::{self, Handler as _};
use askdock_wire::{Code, WireError};
use futures_util::FutureExt;
use serde_json::Value;
use tauri::ipc::{Channel, Invoke};
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;

use crate::controller::{self, FocusRequest};
use crate::page::{self, PageMessage};

/// What the commands share.
pub(crate) struct Link {
    /// Absent until the hub is open; closed if it never will be.
    hub: watch::Receiver<Option<Hub>>,
    events: mpsc::UnboundedSender<controller::Event>,
    /// Calls under way.
    calls: watch::Sender<u32>,
    /// The page that there is now.
    page: Mutex<Option<Page>>,
}

/// The way to a page, and what follows the hub for it.
struct Page {
    channel: Channel<PageMessage>,
    following: AbortHandle,
}

impl Link {
    pub(crate) fn new(
        hub: watch::Receiver<Option<Hub>>,
        events: mpsc::UnboundedSender<controller::Event>,
    ) -> Self {
        Self { hub, events, calls: watch::Sender::new(0), page: Mutex::default() }
    }

    /// The hub, once it is open.
    async fn hub(&self) -> Result<Hub, WireError> {
        let mut hub = self.hub.clone();
        let opened = hub.wait_for(Option::is_some).await.ok().and_then(|hub| hub.clone());
        opened.ok_or_else(|| WireError::new(Code::Unavailable, "Askdock is not running."))
    }

    /// Changes settings on behalf of tray or message box.
    pub(crate) async fn change_settings(&self, patch: ops::SettingsPatch) -> Result<(), WireError> {
        self.hub().await?.settings_set(&Caller::window(), patch).await.map(|_| ())
    }

    /// Completes when no call of the page's is under way.
    pub(crate) async fn calls_done(&self) {
        // An error means that the sender, which is ours, is gone.
        let _ = self.calls.subscribe().wait_for(|calls| *calls == 0).await;
    }

    /// Tells the page what to show.
    pub(crate) fn show_in_page(&self, focus: FocusRequest) -> tauri::Result<()> {
        match &*lock(&self.page) {
            Some(page) => page.channel.send(PageMessage::Focus(focus)),
            None => Ok(()),
        }
    }

    /// Ends what follows the hub for a page that is gone.
    pub(crate) fn page_gone(&self) {
        if let Some(page) = lock(&self.page).take() {
            page.following.abort();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hands a command of the page's to its function.
pub(crate) fn handler() -> impl Fn(Invoke) -> bool + Send + Sync + 'static {
    tauri::generate_handler![call, subscribe, open_external, painted]
}

type Shared<'a> = tauri::State<'a, Link>;

/// Runs one operation of the hub as the person.
#[tauri::command]
async fn call(name: String, request: Value, link: Shared<'_>) -> Result<Value, WireError> {
    let _under_way = UnderWay::new(&link.calls);
    let hub = link.hub().await?;
    let caller = Caller::window();
    let run = AssertUnwindSafe(ops::dispatch(&hub, &caller, &name, request)).catch_unwind();
    let reply = run.await.unwrap_or_else(|_| {
        tracing::error!(operation = name, "the handler panicked");
        Err(WireError::new(Code::Internal, "A fault of Askdock's own; its log has more."))
    })?;
    Ok(reply.body.unwrap_or(Value::Null))
}

/// Sends the page a snapshot and then every change, and what it should show. A page that
/// subscribes again is a page that was loaded again.
#[tauri::command]
async fn subscribe(channel: Channel<PageMessage>, link: Shared<'_>) -> Result<(), WireError> {
    let hub = link.hub().await?;
    let events = link.events.clone();
    let ready = move || {
        tracing::debug!("the page is ready");
        // An error means that the program is leaving.
        let _ = events.send(controller::Event::PageReady);
    };
    // Under the lock: once the page is ready it must be found here.
    let mut page = lock(&link.page);
    let following = tokio::spawn(page::follow(hub, channel.clone(), ready)).abort_handle();
    if let Some(before) = page.replace(Page { channel, following }) {
        before.following.abort();
    }
    Ok(())
}

/// Opens an address in the person's browser. The page asks before.
#[tauri::command]
async fn open_external(url: String) -> Result<(), WireError> {
    let address = web_address(&url).ok_or_else(|| {
        WireError::new(Code::Invalid, "Only http and https addresses are opened.")
    })?;
    // Starts a program and looks whether it could be started: not for a worker.
    let opened = tokio::task::spawn_blocking(move || open::that_detached(address.as_str())).await;
    match opened {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => {
            tracing::warn!(%error, "an address was not opened");
            Err(WireError::new(Code::Unavailable, "No browser could be started."))
        }
        Err(error) => {
            tracing::error!(%error, "an address was not opened");
            Err(WireError::new(Code::Internal, "A fault of Askdock's own; its log has more."))
        }
    }
}

/// The dock for this batch is on screen. Only measurements read it, in the log.
#[tauri::command]
async fn painted(batch: String) -> Result<(), WireError> {
    tracing::debug!(batch, "painted");
    Ok(())
}

/// The address, if it is one of the web.
fn web_address(url: &str) -> Option<tauri::Url> {
    let address = tauri::Url::parse(url).ok()?;
    (matches!(address.scheme(), "http" | "https") && address.has_host()).then_some(address)
}

/// Counts a call for as long as it lives, however it ends.
struct UnderWay<'a>(&'a watch::Sender<u32>);

impl<'a> UnderWay<'a> {
    fn new(calls: &'a watch::Sender<u32>) -> Self {
        calls.send_modify(|calls| *calls += 1);
        Self(calls)
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|calls| *calls -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_are_opened() {
        for url in ["https://example.org/a?b#c", "http://localhost:8080/", "HTTPS://Example.org"] {
            assert!(web_address(url).is_some(), "{url}");
        }
        for url in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "data:text/html,x",
            "ssh://host",
            "mailto:a@example.org",
            "/etc/passwd",
            "--help",
            "https:",
            "",
        ] {
            assert!(web_address(url).is_none(), "{url}");
        }
    }

    #[test]
    fn the_window_may_call_these_and_nothing_else() -> serde_json::Result<()> {
        let listed = include_str!("../build.rs");
        let granted: serde_json::Value =
            serde_json::from_str(include_str!("../capabilities/window.json"))?;
        let commands = ["call", "subscribe", "open_external", "painted"];
        for command in commands {
            assert!(listed.contains(&format!("\"{command}\"")), "{command}");
        }
        let permissions = commands.map(|command| format!("allow-{}", command.replace('_', "-")));
        assert_eq!(granted["permissions"], serde_json::json!(permissions));
        Ok(())
    }
}
