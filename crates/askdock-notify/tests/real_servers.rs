//! The notifier against real notification servers on a virtual screen, pressed with a pointer.
//!
//! Needs Xvfb, xdotool, ImageMagick and the server; what is missing is named and skipped.

#![cfg(all(unix, not(target_os = "macos")))]

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use askdock_hub::{Notice, NoticeAction, NoticeCommand, NoticeEvent, NoticeKey, Notifier, Shown};
use askdock_notify::{AppIdentity, desktop_notifier_at, probe_at};
use askdock_tests::session_bus::SessionBus;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;

const XFCE: [&str; 3] = [
    "/usr/lib/x86_64-linux-gnu/xfce4/notifyd/xfce4-notifyd",
    "/usr/lib/aarch64-linux-gnu/xfce4/notifyd/xfce4-notifyd",
    "/usr/lib/xfce4/notifyd/xfce4-notifyd",
];
const DUNST: [&str; 1] = ["/usr/bin/dunst"];
/// Started programs are slow on a loaded machine; nothing waits longer than this.
const PATIENCE: Duration = Duration::from_secs(30);
/// Narrower things in the row of buttons are text or frames.
const NARROWEST_BUTTON: usize = 40;

#[tokio::test]
async fn a_press_on_a_button_of_xfce_is_that_answer() -> Result<()> {
    let Some((mut room, server)) = Room::open(&XFCE).await? else { return Ok(()) };
    // The notice is there before the server is.
    room.show("42", &["staging & <b>1</b>", "production"]);
    let mut running = room.run(server)?;
    let shown = room.posted("42").await?;

    // The default action is drawn first, then the answers, then Skip.
    let window = room.window("xfce4-notifyd").await?;
    let buttons = room.buttons(&window, 4).await?;
    room.click(buttons[2], 1).await?;
    assert_eq!(room.report().await?, pressed("42", "42/production"));
    assert_eq!(room.report().await?, NoticeEvent::Closed { key: key("42") });

    room.show("43", &[]);
    room.posted("43").await?;
    let window = room.window("xfce4-notifyd").await?;
    let buttons = room.buttons(&window, 3).await?;
    room.click(buttons[0], 1).await?;
    assert_eq!(room.report().await?, pressed("43", "43/open"));
    assert_eq!(room.report().await?, NoticeEvent::Closed { key: key("43") });

    // A crash: what waits is shown again by the next run, and can be pressed there.
    room.show("44", &["yes", "no"]);
    room.posted("44").await?;
    running.kill().await?;
    let _running = room.run(server)?;
    let again = room.posted("44").await?;
    assert_ne!(again.server, shown.server);
    let window = room.window("xfce4-notifyd").await?;
    let buttons = room.buttons(&window, 4).await?;
    room.click(buttons[1], 1).await?;
    assert_eq!(room.report().await?, pressed("44", "44/yes"));

    let info = probe_at(room.bus.address()).await?;
    assert_eq!(info.name, "Xfce Notify Daemon");
    Ok(())
}

#[tokio::test]
async fn a_press_on_dunst_opens_the_batch() -> Result<()> {
    let Some((mut room, server)) = Room::open(&DUNST).await? else { return Ok(()) };
    let _running = room.run(server)?;
    room.show("42", &["staging", "production"]);
    let shown = room.posted("42").await?;
    room.show("42", &["staging"]);
    assert_eq!(room.posted("42").await?, shown, "replaced in place");

    // Its signals go to the poster alone; the middle button invokes the default action.
    let window = room.window("dunst").await?;
    room.click((window.left + window.width / 2, window.top + window.height / 2), 2).await?;
    assert_eq!(room.report().await?, pressed("42", "42/open"));
    assert_eq!(room.report().await?, NoticeEvent::Closed { key: key("42") });
    Ok(())
}

/// A screen, a bus and a notifier.
struct Room {
    bus: SessionBus,
    _screen: Child,
    display: String,
    home: tempfile::TempDir,
    notifier: Box<dyn Notifier>,
    events: mpsc::UnboundedReceiver<NoticeEvent>,
}

struct Window {
    id: String,
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl Room {
    /// With the path of the server; `None`, with a word about it, where something is missing.
    async fn open(servers: &[&'static str]) -> Result<Option<(Self, &'static str)>> {
        let Some(server) = servers.iter().find(|server| Path::new(server).exists()) else {
            eprintln!("skipped: none of {servers:?} is installed");
            return Ok(None);
        };
        for tool in ["Xvfb", "xdotool", "import"] {
            if !on_path(tool) {
                eprintln!("skipped: {tool} is not installed");
                return Ok(None);
            }
        }
        let Some(bus) = SessionBus::start().await? else {
            eprintln!("skipped: dbus-daemon is not installed");
            return Ok(None);
        };
        let mut screen = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let mut number = String::new();
        let output = screen.stdout.take().context("no output of Xvfb")?;
        tokio::time::timeout(PATIENCE, BufReader::new(output).read_line(&mut number)).await??;
        let (sender, events) = mpsc::unbounded_channel();
        let app = AppIdentity {
            name: "Askdock".to_owned(),
            desktop_entry: "askdock".to_owned(),
            icon: String::new(),
        };
        let notifier = Box::new(desktop_notifier_at(bus.address(), app, sender));
        let display = format!(":{}", number.trim());
        let home = tempfile::tempdir()?;
        Ok(Some((Self { bus, _screen: screen, display, home, notifier, events }, server)))
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env("DISPLAY", &self.display)
            .env("DBUS_SESSION_BUS_ADDRESS", self.bus.address())
            .env("HOME", self.home.path())
            .env("XDG_CONFIG_HOME", self.home.path())
            .env("NO_AT_BRIDGE", "1")
            .env_remove("WAYLAND_DISPLAY")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        command
    }

    fn run(&self, server: &str) -> Result<Child> {
        self.command(server).stdout(Stdio::null()).spawn().context("the server")
    }

    async fn output(&self, program: &str, args: &[&str]) -> Result<Vec<u8>> {
        let run = self.command(program).args(args).output();
        Ok(tokio::time::timeout(PATIENCE, run).await.context("too slow")??.stdout)
    }

    /// The visible window with this name or class, once there is one.
    async fn window(&self, name: &str) -> Result<Window> {
        let search = ["search", "--sync", "--onlyvisible", "--limit", "1", "--name", name];
        let found = String::from_utf8(self.output("xdotool", &search).await?)?;
        let id = found.lines().next().context("no window")?.to_owned();
        let geometry = ["getwindowgeometry", "--shell", &id];
        let geometry = String::from_utf8(self.output("xdotool", &geometry).await?)?;
        let read = |field: &str| -> Result<usize> {
            let line = geometry.lines().find_map(|line| line.strip_prefix(field));
            Ok(line.context("odd geometry")?.parse()?)
        };
        let (left, top) = (read("X=")?, read("Y=")?);
        Ok(Window { left, top, width: read("WIDTH=")?, height: read("HEIGHT=")?, id })
    }

    /// The middles of the buttons, left to right, once exactly `count` of them are painted.
    async fn buttons(&self, window: &Window, count: usize) -> Result<Vec<(usize, usize)>> {
        let painted = async {
            loop {
                // A window of another size is painted by the time it is looked at again.
                let args = ["-window", &window.id, "-depth", "8", "gray:-"];
                let pixels = self.output("import", &args).await?;
                if pixels.len() == window.width * window.height {
                    let rows = pixels.chunks_exact(window.width).map(button_middles).enumerate();
                    let cut: Vec<_> = rows.filter(|(_, cut)| cut.len() == count).collect();
                    // The first and the last of these rows are the buttons' frames.
                    if let Some((y, middles)) = cut.get(cut.len() / 2) {
                        let place = |x: &usize| (window.left + x, window.top + y);
                        return Ok(middles.iter().map(place).collect());
                    }
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        match tokio::time::timeout(PATIENCE, painted).await {
            Ok(found) => found,
            Err(_) => bail!("{count} buttons were never painted"),
        }
    }

    async fn click(&self, (x, y): (usize, usize), button: u8) -> Result<()> {
        let (x, y, button) = (x.to_string(), y.to_string(), button.to_string());
        self.output("xdotool", &["mousemove", "--sync", &x, &y, "click", &button]).await?;
        // Away again: a button under the pointer is painted brighter.
        self.output("xdotool", &["mousemove", "5", "790"]).await?;
        Ok(())
    }

    fn show(&self, name: &str, answers: &[&str]) {
        let own = |label: &str| NoticeAction {
            nonce: format!("{name}/{label}"),
            label: label.to_owned(),
        };
        self.notifier.send(NoticeCommand::Show(Notice {
            key: key(name),
            replaces: None,
            title: "Claude Code — deploy".to_owned(),
            body: "Deploy target\nWhere should <it> go?".to_owned(),
            critical: false,
            sound: false,
            answers: answers.iter().map(|label| own(label)).collect(),
            fallback: vec![own("Open"), own("Skip"), own("Later")],
            skip: Some(own("Skip")),
            open: NoticeAction { nonce: format!("{name}/open"), label: "Open".to_owned() },
            reply: None,
        }));
    }

    /// The next report that is not about availability.
    async fn report(&mut self) -> Result<NoticeEvent> {
        loop {
            let next = tokio::time::timeout(PATIENCE, self.events.recv()).await;
            match next.context("no report in time")?.context("the notifier ended")? {
                NoticeEvent::Available(_) => {}
                event => return Ok(event),
            }
        }
    }

    async fn posted(&mut self, name: &str) -> Result<Shown> {
        loop {
            match self.report().await? {
                NoticeEvent::Posted { key: posted, shown } if posted == key(name) => {
                    return Ok(shown);
                }
                // Left over from the press before.
                NoticeEvent::Closed { .. } => {}
                other => bail!("expected {name} to be posted, got {other:?}"),
            }
        }
    }
}

/// Middles of what differs from the background at the row's ends for long enough to be a button.
fn button_middles(row: &[u8]) -> Vec<usize> {
    let Some(background) = row.get(4) else { return Vec::new() };
    let mut middles = Vec::new();
    let mut start = None;
    // The frame of the window is not part of the row.
    for (x, pixel) in row.iter().enumerate().skip(4).take(row.len().saturating_sub(8)) {
        match (pixel == background, start) {
            (false, None) => start = Some(x),
            (true, Some(from)) => {
                if x - from >= NARROWEST_BUTTON {
                    middles.push((from + x) / 2);
                }
                start = None;
            }
            _ => {}
        }
    }
    middles
}

fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).exists())
}

fn key(name: &str) -> NoticeKey {
    NoticeKey(name.to_owned())
}

fn pressed(name: &str, nonce: &str) -> NoticeEvent {
    NoticeEvent::Invoked { key: key(name), nonce: nonce.to_owned(), activation_token: None }
}
