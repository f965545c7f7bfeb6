//! What a notification server says of itself, and what follows from it.

/// The notification server as it describes itself
/// (`GetServerInformation` and `GetCapabilities` of the Desktop Notifications Specification).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServerInfo {
    /// The product, for example `gnome-shell`.
    pub name: String,
    /// Who makes it.
    pub vendor: String,
    /// The version of the product.
    pub version: String,
    /// What it can do, in the specification's words.
    pub capabilities: Vec<String>,
}

/// Buttons shown by servers that show fewer than we ever offer. The rest are dropped by the
/// server without a word, so an answer among them could not be given.
const FEW_BUTTONS: &[(&str, usize)] = &[("gnome-shell", 3)];

/// Servers that draw the default action as one more button, and do nothing on a click on the body.
const DRAW_DEFAULT: &[&str] = &["Xfce Notify Daemon"];

/// Buttons offered to every other server: three answers and *Skip*.
const BUTTONS: usize = 4;

impl ServerInfo {
    /// Whether the server has this capability.
    pub fn can(&self, capability: &str) -> bool {
        self.capabilities.iter().any(|own| own == capability)
    }

    /// How many buttons it shows beside the default action.
    pub(crate) fn buttons(&self) -> usize {
        if !self.can("actions") {
            return 0;
        }
        FEW_BUTTONS.iter().find(|(name, _)| *name == self.name).map_or(BUTTONS, |(_, shown)| *shown)
    }

    /// Whether the default action is among the buttons that the person sees.
    pub(crate) fn draws_default(&self) -> bool {
        DRAW_DEFAULT.contains(&self.name.as_str())
    }

    /// Name and version for a person.
    pub(crate) fn title(&self) -> String {
        match (self.name.as_str(), self.version.as_str()) {
            ("", _) => "A notification server".to_owned(),
            (name, "") => name.to_owned(),
            (name, version) => format!("{name} {version}"),
        }
    }
}

/// Why notices cannot be shown, in a sentence for the person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unavailable {
    /// There is no session bus, or it broke off.
    #[error("Notifications cannot be shown: the session bus cannot be reached ({0}).")]
    NoBus(String),
    /// Nobody owns `org.freedesktop.Notifications`, and nobody could be started.
    #[error("Notifications cannot be shown: no notification server is running.")]
    NoServer,
    /// The server took a call and did not answer it in time.
    #[error("The notification server does not answer.")]
    Silent,
    /// The server answered with an error.
    #[error("The notification server refused a notice: {0}")]
    Refused(String),
}
