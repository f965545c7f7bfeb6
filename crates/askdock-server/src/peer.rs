//! The process at the other end of a connection, and what started it.

use askdock_hub::Peer;
#[cfg(target_os = "linux")]
use askdock_hub::ProcessId;

/// The process `pid` with its ancestors. `None`: gone, out of sight (another container), or this
/// platform doesn't tell.
#[cfg(target_os = "linux")]
pub(crate) fn of(pid: u32) -> Option<Peer> {
    let own = Stat::read(pid)?;
    let ancestors = ancestors(own.parent, Stat::read);
    let agent = agent_among(&ancestors, |one| command_line(one.pid));
    let process = ProcessId { pid, started: own.started };
    Some(Peer { process, program: own.program, ancestors, agent })
}

/// The nearest ancestor that isn't there only to start another. A person's own shell is no agent
/// where it was used to start one: then it is what was started from there.
#[cfg(target_os = "linux")]
fn agent_among(
    ancestors: &[ProcessId],
    command_line: impl Fn(&ProcessId) -> Vec<String>,
) -> Option<ProcessId> {
    let mut started = None;
    for one in ancestors {
        let command_line = command_line(one);
        if !is_wrapper(&command_line) {
            return if is_shell(&command_line) { started.or(Some(*one)) } else { Some(*one) };
        }
        started = Some(*one);
    }
    started
}

#[cfg(target_os = "linux")]
fn is_shell(command_line: &[String]) -> bool {
    // A login shell's name starts with a dash.
    let name = command_line.first().map_or("", |first| file_name(first)).trim_start_matches('-');
    matches!(name, "sh" | "bash" | "dash" | "zsh" | "fish")
}

/// See the Linux one.
#[cfg(not(target_os = "linux"))]
pub(crate) fn of(_pid: u32) -> Option<Peer> {
    None
}

/// `first` and the processes above it. Pid 1 is among them unless it is the system's own: in a
/// container it may be the agent.
#[cfg(target_os = "linux")]
fn ancestors(first: u32, stat: impl Fn(u32) -> Option<Stat>) -> Vec<ProcessId> {
    /// More than any real tree; ends a loop that pids reused meanwhile could form.
    const DEEPEST: usize = 128;
    let mut next = first;
    let mut found = vec![];
    while next > 0
        && found.len() < DEEPEST
        && let Some(stat) = stat(next)
        && !(next == 1 && is_init(&stat.program))
    {
        found.push(ProcessId { pid: next, started: stat.started });
        next = stat.parent;
    }
    found
}

/// Whether pid 1 with this name only looks after other processes.
#[cfg(target_os = "linux")]
fn is_init(program: &str) -> bool {
    matches!(program, "init" | "systemd" | "docker-init" | "tini" | "dumb-init" | "catatonit")
}

/// The fields of `/proc/PID/stat` that matter here.
#[cfg(target_os = "linux")]
struct Stat {
    program: String,
    parent: u32,
    started: u64,
}

#[cfg(target_os = "linux")]
impl Stat {
    fn read(pid: u32) -> Option<Self> {
        let bytes = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
        Self::parse(&String::from_utf8_lossy(&bytes))
    }

    /// `pid (program) state parent …`, the start time being the 22nd; the program may hold
    /// anything, parentheses included.
    fn parse(line: &str) -> Option<Self> {
        let (start, rest) = line.rsplit_once(')')?;
        let (_, program) = start.split_once('(')?;
        let mut fields = rest.split_whitespace().skip(1);
        let parent = fields.next()?.parse().ok()?;
        let started = fields.nth(17)?.parse().ok()?;
        Some(Self { program: program.to_owned(), parent, started })
    }
}

#[cfg(target_os = "linux")]
fn command_line(pid: u32) -> Vec<String> {
    let bytes = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes)
        .split('\0')
        .filter(|argument| !argument.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Whether a process with this command line only starts another: `sh -c`, `npx`, `uv run` …
#[cfg(target_os = "linux")]
fn is_wrapper(command_line: &[String]) -> bool {
    let Some((first, arguments)) = command_line.split_first() else { return false };
    // npm writes its title over its command line, as one text: "npm exec askdock mcp".
    match file_name(first.split_whitespace().next().unwrap_or_default()) {
        "sh" | "bash" | "dash" | "zsh" | "fish" => runs_something(arguments),
        "npx" | "npm" | "pnpm" | "pnpx" | "yarn" | "bunx" | "uv" | "uvx" | "mise" | "nix"
        | "direnv" | "env" | "timeout" | "nohup" | "setsid" | "stdbuf" | "nice" => true,
        "bun" => arguments.iter().find(|word| !word.starts_with('-')).is_some_and(|w| w == "x"),
        "node" => arguments.first().is_some_and(|script| {
            let name = file_name(script);
            let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
            matches!(stem, "npx" | "npm" | "npx-cli" | "npm-cli" | "pnpm" | "pnpx" | "yarn")
        }),
        _ => false,
    }
}

/// Whether a shell was given a command (`-c`, `-lc` …) or a script rather than a person's
/// terminal.
#[cfg(target_os = "linux")]
fn runs_something(arguments: &[String]) -> bool {
    let mut arguments = arguments.iter().map(String::as_str);
    while let Some(argument) = arguments.next() {
        match argument {
            // Their values are no scripts.
            "--rcfile" | "--init-file" | "--init-command" | "-C" => {
                arguments.next();
            }
            "--command" => return true,
            "--" | "-" => return arguments.next().is_some(),
            long if long.starts_with("--") => {}
            flags if flags.starts_with(['-', '+']) => {
                if flags.starts_with('-') && flags.contains('c') {
                    return true;
                }
                // `-o pipefail`, `-eo pipefail`, `+O extglob`
                if flags.ends_with(['o', 'O']) {
                    arguments.next();
                }
            }
            _script => return true,
        }
    }
    false
}

#[cfg(target_os = "linux")]
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_shell_is_the_agent_only_where_nothing_was_started_from_it() {
        let check = |lines: &[&str], expect: Option<u32>| {
            let tree: Vec<_> =
                (0..).zip(lines).map(|(pid, _)| ProcessId { pid, started: 1 }).collect();
            let line =
                |one: &ProcessId| lines[one.pid as usize].split(' ').map(String::from).collect();
            assert_eq!(agent_among(&tree, line).map(|agent| agent.pid), expect, "{lines:?}");
        };
        check(&["sh -c x", "claude", "-bash"], Some(1));
        check(&["bash start.sh", "claude", "bash"], Some(1));
        check(&["sh agent.sh", "/bin/bash", "sshd"], Some(0));
        check(&["sh -c x", "sh agent.sh", "-zsh"], Some(1));
        check(&["bash", "xterm"], Some(0));
        check(&["npx askdock"], Some(0));
        check(&[], None);
    }

    #[test]
    fn wrappers_are_told_from_agents() {
        let check = |command: &str, expect: bool| {
            let words: Vec<_> = command.split('|').map(str::to_owned).collect();
            assert_eq!(is_wrapper(&words), expect, "{command}");
        };
        check("sh|-c|askdock mcp", true);
        check("/bin/bash|-lc|askdock mcp", true);
        check("bash|--norc|-c|askdock mcp", true);
        check("bash", false);
        check("-bash", false);
        check("zsh|-i", false);
        check("bash|start.sh", true);
        check("/bin/sh|-eu|/srv/start.sh|--fast", true);
        check("bash|-o|pipefail", false);
        check("bash|-eo|pipefail|start.sh", true);
        check("bash|--init-file|/usr/share/terminal/integration.sh", false);
        check("bash|--rcfile|own.sh|-i", false);
        check("bash|--|start.sh", true);
        check("fish|-C|set x 1", false);
        check("fish|--command|askdock mcp", true);
        check("npm exec askdock mcp", true);
        check("node|/usr/bin/npx|askdock", true);
        check("node|/usr/lib/node_modules/npm/bin/npx-cli.js|x", true);
        check("node|/opt/agent/cli.js", false);
        check("timeout|60|askdock|mcp", true);
        check("uv|run|askdock", true);
        check("claude", false);
        check("bunx|askdock", true);
        check("bun|--bun|x|askdock", true);
        check("bun|agent.ts|x", false);
        check("node|/usr/lib/node_modules/pnpm/bin/pnpm.cjs|dlx|askdock", true);
        check("node|/opt/yarn/bin/yarn.js|askdock", true);
        for wrapper in
            ["pnpm", "yarn", "mise", "nix", "direnv", "nohup", "setsid", "stdbuf", "nice"]
        {
            check(&format!("/usr/bin/{wrapper}|askdock|mcp"), true);
        }
    }

    #[test]
    fn pid_1_is_an_ancestor_unless_it_is_the_systems_own() {
        let above = |init: &str| {
            let tree = |pid| {
                let (program, parent) = match pid {
                    7 => ("sh", 3),
                    3 => ("agent", 1),
                    1 => (init, 0),
                    _ => return None,
                };
                Some(Stat { program: program.to_owned(), parent, started: 10 * u64::from(pid) })
            };
            ancestors(7, tree).into_iter().map(|one| (one.pid, one.started)).collect::<Vec<_>>()
        };
        assert_eq!(above("agent"), [(7, 70), (3, 30), (1, 10)]);
        assert_eq!(above("bash"), [(7, 70), (3, 30), (1, 10)]);
        for init in ["systemd", "init", "tini"] {
            assert_eq!(above(init), [(7, 70), (3, 30)], "{init}");
        }
    }

    #[test]
    fn stat_lines_are_read_from_the_last_parenthesis() {
        let stat = Stat::parse(
            "12 (a) R (b) S 7 12 12 0 -1 4194560 94 0 0 0 3 4 0 0 20 0 1 0 5150 2560 800",
        )
        .unwrap();
        assert_eq!((stat.program.as_str(), stat.parent, stat.started), ("a) R (b", 7, 5150));
        assert!(Stat::parse("12 (a").is_none());
    }

    #[test]
    fn the_shell_between_agent_and_client_is_not_the_agent() {
        use std::io::{BufRead, BufReader};
        use std::process::{Command, Stdio};

        // We are the agent; `sh -c` stays because something follows the command.
        let mut shell = Command::new("sh")
            .args(["-c", "sh -c 'echo $$; read line' ; exit 0"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(shell.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let peer = of(line.trim().parse().unwrap()).unwrap();
        assert_eq!(peer.ancestors[0].pid, shell.id());
        assert_eq!(peer.agent.unwrap().pid, std::process::id());
        assert!(peer.ancestors.contains(&peer.agent.unwrap()));
        drop(shell.stdin.take());
        shell.wait().unwrap();
    }
}
