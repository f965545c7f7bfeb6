//! One module for each group of commands.

mod answer;
mod ask;
mod change;
mod connect;
mod demo;
mod dialogue;
mod input;
mod open;
mod outcome;
mod serve;
mod show;
mod standby;
mod turn;

use askdock_client::Paths;

use crate::args::Command;
use crate::exit::Exit;

/// Carries out one command.
pub(crate) async fn run(paths: Paths, command: Command, json: bool) -> anyhow::Result<Exit> {
    match command {
        Command::Ask(args) => ask::ask(paths, *args, json).await,
        Command::Wait(args) => ask::wait(paths, args.batch, json).await,
        Command::List(args) => show::list(paths, args, json).await,
        Command::Get(args) => show::get(paths, args.batch, json).await,
        Command::Answer(args) => answer::answer(paths, args, json).await,
        Command::Dismiss(args) => change::dismiss(paths, args.batch, json).await,
        Command::Extend(args) => change::extend(paths, args, json).await,
        Command::Cancel(args) => change::cancel(paths, args, json).await,
        Command::Sessions => show::sessions(paths, json).await,
        Command::Turn(args) => turn::turn(paths, args, json).await,
        Command::Serve(args) => serve::serve(paths, !args.started_by_ask).await,
        Command::Open(args) => open::open(paths, args, json).await,
        Command::Demo => demo::demo(paths).await,
        Command::Mcp(args) => {
            let environment = askdock_mcp::Environment::of_this_process(args.session)?;
            askdock_mcp::run(environment).await?;
            Ok(Exit::Done)
        }
        Command::Health => show::health(paths, json).await,
    }
}
