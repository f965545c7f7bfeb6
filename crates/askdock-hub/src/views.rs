//! Stored rows as the wire shows them.

use std::collections::BTreeMap;

use askdock_domain::{Answer, AskContent, Question, guidance, visible};
use askdock_store::batches::BatchRow;
use askdock_store::messages::MessageRow;
use askdock_store::sessions::SessionRow;
use askdock_store::{Connection, SqlError, sessions};
use askdock_wire::names::{content_from_json, kind_name, responder_kind_name, risk_name};
use askdock_wire::{
    AnswerDto, Author, BatchDto, BatchStatus, BatchSummary, Draft, MessageDto, OriginDto, Outcome,
    ProblemDto, QuestionDto, ResponderDto, SelectedDto, SessionDto, timestamp,
};
use serde::{Deserialize, Serialize};

use crate::{Hub, drafts};

/// What is stored with an end, beside the end itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct StoredResult {
    /// One for each question, by id.
    pub(crate) answers: BTreeMap<String, AnswerDto>,
    /// The person's message when asked back.
    pub(crate) message: Option<String>,
    /// The answers so far when asked back.
    pub(crate) partial: Option<BTreeMap<String, AnswerDto>>,
    /// The process that answered, for commands.
    pub(crate) pid: Option<u32>,
    /// Its program.
    pub(crate) program: Option<String>,
}

impl StoredResult {
    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The content of a batch. A record that this version cannot read has no questions.
pub(crate) fn content(row: &BatchRow) -> AskContent {
    serde_json::from_str(&row.content)
        .ok()
        .and_then(|json| content_from_json(&json))
        .unwrap_or_else(|| {
            tracing::warn!(number = row.number, "the stored content could not be read");
            AskContent::default()
        })
}

/// The saved draft of a batch.
pub(crate) fn draft(row: &BatchRow) -> Option<Draft> {
    row.draft.as_ref().and_then(|(_, body)| serde_json::from_str(body).ok())
}

/// Where a batch stands.
pub(crate) fn status(row: &BatchRow) -> BatchStatus {
    row.state.end.as_ref().map_or(BatchStatus::Pending, |end| end.kind.into())
}

/// One answer, with the labels exactly as the caller sent them.
pub(crate) fn answer_dto(question: &Question, answer: &Answer) -> AnswerDto {
    AnswerDto {
        selected: answer
            .selected
            .iter()
            .filter_map(|&index| question.options.get(index))
            .map(|option| SelectedDto {
                id: option.id.clone(),
                label: option.label.clone(),
                value: option.value.as_deref().and_then(|json| serde_json::from_str(json).ok()),
            })
            .collect(),
        text: answer.text.clone(),
        notes: answer.notes.clone(),
        blank: answer.blank,
    }
}

/// The inverse of [`answer_dto`].
fn answer_from_dto(question: &Question, answer: &AnswerDto) -> Answer {
    let selected = answer
        .selected
        .iter()
        .filter_map(|s| question.options.iter().position(|option| option.id == s.id))
        .collect();
    Answer { selected, text: answer.text.clone(), notes: answer.notes.clone(), blank: answer.blank }
}

/// How a batch ended; `None` while pending.
pub(crate) fn outcome(row: &BatchRow) -> Option<Outcome> {
    let end = row.state.end.as_ref()?;
    let content = content(row);
    let result: StoredResult =
        row.result.as_deref().and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default();
    let answers: Vec<Answer> = content
        .questions
        .iter()
        .map(|q| result.answers.get(&q.id).map_or_else(Answer::blank, |a| answer_from_dto(q, a)))
        .collect();
    let answers_by_id = content
        .questions
        .iter()
        .filter(|q| q.id_given)
        .filter_map(|q| result.answers.get(&q.id).map(|answer| (q.id.clone(), answer.clone())))
        .collect();
    Some(Outcome {
        status: end.kind.into(),
        batch: row.id.clone(),
        number: row.number,
        reason: end.reason.clone(),
        order: content.questions.iter().map(|q| q.id.clone()).collect(),
        answers: result.answers,
        answers_by_id,
        message: result.message,
        partial: result.partial,
        responder: ResponderDto {
            kind: responder_kind_name(end.responder.kind).into(),
            id: end.responder.id.clone(),
            via: end.responder.via.clone(),
            pid: result.pid,
            program: result.program,
        },
        asked_at: timestamp(row.asked_at),
        ended_at: timestamp(end.at),
        content_hash: row.state.content_hash.clone(),
        guidance: guidance(end, &content.questions, &answers).map(str::to_owned),
        warnings: warnings(row),
    })
}

pub(crate) fn warnings(row: &BatchRow) -> Vec<ProblemDto> {
    serde_json::from_str(&row.warnings).unwrap_or_default()
}

/// A batch, whole.
pub(crate) fn batch(connection: &Connection, row: &BatchRow) -> Result<BatchDto, SqlError> {
    let content = content(row);
    let draft = draft(row);
    let answers = drafts::answers(&content.questions, draft.as_ref());
    let session = sessions::by_id(connection, &row.session)?;
    let shown_in = lineage(connection, &row.session, session.as_ref())?;
    let (agent, session_title, folder) = match session {
        Some(session) => (session.agent, session.title, session.folder),
        None => (String::new(), String::new(), None),
    };
    Ok(BatchDto {
        id: row.id.clone(),
        number: row.number,
        kind: kind_name(content.kind).into(),
        risk: risk_name(content.risk).into(),
        context: content.context.as_deref().map(askdock_domain::text::display),
        message: content.message.as_deref().map(askdock_domain::text::display),
        url: content.url,
        session: row.session.clone(),
        shown_in,
        agent,
        session_title,
        folder,
        origin: row.origin.clone().map(|(pid, program)| OriginDto { pid, program }),
        turn: row.turn.clone(),
        teammate: row.teammate.clone(),
        status: status(row),
        visible: visible(&content.questions, &answers),
        questions: content.questions.iter().map(QuestionDto::from).collect(),
        asked_at: timestamp(row.asked_at),
        deadline: row.state.deadline.map(timestamp),
        paused_since: row.state.lease.map(|lease| timestamp(lease.since)),
        away: row.state.is_pending() && row.state.detached_since.is_some(),
        content_hash: row.state.content_hash.clone(),
        draft_rev: row.draft.as_ref().map_or(0, |(rev, _)| *rev),
        draft,
        outcome: outcome(row),
        delivered_at: row.state.delivered_at.map(timestamp),
    })
}

/// The session and its ancestors, as far as they are known; a claimed circle ends the walk.
fn lineage(
    connection: &Connection,
    id: &str,
    session: Option<&SessionRow>,
) -> Result<Vec<String>, SqlError> {
    let mut shown_in = vec![id.to_owned()];
    let mut parent = session.and_then(|session| session.parent.clone());
    while let Some(id) = parent.filter(|id| !shown_in.contains(id)) {
        let Some(ancestor) = sessions::by_id(connection, &id)? else { break };
        shown_in.push(id);
        parent = ancestor.parent;
    }
    Ok(shown_in)
}

/// A batch in a list.
pub(crate) fn summary(connection: &Connection, row: &BatchRow) -> Result<BatchSummary, SqlError> {
    Ok(BatchSummary {
        number: row.number,
        id: row.id.clone(),
        session: row.session.clone(),
        agent: sessions::by_id(connection, &row.session)?.map(|s| s.agent).unwrap_or_default(),
        status: status(row),
        away: row.state.is_pending() && row.state.detached_since.is_some(),
        questions: content(row).questions.into_iter().map(|q| q.question).collect(),
        asked_at: timestamp(row.asked_at),
        deadline: row.state.deadline.map(timestamp),
    })
}

pub(crate) fn message(row: MessageRow) -> MessageDto {
    MessageDto {
        id: row.id,
        session: row.session,
        author: match row.author.as_str() {
            "person" => Author::Person,
            "agent" => Author::Agent,
            _ => Author::System,
        },
        text: row.text,
        posted_at: timestamp(row.posted_at),
        delivered_at: row.delivered_at.map(timestamp),
    }
}

impl Hub {
    /// A session, with whether its agent is here now.
    pub(crate) fn session_dto(
        &self,
        connection: &Connection,
        row: SessionRow,
    ) -> Result<SessionDto, SqlError> {
        let counts = sessions::counts(connection, &row.id)?;
        Ok(SessionDto {
            connected: self.is_connected(&row.id),
            id: row.id,
            title: row.title,
            agent: row.agent,
            folder: row.folder,
            branch: row.branch,
            parent: row.parent,
            created_at: timestamp(row.created_at),
            last_activity_at: timestamp(row.last_activity_at),
            pending: counts.pending,
            away: counts.away,
            answered: counts.ended,
            pinned: row.pinned,
            archived: row.archived,
            composer: row.composer,
        })
    }
}
