//! Sessions and their messages.

use askdock_domain::{Event, Problem, Responder, ResponderKind, Timestamp};
use askdock_store::sessions::SessionRow;
use askdock_store::{Connection, batches, messages, sessions};
use askdock_wire::ops::{
    MessageListRequest, MessagePostRequest, Scope, SessionDetail, SessionOpenRequest,
    SessionUpdateRequest, author_for,
};
use askdock_wire::{Author, Code, MessageDto, SessionDto, SessionRef, WireError};

use crate::commit::{Change, Refusal};
use crate::{Caller, Hub, Ids, access, views};

/// The longest id, title, agent name or folder that is taken, in bytes.
const LONGEST_NAME: usize = 4096;
/// The longest message, in bytes.
const LONGEST_MESSAGE: usize = 256 * 1024;

/// Finds the session that `named` means, or makes it.
///
/// A conversation id is the session's id; without one, agent and folder are the identity, so a
/// restarted agent is the same session.
pub(crate) fn open(
    change: &mut Change<'_>,
    ids: &dyn Ids,
    named: &SessionRef,
) -> Result<SessionRow, Refusal> {
    check_names(named)?;
    let agent = named.agent.as_deref().unwrap_or("script");
    let folder = named.folder.as_deref().unwrap_or_default();
    let identity = match &named.id {
        Some(id) => format!("id:{id}"),
        None => format!("agent:{agent}\n{folder}"),
    };
    let known = match &named.id {
        Some(id) => sessions::by_id(change.connection, id)?,
        None => sessions::by_identity(change.connection, &identity)?,
    };
    if let Some(row) = known {
        return refresh(change, &row, named);
    }
    let row = SessionRow {
        id: named.id.clone().unwrap_or_else(|| ids.id(change.now)),
        identity,
        title: named.title.clone().unwrap_or_else(|| default_title(named, agent)),
        agent: agent.to_owned(),
        folder: named.folder.clone(),
        branch: named.branch.clone(),
        parent: named.parent.clone(),
        secret: ids.secret(),
        created_at: change.now,
        last_activity_at: change.now,
        pinned: false,
        archived: false,
        composer: String::new(),
    };
    sessions::insert(change.connection, &row)?;
    change.changed("session", &row.id)?;
    Ok(row)
}

/// Takes over what the client says anew; a title is the person's once it is set. An agent that is
/// back has its session back.
fn refresh(
    change: &mut Change<'_>,
    row: &SessionRow,
    named: &SessionRef,
) -> Result<SessionRow, Refusal> {
    let mut fresh = SessionRow { archived: false, ..row.clone() };
    if let Some(agent) = &named.agent {
        fresh.agent.clone_from(agent);
    }
    for (field, value) in [
        (&mut fresh.folder, &named.folder),
        (&mut fresh.branch, &named.branch),
        (&mut fresh.parent, &named.parent),
    ] {
        if value.is_some() {
            field.clone_from(value);
        }
    }
    if fresh != *row {
        sessions::update(change.connection, &fresh)?;
        change.changed("session", &fresh.id)?;
    }
    Ok(fresh)
}

fn default_title(named: &SessionRef, agent: &str) -> String {
    let folder = named.folder.as_deref().unwrap_or_default();
    let name = folder.rsplit(['/', '\\']).find(|part| !part.is_empty());
    name.or(named.id.as_deref()).unwrap_or(agent).to_owned()
}

fn check_names(named: &SessionRef) -> Result<(), WireError> {
    let fields = [
        ("session.id", &named.id),
        ("session.title", &named.title),
        ("session.agent", &named.agent),
        ("session.folder", &named.folder),
        ("session.branch", &named.branch),
        ("session.parent", &named.parent),
        ("session.teammate", &named.teammate),
    ];
    let problems: Vec<_> = fields
        .into_iter()
        .filter_map(|(path, value)| {
            let value = value.as_deref()?;
            let message = if value.trim().is_empty() {
                "Leave it out or send a name that isn't blank.".to_owned()
            } else if value.len() > LONGEST_NAME {
                format!("Send at most {LONGEST_NAME} bytes; these are {}.", value.len())
            } else {
                return None;
            };
            Some(Problem::new("bad_name", path, message).into())
        })
        .collect();
    if problems.is_empty() { Ok(()) } else { Err(WireError::invalid(problems)) }
}

/// What waits for the person must not go out of sight.
fn check_nothing_waits(connection: &Connection, id: &str) -> Result<(), Refusal> {
    let filter = batches::Filter {
        status: Some("pending"),
        session: Some(id),
        limit: 1,
        ..Default::default()
    };
    match batches::list(connection, &filter)?.first() {
        None => Ok(()),
        Some(waiting) => Err(WireError::new(
            Code::Invalid,
            format!("Batch #{} waits in this session; answer or skip it first.", waiting.number),
        )
        .into()),
    }
}

fn existing(connection: &Connection, id: &str) -> Result<SessionRow, Refusal> {
    sessions::by_id(connection, id)?.ok_or_else(|| {
        let shown: String = id.chars().take(60).collect();
        WireError::new(Code::NotFound, format!("There is no session {shown:?}.")).into()
    })
}

impl Hub {
    pub(crate) async fn open_session(
        &self,
        request: SessionOpenRequest,
    ) -> Result<SessionDetail, WireError> {
        let hub = self.clone();
        self.change(move |change| {
            let row = open(change, hub.0.ids.as_ref(), &request.session)?;
            let secret = row.secret.clone();
            Ok(SessionDetail {
                session: hub.session_dto(change.connection, row)?,
                session_secret: Some(secret),
                batches: vec![],
                messages: vec![],
            })
        })
        .await
    }

    pub(crate) fn session_detail(
        &self,
        caller: &Caller,
        id: &str,
    ) -> Result<SessionDetail, WireError> {
        let detail: Result<SessionDetail, Refusal> = self.0.store.read(|connection| {
            let row = existing(connection, id)?;
            access::own_session(connection, caller, id)?;
            let filter = batches::Filter { session: Some(id), limit: 10_000, ..Default::default() };
            let batches = batches::list(connection, &filter)?
                .iter()
                .map(|row| views::batch(connection, row))
                .collect::<Result<_, _>>()?;
            let messages =
                messages::list(connection, id, 0)?.into_iter().map(views::message).collect();
            let session = self.session_dto(connection, row)?;
            Ok(SessionDetail { session, session_secret: None, batches, messages })
        });
        detail.map_err(Refusal::into_wire)
    }

    pub(crate) async fn update_session(
        &self,
        request: SessionUpdateRequest,
    ) -> Result<SessionDto, WireError> {
        let hub = self.clone();
        self.change(move |change| {
            let mut row = existing(change.connection, &request.id)?;
            if let Some(title) = request.title.filter(|title| !title.trim().is_empty()) {
                row.title = title;
            }
            if request.archived == Some(true) {
                check_nothing_waits(change.connection, &row.id)?;
            }
            row.pinned = request.pinned.unwrap_or(row.pinned);
            row.archived = request.archived.unwrap_or(row.archived);
            row.composer = request.composer.unwrap_or(row.composer);
            sessions::update(change.connection, &row)?;
            change.changed("session", &row.id)?;
            Ok(hub.session_dto(change.connection, row)?)
        })
        .await
    }

    /// The agent leaves: its turns fail and what is pending is withdrawn.
    pub(crate) async fn close_session(&self, caller: &Caller, id: String) -> Result<(), WireError> {
        let caller = caller.clone();
        self.change(move |change| {
            existing(change.connection, &id)?;
            access::own_session(change.connection, &caller, &id)?;
            for turn in askdock_store::turns::unfinished(change.connection, Some(&id))? {
                let failed = askdock_store::turns::TurnRow { state: "failed".into(), ..turn };
                askdock_store::turns::save(change.connection, &failed)?;
            }
            withdraw(change, &id, None, "session_closed")
        })
        .await
    }

    pub(crate) async fn delete_session(&self, id: String) -> Result<(), WireError> {
        self.change(move |change| {
            existing(change.connection, &id)?;
            // Whoever waits gets an end before the records go.
            withdraw(change, &id, None, "session_deleted")?;
            sessions::delete(change.connection, &id)?;
            change.changed("session_deleted", &id)?;
            Ok(())
        })
        .await
    }

    pub(crate) async fn post_message(
        &self,
        caller: &Caller,
        request: MessagePostRequest,
    ) -> Result<MessageDto, WireError> {
        if request.text.trim().is_empty() || request.text.len() > LONGEST_MESSAGE {
            let message = format!("Send text that isn't blank, at most {LONGEST_MESSAGE} bytes.");
            return Err(WireError::invalid(vec![Problem::new("bad_text", "text", message).into()]));
        }
        let caller = caller.clone();
        let author = match author_for(caller.scope) {
            Author::Person => "person",
            Author::Agent => "agent",
            Author::System => "system",
        };
        self.change(move |change| {
            existing(change.connection, &request.session)?;
            access::own_session(change.connection, &caller, &request.session)?;
            let (row, posted) = messages::post(
                change.connection,
                &request.session,
                author,
                &request.text,
                request.key.as_deref(),
                change.now,
            )?;
            if posted {
                sessions::touch(change.connection, &request.session, change.now)?;
                change.changed("message", &row.id.to_string())?;
                change.changed("session", &request.session)?;
            }
            Ok(views::message(row))
        })
        .await
    }

    pub(crate) async fn list_messages(
        &self,
        caller: &Caller,
        request: MessageListRequest,
    ) -> Result<Vec<MessageDto>, WireError> {
        let caller = caller.clone();
        if !request.take {
            let rows: Result<_, Refusal> = self.0.store.read(|connection| {
                existing(connection, &request.session)?;
                access::own_session(connection, &caller, &request.session)?;
                let after = request.after.unwrap_or(0);
                Ok(messages::list(connection, &request.session, after)?)
            });
            let rows = rows.map_err(Refusal::into_wire)?;
            return Ok(rows.into_iter().map(views::message).collect());
        }
        if caller.scope == Scope::Person {
            return Err(WireError::new(
                Code::Forbidden,
                "Only the agent takes the messages that are queued for it.",
            ));
        }
        self.change(move |change| {
            existing(change.connection, &request.session)?;
            access::own_session(change.connection, &caller, &request.session)?;
            let rows = messages::take(change.connection, &request.session, change.now)?;
            for row in &rows {
                change.changed("message", &row.id.to_string())?;
            }
            Ok(rows.into_iter().map(views::message).collect())
        })
        .await
    }
}

/// Cancels what is pending in a session, or in one of its turns.
pub(crate) fn withdraw(
    change: &mut Change<'_>,
    session: &str,
    turn: Option<&str>,
    reason: &str,
) -> Result<(), Refusal> {
    let filter = batches::Filter {
        status: Some("pending"),
        session: Some(session),
        turn,
        after: 0,
        limit: u64::from(u32::MAX),
    };
    for row in batches::list(change.connection, &filter)? {
        let responder =
            Responder { kind: ResponderKind::System, id: "hub".into(), via: "hub".into() };
        let event = Event::Cancel { reason: reason.into(), responder };
        change.apply(row, event, None)?;
    }
    Ok(())
}

/// When `seconds` from now is; `None` for none, a problem for what is no span.
pub(crate) fn seconds_from(now: Timestamp, seconds: Option<f64>) -> Option<Timestamp> {
    let seconds = seconds.filter(|s| s.is_finite() && *s > 0.0)?;
    // A century is as good as never and cannot overflow.
    let millis = (seconds.min(3.2e9) * 1000.0).round();
    #[expect(clippy::cast_possible_truncation, reason = "bounded above and positive")]
    Some(now + askdock_domain::Millis(millis as i64))
}
