//! The askdock command.
//!
//! Data goes to standard output, everything else to standard error; exit codes are in [`exit`].
//! Deliberately absent: colour, so that meaning never hangs on it.

mod args;
mod commands;
mod exit;
mod log;
mod output;

use std::process::ExitCode;

use askdock_client::Paths;
use clap::Parser;

use crate::args::{Args, Command, ServeArgs};
use crate::exit::Exit;

fn main() -> ExitCode {
    let args = Args::parse();
    let json = args.json;
    match run(args) {
        Ok(exit) => exit.into(),
        Err(error) => {
            output::failed(&error, json);
            Exit::of(&error).into()
        }
    }
}

fn run(args: Args) -> anyhow::Result<Exit> {
    let paths = Paths::resolve()?;
    let (runtime, _log) = if let Command::Serve(serve) = &args.command {
        let ServeArgs { started_by_ask } = serve;
        if *started_by_ask {
            askdock_client::detach_from_terminal();
        }
        (tokio::runtime::Builder::new_multi_thread(), Some(log::to_file(&paths)?))
    } else {
        log::to_stderr();
        // Everything else waits on one connection: threads would only cost time to start.
        (tokio::runtime::Builder::new_current_thread(), None)
    };
    let mut runtime = runtime;
    let runtime = runtime.enable_all().build()?;
    let result = runtime.block_on(commands::run(paths, args.command, args.json));
    // A read of standard input may still block a thread.
    runtime.shutdown_background();
    result
}
