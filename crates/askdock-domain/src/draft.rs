//! A draft: answers on the way, what they show and what they still lack.

use crate::faults::{faults, use_dismiss};
use crate::{Answer, Problem, Question, visible};

/// What a draft means for the questions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DraftView {
    /// For each question, in order, whether it is shown.
    pub visible: Vec<bool>,
    /// What still stops a submit, for visible questions only; empty: it can be submitted.
    pub problems: Vec<Problem>,
}

/// Reads a draft. Hidden questions' answers count as blank and have no problems; an answer that
/// `answers` doesn't hold (yet) is one not given. Agrees with [`crate::resolve`].
pub fn draft_view(questions: &[Question], answers: &[Answer]) -> DraftView {
    let visible = visible(questions, answers);
    let none = Answer::default();
    let mut problems = vec![];
    let mut all_blank = !questions.is_empty();
    for (position, question) in questions.iter().enumerate().filter(|(at, _)| visible[*at]) {
        let answer = answers.get(position).unwrap_or(&none);
        all_blank &= answer.blank;
        problems.extend(faults(question, answer));
    }
    if all_blank && problems.is_empty() {
        problems.push(use_dismiss());
    }
    DraftView { visible, problems }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Condition;
    use crate::fixtures::{choice, selected, text, typed};

    fn check(questions: &[Question], answers: &[Answer], expect: &[(&str, &str)]) {
        let view = draft_view(questions, answers);
        let found: Vec<(&str, &str)> =
            view.problems.iter().map(|p| (p.code, p.path.as_str())).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn a_draft_lacks_what_a_submit_would_refuse() {
        let mut host = text("Which host?").named("host");
        host.show_when = vec![Condition {
            question: "db".into(),
            options: vec!["Postgres".into()],
            ..Condition::default()
        }];
        let questions = [choice(&["Postgres", "SQLite"]).named("db"), host];
        check(&questions, &[], &[("no_answer", "answers.db")]);
        check(&questions, &[selected(&[0])], &[("no_answer", "answers.host")]);
        check(&questions, &[selected(&[1]), typed("kept for later")], &[]);
        check(&questions, &[selected(&[0]), typed("db1")], &[]);
        check(&questions, &[Answer::blank()], &[("all_blank", "answers")]);
        check(&questions, &[selected(&[9])], &[("unknown_option", "answers.db")]);
        check(&[], &[], &[]);
    }

    #[test]
    fn what_is_hidden_has_no_problems() {
        let mut host = text("Which host?").named("host");
        host.required = true;
        host.show_when =
            vec![Condition { question: "db".into(), not: true, ..Condition::default() }];
        let questions = [choice(&["Postgres"]).named("db"), host];
        let view = draft_view(&questions, &[selected(&[0])]);
        assert_eq!(view, DraftView { visible: vec![true, false], problems: vec![] });
    }
}
