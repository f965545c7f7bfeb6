//! The platform's, through rfd.

use rfd::{AsyncMessageDialog, MessageButtons, MessageDialog, MessageDialogResult, MessageLevel};

use super::Wording;
use crate::controller::BoxAnswer;

pub(super) fn show(
    wording: Wording,
    parent: Option<&tauri::WebviewWindow>,
    answer: impl FnOnce(BoxAnswer) + Send + 'static,
) {
    let yes = wording.yes;
    let no = wording.no;
    let mut dialog = AsyncMessageDialog::new()
        .set_title(wording.title)
        .set_description(format!("{}\n\n{}", wording.text, wording.detail))
        .set_level(level(no))
        .set_buttons(buttons(yes, no));
    if let Some(parent) = parent {
        dialog = dialog.set_parent(parent);
    }
    let shown = dialog.show();
    tauri::async_runtime::spawn(async move {
        answer(match shown.await {
            MessageDialogResult::Custom(chosen) if chosen == yes => BoxAnswer::Yes,
            MessageDialogResult::Custom(chosen) if no == Some(chosen.as_str()) => BoxAnswer::No,
            _ => BoxAnswer::Neither,
        });
    });
}

pub(super) fn show_fatal(wording: &Wording) {
    MessageDialog::new()
        .set_title(wording.title)
        .set_description(format!("{}\n\n{}", wording.text, wording.detail))
        .set_level(level(wording.no))
        .set_buttons(buttons(wording.yes, wording.no))
        .show();
}

fn level(no: Option<&str>) -> MessageLevel {
    if no.is_some() { MessageLevel::Info } else { MessageLevel::Error }
}

fn buttons(yes: &str, no: Option<&str>) -> MessageButtons {
    match no {
        Some(no) => MessageButtons::OkCancelCustom(yes.to_owned(), no.to_owned()),
        None => MessageButtons::OkCustom(yes.to_owned()),
    }
}
