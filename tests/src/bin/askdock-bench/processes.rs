//! What the kernel knows of a process and those it started.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};

/// A process of a tree.
pub(crate) struct Process {
    pub(crate) pid: u32,
    pub(crate) name: String,
}

/// What one thread has used since it started.
#[derive(Debug, Clone, Default)]
pub(crate) struct Thread {
    pub(crate) name: String,
    /// How often it went to sleep by itself, and so woke.
    pub(crate) voluntary: u64,
    /// Clock ticks on a processor, 10 ms each.
    pub(crate) ticks: u64,
}

/// `pid` and its descendants.
pub(crate) fn tree(pid: u32) -> Result<Vec<Process>> {
    let mut parents = BTreeMap::new();
    for entry in fs::read_dir("/proc")? {
        let Some(pid) = entry?.file_name().to_str().and_then(|name| name.parse::<u32>().ok())
        else {
            continue;
        };
        // It may have ended meanwhile.
        let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { continue };
        let Some((start, rest)) = stat.rsplit_once(')') else { continue };
        let name = start.split_once('(').map_or("", |(_, name)| name).to_owned();
        let parent = rest.split_whitespace().nth(1).and_then(|parent| parent.parse().ok());
        parents.insert(pid, (parent.unwrap_or(0), name));
    }
    let belongs = |mut one: u32| {
        while one != pid {
            match parents.get(&one) {
                Some((parent, _)) if *parent > 1 => one = *parent,
                _ => return false,
            }
        }
        true
    };
    Ok(parents
        .iter()
        .filter(|(one, _)| belongs(**one))
        .map(|(&pid, (_, name))| Process { pid, name: name.clone() })
        .collect())
}

/// The proportional memory of `pid` and its descendants, in MB.
pub(crate) fn memory_of_tree(pid: u32) -> Result<f64> {
    let mut kilobytes = 0_u32;
    for process in tree(pid)? {
        let path = format!("/proc/{}/smaps_rollup", process.pid);
        let rollup = fs::read_to_string(&path).with_context(|| path)?;
        let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
        let size = line.and_then(|line| line.split_whitespace().next());
        kilobytes += size.context("no Pss line")?.parse::<u32>()?;
    }
    Ok(f64::from(kilobytes) / 1000.0)
}

/// The threads of `pid` and its descendants by their id.
pub(crate) fn threads(pid: u32) -> Result<BTreeMap<u32, Thread>> {
    let mut threads = BTreeMap::new();
    for process in tree(pid)? {
        for entry in fs::read_dir(format!("/proc/{}/task", process.pid))? {
            let folder = entry?.path();
            let Some(id) = folder.file_name().and_then(|name| name.to_str()?.parse().ok()) else {
                continue;
            };
            let status = fs::read_to_string(folder.join("status"))?;
            let field = |name| status.lines().find_map(|line| line.strip_prefix(name));
            let stat = fs::read_to_string(folder.join("stat"))?;
            let (_, rest) = stat.rsplit_once(')').context("no name in stat")?;
            // After the name come state and parent; utime and stime are the line's 14th and 15th.
            let used: Vec<u64> = rest
                .split_whitespace()
                .skip(11)
                .take(2)
                .map(str::parse)
                .collect::<Result<_, _>>()?;
            threads.insert(
                id,
                Thread {
                    name: field("Name:").unwrap_or_default().trim().to_owned(),
                    voluntary: field("voluntary_ctxt_switches:")
                        .context("no switches in status")?
                        .trim()
                        .parse()?,
                    ticks: used.iter().sum(),
                },
            );
        }
    }
    Ok(threads)
}
