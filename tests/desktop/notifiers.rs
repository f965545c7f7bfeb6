//! The notifier against real notification servers on a virtual screen, pressed with a pointer.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use askdock_hub::{Notice, NoticeAction, NoticeCommand, NoticeEvent, NoticeKey, Notifier, Shown};
use askdock_notify::{AppIdentity, desktop_notifier_at, probe_at};
use askdock_tests::desktop::{DUNST, Display, XFCE};
use tokio::sync::mpsc;

/// Started programs are slow on a loaded machine; nothing waits longer than this.
const PATIENCE: Duration = Duration::from_secs(30);

#[tokio::test]
async fn a_press_on_a_button_of_xfce_is_that_answer() -> Result<()> {
    let mut room = Room::open().await?;
    // The notice is there before the server is.
    room.show("42", &["staging & <b>1</b>", "production"]);
    let running = XFCE.start(&room.display)?;
    let shown = room.posted("42").await?;

    // The default action is drawn first, then the answers, then Skip.
    let window = room.display.area(XFCE.window).await?;
    let buttons = room.display.buttons(&window, 4).await?;
    room.display.press(buttons[2], 1).await?;
    assert_eq!(room.report().await?, pressed("42", "42/production"));
    assert_eq!(room.report().await?, NoticeEvent::Closed { key: key("42") });

    room.show("43", &[]);
    room.posted("43").await?;
    let window = room.display.area(XFCE.window).await?;
    let buttons = room.display.buttons(&window, 3).await?;
    room.display.press(buttons[0], 1).await?;
    assert_eq!(room.report().await?, pressed("43", "43/open"));
    assert_eq!(room.report().await?, NoticeEvent::Closed { key: key("43") });

    // A crash: what waits is shown again by the next run, and can be pressed there.
    room.show("44", &["yes", "no"]);
    room.posted("44").await?;
    running.kill().await?;
    let _running = XFCE.start(&room.display)?;
    let again = room.posted("44").await?;
    assert_ne!(again.server, shown.server);
    let window = room.display.area(XFCE.window).await?;
    let buttons = room.display.buttons(&window, 4).await?;
    room.display.press(buttons[1], 1).await?;
    assert_eq!(room.report().await?, pressed("44", "44/yes"));

    let info = probe_at(room.display.bus_address()).await?;
    assert_eq!(info.name, "Xfce Notify Daemon");
    Ok(())
}

#[tokio::test]
async fn a_press_on_dunst_opens_the_batch() -> Result<()> {
    let mut room = Room::open().await?;
    let _running = DUNST.start(&room.display)?;
    room.show("42", &["staging", "production"]);
    let shown = room.posted("42").await?;
    room.show("42", &["staging"]);
    assert_eq!(room.posted("42").await?, shown, "replaced in place");

    // Its signals go to the poster alone; the middle button invokes the default action.
    let window = room.display.area(DUNST.window).await?;
    room.display.press(window.middle(), 2).await?;
    assert_eq!(room.report().await?, pressed("42", "42/open"));
    assert_eq!(room.report().await?, NoticeEvent::Closed { key: key("42") });
    Ok(())
}

/// A screen, a bus and a notifier.
struct Room {
    display: Display,
    notifier: Box<dyn Notifier>,
    events: mpsc::UnboundedReceiver<NoticeEvent>,
}

impl Room {
    async fn open() -> Result<Self> {
        let display = Display::start().await?;
        let (sender, events) = mpsc::unbounded_channel();
        let app = AppIdentity {
            name: "Askdock".to_owned(),
            desktop_entry: "askdock".to_owned(),
            icon: String::new(),
        };
        let notifier = Box::new(desktop_notifier_at(display.bus_address(), app, sender));
        Ok(Self { display, notifier, events })
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

fn key(name: &str) -> NoticeKey {
    NoticeKey(name.to_owned())
}

fn pressed(name: &str, nonce: &str) -> NoticeEvent {
    NoticeEvent::Invoked { key: key(name), nonce: nonce.to_owned(), activation_token: None }
}
