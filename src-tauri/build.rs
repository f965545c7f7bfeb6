//! Embeds the built page and the window's permissions.

use std::path::Path;

/// Everything that the page may call; `src/commands.rs` has the same list.
const COMMANDS: &[&str] = &["call", "subscribe", "open_external", "painted"];

fn main() {
    println!("cargo:rerun-if-changed=../ui/dist");
    if !Path::new("../ui/dist/index.html").is_file() {
        println!(
            "cargo:error=The page is not built: ui/dist is missing. Run `cargo xtask run`, which \
             builds it, or `npm ci && npm run build` in ui/."
        );
        std::process::exit(1);
    }
    let attributes = tauri_build::Attributes::new()
        .app_manifest(tauri_build::AppManifest::new().commands(COMMANDS));
    if let Err(error) = tauri_build::try_build(attributes) {
        println!("cargo:error={error:#}");
        std::process::exit(1);
    }
}
