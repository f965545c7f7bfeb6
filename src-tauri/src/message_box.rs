//! Message boxes of the app itself, native, with one or two buttons.

use std::path::Path;

use crate::controller::{BoxAnswer, BoxQuestion};
use crate::texts::Texts;

#[cfg(not(any(target_os = "macos", windows)))]
#[path = "message_box/gtk.rs"]
mod platform;
#[cfg(any(target_os = "macos", windows))]
#[path = "message_box/rfd.rs"]
mod platform;

/// What a box says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wording {
    title: &'static str,
    text: String,
    detail: String,
    yes: &'static str,
    /// Absent: there is nothing to choose.
    no: Option<&'static str>,
    by_enter: ByEnter,
}

/// Which button a stray Enter presses: the one that changes less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ByEnter {
    Yes,
    No,
}

impl Wording {
    /// Puts a question of the app's into words.
    pub(crate) fn of(question: BoxQuestion, texts: &Texts) -> Self {
        match question {
            BoxQuestion::Quit { agents } => Self {
                title: texts.confirm_quit_title,
                text: (texts.confirm_quit)(agents),
                detail: texts.confirm_quit_detail.to_owned(),
                yes: texts.confirm_quit_yes,
                no: Some(texts.confirm_quit_no),
                by_enter: ByEnter::No,
            },
            BoxQuestion::KeepRunning => Self {
                title: "Askdock",
                text: texts.keep_running.to_owned(),
                detail: texts.keep_running_detail.to_owned(),
                yes: texts.keep_running_yes,
                no: Some(texts.keep_running_no),
                by_enter: ByEnter::Yes,
            },
        }
    }

    /// Why the program can't go on, and where its log is, if there is one yet.
    pub(crate) fn failure(reason: &str, log: Option<&Path>, texts: &Texts) -> Self {
        let log = log.map(|log| (texts.failed_log)(&log.display().to_string()));
        Self {
            title: "Askdock",
            text: texts.failed.to_owned(),
            detail: std::iter::once(reason.to_owned()).chain(log).collect::<Vec<_>>().join("\n\n"),
            yes: texts.close,
            no: None,
            by_enter: ByEnter::Yes,
        }
    }
}

/// Shows a box over `parent`, where there is one, and hands over the answer. On the main thread,
/// while its loop runs; doesn't wait.
pub(crate) fn show(
    wording: Wording,
    parent: Option<&tauri::WebviewWindow>,
    answer: impl FnOnce(BoxAnswer) + Send + 'static,
) {
    platform::show(wording, parent, answer);
}

/// Says why nothing can be started, and waits until it was read. Before the main loop runs; does
/// nothing without a display.
pub(crate) fn show_fatal(wording: &Wording) {
    platform::show_fatal(wording);
}
