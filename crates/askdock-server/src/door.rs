//! What every connection shares.

use std::sync::Arc;

use tokio::sync::watch;

use crate::Tokens;

/// The way in: the host behind it, the tokens that open it, and whether it is closing.
pub(crate) struct Door<H> {
    pub(crate) host: Arc<H>,
    pub(crate) tokens: Arc<Tokens>,
    pub(crate) closing: Closing,
}

/// Becomes true once, when the server stops.
#[derive(Clone)]
pub(crate) struct Closing(watch::Receiver<bool>);

impl Closing {
    pub(crate) fn new(receiver: watch::Receiver<bool>) -> Self {
        Self(receiver)
    }

    /// Completes when the server stops, or its task is gone.
    pub(crate) async fn closed(mut self) {
        let _ = self.0.wait_for(|closing| *closing).await;
    }
}
