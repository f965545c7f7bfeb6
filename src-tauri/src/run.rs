//! Puts the parts together and runs them.
//!
//! The main thread belongs to windows and tray; hub, server, notifier and controller run on a
//! runtime of two threads. The window is made while the hub opens, so that neither waits for
//! the other; the page's first call waits for both.

use std::process::ExitCode;

use anyhow::Context as _;
use askdock_client::{Paths, detach_from_terminal};
use askdock_hub::{Clock, HostRequest, Hub, SystemClock};
use tauri::{AppHandle, RunEvent, WindowEvent};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};

use crate::arguments::Arguments;
use crate::claim::{Claim, claim};
use crate::commands::{self, Link};
use crate::controller::{Controller, Event};
use crate::gui::TauriGui;
use crate::hub::{DESKTOP_ENTRY, HubSlot, OpenHub};
use crate::{log, window};

/// Worker threads: answering an ask and telling the window may go on at once.
const WORKERS: usize = 2;

/// Runs the app to its end, or asks the one that runs already to show its window.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if arguments.hidden {
        detach_from_terminal();
    }
    let paths = Paths::resolve()?;
    paths.create_data_folder()?;
    log::start(&paths);
    askdock_server::raise_open_files_limit();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .thread_name("askdock")
        .enable_all()
        .build()
        .context("no threads can be started")?;

    let lock = match runtime.block_on(claim(&paths, arguments.hidden))? {
        Claim::Ours(lock) => lock,
        Claim::Another => return Ok(ExitCode::SUCCESS),
    };
    tracing::info!(version = env!("CARGO_PKG_VERSION"), pid = std::process::id(), "starting");
    require_display()?;

    let (events, inbox) = mpsc::unbounded_channel();
    let (hub_opened, hub) = watch::channel(None);
    let slot = HubSlot::default();
    {
        let paths = paths.clone();
        let events = events.clone();
        let host = requests_as_events(&runtime, events.clone());
        slot.fill(&runtime, move || {
            OpenHub::open(paths, lock, host)
                .inspect(|open| hub_is_open(open.hub(), &hub_opened, events.clone()))
                .map_err(|error| {
                    let _ = events.send(Event::HubFailed(format!("{error:#}")));
                })
                .ok()
        });
    }

    let app = {
        // Tauri's own tasks are few and run on the same threads.
        tauri::async_runtime::set(runtime.handle().clone());
        tauri::Builder::default()
            .manage(Link::new(hub, events.clone()))
            .invoke_handler(commands::handler())
            .build(tauri::generate_context!())
            .context("the window can't be made")?
    };
    let gui = TauriGui::new(app.handle().clone(), paths, events.clone(), slot);
    gui.build_tray();
    runtime.spawn(drive(Controller::new(gui), inbox));
    runtime.spawn(pass_on_signals(events.clone()));
    if !arguments.hidden {
        let open = HostRequest::OpenWindow { session: None, batch: None, activation_token: None };
        let _ = events.send(Event::Host(open));
    }
    let code = app.run_return(move |app, event| window_events(app, event, &events));
    Ok(u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Tells window and tray that the hub is there.
fn hub_is_open(
    hub: &Hub,
    opened: &watch::Sender<Option<Hub>>,
    events: mpsc::UnboundedSender<Event>,
) {
    tracing::info!("the hub is open");
    opened.send_replace(Some(hub.clone()));
    let mut changes = hub.events(None);
    tokio::spawn(async move {
        while let Some(change) = changes.next().await {
            if events.send(Event::Hub(Box::new(change.delta))).is_err() {
                return;
            }
        }
    });
}

/// What the hub asks of this program, as events.
fn requests_as_events(
    runtime: &Runtime,
    events: mpsc::UnboundedSender<Event>,
) -> mpsc::UnboundedSender<HostRequest> {
    let (host, mut requests) = mpsc::unbounded_channel();
    runtime.spawn(async move {
        while let Some(request) = requests.recv().await {
            if events.send(Event::Host(request)).is_err() {
                return;
            }
        }
    });
    host
}

/// Hands the controller what happens. Sleeps in between, with a timer only while something will
/// change by the clock.
async fn drive(mut controller: Controller<TauriGui>, mut inbox: mpsc::UnboundedReceiver<Event>) {
    let clock = SystemClock::default();
    controller.handle(Event::Woke, clock.now());
    loop {
        let now = clock.now();
        let wake = controller.next_wake(now);
        let span = wake.map(|at| at.since(now).0).unwrap_or_default();
        let span = std::time::Duration::from_millis(span.unsigned_abs());
        let event = tokio::select! {
            event = inbox.recv() => match event {
                Some(event) => event,
                None => return,
            },
            () = clock.sleep(span), if wake.is_some() => Event::Woke,
        };
        controller.handle(event, clock.now());
    }
}

/// The system ends programs by signals: at logout, at shutdown, and Ctrl-C in a terminal.
async fn pass_on_signals(events: mpsc::UnboundedSender<Event>) -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut hangup = signal(SignalKind::hangup())?;
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
        _ = hangup.recv() => {}
    }
    let _ = events.send(Event::Terminate);
    Ok(())
}

fn window_events(_app: &AppHandle, event: RunEvent, events: &mpsc::UnboundedSender<Event>) {
    let event = match event {
        // The last window went away, which isn't the end.
        RunEvent::ExitRequested { code: None, api, .. } => {
            api.prevent_exit();
            return;
        }
        RunEvent::WindowEvent { label, event, .. } if label == window::LABEL => match event {
            WindowEvent::CloseRequested { api, .. } => {
                api.prevent_close();
                Event::WindowCloseRequested
            }
            WindowEvent::Destroyed => Event::WindowGone,
            WindowEvent::Focused(focused) => Event::WindowFocused(focused),
            _ => return,
        },
        _ => return,
    };
    let _ = events.send(event);
}

/// Whether there is a display; without one Tauri would only panic.
#[cfg(not(any(target_os = "macos", windows)))]
fn require_display() -> anyhow::Result<()> {
    // The name under which window managers find the desktop entry.
    gtk::glib::set_prgname(Some(DESKTOP_ENTRY));
    gtk::init().context(
        "There is no display to show a window on. `askdock serve` runs Askdock without one.",
    )
}

/// See the one for X11 and Wayland.
#[cfg(any(target_os = "macos", windows))]
fn require_display() -> anyhow::Result<()> {
    Ok(())
}
