//! `list`, `get`, `sessions` and `health`.

use askdock_client::{HubFile, Paths};
use askdock_domain::text::{display, plain};
use askdock_wire::ops::{
    BatchGet, BatchList, BatchRef, HealthGet, ListRequest, NoFields, SessionList,
};
use askdock_wire::{BatchDto, BatchStatus, BatchSummary, QuestionDto};

use super::{connect, outcome};
use crate::args::ListArgs;
use crate::exit::Exit;
use crate::output::{self, say};

/// As many batches as the hub lists at once.
const MOST: u64 = 10_000;

pub(super) async fn list(paths: Paths, args: ListArgs, json: bool) -> anyhow::Result<Exit> {
    let request = ListRequest {
        status: args.all.then(|| "all".to_owned()),
        session: args.session,
        turn: args.turn,
        limit: Some(MOST),
        ..ListRequest::default()
    };
    let batches = connect::as_person(paths).call::<BatchList>(&request).await?;
    if u64::try_from(batches.len()).is_ok_and(|count| count == MOST) {
        say(&format!("These are the newest {MOST}; there may be older ones."));
    }
    if batches.is_empty() && !json {
        say("Nothing waits for an answer.");
    }
    output::data(json, &batches, || batches.iter().map(line).collect::<Vec<_>>().join("\n"))?;
    Ok(Exit::Done)
}

pub(super) async fn get(paths: Paths, batch: String, json: bool) -> anyhow::Result<Exit> {
    let request = BatchRef { id: batch };
    let batch = connect::as_person(paths).call::<BatchGet>(&request).await?;
    output::data(json, &batch, || whole(&batch))?;
    Ok(Exit::Done)
}

pub(super) async fn sessions(paths: Paths, json: bool) -> anyhow::Result<Exit> {
    let sessions = connect::as_person(paths).call::<SessionList>(&NoFields {}).await?;
    output::data(json, &sessions, || {
        let line = |session: &askdock_wire::SessionDto| {
            let connected = if session.connected { "waiting" } else { "away" };
            format!(
                "{}  {}  {}  {} pending, {connected}",
                plain(&session.id),
                plain(&session.agent),
                plain(&session.title),
                session.pending + session.away,
            )
        };
        sessions.iter().map(line).collect::<Vec<_>>().join("\n")
    })?;
    Ok(Exit::Done)
}

pub(super) async fn health(paths: Paths, json: bool) -> anyhow::Result<Exit> {
    let client = connect::as_person(paths);
    let health = client.call::<HealthGet>(&NoFields {}).await?;
    let socket = HubFile::read(client.paths()).map(|hub| hub.socket.display().to_string());
    output::data(json, &health, || {
        let by = match health.reachable_by.as_slice() {
            [] => "Nobody can be reached.".to_owned(),
            by => format!("The person is reached by: {}.", by.join(", ")),
        };
        format!(
            "The hub is well: {} {}, pid {}, at {}.\n{} waiting for an answer, {} whose agent is \
             away.\n{by}",
            health.kind,
            health.version,
            health.pid,
            socket.unwrap_or_default(),
            health.pending,
            health.away,
        )
    })?;
    Ok(Exit::Done)
}

fn line(batch: &BatchSummary) -> String {
    let questions: Vec<_> = batch.questions.iter().map(|question| plain(question)).collect();
    format!(
        "#{}  {}  {}  {}",
        batch.number,
        status(batch.status, batch.away),
        plain(&batch.agent),
        questions.join(" · "),
    )
}

fn status(status: BatchStatus, away: bool) -> &'static str {
    match status {
        BatchStatus::Pending if away => "pending (the agent is away)",
        BatchStatus::Pending => "pending",
        BatchStatus::Answered => "answered",
        BatchStatus::Dismissed => "dismissed",
        BatchStatus::Expired => "expired",
        BatchStatus::Cancelled => "cancelled",
    }
}

/// A batch with everything that the person has to know to answer it.
fn whole(batch: &BatchDto) -> String {
    let mut lines = vec![format!(
        "#{}  {}  {}  {}",
        batch.number,
        status(batch.status, batch.away),
        plain(&batch.agent),
        plain(&batch.session_title),
    )];
    let asked = batch.origin.as_ref();
    lines.extend(asked.map(|by| format!("Asked by {} (pid {})", plain(&by.program), by.pid)));
    lines.extend(batch.folder.as_deref().map(|folder| format!("In {}", plain(folder))));
    lines.extend(batch.deadline.as_deref().map(|at| format!("Until {at}")));
    lines.extend(batch.context.as_deref().map(display));
    lines.extend(batch.message.as_deref().map(display));
    lines.extend(batch.url.as_deref().map(plain));
    for (question, visible) in batch.questions.iter().zip(&batch.visible) {
        if *visible || batch.status == BatchStatus::Pending {
            lines.push(String::new());
            lines.push(question_text(question));
        }
    }
    if let Some(ended) = &batch.outcome {
        let via = plain(&ended.responder.via);
        lines.push(format!("\nEnded at {} via {via}:", ended.ended_at));
        lines.push(outcome::text(ended));
    }
    lines.join("\n")
}

/// A question with its options, numbered as a typed reply names them.
pub(super) fn question_text(question: &QuestionDto) -> String {
    let mut lines = vec![display(&question.question)];
    lines.extend(question.description.as_deref().map(display));
    for (position, option) in question.options.iter().enumerate() {
        let recommended = if option.recommended { " (recommended)" } else { "" };
        let description = option.description.as_deref().map(|text| format!(" - {}", plain(text)));
        lines.push(format!(
            "  {}. {}{recommended}{}",
            position + 1,
            plain(&option.display_label),
            description.unwrap_or_default(),
        ));
    }
    if question.multi_select {
        lines.push("  Several may be selected, separated by commas.".to_owned());
    }
    if question.allow_custom && !question.options.is_empty() {
        lines.push("  Or type something else.".to_owned());
    }
    lines.join("\n")
}
