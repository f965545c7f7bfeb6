//! Waiting for something that has no event of its own.

use std::time::Duration;

use anyhow::{Context, Result};

use crate::home::PATIENCE;

/// Between two looks.
const GLANCE: Duration = Duration::from_millis(5);

/// What `look` finds, as soon as it finds something.
///
/// # Errors
/// `look` fails, or finds nothing within [`PATIENCE`]: then `otherwise`.
pub async fn until<T>(
    otherwise: &str,
    mut look: impl AsyncFnMut() -> Result<Option<T>>,
) -> Result<T> {
    let looks = async {
        loop {
            if let Some(found) = look().await? {
                return anyhow::Ok(found);
            }
            tokio::time::sleep(GLANCE).await;
        }
    };
    tokio::time::timeout(PATIENCE, looks).await.with_context(|| otherwise.to_owned())?
}
