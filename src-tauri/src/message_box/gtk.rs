//! GTK's own, in the main loop that Tauri runs: its widgets belong to that one thread.

use std::cell::RefCell;

use gtk::prelude::*;

use super::{ByEnter, Wording};
use crate::controller::BoxAnswer;

thread_local! {
    /// The box that is open.
    static OPEN: RefCell<Option<gtk::MessageDialog>> = const { RefCell::new(None) };
}

pub(super) fn show(
    wording: Wording,
    parent: Option<&tauri::WebviewWindow>,
    answer: impl FnOnce(BoxAnswer) + Send + 'static,
) {
    let parent = parent.and_then(|window| window.gtk_window().ok());
    gtk::glib::MainContext::default().spawn_local(async move {
        let dialog = dialog(&wording, parent.as_ref().map(|window| window.upcast_ref()));
        if let Some(earlier) = OPEN.replace(Some(dialog.clone())) {
            earlier.close();
        }
        let response = dialog.run_future().await;
        dialog.close();
        if OPEN.with_borrow(|open| open.as_ref() != Some(&dialog)) {
            // Another took its place.
            return;
        }
        OPEN.take();
        answer(match response {
            gtk::ResponseType::Accept => BoxAnswer::Yes,
            gtk::ResponseType::Reject => BoxAnswer::No,
            _ => BoxAnswer::Neither,
        });
    });
}

pub(super) fn show_fatal(wording: &Wording) {
    if gtk::init().is_ok() {
        dialog(wording, None).run();
    }
}

fn dialog(wording: &Wording, parent: Option<&gtk::Window>) -> gtk::MessageDialog {
    let kind =
        if wording.no.is_some() { gtk::MessageType::Question } else { gtk::MessageType::Error };
    let dialog = gtk::MessageDialog::new(
        parent,
        gtk::DialogFlags::MODAL,
        kind,
        gtk::ButtonsType::None,
        &wording.text,
    );
    dialog.set_title(wording.title);
    dialog.set_secondary_text(Some(&wording.detail));
    if let Some(no) = wording.no {
        dialog.add_button(no, gtk::ResponseType::Reject);
    }
    dialog.add_button(wording.yes, gtk::ResponseType::Accept);
    dialog.set_default_response(match wording.by_enter {
        ByEnter::Yes => gtk::ResponseType::Accept,
        ByEnter::No => gtk::ResponseType::Reject,
    });
    dialog
}
