//! The one window: how it is made, what its page may not do, and the size that it had.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tauri::webview::{DownloadEvent, NewWindowResponse, PermissionResponse};
use tauri::{AppHandle, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder};

/// Its label in Tauri and in the capability.
pub(crate) const LABEL: &str = "main";

/// Logical pixels.
const LEAST: (f64, f64) = (720.0, 480.0);

/// Size and state of the window, kept in a small file.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Placement {
    /// Logical pixels.
    width: f64,
    /// Logical pixels.
    height: f64,
    maximized: bool,
}

impl Default for Placement {
    fn default() -> Self {
        Self { width: 1120.0, height: 760.0, maximized: false }
    }
}

impl Placement {
    /// The one kept last; a file that isn't there or isn't readable gives the default.
    pub(crate) fn load(data: &Path) -> Self {
        let kept = fs::read(file(data)).ok().and_then(|json| serde_json::from_slice(&json).ok());
        let Self { width, height, maximized } = kept.unwrap_or_default();
        // Somebody may have edited the file; no screen is larger than this.
        let within = |size: f64, least: f64| {
            if size.is_finite() { size.clamp(least, 16_384.0) } else { least }
        };
        Self { width: within(width, LEAST.0), height: within(height, LEAST.1), maximized }
    }

    /// As the window is now. A maximised window keeps the size that it had before, in `self`.
    pub(crate) fn of(self, window: &WebviewWindow) -> tauri::Result<Self> {
        if window.is_maximized()? {
            return Ok(Self { maximized: true, ..self });
        }
        let size = window.inner_size()?.to_logical(window.scale_factor()?);
        Ok(Self { width: size.width, height: size.height, maximized: false })
    }

    pub(crate) fn save(&self, data: &Path) {
        let saved = serde_json::to_vec(self)
            .map_err(std::io::Error::from)
            .and_then(|json| fs::write(file(data), json));
        if let Err(error) = saved {
            tracing::warn!(%error, "the window's size was not kept");
        }
    }
}

fn file(data: &Path) -> PathBuf {
    data.join("window.json")
}

/// Makes the window and shows it. What the page's engine keeps lies under `data`.
pub(crate) fn open(
    app: &AppHandle,
    data: &Path,
    placement: Placement,
) -> tauri::Result<WebviewWindow> {
    WebviewWindowBuilder::new(app, LABEL, WebviewUrl::default())
        .title("Askdock")
        .inner_size(placement.width, placement.height)
        .min_inner_size(LEAST.0, LEAST.1)
        .maximized(placement.maximized)
        .center()
        .data_directory(data.join("webview"))
        // The page handles what is dropped itself; what it doesn't handle would navigate, which
        // is refused below.
        .disable_drag_drop_handler()
        .devtools(cfg!(debug_assertions))
        .on_navigation(is_own_page)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .on_download(|_, event| !matches!(event, DownloadEvent::Requested { .. }))
        .on_permission_request(|_, _| PermissionResponse::Deny)
        .build()
}

/// Whether an address is the page that this program contains.
fn is_own_page(url: &Url) -> bool {
    match url.scheme() {
        "tauri" => url.host_str() == Some("localhost"),
        // Where the engine knows no schemes of our own.
        "http" | "https" if cfg!(windows) => url.host_str() == Some("tauri.localhost"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_page_is_shown() {
        let check = |url: &str| is_own_page(&Url::parse(url).unwrap());
        assert!(check("tauri://localhost"));
        assert!(check("tauri://localhost/index.html#x"));
        for url in [
            "https://example.org/",
            "http://localhost/",
            "http://tauri.localhost.example.org/",
            "tauri://elsewhere/",
            "file:///etc/passwd",
            "data:text/html,x",
            "about:blank",
        ] {
            assert!(!check(url), "{url}");
        }
    }

    #[test]
    fn the_size_is_kept_and_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path();
        assert_eq!(Placement::load(data), Placement::default());
        let kept = Placement { width: 900.5, height: 600.0, maximized: true };
        kept.save(data);
        assert_eq!(Placement::load(data), kept);
        fs::write(file(data), r#"{"width": -3, "height": 1e300, "maximized": false}"#).unwrap();
        let bounded = Placement { width: 720.0, height: 16_384.0, maximized: false };
        assert_eq!(Placement::load(data), bounded);
        fs::write(file(data), "{").unwrap();
        assert_eq!(Placement::load(data), Placement::default());
    }
}
