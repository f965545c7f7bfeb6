//! `ask` and `wait`.

use std::path::Path;

use anyhow::anyhow;
use askdock_client::{Client, ClientError, OwnSessions, Paths, is_unattended};
use askdock_domain::text::plain;
use askdock_wire::{AskRequest, Code, ProblemDto, SessionRef, WireError};
use serde_json::{Value, json};

use super::{connect, input, outcome};
use crate::args::AskArgs;
use crate::exit::{Exit, Usage};
use crate::output::{self, say};

pub(super) async fn ask(paths: Paths, args: AskArgs, json: bool) -> anyhow::Result<Exit> {
    let (no_wait, request) = (args.no_wait, request(args)?);
    let fails_fast = request.unattended && !request.wait_for_person;
    let client = if fails_fast {
        // A hub that we start would refuse: there is nobody it could reach.
        Client::new(paths.clone(), askdock_client::Role::Agent, askdock_client::Program::Cli)
    } else {
        connect::as_new_asker(paths.clone())
    };
    let asked = match client.ask(request).await {
        Err(ClientError::NoHub) if fails_fast => return Err(nobody().into()),
        result => result?,
    };
    if let Err(error) = OwnSessions::remember(&paths, &asked.session, &asked.session_secret) {
        say(&format!("askdock: a later command won't be able to wait for this ask: {error}"));
    }
    say_warnings(&asked.warnings);
    if no_wait {
        let printed = json!({"number": asked.number, "id": asked.id});
        output::data(json, &printed, || format!("#{} {}", asked.number, asked.id))?;
        return Ok(Exit::Done);
    }
    let asked_now = if asked.created { "Asked as" } else { "Asked before as" };
    say(&format!("{asked_now} #{}; waiting for the answer.", asked.number));
    outcome::await_and_print(&client, &asked.id, &format!("{}", asked.number), json).await
}

pub(super) async fn wait(paths: Paths, batch: String, json: bool) -> anyhow::Result<Exit> {
    let client = connect::as_agent(paths.clone());
    match outcome::await_and_print(&client, &batch, &batch, json).await {
        // Another agent's: the person may wait for it too.
        Err(error) if error.downcast_ref().and_then(ClientError::code) == Some(Code::Forbidden) => {
            let client = connect::as_person(paths);
            outcome::await_and_print(&client, &batch, &batch, json).await
        }
        result => result,
    }
}

/// The ask that the flags and the input make.
fn request(args: AskArgs) -> anyhow::Result<AskRequest> {
    let mut request = match (&args.input, &args.question) {
        (Some(path), _) => from_input(path, args.dialect)?,
        (None, Some(_)) if args.dialect.is_some() => {
            return Err(anyhow!(Usage(
                "--dialect is about what --input reads; leave it out.".into()
            )));
        }
        (None, Some(question)) => AskRequest::from_body(json!({ "input": {
            "context": args.context,
            "questions": [{
                "question": question,
                "header": args.header,
                "options": args.options,
                "multi_select": args.multi,
                "allow_custom": !args.no_custom,
            }],
        }}))?,
        (None, None) => return Err(anyhow!(Usage("Give a question, or --input.".into()))),
    };
    if args.session.session.is_some() || request.session == SessionRef::default() {
        request.session = connect::session(args.session.session, args.agent);
    }
    request.turn = args.turn.or(request.turn);
    request.request_id = args.request_id.or(request.request_id);
    request.timeout_seconds = args.timeout.or(request.timeout_seconds);
    request.wait_for_person |= args.wait;
    request.unattended |= is_unattended(std::env::var("CI").ok().as_deref());
    // Whoever runs the same command again after an interruption means the same ask.
    request.resume |= !args.no_wait;
    Ok(request)
}

fn from_input(path: &Path, dialect: Option<String>) -> anyhow::Result<AskRequest> {
    let mut body = input::read(path)?;
    if let (Some(dialect), Value::Object(fields)) = (&dialect, &mut body) {
        fields.insert("dialect".into(), dialect.clone().into());
    }
    let mut request = AskRequest::from_body(body)
        .map_err(|error| Usage(format!("{}: {error}.", path.display())))?;
    request.dialect = dialect.or(request.dialect);
    Ok(request)
}

fn nobody() -> ClientError {
    ClientError::Refused(WireError::new(
        Code::NoPerson,
        "CI is set and no Askdock hub is running, so nobody can answer. Continue with your best \
         judgement and state the assumption, or ask with --wait.",
    ))
}

fn say_warnings(warnings: &[ProblemDto]) {
    for warning in warnings {
        say(&format!("askdock: note: {}", plain(&warning.sentence())));
    }
}
