//! The reference: every command's help.

use anyhow::Result;
use askdock_tests::home::Home;

use crate::shown::run;

#[tokio::test]
async fn the_reference() -> Result<()> {
    let home = Home::new()?;
    let mut reference = home.run(&["--help"]).await?.stdout;
    for command in [
        "ask",
        "wait",
        "list",
        "get",
        "answer",
        "dismiss",
        "extend",
        "cancel",
        "sessions",
        "turn begin",
        "turn finalize",
        "turn end",
        "serve",
        "open",
        "demo",
        "mcp",
        "health",
    ] {
        let arguments: Vec<_> = command.split(' ').chain(["-h"]).collect();
        reference += &format!("\n## {command}\n{}", home.run(&arguments).await?.stdout);
    }
    insta::assert_snapshot!(reference, @r"
    Where agents ask their person

    Usage: askdock [OPTIONS] <COMMAND>

    Commands:
      ask       Ask the person and wait for the answer
      wait      Wait for the outcome of what was asked before
      list      List what waits for an answer
      get       Show one batch with its questions
      answer    Answer a batch
      dismiss   Choose not to answer
      extend    Give a batch more time
      cancel    Withdraw an ask
      sessions  List the sessions
      turn      Mark the runs of an agent inside its session
      serve     Run the hub without a window
      open      Raise the window
      demo      Let a scripted agent ask something, to see how it works
      mcp       Serve an MCP client on standard input and output
      health    Say how the hub is

    Options:
          --json     Print JSON on standard output
      -h, --help     Print help
      -V, --version  Print version

    ## ask
    Ask the person and wait for the answer

    Usage: askdock ask [OPTIONS] <--question <TEXT>|--input <FILE>>

    Options:
          --json               Print JSON on standard output
          --question <TEXT>    The question
          --header <TEXT>      A short label for it
          --option <LABEL>     One of the options; repeat it for each
          --multi              Several options may be selected
          --no-custom          Only the options; no typed answer
          --context <TEXT>     Why you ask
          --input <FILE>       Read a batch as JSON from a file, or - for standard input
          --dialect <NAME>     The format of the input
          --timeout <SECONDS>  Expire after this many seconds, 30 to 3600; without it never
          --request-id <KEY>   Asking again with the same key is the same ask
          --session <ID>       Session id; without it the session is the folder's [env:
                               ASKDOCK_SESSION=]
          --agent <NAME>       The agent's name, as the person sees it
          --turn <ID>          The turn in which this is asked
          --no-wait            Print number and id, and return
          --wait               Ask even if nobody can be reached now
      -h, --help               Print help (see more with '--help')

    ## wait
    Wait for the outcome of what was asked before

    Usage: askdock wait [OPTIONS] <N>

    Arguments:
      <N>  Number or id of the batch

    Options:
          --json  Print JSON on standard output
      -h, --help  Print help

    ## list
    List what waits for an answer

    Usage: askdock list [OPTIONS]

    Options:
          --all           Ended ones too
          --json          Print JSON on standard output
          --session <ID>  Only of this session
          --turn <ID>     Only of this turn
      -h, --help          Print help

    ## get
    Show one batch with its questions

    Usage: askdock get [OPTIONS] <N>

    Arguments:
      <N>  Number or id of the batch

    Options:
          --json  Print JSON on standard output
      -h, --help  Print help

    ## answer
    Answer a batch

    Usage: askdock answer [OPTIONS] <N> [REPLY]...

    Arguments:
      <N>         Number or id of the batch
      [REPLY]...  The reply to its only question: a label, its number, or text

    Options:
          --json            Print JSON on standard output
          --text <TEXT>     Exactly this text as the answer
          --option <LABEL>  Select this option, by label or id; repeat it for several
          --notes <TEXT>    A note beside the answer
          --input <FILE>    Read the answers as JSON from a file, or - for standard input
      -h, --help            Print help

    ## dismiss
    Choose not to answer

    Usage: askdock dismiss [OPTIONS] <N>

    Arguments:
      <N>  Number or id of the batch

    Options:
          --json  Print JSON on standard output
      -h, --help  Print help

    ## extend
    Give a batch more time

    Usage: askdock extend [OPTIONS] <N> <SECONDS>

    Arguments:
      <N>        Number or id of the batch
      <SECONDS>  Seconds to add

    Options:
          --json  Print JSON on standard output
      -h, --help  Print help

    ## cancel
    Withdraw an ask

    Usage: askdock cancel [OPTIONS] <N>

    Arguments:
      <N>  Number or id of the batch

    Options:
          --json           Print JSON on standard output
          --reason <TEXT>  Why
      -h, --help           Print help

    ## sessions
    List the sessions

    Usage: askdock sessions [OPTIONS]

    Options:
          --json  Print JSON on standard output
      -h, --help  Print help

    ## turn begin
    Open a turn, or resume it

    Usage: askdock turn begin [OPTIONS]

    Options:
          --json                    Print JSON on standard output
          --turn <ID>               The turn's id; without it one is made
          --session <ID>            Session id; without it the session is the folder's [env:
                                    ASKDOCK_SESSION=]
          --max-duration <SECONDS>  Fail the turn after this many seconds, waiting included
      -h, --help                    Print help

    ## turn finalize
    Take no new questions in a turn

    Usage: askdock turn finalize [OPTIONS] --turn <ID>

    Options:
          --json          Print JSON on standard output
          --turn <ID>     The turn's id
          --session <ID>  Session id; without it the session is the folder's [env: ASKDOCK_SESSION=]
      -h, --help          Print help

    ## turn end
    End a turn and withdraw what it still asks

    Usage: askdock turn end [OPTIONS] --turn <ID>

    Options:
          --json           Print JSON on standard output
          --turn <ID>      The turn's id
          --session <ID>   Session id; without it the session is the folder's [env: ASKDOCK_SESSION=]
          --state <STATE>  How it ended [default: finished] [possible values: finished, interrupted,
                           failed]
      -h, --help           Print help

    ## serve
    Run the hub without a window

    Usage: askdock serve [OPTIONS]

    Options:
          --json  Print JSON on standard output
      -h, --help  Print help

    ## open
    Raise the window

    Usage: askdock open [OPTIONS] [N]

    Arguments:
      [N]  Show this batch

    Options:
          --json  Print JSON on standard output
      -h, --help  Print help

    ## demo
    Let a scripted agent ask something, to see how it works

    Usage: askdock demo [OPTIONS]

    Options:
          --json  Print JSON on standard output
      -h, --help  Print help

    ## mcp
    Serve an MCP client on standard input and output

    Usage: askdock mcp [OPTIONS]

    Options:
          --json          Print JSON on standard output
          --session <ID>  Session id; without it the session is the folder's [env: ASKDOCK_SESSION=]
      -h, --help          Print help

    ## health
    Say how the hub is

    Usage: askdock health [OPTIONS]

    Options:
          --json  Print JSON on standard output
      -h, --help  Print help
    ");
    Ok(())
}

#[tokio::test]
async fn what_is_not_a_command_is_a_usage_error() -> Result<()> {
    let home = Home::new()?;
    insta::assert_snapshot!(run(&home, &["aks"]).await?, @r"
    exit 2
    -- stderr
    error: unrecognized subcommand 'aks'

    Usage: askdock [OPTIONS] <COMMAND>

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(run(&home, &["ask"]).await?, @r"
    exit 2
    -- stderr
    error: the following required arguments were not provided:
      <--question <TEXT>|--input <FILE>>

    Usage: askdock ask <--question <TEXT>|--input <FILE>>

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(run(&home, &["extend", "1", "0"]).await?, @r"
    exit 2
    -- stderr
    error: invalid value '0' for '<SECONDS>': 0 is not in 1..=86400

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(run(&home, &["answer", "1"]).await?, @r"
    exit 2
    -- stderr
    askdock: Give a reply, --text, --option or --input; /skip dismisses.
    ");
    Ok(())
}
