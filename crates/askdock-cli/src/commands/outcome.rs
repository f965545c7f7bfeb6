//! Waiting for an outcome, and its text.

use askdock_client::{Client, ClientError};
use askdock_domain::text::{display, plain};
use askdock_wire::{AnswerDto, BatchStatus, Outcome};

use crate::exit::Exit;
use crate::output::{self, say};

/// Waits for the outcome, prints it, and then tells the hub that it was delivered.
pub(super) async fn await_and_print(
    client: &Client,
    batch: &str,
    number: &str,
    json: bool,
) -> anyhow::Result<Exit> {
    if let Err(ClientError::NoHub) = client.reach().await {
        say("No Askdock hub is running; waiting until one starts.");
    }
    let response = tokio::select! {
        response = client.wait(batch) => response?,
        interrupted = tokio::signal::ctrl_c() => {
            interrupted?;
            say(&format!(
                "\nThe question stays open. Wait for its answer again with: askdock wait {number}"
            ));
            return Ok(Exit::Interrupted);
        }
    };
    let Some(outcome) = response.outcome else { anyhow::bail!("the hub sent no outcome") };
    match response.asked_form {
        Some(asked_form) if json => output::data(true, &asked_form, String::new)?,
        _ => output::data(json, &outcome, || for_agent(&outcome))?,
    }
    if let Err(error) = client.ack(batch).await {
        tracing::debug!(%error, "the delivery was not acknowledged");
    }
    Ok(Exit::of_status(outcome.status))
}

/// An outcome as the asking agent reads it.
fn for_agent(outcome: &Outcome) -> String {
    let mut lines = vec![text(outcome)];
    lines.extend(outcome.guidance.clone());
    lines.join("\n")
}

/// An outcome as text: the answer alone if there is one, else a line for each question.
pub(super) fn text(outcome: &Outcome) -> String {
    let mut lines = vec![];
    match outcome.status {
        BatchStatus::Answered => {
            let alone = outcome.order.len() == 1;
            for id in &outcome.order {
                let answer = outcome.answers.get(id).map(answer_text).unwrap_or_default();
                lines.push(if alone { answer } else { format!("{}: {answer}", plain(id)) });
            }
            if outcome.order.is_empty() {
                lines.push("Accepted.".to_owned());
            }
        }
        _ => {
            let status = match outcome.status {
                BatchStatus::Dismissed => "dismissed",
                BatchStatus::Expired => "expired",
                BatchStatus::Cancelled => "cancelled",
                BatchStatus::Answered | BatchStatus::Pending => "pending",
            };
            let reason = outcome.reason.as_deref().map(|reason| format!(" ({})", plain(reason)));
            lines.push(format!("Not answered: {status}{}.", reason.unwrap_or_default()));
            lines.extend(outcome.message.as_deref().map(display));
            for (id, answer) in outcome.partial.iter().flatten() {
                lines.push(format!("{}: {}", plain(id), answer_text(answer)));
            }
        }
    }
    lines.join("\n")
}

fn answer_text(answer: &AnswerDto) -> String {
    let mut parts: Vec<String> =
        answer.selected.iter().map(|option| plain(&option.label)).collect();
    parts.extend(answer.text.as_deref().map(display));
    if parts.is_empty() {
        parts.push("(left blank)".to_owned());
    }
    let notes = answer.notes.as_deref().map(|notes| format!(" (note: {})", display(notes)));
    format!("{}{}", parts.join(", "), notes.unwrap_or_default())
}
