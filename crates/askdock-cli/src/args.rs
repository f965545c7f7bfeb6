//! The command line.

use std::num::ParseFloatError;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand};

/// Where agents ask their person.
#[derive(Debug, Parser)]
#[command(name = "askdock", version, disable_help_subcommand = true, max_term_width = 100)]
pub(crate) struct Args {
    /// Print JSON on standard output
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Ask the person and wait for the answer
    ///
    /// Exit codes: 0 answered, 3 dismissed, 4 expired, 5 cancelled, 6 nobody can be reached,
    /// 2 the question has to be changed, 1 anything else.
    Ask(Box<AskArgs>),
    /// Wait for the outcome of what was asked before
    Wait(BatchArg),
    /// List what waits for an answer
    List(ListArgs),
    /// Show one batch with its questions
    Get(BatchArg),
    /// Answer a batch
    Answer(AnswerArgs),
    /// Choose not to answer
    Dismiss(BatchArg),
    /// Give a batch more time
    Extend(ExtendArgs),
    /// Withdraw an ask
    Cancel(CancelArgs),
    /// List the sessions
    Sessions,
    /// Mark the runs of an agent inside its session
    #[command(subcommand)]
    Turn(TurnCommand),
    /// Run the hub without a window
    Serve(ServeArgs),
    /// Raise the window
    Open(OpenArgs),
    /// Let a scripted agent ask something, to see how it works
    Demo,
    /// Serve an MCP client on standard input and output
    Mcp(SessionArg),
    /// Say how the hub is
    Health,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SessionArg {
    /// Session id; without it the session is the folder's
    #[arg(long, value_name = "ID", env = "ASKDOCK_SESSION")]
    pub(crate) session: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct BatchArg {
    /// Number or id of the batch
    #[arg(value_name = "N")]
    pub(crate) batch: String,
}

#[derive(Debug, ClapArgs)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["question", "input"]))]
pub(crate) struct AskArgs {
    /// The question
    #[arg(long, value_name = "TEXT")]
    pub(crate) question: Option<String>,
    /// A short label for it
    #[arg(long, value_name = "TEXT", requires = "question")]
    pub(crate) header: Option<String>,
    /// One of the options; repeat it for each
    #[arg(long = "option", value_name = "LABEL", requires = "question")]
    pub(crate) options: Vec<String>,
    /// Several options may be selected
    #[arg(long, requires = "question")]
    pub(crate) multi: bool,
    /// Only the options; no typed answer
    #[arg(long, requires = "question")]
    pub(crate) no_custom: bool,
    /// Why you ask
    #[arg(long, value_name = "TEXT", requires = "question")]
    pub(crate) context: Option<String>,
    /// Read a batch as JSON from a file, or - for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,
    /// The format of the input
    #[arg(long, value_name = "NAME", requires = "input")]
    pub(crate) dialect: Option<String>,
    /// Expire after this many seconds, 30 to 3600; without it never
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    pub(crate) timeout: Option<f64>,
    /// Asking again with the same key is the same ask
    #[arg(long, value_name = "KEY")]
    pub(crate) request_id: Option<String>,
    #[command(flatten)]
    pub(crate) session: SessionArg,
    /// The agent's name, as the person sees it
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// The turn in which this is asked
    #[arg(long, value_name = "ID")]
    pub(crate) turn: Option<String>,
    /// Print number and id, and return
    #[arg(long)]
    pub(crate) no_wait: bool,
    /// Ask even if nobody can be reached now
    #[arg(long)]
    pub(crate) wait: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ListArgs {
    /// Ended ones too
    #[arg(long)]
    pub(crate) all: bool,
    /// Only of this session
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Only of this turn
    #[arg(long, value_name = "ID")]
    pub(crate) turn: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AnswerArgs {
    /// Number or id of the batch
    #[arg(value_name = "N")]
    pub(crate) batch: String,
    /// The reply to its only question: a label, its number, or text
    #[arg(value_name = "REPLY", allow_negative_numbers = true)]
    pub(crate) reply: Vec<String>,
    /// Exactly this text as the answer
    #[arg(long, value_name = "TEXT", conflicts_with = "reply")]
    pub(crate) text: Option<String>,
    /// Select this option, by label or id; repeat it for several
    #[arg(long = "option", value_name = "LABEL", conflicts_with = "reply")]
    pub(crate) options: Vec<String>,
    /// A note beside the answer
    #[arg(long, value_name = "TEXT", conflicts_with = "reply")]
    pub(crate) notes: Option<String>,
    /// Read the answers as JSON from a file, or - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["reply", "text", "options", "notes"])]
    pub(crate) input: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ExtendArgs {
    /// Number or id of the batch
    #[arg(value_name = "N")]
    pub(crate) batch: String,
    /// Seconds to add
    #[arg(value_parser = clap::value_parser!(i64).range(1..=86_400))]
    pub(crate) seconds: i64,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CancelArgs {
    /// Number or id of the batch
    #[arg(value_name = "N")]
    pub(crate) batch: String,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TurnCommand {
    /// Open a turn, or resume it
    Begin(TurnBeginArgs),
    /// Take no new questions in a turn
    Finalize(TurnArgs),
    /// End a turn and withdraw what it still asks
    End(TurnEndArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TurnBeginArgs {
    /// The turn's id; without it one is made
    #[arg(long, value_name = "ID")]
    pub(crate) turn: Option<String>,
    #[command(flatten)]
    pub(crate) session: SessionArg,
    /// Fail the turn after this many seconds, waiting included
    #[arg(long, value_name = "SECONDS")]
    pub(crate) max_duration: Option<f64>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TurnArgs {
    /// The turn's id
    #[arg(long, value_name = "ID")]
    pub(crate) turn: String,
    #[command(flatten)]
    pub(crate) session: SessionArg,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TurnEndArgs {
    #[command(flatten)]
    pub(crate) turn: TurnArgs,
    /// How it ended
    #[arg(long, value_parser = ["finished", "interrupted", "failed"], default_value = "finished")]
    pub(crate) state: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ServeArgs {
    /// Started by an ask rather than a person
    #[arg(long, hide = true)]
    pub(crate) started_by_ask: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct OpenArgs {
    /// Show this batch
    #[arg(value_name = "N")]
    pub(crate) batch: Option<String>,
}

/// Seconds; blank, as a script's unset variable makes it, is 0.
fn seconds(text: &str) -> Result<f64, ParseFloatError> {
    if text.trim().is_empty() { Ok(0.0) } else { text.trim().parse() }
}
