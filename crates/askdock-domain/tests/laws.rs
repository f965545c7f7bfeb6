//! Laws that hold for every batch, reply and sequence of events. Four of them have a build that
//! breaks them on purpose (`broken-*` features), so that it is seen that they can fail.

use askdock_domain::text::{cut_graphemes, display, fold, has_hostile, look_alike_key, plain};
use askdock_domain::{
    Act, Answer, AnswerKey, AskContent, BatchState, Condition, EndKind, Event, LEASE_TOTAL, Millis,
    OptionItem, Question, QuestionKind, RESUME_GRACE, Rejection, Reply, Responder, ResponderKind,
    Submitted, Timestamp, check, draft_view, match_reply, resolve, transition, visible,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::{option, strategy::Strategy};

const OPTIONS: usize = 3;
const ASKED: Timestamp = Timestamp(1_000_000_000);

/// Failures are not kept in a file: a broken build would fill it. What a failure taught becomes
/// a unit test.
fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

fn choice(labels: Vec<String>) -> Question {
    let options = labels.into_iter().enumerate().map(|(position, label)| OptionItem {
        id: format!("o{position}"),
        label,
        ..OptionItem::default()
    });
    Question {
        id: "q".into(),
        question: "Which one?".into(),
        kind: QuestionKind::Choice,
        options: options.collect(),
        allow_custom: true,
        ..Question::default()
    }
}

/// A question whose conditions name earlier ones: (which, which option or any, inverted).
type Shape = (bool, bool, Vec<(prop::sample::Index, Option<usize>, bool)>);

fn batch() -> impl Strategy<Value = Vec<Question>> {
    let condition = (any::<prop::sample::Index>(), option::of(0..OPTIONS), any::<bool>());
    let shape = (any::<bool>(), any::<bool>(), vec(condition, 0..3));
    vec(shape, 1..8).prop_map(|shapes: Vec<Shape>| {
        let build = |(position, (multi_select, required, conditions)): (usize, Shape)| {
            let condition = |(which, option, not): (prop::sample::Index, Option<usize>, bool)| {
                let question = format!("q{}", which.index(position));
                let options = option.map(|option| format!("label {option}")).into_iter().collect();
                Condition { question, options, not }
            };
            let conditions = if position == 0 { vec![] } else { conditions };
            Question {
                id: format!("q{position}"),
                id_given: true,
                multi_select,
                required,
                show_when: conditions.into_iter().map(condition).collect(),
                ..choice((0..OPTIONS).map(|option| format!("label {option}")).collect())
            }
        };
        shapes.into_iter().enumerate().map(build).collect()
    })
}

fn any_answer() -> impl Strategy<Value = Answer> {
    prop_oneof![
        3 => (0..OPTIONS).prop_map(|option| Answer { selected: vec![option], ..Answer::default() }),
        1 => Just(Answer { selected: vec![0, 2], ..Answer::default() }),
        1 => Just(Answer { text: Some("typed".into()), ..Answer::default() }),
        1 => Just(Answer { notes: Some("note".into()), ..Answer::default() }),
        1 => Just(Answer::blank()),
        1 => Just(Answer::default()),
    ]
}

fn submitted(question: &Question, answer: &Answer) -> (AnswerKey, Submitted) {
    let label = |option: &usize| question.options[*option].label.clone();
    let entry = Submitted {
        selected: answer.selected.iter().map(label).collect(),
        text: answer.text.clone(),
        notes: answer.notes.clone(),
        blank: answer.blank,
    };
    (AnswerKey::Name(question.id.clone()), entry)
}

proptest! {
    #![proptest_config(config())]

    /// One pass: what a hidden question holds makes no difference to what is shown.
    #[test]
    fn a_hidden_answer_counts_as_blank(questions in batch(), answers in vec(any_answer(), 8)) {
        let shown = visible(&questions, &answers);
        let blanked: Vec<Answer> = shown
            .iter()
            .zip(&answers)
            .map(|(shown, answer)| if *shown { answer.clone() } else { Answer::blank() })
            .collect();
        prop_assert_eq!(visible(&questions, &blanked), shown);
    }

    #[test]
    fn hidden_answers_never_leave(questions in batch(), answers in vec(any_answer(), 8)) {
        let entries: Vec<_> =
            questions.iter().zip(&answers).map(|(q, answer)| submitted(q, answer)).collect();
        let view = draft_view(&questions, &answers);
        match resolve(&questions, &entries) {
            Ok(resolved) => {
                prop_assert_eq!(&visible(&questions, &resolved), &view.visible);
                for (shown, (sent, got)) in view.visible.iter().zip(answers.iter().zip(resolved)) {
                    let expect = if *shown { sent.clone() } else { Answer::blank() };
                    prop_assert_eq!(got, expect);
                }
                prop_assert_eq!(view.problems, vec![]);
            }
            // A draft says the same as the submit, and nothing about hidden questions.
            Err(problems) => prop_assert_eq!(problems, view.problems),
        }
    }
}

fn act() -> impl Strategy<Value = Act> {
    (select(vec!["a", "b"]), select(vec!["x", "y"]))
        .prop_map(|(id, content)| Act { answer_id: id.into(), fingerprint: content.into() })
}

fn responder() -> impl Strategy<Value = Responder> {
    select(vec!["dock", "cli", "notification"]).prop_map(|via| Responder {
        kind: ResponderKind::User,
        id: "local".into(),
        via: via.into(),
    })
}

fn ending() -> impl Strategy<Value = Event> {
    let hash = || option::of(select(vec!["hash", "other"]).prop_map(str::to_owned));
    prop_oneof![
        (hash(), act(), responder()).prop_map(|(content_hash, act, responder)| Event::Answer {
            content_hash,
            act,
            responder
        }),
        (hash(), act(), responder()).prop_map(|(content_hash, act, responder)| Event::Dismiss {
            content_hash,
            act,
            reason: None,
            responder
        }),
        responder().prop_map(|responder| Event::Cancel { reason: "asked".into(), responder }),
    ]
}

fn waiting() -> impl Strategy<Value = Event> {
    prop_oneof![
        2 => Just(Event::Activity),
        2 => Just(Event::Tick { abandon_after: Some(Millis::from_mins(45)) }),
        1 => (0..3_600_i64).prop_map(|secs| Event::Extend(Millis::from_secs(secs))),
        1 => select(vec![Event::Resumed, Event::Attach, Event::Detach, Event::Delivered]),
    ]
}

/// Events at times that mostly rise by seconds, and sometimes jump either way.
fn timed(event: impl Strategy<Value = Event>) -> impl Strategy<Value = Vec<(Timestamp, Event)>> {
    let step = prop_oneof![12 => 0..20_000_i64, 1 => -7_200_000..7_200_000_i64];
    vec((step, event), 1..400).prop_map(on_the_clock)
}

/// An hour or more of input with hardly a pause.
fn hard_work() -> impl Strategy<Value = Vec<(Timestamp, Event)>> {
    let event = prop_oneof![12 => Just(Event::Activity), 1 => waiting()];
    vec((0..12_000_i64, event), 600..900).prop_map(on_the_clock)
}

fn on_the_clock(steps: Vec<(i64, Event)>) -> Vec<(Timestamp, Event)> {
    let mut now = ASKED;
    let mut at = |step| {
        now = now + Millis(step);
        now
    };
    steps.into_iter().map(|(step, event)| (at(step), event)).collect()
}

fn asked(deadline: bool) -> BatchState {
    let deadline = deadline.then_some(ASKED + Millis::from_mins(10));
    BatchState::asked("hash".into(), deadline)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn at_most_one_end(
        deadline: bool,
        events in timed(prop_oneof![1 => ending(), 8 => waiting()]),
    ) {
        let mut state = asked(deadline);
        let mut first = None;
        for (now, event) in events {
            if let Ok((next, _)) = transition(&state, event, now) {
                state = next;
            }
            first = first.or_else(|| state.end.clone());
            prop_assert_eq!(&state.end, &first);
        }
    }

    #[test]
    fn an_answer_id_stands_for_one_content(
        first in act(),
        second in act(),
        responder in responder(),
    ) {
        let answer = |act: &Act| Event::Answer {
            content_hash: None,
            act: act.clone(),
            responder: responder.clone(),
        };
        let (ended, _) = transition(&asked(false), answer(&first), Timestamp(1))
            .map_err(|refused| TestCaseError::fail(refused.to_string()))?;
        let again = transition(&ended, answer(&second), Timestamp(2));
        if first == second {
            prop_assert_eq!(again, Ok((ended, vec![])));
        } else if first.answer_id == second.answer_id {
            prop_assert_eq!(again, Err(Rejection::AnswerIdReused));
        } else {
            prop_assert!(matches!(again, Err(Rejection::AlreadyEnded(end)) if Some(&*end) == ended.end.as_ref()));
        }
    }

    #[test]
    fn pauses_are_bounded_and_deadlines_only_move_later(
        events in prop_oneof![timed(waiting()).boxed(), hard_work().boxed()],
    ) {
        let mut state = asked(true);
        let mut paused = Millis(0);
        for (now, event) in events {
            let extended = matches!(event, Event::Extend(_));
            let Ok((next, _)) = transition(&state, event, now) else { continue };
            prop_assert!(next.deadline >= state.deadline);
            if !extended && let Some((after, before)) = next.deadline.zip(state.deadline) {
                paused = paused + after.since(before);
            }
            let running = next.lease.map_or(Millis(0), |lease| lease.until.since(lease.since));
            prop_assert!(paused + running <= LEASE_TOTAL);
            state = next;
        }
    }

    #[test]
    fn nothing_ends_by_itself_right_after_resuming(
        deadline: bool,
        events in timed(waiting()),
    ) {
        let mut state = asked(deadline);
        let mut resumed: Option<Timestamp> = None;
        for (now, event) in events {
            if event == Event::Resumed {
                resumed = Some(now);
            }
            let Ok((next, _)) = transition(&state, event, now) else { continue };
            if let Some(end) = &next.end {
                prop_assert!(matches!(end.kind, EndKind::Expired | EndKind::Cancelled));
                prop_assert!(resumed.is_none_or(|resumed| now >= resumed + RESUME_GRACE));
                break;
            }
            state = next;
        }
    }

    /// The hub sleeps until `next_tick`: a tick then always gets something done.
    #[test]
    fn no_tick_is_in_vain(deadline: bool, events in timed(waiting())) {
        let abandon_after = Some(Millis::from_mins(45));
        let mut state = asked(deadline);
        for (now, event) in events {
            let Ok((next, _)) = transition(&state, event, now) else { continue };
            state = next;
            let Some(due) = state.next_tick(abandon_after) else { continue };
            let ticked = transition(&state, Event::Tick { abandon_after }, due);
            prop_assert!(matches!(&ticked, Ok((after, _)) if *after != state), "{:?}", ticked);
        }
    }
}

/// Labels as models send them, numbers and look-alikes of commands among them.
fn label() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9]{1,2}[.)]?",
        "\\PC{1,12}",
        "[a-c]( ?[,;] ?[a-c])? ?(\\(Recommended\\))?",
        select(vec![
            "/skip",
            "\"x\"",
            "a and b",
            " a",
            "A\u{200b}",
            "👨\u{200d}👩",
            "２",
            "2\u{fe0f}\u{20e3}"
        ])
        .prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_label_answers_itself(
        labels in vec(label(), 1..6),
        multi_select: bool,
        allow_custom: bool,
    ) {
        let question = Question { multi_select, allow_custom, ..choice(labels) };
        let content = AskContent { questions: vec![question.clone()], ..AskContent::default() };
        prop_assume!(check(&content).is_ok());
        for (position, option) in question.options.iter().enumerate() {
            let expect = Answer { selected: vec![position], ..Answer::default() };
            prop_assert_eq!(match_reply(&question, &option.label), Reply::Answer(expect));
        }
    }

    /// Any reply is read without panic, and a rejection is one safe line.
    #[test]
    fn any_reply_is_read(labels in vec(label(), 1..6), multi_select: bool, reply in "\\PC{0,40}|[a-c0-9,; \"]{0,12}") {
        let question = Question { multi_select, ..choice(labels) };
        if let Reply::Rejected(says) = match_reply(&question, &reply) {
            prop_assert!(!has_hostile(&says) && !says.contains('\n'), "{says:?}");
        }
    }
}

/// Text with more of what hides than chance would bring.
fn hostile() -> impl Strategy<Value = String> {
    let odd = "\0\r\n\t\u{1b}\u{7f}\u{9b}\u{ad}\u{61c}\u{115f}\u{1160}\u{180b}\u{200b}\u{200c}\u{200d}\
        \u{200e}\u{200f}\u{2028}\u{202e}\u{2066}\u{fe0f}\u{feff}\u{1f3f4}\u{1f469}\u{1f4bb}\u{1f3fd}\
        \u{e0067}\u{e0062}\u{e007f}\u{e0101}\u{628}\u{915}\u{94d}\u{5d0}\u{845b}\u{345}\u{301}e2ǅß";
    let odd = select(odd.chars().collect::<Vec<char>>());
    vec(prop_oneof![3 => odd, 1 => any::<char>()], 0..24)
        .prop_map(|chars| chars.into_iter().collect())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn display_text_hides_nothing(text in hostile()) {
        let shown = display(&text);
        prop_assert!(!has_hostile(&shown), "{shown:?}");
        prop_assert_eq!(display(&shown), shown.clone());
        prop_assert!(shown.chars().all(|c| !c.is_control() || c == '\n' || c == '\t'));
        prop_assert!(plain(&text).chars().all(|c| !c.is_control()));
    }

    #[test]
    fn comparison_is_stable(text in hostile()) {
        prop_assert_eq!(fold(&fold(&text)), fold(&text));
        let key = look_alike_key(&text);
        prop_assert_eq!(look_alike_key(&key), key);
    }

    #[test]
    fn a_cut_is_short_enough(text in hostile(), most in 0..10_usize) {
        use unicode_segmentation::UnicodeSegmentation;
        prop_assert!(cut_graphemes(&text, most).graphemes(true).count() <= most);
    }
}
