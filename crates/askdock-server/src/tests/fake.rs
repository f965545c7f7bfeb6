//! A hub that records what reaches it.

use std::sync::{Arc, Mutex};

use askdock_hub::{Caller, Peer};
use askdock_wire::ops::*;
use askdock_wire::*;
use futures_util::{Stream, stream};
use serde_json::Value;
use tokio::sync::watch;

use crate::Host;

pub(super) struct Fake {
    pub(super) calls: Mutex<Vec<(&'static str, Value, Caller)>>,
    /// Requests that wait for an outcome.
    pub(super) waiting: watch::Sender<i32>,
    /// Changes under way, and whether they may finish.
    pub(super) changing: watch::Sender<i32>,
    pub(super) finish: watch::Sender<bool>,
    pub(super) closed: watch::Sender<Vec<u64>>,
    pub(super) refuse_person: Mutex<bool>,
}

impl Fake {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            calls: Mutex::default(),
            waiting: watch::Sender::new(0),
            changing: watch::Sender::new(0),
            finish: watch::Sender::new(false),
            closed: watch::Sender::new(vec![]),
            refuse_person: Mutex::default(),
        })
    }

    pub(super) fn last_call(&self) -> (&'static str, Value, Caller) {
        self.calls.lock().unwrap().last().unwrap().clone()
    }

    fn record(&self, name: &'static str, request: &impl serde::Serialize, caller: &Caller) {
        let request = serde_json::to_value(request).unwrap();
        self.calls.lock().unwrap().push((name, request, caller.clone()));
    }
}

/// Counts as long as it lives.
pub(super) struct Counted<'a>(&'a watch::Sender<i32>);

impl<'a> Counted<'a> {
    pub(super) fn new(counter: &'a watch::Sender<i32>) -> Self {
        counter.send_modify(|n| *n += 1);
        Self(counter)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|n| *n -= 1);
    }
}

/// Operations that only record and then say `no_person`, which the server itself never says.
macro_rules! recorded {
    ($($fn:ident $op:ident;)*) => { $(
        async fn $fn(
            &self,
            caller: &Caller,
            request: <$op as Operation>::Request,
        ) -> Result<<$op as Operation>::Response, WireError> {
            self.record($op::ENTRY.name, &request, caller);
            Err(WireError::new(Code::NoPerson, "recorded"))
        }
    )* };
}

impl Handler for Fake {
    type Caller = Caller;

    recorded! {
        batch_ask BatchAsk; batch_get BatchGet; batch_list BatchList; batch_draft BatchDraft;
        batch_activity BatchActivity; batch_answer BatchAnswer; batch_dismiss BatchDismiss;
        batch_ask_back BatchAskBack; batch_extend BatchExtend; batch_cancel BatchCancel;
        batch_ack BatchAck; session_open SessionOpen; session_list SessionList;
        session_get SessionGet; session_update SessionUpdate; session_close SessionClose;
        session_delete SessionDelete; turn_begin TurnBegin; turn_finalize TurnFinalize;
        turn_end TurnEnd; message_post MessagePost; message_list MessageList;
        settings_set SettingsSet; events_snapshot EventsSnapshot; window_open WindowOpen;
        hub_quit HubQuit;
    }

    async fn batch_wait(
        &self,
        caller: &Caller,
        request: WaitRequest,
    ) -> Result<WaitResponse, WireError> {
        self.record(BatchWait::ENTRY.name, &request, caller);
        if request.wait.is_none() {
            return Ok(WaitResponse { outcome: None, asked_form: None, full: request.full });
        }
        let _waiting = Counted::new(&self.waiting);
        std::future::pending().await
    }

    /// Takes until the test lets it finish.
    async fn hub_handover(&self, caller: &Caller, request: NoFields) -> Result<Done, WireError> {
        self.record(HubHandover::ENTRY.name, &request, caller);
        let _changing = Counted::new(&self.changing);
        let _ = self.finish.subscribe().wait_for(|finish| *finish).await;
        Ok(Done {})
    }

    async fn settings_get(&self, _: &Caller, _: NoFields) -> Result<Settings, WireError> {
        panic!("a fault of the hub");
    }

    async fn health(&self, caller: &Caller, request: NoFields) -> Result<Health, WireError> {
        self.record(HealthGet::ENTRY.name, &request, caller);
        Ok(Health {
            version: "0".into(),
            wire: WIRE_VERSION,
            pid: 1,
            hub: "run".into(),
            kind: "serve".into(),
            pending: 0,
            away: 0,
            reachable_by: vec![],
        })
    }
}

impl Host for Fake {
    fn events(&self, after: Option<u64>) -> impl Stream<Item = Event> + Send + 'static {
        let from = after.map_or(1, |seq| seq + 1);
        let known = (from..=3).map(|seq| Event { seq, delta: Delta::SessionDeleted("s\n".into()) });
        futures_util::StreamExt::chain(stream::iter(known), stream::pending())
    }

    fn person_refusal(&self, peer: &Peer) -> Option<WireError> {
        assert_eq!(peer.process.pid, std::process::id());
        let refuse = *self.refuse_person.lock().unwrap();
        refuse.then(|| WireError::new(Code::Forbidden, "an agent waits"))
    }

    fn connection_closed(&self, connection: u64) {
        self.closed.send_modify(|closed| closed.push(connection));
    }
}
