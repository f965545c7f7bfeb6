//! On what and of what the figures are.

use std::fmt;
use std::process::Command;

use serde::Serialize;

/// The machine and the commit.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Machine {
    cpu: String,
    cores: usize,
    kernel: String,
    commit: String,
}

pub(crate) fn describe() -> Machine {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = cpuinfo
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .map_or("unknown processor", |rest| rest.trim_start_matches([' ', '\t', ':']));
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    Machine {
        cpu: cpu.to_owned(),
        cores: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        kernel: kernel.trim().to_owned(),
        commit: commit().unwrap_or_else(|| "unknown commit".to_owned()),
    }
}

fn commit() -> Option<String> {
    let output = Command::new("git").args(["describe", "--always", "--dirty"]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} × {}, Linux {}, commit {}", self.cores, self.cpu, self.kernel, self.commit)
    }
}
