//! What was on screen when a hub was killed, and what the next one made of it.

use anyhow::{Result, ensure};
use askdock_store::{Store, notices};

use crate::home::Home;
use crate::notification_server::NotificationServer;

/// The server's ids of the notices that the dead hub of this home had remembered.
///
/// # Errors
/// Its database can't be read.
pub fn known(home: &Home) -> Result<Vec<u32>> {
    let store = Store::open(&home.paths().database())?;
    let pending = store.read(askdock_store::batches::pending)?;
    let mut ids = vec![];
    for batch in pending {
        ids.extend(store.read(|c| notices::find(c, &batch.id))?.map(|(_, id)| id));
    }
    Ok(ids)
}

/// How many of the known notices were replaced since `before` notices had been shown.
///
/// # Errors
/// One of them was shown a second time.
pub fn replaced(server: &NotificationServer, before: usize, known: &[u32]) -> Result<usize> {
    let after: Vec<u32> =
        server.notified().iter().skip(before).map(|notified| notified.replaces).collect();
    let doubled = !known.is_empty() && after.contains(&0);
    ensure!(!doubled, "{known:?} on screen, then shown anew: {after:?}");
    Ok(after.iter().filter(|replaces| known.contains(replaces)).count())
}
