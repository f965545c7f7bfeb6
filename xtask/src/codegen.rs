//! `cargo xtask codegen`: writes the files that are made from the wire types.

use std::process::ExitCode;

use anyhow::{Result, ensure};

use crate::command::{self, Output};
use crate::tally::Format;
use crate::workspace;

/// Runs the test that compares the TypeScript types with the wire types, told to write them
/// instead.
pub(crate) fn codegen() -> Result<ExitCode> {
    let mut test = workspace::cargo(["test", "--package", "askdock-wire", "--", "codegen"]);
    test.env("ASKDOCK_CODEGEN", "write");
    let ran = command::count(test, Format::Libtest, Output::Shown)?;
    ensure!(ran.status.success(), "the types could not be written");
    ensure!(!ran.tally.is_empty(), "askdock-wire has no test named codegen");
    Ok(ExitCode::SUCCESS)
}
