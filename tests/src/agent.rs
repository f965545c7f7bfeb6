//! An agent that speaks MCP with `askdock mcp`, a line of JSON at a time.

use std::collections::VecDeque;
use std::process::Stdio;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};

use crate::home::{Home, PATIENCE, askdock};

/// Stands between the test and `askdock mcp`. The hub takes it for the agent, and whatever the
/// agent started is refused what only the person may do: that must not be the test.
const PROGRAM: &str = "\"$@\"\nended=$?\nexit $ended\n";

/// One agent with its `askdock mcp`; killed when dropped.
pub struct Agent {
    process: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
    complaints: ChildStderr,
    /// Came while something else was waited for.
    unread: VecDeque<Value>,
    last_id: u64,
}

impl Agent {
    /// Starts it with these variables added, without a handshake.
    ///
    /// # Errors
    /// It does not start.
    pub fn spawn(home: &Home, variables: &[(&str, &str)]) -> Result<Self> {
        let program = home.path().join("agent.sh");
        std::fs::write(&program, PROGRAM)?;
        let mut command = home.command("sh");
        // By its own name it would be taken for a shell that starts an agent.
        command.arg0("agent");
        command.arg(program).arg(askdock()).arg("mcp").envs(variables.iter().copied());
        let mut process = command.stdin(Stdio::piped()).spawn()?;
        Ok(Self {
            input: process.stdin.take(),
            output: BufReader::new(process.stdout.take().context("its output")?).lines(),
            complaints: process.stderr.take().context("its complaints")?,
            unread: VecDeque::new(),
            last_id: 0,
            process,
        })
    }

    /// An agent that is ready to call, as the client `name`.
    ///
    /// # Errors
    /// It does not start or the handshake fails.
    pub async fn start(home: &Home, name: &str, variables: &[(&str, &str)]) -> Result<Self> {
        let mut agent = Self::spawn(home, variables)?;
        agent.shake_hands("2025-11-25", name).await?;
        Ok(agent)
    }

    /// The handshake; returns what the server says of itself.
    ///
    /// # Errors
    /// The server refuses or is gone.
    pub async fn shake_hands(&mut self, revision: &str, name: &str) -> Result<Value> {
        let id = self
            .request(
                "initialize",
                json!({
                    "protocolVersion": revision, "capabilities": {},
                    "clientInfo": { "name": name, "version": "1" },
                }),
            )
            .await?;
        let response = self.response(id).await?;
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await?;
        Ok(response)
    }

    /// Calls a tool and returns the request's id.
    ///
    /// # Errors
    /// The server is gone.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Result<u64> {
        self.call_with(tool, arguments, json!({})).await
    }

    /// [`Agent::call`] with `_meta`.
    ///
    /// # Errors
    /// The server is gone.
    pub async fn call_with(&mut self, tool: &str, arguments: Value, meta: Value) -> Result<u64> {
        let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
        self.request("tools/call", params).await
    }

    /// Sends a request and returns its id.
    ///
    /// # Errors
    /// The server is gone.
    pub async fn request(&mut self, method: &str, params: Value) -> Result<u64> {
        self.last_id += 1;
        let id = self.last_id;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(&request).await?;
        Ok(id)
    }

    /// Gives a request up.
    ///
    /// # Errors
    /// The server is gone.
    pub async fn cancel(&mut self, id: u64) -> Result<()> {
        let params = json!({ "requestId": id, "reason": "the test says so" });
        let method = "notifications/cancelled";
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params })).await
    }

    /// Sends one message.
    ///
    /// # Errors
    /// The server is gone.
    pub async fn send(&mut self, message: &Value) -> Result<()> {
        let input = self.input.as_mut().context("the input was closed")?;
        input.write_all(format!("{message}\n").as_bytes()).await?;
        Ok(input.flush().await?)
    }

    /// The whole response to a request.
    ///
    /// # Errors
    /// None comes.
    pub async fn response(&mut self, id: u64) -> Result<Value> {
        self.next(|message| message["id"] == id && message.get("method").is_none()).await
    }

    /// The result of a call.
    ///
    /// # Errors
    /// None comes, or a protocol error.
    pub async fn result(&mut self, id: u64) -> Result<Value> {
        let mut response = self.response(id).await?;
        ensure!(response.get("error").is_none(), "an error: {response}");
        Ok(response["result"].take())
    }

    /// The parameters of the next notification of this method.
    ///
    /// # Errors
    /// None comes.
    pub async fn notification(&mut self, method: &str) -> Result<Value> {
        let mut message = self.next(|message| message["method"] == method).await?;
        Ok(message["params"].take())
    }

    /// Everything that came and was not asked for.
    pub fn unread(&self) -> impl Iterator<Item = &Value> {
        self.unread.iter()
    }

    /// Closes the server's input.
    pub fn leave(&mut self) {
        self.input = None;
    }

    /// Waits for the server's end; its exit code and what it said on standard error.
    ///
    /// # Errors
    /// It does not end.
    pub async fn ended(mut self) -> Result<(Option<i32>, String)> {
        let mut complaints = String::new();
        let ended = async {
            self.complaints.read_to_string(&mut complaints).await?;
            self.process.wait().await
        };
        let status = tokio::time::timeout(PATIENCE, ended).await.context("it did not end")??;
        Ok((status.code(), complaints))
    }

    /// The process id of `askdock mcp` itself.
    ///
    /// # Errors
    /// It is gone, or this isn't Linux.
    pub fn server_pid(&self) -> Result<i32> {
        let agent = self.process.id().context("the agent is gone")?;
        let children = std::fs::read_to_string(format!("/proc/{agent}/task/{agent}/children"))?;
        Ok(children.split_whitespace().next().context("askdock mcp is gone")?.parse()?)
    }

    async fn next(&mut self, wanted: impl Fn(&Value) -> bool) -> Result<Value> {
        if let Some(found) = self.unread.iter().position(&wanted) {
            return self.unread.remove(found).context("it was there");
        }
        let read = async {
            while let Some(line) = self.output.next_line().await? {
                let message: Value = serde_json::from_str(&line)
                    .with_context(|| format!("no message of the protocol: {line}"))?;
                if wanted(&message) {
                    return Ok(message);
                }
                self.unread.push_back(message);
            }
            bail!("the server left")
        };
        tokio::time::timeout(PATIENCE, read)
            .await
            .with_context(|| format!("nothing came but {:?}", self.unread))?
    }
}
