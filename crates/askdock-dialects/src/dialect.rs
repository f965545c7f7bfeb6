//! The ask formats that are spoken, in one table: their names and in what their readings differ.

use std::str::FromStr;

use askdock_domain::Problem;

use crate::Timeout;

/// Declares the dialects; the enumeration, the list of all and both lookups come from this.
macro_rules! dialects {
    ($($(#[$doc:meta])* $dialect:ident $name:literal $profile:expr;)+) => {
        /// A foreign ask format, or our own.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub enum Dialect { $($(#[$doc])* $dialect,)+ }

        impl Dialect {
            /// Every dialect.
            pub const ALL: &[Dialect] = &[$(Dialect::$dialect),+];

            /// The name under which callers ask for it.
            pub fn name(self) -> &'static str {
                match self { $(Dialect::$dialect => $name),+ }
            }

            pub(crate) fn profile(self) -> Profile {
                match self { $(Dialect::$dialect => $profile),+ }
            }
        }
    };
}

dialects! {
    /// Our own.
    #[default]
    Askdock "askdock" Profile { kinds: true, notes: Permission::Given, ..QUESTIONS };

    /// `ask_user` of OpenClaw.
    Openclaw "openclaw" Profile { omitted_timeout: Timeout::Seconds(900), ..QUESTIONS };

    /// jcode's questions with branching, answered by position.
    Jcode "jcode" QUESTIONS;

    /// `turn.ask` of Helmr: one prompt in parts, options with values.
    Helmr "helmr" Profile {
        shape: Shape::Prompt,
        custom: Permission::OnRequest,
        notes: Permission::OnRequest,
        ..QUESTIONS
    };

    /// Frogbot's questions; a dismissal also stops the turn.
    Frogbot "frogbot" QUESTIONS;

    /// `AskUserQuestion` of Claude Code, alone or as its hooks wrap it.
    ClaudeCode "claude-code" Profile {
        notes: Permission::Given,
        familiar: &[
            "transcriptpath", "cwd", "permissionmode", "hookeventname", "toolname", "tooluseid",
            "agentid", "agenttype", "metadata",
        ],
        ..QUESTIONS
    };

    /// `question` of opencode, alone or as its server announces it.
    Opencode "opencode" Profile { familiar: &["id", "tool"], ..QUESTIONS };

    /// `request_user_input` of Codex, alone or as its app server sends it.
    Codex "codex" Profile { familiar: &["turnid", "itemid", "isblocking"], ..QUESTIONS };

    /// `ask_user` of Gemini CLI.
    Gemini "gemini" QUESTIONS;

    /// `elicitation/create` of the Model Context Protocol: a flat form, or an address.
    McpElicitation "mcp-elicitation" Profile {
        shape: Shape::Form,
        custom: Permission::Refused,
        familiar: &[
            "jsonrpc", "id", "method", "meta", "mode", "elicitationid", "toolcallid", "resulttype",
            "requeststate", "cwd", "transcriptpath", "permissionmode", "hookeventname",
            "mcpservername",
        ],
        ..QUESTIONS
    };

    /// `session/request_permission` of the Agent Client Protocol.
    AcpPermission "acp-permission" Profile {
        shape: Shape::ToolCall,
        custom: Permission::Refused,
        familiar: &["jsonrpc", "id", "method", "meta"],
        ..QUESTIONS
    };

    /// A human interrupt of LangGraph, as Agent Inbox shows it.
    AgentInbox "agent-inbox" Profile {
        shape: Shape::Interrupt,
        familiar: &["id", "interruptid", "ns", "resumable", "when"],
        ..QUESTIONS
    };
}

impl FromStr for Dialect {
    type Err = Problem;

    fn from_str(name: &str) -> Result<Self, Problem> {
        let wanted = name.trim();
        Self::ALL.iter().copied().find(|d| d.name().eq_ignore_ascii_case(wanted)).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|dialect| dialect.name()).collect();
            let message = format!("This dialect is not known; send one of {}.", known.join(", "));
            Problem::new("unknown_dialect", "dialect", message)
        })
    }
}

/// In what the reading of a dialect differs from the others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Profile {
    /// What an ask looks like.
    pub(crate) shape: Shape,
    /// Knows permission, confirm and url batches.
    pub(crate) kinds: bool,
    /// Whether a choice takes the person's own words.
    pub(crate) custom: Permission,
    /// Whether an answer takes notes. Refused where the outcome has no place for them.
    pub(crate) notes: Permission,
    /// The timeout of an ask that names none.
    pub(crate) omitted_timeout: Timeout,
    /// Fields around the questions that belong to the format and say nothing to the person,
    /// without case and separators.
    pub(crate) familiar: &'static [&'static str],
}

/// Questions in a list, which most formats are.
const QUESTIONS: Profile = Profile {
    shape: Shape::Questions,
    kinds: false,
    custom: Permission::Given,
    notes: Permission::Refused,
    omitted_timeout: Timeout::Absent,
    familiar: &[],
};

/// What an ask looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Questions with options, in any container.
    Questions,
    /// The same, with a text that may be a list of parts.
    Prompt,
    /// A message and a flat JSON schema, or an address.
    Form,
    /// A tool call and the ways to decide on it.
    ToolCall,
    /// An action and what may be done about it.
    Interrupt,
}

/// Whether something beside the options may be part of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permission {
    /// Yes, unless the question says otherwise.
    Given,
    /// Only if the question says so.
    OnRequest,
    /// Never, whatever the question says.
    Refused,
}

impl Permission {
    /// What holds for a question that says `asked`.
    pub(crate) fn settle(self, asked: Option<bool>) -> bool {
        match self {
            Permission::Given => asked.unwrap_or(true),
            Permission::OnRequest => asked.unwrap_or(false),
            Permission::Refused => false,
        }
    }
}
