//! Branching: which questions are shown.

use crate::options::OptionNames;
use crate::{Answer, Condition, Question};

/// For each question, in one pass and in order, whether it is shown. A hidden question's answer
/// counts as blank, so what hangs on a skipped branch is skipped too. Missing answers are blank.
pub fn visible(questions: &[Question], answers: &[Answer]) -> Vec<bool> {
    let branching = Branching::of(questions);
    let mut shown = Vec::with_capacity(questions.len());
    while shown.len() < questions.len() {
        shown.push(branching.is_shown(answers, &shown));
    }
    shown
}

/// The conditions of a batch, to be looked at question by question.
pub(crate) struct Branching<'a> {
    questions: &'a [Question],
    names: Vec<OptionNames<'a>>,
}

impl<'a> Branching<'a> {
    pub(crate) fn of(questions: &'a [Question]) -> Self {
        Self { questions, names: questions.iter().map(OptionNames::of).collect() }
    }

    /// Whether the question after those in `shown` is shown.
    pub(crate) fn is_shown(&self, answers: &[Answer], shown: &[bool]) -> bool {
        let blank = Answer::blank();
        self.questions[shown.len()].show_when.iter().all(|condition| {
            let mut earlier = self.questions.iter().zip(shown);
            let Some(named) = earlier.position(|(q, _)| q.id == condition.question) else {
                // Never asked: such a condition is rejected before.
                return condition.not;
            };
            let counts = shown[named] || cfg!(feature = "broken-visibility");
            let answer = answers.get(named).filter(|_| counts).unwrap_or(&blank);
            holds(condition, &self.names[named], answer)
        })
    }
}

/// Whether `condition` holds, given the answer of the question that it names.
fn holds(condition: &Condition, names: &OptionNames<'_>, answer: &Answer) -> bool {
    let met = if condition.options.is_empty() {
        answer.is_answered()
    } else {
        !answer.blank
            && condition.options.iter().any(|name| {
                names.position(name).is_ok_and(|option| answer.selected.contains(&option))
            })
    };
    met != condition.not
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{choice, selected, text, typed};

    fn when(question: &str, options: &[&str], not: bool) -> Condition {
        let options = options.iter().map(|option| (*option).to_owned()).collect();
        Condition { question: question.into(), options, not }
    }

    #[test]
    fn conditions() {
        let question = choice(&["Postgres", "SQLite"]);
        let names = OptionNames::of(&question);
        let check = |options: &[&str], not, answer: &Answer, expect| {
            assert_eq!(holds(&when("db", options, not), &names, answer), expect);
        };
        let note = Answer { notes: Some("hm".into()), ..Answer::default() };
        check(&["SQLite"], false, &selected(&[1]), true);
        check(&["o2"], false, &selected(&[1]), true);
        check(&["sqlite"], false, &selected(&[1]), true);
        check(&["Postgres", "SQLite"], false, &selected(&[1]), true);
        check(&["Postgres"], false, &selected(&[1]), false);
        check(&["Postgres"], true, &selected(&[1]), true);
        check(&["SQLite"], false, &typed("SQLite"), false);
        check(&["SQLite"], true, &Answer::blank(), true);
        check(&[], false, &selected(&[0]), true);
        check(&[], false, &typed("other"), true);
        check(&[], false, &typed(" \u{200b}"), false);
        check(&[], false, &note, false);
        check(&[], false, &Answer::blank(), false);
        check(&[], true, &Answer::blank(), true);
    }

    #[test]
    fn a_skipped_branch_takes_its_dependants_along() {
        let mut db = choice(&["Postgres", "SQLite"]).named("db");
        let mut host = text("Which host?").named("host");
        let mut port = text("Which port?").named("port");
        host.show_when = vec![when("db", &["Postgres"], false)];
        port.show_when = vec![when("host", &[], false)];
        let questions = [db.clone(), host.clone(), port.clone()];
        let answers = |option| [selected(&[option]), typed("db1"), typed("5432")];
        assert_eq!(visible(&questions, &answers(0)), [true, true, true]);
        assert_eq!(visible(&questions, &answers(1)), [true, false, false]);

        // Inverted: the blank of a hidden question makes it hold.
        port.show_when = vec![when("host", &[], true)];
        assert_eq!(visible(&[db.clone(), host, port], &answers(1)), [true, false, true]);

        // Later and own questions never count.
        db.show_when = vec![when("db", &[], false)];
        assert_eq!(visible(&[db], &[selected(&[0])]), [false]);
    }

    #[test]
    fn all_conditions_of_a_list_must_hold() {
        let mut last = text("Why?").named("why");
        last.show_when = vec![when("a", &["x"], false), when("b", &["x"], false)];
        let questions = [choice(&["x", "y"]).named("a"), choice(&["x", "y"]).named("b"), last];
        let shown = |a, b| visible(&questions, &[selected(&[a]), selected(&[b])])[2];
        assert_eq!([shown(0, 0), shown(0, 1), shown(1, 0)], [true, false, false]);
    }

    #[test]
    fn missing_answers_are_blank() {
        let mut last = text("Why?").named("why");
        last.show_when = vec![when("a", &[], true)];
        assert_eq!(visible(&[text("A?").named("a"), last], &[]), [true, true]);
    }
}
