//! The askdock command.
fn main() {}
