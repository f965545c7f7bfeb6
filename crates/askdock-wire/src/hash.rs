//! The content hash: what was shown, in 64 hex digits.

use askdock_domain::AskContent;
use sha2::{Digest, Sha256};

use crate::names::content_json;

/// SHA-256 over everything the person is shown. Two asks with the same hash look the same.
pub fn content_hash(content: &AskContent) -> String {
    let digest = Sha256::digest(content_json(content).to_string().as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
