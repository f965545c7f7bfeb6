//! An agent made of an official TypeScript SDK, through `mcp-client/driver.mjs`.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};

use crate::home::{Home, PATIENCE, askdock};

/// The generations of the SDK.
pub const GENERATIONS: [&str; 2] = ["1", "2"];

/// One agent with its `askdock mcp`; killed when dropped.
pub struct SdkAgent {
    _process: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl SdkAgent {
    /// Starts an agent of this generation in these roots, with these variables added, and
    /// connects it.
    ///
    /// # Errors
    /// The SDKs aren't installed, or the handshake fails.
    pub async fn start(
        home: &Home,
        generation: &str,
        roots: &[&str],
        variables: &[(&str, &str)],
    ) -> Result<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("mcp-client");
        ensure!(
            folder.join("node_modules").is_dir(),
            "the SDKs are missing: run `npm ci` in tests/mcp-client, as `cargo xtask test` does"
        );
        let agent = json!({
            "sdk": generation, "command": askdock(), "args": ["mcp"], "name": "sdk-test",
            "roots": (!roots.is_empty()).then_some(roots),
        });
        let mut process = home
            .command("node")
            .arg(folder.join("driver.mjs"))
            .arg(agent.to_string())
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .context("node can't be started")?;
        let input = process.stdin.take().context("its input")?;
        let output = BufReader::new(process.stdout.take().context("its output")?).lines();
        let mut agent = Self { _process: process, input, output };
        let connected = agent.next().await?;
        ensure!(connected["connected"]["name"] == "askdock", "{connected}");
        Ok(agent)
    }

    /// Sends the driver a command.
    ///
    /// # Errors
    /// It is gone.
    pub async fn tell(&mut self, command: Value) -> Result<()> {
        Ok(self.input.write_all(format!("{command}\n").as_bytes()).await?)
    }

    /// The next line; a complaint of the SDK's is a failure.
    ///
    /// # Errors
    /// None comes, or the SDK complains.
    pub async fn next(&mut self) -> Result<Value> {
        let line = tokio::time::timeout(PATIENCE, self.output.next_line()).await??;
        let line: Value = serde_json::from_str(&line.context("the driver left")?)?;
        ensure!(line.get("complaint").is_none(), "{line}");
        Ok(line)
    }
}
