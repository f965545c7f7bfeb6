//! A measured figure.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

/// What was measured, in the unit named.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    pub(crate) max: f64,
    pub(crate) samples: usize,
}

impl Figure {
    /// From durations, in milliseconds.
    pub(crate) fn times(name: &'static str, mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let at = |share: f64| {
            let last = times.len().saturating_sub(1);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a position"
            )]
            #[expect(clippy::cast_precision_loss, reason = "far fewer samples than 2^52")]
            let position = (last as f64 * share).round() as usize;
            times.get(position).copied().unwrap_or_default().as_secs_f64() * 1000.0
        };
        Self { name, unit: "ms", p50: at(0.5), p99: at(0.99), max: at(1.0), samples: times.len() }
    }

    /// A single number.
    pub(crate) fn number(
        name: &'static str,
        unit: &'static str,
        value: f64,
        samples: usize,
    ) -> Self {
        Self { name, unit, p50: value, p99: value, max: value, samples }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = format!("{} [{}]", self.name, self.unit);
        if self.unit == "ms" {
            write!(
                f,
                "{name:<44} {:>10.3} {:>10.3} {:>10.3} {:>8}",
                self.p50, self.p99, self.max, self.samples
            )
        } else {
            write!(f, "{name:<44} {:>10.1} {:>10} {:>10} {:>8}", self.p50, "", "", self.samples)
        }
    }
}
