//! What an outcome tells the model beside the answers.

use crate::{Answer, End, EndKind, Question, visible};

/// One sentence for the model, where an outcome needs one: on blanks, and on every end without
/// an answer. A hidden question's blank needs none.
pub fn guidance(end: &End, questions: &[Question], answers: &[Answer]) -> Option<&'static str> {
    match end.kind {
        EndKind::Answered => {
            let shown = visible(questions, answers);
            let blank = shown.iter().zip(answers).any(|(shown, answer)| *shown && answer.blank);
            blank.then_some(
                "A preference left blank leaves you free; needed content left blank is unanswered.",
            )
        }
        EndKind::Dismissed => {
            Some("The person chose not to answer; assume nothing, don't ask the same again.")
        }
        EndKind::Expired | EndKind::Cancelled => {
            Some("No answer; continue with your best judgement and state the assumption.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{choice, selected, text};
    use crate::{Condition, Responder, ResponderKind, Timestamp};

    fn end(kind: EndKind) -> End {
        let responder =
            Responder { kind: ResponderKind::User, id: "local".into(), via: "dock".into() };
        End { kind, reason: None, at: Timestamp(0), responder, act: None }
    }

    #[test]
    fn a_sentence_where_one_is_needed() {
        let questions = [choice(&["a"]), text("Why?")];
        let check = |kind, answers: &[Answer], start: Option<&str>| {
            let said = guidance(&end(kind), &questions, answers);
            assert_eq!(said.and_then(|said| said.split(['.', ';']).next()), start);
        };
        let full = [selected(&[0]), selected(&[0])];
        let blanks = [selected(&[0]), Answer::blank()];
        check(EndKind::Answered, &full, None);
        check(EndKind::Answered, &blanks, Some("A preference left blank leaves you free"));
        check(EndKind::Dismissed, &[], Some("The person chose not to answer"));
        check(EndKind::Expired, &[], Some("No answer"));
        check(EndKind::Cancelled, &[], Some("No answer"));
    }

    #[test]
    fn a_hidden_question_is_not_a_blank() {
        let mut hidden = text("Why?");
        hidden.show_when =
            vec![Condition { question: "a".into(), not: true, ..Condition::default() }];
        let questions = [choice(&["a"]).named("a"), hidden];
        let answers = [selected(&[0]), Answer::blank()];
        assert_eq!(guidance(&end(EndKind::Answered), &questions, &answers), None);
    }
}
