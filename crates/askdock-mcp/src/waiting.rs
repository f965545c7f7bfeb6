//! How long a call waits: for the person without limit, for its client as long as that has
//! patience.

use std::convert::Infallible;
use std::future::Future;
use std::time::Duration;

/// Between two signs of life. Half of the shortest limit that progress is known to reset.
const PROGRESS: Duration = Duration::from_secs(15);

/// Reports progress at once and then again and again, each time with a larger number.
pub(crate) async fn reporting<F: Future<Output = ()>>(
    mut report: impl FnMut(f64) -> F,
) -> Infallible {
    let mut progress = 0.0;
    loop {
        progress += 1.0;
        report(progress).await;
        tokio::time::sleep(PROGRESS).await;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn progress_comes_at_once_and_rises_every_fifteen_seconds() {
        let (start, reports) = (Instant::now(), RefCell::new(vec![]));
        let limit = Duration::from_secs(46);
        let report = |progress: f64| {
            reports.borrow_mut().push((start.elapsed().as_secs(), progress));
            std::future::ready(())
        };
        assert!(tokio::time::timeout(limit, reporting(report)).await.is_err());
        assert_eq!(*reports.borrow(), [(0, 1.0), (15, 2.0), (30, 3.0), (45, 4.0)]);
    }
}
