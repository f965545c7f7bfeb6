//! The transport, where it has to know more than JSON-RPC: when an outcome has been written, when
//! the client is gone, and what must not reach the library before the handshake.

use std::future::Future;
use std::sync::Arc;

use askdock_client::Client;
use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ConstString, CustomResult, DiscoverRequestMethod,
    JsonRpcMessage, ServerJsonRpcMessage, ServerResult,
};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::{StdioReader, StdioWriter, Transport, stdio_pipes};
use tokio::sync::watch;

use crate::results;

/// One client over `T`.
pub(crate) struct Wire<T = AsyncRwTransport<RoleServer, StdioReader, StdioWriter>> {
    inner: T,
    hub: Client,
    /// Becomes true when the client is gone: nobody reads what is waited for.
    left: watch::Sender<bool>,
    /// How many outcomes are on their way to the agent and not acknowledged yet.
    handing_over: Arc<watch::Sender<usize>>,
    initialized: bool,
}

impl Wire {
    /// The process's own standard input and output. Call it inside the runtime.
    pub(crate) fn over_stdio(
        hub: Client,
        left: watch::Sender<bool>,
        handing_over: Arc<watch::Sender<usize>>,
    ) -> Self {
        let (input, output) = stdio_pipes();
        Self::new(AsyncRwTransport::new(input, output), hub, left, handing_over)
    }
}

impl<T> Wire<T> {
    fn new(
        inner: T,
        hub: Client,
        left: watch::Sender<bool>,
        handing_over: Arc<watch::Sender<usize>>,
    ) -> Self {
        Self { inner, hub, left, handing_over, initialized: false }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Wire<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let delivers = delivered_batch(&message).map(str::to_owned);
        let handing_over = delivers.is_some().then(|| HandingOver::new(&self.handing_over));
        let written = self.inner.send(message);
        let hub = self.hub.clone();
        async move {
            written.await?;
            // Written and flushed: only now is the outcome the agent's.
            if let Some(batch) = delivers
                && let Err(error) = hub.ack(&batch).await
            {
                tracing::warn!(%error, batch, "the outcome could not be acknowledged");
            }
            drop(handing_over);
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let Some(message) = self.inner.receive().await else {
                // The library would wait for its handlers first, and they for the person.
                self.left.send_replace(true);
                return None;
            };
            match &message {
                JsonRpcMessage::Request(request) if is_discovery(&request.request) => {
                    let id = request.id.clone();
                    let refusal = results::method_not_found(DiscoverRequestMethod::VALUE);
                    // Apart, because this function is dropped whenever something is to be sent.
                    tokio::spawn(self.inner.send(JsonRpcMessage::error(refusal, Some(id))));
                    continue;
                }
                JsonRpcMessage::Request(request) => {
                    self.initialized |=
                        matches!(request.request, ClientRequest::InitializeRequest(_));
                }
                // For example the end of a probe that was answered; the library would give up.
                JsonRpcMessage::Notification(_) if !self.initialized => continue,
                _ => {}
            }
            return Some(message);
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}

/// Counts an outcome for as long as it is handed over, however that ends.
struct HandingOver(Arc<watch::Sender<usize>>);

impl HandingOver {
    fn new(count: &Arc<watch::Sender<usize>>) -> Self {
        count.send_modify(|count| *count += 1);
        Self(Arc::clone(count))
    }
}

impl Drop for HandingOver {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

/// The probe of clients that know protocol revision 2026-07-28; whatever else it holds, we are
/// of an older one, and "method not found" is how they learn it.
fn is_discovery(request: &ClientRequest) -> bool {
    request.method() == DiscoverRequestMethod::VALUE
}

/// The batch whose outcome this message brings to the agent.
fn delivered_batch(message: &ServerJsonRpcMessage) -> Option<&str> {
    let JsonRpcMessage::Response(response) = message else { return None };
    let structured = match &response.result {
        ServerResult::CallToolResult(result) => result.structured_content.as_ref()?,
        ServerResult::CustomResult(CustomResult(result)) => result.get("structuredContent")?,
        _ => return None,
    };
    results::ended_batch(structured)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::Mutex;

    use askdock_client::{Paths, Program, Role};
    use rmcp::model::{CallToolResult, NumberOrString};
    use serde_json::{Value, json};

    use super::*;

    /// Says what a test wrote down, and writes down what it is sent.
    #[derive(Default)]
    struct Script {
        says: Vec<Value>,
        heard: Arc<Mutex<Vec<Value>>>,
    }

    impl Transport<RoleServer> for Script {
        type Error = Infallible;

        fn send(
            &mut self,
            message: ServerJsonRpcMessage,
        ) -> impl Future<Output = Result<(), Infallible>> + Send + 'static {
            let heard = Arc::clone(&self.heard);
            async move {
                heard.lock().unwrap().push(serde_json::to_value(message).unwrap());
                Ok(())
            }
        }

        async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
            (!self.says.is_empty()).then(|| serde_json::from_value(self.says.remove(0)).unwrap())
        }

        async fn close(&mut self) -> Result<(), Infallible> {
            Ok(())
        }
    }

    fn wire(says: Vec<Value>) -> (Wire<Script>, Arc<Mutex<Vec<Value>>>, watch::Receiver<bool>) {
        let script = Script { says, ..Script::default() };
        let heard = Arc::clone(&script.heard);
        let hub = Client::new(Paths::under("/nowhere".into()), Role::Agent, Program::Mcp);
        let (left, leaving) = watch::channel(false);
        (Wire::new(script, hub, left, Arc::default()), heard, leaving)
    }

    fn initialize() -> Value {
        let params = json!({
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        json!({ "jsonrpc": "2.0", "id": 2, "method": "initialize", "params": params })
    }

    #[tokio::test]
    async fn a_probe_is_refused_and_the_handshake_follows() {
        let probe = |params: Value| json!({ "jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": params });
        let modern = json!({ "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        } });
        let over = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
        for params in [modern, json!({})] {
            let (mut wire, heard, _) = wire(vec![probe(params), over.clone(), initialize()]);
            let Some(JsonRpcMessage::Request(first)) = wire.receive().await else { panic!() };
            assert!(matches!(first.request, ClientRequest::InitializeRequest(_)));
            tokio::task::yield_now().await;
            let heard = heard.lock().unwrap();
            assert_eq!(heard.len(), 1);
            assert_eq!(heard[0]["id"], 1);
            assert_eq!(heard[0]["error"]["code"], -32601);
        }
    }

    #[tokio::test]
    async fn notifications_pass_after_the_handshake() {
        let note = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let (mut wire, _, leaving) = wire(vec![note.clone(), initialize(), note]);
        assert!(matches!(wire.receive().await, Some(JsonRpcMessage::Request(_))));
        assert!(matches!(wire.receive().await, Some(JsonRpcMessage::Notification(_))));
        assert!(!*leaving.borrow());
        assert!(wire.receive().await.is_none());
        assert!(*leaving.borrow());
    }

    #[tokio::test]
    async fn an_outcome_is_on_its_way_until_its_acknowledgement_is_over() {
        let (mut wire, _, _) = wire(vec![]);
        let count = wire.handing_over.subscribe();
        let message = |structured: Value| {
            let mut result = CallToolResult::success(vec![]);
            result.structured_content = Some(structured);
            let result = ServerResult::CallToolResult(result);
            ServerJsonRpcMessage::response(result, NumberOrString::Number(1))
        };
        let pending = wire.send(message(json!({ "status": "pending", "batch": "b" })));
        assert_eq!(*count.borrow(), 0, "nothing is delivered by that");
        let answered = wire.send(message(json!({ "status": "answered", "batch": "b" })));
        assert_eq!(*count.borrow(), 1);
        let given_up = wire.send(message(json!({ "status": "answered", "batch": "c" })));
        assert_eq!(*count.borrow(), 2);
        drop(given_up);
        pending.await.unwrap();
        answered.await.unwrap();
        assert_eq!(*count.borrow(), 0);
    }

    #[test]
    fn only_an_outcome_is_a_delivery() {
        let check = |structured: Value, expected: Option<&str>| {
            let mut result = CallToolResult::success(vec![]);
            result.structured_content = Some(structured.clone());
            let id = NumberOrString::Number(1);
            let custom = CustomResult(json!({ "content": [], "structuredContent": structured }));
            for result in [ServerResult::CallToolResult(result), ServerResult::CustomResult(custom)]
            {
                let message = ServerJsonRpcMessage::response(result, id.clone());
                assert_eq!(delivered_batch(&message), expected, "{structured}");
            }
        };
        check(json!({ "status": "answered", "batch": "b" }), Some("b"));
        check(json!({ "status": "cancelled", "batch": "b" }), Some("b"));
        check(json!({ "status": "pending", "batch": "b" }), None);
        check(json!({ "status": "error", "error": {} }), None);
    }
}
