use std::cell::RefCell;
use std::rc::Rc;

use askdock_wire::{BatchDto, Snapshot};
use serde_json::json;

use super::*;

/// What the controller wanted done.
#[derive(Debug, Clone, PartialEq)]
enum Done {
    OpenWindow,
    Raise(Option<String>),
    CloseWindow,
    Reload,
    Show(Option<String>, Option<String>),
    Attention(bool),
    Tray(Level, u32, String),
    Menu(Vec<String>),
    Ask(BoxQuestion),
    Setting(String),
    Leave { quit: bool },
    Fail(String),
}

#[derive(Default, Clone)]
struct Fake(Rc<RefCell<Vec<Done>>>);

impl Fake {
    fn did(&self, done: Done) {
        self.0.borrow_mut().push(done);
    }
}

impl GuiIntegration for Fake {
    fn open_window(&mut self) {
        self.did(Done::OpenWindow);
    }
    fn raise_window(&mut self, activation_token: Option<String>) {
        self.did(Done::Raise(activation_token));
    }
    fn close_window(&mut self) {
        self.did(Done::CloseWindow);
    }
    fn reload_page(&mut self) {
        self.did(Done::Reload);
    }
    fn show_in_page(&mut self, focus: &FocusRequest) {
        self.did(Done::Show(focus.session.clone(), focus.batch.clone()));
    }
    fn set_attention(&mut self, wanted: bool) {
        self.did(Done::Attention(wanted));
    }
    fn set_tray(&mut self, level: Level, count: u32, tooltip: &str) {
        self.did(Done::Tray(level, count, tooltip.to_owned()));
    }
    fn set_tray_menu(&mut self, entries: &[MenuEntry]) {
        let lines = entries.iter().map(|entry| match entry {
            MenuEntry::Choice(_, text) => text.clone(),
            MenuEntry::Separator => "-".to_owned(),
        });
        self.did(Done::Menu(lines.collect()));
    }
    fn ask(&mut self, question: BoxQuestion, _: &'static Texts) {
        self.did(Done::Ask(question));
    }
    fn change_settings(&mut self, patch: SettingsPatch) {
        self.did(Done::Setting(serde_json::to_string(&patch).unwrap()));
    }
    fn leave(&mut self, quit: bool) {
        self.did(Done::Leave { quit });
    }
    fn fail(&mut self, reason: &str, _: &'static Texts) {
        self.did(Done::Fail(reason.to_owned()));
    }
}

/// A controller, what it did since last looked at, and the time.
struct App {
    controller: Controller<Fake>,
    done: Fake,
    now: Timestamp,
}

impl App {
    fn new() -> Self {
        let done = Fake::default();
        let mut app =
            Self { controller: Controller::new(done.clone()), done, now: Timestamp(1_000_000) };
        app.settings(|_| {});
        app.taken();
        app
    }

    /// With a window whose page is ready.
    fn with_window() -> Self {
        let mut app = Self::new();
        app.happens(Event::Tray(TrayChoice::Open));
        app.happens(Event::PageReady);
        app.taken();
        app
    }

    fn happens(&mut self, event: Event) -> Vec<Done> {
        self.controller.handle(event, self.now);
        self.taken()
    }

    fn taken(&self) -> Vec<Done> {
        std::mem::take(&mut self.done.0.borrow_mut())
    }

    fn settings(&mut self, change: impl FnOnce(&mut Settings)) -> Vec<Done> {
        let mut settings = self.controller.settings.clone();
        change(&mut settings);
        self.happens(Event::Hub(Box::new(Delta::Settings(Box::new(settings)))))
    }

    fn batch(&mut self, batch: BatchDto) -> Vec<Done> {
        self.happens(Event::Hub(Box::new(Delta::Batch(Box::new(batch)))))
    }

    fn open(&mut self, session: Option<&str>, batch: Option<&str>) -> Vec<Done> {
        self.happens(Event::Host(HostRequest::OpenWindow {
            session: session.map(Into::into),
            batch: batch.map(Into::into),
            activation_token: Some("token".into()),
        }))
    }
}

/// Waits in session `s<number>`.
fn waiting(number: u64) -> BatchDto {
    serde_json::from_value(json!({
        "id": format!("id{number}"), "number": number, "kind": "questions", "risk": "normal",
        "session": format!("s{number}"), "shown_in": [format!("s{number}")],
        "agent": "claude", "session_title": "proj", "status": "pending",
        "questions": [{
            "id": "q1", "id_given": false, "short_header": "Where", "question": "Where\nto?",
            "kind": "choice", "options": [], "multi_select": false, "allow_custom": true,
            "allow_notes": true, "required": false, "secret": false,
        }],
        "asked_at": "2026-11-30T14:00:00Z", "away": false, "content_hash": "", "draft_rev": 0,
        "visible": [true],
    }))
    .unwrap()
}

fn with_deadline(number: u64, at: Timestamp) -> BatchDto {
    BatchDto { deadline: Some(timestamp(at)), ..waiting(number) }
}

fn away(number: u64) -> BatchDto {
    BatchDto { away: true, ..waiting(number) }
}

fn answered(number: u64) -> BatchDto {
    BatchDto { status: askdock_wire::BatchStatus::Answered, ..waiting(number) }
}

fn shown(session: &str, batch: &str) -> Done {
    Done::Show(Some(session.into()), Some(batch.into()))
}

const IDLE_MENU: [&str; 4] = ["Pause notifications for 1 hour", "Open Askdock", "-", "Quit"];

fn menu(lines: &[&str]) -> Done {
    Done::Menu(lines.iter().copied().map(str::to_owned).collect())
}

#[test]
fn the_tray_is_drawn_before_the_hub_is_open() {
    let done = Fake::default();
    Controller::new(done.clone()).handle(Event::Woke, Timestamp(0));
    let idle = Done::Tray(Level::Idle, 0, "Askdock: nothing is waiting".into());
    assert_eq!(*done.0.borrow(), [idle, menu(&IDLE_MENU)]);
}

#[test]
fn the_tray_counts_who_waits_and_changes_only_when_that_does() {
    let mut app = App::new();
    let one = Done::Tray(Level::Waiting, 1, "Askdock: 1 question is waiting".into());
    let listed = [
        "#7 claude: Where to?",
        "-",
        "Pause notifications for 1 hour",
        "Open Askdock",
        "-",
        "Quit (1 agent waits)…",
    ];
    assert_eq!(app.batch(waiting(7)), [one, menu(&listed)]);
    assert_eq!(app.batch(waiting(7)), [], "a saved draft changes nothing here");
    assert_eq!(app.batch(away(8)), [], "who is away isn't counted");

    let idle = Done::Tray(Level::Idle, 0, "Askdock: nothing is waiting".into());
    assert_eq!(app.batch(answered(7)), [idle, menu(&IDLE_MENU)]);
}

#[test]
fn what_a_deleted_session_asked_waits_no_longer() {
    let mut app = App::new();
    app.batch(waiting(7));
    let idle = Done::Tray(Level::Idle, 0, "Askdock: nothing is waiting".into());
    let gone = app.happens(Event::Hub(Box::new(Delta::SessionDeleted("s7".into()))));
    assert_eq!(gone, [idle, menu(&IDLE_MENU)]);
}

#[test]
fn quitting_takes_the_place_of_another_question() {
    let mut app = App::with_window();
    app.batch(waiting(7));
    let keep_running = Done::Ask(BoxQuestion::KeepRunning);
    assert_eq!(app.happens(Event::WindowCloseRequested), [keep_running]);
    let question = BoxQuestion::Quit { agents: 1 };
    assert_eq!(app.happens(Event::Tray(TrayChoice::Quit)), [Done::Ask(question)]);
    let stale = Event::Answered(BoxQuestion::KeepRunning, BoxAnswer::Yes);
    assert_eq!(app.happens(stale), []);
    let answered = Event::Answered(question, BoxAnswer::Yes);
    assert_eq!(app.happens(answered), [Done::Leave { quit: true }]);
}

#[test]
fn a_snapshot_replaces_what_was_known() {
    let mut app = App::new();
    app.batch(waiting(1));
    let snapshot = Snapshot {
        seq: 9,
        hub: "run".into(),
        sessions: vec![],
        pending: vec![waiting(2), waiting(3), away(4)],
        settings: Settings::default(),
    };
    let done = app.happens(Event::Hub(Box::new(Delta::Snapshot(Box::new(snapshot)))));
    assert_eq!(done[0], Done::Tray(Level::Waiting, 2, "Askdock: 2 questions are waiting".into()));
}

#[test]
fn the_menu_lists_five_the_most_urgent_first() {
    let mut app = App::new();
    let soon = app.now + Millis::from_mins(5);
    for number in 1..=6 {
        app.batch(waiting(number));
    }
    let Some(Done::Menu(lines)) = app.batch(with_deadline(7, soon)).pop() else {
        panic!("no new menu");
    };
    assert_eq!(lines[0], "#7 claude: Where to?");
    assert_eq!(lines[1], "#1 claude: Where to?");
    assert_eq!(lines[4..7], ["#4 claude: Where to?", "2 more…", "-"]);
    assert_eq!(lines.last().unwrap(), "Quit (7 agents wait)…");
}

#[test]
fn hostile_text_is_marked_and_cut_in_the_menu() {
    let mut app = App::new();
    let mut batch = waiting(1);
    batch.agent = "a\u{202e}b".into();
    batch.questions[0].question = "x\u{1b}[31m ".to_owned() + &"long ".repeat(50);
    let Some(Done::Menu(lines)) = app.batch(batch).pop() else { panic!("no new menu") };
    assert!(!lines[0].contains(['\u{202e}', '\u{1b}']), "{}", lines[0]);
    assert!(lines[0].chars().count() <= 60 && lines[0].ends_with('…'), "{}", lines[0]);
}

#[test]
fn the_last_minute_is_urgent_unless_its_clock_stands() {
    let mut app = App::new();
    let at = app.now + Millis::from_mins(3);
    app.batch(with_deadline(1, at));
    assert_eq!(app.controller.next_wake(app.now), Some(at - Millis::from_mins(1)));

    app.now = at - Millis::from_mins(1);
    let urgent = "Askdock: 1 question is waiting, with less than a minute left";
    assert_eq!(app.happens(Event::Woke), [Done::Tray(Level::Urgent, 1, urgent.into())]);
    assert_eq!(app.controller.next_wake(app.now), None, "nothing ticks");

    let paused = BatchDto { paused_since: Some(timestamp(app.now)), ..with_deadline(1, at) };
    let calm = Done::Tray(Level::Waiting, 1, "Askdock: 1 question is waiting".into());
    assert_eq!(app.batch(paused), [calm]);
}

#[test]
fn nothing_wakes_without_a_deadline() {
    let mut app = App::new();
    app.batch(waiting(1));
    assert_eq!(app.controller.next_wake(app.now), None);
}

#[test]
fn what_to_show_waits_for_the_page() {
    let mut app = App::new();
    assert_eq!(app.open(Some("s1"), Some("id1")), [Done::OpenWindow]);
    assert_eq!(app.open(Some("s2"), Some("id2")), [Done::Raise(Some("token".into()))]);
    assert_eq!(app.happens(Event::PageReady), [shown("s2", "id2")], "the last request counts");
    assert_eq!(app.happens(Event::PageReady), [], "shown once");
}

#[test]
fn an_open_window_is_raised_and_told() {
    let mut app = App::with_window();
    let raised = Done::Raise(Some("token".into()));
    assert_eq!(app.open(Some("s1"), None), [raised.clone(), Done::Show(Some("s1".into()), None)]);
    assert_eq!(app.open(None, None), [raised], "what is shown stays");
}

#[test]
fn a_line_of_the_menu_opens_its_batch() {
    let mut app = App::with_window();
    app.batch(waiting(3));
    let chosen = app.happens(Event::Tray(TrayChoice::Batch("id3".into())));
    assert_eq!(chosen, [Done::Raise(None), shown("s3", "id3")]);
    let gone = app.happens(Event::Tray(TrayChoice::Batch("id9".into())));
    assert_eq!(gone, [Done::Raise(None)], "it ended while the menu was open");
}

#[test]
fn an_ask_marks_the_window_in_the_taskbar_and_never_raises_it() {
    let mut app = App::with_window();
    assert!(app.batch(waiting(1)).contains(&Done::Attention(true)));
    let focused = app.happens(Event::WindowFocused(true));
    assert_eq!(focused, [Done::Attention(false)]);
    let seen = app.batch(waiting(2));
    assert!(seen.iter().all(|done| matches!(done, Done::Tray(..) | Done::Menu(_))), "{seen:?}");

    app.happens(Event::WindowFocused(false));
    assert!(app.batch(waiting(3)).contains(&Done::Attention(true)));
    app.batch(answered(1));
    app.batch(answered(2));
    assert!(app.batch(answered(3)).contains(&Done::Attention(false)), "nothing waits any more");

    let closed = App::new().batch(waiting(1));
    assert!(closed.iter().all(|done| matches!(done, Done::Tray(..) | Done::Menu(_))), "{closed:?}");
}

#[test]
fn the_first_close_asks_whether_to_keep_running() {
    let mut app = App::with_window();
    assert_eq!(app.happens(Event::WindowCloseRequested), [Done::Ask(BoxQuestion::KeepRunning)]);
    assert_eq!(app.happens(Event::WindowCloseRequested), [], "one box at a time");
    let neither = Event::Answered(BoxQuestion::KeepRunning, BoxAnswer::Neither);
    assert_eq!(app.happens(neither), [], "the window stays");

    app.happens(Event::WindowCloseRequested);
    let keep = app.happens(Event::Answered(BoxQuestion::KeepRunning, BoxAnswer::Yes));
    let told = Done::Setting(r#"{"told_keep_running":true}"#.into());
    assert_eq!(keep, [told, Done::CloseWindow]);
}

#[test]
fn the_first_close_can_quit() {
    let mut app = App::with_window();
    app.happens(Event::WindowCloseRequested);
    let quit = app.happens(Event::Answered(BoxQuestion::KeepRunning, BoxAnswer::No));
    assert_eq!(quit, [Done::Leave { quit: true }]);
}

#[test]
fn later_closes_only_take_the_window_away() {
    let mut app = App::with_window();
    app.settings(|settings| settings.told_keep_running = true);
    app.batch(waiting(1));
    let closed = app.happens(Event::WindowCloseRequested);
    assert_eq!(closed, [Done::Attention(false), Done::CloseWindow]);
    assert_eq!(app.happens(Event::WindowCloseRequested), [], "it closes already");
    assert_eq!(app.happens(Event::WindowGone), []);
    assert_eq!(app.open(None, None), [Done::OpenWindow]);
}

#[test]
fn a_window_asked_for_while_it_closes_comes_back() {
    let mut app = App::with_window();
    app.settings(|settings| settings.told_keep_running = true);
    app.happens(Event::WindowCloseRequested);
    assert_eq!(app.open(Some("s1"), Some("id1")), []);
    assert_eq!(app.happens(Event::WindowGone), [Done::OpenWindow]);
    assert_eq!(app.happens(Event::PageReady), [shown("s1", "id1")]);
}

#[test]
fn closing_quits_where_nothing_is_to_keep_running() {
    let mut app = App::with_window();
    app.settings(|settings| settings.keep_running = false);
    app.batch(waiting(1));
    let asked = app.happens(Event::WindowCloseRequested);
    assert_eq!(asked, [Done::Ask(BoxQuestion::Quit { agents: 1 })]);
    app.happens(Event::Answered(BoxQuestion::Quit { agents: 1 }, BoxAnswer::No));
    app.batch(answered(1));
    assert_eq!(app.happens(Event::WindowCloseRequested), [Done::Leave { quit: true }]);
}

#[test]
fn quitting_asks_while_agents_wait() {
    let mut app = App::new();
    app.batch(waiting(1));
    app.batch(BatchDto { session: "s1".into(), ..waiting(2) });
    app.batch(waiting(3));
    let question = BoxQuestion::Quit { agents: 2 };
    assert_eq!(app.happens(Event::Tray(TrayChoice::Quit)), [Done::Ask(question)]);
    assert_eq!(app.happens(Event::Answered(question, BoxAnswer::Neither)), []);
    app.happens(Event::Tray(TrayChoice::Quit));
    let quit = app.happens(Event::Answered(question, BoxAnswer::Yes));
    assert_eq!(quit, [Done::Leave { quit: true }]);
    assert_eq!(app.open(None, None), [], "nothing happens on the way out");
}

#[test]
fn who_quits_elsewhere_is_not_asked_and_a_signal_records_no_quit() {
    let mut app = App::new();
    app.batch(waiting(1));
    assert_eq!(app.happens(Event::Host(HostRequest::Quit)), [Done::Leave { quit: true }]);
    let mut app = App::new();
    app.batch(waiting(1));
    assert_eq!(app.happens(Event::Terminate), [Done::Leave { quit: false }]);
}

#[test]
fn notifications_are_paused_for_an_hour_and_resumed() {
    let mut app = App::new();
    let until = app.now + Millis::from_hours(1);
    let set = format!(r#"{{"paused_until":"{}"}}"#, timestamp(until));
    assert_eq!(app.happens(Event::Tray(TrayChoice::Pause)), [Done::Setting(set)]);

    let paused = app.settings(|settings| settings.paused_until = Some(timestamp(until)));
    assert_eq!(paused, [menu(&["Resume notifications", "Open Askdock", "-", "Quit"])]);
    let resumed = Done::Setting(r#"{"paused_until":null}"#.into());
    assert_eq!(app.happens(Event::Tray(TrayChoice::Resume)), [resumed]);

    assert_eq!(app.controller.next_wake(app.now), Some(until));
    app.now = until;
    assert_eq!(app.happens(Event::Woke), [menu(&IDLE_MENU)], "the pause ended by itself");
}

#[test]
fn a_crashed_page_is_loaded_again_but_not_for_ever() {
    let mut app = App::with_window();
    assert_eq!(app.happens(Event::PageCrashed), [Done::Reload]);
    app.open(Some("s1"), None);
    assert_eq!(app.happens(Event::PageReady), [Done::Show(Some("s1".into()), None)]);
    app.happens(Event::PageCrashed);
    assert_eq!(app.happens(Event::PageCrashed), [Done::CloseWindow], "it can't even start");
}

#[test]
fn a_window_that_cannot_be_made_can_be_tried_again() {
    let mut app = App::new();
    app.open(None, None);
    app.happens(Event::WindowGone);
    assert_eq!(app.open(None, None), [Done::OpenWindow]);
}

#[test]
fn a_hub_that_cannot_be_opened_is_the_end() {
    let mut app = App::new();
    app.open(None, None);
    let failed = app.happens(Event::HubFailed("The disk is full.".into()));
    assert_eq!(failed, [Done::Fail("The disk is full.".into())]);
    assert_eq!(app.happens(Event::Tray(TrayChoice::Open)), []);
}
