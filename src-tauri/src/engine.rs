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
