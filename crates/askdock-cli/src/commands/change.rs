//! `dismiss`, `extend` and `cancel`.

use askdock_client::Paths;
use askdock_wire::ops::{
    BatchCancel, BatchDismiss, BatchExtend, CancelRequest, DismissRequest, ExtendRequest,
};

use super::connect;
use crate::args::{CancelArgs, ExtendArgs};
use crate::exit::Exit;
use crate::output;

pub(super) async fn dismiss(paths: Paths, batch: String, json: bool) -> anyhow::Result<Exit> {
    let request = DismissRequest { id: batch, answer_id: None, content_hash: None, via: None };
    let outcome = connect::as_person(paths).call::<BatchDismiss>(&request).await?;
    output::data(json, &outcome, || format!("Dismissed #{}.", outcome.number))?;
    Ok(Exit::Done)
}

pub(super) async fn extend(paths: Paths, args: ExtendArgs, json: bool) -> anyhow::Result<Exit> {
    let request = ExtendRequest { id: args.batch, seconds: args.seconds };
    let batch = connect::as_person(paths).call::<BatchExtend>(&request).await?;
    output::data(json, &batch, || match &batch.deadline {
        Some(deadline) => format!("#{} now has until {deadline}.", batch.number),
        None => format!("#{} has no deadline.", batch.number),
    })?;
    Ok(Exit::Done)
}

pub(super) async fn cancel(paths: Paths, args: CancelArgs, json: bool) -> anyhow::Result<Exit> {
    let request = CancelRequest { id: args.batch, reason: args.reason };
    let outcome = connect::as_agent_or_person(&paths, async |client| {
        client.call::<BatchCancel>(&request).await
    })
    .await?;
    output::data(json, &outcome, || format!("Cancelled #{}.", outcome.number))?;
    Ok(Exit::Done)
}
