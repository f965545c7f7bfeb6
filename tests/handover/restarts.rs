//! Hubs that are killed, and `serve`s that stand by for it.

use std::sync::Arc;

use anyhow::Result;
use askdock_tests::home::Home;

use crate::{Asker, all_answered, waited_on};

const ASKERS: usize = 6;

fn askers(home: &Home) -> Result<Vec<Asker>> {
    (0..ASKERS).map(|n| Asker::start(home, &format!("session {n}"))).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_waits_outlives_killed_hubs() -> Result<()> {
    let home = Home::new()?;
    let mut hub = home.serve().await?;
    let askers = askers(&home)?;
    waited_on(&home, ASKERS).await?;
    for _ in 0..5 {
        hub.kill().await?;
        hub = home.serve().await?;
        waited_on(&home, ASKERS).await?;
    }
    all_answered(&home, askers).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_next_serve_in_line_takes_over_from_one_that_was_killed() -> Result<()> {
    let home = Arc::new(Home::new()?);
    let mut hub = home.serve().await?;
    let askers = askers(&home)?;
    waited_on(&home, ASKERS).await?;
    for _ in 0..3 {
        let next = home.clone();
        let standing_by = tokio::spawn(async move { next.serve().await });
        hub.kill().await?;
        hub = standing_by.await??;
        waited_on(&home, ASKERS).await?;
    }
    all_answered(&home, askers).await
}
