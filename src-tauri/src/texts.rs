//! Every text that this program shows outside the page: tray, message boxes. One table a
//! language; the page has catalogues of its own.

/// The texts of one language.
pub(crate) struct Texts {
    /// Tray: nothing waits.
    pub(crate) idle: &'static str,
    /// Tray: so many questions wait.
    pub(crate) waiting: fn(u32) -> String,
    /// Tray: some of them expire within a minute.
    pub(crate) urgent: fn(u32) -> String,
    /// Menu: more questions wait than are listed.
    pub(crate) more: fn(u32) -> String,
    pub(crate) pause: &'static str,
    pub(crate) resume: &'static str,
    pub(crate) open: &'static str,
    pub(crate) quit: &'static str,
    /// Menu: quitting, while so many agents wait.
    pub(crate) quit_waiting: fn(u32) -> String,
    /// Box: quitting, while so many agents wait.
    pub(crate) confirm_quit_title: &'static str,
    pub(crate) confirm_quit: fn(u32) -> String,
    pub(crate) confirm_quit_detail: &'static str,
    pub(crate) confirm_quit_yes: &'static str,
    pub(crate) confirm_quit_no: &'static str,
    /// Box: the window was closed for the first time.
    pub(crate) keep_running: &'static str,
    pub(crate) keep_running_detail: &'static str,
    pub(crate) keep_running_yes: &'static str,
    pub(crate) keep_running_no: &'static str,
    /// Box: the program can't go on.
    pub(crate) failed: &'static str,
    /// Box: where to look.
    pub(crate) failed_log: fn(&str) -> String,
    pub(crate) close: &'static str,
}

/// The texts in the language of this name; English is the only one so far.
pub(crate) fn texts(_language: &str) -> &'static Texts {
    &ENGLISH
}

static ENGLISH: Texts = Texts {
    idle: "Askdock: nothing is waiting",
    waiting: |count| match count {
        1 => "Askdock: 1 question is waiting".to_owned(),
        _ => format!("Askdock: {count} questions are waiting"),
    },
    urgent: |count| match count {
        1 => "Askdock: 1 question is waiting, with less than a minute left".to_owned(),
        _ => format!(
            "Askdock: {count} questions are waiting, the first with less than a minute left"
        ),
    },
    more: |count| format!("{count} more…"),
    pause: "Pause notifications for 1 hour",
    resume: "Resume notifications",
    open: "Open Askdock",
    quit: "Quit",
    quit_waiting: |agents| match agents {
        1 => "Quit (1 agent waits)…".to_owned(),
        _ => format!("Quit ({agents} agents wait)…"),
    },
    confirm_quit_title: "Quit Askdock",
    confirm_quit: |agents| match agents {
        1 => "An agent is waiting for your answer. Quit anyway?".to_owned(),
        _ => format!("{agents} agents are waiting for your answers. Quit anyway?"),
    },
    confirm_quit_detail: "What was asked is kept and shown again when Askdock starts.",
    confirm_quit_yes: "Quit",
    confirm_quit_no: "Cancel",
    keep_running: "Keep Askdock running?",
    keep_running_detail: "With the window closed, agents can still reach you through notifications \
                          and the tray.",
    keep_running_yes: "Keep running",
    keep_running_no: "Quit",
    failed: "Askdock can't start",
    failed_log: |log| format!("The log has more: {log}"),
    close: "Close",
};
