//! The two tokens and their files.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use askdock_wire::ops::Scope;
use askdock_wire::transport::{AGENT_TOKEN_FILE, PERSON_TOKEN_FILE};
use subtle::ConstantTimeEq;

/// Random bytes of a token; its text is twice as long, in hex.
const BYTES: usize = 32;

/// Why a token could not be read or made.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The file could not be used.
    #[error("the token file {path} cannot be used: {source}")]
    File {
        /// Which.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The system gives no random numbers.
    #[error("the system gave no random numbers for a token: {0}")]
    Random(getrandom::Error),
}

/// The person's and the agents' token: 256 random bits each, in a file of mode 0600 in the data
/// folder. Whoever can read the file has the scope.
pub struct Tokens {
    person: String,
    agent: String,
}

impl Tokens {
    /// Reads both files of `folder`, making what is missing or unreadable as a token. A file
    /// that others could read is made private.
    ///
    /// # Errors
    /// A file cannot be read or written, or there are no random numbers.
    pub fn load_or_create(folder: &Path) -> Result<Self, TokenError> {
        Ok(Self {
            person: load_or_create(&folder.join(PERSON_TOKEN_FILE))?,
            agent: load_or_create(&folder.join(AGENT_TOKEN_FILE))?,
        })
    }

    /// What `presented` allows, if it is one of ours. Takes the same time for every token of the
    /// right length.
    pub fn scope_of(&self, presented: &str) -> Option<Scope> {
        let matches = |token: &String| presented.as_bytes().ct_eq(token.as_bytes());
        let (person, agent) = (matches(&self.person), matches(&self.agent));
        if person.into() {
            Some(Scope::Person)
        } else if agent.into() {
            Some(Scope::Agent)
        } else {
            None
        }
    }
}

fn load_or_create(path: &Path) -> Result<String, TokenError> {
    let failed = |source| TokenError::File { path: path.to_owned(), source };
    match load(path) {
        Ok(Some(token)) => Ok(token),
        Ok(None) => create(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => create(path),
        Err(error) => Err(failed(error)),
    }
}

/// `None`: the file holds no token.
fn load(path: &Path) -> io::Result<Option<String>> {
    let file = File::open(path)?;
    if file.metadata()?.permissions().mode() & 0o077 != 0 {
        tracing::warn!(path = %path.display(), "a token file was readable by others; made private");
        file.set_permissions(Permissions::from_mode(0o600))?;
    }
    let mut text = String::new();
    // A little more than a token, so that a longer file isn't taken for one.
    if file.take(4 * BYTES as u64).read_to_string(&mut text).is_err() {
        return Ok(None);
    }
    let token = text.trim();
    let is_token = token.len() == 2 * BYTES && token.bytes().all(|byte| byte.is_ascii_hexdigit());
    Ok(is_token.then(|| token.to_owned()))
}

fn create(path: &Path) -> Result<String, TokenError> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(TokenError::Random)?;
    let token: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    write(path, &token).map_err(|source| TokenError::File { path: path.to_owned(), source })?;
    Ok(token)
}

/// Writes beside the file and renames, so that a reader finds the old token or the new one.
fn write(path: &Path, token: &str) -> io::Result<()> {
    let fresh = path.with_extension("token.new");
    match std::fs::remove_file(&fresh) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&fresh)?;
    file.write_all(token.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(&fresh, path)
}
