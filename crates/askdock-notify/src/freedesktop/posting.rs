//! Turns a notice into what one particular server should be told.

use askdock_hub::{Notice, NoticeAction};

use crate::server_info::ServerInfo;

/// The action key that a server invokes for a click on the body.
pub(super) const DEFAULT_ACTION: &str = "default";
/// The action key of a reply field (KDE, SwayNC).
pub(super) const REPLY_ACTION: &str = "inline-reply";

/// One notice in the words of one server. Texts are as they go over the bus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Posting {
    pub(super) summary: String,
    pub(super) body: String,
    /// Key and label, in order.
    pub(super) actions: Vec<(String, String)>,
    pub(super) critical: bool,
    pub(super) sound: bool,
    pub(super) stay: Stay,
    pub(super) offer: Offer,
}

/// How long a notice is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stay {
    /// Until it is closed, replaced or dismissed.
    Waiting,
    /// A few seconds, and never in a server's history.
    Passing,
}

/// What a posting can be answered with: the only keys that are believed when they come back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Offer {
    pub(super) open: Option<String>,
    pub(super) buttons: Vec<String>,
    pub(super) reply: Option<String>,
}

impl Offer {
    /// The nonce that an action key of the server stands for, if it was offered.
    pub(super) fn nonce(&self, action: &str) -> Option<&str> {
        if action == DEFAULT_ACTION {
            return self.open.as_deref();
        }
        self.buttons.iter().find(|nonce| *nonce == action).map(String::as_str)
    }
}

impl Posting {
    /// `quiet`: shown again without having changed, so that it makes no sound.
    pub(super) fn of_notice(notice: &Notice, server: &ServerInfo, quiet: bool) -> Self {
        let (summary, body) = texts(&notice.title, &notice.body, server);
        let mut actions = Vec::new();
        let mut offer = Offer::default();
        if server.can("actions") {
            actions.push((DEFAULT_ACTION.to_owned(), plain(&notice.open.label)));
            offer.open = Some(notice.open.nonce.clone());
            if let Some(reply) = notice.reply.as_ref().filter(|_| server.can(REPLY_ACTION)) {
                actions.push((REPLY_ACTION.to_owned(), plain(&reply.label)));
                offer.reply = Some(reply.nonce.clone());
            }
            for button in buttons(notice, server) {
                actions.push((button.nonce.clone(), plain(&button.label)));
                offer.buttons.push(button.nonce.clone());
            }
        }
        Self {
            summary,
            body,
            actions,
            critical: notice.critical,
            sound: notice.sound && !quiet,
            stay: Stay::Waiting,
            offer,
        }
    }

    /// A last word in place of a notice: no buttons, no sound.
    pub(super) fn farewell(title: &str, text: &str, server: &ServerInfo) -> Self {
        let (summary, body) = texts(title, text, server);
        Self {
            summary,
            body,
            actions: Vec::new(),
            critical: false,
            sound: false,
            stay: Stay::Passing,
            offer: Offer::default(),
        }
    }
}

/// The answers if every one of them is shown beside *Skip*, else our own words.
fn buttons<'n>(notice: &'n Notice, server: &ServerInfo) -> Vec<&'n NoticeAction> {
    let shown = server.buttons();
    let answers = notice.answers.len() + usize::from(notice.skip.is_some());
    if !notice.answers.is_empty() && answers <= shown {
        return notice.answers.iter().chain(&notice.skip).collect();
    }
    // Where the default action is drawn as a button, *Open* would be there twice.
    let doubled =
        |button: &NoticeAction| server.draws_default() && button.label == notice.open.label;
    notice.fallback.iter().filter(|button| !doubled(button)).take(shown).collect()
}

fn texts(title: &str, body: &str, server: &ServerInfo) -> (String, String) {
    let (title, body) = (plain(title), plain(body));
    if !server.can("body") && !body.is_empty() {
        return (format!("{title}: {body}"), String::new());
    }
    let body = if server.can("body-markup") { escaped(&body) } else { body };
    (title, body)
}

/// A D-Bus string holds no NUL: the bus would hang up on whoever sends one.
fn plain(text: &str) -> String {
    text.replace('\0', "\u{2400}")
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            other => out.push(other),
        }
    }
    out
}
