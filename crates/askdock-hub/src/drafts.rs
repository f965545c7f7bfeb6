//! Drafts: the person's progress, and what the hub makes of it.

use askdock_domain::{Answer, Event, Question, draft_view};
use askdock_store::drafts;
use askdock_wire::ops::{DraftRequest, DraftResponse};
use askdock_wire::{Code, Draft, WireError};

use crate::{Hub, access, commit, views};

/// The answers that a draft stands for, one for each question. Unknown ids are left out.
pub(crate) fn answers(questions: &[Question], draft: Option<&Draft>) -> Vec<Answer> {
    questions.iter().map(|question| answer(question, draft).unwrap_or_default()).collect()
}

fn answer(question: &Question, draft: Option<&Draft>) -> Option<Answer> {
    let drafted = draft?.answers.get(&question.id)?;
    if drafted.blank {
        return Some(Answer { notes: drafted.notes.clone(), ..Answer::blank() });
    }
    let position = |id: &String| question.options.iter().position(|option| option.id == *id);
    let mut selected: Vec<usize> = drafted.selected.iter().filter_map(position).collect();
    selected.sort_unstable();
    selected.dedup();
    let typed = drafted.other || question.options.is_empty();
    Some(Answer {
        selected,
        text: drafted.text.clone().filter(|_| typed),
        notes: drafted.notes.clone(),
        blank: false,
    })
}

impl Hub {
    pub(crate) async fn save_draft(
        &self,
        request: DraftRequest,
    ) -> Result<DraftResponse, WireError> {
        self.change(move |change| {
            let row = access::find(change.connection, &request.id)?;
            if !row.state.is_pending() {
                return Err(commit::already_ended(&row).into());
            }
            let current = row.draft.as_ref().map_or(0, |(rev, _)| *rev);
            if request.draft_rev.is_some_and(|based_on| based_on != current) {
                return Err(WireError::new(
                    Code::StaleDraft,
                    "A newer draft of this batch was saved; read it first.",
                )
                .into());
            }
            let questions = views::content(&row).questions;
            let view = draft_view(&questions, &answers(&questions, Some(&request.draft)));
            let body = storable(&questions, request.draft);
            let draft_rev = current + 1;
            drafts::save(change.connection, row.number, draft_rev, &body, change.now)?;
            change.changed("batch", &row.number.to_string())?;
            change.apply(row, Event::Activity, None)?;
            Ok(DraftResponse {
                draft_rev,
                visible: view.visible,
                problems: view.problems.into_iter().map(Into::into).collect(),
            })
        })
        .await
    }
}

/// The draft as stored: without the answers to secret questions.
fn storable(questions: &[Question], mut draft: Draft) -> String {
    let is_secret = |id: &String| questions.iter().any(|q| q.secret && q.id == *id);
    draft.answers.retain(|id, _| !is_secret(id));
    serde_json::to_string(&draft).unwrap_or_default()
}
