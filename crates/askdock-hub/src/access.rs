//! Which batch a caller means, and whether it is the caller's own.

use askdock_store::batches::{self, BatchRow};
use askdock_store::{Connection, sessions};
use askdock_wire::ops::Scope;
use askdock_wire::{Code, WireError};
use subtle::ConstantTimeEq;

use crate::Caller;
use crate::commit::Refusal;

/// The batch named by a UUID, a number or `#number`.
pub(crate) fn find(connection: &Connection, name: &str) -> Result<BatchRow, Refusal> {
    let name = name.trim();
    let digits = name.strip_prefix('#').unwrap_or(name);
    let row = match digits.parse::<u64>() {
        Ok(number) if i64::try_from(number).is_ok() => batches::by_number(connection, number)?,
        Ok(_) => None,
        Err(_) => batches::by_id(connection, name)?,
    };
    row.ok_or_else(|| {
        let shown: String = name.chars().take(60).collect();
        WireError::new(Code::NotFound, format!("There is no batch {shown:?}.")).into()
    })
}

/// The batch, if the caller may see it: the person all, an agent its own.
pub(crate) fn find_own(
    connection: &Connection,
    caller: &Caller,
    name: &str,
) -> Result<BatchRow, Refusal> {
    let row = find(connection, name)?;
    own_session(connection, caller, &row.session)?;
    Ok(row)
}

/// Checks that the caller is the person or shows the session's secret.
pub(crate) fn own_session(
    connection: &Connection,
    caller: &Caller,
    session: &str,
) -> Result<(), Refusal> {
    if caller.scope == Scope::Person || cfg!(feature = "broken-own") {
        return Ok(());
    }
    let secret = sessions::by_id(connection, session)?.map(|row| row.secret);
    let shown = secret.is_some_and(|secret| {
        caller.session_secrets.iter().any(|s| s.as_bytes().ct_eq(secret.as_bytes()).into())
    });
    if shown {
        return Ok(());
    }
    Err(WireError::new(
        Code::Forbidden,
        "An agent may only use its own session; send the session secret that its ask returned.",
    )
    .into())
}
