//! What Tauri doesn't offer and WebKitGTK or GTK does.

use tauri::WebviewWindow;

/// Calls `crashed` whenever the page's process ends by itself.
#[cfg(not(any(target_os = "macos", windows)))]
pub(crate) fn on_crash(
    window: &WebviewWindow,
    crashed: impl Fn() + Send + 'static,
) -> tauri::Result<()> {
    use webkit2gtk::WebViewExt;

    window.with_webview(move |webview| {
        webview.inner().connect_web_process_terminated(move |_, reason| {
            tracing::warn!(?reason, "the page's process ended");
            crashed();
        });
    })
}

/// See the one for WebKitGTK.
#[cfg(any(target_os = "macos", windows))]
pub(crate) fn on_crash(
    _window: &WebviewWindow,
    _crashed: impl Fn() + Send + 'static,
) -> tauri::Result<()> {
    Ok(())
}

/// Ends WebKit's network process, which it keeps when no page is left and starts again with the
/// next one. It can't be asked to.
#[cfg(target_os = "linux")]
pub(crate) fn end_network_process() -> std::io::Result<()> {
    use rustix::process::{Pid, Signal, getpid, kill_process};

    for entry in std::fs::read_dir("/proc")? {
        let entry = entry?;
        let pid = entry.file_name().to_str().and_then(|name| name.parse().ok());
        let Some(pid) = pid.and_then(Pid::from_raw) else { continue };
        // It may have ended meanwhile.
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        if is_network_process(&stat, getpid()) {
            kill_process(pid, Signal::TERM)?;
        }
    }
    Ok(())
}

/// Whether this line of `/proc/PID/stat` is of WebKit's network process under `parent`.
#[cfg(target_os = "linux")]
fn is_network_process(stat: &str, parent: rustix::process::Pid) -> bool {
    // The kernel cuts names after 15 bytes.
    let Some((start, rest)) = stat.rsplit_once(')') else { return false };
    let its_parent = rest.split_whitespace().nth(1).and_then(|field| field.parse().ok());
    start.ends_with("(WebKitNetworkPr") && its_parent == Some(parent.as_raw_nonzero().get())
}

/// See the one for Linux.
#[cfg(not(target_os = "linux"))]
pub(crate) fn end_network_process() -> std::io::Result<()> {
    Ok(())
}

/// Lets the window take the focus next, by the permission that a notification or a launcher
/// passed on.
#[cfg(not(any(target_os = "macos", windows)))]
pub(crate) fn use_activation_token(window: &WebviewWindow, token: &str) -> tauri::Result<()> {
    use gtk::prelude::GtkWindowExt;

    // It comes from another program: what isn't text without NUL, GTK couldn't take.
    if !token.contains('\0') {
        window.gtk_window()?.set_startup_id(token);
    }
    Ok(())
}

/// See the one for GTK.
#[cfg(any(target_os = "macos", windows))]
pub(crate) fn use_activation_token(_window: &WebviewWindow, _token: &str) -> tauri::Result<()> {
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::process::Pid;

    use super::*;

    #[test]
    fn only_the_own_network_process_is_ended() {
        let ours = |stat: &str| is_network_process(stat, Pid::from_raw(7).unwrap());
        assert!(ours("12 (WebKitNetworkPr) S 7 12 12 0"));
        assert!(!ours("12 (WebKitNetworkPr) S 8 12 12 0"), "another app's");
        assert!(!ours("12 (WebKitWebProces) S 7 12 12 0"), "a page's");
        assert!(!ours("12 (x) S 7 (WebKitNetworkPr"), "no such line");
    }
}
