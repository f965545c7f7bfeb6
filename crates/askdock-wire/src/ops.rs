//! The operation table: name, HTTP route, scope, request, response. One list for every surface.

use std::collections::BTreeMap;
use std::future::Future;

use schemars::{JsonSchema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::openapi::Described;
use crate::{
    AnswerInput, AskRequest, AskResponse, Author, BatchDto, BatchSummary, Code, Draft, MessageDto,
    Outcome, ProblemDto, SessionDto, SessionRef, Settings, Snapshot, TurnDto, WireError,
};

/// What a caller may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// No token needed.
    Open,
    /// Ask, wait, acknowledge, cancel and read one's own.
    Agent,
    /// Answer and everything else.
    Person,
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Operation name, `batch.ask`.
    pub name: &'static str,
    /// HTTP method.
    pub method: &'static str,
    /// Route; `{id}` is a path parameter that fills the request's field of that name.
    pub path: &'static str,
    /// Least scope.
    pub scope: Scope,
}

/// One operation as a type, for the typed client.
pub trait Operation {
    /// Its row.
    const ENTRY: Entry;
    /// What is sent.
    type Request: Serialize + serde::de::DeserializeOwned;
    /// What comes back.
    type Response: Serialize + serde::de::DeserializeOwned;
}

/// A response on its way out: the HTTP status that fits, and the body (absent: 204).
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// JSON body.
    pub body: Option<Value>,
}

/// How a response is put on HTTP; most are 200 with themselves as the body.
trait IntoReply: Serialize + Sized {
    fn into_reply(self) -> Result<Reply, serde_json::Error> {
        Ok(Reply { status: 200, body: Some(serde_json::to_value(self)?) })
    }
}

impl IntoReply for AskResponse {
    fn into_reply(self) -> Result<Reply, serde_json::Error> {
        let status = if self.created { 201 } else { 200 };
        Ok(Reply { status, body: Some(serde_json::to_value(self)?) })
    }
}

impl IntoReply for WaitResponse {
    fn into_reply(self) -> Result<Reply, serde_json::Error> {
        if self.full {
            return Ok(Reply { status: 200, body: Some(serde_json::to_value(self)?) });
        }
        let body = match (self.asked_form, self.outcome) {
            (Some(asked_form), _) => asked_form,
            (None, Some(outcome)) => serde_json::to_value(outcome)?,
            (None, None) => return Ok(Reply { status: 204, body: None }),
        };
        Ok(Reply { status: 200, body: Some(body) })
    }
}

macro_rules! plain_replies {
    ($($type:ty),* $(,)?) => { $(impl IntoReply for $type {})* };
}
plain_replies!(
    Done,
    DraftResponse,
    Health,
    Vec<BatchSummary>,
    Vec<SessionDto>,
    BatchDto,
    SessionDto,
    TurnDto,
    MessageDto,
    Vec<MessageDto>,
    Settings,
    Outcome,
    Snapshot,
    SessionDetail,
);

macro_rules! operations {
    ($( $(#[doc = $doc:literal])* $op:ident $fn:ident: $name:literal $method:ident $path:literal $scope:ident
        ($request:ty) -> $response:ty; )*) => {
        $( $(#[doc = $doc])* #[derive(Debug, Clone, Copy)] pub struct $op;
        impl Operation for $op {
            const ENTRY: Entry = Entry {
                name: $name, method: stringify!($method), path: $path, scope: Scope::$scope,
            };
            type Request = $request;
            type Response = $response;
        } )*

        /// Every operation, in the order of the documentation.
        pub const TABLE: &[Entry] = &[$($op::ENTRY),*];

        /// Every operation with its shapes.
        pub(crate) fn described(generator: &mut SchemaGenerator) -> Vec<Described> {
            vec![$( Described {
                entry: $op::ENTRY,
                about: concat!($($doc),*),
                request: generator.subschema_for::<$request>(),
                response: generator.subschema_for::<$response>(),
            } ),*]
        }

        /// Operation, request and response as TypeScript names.
        #[cfg(test)]
        pub(crate) fn type_names() -> Vec<(&'static str, String, String)> {
            use ts_rs::TS;
            let config = ts_rs::Config::default();
            vec![$(($name, <$request>::name(&config), <$response>::name(&config))),*]
        }

        /// What carries the operations out: the hub.
        pub trait Handler: Send + Sync {
            /// Who calls.
            type Caller: Send + Sync;
            $( $(#[doc = $doc])*
            fn $fn(&self, caller: &Self::Caller, request: $request)
                -> impl Future<Output = Result<$response, WireError>> + Send; )*
        }

        /// Reads the request, runs the operation called `name`, writes the response.
        ///
        /// The caller's scope is checked by the transport before, with [`TABLE`].
        ///
        /// # Errors
        /// `not_found` for an unknown name, `invalid` for a request of the wrong shape, else the
        /// operation's own.
        pub async fn dispatch<H: Handler>(
            handler: &H, caller: &H::Caller, name: &str, body: Value,
        ) -> Result<Reply, WireError> {
            match name {
                $( $name => {
                    let request = read_request::<$request>(body)?;
                    let response = handler.$fn(caller, request).await?;
                    response.into_reply().map_err(|_| {
                        WireError::new(Code::Internal, "The response could not be written.")
                    })
                } )*
                _ => Err(WireError::new(Code::NotFound, format!("No operation is called {name}."))),
            }
        }
    };
}

operations! {
    /// Registers a batch and returns at once; durable on return.
    BatchAsk batch_ask: "batch.ask" POST "/v1/batches" Agent (AskBody) -> AskResponse;
    /// Waits for the outcome.
    BatchWait batch_wait: "batch.wait" GET "/v1/batches/{id}/outcome" Agent (WaitRequest) -> WaitResponse;
    /// One batch, whole.
    BatchGet batch_get: "batch.get" GET "/v1/batches/{id}" Agent (BatchRef) -> BatchDto;
    /// Batches, newest last.
    BatchList batch_list: "batch.list" GET "/v1/batches" Agent (ListRequest) -> Vec<BatchSummary>;
    /// Saves progress; returns what is visible and what still stops a submit.
    BatchDraft batch_draft: "batch.draft" PUT "/v1/batches/{id}/draft" Person (DraftRequest) -> DraftResponse;
    /// The person works on the batch: its clock pauses.
    BatchActivity batch_activity: "batch.activity" POST "/v1/batches/{id}/activity" Person (BatchRef) -> Done;
    /// Answers.
    BatchAnswer batch_answer: "batch.answer" POST "/v1/batches/{id}/answer" Person (AnswerRequest) -> Outcome;
    /// Declines to answer.
    BatchDismiss batch_dismiss: "batch.dismiss" POST "/v1/batches/{id}/dismiss" Person (DismissRequest) -> Outcome;
    /// Ends the batch with a question back to the agent.
    BatchAskBack batch_ask_back: "batch.ask_back" POST "/v1/batches/{id}/ask-back" Person (AskBackRequest) -> Outcome;
    /// Adds time.
    BatchExtend batch_extend: "batch.extend" POST "/v1/batches/{id}/extend" Person (ExtendRequest) -> BatchDto;
    /// Withdraws an ask of one's own.
    BatchCancel batch_cancel: "batch.cancel" POST "/v1/batches/{id}/cancel" Agent (CancelRequest) -> Outcome;
    /// The asking client wrote the outcome to its agent.
    BatchAck batch_ack: "batch.ack" POST "/v1/batches/{id}/ack" Agent (BatchRef) -> Done;
    /// Opens a session or finds it again.
    SessionOpen session_open: "session.open" POST "/v1/sessions" Agent (SessionOpenRequest) -> SessionDetail;
    /// Sessions, newest activity first.
    SessionList session_list: "session.list" GET "/v1/sessions" Person (NoFields) -> Vec<SessionDto>;
    /// One session with its ended batches and messages.
    SessionGet session_get: "session.get" GET "/v1/sessions/{id}" Agent (SessionIdRequest) -> SessionDetail;
    /// Renames, pins or archives; keeps the composer's text.
    SessionUpdate session_update: "session.update" PATCH "/v1/sessions/{id}" Person (SessionUpdateRequest) -> SessionDto;
    /// The agent is done with the session: withdraws what is pending in it.
    SessionClose session_close: "session.close" POST "/v1/sessions/{id}/close" Agent (SessionIdRequest) -> Done;
    /// Deletes a session with everything in it.
    SessionDelete session_delete: "session.delete" DELETE "/v1/sessions/{id}" Person (SessionIdRequest) -> Done;
    /// Opens a turn, or resumes it.
    TurnBegin turn_begin: "turn.begin" POST "/v1/sessions/{session}/turns" Agent (TurnBeginRequest) -> TurnDto;
    /// No new asks in this turn.
    TurnFinalize turn_finalize: "turn.finalize" POST "/v1/sessions/{session}/turns/{turn}/finalize" Agent (TurnRequest) -> TurnDto;
    /// Ends a turn and withdraws its pending batches.
    TurnEnd turn_end: "turn.end" POST "/v1/sessions/{session}/turns/{turn}/end" Agent (TurnEndRequest) -> TurnDto;
    /// Posts a message in a session's timeline. The author follows from the caller's scope.
    MessagePost message_post: "message.post" POST "/v1/sessions/{session}/messages" Agent (MessagePostRequest) -> MessageDto;
    /// Messages of a session; an agent takes the person's queued ones with `take`.
    MessageList message_list: "message.list" GET "/v1/sessions/{session}/messages" Agent (MessageListRequest) -> Vec<MessageDto>;
    /// The settings.
    SettingsGet settings_get: "settings.get" GET "/v1/settings" Person (NoFields) -> Settings;
    /// Changes the named settings.
    SettingsSet settings_set: "settings.set" PATCH "/v1/settings" Person (SettingsPatch) -> Settings;
    /// Everything a window draws.
    EventsSnapshot events_snapshot: "events.snapshot" GET "/v1/snapshot" Person (NoFields) -> Snapshot;
    /// Whether the hub is well, and which wire version it speaks.
    HealthGet health: "health" GET "/v1/health" Open (NoFields) -> Health;
    /// Raises the window, on a session or batch.
    WindowOpen window_open: "window.open" POST "/v1/window/open" Person (WindowOpenRequest) -> Done;
    /// A desktop app takes over: the headless hub lets go of the database and stands by.
    HubHandover hub_handover: "hub.handover" POST "/v1/hub/handover" Person (NoFields) -> Done;
    /// Quits the hub; recorded, so that waiting clients don't start it again.
    HubQuit hub_quit: "hub.quit" POST "/v1/hub/quit" Person (NoFields) -> Done;
}

/// The body of `batch.ask`: any JSON; see [`AskRequest::from_body`].
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS), ts(as = "AskRequest"))]
#[serde(transparent)]
pub struct AskBody(pub AskRequest);

impl<'de> Deserialize<'de> for AskBody {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let body = Value::deserialize(deserializer)?;
        AskRequest::from_body(body).map(Self).map_err(serde::de::Error::custom)
    }
}

/// Changes settings: any of the fields of [`Settings`].
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS), ts(type = "Partial<Settings>"))]
#[serde(transparent)]
pub struct SettingsPatch {
    /// The changed fields.
    pub changes: serde_json::Map<String, Value>,
}

macro_rules! requests {
    ($( $(#[$meta:meta])* $name:ident { $( $(#[$fmeta:meta])* $field:ident: $type:ty, )* } )*) => { $(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        pub struct $name { $( $(#[$fmeta])* pub $field: $type, )* }
    )* };
}

requests! {
    /// Nothing to send.
    #[derive(Default)]
    NoFields {}

    /// Names a batch: UUID, number or `#number`.
    BatchRef {
        /// UUID, number or `#number`.
        id: String,
    }

    /// Waits for an outcome.
    WaitRequest {
        /// UUID, number or `#number`.
        id: String,
        /// Seconds to wait; absent: return at once; negative: as long as it takes.
        #[serde(default, deserialize_with = "lenient_f64")]
        wait: Option<f64>,
        /// Return `{"outcome", "asked_form"}` instead of the bare outcome.
        #[serde(default, deserialize_with = "lenient_bool")]
        full: bool,
    }

    /// What waiting returned.
    WaitResponse {
        /// The outcome in our own dialect; absent: still pending.
        outcome: Option<Outcome>,
        /// The outcome in the dialect of the ask, where that isn't ours.
        #[cfg_attr(test, ts(type = "unknown"))]
        asked_form: Option<Value>,
        /// As in the request.
        #[serde(default)]
        full: bool,
    }

    /// Which batches.
    #[derive(Default)]
    ListRequest {
        /// `pending` (default) or `all`, or one of the ends.
        #[serde(default)]
        status: Option<String>,
        /// Of this session.
        #[serde(default)]
        session: Option<String>,
        /// Of this turn.
        #[serde(default)]
        turn: Option<String>,
        /// Only numbers above this.
        #[serde(default, deserialize_with = "lenient_u64")]
        after: Option<u64>,
        /// At most this many; default 1000.
        #[serde(default, deserialize_with = "lenient_u64")]
        limit: Option<u64>,
    }

    /// Saves a draft.
    DraftRequest {
        /// UUID, number or `#number`.
        id: String,
        /// The draft.
        draft: Draft,
        /// The revision on which it is based; another one saved meanwhile: `stale_draft`.
        #[serde(default)]
        draft_rev: Option<u64>,
    }

    /// What the hub makes of a draft.
    DraftResponse {
        /// The new revision.
        draft_rev: u64,
        /// For each question, whether it is shown.
        visible: Vec<bool>,
        /// What still stops a submit, by path `answers.<question id>`.
        problems: Vec<ProblemDto>,
    }

    /// Answers a batch, by `answers` or by a typed `reply` to its only question.
    #[derive(Default)]
    AnswerRequest {
        /// UUID, number or `#number`.
        id: String,
        /// By question id (else text, header, index), or a list by position.
        #[serde(default)]
        #[cfg_attr(test, ts(type = "Record<string, AnswerInput>"))]
        answers: Option<Value>,
        /// A typed reply.
        #[serde(default)]
        reply: Option<String>,
        /// The answerer's id for this act; the same id and content: the first result again.
        #[serde(default)]
        answer_id: Option<String>,
        /// Hash of what the person saw.
        #[serde(default)]
        content_hash: Option<String>,
        /// The surface: `dock`, `quick`, `notification`, `cli` …
        #[serde(default)]
        via: Option<String>,
    }

    /// Declines to answer.
    DismissRequest {
        /// UUID, number or `#number`.
        id: String,
        /// The answerer's id for this act.
        #[serde(default)]
        answer_id: Option<String>,
        /// Hash of what the person saw.
        #[serde(default)]
        content_hash: Option<String>,
        /// The surface.
        #[serde(default)]
        via: Option<String>,
    }

    /// Asks back.
    AskBackRequest {
        /// UUID, number or `#number`.
        id: String,
        /// The person's message; not blank.
        message: String,
        /// The answers so far, as in a submit; incomplete ones are left out.
        #[serde(default)]
        answers: BTreeMap<String, AnswerInput>,
        /// The answerer's id for this act.
        #[serde(default)]
        answer_id: Option<String>,
        /// Hash of what the person saw.
        #[serde(default)]
        content_hash: Option<String>,
        /// The surface.
        #[serde(default)]
        via: Option<String>,
    }

    /// Adds time.
    ExtendRequest {
        /// UUID, number or `#number`.
        id: String,
        /// Seconds, 1 to 86400.
        seconds: i64,
    }

    /// Withdraws.
    CancelRequest {
        /// UUID, number or `#number`.
        id: String,
        /// Why.
        #[serde(default)]
        reason: Option<String>,
    }

    /// Done; nothing to return.
    #[derive(Default)]
    Done {}

    /// Opens a session.
    SessionOpenRequest {
        /// Who.
        #[serde(default)]
        session: SessionRef,
    }

    /// A session with its timeline.
    SessionDetail {
        /// The session.
        session: SessionDto,
        /// Shows that later calls come from the same asker. Given to agents that open it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session_secret: Option<String>,
        /// Its batches, oldest first, ended ones included.
        batches: Vec<BatchDto>,
        /// Its messages, oldest first.
        messages: Vec<MessageDto>,
    }

    /// Names a session.
    SessionIdRequest {
        /// Session id.
        id: String,
    }

    /// Changes a session; absent fields stay.
    SessionUpdateRequest {
        /// Session id.
        id: String,
        /// New title.
        #[serde(default)]
        title: Option<String>,
        /// Keep at the top.
        #[serde(default)]
        pinned: Option<bool>,
        /// Hide from the list.
        #[serde(default)]
        archived: Option<bool>,
        /// The composer's unsent text.
        #[serde(default)]
        composer: Option<String>,
    }

    /// Opens a turn.
    TurnBeginRequest {
        /// Session id.
        session: String,
        /// The caller's id; absent: one is made.
        #[serde(default)]
        turn: Option<String>,
        /// Seconds after which the turn fails, waiting included.
        #[serde(default)]
        max_duration: Option<f64>,
    }

    /// Names a turn.
    TurnRequest {
        /// Session id.
        session: String,
        /// Turn id.
        turn: String,
    }

    /// Ends a turn.
    TurnEndRequest {
        /// Session id.
        session: String,
        /// Turn id.
        turn: String,
        /// `finished` (default), `interrupted` or `failed`.
        #[serde(default)]
        state: Option<String>,
    }

    /// Posts a message.
    MessagePostRequest {
        /// Session id.
        session: String,
        /// Markdown, not blank.
        text: String,
        /// Repeating the same key posts nothing twice.
        #[serde(default)]
        key: Option<String>,
    }

    /// Lists messages.
    MessageListRequest {
        /// Session id.
        session: String,
        /// Only ids above this.
        #[serde(default, deserialize_with = "lenient_u64")]
        after: Option<u64>,
        /// Only the person's queued ones, marked delivered by this call.
        #[serde(default, deserialize_with = "lenient_bool")]
        take: bool,
    }

    /// How the hub is.
    Health {
        /// Version of the hub's program.
        version: String,
        /// Wire version.
        wire: u32,
        /// Process id.
        pid: u32,
        /// Identifies this run of the hub.
        hub: String,
        /// `desktop` or `serve`.
        kind: String,
        /// Pending batches somebody waits on.
        pending: u32,
        /// Pending batches whose agent is away.
        away: u32,
        /// Whether a person can be reached, and by what.
        reachable_by: Vec<String>,
    }

    /// Raises the window.
    #[derive(Default)]
    WindowOpenRequest {
        /// Session to show.
        #[serde(default)]
        session: Option<String>,
        /// Batch to show.
        #[serde(default)]
        batch: Option<String>,
    }
}

/// The author that follows from a caller's scope.
pub fn author_for(scope: Scope) -> Author {
    if scope == Scope::Person { Author::Person } else { Author::Agent }
}

fn read_request<T: serde::de::DeserializeOwned>(body: Value) -> Result<T, WireError> {
    let body = if body.is_null() { Value::Object(serde_json::Map::new()) } else { body };
    serde_path_to_error::deserialize(body).map_err(|error| {
        let path = error.path().to_string();
        let path = if path == "." { String::new() } else { path };
        WireError::invalid(vec![ProblemDto {
            code: "wrong_shape".into(),
            path,
            message: format!("This is not of the right kind: {}.", error.inner()),
        }])
    })
}

// Query strings carry numbers and flags as text, and so do many scripts. A blank text is absent.

pub(crate) fn lenient_f64<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Option<f64>, D::Error> {
    lenient(d)
}

fn lenient_u64<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Option<u64>, D::Error> {
    lenient(d)
}

fn lenient_bool<'de, D: serde::Deserializer<'de>>(d: D) -> Result<bool, D::Error> {
    Ok(match Option::<Value>::deserialize(d)? {
        None | Some(Value::Null) => false,
        Some(Value::Bool(flag)) => flag,
        Some(Value::String(text)) => matches!(text.as_str(), "" | "1" | "true" | "yes"),
        Some(other) => return Err(serde::de::Error::custom(format!("{other} is not a flag"))),
    })
}

fn lenient<'de, T, D>(d: D) -> Result<Option<T>, D::Error>
where
    T: std::str::FromStr + serde::de::DeserializeOwned,
    D: serde::Deserializer<'de>,
{
    match Option::<Value>::deserialize(d)? {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
        Some(Value::String(text)) => text
            .trim()
            .parse()
            .map(Some)
            .map_err(|_| serde::de::Error::custom(format!("{text:?} is not a number"))),
        Some(other) => serde_json::from_value(other).map(Some).map_err(serde::de::Error::custom),
    }
}
