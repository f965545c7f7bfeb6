//! The person, at a surface of their own.

use anyhow::Result;
use askdock_client::{Client, Role};
use askdock_wire::ops::{AnswerRequest, BatchAnswer, BatchGet, BatchList, BatchRef, ListRequest};
use askdock_wire::{BatchDto, BatchSummary, Outcome};
use serde_json::{Value, json};

use crate::home::Home;
use crate::until::until;

/// Answers as any surface of the person's does.
pub struct Person {
    /// With the person's token.
    pub client: Client,
}

impl Person {
    /// The person at the hub of this home.
    pub fn at(home: &Home) -> Self {
        Self { client: home.client(Role::Person) }
    }

    /// Everything ever asked, once it is that many.
    ///
    /// # Errors
    /// It never is.
    pub async fn asked(&self, count: usize) -> Result<Vec<BatchSummary>> {
        let all = ListRequest { status: Some("all".into()), ..ListRequest::default() };
        until("there never were so many batches", async || {
            let batches = self.client.call::<BatchList>(&all).await?;
            Ok((batches.len() == count).then_some(batches))
        })
        .await
    }

    /// The only batch ever asked.
    ///
    /// # Errors
    /// There never is exactly one.
    pub async fn only(&self) -> Result<BatchDto> {
        let batches = self.asked(1).await?;
        self.batch(&batches[0].id).await
    }

    /// The batch as it is now.
    ///
    /// # Errors
    /// There is none with this id.
    pub async fn batch(&self, id: &str) -> Result<BatchDto> {
        Ok(self.client.call::<BatchGet>(&BatchRef { id: id.into() }).await?)
    }

    /// The batch, once it is so.
    ///
    /// # Errors
    /// It never is.
    pub async fn once(&self, id: &str, so: impl Fn(&BatchDto) -> bool) -> Result<BatchDto> {
        until("the batch never was so", async || {
            let batch = self.batch(id).await?;
            Ok(so(&batch).then_some(batch))
        })
        .await
    }

    /// Selects `label` as the answer to the question `go`.
    ///
    /// # Errors
    /// The hub refuses.
    pub async fn selects(&self, batch: &str, label: &str) -> Result<Outcome> {
        self.answers(batch, json!({ "go": { "selected": [label] } })).await
    }

    /// Answers a batch.
    ///
    /// # Errors
    /// The hub refuses.
    pub async fn answers(&self, batch: &str, answers: Value) -> Result<Outcome> {
        let request = AnswerRequest {
            id: batch.to_owned(),
            answers: Some(answers),
            reply: None,
            answer_id: None,
            content_hash: None,
            via: Some("dock".into()),
        };
        Ok(self.client.call::<BatchAnswer>(&request).await?)
    }
}

/// The call that most tests make.
pub fn go() -> Value {
    json!({ "questions": [{ "id": "go", "question": "Go where?", "options": ["Staging", "Production"] }] })
}

/// The label selected for the question `go` in a tool's result.
pub fn went(result: &Value) -> &Value {
    &result["structuredContent"]["answers"]["go"]["selected"][0]["label"]
}
