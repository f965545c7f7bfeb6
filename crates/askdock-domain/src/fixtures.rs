//! Questions for the unit tests.

use crate::{Answer, OptionItem, Question, QuestionKind};

/// A single choice with typed answers and notes permitted; option ids are `o1`, `o2` …
pub(crate) fn choice(labels: &[&str]) -> Question {
    let options = labels.iter().enumerate().map(|(position, label)| OptionItem {
        id: format!("o{}", position + 1),
        label: (*label).to_owned(),
        ..OptionItem::default()
    });
    Question {
        kind: QuestionKind::Choice,
        options: options.collect(),
        allow_custom: true,
        ..text("Which one?")
    }
}

/// A multiple choice.
pub(crate) fn multi(labels: &[&str]) -> Question {
    Question { multi_select: true, ..choice(labels) }
}

/// A question for typed text.
pub(crate) fn text(question: &str) -> Question {
    Question {
        id: "q1".into(),
        question: question.into(),
        allow_notes: true,
        ..Question::default()
    }
}

impl Question {
    /// With an id of the caller's choice.
    pub(crate) fn named(self, id: &str) -> Self {
        Self { id: id.into(), id_given: true, ..self }
    }
}

/// An answer that selects.
pub(crate) fn selected(positions: &[usize]) -> Answer {
    Answer { selected: positions.to_vec(), ..Answer::default() }
}

/// A typed answer.
pub(crate) fn typed(text: &str) -> Answer {
    Answer { text: Some(text.into()), ..Answer::default() }
}
