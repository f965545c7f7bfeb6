//! The system's clock and random numbers behind the ports. The only place that reads either.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use askdock_domain::Timestamp;

use crate::{Clock, Ids};

/// The system's clock.
#[derive(Debug, Clone)]
pub struct SystemClock {
    start: Instant,
}

impl Default for SystemClock {
    fn default() -> Self {
        Self { start: Instant::now() }
    }
}

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock that everything else uses")]
    fn now(&self) -> Timestamp {
        let now = SystemTime::now();
        let millis = match now.duration_since(UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |m| -m),
        };
        Timestamp(millis)
    }

    fn monotonic(&self) -> Duration {
        self.start.elapsed()
    }

    fn sleep(&self, span: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(tokio::time::sleep(span))
    }
}

/// UUIDv7 ids and 256-bit secrets from the system's generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemIds;

impl Ids for SystemIds {
    fn id(&self, now: Timestamp) -> String {
        let millis = u64::try_from(now.0).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &random()).into_uuid().to_string()
    }

    fn secret(&self) -> String {
        let bytes: [u8; 32] = random();
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // Without randomness nothing secret can be made; going on would be worse than stopping.
    #[expect(
        clippy::expect_used,
        reason = "the system's generator fails only before boot is done"
    )]
    getrandom::fill(&mut bytes).expect("the system's random generator works");
    bytes
}
