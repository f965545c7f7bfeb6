//! What is told about questions that can be asked, but may not be what was meant.

use std::collections::{HashMap, HashSet};

use askdock_domain::text;

use super::notes::Notes;
use super::path::quoted;
use super::question::ReadQuestion;

/// Options above which a list is hard to choose from.
const LONG_LIST: usize = 50;

/// Warns of questions with the same text, of options that differ little, of long lists.
pub(crate) fn review(questions: &[ReadQuestion], notes: &mut Notes) {
    let mut texts = HashSet::new();
    for read in questions {
        let text = read.question.question.as_str();
        if !text.is_empty() && !texts.insert(text) {
            let message = "Another question has the same text; the person may mix them up.";
            notes.warn("same_question_text", &read.path, message);
        }
        if read.options.len() > LONG_LIST {
            let message = format!(
                "{} options are hard to choose from; two to four are best.",
                read.options.len()
            );
            notes.warn("long_option_list", &read.path.field("options"), message);
        }
        review_labels(read, notes);
    }
}

fn review_labels(read: &ReadQuestion, notes: &mut Notes) {
    let mut seen: HashMap<String, &str> = HashMap::new();
    for option in &read.options {
        let label = option.item.label.as_str();
        let Some(other) = seen.insert(text::fold(label), label) else { continue };
        // Those that look the same are rejected.
        if text::look_alike_key(label) != text::look_alike_key(other) {
            let message = format!("This label is almost the same as {}.", quoted(other));
            notes.warn("similar_labels", &option.path, message);
        }
    }
}
