//! Asking and waiting across hubs that stop, are replaced, or die.

use std::time::Duration;

use askdock_wire::ops::{
    AskBody, BatchAck, BatchAsk, BatchRef, BatchWait, Operation, WaitRequest, WaitResponse,
};
use askdock_wire::{AskRequest, AskResponse};

use crate::watch::Watch;
use crate::{Client, ClientError, Paths, start};

/// Waits as long as it takes.
const WITHOUT_LIMIT: f64 = -1.0;
/// How long an ask whose hub went away waits for the next one.
const RESTART: Duration = Duration::from_secs(30);
/// How long a program that is about to end tries to say so.
const LEAVING: Duration = Duration::from_secs(5);

impl Client {
    /// Registers a batch; on return it is durable. Starts a hub where none runs, if this client
    /// may ([`Client::starting_hubs`]). An ask whose response was lost is sent again under the
    /// same key, so that it is asked once.
    ///
    /// # Errors
    /// The hub's refusal, `NoHub`, or `NotStarted`.
    pub async fn ask(&self, mut request: AskRequest) -> Result<AskResponse, ClientError> {
        if request.request_id.is_none() {
            request.call_keys.extend(retry_key());
        }
        let request = AskBody(request);
        match self.call::<BatchAsk>(&request).await {
            Err(ClientError::NoHub) => self.start_hub().await?,
            Err(error) if error.is_passing() => {}
            result => return self.asked(result),
        }
        self.asked(self.again::<BatchAsk>(&request, RESTART).await)
    }

    /// Starts a hub where none runs, if this client may.
    ///
    /// # Errors
    /// `NoHub` if it may not, `NotStarted`.
    pub async fn ensure_hub(&self) -> Result<(), ClientError> {
        match self.reach().await {
            Err(ClientError::NoHub) => self.start_hub().await,
            reached => reached,
        }
    }

    async fn start_hub(&self) -> Result<(), ClientError> {
        let say = self.inner().say.as_ref().ok_or(ClientError::NoHub)?;
        start::start(self, &**say).await
    }

    /// Waits for the outcome of a batch, as long as it takes, whatever becomes of the hub
    /// meanwhile. It uses no processor time while there is none, and starts none.
    ///
    /// Take the outcome to the agent and then call [`Client::ack`].
    ///
    /// # Errors
    /// The hub's refusal, for example `not_found`.
    pub async fn wait(&self, id: &str) -> Result<WaitResponse, ClientError> {
        let request = WaitRequest { id: id.to_owned(), wait: Some(WITHOUT_LIMIT), full: true };
        let mut absence = Absence::new(self.paths());
        loop {
            match self.call_patiently::<BatchWait>(&request).await {
                Ok(response) if response.outcome.is_some() => return Ok(response),
                Ok(_) => absence.over(&ClientError::TooSlow(0)).await,
                Err(error) if error.is_passing() => absence.over(&error).await,
                Err(error) => return Err(error),
            }
        }
    }

    /// The outcome of a batch, if it comes within `wait`.
    ///
    /// # Errors
    /// The hub's refusal, or no way to it; [`Client::wait`] bridges that.
    pub async fn outcome(
        &self,
        id: &str,
        wait: Duration,
    ) -> Result<Option<WaitResponse>, ClientError> {
        let wait = Some(wait.as_secs_f64());
        let request = WaitRequest { id: id.to_owned(), wait, full: true };
        let response = self.call_patiently::<BatchWait>(&request).await?;
        Ok(response.outcome.is_some().then_some(response))
    }

    /// Says that the agent has the outcome of a batch, to the next hub if this one just left.
    ///
    /// # Errors
    /// The hub's refusal, or no way to one.
    pub async fn ack(&self, id: &str) -> Result<(), ClientError> {
        self.again::<BatchAck>(&BatchRef { id: id.to_owned() }, LEAVING).await.map(|_| ())
    }

    /// Tries until a hub answers, at most for `patience`.
    async fn again<O: Operation>(
        &self,
        request: &O::Request,
        patience: Duration,
    ) -> Result<O::Response, ClientError> {
        let mut absence = Absence::new(self.paths());
        let mut last = ClientError::NoHub;
        let answered = tokio::time::timeout(patience, async {
            loop {
                match self.call::<O>(request).await {
                    Err(error) if error.is_passing() => {
                        absence.over(&error).await;
                        last = error;
                    }
                    result => return result,
                }
            }
        });
        match answered.await {
            Ok(result) => result,
            Err(_) => Err(last),
        }
    }

    fn asked(&self, result: Result<AskResponse, ClientError>) -> Result<AskResponse, ClientError> {
        result.inspect(|response| self.show_secret(&response.session_secret))
    }
}

/// A key that only a repetition of this very call has. `None`: no random numbers; then a repetition
/// may ask twice, which is better than being taken for another ask.
fn retry_key() -> Option<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes.iter().fold(String::from("call:"), |key, byte| key + &format!("{byte:02x}")))
}

/// The time during which no hub answers.
pub(crate) struct Absence<'a> {
    paths: &'a Paths,
    watch: Option<Watch>,
    failures: u32,
}

impl<'a> Absence<'a> {
    const FIRST_PAUSE: Duration = Duration::from_millis(50);
    const LONGEST_PAUSE: Duration = Duration::from_secs(30);

    pub(crate) fn new(paths: &'a Paths) -> Self {
        Self { paths, watch: None, failures: 0 }
    }

    /// Completes when it is worth trying again after `error`.
    pub(crate) async fn over(&mut self, error: &ClientError) {
        self.failures += 1;
        if self.watch.is_none() {
            self.watch = Watch::on(self.paths);
            if self.watch.is_some() {
                // A hub may have come back before the watch began.
                return;
            }
        }
        let pause = Self::FIRST_PAUSE * 2_u32.saturating_pow(self.failures.min(16));
        let pause = tokio::time::sleep(pause.min(Self::LONGEST_PAUSE));
        match &mut self.watch {
            // A hub that comes announces itself: nothing to do until then.
            Some(watch) if matches!(error, ClientError::NoHub) => watch.changed().await,
            Some(watch) => tokio::select! {
                () = watch.changed() => {}
                () = pause => return,
            },
            None => return pause.await,
        }
        self.failures = 1;
    }
}
