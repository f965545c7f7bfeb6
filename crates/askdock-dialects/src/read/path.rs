//! Places in the caller's input, such as `questions[1].options[0].label`.

use std::fmt;

use askdock_domain::text;

/// A place in the input; empty for the whole.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Path(String);

impl Path {
    /// The field `name` of what is here.
    pub(crate) fn field(&self, name: &str) -> Self {
        const LONGEST: usize = 64;
        let plain = !name.is_empty()
            && name.len() <= LONGEST
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
        Self(match (plain, self.0.is_empty()) {
            (true, true) => name.to_owned(),
            (true, false) => format!("{}.{name}", self.0),
            (false, _) => format!("{}[{}]", self.0, quoted(name)),
        })
    }

    /// The element `position` of what is here.
    pub(crate) fn index(&self, position: usize) -> Self {
        Self(format!("{}[{position}]", self.0))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// `text` as messages quote it: one line, cut, nothing hostile in it.
pub(crate) fn quoted(text: &str) -> String {
    const IN_MESSAGES: usize = 60;
    format!("\"{}\"", text::cut_graphemes(&text::plain(text), IN_MESSAGES))
}
