//! An agent that asks over `askdock mcp` and then answers itself from its own shell.

use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use askdock_tests::home::{Home, PATIENCE, askdock};
use askdock_tests::http::Caller;
use askdock_tests::until::until;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};

use crate::Records;

/// The agent: asks, keeps the call open, and runs each line that it reads as agents run their
/// commands. What a command printed is in the file `ran`; its exit code is printed.
const AGENT: &str = r#"
askdock=$1
mkfifo calls
"$askdock" mcp <calls >results &
export mcp=$!
exec 3>calls
printf '%s\n' \
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"fake","version":"1"}}}' \
  '{"jsonrpc":"2.0","method":"notifications/initialized"}' \
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_user","arguments":{"questions":[{"id":"go","question":"Delete everything?","options":["Yes","No"]}]}}}' >&3
while read -r line; do
  sh -c "$line" >ran 2>&1 </dev/null
  echo $?
done
"#;

struct FakeAgent {
    process: Child,
    commands: ChildStdin,
    codes: Lines<BufReader<ChildStdout>>,
    folder: std::path::PathBuf,
}

impl FakeAgent {
    async fn start(home: &Home) -> Result<Self> {
        let script = home.path().join("agent.sh");
        std::fs::write(&script, AGENT)?;
        let mut command = home.command("sh");
        // By its own name it would be taken for a shell that starts an agent.
        command.arg0("agent");
        let mut process =
            command.arg(&script).arg(askdock()).stdin(Stdio::piped()).kill_on_drop(true).spawn()?;
        let commands = process.stdin.take().context("its input")?;
        let codes = BufReader::new(process.stdout.take().context("its output")?).lines();
        let person = Caller::person(home)?;
        // Its call waits.
        until("the agent never asked", async || {
            let sessions = person.call("GET /v1/sessions", Value::Null).await?.expect(200)?;
            Ok((sessions[0]["connected"] == true).then_some(()))
        })
        .await?;
        Ok(Self { process, commands, codes, folder: home.path().to_owned() })
    }

    /// Runs a command; its exit code and output.
    async fn runs(&mut self, command: &str) -> Result<(i32, String)> {
        self.commands.write_all(format!("{command}\n").as_bytes()).await?;
        let code = tokio::time::timeout(PATIENCE, self.codes.next_line()).await??;
        let code = code.with_context(|| format!("the agent ended at {command}"))?.parse()?;
        Ok((code, std::fs::read_to_string(self.folder.join("ran"))?))
    }
}

#[tokio::test]
async fn an_agents_shell_may_not_answer_the_agents_question() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let mut agent = FakeAgent::start(&home).await?;
    let askdock = askdock().display().to_string();
    let before = Records::of(&home)?;
    for command in [
        "answer 1 Yes",
        "answer 1 --option Yes",
        "answer 1 --text 'because I say so'",
        "dismiss 1",
        "extend 1 60",
    ] {
        for around in ["", "env -i HOME=$HOME ASKDOCK_HOME=$ASKDOCK_HOME ", "nohup ", "setsid -w "]
        {
            let (code, said) = agent.runs(&format!("{around}{askdock} {command} --json")).await?;
            ensure!(code == 1, "{around}{command}: {code} {said}");
            ensure!(said.contains(r#""code":"forbidden""#), "{around}{command}: {said}");
            let why = "was started by an agent that waits for an answer";
            ensure!(said.contains(why), "{around}{command}: {said}");
        }
    }
    // Nor one level deeper, nor while the shell that started it goes on with something else.
    for command in [
        format!("sh -c 'sh -c \"{askdock} answer 1 Yes --json; exit 1\"'"),
        format!("({askdock} answer 1 Yes --json >deep 2>&1; exit 1) & wait $!; cat deep; exit 1"),
    ] {
        let (_, said) = agent.runs(&command).await?;
        ensure!(said.contains(r#""code":"forbidden""#), "{command}: {said}");
    }
    before.unchanged(&home)?;

    // What an agent may do, it may do there too.
    let (code, said) = agent.runs(&format!("{askdock} health")).await?;
    ensure!(code == 0, "{said}");
    // The person's own terminal isn't the agent's child, and the answer reaches the agent.
    let answered = home.run(&["answer", "1", "No", "--json"]).await?;
    ensure!(answered.code == Some(0), "{answered:?}");
    until("the agent never got it", async || {
        let results = std::fs::read_to_string(home.path().join("results"))?;
        Ok(results.contains(r#""label":"No""#).then_some(()))
    })
    .await
}

#[tokio::test]
async fn an_agent_whose_connection_is_gone_is_still_the_agent() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let mut agent = FakeAgent::start(&home).await?;
    let askdock = askdock().display().to_string();
    // It ends its own `askdock mcp` to look like somebody else.
    let (_, said) = agent.runs("kill -9 $mcp; echo gone").await?;
    ensure!(said.ends_with("gone\n"), "{said}");
    let person = Caller::person(&home)?;
    until("the asker never counted as away", async || {
        let batch = person.call("GET /v1/batches/1", Value::Null).await?.expect(200)?;
        Ok((batch["away"] == true).then_some(()))
    })
    .await?;
    let before = Records::of(&home)?;
    let (code, said) = agent.runs(&format!("{askdock} answer 1 Yes --json")).await?;
    ensure!(code == 1 && said.contains(r#""code":"forbidden""#), "{code} {said}");
    before.unchanged(&home)
}

#[tokio::test]
async fn a_new_hub_knows_the_agent_as_soon_as_it_is_back() -> Result<()> {
    let home = Home::new()?;
    let hub = home.serve().await?;
    let mut agent = FakeAgent::start(&home).await?;
    hub.kill().await?;
    let _hub = home.serve().await?;
    let person = Caller::person(&home)?;
    until("the agent never came back", async || {
        let sessions = person.call("GET /v1/sessions", Value::Null).await?.expect(200)?;
        Ok((sessions[0]["connected"] == true).then_some(()))
    })
    .await?;
    let askdock = askdock().display().to_string();
    let (code, said) = agent.runs(&format!("{askdock} answer 1 Yes --json")).await?;
    ensure!(code == 1 && said.contains(r#""code":"forbidden""#), "{code} {said}");
    let batch = person.call("GET /v1/batches/1", Value::Null).await?.expect(200)?;
    ensure!(batch["status"] == json!("pending"), "{batch}");
    ensure!(agent.process.try_wait()?.is_none(), "the agent ended");
    Ok(())
}
