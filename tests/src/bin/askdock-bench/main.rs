//! `cargo xtask bench`: what Askdock costs in time, each figure beside the floor of the machine.
//!
//! Prints a table, the machine and the commit, and writes the same as JSON with `--json FILE`.
//! A name as argument measures only the figures whose name contains it.

mod desktop;
mod figures;
mod hub;
mod machine;
mod percentiles;
mod processes;

use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::percentiles::Figure;

fn main() -> Result<ExitCode> {
    let arguments = Arguments::read(std::env::args().skip(1))?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let figures = runtime.block_on(figures::measure(arguments.only.as_deref()))?;
    let machine = machine::describe();
    print_table(&figures, &machine);
    if let Some(path) = arguments.json {
        let report = serde_json::json!({ "machine": machine, "figures": figures });
        std::fs::write(&path, format!("{report:#}\n"))
            .with_context(|| format!("{path} could not be written"))?;
    }
    Ok(ExitCode::SUCCESS)
}

struct Arguments {
    json: Option<String>,
    only: Option<String>,
}

impl Arguments {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self> {
        let mut read = Self { json: None, only: None };
        while let Some(argument) = arguments.next() {
            if argument == "--json" {
                read.json = Some(arguments.next().context("--json takes the name of a file")?);
            } else {
                read.only = Some(argument);
            }
        }
        Ok(read)
    }
}

#[expect(clippy::print_stdout, reason = "the table is the program's output")]
fn print_table(figures: &[Figure], machine: &machine::Machine) {
    println!("{machine}\n");
    println!("{:<44} {:>10} {:>10} {:>10} {:>8}", "", "p50", "p99", "max", "n");
    for figure in figures {
        println!("{figure}");
    }
}
