//! What the server takes from the environment in which an agent started it.

use std::path::PathBuf;
use std::time::Duration;

use askdock_client::{ClientError, Paths, is_unattended};

/// Seconds after which a call without progress returns `pending`; a whole number, at least 1.
/// Raise it together with the client's own limit.
const BUDGET: &str = "ASKDOCK_MCP_BUDGET_SECONDS";
/// Less than the 60 seconds that the protocol's SDKs give a call.
const DEFAULT_BUDGET: Duration = Duration::from_secs(45);

/// The surroundings of one `askdock mcp`.
#[derive(Debug, Clone)]
pub struct Environment {
    /// Where the hub is found.
    pub paths: Paths,
    /// The conversation id that the person or the client chose for this process.
    pub session: Option<String>,
    /// The folder in which the agent started us.
    pub folder: Option<PathBuf>,
    /// How long a call may stay silent before it returns `pending`.
    pub budget: Duration,
    /// `CI` is set: nobody is there to answer.
    pub unattended: bool,
}

/// What in the environment can't be used.
#[derive(Debug, thiserror::Error)]
pub enum EnvironmentError {
    /// There is no place for Askdock's files.
    #[error(transparent)]
    Paths(#[from] ClientError),
    /// The budget isn't a number of seconds.
    #[error("ASKDOCK_MCP_BUDGET_SECONDS is {0:?}; set it to a whole number of seconds from 1.")]
    Budget(String),
}

impl Environment {
    /// This process's own; `session` is the `--session` option, which wins over
    /// `ASKDOCK_SESSION`.
    ///
    /// # Errors
    /// There is no home folder, or a setting can't be read.
    pub fn of_this_process(session: Option<String>) -> Result<Self, EnvironmentError> {
        Self::read(Paths::resolve()?, session, |name| std::env::var(name).ok())
    }

    fn read(
        paths: Paths,
        session: Option<String>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, EnvironmentError> {
        let variable = |name| variable(name).filter(|value| !value.trim().is_empty());
        let budget = match variable(BUDGET) {
            None => DEFAULT_BUDGET,
            Some(text) => match text.trim().parse::<u64>() {
                Ok(seconds) if seconds > 0 => Duration::from_secs(seconds),
                _ => return Err(EnvironmentError::Budget(text)),
            },
        };
        Ok(Self {
            paths,
            session: session.or_else(|| variable("ASKDOCK_SESSION")),
            folder: std::env::current_dir().ok(),
            budget,
            unattended: is_unattended(variable("CI").as_deref()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(
        session: Option<&str>,
        variables: &[(&str, &str)],
    ) -> Result<Environment, EnvironmentError> {
        Environment::read(Paths::under("/h".into()), session.map(str::to_owned), |name| {
            let found = variables.iter().find(|(own, _)| *own == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_option_wins_over_the_variable() {
        let variables = [("ASKDOCK_SESSION", "from the variable")];
        let session = |option| read(option, &variables).unwrap().session;
        assert_eq!(session(None).as_deref(), Some("from the variable"));
        assert_eq!(session(Some("from the option")).as_deref(), Some("from the option"));
        assert_eq!(read(None, &[("ASKDOCK_SESSION", " ")]).unwrap().session, None);
    }

    #[test]
    fn the_budget_is_a_number_of_seconds() {
        let budget = |text| read(None, &[(BUDGET, text)]).map(|read| read.budget.as_secs());
        assert_eq!(read(None, &[]).unwrap().budget, DEFAULT_BUDGET);
        assert_eq!(budget(" 86400 ").unwrap(), 86_400);
        assert_eq!(budget("").unwrap(), 45);
        for wrong in ["0", "-1", "45s", "1.5", "99999999999999999999"] {
            let error = budget(wrong).unwrap_err().to_string();
            assert!(error.contains(wrong) && error.contains("whole number"), "{error}");
        }
    }

    #[test]
    fn ci_means_that_nobody_is_there() {
        let unattended = |value| read(None, &[("CI", value)]).unwrap().unattended;
        assert!(unattended("true") && unattended("1"));
        assert!(!unattended("false") && !unattended("0") && !unattended(""));
        assert!(!read(None, &[]).unwrap().unattended);
    }
}
