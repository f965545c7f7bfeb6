//! The Askdock desktop app.
fn main() {}
