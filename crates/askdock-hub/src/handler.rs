//! The operations, each carried out by the part of the hub that it belongs to.

use askdock_domain::Problem;
use askdock_store::{batches, sessions};
use askdock_wire::ops::{
    AnswerRequest, AskBackRequest, AskBody, BatchRef, CancelRequest, DismissRequest, Done,
    DraftRequest, DraftResponse, ExtendRequest, Handler, Health, ListRequest, MessageListRequest,
    MessagePostRequest, NoFields, Scope, SessionDetail, SessionIdRequest, SessionOpenRequest,
    SessionUpdateRequest, SettingsPatch, TurnBeginRequest, TurnEndRequest, TurnRequest,
    WaitRequest, WaitResponse, WindowOpenRequest,
};
use askdock_wire::{
    AskResponse, BatchDto, BatchSummary, Code, MessageDto, Outcome, SessionDto, Settings, Snapshot,
    TurnDto, WIRE_VERSION, WireError,
};

use crate::commit::Refusal;
use crate::{Caller, HostRequest, Hub, access, views};

type Result<T> = std::result::Result<T, WireError>;

impl Handler for Hub {
    type Caller = Caller;

    async fn batch_ask(&self, caller: &Caller, request: AskBody) -> Result<AskResponse> {
        self.ask(caller, request.0).await
    }

    async fn batch_wait(&self, caller: &Caller, request: WaitRequest) -> Result<WaitResponse> {
        self.wait(caller, request).await
    }

    async fn batch_get(&self, caller: &Caller, request: BatchRef) -> Result<BatchDto> {
        let batch: std::result::Result<BatchDto, Refusal> = self.0.store.read(|connection| {
            let row = access::find_own(connection, caller, &request.id)?;
            Ok(views::batch(connection, &row)?)
        });
        let mut batch = batch.map_err(Refusal::into_wire)?;
        if caller.scope != Scope::Person && !cfg!(feature = "broken-draft") {
            // Drafts are the person's alone.
            batch.draft = None;
        }
        Ok(batch)
    }

    async fn batch_list(&self, caller: &Caller, request: ListRequest) -> Result<Vec<BatchSummary>> {
        let status = match request.status.as_deref() {
            None => Some("pending"),
            Some("all") => None,
            Some(status @ ("pending" | "answered" | "dismissed" | "expired" | "cancelled")) => {
                Some(status)
            }
            Some(_) => {
                let message = "Send pending, answered, dismissed, expired, cancelled or all.";
                let problem = Problem::new("unknown_status", "status", message);
                return Err(WireError::invalid(vec![problem.into()]));
            }
        };
        let list: std::result::Result<_, Refusal> = self.0.store.read(|connection| {
            if caller.scope != Scope::Person {
                let session = request.session.as_deref().ok_or_else(|| {
                    WireError::new(
                        Code::Forbidden,
                        "An agent may only list its own session; name it.",
                    )
                })?;
                access::own_session(connection, caller, session)?;
            }
            let filter = batches::Filter {
                status,
                session: request.session.as_deref(),
                turn: request.turn.as_deref(),
                after: request.after.unwrap_or(0).min(i64::MAX.unsigned_abs()),
                limit: request.limit.unwrap_or(1000).min(10_000),
            };
            let rows = batches::list(connection, &filter)?;
            Ok(rows
                .iter()
                .map(|row| views::summary(connection, row))
                .collect::<std::result::Result<_, _>>()?)
        });
        list.map_err(Refusal::into_wire)
    }

    async fn batch_draft(&self, _: &Caller, request: DraftRequest) -> Result<DraftResponse> {
        self.save_draft(request).await
    }

    async fn batch_activity(&self, _: &Caller, request: BatchRef) -> Result<Done> {
        self.activity(request.id).await?;
        Ok(Done {})
    }

    async fn batch_answer(&self, caller: &Caller, request: AnswerRequest) -> Result<Outcome> {
        self.answer(caller, request).await
    }

    async fn batch_dismiss(&self, caller: &Caller, request: DismissRequest) -> Result<Outcome> {
        self.dismiss(caller, request).await
    }

    async fn batch_ask_back(&self, caller: &Caller, request: AskBackRequest) -> Result<Outcome> {
        self.ask_back(caller, request).await
    }

    async fn batch_extend(&self, _: &Caller, request: ExtendRequest) -> Result<BatchDto> {
        self.extend(request).await
    }

    async fn batch_cancel(&self, caller: &Caller, request: CancelRequest) -> Result<Outcome> {
        self.cancel(caller, request).await
    }

    async fn batch_ack(&self, caller: &Caller, request: BatchRef) -> Result<Done> {
        self.acknowledge(caller, request.id).await?;
        Ok(Done {})
    }

    async fn session_open(&self, _: &Caller, request: SessionOpenRequest) -> Result<SessionDetail> {
        self.open_session(request).await
    }

    async fn session_list(&self, _: &Caller, _: NoFields) -> Result<Vec<SessionDto>> {
        self.read(|connection| {
            let rows = sessions::list(connection)?;
            rows.into_iter().map(|row| self.session_dto(connection, row)).collect()
        })
    }

    async fn session_get(
        &self,
        caller: &Caller,
        request: SessionIdRequest,
    ) -> Result<SessionDetail> {
        let mut detail = self.session_detail(caller, &request.id)?;
        if caller.scope != Scope::Person {
            for batch in &mut detail.batches {
                batch.draft = None;
            }
            detail.session.composer = String::new();
        }
        Ok(detail)
    }

    async fn session_update(
        &self,
        _: &Caller,
        request: SessionUpdateRequest,
    ) -> Result<SessionDto> {
        self.update_session(request).await
    }

    async fn session_close(&self, caller: &Caller, request: SessionIdRequest) -> Result<Done> {
        self.close_session(caller, request.id).await?;
        Ok(Done {})
    }

    async fn session_delete(&self, _: &Caller, request: SessionIdRequest) -> Result<Done> {
        self.delete_session(request.id).await?;
        Ok(Done {})
    }

    async fn turn_begin(&self, caller: &Caller, request: TurnBeginRequest) -> Result<TurnDto> {
        self.begin_turn(caller, request).await
    }

    async fn turn_finalize(&self, caller: &Caller, request: TurnRequest) -> Result<TurnDto> {
        self.finalize_turn(caller, request).await
    }

    async fn turn_end(&self, caller: &Caller, request: TurnEndRequest) -> Result<TurnDto> {
        self.end_turn(caller, request).await
    }

    async fn message_post(
        &self,
        caller: &Caller,
        request: MessagePostRequest,
    ) -> Result<MessageDto> {
        self.post_message(caller, request).await
    }

    async fn message_list(
        &self,
        caller: &Caller,
        request: MessageListRequest,
    ) -> Result<Vec<MessageDto>> {
        self.list_messages(caller, request).await
    }

    async fn settings_get(&self, _: &Caller, _: NoFields) -> Result<Settings> {
        Ok(self.settings())
    }

    async fn settings_set(&self, _: &Caller, request: SettingsPatch) -> Result<Settings> {
        self.set_settings(request).await
    }

    async fn events_snapshot(&self, _: &Caller, _: NoFields) -> Result<Snapshot> {
        self.snapshot()
    }

    async fn health(&self, _: &Caller, _: NoFields) -> Result<Health> {
        let (pending, away) = self.counts().map_err(|error| Refusal::Sql(error).into_wire())?;
        Ok(Health {
            version: env!("CARGO_PKG_VERSION").into(),
            wire: WIRE_VERSION,
            pid: std::process::id(),
            hub: self.run_id().into(),
            kind: self.0.kind.name().into(),
            pending,
            away,
            reachable_by: self.reachable_by(),
        })
    }

    async fn window_open(&self, _: &Caller, request: WindowOpenRequest) -> Result<Done> {
        let batch = match &request.batch {
            Some(name) => {
                let row = self.0.store.read(|connection| access::find(connection, name));
                Some(row.map_err(Refusal::into_wire)?)
            }
            None => None,
        };
        let session = request.session.or_else(|| batch.as_ref().map(|batch| batch.session.clone()));
        self.ask_host(HostRequest::OpenWindow {
            session,
            batch: batch.map(|batch| batch.id),
            activation_token: None,
        })
    }

    async fn hub_handover(&self, _: &Caller, _: NoFields) -> Result<Done> {
        if self.0.kind == crate::HubKind::Desktop {
            return Err(WireError::new(
                Code::Unavailable,
                "The desktop app is the hub and keeps the database; quit it first.",
            ));
        }
        self.ask_host(HostRequest::Handover)
    }

    async fn hub_quit(&self, _: &Caller, _: NoFields) -> Result<Done> {
        self.ask_host(HostRequest::Quit)
    }
}

impl Hub {
    fn ask_host(&self, request: HostRequest) -> Result<Done> {
        self.0.host.send(request).map(|()| Done {}).map_err(|_| {
            WireError::new(Code::Unavailable, "The program that runs the hub is leaving.")
        })
    }
}
