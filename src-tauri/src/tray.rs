//! The tray's icon and menu. Where the desktop has no tray, or its library is missing, there is
//! none, and nothing else changes.

use std::panic::AssertUnwindSafe;
use std::path::Path;

use tauri::image::Image;
use tauri::menu::{Menu, MenuBuilder, MenuEvent, MenuItemBuilder};
use tauri::tray::TrayIconBuilder;
use tauri::{AppHandle, include_image};

use crate::controller::{Level, MenuEntry, TrayChoice};

/// The name of the one tray icon in Tauri.
pub(crate) const ID: &str = "askdock";

/// The icons with 1 to 9, and more, in one colour.
type Numbers = [Image<'static>; 10];

static IDLE: Image<'static> = include_image!("../icons/tray/idle.png");
static WAITING: Numbers = [
    include_image!("../icons/tray/waiting-1.png"),
    include_image!("../icons/tray/waiting-2.png"),
    include_image!("../icons/tray/waiting-3.png"),
    include_image!("../icons/tray/waiting-4.png"),
    include_image!("../icons/tray/waiting-5.png"),
    include_image!("../icons/tray/waiting-6.png"),
    include_image!("../icons/tray/waiting-7.png"),
    include_image!("../icons/tray/waiting-8.png"),
    include_image!("../icons/tray/waiting-9.png"),
    include_image!("../icons/tray/waiting-9+.png"),
];
static URGENT: Numbers = [
    include_image!("../icons/tray/urgent-1.png"),
    include_image!("../icons/tray/urgent-2.png"),
    include_image!("../icons/tray/urgent-3.png"),
    include_image!("../icons/tray/urgent-4.png"),
    include_image!("../icons/tray/urgent-5.png"),
    include_image!("../icons/tray/urgent-6.png"),
    include_image!("../icons/tray/urgent-7.png"),
    include_image!("../icons/tray/urgent-8.png"),
    include_image!("../icons/tray/urgent-9.png"),
    include_image!("../icons/tray/urgent-9+.png"),
];

/// Puts the icon into the tray; on the main thread. `pictures` is a folder of our own for what
/// the tray's program reads.
pub(crate) fn build(
    app: &AppHandle,
    pictures: &Path,
    chosen: impl Fn(TrayChoice) + Send + Sync + 'static,
) {
    // Left behind by an app that was killed.
    let _ = std::fs::remove_dir_all(pictures);
    let builder = TrayIconBuilder::with_id(ID)
        .temp_dir_path(pictures)
        .icon(IDLE.clone())
        .on_menu_event(move |_, event: MenuEvent| {
            if let Some(choice) = choice(event.id().as_ref()) {
                chosen(choice);
            }
        });
    // The library that Linux trays need is loaded when it is first used, and its absence is a
    // panic.
    match std::panic::catch_unwind(AssertUnwindSafe(|| builder.build(app))) {
        // Tauri keeps it.
        Ok(Ok(_)) => {}
        Ok(Err(error)) => tracing::warn!(%error, "there is no tray"),
        Err(_) => tracing::warn!("there is no tray: its library can't be loaded"),
    }
}

/// The icon for so many pending batches.
pub(crate) fn icon(level: Level, count: u32) -> Image<'static> {
    let numbers = match level {
        Level::Idle => return IDLE.clone(),
        Level::Waiting => &WAITING,
        Level::Urgent => &URGENT,
    };
    let last = numbers.len() - 1;
    let at = usize::try_from(count.saturating_sub(1)).unwrap_or(last).min(last);
    numbers[at].clone()
}

/// The menu with these entries; on the main thread.
pub(crate) fn menu(app: &AppHandle, entries: &[MenuEntry]) -> tauri::Result<Menu<tauri::Wry>> {
    let mut menu = MenuBuilder::new(app);
    for entry in entries {
        menu = match entry {
            MenuEntry::Separator => menu.separator(),
            MenuEntry::Choice(choice, text) => {
                // A single one would underline the letter after it.
                let text = text.replace('&', "&&");
                menu.item(&MenuItemBuilder::with_id(id(choice), text).build(app)?)
            }
        };
    }
    menu.build()
}

const BATCH: &str = "batch:";

fn id(choice: &TrayChoice) -> String {
    match choice {
        TrayChoice::Batch(batch) => format!("{BATCH}{batch}"),
        TrayChoice::Pause => "pause".into(),
        TrayChoice::Resume => "resume".into(),
        TrayChoice::Open => "open".into(),
        TrayChoice::Quit => "quit".into(),
    }
}

fn choice(id: &str) -> Option<TrayChoice> {
    Some(match id {
        "pause" => TrayChoice::Pause,
        "resume" => TrayChoice::Resume,
        "open" => TrayChoice::Open,
        "quit" => TrayChoice::Quit,
        _ => TrayChoice::Batch(id.strip_prefix(BATCH)?.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_come_back_from_the_menu() {
        for one in [
            TrayChoice::Batch("0199".into()),
            TrayChoice::Pause,
            TrayChoice::Resume,
            TrayChoice::Open,
            TrayChoice::Quit,
        ] {
            assert_eq!(choice(&id(&one)), Some(one));
        }
        assert_eq!(choice("else"), None);
    }

    #[test]
    fn the_icon_shows_the_count_up_to_nine() {
        let shows = |level, count, picture: &Image<'_>| icon(level, count).rgba() == picture.rgba();
        assert!(shows(Level::Idle, 0, &IDLE));
        assert!(shows(Level::Waiting, 1, &WAITING[0]));
        assert!(shows(Level::Waiting, 9, &WAITING[8]));
        assert!(shows(Level::Urgent, 10, &URGENT[9]));
        assert!(shows(Level::Urgent, u32::MAX, &URGENT[9]));
        assert!(!shows(Level::Urgent, 9, &URGENT[9]));
    }
}
