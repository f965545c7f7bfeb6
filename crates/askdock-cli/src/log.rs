//! The program's own log: a file for `serve`, standard error for the rest, and there only when
//! `ASKDOCK_LOG` asks for it.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Mutex;

use anyhow::Context;
use askdock_client::Paths;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

const VARIABLE: &str = "ASKDOCK_LOG";
/// At this size the log is begun anew and the last one kept.
const FULL: u64 = 5 * 1024 * 1024;

/// Logs to standard error if `ASKDOCK_LOG` is set.
pub(crate) fn to_stderr() {
    if let Some(filter) = chosen_filter() {
        tracing_subscriber::registry().with(stderr_layer(filter)).init();
    }
}

/// Logs to `serve.log`, and to standard error if `ASKDOCK_LOG` is set.
pub(crate) fn to_file(paths: &Paths) -> anyhow::Result<()> {
    paths.create_data_folder()?;
    let path = paths.logs().join("serve.log");
    let file = open(&path).with_context(|| format!("cannot write the log {}", path.display()))?;
    let filter = chosen_filter().unwrap_or_else(|| EnvFilter::new("info"));
    let layer = fmt::layer().with_ansi(false).with_writer(Mutex::new(file)).with_filter(filter);
    tracing_subscriber::registry().with(layer).with(chosen_filter().map(stderr_layer)).init();
    Ok(())
}

fn stderr_layer<S>(filter: EnvFilter) -> impl Layer<S>
where
    S: tracing::Subscriber + for<'a> tracing_subscriber::registry::LookupSpan<'a>,
{
    fmt::layer().with_ansi(false).with_writer(io::stderr).with_filter(filter)
}

fn chosen_filter() -> Option<EnvFilter> {
    let chosen = std::env::var(VARIABLE).ok().filter(|chosen| !chosen.is_empty())?;
    Some(EnvFilter::new(chosen))
}

fn open(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    if std::fs::metadata(path).is_ok_and(|log| log.len() > FULL) {
        std::fs::rename(path, path.with_extension("log.1"))?;
    }
    OpenOptions::new().create(true).append(true).mode(0o600).open(path)
}
