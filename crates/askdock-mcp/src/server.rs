//! The tools, carried out.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use askdock_client::{Client, ClientError};
use askdock_wire::ops::{
    BatchCancel, BatchGet, BatchRef, CancelRequest, MessageList, MessageListRequest, SessionOpen,
    SessionOpenRequest, WaitResponse,
};
use askdock_wire::{AskRequest, BatchDto, BatchStatus, Code, MessageDto, Outcome, SessionRef};
use rmcp::model::{
    CallToolRequestMethod, CallToolRequestParams, CallToolResponse, CallToolResult, ConstString,
    CustomRequest, CustomResult, ErrorData, Implementation, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ProtocolVersion, ServerCapabilities,
    ServerConfig,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{Peer, RoleServer, ServerHandler};
use serde_json::Value;
use tokio::sync::{Mutex, watch};

use crate::environment::Environment;
use crate::released::{Released, ReleasedCalls};
use crate::tools::{self, Tool};
use crate::{calls, identity, results, waiting};

/// How long a client may take to name its roots.
const ROOTS: Duration = Duration::from_secs(2);
/// The newest protocol revision that we speak.
const REVISION: ProtocolVersion = ProtocolVersion::V_2025_11_25;

/// The server of one client.
pub(crate) struct AskServer {
    hub: Client,
    environment: Environment,
    /// Becomes true when the client is gone.
    leaving: watch::Receiver<bool>,
    /// How many outcomes are on their way to the agent.
    handing_over: Arc<watch::Sender<usize>>,
    /// The client's first root, once it was asked; `Some(None)`: it has none.
    root: Mutex<Option<Option<PathBuf>>>,
    /// Held while a call gets its batch: the same call again, made meanwhile, finds it released.
    asking: Mutex<()>,
    released: ReleasedCalls,
}

/// A batch as a call knows it.
struct Waited {
    /// Any of its names.
    batch: String,
    number: Option<u64>,
    /// Its session's id.
    session: Option<String>,
    /// What the call said, if it is the one that asked.
    input: Option<Value>,
}

/// What became of an ask.
enum Asked {
    Pending(Waited),
    /// The same ask had ended, and its outcome wasn't collected.
    Ended(Box<Outcome>),
}

impl AskServer {
    pub(crate) fn new(
        hub: Client,
        environment: Environment,
        leaving: watch::Receiver<bool>,
        handing_over: Arc<watch::Sender<usize>>,
    ) -> Self {
        Self {
            hub,
            environment,
            leaving,
            handing_over,
            root: Mutex::default(),
            asking: Mutex::default(),
            released: ReleasedCalls::default(),
        }
    }

    async fn call(
        &self,
        name: &str,
        arguments: Value,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let Some(tool) = Tool::named(name) else {
            return Err(ErrorData::invalid_params(format!("There is no tool {name:?}."), None));
        };
        Ok(match tool {
            Tool::Ask => self.ask(arguments, context).await,
            Tool::Wait => match calls::batch(&arguments) {
                Some(batch) => {
                    let session = self.session(context).await;
                    let waited = Waited { batch, number: None, session: None, input: None };
                    self.wait(waited, &session, context).await
                }
                None => results::no_batch(),
            },
            Tool::Cancel => match calls::batch(&arguments) {
                Some(batch) => self.cancel(batch, context).await,
                None => results::no_batch(),
            },
        })
    }

    async fn ask(&self, input: Value, context: &RequestContext<RoleServer>) -> CallToolResult {
        let session = self.session(context).await;
        let asking = self.asking.lock().await;
        // Until the hub knows that the agent has an outcome, the same words would find it again.
        // Its sender lives as long as this.
        let _ = self.handing_over.subscribe().wait_for(|count| *count == 0).await;
        // Not given up when the client is: what is recorded can be found again.
        let waited = match self.registered(input, &session, context).await {
            Ok(Asked::Pending(waited)) => waited,
            Ok(Asked::Ended(outcome)) => return self.ended(&outcome).await,
            Err(error) => return results::refused(&error),
        };
        if context.ct.is_cancelled() {
            return self.release(waited, &session);
        }
        drop(asking);
        self.wait(waited, &session, context).await
    }

    /// The batch of a call: the same call's that was given up, else what the hub makes of it.
    async fn registered(
        &self,
        input: Value,
        session: &SessionRef,
        context: &RequestContext<RoleServer>,
    ) -> Result<Asked, ClientError> {
        if let Some(batch) = self.released.take(&input, session)
            && let Some(waited) = self.taken_up(&batch, &input).await
        {
            return Ok(Asked::Pending(waited));
        }
        let request = AskRequest {
            input: input.clone(),
            dialect: None,
            session: session.clone(),
            turn: None,
            request_id: None,
            call_keys: calls::call_keys(&context.meta),
            resume: true,
            timeout_seconds: None,
            unattended: self.environment.unattended,
            wait_for_person: false,
        };
        let asked = self.hub.ask(request).await?;
        Ok(match asked.outcome {
            Some(outcome) => Asked::Ended(Box::new(outcome)),
            None => Asked::Pending(Waited {
                batch: asked.id,
                number: Some(asked.number),
                session: Some(asked.session),
                input: Some(input),
            }),
        })
    }

    /// Waits for the outcome until the client has no more patience or is gone, which leaves the
    /// batch as it is.
    async fn wait(
        &self,
        waited: Waited,
        session: &SessionRef,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResult {
        let ended = tokio::select! {
            biased;
            // Nobody reads these two results.
            () = context.ct.cancelled() => return self.release(waited, session),
            () = self.client_gone() => return results::pending(&waited.batch, waited.number, &[]),
            ended = self.outcome(&waited.batch, session) => ended,
            () = self.patience(&waited, context) => return self.still_pending(waited).await,
        };
        match ended {
            Ok(outcome) => self.ended(&outcome).await,
            Err(error) => results::refused(&error),
        }
    }

    /// Leaves the batch to the same call again.
    fn release(&self, waited: Waited, session: &SessionRef) -> CallToolResult {
        let Waited { batch, number, input, .. } = waited;
        let result = results::pending(&batch, number, &[]);
        if let Some(input) = input {
            self.released.keep(Released { input, session: session.clone(), batch });
        }
        result
    }

    /// A released batch, if there is something left to wait for or to collect: what was withdrawn
    /// or expired stays so, and the same words are a new question.
    async fn taken_up(&self, batch: &str, input: &Value) -> Option<Waited> {
        let batch = self.batch(batch).await?;
        let over = matches!(batch.status, BatchStatus::Cancelled | BatchStatus::Expired);
        (!over && batch.delivered_at.is_none()).then(|| Waited {
            batch: batch.id,
            number: Some(batch.number),
            session: Some(batch.session),
            input: Some(input.clone()),
        })
    }

    async fn client_gone(&self) {
        // Its sender lives as long as the client can be heard: no sender, no client.
        let _ = self.leaving.clone().wait_for(|gone| *gone).await;
    }

    async fn outcome(&self, batch: &str, session: &SessionRef) -> Result<Outcome, ClientError> {
        let ended = match self.hub.wait(batch).await {
            Err(error) if error.code() == Some(Code::Forbidden) => {
                self.show_secret(session).await?;
                self.hub.wait(batch).await
            }
            result => result,
        };
        let WaitResponse { outcome, .. } = ended?;
        outcome.ok_or_else(|| ClientError::Unreadable("an end without an outcome".into()))
    }

    /// Completes when the client's patience is over: with progress never, else with the budget.
    async fn patience(&self, waited: &Waited, context: &RequestContext<RoleServer>) {
        let Some(token) = context.meta.get_progress_token() else {
            return tokio::time::sleep(self.environment.budget).await;
        };
        let message = results::waiting(waited.number);
        let never = waiting::reporting(|progress| {
            let report = ProgressNotificationParam::new(token.clone(), progress)
                .with_message(message.clone());
            let peer = context.peer.clone();
            async move {
                if let Err(error) = peer.notify_progress(report).await {
                    tracing::debug!(%error, "progress was not sent");
                }
            }
        });
        match never.await {}
    }

    async fn cancel(&self, batch: String, context: &RequestContext<RoleServer>) -> CallToolResult {
        let request = CancelRequest { id: batch, reason: None };
        let cancelled = match self.hub.call::<BatchCancel>(&request).await {
            Err(error) if error.code() == Some(Code::Forbidden) => {
                let session = self.session(context).await;
                match self.show_secret(&session).await {
                    Ok(()) => self.hub.call::<BatchCancel>(&request).await,
                    Err(error) => Err(error),
                }
            }
            result => result,
        };
        match cancelled {
            Ok(outcome) => self.ended(&outcome).await,
            // Somebody was faster: their end is the one that counts.
            Err(ClientError::Refused(error)) if error.outcome.is_some() => match &error.outcome {
                Some(outcome) => self.ended(outcome).await,
                None => results::refused(&ClientError::Refused(error)),
            },
            Err(error) => results::refused(&error),
        }
    }

    async fn ended(&self, outcome: &Outcome) -> CallToolResult {
        let batch = self.batch(&outcome.batch).await;
        let messages = match &batch {
            Some(batch) => self.messages(&batch.session).await,
            None => vec![],
        };
        let questions = batch.map(|batch| batch.questions).unwrap_or_default();
        results::ended(outcome, &questions, &messages)
    }

    async fn still_pending(&self, mut waited: Waited) -> CallToolResult {
        if waited.session.is_none()
            && let Some(batch) = self.batch(&waited.batch).await
        {
            waited.batch = batch.id;
            waited.number = Some(batch.number);
            waited.session = Some(batch.session);
        }
        let messages = match &waited.session {
            Some(session) => self.messages(session).await,
            None => vec![],
        };
        results::pending(&waited.batch, waited.number, &messages)
    }

    /// The batch, whole. Only what is nice to have comes from it: no hub, no batch.
    async fn batch(&self, name: &str) -> Option<BatchDto> {
        let batch = self.hub.call::<BatchGet>(&BatchRef { id: name.to_owned() }).await;
        batch.inspect_err(|error| tracing::debug!(%error, "the batch could not be read")).ok()
    }

    /// What the person wrote in the session meanwhile, taken.
    async fn messages(&self, session: &str) -> Vec<MessageDto> {
        let request = MessageListRequest { session: session.to_owned(), after: None, take: true };
        let messages = self.hub.call::<MessageList>(&request).await;
        messages
            .inspect_err(|error| tracing::debug!(%error, "messages could not be taken"))
            .unwrap_or_default()
    }

    /// Shows from now on that the session is ours; after a restart the secret is to be had again.
    async fn show_secret(&self, session: &SessionRef) -> Result<(), ClientError> {
        let request = SessionOpenRequest { session: session.clone() };
        let opened = self.hub.call::<SessionOpen>(&request).await?;
        if let Some(secret) = opened.session_secret {
            self.hub.show_secret(&secret);
        }
        Ok(())
    }

    async fn session(&self, context: &RequestContext<RoleServer>) -> SessionRef {
        let conversation =
            self.environment.session.clone().or_else(|| calls::conversation(&context.meta));
        let folder = self.root(context).await.or_else(|| self.environment.folder.clone());
        identity::session(context.client_info().as_ref(), conversation, folder.as_deref())
    }

    /// The client's first root that is a folder.
    async fn root(&self, context: &RequestContext<RoleServer>) -> Option<PathBuf> {
        context.client_capabilities()?.roots?;
        let mut known = self.root.lock().await;
        if let Some(root) = &*known {
            return root.clone();
        }
        let root = tokio::time::timeout(ROOTS, first_root(&context.peer)).await;
        let root = root.unwrap_or_else(|_| {
            tracing::debug!("the client is slow to name its roots");
            None
        });
        known.insert(root).clone()
    }
}

#[expect(deprecated, reason = "the revisions that we speak have roots")]
async fn first_root(client: &Peer<RoleServer>) -> Option<PathBuf> {
    match client.list_roots().await {
        Ok(named) => named.roots.iter().find_map(|root| identity::folder_of_root(&root.uri)),
        Err(error) => {
            tracing::debug!(%error, "the client has roots and doesn't name them");
            None
        }
    }
}

impl ServerHandler for AskServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_protocol_version(REVISION)
            .with_server_info(
                Implementation::new("askdock", env!("CARGO_PKG_VERSION")).with_title("Askdock"),
            )
            .with_instructions(tools::INSTRUCTIONS)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::known_up_to(&REVISION))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let hides_ask_user =
            context.client_info().is_some_and(|client| identity::is_gemini_cli(&client));
        Ok(ListToolsResult::with_all_items(tools::list(hides_ask_user)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.map_or(Value::Null, Value::Object);
        self.call(&request.name, arguments, &context).await.map(Into::into)
    }

    /// Calls whose arguments aren't even an object come here; the normaliser reads those too.
    async fn on_custom_request(
        &self,
        mut request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let name = request.params.as_ref().and_then(|params| params.get("name"));
        let name = name.and_then(Value::as_str).map(str::to_owned);
        let (CallToolRequestMethod::VALUE, Some(name)) = (request.method.as_str(), name) else {
            return Err(results::method_not_found(&request.method));
        };
        let arguments =
            request.params.as_mut().and_then(|params| params.get_mut("arguments")).map(Value::take);
        let mut result = self.call(&name, arguments.unwrap_or_default(), &context).await?;
        // A field of the stateless revision, which the library leaves out only of its own type.
        result.result_type = None;
        serde_json::to_value(result)
            .map(CustomResult)
            .map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }

    async fn on_roots_list_changed(&self, _: NotificationContext<RoleServer>) {
        *self.root.lock().await = None;
    }
}
