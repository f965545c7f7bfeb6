//! The socket and the token files.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use askdock_wire::ops::Scope;
use askdock_wire::transport::{AGENT_TOKEN_FILE, PERSON_TOKEN_FILE};

use crate::{SocketError, Tokens, bind_first, bind_socket};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn the_socket_is_private_and_replaces_a_dead_one() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("a/run");
    fs::create_dir_all(&folder).unwrap();
    fs::set_permissions(&folder, Permissions::from_mode(0o755)).unwrap();
    let path = folder.join("askdock.sock");
    drop(bind_socket(&path).unwrap());
    assert!(path.exists(), "the dead one is there");
    let _listener = bind_socket(&path).unwrap();
    assert_eq!((mode(&folder), mode(&path)), (0o700, 0o600));
}

#[tokio::test]
async fn what_is_not_ours_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("run/askdock.sock");
    fs::create_dir(home.path().join("run")).unwrap();
    fs::write(&file, "precious").unwrap();
    assert!(matches!(bind_socket(&file), Err(SocketError::NotOurs { .. })));
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");

    symlink(home.path().join("run"), home.path().join("link")).unwrap();
    let linked = home.path().join("link/other.sock");
    assert!(matches!(bind_socket(&linked), Err(SocketError::NotOurs { .. })));
}

#[tokio::test]
async fn the_first_place_that_can_be_had_is_taken() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name).join("askdock.sock");
    let _other_hub = bind_socket(&at("taken")).unwrap();
    fs::write(home.path().join("file"), "").unwrap();
    let places = [at("taken"), at("file"), at("free"), at("unused")];
    let (_listener, path) = bind_first(&places).unwrap();
    assert_eq!(path, at("free"));
    assert!(std::os::unix::net::UnixStream::connect(at("taken")).is_ok());
    assert!(!at("unused").exists());
    assert!(matches!(bind_first(&[]), Err(SocketError::NoCandidate)));
    assert!(matches!(bind_first(&places[..1]), Err(SocketError::NotOurs { .. })));
}

#[test]
fn tokens_last_and_are_private() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let read = |name: &str| fs::read_to_string(file(name)).unwrap();
    let tokens = Tokens::load_or_create(folder.path()).unwrap();
    let (person, agent) = (read(PERSON_TOKEN_FILE), read(AGENT_TOKEN_FILE));
    assert_eq!((person.len(), agent.len()), (64, 64));
    assert_ne!(person, agent);
    assert_eq!(tokens.scope_of(&person), Some(Scope::Person));
    assert_eq!(tokens.scope_of(&agent), Some(Scope::Agent));
    assert_eq!(tokens.scope_of(""), None);
    assert_eq!(tokens.scope_of(&person.to_uppercase()), None);
    assert_eq!(mode(&file(PERSON_TOKEN_FILE)), 0o600);

    // A file that others can read becomes private; one without a token is made anew.
    fs::set_permissions(file(AGENT_TOKEN_FILE), Permissions::from_mode(0o644)).unwrap();
    fs::write(file(PERSON_TOKEN_FILE), "").unwrap();
    let tokens = Tokens::load_or_create(folder.path()).unwrap();
    assert_eq!(mode(&file(AGENT_TOKEN_FILE)), 0o600);
    assert_eq!(read(AGENT_TOKEN_FILE), agent);
    assert_eq!(tokens.scope_of(&person), None);
    assert_eq!(tokens.scope_of(&read(PERSON_TOKEN_FILE)), Some(Scope::Person));
}
