//! The Askdock desktop app: the hub, its window, its tray.
//!
//! `askdock-desktop [--hidden]`; `--hidden` starts without a window. A second start asks the
//! first to open its window, and ends.

mod arguments;
mod claim;
mod commands;
mod controller;
mod engine;
mod gui;
mod hub;
mod log;
mod message_box;
mod page;
mod run;
mod texts;
mod tray;
mod window;

use std::process::ExitCode;

use message_box::Wording;

fn main() -> ExitCode {
    let arguments = match arguments::read(std::env::args_os().skip(1)) {
        Ok(arguments) => arguments,
        Err(end) => return end.print(),
    };
    match run::run(&arguments) {
        Ok(code) => code,
        Err(error) => {
            tracing::error!("{error:#}");
            eprintln!("askdock-desktop: {error:#}");
            let texts = texts::texts("system");
            message_box::show_fatal(&Wording::failure(&format!("{error:#}"), None, texts));
            ExitCode::FAILURE
        }
    }
}
