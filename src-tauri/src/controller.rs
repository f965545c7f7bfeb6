//! What the app does: when its window opens and closes, what the tray says, when it may end.
//! Knows nothing of Tauri; a [`GuiIntegration`] carries out what it decides.

mod pending;
#[cfg(test)]
mod tests;
mod tray;

use askdock_domain::{Millis, Timestamp};
use askdock_hub::HostRequest;
use askdock_wire::ops::SettingsPatch;
use askdock_wire::{Delta, Settings, parse_timestamp, timestamp};
use serde::Serialize;

pub(crate) use tray::{Level, MenuEntry, TrayChoice};

use self::pending::Pending;
use self::tray::TrayView;
use crate::texts::{Texts, texts};

/// What pausing notifications from the tray lasts.
const PAUSE: Millis = Millis::from_hours(1);

/// What the controller needs done. Nothing here waits: what comes of it comes back as an
/// [`Event`].
pub(crate) trait GuiIntegration {
    /// Makes the window with its page, and shows it.
    fn open_window(&mut self);
    /// Brings the window to the front and gives it the focus.
    fn raise_window(&mut self, activation_token: Option<String>);
    /// Takes the window away for good, once the page has saved what was typed.
    fn close_window(&mut self);
    /// Loads the page again: its process is gone.
    fn reload_page(&mut self);
    /// Tells the page what to show.
    fn show_in_page(&mut self, focus: &FocusRequest);
    /// Marks the window in the taskbar, or takes the mark away.
    fn set_attention(&mut self, wanted: bool);
    /// Draws the tray's icon.
    fn set_tray(&mut self, level: Level, count: u32, tooltip: &str);
    /// Replaces the tray's menu.
    fn set_tray_menu(&mut self, entries: &[MenuEntry]);
    /// Puts a question to the person in a box of its own; one that is open goes, unanswered.
    fn ask(&mut self, question: BoxQuestion, texts: &'static Texts);
    /// Changes settings.
    fn change_settings(&mut self, patch: SettingsPatch);
    /// Closes the hub and ends the program; `quit` records that the person wanted it.
    fn leave(&mut self, quit: bool);
    /// Says why the program can't go on, and ends it.
    fn fail(&mut self, reason: &str, texts: &'static Texts);
}

/// What the page is asked to show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct FocusRequest {
    /// Session id.
    pub(crate) session: Option<String>,
    /// Batch id.
    pub(crate) batch: Option<String>,
}

/// A question that the app itself puts to the person, in a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoxQuestion {
    /// Quit although so many agents wait?
    Quit {
        /// How many.
        agents: u32,
    },
    /// The window was closed for the first time: keep running, or quit?
    KeepRunning,
}

/// What the person made of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoxAnswer {
    /// The first button.
    Yes,
    /// The second button.
    No,
    /// Closed without a choice.
    Neither,
}

/// What happened.
#[derive(Debug, Clone)]
pub(crate) enum Event {
    /// In the hub.
    Hub(Box<Delta>),
    /// The hub can't be opened: why, in a sentence.
    HubFailed(String),
    /// The hub asks for something.
    Host(HostRequest),
    /// The person chose from the tray's menu.
    Tray(TrayChoice),
    /// The page follows the events: it can be told what to show.
    PageReady,
    /// The page's process ended by itself.
    PageCrashed,
    /// The window got the focus or lost it.
    WindowFocused(bool),
    /// The person closes the window.
    WindowCloseRequested,
    /// The window is gone, or couldn't be made.
    WindowGone,
    /// A box was answered.
    Answered(BoxQuestion, BoxAnswer),
    /// The system ends the program.
    Terminate,
    /// A point in time named by [`Controller::next_wake`] came.
    Woke,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Window {
    Closed,
    /// Made; the page isn't ready.
    Opening,
    Ready,
    /// On its way out; `reopen`: and asked for again meanwhile.
    Closing {
        reopen: bool,
    },
}

/// The app's state between events.
pub(crate) struct Controller<G> {
    gui: G,
    texts: &'static Texts,
    settings: Settings,
    pending: Pending,
    window: Window,
    focused: bool,
    attention: bool,
    /// What the page is to show once it is ready.
    focus: Option<FocusRequest>,
    /// The box that is open.
    asking: Option<BoxQuestion>,
    tray: Option<TrayView>,
    /// The program is ending: nothing matters any more.
    leaving: bool,
}

impl<G: GuiIntegration> Controller<G> {
    /// An app without a window, before the hub is open.
    pub(crate) fn new(gui: G) -> Self {
        let settings = Settings::default();
        Self {
            gui,
            texts: texts(&settings.language),
            settings,
            pending: Pending::default(),
            window: Window::Closed,
            focused: false,
            attention: false,
            focus: None,
            asking: None,
            tray: None,
            leaving: false,
        }
    }

    /// Takes note of an event and does what follows from it.
    pub(crate) fn handle(&mut self, event: Event, now: Timestamp) {
        if self.leaving {
            return;
        }
        match event {
            Event::Hub(delta) => self.hub_changed(*delta),
            Event::HubFailed(reason) => {
                self.leaving = true;
                return self.gui.fail(&reason, self.texts);
            }
            Event::Host(request) => self.host_asked(request),
            Event::Tray(choice) => self.tray_chosen(choice, now),
            Event::PageReady => self.page_ready(),
            Event::PageCrashed => self.page_crashed(),
            Event::WindowFocused(focused) => self.focused = focused,
            Event::WindowCloseRequested => self.close_requested(),
            Event::WindowGone => self.window_gone(),
            Event::Answered(question, answer) => self.answered(question, answer),
            Event::Terminate => self.leave(false),
            Event::Woke => {}
        }
        self.refresh(now);
    }

    /// When something changes by the clock alone, if it does.
    pub(crate) fn next_wake(&self, now: Timestamp) -> Option<Timestamp> {
        let resumed = self.paused_until().filter(|until| *until > now);
        [resumed, self.pending.next_urgent(now)].into_iter().flatten().min()
    }

    fn hub_changed(&mut self, delta: Delta) {
        match delta {
            Delta::Snapshot(snapshot) => {
                self.settings_changed(snapshot.settings);
                self.pending = snapshot.pending.iter().collect();
            }
            Delta::Batch(batch) => {
                let is_new = self.pending.update(&batch);
                if is_new && !self.focused && self.has_window() {
                    self.set_attention(true);
                }
            }
            Delta::Settings(settings) => self.settings_changed(*settings),
            Delta::SessionDeleted(session) => self.pending.forget(&session),
            Delta::Session(_) | Delta::Message(_) => {}
        }
    }

    fn settings_changed(&mut self, settings: Settings) {
        self.texts = texts(&settings.language);
        self.settings = settings;
    }

    fn host_asked(&mut self, request: HostRequest) {
        match request {
            HostRequest::OpenWindow { session, batch, activation_token } => {
                let focus = (session.is_some() || batch.is_some())
                    .then_some(FocusRequest { session, batch });
                self.open(focus, activation_token);
            }
            // The person said so where it was asked for.
            HostRequest::Quit => self.leave(true),
            HostRequest::Handover => tracing::warn!("the desktop app doesn't hand over the hub"),
        }
    }

    fn tray_chosen(&mut self, choice: TrayChoice, now: Timestamp) {
        match choice {
            TrayChoice::Open => self.open(None, None),
            TrayChoice::Batch(id) => {
                let focus = self.pending.session_of(&id).map(|session| FocusRequest {
                    session: Some(session.to_owned()),
                    batch: Some(id),
                });
                self.open(focus, None);
            }
            TrayChoice::Pause => {
                self.change_setting("paused_until", timestamp(now + PAUSE).into());
            }
            TrayChoice::Resume => self.change_setting("paused_until", serde_json::Value::Null),
            TrayChoice::Quit => self.quit(),
        }
    }

    fn open(&mut self, focus: Option<FocusRequest>, activation_token: Option<String>) {
        if focus.is_some() {
            self.focus = focus;
        }
        match self.window {
            Window::Closed => {
                self.window = Window::Opening;
                self.gui.open_window();
            }
            Window::Opening => self.gui.raise_window(activation_token),
            Window::Ready => {
                self.gui.raise_window(activation_token);
                self.show_focus();
            }
            Window::Closing { .. } => self.window = Window::Closing { reopen: true },
        }
    }

    fn page_ready(&mut self) {
        if self.window == Window::Opening {
            self.window = Window::Ready;
        }
        self.show_focus();
    }

    /// What couldn't be shown is kept until it can.
    fn show_focus(&mut self) {
        if self.window == Window::Ready
            && let Some(focus) = self.focus.take()
        {
            self.gui.show_in_page(&focus);
        }
    }

    fn page_crashed(&mut self) {
        match self.window {
            Window::Ready => {
                self.window = Window::Opening;
                self.gui.reload_page();
            }
            // A page that can't even start would only crash again.
            Window::Opening => self.close(),
            Window::Closed | Window::Closing { .. } => {}
        }
    }

    fn close_requested(&mut self) {
        if !self.has_window() {
            return;
        }
        if !self.settings.keep_running {
            self.quit();
        } else if self.settings.told_keep_running {
            self.close();
        } else {
            self.ask(BoxQuestion::KeepRunning);
        }
    }

    fn close(&mut self) {
        self.set_attention(false);
        self.focus = None;
        self.window = Window::Closing { reopen: false };
        self.gui.close_window();
    }

    fn window_gone(&mut self) {
        let reopen = self.window == Window::Closing { reopen: true };
        self.window = Window::Closed;
        self.focused = false;
        self.attention = false;
        if reopen {
            self.open(None, None);
        }
    }

    fn quit(&mut self) {
        match self.pending.agents() {
            0 => self.leave(true),
            agents => self.ask(BoxQuestion::Quit { agents }),
        }
    }

    /// One box at a time. Whoever wants to quit may not see the one that is open, so that
    /// question takes its place.
    fn ask(&mut self, question: BoxQuestion) {
        if self.asking.is_none() || matches!(question, BoxQuestion::Quit { .. }) {
            self.asking = Some(question);
            self.gui.ask(question, self.texts);
        }
    }

    fn answered(&mut self, question: BoxQuestion, answer: BoxAnswer) {
        if self.asking != Some(question) {
            return;
        }
        self.asking = None;
        match (question, answer) {
            (BoxQuestion::Quit { .. }, BoxAnswer::Yes) => self.leave(true),
            (BoxQuestion::KeepRunning, BoxAnswer::Yes) => {
                self.change_setting("told_keep_running", true.into());
                if self.has_window() {
                    self.close();
                }
            }
            (BoxQuestion::KeepRunning, BoxAnswer::No) => self.quit(),
            (BoxQuestion::Quit { .. }, BoxAnswer::No) | (_, BoxAnswer::Neither) => {}
        }
    }

    fn leave(&mut self, quit: bool) {
        self.leaving = true;
        self.gui.leave(quit);
    }

    fn change_setting(&mut self, name: &str, value: serde_json::Value) {
        let changes = [(name.to_owned(), value)].into_iter().collect();
        self.gui.change_settings(SettingsPatch { changes });
    }

    fn has_window(&self) -> bool {
        matches!(self.window, Window::Opening | Window::Ready)
    }

    fn set_attention(&mut self, wanted: bool) {
        if self.attention != wanted {
            self.attention = wanted;
            self.gui.set_attention(wanted);
        }
    }

    fn paused_until(&self) -> Option<Timestamp> {
        self.settings.paused_until.as_deref().and_then(parse_timestamp)
    }

    /// Brings taskbar and tray in line with what is pending; touches only what differs.
    fn refresh(&mut self, now: Timestamp) {
        if self.leaving {
            return;
        }
        if self.focused || self.pending.count() == 0 {
            self.set_attention(false);
        }
        let paused = self.paused_until().is_some_and(|until| until > now);
        let view = TrayView::of(&self.pending, paused, now, self.texts);
        let last = self.tray.as_ref();
        if last.is_none_or(|last| !last.icon_equals(&view)) {
            self.gui.set_tray(view.level, view.count, &view.tooltip);
        }
        if last.is_none_or(|last| last.menu != view.menu) {
            self.gui.set_tray_menu(&view.menu);
        }
        self.tray = Some(view);
    }
}
