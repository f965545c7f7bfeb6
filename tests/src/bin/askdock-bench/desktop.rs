//! What the desktop app costs: until the dock is painted, and while nothing happens.

use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use askdock_client::{Client, Role};
use askdock_tests::desktop::{App, Display, until};
use askdock_tests::home::Home;
use askdock_wire::ops::{BatchAnswer, SettingsPatch, SettingsSet, WindowOpen, WindowOpenRequest};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Child;
use tokio::sync::mpsc;

use crate::percentiles::Figure;
use crate::{figures, processes};

const SAMPLES: usize = 200;
const SETTLED: Duration = Duration::from_millis(300);
/// The session that is on show.
const SESSION: &str = "painted";
/// More than the grace of whoever waited.
const SETTLING: Duration = Duration::from_secs(10);
/// How long the app is left alone.
const IDLE: Duration = Duration::from_secs(60);

/// From the ask to the frame in which the open window's dock shows it.
pub(crate) async fn ask_painted() -> Result<Figure> {
    let (display, home) = (Display::start().await?, Home::new()?);
    let mut app = RunningApp::start(&home, &display, &[]).await?;
    display.window_shown().await?;
    let (agent, person) = (home.client(Role::Agent), home.client(Role::Person));
    let mut times = vec![];
    app.answer_first(&home).await?;
    for _ in 0..SAMPLES {
        let start = Instant::now();
        let asked = agent.ask(figures::request(SESSION, 0)).await?;
        times.push(app.painted(&asked.id).await?.saturating_duration_since(start));
        person.call::<BatchAnswer>(&figures::answer(&asked)).await?;
        // The window shows the answer first; that isn't measured here.
        tokio::time::sleep(SETTLED).await;
    }
    Ok(Figure::times("ask → dock painted, window open", times))
}

/// The app closed to the tray with nothing pending: what it takes in a minute, thread by thread.
#[expect(clippy::print_stdout, reason = "which thread woke is part of the figure")]
pub(crate) async fn idle_in_tray() -> Result<Vec<Figure>> {
    let (display, home) = (Display::start().await?, Home::new()?);
    let mut app = RunningApp::start(&home, &display, &[]).await?;
    let window = display.window_shown().await?;
    app.answer_first(&home).await?;
    let pid = app.process.id().context("the app has ended")?;
    let mut figures =
        vec![Figure::number("memory (PSS), window open", "MB", processes::memory_of_tree(pid)?, 1)];
    let changes = [("told_keep_running".to_owned(), true.into())].into_iter().collect();
    home.client(Role::Person).call::<SettingsSet>(&SettingsPatch { changes }).await?;
    display.close(&window).await?;
    until("the window gone", async || Ok(display.window().await?.is_none().then_some(()))).await?;
    // The page's process ends after its window.
    until("the page gone", async || {
        Ok(processes::tree(pid)?.iter().all(|one| !one.name.contains("WebKitWeb")).then_some(()))
    })
    .await?;

    // What the answer and the close still had to do is over.
    tokio::time::sleep(SETTLING).await;
    let before = processes::threads(pid)?;
    tokio::time::sleep(IDLE).await;
    let after = processes::threads(pid)?;
    let (mut switches, mut ticks) = (0, 0);
    println!("threads that ran in {} s, closed to the tray:", IDLE.as_secs());
    for (id, thread) in &after {
        let was = before.get(id).cloned().unwrap_or_default();
        let (switched, ticked) = (thread.voluntary - was.voluntary, thread.ticks - was.ticks);
        switches += switched;
        ticks += ticked;
        if switched > 0 || ticked > 0 {
            println!("  {:<20} {switched:>5} voluntary switches, {ticked:>3} ticks", thread.name);
        }
    }
    println!();
    #[expect(clippy::cast_precision_loss, reason = "small counts")]
    figures.extend([
        Figure::number(
            "memory (PSS), closed to the tray",
            "MB",
            processes::memory_of_tree(pid)?,
            1,
        ),
        Figure::number("idle minute in the tray", "voluntary switches", switches as f64, 1),
        Figure::number("idle minute in the tray", "CPU ms", ticks as f64 * 10.0, 1),
    ]);
    Ok(figures)
}

/// The app with what it says while it runs.
struct RunningApp {
    process: Child,
    /// The batches that the window says it painted, and when it said so.
    painted: mpsc::UnboundedReceiver<(String, Instant)>,
}

impl RunningApp {
    async fn start(home: &Home, display: &Display, arguments: &[&str]) -> Result<Self> {
        let mut process = App::command(home, display)
            .args(arguments)
            .stderr(Stdio::piped())
            .spawn()
            .context("askdock-desktop")?;
        let stderr = process.stderr.take().context("the app's log")?;
        let (send, painted) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut lines = BufReader::new(stderr).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                let at = Instant::now();
                if line.contains("painted")
                    && let Some((_, batch)) = line.split_once("batch=\"")
                    && send.send((batch.trim_end_matches('"').to_owned(), at)).is_err()
                {
                    break;
                }
            }
        });
        let person: Client = home.client(Role::Person);
        until("the hub", async || Ok(person.reach().await.is_ok().then_some(()))).await?;
        Ok(Self { process, painted })
    }

    /// Opens the window on a first batch, and answers it once it is painted.
    async fn answer_first(&mut self, home: &Home) -> Result<()> {
        let asked = home.client(Role::Agent).ask(figures::request(SESSION, 0)).await?;
        let person = home.client(Role::Person);
        let open = WindowOpenRequest { session: None, batch: Some(asked.id.clone()) };
        person.call::<WindowOpen>(&open).await?;
        self.painted(&asked.id).await?;
        person.call::<BatchAnswer>(&figures::answer(&asked)).await?;
        Ok(())
    }

    /// When this batch was painted.
    async fn painted(&mut self, batch: &str) -> Result<Instant> {
        let found = async {
            while let Some((painted, at)) = self.painted.recv().await {
                if painted == batch {
                    return Some(at);
                }
            }
            None
        };
        let found = tokio::time::timeout(askdock_tests::home::PATIENCE, found).await;
        ensure!(found.is_ok(), "batch {batch} was never painted");
        found?.context("the app ended")
    }
}
