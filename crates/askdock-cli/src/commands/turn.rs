//! `turn begin`, `turn finalize`, `turn end`.

use askdock_client::{Client, OwnSessions, Paths};
use askdock_wire::TurnDto;
use askdock_wire::ops::{
    SessionOpen, SessionOpenRequest, TurnBegin, TurnBeginRequest, TurnEnd, TurnEndRequest,
    TurnFinalize, TurnRequest,
};

use super::connect;
use crate::args::TurnCommand;
use crate::exit::Exit;
use crate::output;

pub(super) async fn turn(paths: Paths, command: TurnCommand, json: bool) -> anyhow::Result<Exit> {
    let turn = match command {
        TurnCommand::Begin(args) => {
            // A turn is begun before anything is asked, so this may be the session's first sign.
            let client = connect::as_new_asker(paths.clone());
            client.ensure_hub().await?;
            let session = open(&client, &paths, args.session.session).await?;
            let (turn, max_duration) = (args.turn, args.max_duration);
            client.call::<TurnBegin>(&TurnBeginRequest { session, turn, max_duration }).await?
        }
        TurnCommand::Finalize(args) => {
            let client = connect::as_agent(paths.clone());
            let session = open(&client, &paths, args.session.session).await?;
            client.call::<TurnFinalize>(&TurnRequest { session, turn: args.turn }).await?
        }
        TurnCommand::End(args) => {
            let client = connect::as_agent(paths.clone());
            let session = open(&client, &paths, args.turn.session.session).await?;
            let (turn, state) = (args.turn.turn, Some(args.state));
            client.call::<TurnEnd>(&TurnEndRequest { session, turn, state }).await?
        }
    };
    print(&turn, json)
}

/// Opens the session, which gives the secret that shows it to be our own.
async fn open(client: &Client, paths: &Paths, id: Option<String>) -> anyhow::Result<String> {
    let request = SessionOpenRequest { session: connect::session(id, None) };
    let detail = client.call::<SessionOpen>(&request).await?;
    if let Some(secret) = &detail.session_secret {
        client.show_secret(secret);
        OwnSessions::remember(paths, &detail.session.id, secret)?;
    }
    Ok(detail.session.id)
}

fn print(turn: &TurnDto, json: bool) -> anyhow::Result<Exit> {
    output::data(json, turn, || format!("{} {}", turn.id, turn.state))?;
    Ok(Exit::Done)
}
