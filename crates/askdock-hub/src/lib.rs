//! Runs the domain's effects: persistence, deadlines, waiting, fan-out, notification policy.
