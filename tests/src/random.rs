//! Random points in time for a kill, the same again for the same seed.

use std::time::Duration;

/// A generator; the seed is printed so that a failed run can be repeated with `ASKDOCK_SEED`.
pub fn generator(name: &str) -> fastrand::Rng {
    let given = std::env::var("ASKDOCK_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = given.unwrap_or_else(|| fastrand::u64(..));
    eprintln!("{name}: ASKDOCK_SEED={seed}");
    fastrand::Rng::with_seed(seed)
}

/// A random span up to `most`, more often short than long: most of what can go wrong happens
/// right after a step.
pub fn span(random: &mut fastrand::Rng, most: Duration) -> Duration {
    most.mul_f64(random.f64().powi(2))
}
