//! Carries out with Tauri what the controller decides. Every call returns at once: windows, tray
//! and boxes belong to the main thread, which is asked to do it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use askdock_client::Paths;
use askdock_wire::ops::SettingsPatch;
use tauri::{AppHandle, Manager, UserAttentionType, WebviewWindow};
use tokio::sync::mpsc;

use crate::commands::Link;
use crate::controller::{BoxQuestion, Event, FocusRequest, GuiIntegration, Level, MenuEntry};
use crate::hub::HubSlot;
use crate::message_box::{self, Wording};
use crate::texts::Texts;
use crate::window::{self, Placement};
use crate::{engine, log, tray};

/// How long the page may take to save what was typed, before its window is taken away.
const FAREWELL: Duration = Duration::from_secs(1);

/// The real windows, tray and boxes.
#[derive(Clone)]
pub(crate) struct TauriGui {
    app: AppHandle,
    paths: Paths,
    events: mpsc::UnboundedSender<Event>,
    hub: HubSlot,
    placement: Arc<Mutex<Placement>>,
}

impl TauriGui {
    pub(crate) fn new(
        app: AppHandle,
        paths: Paths,
        events: mpsc::UnboundedSender<Event>,
        hub: HubSlot,
    ) -> Self {
        let placement = Arc::new(Mutex::new(Placement::load(paths.data())));
        Self { app, paths, events, hub, placement }
    }

    /// Puts the icon into the tray, where there is one; on the main thread.
    pub(crate) fn build_tray(&self) {
        let events = self.events.clone();
        tray::build(&self.app, &self.paths.data().join("tray"), move |choice| {
            send(&events, Event::Tray(choice));
        });
    }

    fn on_main(&self, what: impl FnOnce(&AppHandle) + Send + 'static) {
        let app = self.app.clone();
        if let Err(error) = self.app.run_on_main_thread(move || what(&app)) {
            tracing::error!(%error, "the main thread is gone");
        }
    }

    fn with_window(&self, what: impl FnOnce(&WebviewWindow) -> tauri::Result<()> + Send + 'static) {
        self.on_main(move |app| {
            if let Some(window) = app.get_webview_window(window::LABEL)
                && let Err(error) = what(&window)
            {
                tracing::warn!(%error, "the window refused");
            }
        });
    }

    /// Takes the window out of sight, lets the page save what was typed, and destroys it.
    async fn take_window_away(&self) -> tauri::Result<()> {
        let Some(window) = self.app.get_webview_window(window::LABEL) else { return Ok(()) };
        self.keep_placement();
        // The page saves when it is hidden.
        window.hide()?;
        let link = self.app.state::<Link>();
        let saved = async {
            // Once for what it had at hand, and once for what that led to.
            for _ in 0..2 {
                answer_of_page(&window).await?;
                link.calls_done().await;
            }
            tauri::Result::Ok(())
        };
        match tokio::time::timeout(FAREWELL, saved).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "the page can't be asked any more"),
            Err(_) => tracing::warn!("the page didn't answer when its window was closed"),
        }
        link.page_gone();
        window.destroy()
    }

    fn keep_placement(&self) {
        let placement = self.placement.clone();
        let data = self.paths.data().to_owned();
        self.with_window(move |window| {
            let mut placement = placement.lock().unwrap_or_else(PoisonError::into_inner);
            *placement = placement.of(window)?;
            placement.save(&data);
            Ok(())
        });
    }
}

impl GuiIntegration for TauriGui {
    fn open_window(&mut self) {
        let gui = self.clone();
        // Waits for the main thread, so it may be neither that nor a worker.
        tokio::task::spawn_blocking(move || {
            let placement = *gui.placement.lock().unwrap_or_else(PoisonError::into_inner);
            let opened = window::open(&gui.app, gui.paths.data(), placement).and_then(|window| {
                tracing::info!("the window is open");
                let events = gui.events.clone();
                engine::on_crash(&window, move || send(&events, Event::PageCrashed))
            });
            if let Err(error) = opened {
                tracing::error!(%error, "the window can't be opened");
                send(&gui.events, Event::WindowGone);
            }
        });
    }

    fn raise_window(&mut self, activation_token: Option<String>) {
        self.with_window(move |window| {
            if let Some(token) = &activation_token {
                engine::use_activation_token(window, token)?;
            }
            window.unminimize()?;
            window.show()?;
            window.set_focus()
        });
    }

    fn close_window(&mut self) {
        let gui = self.clone();
        tokio::spawn(async move {
            if let Err(error) = gui.take_window_away().await {
                tracing::error!(%error, "the window can't be closed");
                send(&gui.events, Event::WindowGone);
            } else if let Err(error) = engine::end_network_process() {
                tracing::warn!(%error, "the engine's network process goes on");
            }
        });
    }

    fn reload_page(&mut self) {
        tracing::warn!("the page's process ended; loading it again");
        self.with_window(WebviewWindow::reload);
    }

    fn show_in_page(&mut self, focus: &FocusRequest) {
        if let Err(error) = self.app.state::<Link>().show_in_page(focus.clone()) {
            tracing::warn!(%error, "the page was not told what to show");
        }
    }

    fn set_attention(&mut self, wanted: bool) {
        let kind = wanted.then_some(UserAttentionType::Informational);
        self.with_window(move |window| window.request_user_attention(kind));
    }

    fn set_tray(&mut self, level: Level, count: u32, tooltip: &str) {
        let tooltip = tooltip.to_owned();
        self.on_main(move |app| {
            let Some(tray) = app.tray_by_id(tray::ID) else { return };
            let set = tray
                .set_icon(Some(tray::icon(level, count)))
                .and_then(|()| tray.set_tooltip(Some(&tooltip)));
            if let Err(error) = set {
                tracing::warn!(%error, "the tray's icon was not drawn");
            }
        });
    }

    fn set_tray_menu(&mut self, entries: &[MenuEntry]) {
        let entries = entries.to_owned();
        self.on_main(move |app| {
            let Some(tray) = app.tray_by_id(tray::ID) else { return };
            let set = tray::menu(app, &entries).and_then(|menu| tray.set_menu(Some(menu)));
            if let Err(error) = set {
                tracing::warn!(%error, "the tray's menu was not replaced");
            }
        });
    }

    fn ask(&mut self, question: BoxQuestion, texts: &'static Texts) {
        let events = self.events.clone();
        let wording = Wording::of(question, texts);
        self.on_main(move |app| {
            let parent = app.get_webview_window(window::LABEL);
            message_box::show(wording, parent.as_ref(), move |answer| {
                send(&events, Event::Answered(question, answer));
            });
        });
    }

    fn change_settings(&mut self, patch: SettingsPatch) {
        let app = self.app.clone();
        tokio::spawn(async move {
            if let Err(error) = app.state::<Link>().change_settings(patch).await {
                tracing::error!(%error, "a setting was not changed");
            }
        });
    }

    fn leave(&mut self, quit: bool) {
        let gui = self.clone();
        tokio::spawn(async move {
            if let Err(error) = gui.take_window_away().await {
                tracing::error!(%error, "the window can't be closed");
            }
            gui.hub.close(quit).await;
            tracing::info!(quit, "leaving");
            gui.app.exit(0);
        });
    }

    fn fail(&mut self, reason: &str, texts: &'static Texts) {
        tracing::error!("{reason}");
        eprintln!("askdock-desktop: {reason}");
        let wording = Wording::failure(reason, Some(&log::file(&self.paths)), texts);
        self.on_main(move |app| {
            if let Some(window) = app.get_webview_window(window::LABEL)
                && let Err(error) = window.destroy()
            {
                tracing::warn!(%error, "the window can't be closed");
            }
            let app = app.clone();
            message_box::show(wording, None, move |_| app.exit(1));
        });
    }
}

/// Completes when the page has run what came before this.
async fn answer_of_page(window: &WebviewWindow) -> tauri::Result<()> {
    let (answer, mut answered) = mpsc::unbounded_channel();
    window.eval_with_callback("0", move |_| {
        // Nobody waits any more when it took too long.
        let _ = answer.send(());
    })?;
    // `None`: the page is gone, and with it what could still be saved.
    let _ = answered.recv().await;
    Ok(())
}

fn send(events: &mpsc::UnboundedSender<Event>, event: Event) {
    // An error means that the program is leaving.
    let _ = events.send(event);
}
