//! Who may not, and what isn't accepted: a typed refusal, and not a byte of the database changes.

use anyhow::{Result, ensure};
use askdock_tests::home::{Home, HubProcess};
use askdock_tests::http::Caller;
use askdock_tests::until::until;
use serde_json::{Value, json};

#[cfg(target_os = "linux")]
mod children;
#[cfg(target_os = "linux")]
mod notices;
mod requests;
mod tokens;

/// A hub in which one batch of the session `s` waits, its asker away.
struct Desk {
    person: Caller,
    agent: Caller,
    /// The agent whose batch it is.
    owner: Caller,
    /// What the hub said of the batch.
    asked: Value,
    home: Home,
    _hub: HubProcess,
}

impl Desk {
    async fn open() -> Result<Self> {
        Self::in_home(Home::new()?).await
    }

    async fn in_home(home: Home) -> Result<Self> {
        let hub = home.serve().await?;
        let (person, agent) = (Caller::person(&home)?, Caller::agent(&home)?);
        let asked = agent.call("POST /v1/batches", go()).await?.expect(201)?;
        let owner = agent.clone().owning(&asked["session_secret"]);
        // Until this is recorded, the database changes by itself.
        until("the asker never counted as away", async || {
            let batch = person.call("GET /v1/batches/1", Value::Null).await?.expect(200)?;
            Ok((batch["away"] == true).then_some(()))
        })
        .await?;
        Ok(Self { person, agent, owner, asked, home, _hub: hub })
    }

    fn records(&self) -> Result<Records> {
        Records::of(&self.home)
    }
}

fn go() -> Value {
    json!({ "session": "s", "questions": [{ "id": "go", "question": "Go where?",
        "options": ["Staging", "Production"] }] })
}

fn staging() -> Value {
    json!({ "answers": { "go": { "selected": ["Staging"] } } })
}

/// The database, byte for byte: every commit changes it.
struct Records(Vec<Vec<u8>>);

impl Records {
    fn of(home: &Home) -> Result<Self> {
        let database = home.paths().database();
        let log = database.with_extension("db-wal");
        Ok(Self(vec![std::fs::read(database)?, std::fs::read(log)?]))
    }

    fn unchanged(&self, home: &Home) -> Result<()> {
        ensure!(self.0 == Self::of(home)?.0, "the database changed");
        Ok(())
    }
}
