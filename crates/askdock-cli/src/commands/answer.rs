//! `answer`.

use std::io::{self, IsTerminal};

use anyhow::anyhow;
use askdock_client::{Client, Paths};
use askdock_wire::ops::{AnswerRequest, BatchAnswer, BatchGet, BatchRef};
use askdock_wire::{AnswerInput, BatchDto, BatchStatus};
use serde_json::{Value, json};

use super::{change, connect, dialogue, input, outcome};
use crate::args::AnswerArgs;
use crate::exit::{Exit, Usage};
use crate::output;

pub(super) async fn answer(paths: Paths, args: AnswerArgs, json: bool) -> anyhow::Result<Exit> {
    let client = connect::as_person(paths.clone());
    let batch = args.batch.clone();
    let request = if let Some(path) = &args.input {
        from_input(batch, input::read(path)?)?
    } else if !args.reply.is_empty() {
        AnswerRequest { reply: Some(args.reply.join(" ")), ..named(batch) }
    } else if args.text.is_some() || !args.options.is_empty() {
        let shown = get(&client, batch).await?;
        let answer = AnswerInput {
            selected: args.options,
            text: args.text,
            notes: args.notes,
            blank: false,
        };
        to_the_only_question(&shown, &answer)?
    } else if io::stdin().is_terminal() {
        let shown = get(&client, batch).await?;
        match dialogue::answers(&shown)? {
            Some(answers) => AnswerRequest { answers: Some(json!(answers)), ..seen(&shown) },
            None => return change::dismiss(paths, shown.id, json).await,
        }
    } else {
        return Err(usage("Give a reply, --text, --option or --input; /skip dismisses."));
    };
    let outcome = client.call::<BatchAnswer>(&request).await?;
    output::data(json, &outcome, || match outcome.status {
        BatchStatus::Dismissed => format!("Dismissed #{}.", outcome.number),
        _ if outcome.order.len() == 1 => {
            format!("Answered #{}: {}", outcome.number, outcome::text(&outcome))
        }
        _ => format!("Answered #{}.\n{}", outcome.number, outcome::text(&outcome)),
    })?;
    Ok(Exit::Done)
}

async fn get(client: &Client, batch: String) -> anyhow::Result<BatchDto> {
    Ok(client.call::<BatchGet>(&BatchRef { id: batch }).await?)
}

fn to_the_only_question(shown: &BatchDto, answer: &AnswerInput) -> anyhow::Result<AnswerRequest> {
    let [question] = shown.questions.as_slice() else {
        return Err(usage(&format!(
            "#{} has {} questions; answer them with --input or in a terminal.",
            shown.number,
            shown.questions.len(),
        )));
    };
    Ok(AnswerRequest { answers: Some(json!({ &question.id: answer })), ..seen(shown) })
}

/// `{"answer_id"?, "content_hash"?, "answers": …}`, or the answers alone.
fn from_input(batch: String, input: Value) -> anyhow::Result<AnswerRequest> {
    let Value::Object(mut fields) = input else {
        if input.is_array() {
            return Ok(AnswerRequest { answers: Some(input), ..named(batch) });
        }
        return Err(usage("The input is not a JSON object with \"answers\"."));
    };
    if !fields.contains_key("answers") && !fields.contains_key("reply") {
        return Ok(AnswerRequest { answers: Some(Value::Object(fields)), ..named(batch) });
    }
    fields.insert("id".into(), batch.into());
    serde_json::from_value(Value::Object(fields))
        .map_err(|error| usage(&format!("The input is not an answer: {error}.")))
}

fn named(batch: String) -> AnswerRequest {
    AnswerRequest {
        id: batch,
        answers: None,
        reply: None,
        answer_id: None,
        content_hash: None,
        via: None,
    }
}

/// An answer to exactly what was shown.
fn seen(shown: &BatchDto) -> AnswerRequest {
    AnswerRequest { content_hash: Some(shown.content_hash.clone()), ..named(shown.id.clone()) }
}

fn usage(message: &str) -> anyhow::Error {
    anyhow!(Usage(message.to_owned()))
}
