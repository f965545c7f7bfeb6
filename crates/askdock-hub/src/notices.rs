//! Notification policy: what is shown outside our windows, what its buttons mean, and what a
//! click does. How a notice is drawn is the [`crate::Notifier`]'s business.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use askdock_domain::text::{cut_graphemes, plain};
use askdock_domain::{AskContent, BatchKind, Millis, Question, QuestionKind, Risk, Timestamp};
use askdock_store::batches::{self, BatchRow};
use askdock_store::{Connection, SqlError, notices, sessions};
use askdock_wire::ops::{AnswerRequest, DismissRequest};
use askdock_wire::{Code, Outcome, Settings, WireError, parse_timestamp};
use tokio::sync::mpsc;

use crate::due::Due;
use crate::{
    Caller, HostRequest, Hub, HubKind, Notice, NoticeAction, NoticeCommand, NoticeEvent, NoticeKey,
    Shown, commit, lock, views,
};

/// The most characters of a notice's body.
const BODY: usize = 240;
/// *Later* shows the notice again after this.
const LATER: Millis = Millis::from_mins(10);
/// More asks than this within [`BURST_SPAN`] are shown as one notice.
const BURST: usize = 3;
const BURST_SPAN: Millis = Millis::from_secs(10);
/// With more options than this a notice has no buttons that answer.
const MOST_BUTTONS: usize = 8;
/// How long a new hub waits to hear whether notices can be shown.
const NOTIFIER_PATIENCE: Duration = Duration::from_secs(2);
/// The key of the notice that stands for several batches.
const DIGEST: &str = "digest";
/// How many past actions are remembered so that a late click can be told who was first.
const REMEMBERED: usize = 4096;

/// What the buttons on screen mean.
#[derive(Default)]
pub(crate) struct NoticeBook {
    actions: HashMap<String, Bound>,
    order: VecDeque<String>,
    /// When the latest notices of single batches were shown.
    recent: VecDeque<Timestamp>,
    available: bool,
}

/// An action bound to a batch and to what the batch showed.
#[derive(Debug, Clone, PartialEq)]
struct Bound {
    number: Option<u64>,
    content_hash: String,
    action: Action,
}

#[derive(Debug, Clone, PartialEq)]
enum Action {
    /// Answers with the option of this id.
    Choose {
        question: String,
        option: String,
    },
    Reply,
    Skip,
    Later,
    Open,
}

impl Hub {
    pub(crate) fn notices_available(&self) -> bool {
        lock(&self.0.notices).available
    }

    /// Shows the notice of a pending batch. Runs on the writer thread too; must not block long.
    pub(crate) fn notice_asked(&self, number: u64) {
        let Some(notifier) = &self.0.notifier else { return };
        let settings = self.settings();
        let now = self.0.clock.now();
        if !settings.notifications {
            return;
        }
        if let Some(until) = paused_until(&settings).filter(|until| now < *until) {
            // Kept for then, not dropped.
            self.due_at(Due::Notice(number), Some(until));
            return;
        }
        match self.read(|connection| self.read_notice(connection, number, now)) {
            Ok(Some(notice)) => notifier.send(NoticeCommand::Show(notice)),
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, number, "the notice could not be made"),
        }
    }

    fn read_notice(
        &self,
        connection: &Connection,
        number: u64,
        now: Timestamp,
    ) -> Result<Option<Notice>, SqlError> {
        let Some(row) = batches::by_number(connection, number)? else { return Ok(None) };
        if !row.state.is_pending() {
            return Ok(None);
        }
        let burst = {
            let mut book = lock(&self.0.notices);
            book.recent.retain(|at| now.since(*at) < BURST_SPAN);
            book.recent.push_back(now);
            book.recent.len() > BURST
        };
        if burst {
            let (attended, away) = batches::count_pending(connection)?;
            let waiting = attended + away;
            return Ok(Some(self.digest(connection, waiting)?));
        }
        Ok(Some(self.single(connection, &row)?))
    }

    fn single(&self, connection: &Connection, row: &BatchRow) -> Result<Notice, SqlError> {
        let content = views::content(row);
        let settings = self.settings();
        let session = sessions::by_id(connection, &row.session)?;
        let (agent, title) =
            session.map_or_else(Default::default, |session| (session.agent, session.title));
        let title = if title.is_empty() || title == agent {
            plain(&agent)
        } else {
            format!("{} — {}", plain(&agent), plain(&title))
        };
        let body =
            if settings.hide_text { "A question is waiting.".to_owned() } else { body(&content) };
        let bind = |action, label: &str| self.bind(Some(row), action, label);
        let answers = match quick_question(&content) {
            // More than any server shows are only a list of dead buttons.
            Some(question) if !settings.hide_text && question.options.len() <= MOST_BUTTONS => {
                question
                    .options
                    .iter()
                    .map(|option| {
                        let action = Action::Choose {
                            question: question.id.clone(),
                            option: option.id.clone(),
                        };
                        bind(action, &plain(&option.label))
                    })
                    .collect()
            }
            _ => vec![],
        };
        let reply = typed_question(&content).then(|| bind(Action::Reply, "Reply"));
        Ok(Notice {
            replaces: shown_before(connection, &row.id)?,
            key: NoticeKey(row.id.clone()),
            title: cut_graphemes(&title, 80),
            body,
            critical: false,
            sound: settings.sound,
            answers,
            fallback: vec![
                bind(Action::Open, "Open"),
                bind(Action::Skip, "Skip"),
                bind(Action::Later, "Later"),
            ],
            skip: Some(bind(Action::Skip, "Skip")),
            open: bind(Action::Open, "Open"),
            reply,
        })
    }

    fn digest(&self, connection: &Connection, waiting: u32) -> Result<Notice, SqlError> {
        let open = self.bind(None, Action::Open, "Open");
        Ok(Notice {
            key: NoticeKey(DIGEST.into()),
            replaces: shown_before(connection, DIGEST)?,
            title: format!("{waiting} questions are waiting"),
            body: "Open Askdock to answer them.".into(),
            critical: false,
            sound: self.settings().sound,
            answers: vec![],
            fallback: vec![open.clone()],
            skip: None,
            open,
            reply: None,
        })
    }

    fn bind(&self, row: Option<&BatchRow>, action: Action, label: &str) -> NoticeAction {
        let nonce =
            if cfg!(feature = "broken-nonce") { label.to_lowercase() } else { self.0.ids.secret() };
        let bound = Bound {
            number: row.map(|row| row.number),
            content_hash: row.map(|row| row.state.content_hash.clone()).unwrap_or_default(),
            action,
        };
        let mut book = lock(&self.0.notices);
        book.actions.insert(nonce.clone(), bound);
        book.order.push_back(nonce.clone());
        if book.order.len() > REMEMBERED
            && let Some(oldest) = book.order.pop_front()
        {
            book.actions.remove(&oldest);
        }
        NoticeAction { nonce, label: label.to_owned() }
    }

    /// Closes what is shown of a batch that ended. Runs on the writer thread.
    pub(crate) fn notice_ended(&self, row: &BatchRow, digest_over: bool) {
        self.due_at(Due::Notice(row.number), None);
        let Some(notifier) = &self.0.notifier else { return };
        notifier.send(NoticeCommand::Close(NoticeKey(row.id.clone())));
        if digest_over {
            notifier.send(NoticeCommand::Close(NoticeKey(DIGEST.into())));
        }
    }

    /// Shows again what was shown when the last hub left, since only this hub's buttons mean
    /// anything to it; of the rest each alone, or all as one where there are many.
    pub(crate) fn restore_notices(&self, pending: &[BatchRow]) {
        if self.0.notifier.is_none() || pending.is_empty() {
            return;
        }
        let shown = |row: &&BatchRow| {
            self.read(|connection| notices::find(connection, &row.id)).is_ok_and(|at| at.is_some())
        };
        let (shown, new): (Vec<_>, Vec<_>) = pending.iter().partition(shown);
        let one_by_one =
            if new.len() > BURST { shown.as_slice() } else { &[&shown[..], &new].concat() };
        for row in one_by_one {
            self.notice_asked(row.number);
            // The burst of a restart is not the agents'.
            lock(&self.0.notices).recent.clear();
        }
        if new.len() > BURST {
            lock(&self.0.notices).recent.extend([self.0.clock.now(); BURST]);
            self.notice_asked(new[0].number);
        }
    }

    /// Shows what waits and isn't shown, once the person wants notifications again.
    pub(crate) fn notice_waiting(&self) {
        let waiting = self.read(|connection| {
            let mut waiting = vec![];
            for row in batches::pending(connection)? {
                let away = row.state.detached_since.is_some();
                if !away && notices::find(connection, &row.id)?.is_none() {
                    waiting.push(row.number);
                }
            }
            Ok(waiting)
        });
        match waiting {
            Ok(waiting) => waiting.into_iter().for_each(|number| self.notice_asked(number)),
            Err(error) => tracing::warn!(%error, "what waits could not be shown"),
        }
    }

    /// Whether nobody but a notification server stands between this hub and the person.
    pub(crate) fn needs_notices(&self) -> bool {
        self.0.kind == HubKind::Serve { by_person: false }
    }

    /// Completes once it is known whether notices can be shown; at once where none ever can.
    pub(crate) async fn notices_known(&self) {
        if self.0.notifier.is_none() {
            return;
        }
        let known = async {
            let mut known = self.0.notices_known.subscribe();
            // The sender lives as long as the hub.
            let _ = known.wait_for(|known| *known).await;
        };
        tokio::select! {
            () = known => {}
            () = self.0.clock.sleep(NOTIFIER_PATIENCE) => {}
        }
    }
}

/// Forgets what was shown of a batch that ends. Whether the notice for several is over with it.
pub(crate) fn forget(connection: &Connection, row: &BatchRow) -> Result<bool, SqlError> {
    notices::delete(connection, &row.id)?;
    let any = batches::Filter { status: Some("pending"), limit: 1, ..Default::default() };
    let digest_over =
        notices::find(connection, DIGEST)?.is_some() && batches::list(connection, &any)?.is_empty();
    if digest_over {
        notices::delete(connection, DIGEST)?;
    }
    Ok(digest_over)
}

/// Until when the person wants no notifications.
pub(crate) fn paused_until(settings: &Settings) -> Option<Timestamp> {
    settings.paused_until.as_deref().and_then(parse_timestamp)
}

/// Serves what comes back from the notifier, until it is gone or the hub closes.
pub(crate) async fn listen(hub: Hub, mut events: mpsc::UnboundedReceiver<NoticeEvent>) {
    loop {
        let event = tokio::select! {
            event = events.recv() => event,
            () = hub.closed() => return,
        };
        let Some(event) = event else { return };
        if let Err(error) = hub.notice_event(event).await {
            tracing::warn!(%error, "a notification could not be acted on");
        }
    }
}

impl Hub {
    async fn notice_event(&self, event: NoticeEvent) -> Result<(), WireError> {
        match event {
            NoticeEvent::Posted { key, shown } => {
                self.change(move |change| {
                    // One that ended meanwhile is being closed and isn't remembered.
                    let row = batches::by_id(change.connection, &key.0)?;
                    if row.is_none_or(|row| row.state.is_pending()) {
                        notices::save(change.connection, &key.0, &shown.server, shown.id)?;
                    }
                    Ok(())
                })
                .await
            }
            // Closing a notice, by hand or by time, is never an answer.
            NoticeEvent::Closed { key } => {
                self.change(move |change| Ok(notices::delete(change.connection, &key.0)?)).await
            }
            NoticeEvent::Available(state) => {
                match &state {
                    Ok(server) => tracing::info!(server, "notifications can be shown"),
                    Err(why) => tracing::warn!(why, "notifications cannot be shown"),
                }
                lock(&self.0.notices).available = state.is_ok();
                self.0.notices_known.send_replace(true);
                Ok(())
            }
            NoticeEvent::Invoked { key, nonce, activation_token } => {
                self.invoked(key, &nonce, None, activation_token).await
            }
            NoticeEvent::Replied { key, nonce, text } => {
                self.invoked(key, &nonce, Some(text), None).await
            }
        }
    }

    async fn invoked(
        &self,
        key: NoticeKey,
        nonce: &str,
        text: Option<String>,
        activation_token: Option<String>,
    ) -> Result<(), WireError> {
        let Some(bound) = lock(&self.0.notices).actions.get(nonce).cloned() else {
            tracing::warn!(key = key.0, "a click on a notification that this hub did not show");
            return Ok(());
        };
        let batch = match bound.number {
            Some(number) => self.read(|connection| batches::by_number(connection, number))?,
            None => None,
        };
        let Some(row) = batch else {
            self.raise(None, activation_token);
            return Ok(());
        };
        // A notice that was closed elsewhere can still be clicked; it must say so.
        if let Some(outcome) = views::outcome(&row)
            && bound.action != Action::Open
        {
            self.farewell(key, winner(row.number, &outcome));
            return Ok(());
        }
        let content_hash = Some(bound.content_hash);
        let answer_id = Some(format!("notice:{nonce}"));
        let via = Some("notification".to_owned());
        let caller = Caller::window();
        let id = row.id.clone();
        let acted = match (bound.action, text) {
            (Action::Choose { question, option }, _) => {
                let answers = serde_json::json!({ question: { "selected": [option] } });
                let answers = Some(answers);
                let request =
                    AnswerRequest { id, answers, reply: None, answer_id, content_hash, via };
                self.answer(&caller, request).await.map(drop)
            }
            (Action::Reply, Some(text)) => {
                let reply = Some(text);
                let request =
                    AnswerRequest { id, answers: None, reply, answer_id, content_hash, via };
                self.answer(&caller, request).await.map(drop)
            }
            (Action::Skip, _) => {
                let request = DismissRequest { id, answer_id, content_hash, via };
                self.dismiss(&caller, request).await.map(drop)
            }
            (Action::Later, _) => {
                self.due_at(Due::Notice(row.number), Some(self.0.clock.now() + LATER));
                if let Some(notifier) = &self.0.notifier {
                    notifier.send(NoticeCommand::Close(key));
                }
                return Ok(());
            }
            (Action::Open | Action::Reply, _) => {
                self.raise(Some(&row), activation_token);
                return Ok(());
            }
        };
        match acted {
            Err(WireError { code: Code::AlreadyEnded, outcome: Some(outcome), .. }) => {
                self.farewell(key, winner(row.number, &outcome));
                Ok(())
            }
            // Not accepted: the window shows why and takes the answer.
            Err(error) if error.code == Code::Invalid => {
                self.raise(Some(&row), None);
                Err(error)
            }
            other => other,
        }
    }

    fn farewell(&self, key: NoticeKey, text: String) {
        if let Some(notifier) = &self.0.notifier {
            notifier.send(NoticeCommand::Farewell { key, text });
        }
    }

    fn raise(&self, row: Option<&BatchRow>, activation_token: Option<String>) {
        // No host means that the program is leaving.
        let _ = self.0.host.send(HostRequest::OpenWindow {
            session: row.map(|row| row.session.clone()),
            batch: row.map(|row| row.id.clone()),
            activation_token,
        });
    }
}

/// What a press that came too late is told.
fn winner(number: u64, outcome: &Outcome) -> String {
    format!("#{number} was {}.", commit::ended_by(outcome))
}

fn shown_before(connection: &Connection, key: &str) -> Result<Option<Shown>, SqlError> {
    Ok(notices::find(connection, key)?.map(|(server, id)| Shown { server, id }))
}

/// The question whose options can be buttons: the only one, single choice, of normal risk.
fn quick_question(content: &AskContent) -> Option<&Question> {
    let [question] = content.questions.as_slice() else { return None };
    let quick = content.kind == BatchKind::Questions
        && content.risk == Risk::Normal
        && question.kind == QuestionKind::Choice
        && !question.multi_select
        && !question.secret;
    quick.then_some(question)
}

/// Whether the batch is one question that takes typed text.
fn typed_question(content: &AskContent) -> bool {
    match content.questions.as_slice() {
        [question] => {
            content.kind == BatchKind::Questions
                && !question.secret
                && (question.kind == QuestionKind::Text || question.allow_custom)
        }
        _ => false,
    }
}

/// Header and question on one line each, plain, at most [`BODY`] characters.
fn body(content: &AskContent) -> String {
    let text = match content.questions.as_slice() {
        [] => plain(content.message.as_deref().unwrap_or("A question is waiting.")),
        [question, rest @ ..] => {
            let header = question.header.as_deref().map(plain).filter(|h| !h.is_empty());
            let asked = plain(&question.question);
            let more =
                if rest.is_empty() { String::new() } else { format!(" (and {} more)", rest.len()) };
            match header {
                Some(header) => format!("{}: {asked}{more}", cut_graphemes(&header, 40)),
                None => format!("{asked}{more}"),
            }
        }
    };
    cut_graphemes(&text, BODY)
}
