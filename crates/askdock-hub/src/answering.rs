//! Ending and extending: what the person does with a batch, and the asker's own withdrawal.

use std::collections::BTreeMap;

use askdock_dialects::read_answers;
use askdock_domain::{
    Act, Answer, AnswerKey, Event, Millis, Problem, Question, Reply, Responder, ResponderKind,
    Submitted, limits, match_reply, resolve, visible,
};
use askdock_store::batches::BatchRow;
use askdock_wire::ops::{
    AnswerRequest, AskBackRequest, CancelRequest, DismissRequest, ExtendRequest, Scope,
};
use askdock_wire::{AnswerDto, AnswerInput, BatchDto, Code, Outcome, ProblemDto, WireError};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::commit::{Change, Refusal};
use crate::views::StoredResult;
use crate::{Caller, Hub, access, commit, secrets, views};

impl Hub {
    pub(crate) async fn answer(
        &self,
        caller: &Caller,
        request: AnswerRequest,
    ) -> Result<Outcome, WireError> {
        let (caller, hub) = (caller.clone(), self.clone());
        self.change(move |change| {
            let row = access::find(change.connection, &request.id)?;
            let questions = views::content(&row).questions;
            let read = match read_request(&row, &questions, &request) {
                // To somebody who is too late, who was first says more than what is wrong.
                Err(_) if !row.state.is_pending() => return Err(commit::already_ended(&row).into()),
                read => read?,
            };
            let Some(answers) = read else {
                let by = By::new(&caller, request.via, request.answer_id);
                return dismiss(change, row, &by, request.content_hash, None, None);
            };
            let by = By::new(&caller, request.via, request.answer_id);
            let mut answers = dtos(&questions, &answers);
            let secrets = secrets::taken_out(&questions, &mut answers);
            let number = row.number;
            let ends = row.state.is_pending();
            if ends && !secrets.is_empty() {
                hub.check_secrets(number)?;
            }
            let act = by.act("answer", &row, &answers);
            let event = Event::Answer {
                content_hash: request.content_hash,
                act,
                responder: by.responder.clone(),
            };
            let result = by.result(StoredResult { answers, ..Default::default() });
            let outcome = end(change, row, event, &result)?;
            if ends {
                // Those of this answer and of no other; before the commit wakes who waits.
                hub.keep_secrets(number, secrets);
            }
            Ok(outcome)
        })
        .await
    }

    pub(crate) async fn dismiss(
        &self,
        caller: &Caller,
        request: DismissRequest,
    ) -> Result<Outcome, WireError> {
        let caller = caller.clone();
        self.change(move |change| {
            let row = access::find(change.connection, &request.id)?;
            let by = By::new(&caller, request.via, request.answer_id);
            dismiss(change, row, &by, request.content_hash, None, None)
        })
        .await
    }

    pub(crate) async fn ask_back(
        &self,
        caller: &Caller,
        request: AskBackRequest,
    ) -> Result<Outcome, WireError> {
        let message = request.message.trim();
        if message.is_empty() || message.len() > limits::TYPED_ANSWER.max {
            return Err(invalid(vec![Problem::new(
                "bad_text",
                "message",
                format!(
                    "Write what you want to ask back, at most {} bytes.",
                    limits::TYPED_ANSWER.max
                ),
            )])
            .into_wire());
        }
        let caller = caller.clone();
        self.change(move |change| {
            let row = access::find(change.connection, &request.id)?;
            let questions = views::content(&row).questions;
            let partial = partial(&questions, &request.answers);
            let by = By::new(&caller, request.via, request.answer_id);
            dismiss(change, row, &by, request.content_hash, Some(request.message), Some(partial))
        })
        .await
    }

    pub(crate) async fn extend(&self, request: ExtendRequest) -> Result<BatchDto, WireError> {
        self.change(move |change| {
            let row = access::find(change.connection, &request.id)?;
            let by = Millis::from_secs(request.seconds);
            let row = change.apply(row, Event::Extend(by), None)?;
            Ok(views::batch(change.connection, &row)?)
        })
        .await
    }

    pub(crate) async fn activity(&self, id: String) -> Result<(), WireError> {
        self.change(move |change| {
            let row = access::find(change.connection, &id)?;
            change.apply(row, Event::Activity, None)?;
            Ok(())
        })
        .await
    }

    pub(crate) async fn cancel(
        &self,
        caller: &Caller,
        request: CancelRequest,
    ) -> Result<Outcome, WireError> {
        let caller = caller.clone();
        self.change(move |change| {
            let row = access::find_own(change.connection, &caller, &request.id)?;
            let reason = request.reason.filter(|reason| !reason.trim().is_empty());
            let responder = By::new(&caller, None, None).responder;
            let event =
                Event::Cancel { reason: reason.unwrap_or_else(|| "withdrawn".into()), responder };
            end(change, row, event, &StoredResult::default())
        })
        .await
    }

    /// The asking client wrote the outcome to its agent.
    pub(crate) async fn acknowledge(&self, caller: &Caller, id: String) -> Result<(), WireError> {
        if caller.scope == Scope::Person {
            // The person looked on; the agent hasn't got it by that.
            return Ok(());
        }
        let caller = caller.clone();
        let number = self
            .change(move |change| {
                let row = access::find_own(change.connection, &caller, &id)?;
                let number = row.number;
                change.apply(row, Event::Delivered, None)?;
                Ok(number)
            })
            .await?;
        self.forget_secrets(number);
        Ok(())
    }
}

fn dismiss(
    change: &mut Change<'_>,
    row: BatchRow,
    by: &By,
    content_hash: Option<String>,
    message: Option<String>,
    partial: Option<BTreeMap<String, AnswerDto>>,
) -> Result<Outcome, Refusal> {
    let act = by.act("dismiss", &row, &(&message, &partial));
    let event = Event::Dismiss {
        content_hash,
        act,
        reason: message.as_ref().map(|_| "ask_back".to_owned()),
        responder: by.responder.clone(),
    };
    let result = by.result(StoredResult { message, partial, ..Default::default() });
    end(change, row, event, &result)
}

fn end(
    change: &mut Change<'_>,
    row: BatchRow,
    event: Event,
    result: &StoredResult,
) -> Result<Outcome, Refusal> {
    let row = change.apply(row, event, Some(result.to_json()))?;
    views::outcome(&row).ok_or_else(|| {
        WireError::new(Code::Internal, "The batch did not end; nothing was recorded.").into()
    })
}

/// The answers that a request gives; `None`: a dismissal.
fn read_request(
    row: &BatchRow,
    questions: &[Question],
    request: &AnswerRequest,
) -> Result<Option<Vec<Answer>>, Refusal> {
    match (&request.reply, &request.answers) {
        (Some(reply), None) => read_reply(row, questions, reply),
        (None, Some(answers)) => {
            let entries = read_answers(answers).map_err(invalid)?;
            resolve(questions, &entries).map(Some).map_err(invalid)
        }
        (None, None) if questions.is_empty() => Ok(Some(vec![])),
        _ => Err(invalid(vec![Problem::new(
            "no_answer",
            "answers",
            "Send either answers, by question id, or one typed reply.",
        )])),
    }
}

/// What a typed reply to a batch of one question means; `None`: a dismissal.
fn read_reply(
    row: &BatchRow,
    questions: &[Question],
    reply: &str,
) -> Result<Option<Vec<Answer>>, Refusal> {
    let [question] = questions else {
        return Err(invalid(vec![Problem::new(
            "several_questions",
            "reply",
            format!(
                "Batch #{number} has {} questions, and one reply answers one. `askdock answer \
                 {number}` asks them one after the other; a program sends `answers` by question id.",
                questions.len(),
                number = row.number
            ),
        )]));
    };
    match match_reply(question, reply) {
        Reply::Dismiss => Ok(None),
        Reply::Rejected(sentence) => {
            Err(invalid(vec![Problem::new("reply_not_understood", "reply", sentence)]))
        }
        // The same checks as for any other answer.
        Reply::Answer(answer) => {
            let submitted = Submitted {
                selected: answer
                    .selected
                    .iter()
                    .filter_map(|&index| question.options.get(index))
                    .map(|option| option.id.clone())
                    .collect(),
                text: answer.text,
                notes: answer.notes,
                blank: answer.blank,
            };
            let key = AnswerKey::Index(0);
            resolve(questions, &[(key, submitted)]).map(Some).map_err(invalid)
        }
    }
}

/// The answers so far that stand on their own; the rest, and every secret, is left out.
fn partial(
    questions: &[Question],
    answers: &BTreeMap<String, AnswerInput>,
) -> BTreeMap<String, AnswerDto> {
    let answered: Vec<Answer> = questions
        .iter()
        .map(|question| {
            let Some(input) = answers.get(&question.id).filter(|_| !question.secret) else {
                return Answer::default();
            };
            let entry = (AnswerKey::Index(0), submitted(input.clone()));
            // Alone, so that what is still missing elsewhere is no fault of this one.
            let alone = Question { show_when: vec![], ..question.clone() };
            if input.blank {
                return Answer { notes: input.notes.clone(), ..Answer::blank() };
            }
            resolve(&[alone], &[entry]).ok().and_then(|mut found| found.pop()).unwrap_or_default()
        })
        .collect();
    let shown = visible(questions, &answered);
    questions
        .iter()
        .zip(&answered)
        .zip(shown)
        .filter(|((_, answer), shown)| *shown && (answer.is_answered() || answer.blank))
        .map(|((question, answer), _)| (question.id.clone(), views::answer_dto(question, answer)))
        .collect()
}

fn submitted(input: AnswerInput) -> Submitted {
    Submitted { selected: input.selected, text: input.text, notes: input.notes, blank: input.blank }
}

fn dtos(questions: &[Question], answers: &[Answer]) -> BTreeMap<String, AnswerDto> {
    questions
        .iter()
        .zip(answers)
        .map(|(question, answer)| (question.id.clone(), views::answer_dto(question, answer)))
        .collect()
}

fn invalid(problems: Vec<Problem>) -> Refusal {
    let problems: Vec<ProblemDto> = problems.into_iter().map(Into::into).collect();
    WireError::invalid(problems).into()
}

/// Who ends a batch, and under which id.
struct By {
    responder: Responder,
    answer_id: Option<String>,
    pid: Option<u32>,
    program: Option<String>,
}

impl By {
    fn new(caller: &Caller, via: Option<String>, answer_id: Option<String>) -> Self {
        let via = via.unwrap_or_else(|| caller.via.to_owned());
        let (kind, id) = match caller.scope {
            Scope::Person => (ResponderKind::User, "local"),
            Scope::Agent | Scope::Open => (ResponderKind::System, "agent"),
        };
        Self {
            responder: Responder { kind, id: id.into(), via },
            answer_id,
            pid: caller.peer.as_ref().map(|peer| peer.process.pid),
            program: caller.peer.as_ref().map(|peer| peer.program.clone()),
        }
    }

    /// The id of this act; without one of the answerer's own, derived from who and what.
    fn act(&self, what: &str, row: &BatchRow, content: &impl Serialize) -> Act {
        let fingerprint = digest(&(what, &row.state.content_hash, content));
        let answer_id = self.answer_id.clone().unwrap_or_else(|| {
            let caller = (&self.responder.id, &self.responder.via, self.pid, &fingerprint);
            format!("derived:{}", digest(&caller))
        });
        Act { answer_id, fingerprint }
    }

    fn result(&self, result: StoredResult) -> StoredResult {
        StoredResult { pid: self.pid, program: self.program.clone(), ..result }
    }
}

fn digest(content: &impl Serialize) -> String {
    let json = serde_json::to_string(content).unwrap_or_default();
    Sha256::digest(json.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
