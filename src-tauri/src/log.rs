//! Where messages go: a file in the data folder, and stderr as far as `ASKDOCK_LOG` asks.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::sync::Mutex;

use askdock_client::Paths;
use tracing_subscriber::filter::{EnvFilter, LevelFilter};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// A larger file is put aside at the start, in place of the one put aside before.
const LARGEST: u64 = 4 * 1024 * 1024;

/// Where this program's log is.
pub(crate) fn file(paths: &Paths) -> PathBuf {
    paths.logs().join("desktop.log")
}

/// Starts logging. Without a file to write to it is stderr alone.
pub(crate) fn start(paths: &Paths) {
    let filter = EnvFilter::try_from_env("ASKDOCK_LOG").unwrap_or_else(|_| EnvFilter::new("error"));
    let stderr = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_filter(filter);
    let (to_file, failure) = match open(paths) {
        Ok(file) => {
            let layer = tracing_subscriber::fmt::layer()
                .with_writer(Mutex::new(file))
                .with_ansi(false)
                .with_filter(LevelFilter::INFO);
            (Some(layer), None)
        }
        Err(error) => (None, Some(error)),
    };
    tracing_subscriber::registry().with(to_file).with(stderr).init();
    if let Some(error) = failure {
        tracing::error!(%error, "there is no log file");
    }
}

fn open(paths: &Paths) -> std::io::Result<std::fs::File> {
    std::fs::create_dir_all(paths.logs())?;
    let path = file(paths);
    if std::fs::metadata(&path).is_ok_and(|found| found.len() > LARGEST) {
        std::fs::rename(&path, path.with_extension("log.old"))?;
    }
    OpenOptions::new().create(true).append(true).mode(0o600).open(path)
}
