//! What the tray shows, as plain values.

use askdock_domain::Timestamp;

use super::pending::Pending;
use crate::texts::Texts;

/// Pending batches that the menu lists.
const LISTED: usize = 5;

/// How pressing it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// Nothing waits.
    Idle,
    /// Something waits.
    Waiting,
    /// Something that waits runs out within a minute.
    Urgent,
}

/// A choice in the tray's menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TrayChoice {
    /// Open the window on the batch with this id.
    Batch(String),
    /// Pause notifications.
    Pause,
    /// Show notifications again.
    Resume,
    /// Open the window.
    Open,
    /// Quit.
    Quit,
}

/// A line of the menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MenuEntry {
    /// Something to choose, and what it says.
    Choice(TrayChoice, String),
    /// A line between groups.
    Separator,
}

/// The tray at one moment.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TrayView {
    pub(super) level: Level,
    pub(super) count: u32,
    pub(super) tooltip: String,
    pub(super) menu: Vec<MenuEntry>,
}

impl TrayView {
    pub(super) fn of(pending: &Pending, paused: bool, now: Timestamp, texts: &Texts) -> Self {
        let count = pending.count();
        let (level, tooltip) = match count {
            0 => (Level::Idle, texts.idle.to_owned()),
            _ if pending.is_urgent(now) => (Level::Urgent, (texts.urgent)(count)),
            _ => (Level::Waiting, (texts.waiting)(count)),
        };
        Self { level, count, tooltip, menu: menu(pending, paused, texts) }
    }

    pub(super) fn icon_equals(&self, other: &Self) -> bool {
        (self.level, self.count, &self.tooltip) == (other.level, other.count, &other.tooltip)
    }
}

fn menu(pending: &Pending, paused: bool, texts: &Texts) -> Vec<MenuEntry> {
    let mut menu: Vec<_> = pending
        .lines()
        .take(LISTED)
        .map(|(id, line)| MenuEntry::Choice(TrayChoice::Batch(id.to_owned()), line.to_owned()))
        .collect();
    let listed = u32::try_from(menu.len()).unwrap_or(u32::MAX);
    if pending.count() > listed {
        let more = (texts.more)(pending.count() - listed);
        menu.push(MenuEntry::Choice(TrayChoice::Open, more));
    }
    if !menu.is_empty() {
        menu.push(MenuEntry::Separator);
    }
    let (pause, words) =
        if paused { (TrayChoice::Resume, texts.resume) } else { (TrayChoice::Pause, texts.pause) };
    let quit = match pending.agents() {
        0 => texts.quit.to_owned(),
        agents => (texts.quit_waiting)(agents),
    };
    menu.extend([
        MenuEntry::Choice(pause, words.to_owned()),
        MenuEntry::Choice(TrayChoice::Open, texts.open.to_owned()),
        MenuEntry::Separator,
        MenuEntry::Choice(TrayChoice::Quit, quit),
    ]);
    menu
}
