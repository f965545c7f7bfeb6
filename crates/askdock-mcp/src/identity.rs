//! Which session a call belongs to: who the client is, in which folder and on which branch.

use std::path::{Path, PathBuf};

use askdock_client::session_in;
use askdock_wire::SessionRef;
use percent_encoding::percent_decode_str;
use rmcp::model::Implementation;

/// Client names as the clients send them, or how they begin, and as people know them.
const KNOWN: &[(&str, &str)] = &[
    ("claude-code", "Claude Code"),
    ("claude-ai", "Claude Desktop"),
    ("claude-desktop", "Claude Desktop"),
    ("codex", "Codex"),
    ("opencode", "opencode"),
    (GEMINI_CLI, "Gemini CLI"),
    ("copilot", "Copilot CLI"),
    ("github-copilot", "Copilot CLI"),
    ("cursor", "Cursor"),
    ("visual studio code", "VS Code"),
    ("visual-studio-code", "VS Code"),
    ("vscode", "VS Code"),
    ("windsurf", "Windsurf"),
    ("cline", "Cline"),
    ("roo", "Roo Code"),
    ("goose", "Goose"),
    ("zed", "Zed"),
];
/// Gemini CLI adds the server's name behind this.
const GEMINI_CLI: &str = "gemini-cli";

/// Whether the client is Gemini CLI, which hides MCP tools called like its own.
pub(crate) fn is_gemini_cli(client: &Implementation) -> bool {
    begins_with(&client.name.to_lowercase(), GEMINI_CLI)
}

/// The agent's name as a person knows it; `None` when the client gave none.
pub(crate) fn agent_name(client: &Implementation) -> Option<String> {
    let name = client.name.trim();
    let lower = name.to_lowercase();
    let known = KNOWN.iter().find(|(prefix, _)| begins_with(&lower, prefix));
    let title = client.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
    let found = known.map(|(_, known)| *known).or(title).unwrap_or(name);
    (!found.is_empty()).then(|| found.chars().take(200).collect())
}

/// `cursor-vscode` begins with `cursor`, `cursory` doesn't.
fn begins_with(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// The session of a call: the conversation's where the client names one, else the agent's in
/// its folder. The hub takes the title from the folder.
pub(crate) fn session(
    client: Option<&Implementation>,
    conversation: Option<String>,
    folder: Option<&Path>,
) -> SessionRef {
    let place = folder.map(session_in).unwrap_or_default();
    SessionRef { id: conversation, agent: client.and_then(agent_name), ..place }
}

/// The folder that a root's `file:` address names; other addresses name none.
pub(crate) fn folder_of_root(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    let path = percent_decode_str(path).decode_utf8().ok()?;
    path.starts_with('/').then(|| PathBuf::from(path.as_ref()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn client(name: &str, title: Option<&str>) -> Implementation {
        let client = Implementation::new(name, "1");
        match title {
            Some(title) => client.with_title(title),
            None => client,
        }
    }

    #[test]
    fn people_know_agents_by_other_names() {
        let check = |name: &str, title: Option<&str>, expected: Option<&str>| {
            assert_eq!(agent_name(&client(name, title)).as_deref(), expected, "{name:?} {title:?}");
        };
        check("claude-code", None, Some("Claude Code"));
        check("claude-ai", Some("Claude"), Some("Claude Desktop"));
        check("codex-mcp-client", None, Some("Codex"));
        check("opencode", None, Some("opencode"));
        check("gemini-cli-mcp-client-askdock", None, Some("Gemini CLI"));
        check("cursor-vscode", None, Some("Cursor"));
        check("Visual Studio Code - Insiders", None, Some("VS Code"));
        check("Zed", None, Some("Zed"));
        check("zedtool", None, Some("zedtool"));
        check("my-agent", Some("My Agent"), Some("My Agent"));
        check("my-agent", Some(" "), Some("my-agent"));
        check(" ", None, None);
    }

    #[test]
    fn only_gemini_cli_hides_the_tool() {
        assert!(is_gemini_cli(&client("gemini-cli-mcp-client", None)));
        assert!(is_gemini_cli(&client("gemini-cli-mcp-client-askdock", None)));
        assert!(!is_gemini_cli(&client("gemini", None)));
        assert!(!is_gemini_cli(&client("claude-code", None)));
    }

    #[test]
    fn one_folder_is_one_session_however_it_is_reached() {
        let top = tempfile::tempdir().unwrap();
        let (real, link) = (top.path().join("real"), top.path().join("link"));
        fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let client = client("claude-code", None);
        let direct = session(Some(&client), None, Some(&real));
        assert_eq!(session(Some(&client), None, Some(&link)), direct);
        assert_eq!(direct.agent.as_deref(), Some("Claude Code"));
        assert_eq!(direct.title, None);
    }

    #[test]
    fn roots_are_addresses() {
        let check = |uri: &str, expected: Option<&str>| {
            assert_eq!(folder_of_root(uri).as_deref(), expected.map(Path::new), "{uri}");
        };
        check("file:///home/anna/a%20project", Some("/home/anna/a project"));
        check("file://localhost/srv", Some("/srv"));
        check("file:///p/%C3%BC", Some("/p/ü"));
        check("file:///p/%FF", None);
        check("file://server/share", None);
        check("https://example.org/", None);
    }
}
