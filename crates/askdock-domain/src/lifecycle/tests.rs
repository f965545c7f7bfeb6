use super::*;

const MINUTE: i64 = 60_000;
const DAY: Millis = Millis::from_hours(24);

fn at(minutes: i64) -> Timestamp {
    Timestamp(minutes * MINUTE)
}

fn secs(at: Timestamp, secs: i64) -> Timestamp {
    at + Millis::from_secs(secs)
}

fn person() -> Responder {
    Responder { kind: ResponderKind::User, id: "local".into(), via: "dock".into() }
}

fn act(id: &str, fingerprint: &str) -> Act {
    Act { answer_id: id.into(), fingerprint: fingerprint.into() }
}

fn answer(id: &str, fingerprint: &str) -> Event {
    Event::Answer { content_hash: None, act: act(id, fingerprint), responder: person() }
}

fn dismiss(id: &str, fingerprint: &str) -> Event {
    Event::Dismiss {
        content_hash: None,
        act: act(id, fingerprint),
        reason: None,
        responder: person(),
    }
}

fn cancel() -> Event {
    Event::Cancel { reason: "turn_ended".into(), responder: system() }
}

fn tick_event() -> Event {
    Event::Tick { abandon_after: Some(DAY) }
}

/// A batch asked at 0 with a deadline in 10 minutes, after these events.
#[track_caller]
fn after(events: &[(Timestamp, Event)]) -> BatchState {
    let asked = BatchState::asked("hash".into(), Some(at(10)));
    events.iter().fold(asked, |state, (now, event)| {
        transition(&state, event.clone(), *now).expect("accepted").0
    })
}

fn end_kind(state: &BatchState) -> Option<EndKind> {
    state.end.as_ref().map(|end| end.kind)
}

#[test]
fn the_four_ends() {
    let ends = [
        (answer("a", "x"), EndKind::Answered),
        (dismiss("a", "x"), EndKind::Dismissed),
        (cancel(), EndKind::Cancelled),
        (tick_event(), EndKind::Expired),
    ];
    for (event, kind) in ends {
        let (ended, effects) = transition(&after(&[]), event, at(10)).expect("ends");
        assert_eq!(end_kind(&ended), Some(kind));
        assert_eq!(
            effects,
            [Effect::WakeWaiters, Effect::CloseSurfaces, Effect::Publish, Effect::Reschedule]
        );
        assert_eq!(ended.next_tick(Some(DAY)), None);
        for late in [answer("b", "y"), dismiss("b", "y"), cancel(), Event::Extend(DAY)] {
            let winner = Box::new(ended.end.clone().expect("ended"));
            assert_eq!(transition(&ended, late, at(11)), Err(Rejection::AlreadyEnded(winner)));
        }
        for harmless in
            [tick_event(), Event::Activity, Event::Resumed, Event::Attach, Event::Detach]
        {
            assert_eq!(transition(&ended, harmless, at(99)), Ok((ended.clone(), vec![])));
        }
    }
}

#[test]
fn an_act_may_be_repeated_but_not_changed() {
    let answered = after(&[(at(1), answer("a", "x"))]);
    assert_eq!(transition(&answered, answer("a", "x"), at(2)), Ok((answered.clone(), vec![])));
    for other in [answer("a", "y"), dismiss("a", "x")] {
        assert_eq!(transition(&answered, other, at(2)), Err(Rejection::AnswerIdReused));
    }
    let dismissed = after(&[(at(1), dismiss("a", "x"))]);
    assert_eq!(transition(&dismissed, dismiss("a", "x"), at(2)), Ok((dismissed.clone(), vec![])));
    assert_eq!(transition(&dismissed, answer("a", "x"), at(2)), Err(Rejection::AnswerIdReused));
}

#[test]
fn an_answer_is_for_what_was_shown() {
    let shown = |hash: &str| Event::Answer {
        content_hash: Some(hash.into()),
        act: act("a", "x"),
        responder: person(),
    };
    assert_eq!(transition(&after(&[]), shown("other"), at(1)), Err(Rejection::StaleContent));
    assert!(transition(&after(&[]), shown("hash"), at(1)).is_ok());
}

#[test]
fn a_deadline_strikes_on_time() {
    let before = after(&[(Timestamp(10 * MINUTE - 1), tick_event())]);
    assert!(before.is_pending());
    assert_eq!(before.next_tick(Some(DAY)), Some(at(10)));
    assert_eq!(end_kind(&after(&[(at(10), tick_event())])), Some(EndKind::Expired));
    let endless = BatchState::asked("hash".into(), None);
    let (state, _) = transition(&endless, tick_event(), at(1_000_000)).expect("ticks");
    assert!(state.is_pending());
    assert_eq!(state.next_tick(Some(DAY)), None);
}

#[test]
fn work_pauses_the_clock_and_shifts_the_deadline() {
    let worked = after(&[(at(9), Event::Activity), (secs(at(9), 10), Event::Activity)]);
    assert!(worked.lease.is_some());
    assert_eq!(worked.next_tick(None), Some(secs(at(9), 25)));
    let (released, effects) = transition(&worked, tick_event(), secs(at(9), 25)).expect("released");
    assert_eq!(effects, [Effect::Publish, Effect::Reschedule]);
    assert_eq!((released.deadline, released.lease), (Some(secs(at(10), 25)), None));
    assert_eq!(released.lease_used, Millis::from_secs(25));
    // Paused over the deadline itself.
    assert!(after(&[(secs(at(10), -1), Event::Activity), (at(10), tick_event())]).is_pending());
}

#[test]
fn a_lapsed_lease_is_not_renewed_over_the_gap() {
    // No tick came between the lapse at 9:15 and the next input at 9:45.
    let state = after(&[(at(9), Event::Activity), (secs(at(9), 45), Event::Activity)]);
    let lease = Lease { since: secs(at(9), 45), until: secs(at(9), 60) };
    assert_eq!((state.lease, state.lease_used), (Some(lease), DEADLINE_LEASE));
    assert_eq!(state.deadline, Some(secs(at(10), 15)));
}

#[test]
fn pauses_end_after_half_an_hour_in_all() {
    let mut state = after(&[]);
    for step in 0..400 {
        let now = secs(at(1), step * 10);
        state = transition(&state, Event::Activity, now).expect("works").0;
        state = transition(&state, tick_event(), now).expect("ticks").0;
    }
    assert_eq!(state.lease_used, LEASE_TOTAL);
    assert_eq!(state.deadline, Some(at(40)));
    assert_eq!(end_kind(&state), Some(EndKind::Expired));
}

#[test]
fn extending() {
    let extended = after(&[(at(9), Event::Extend(Millis::from_mins(5)))]);
    assert_eq!(extended.deadline, Some(at(15)));
    let (late, _) =
        transition(&after(&[]), Event::Extend(Millis::from_mins(5)), at(20)).expect("not ticked");
    assert_eq!(late.deadline, Some(at(25)));
    for bad in [Millis(0), Millis(999), Millis(-1), DAY + Millis(1)] {
        let refused = transition(&after(&[]), Event::Extend(bad), at(1));
        assert_eq!(refused, Err(Rejection::BadExtension));
    }
    for good in [Millis::from_secs(1), DAY] {
        assert!(transition(&after(&[]), Event::Extend(good), at(1)).is_ok());
    }
    let endless = BatchState::asked("hash".into(), None);
    let refused = transition(&endless, Event::Extend(DAY), at(1));
    assert_eq!(refused, Err(Rejection::NoDeadline));
}

#[test]
fn extending_a_paused_clock_counts_the_pause_once() {
    // Paused five seconds before the deadline, extended five seconds after it.
    let paused = secs(at(10), -5);
    let extended = after(&[
        (paused, Event::Activity),
        (secs(at(10), 5), Event::Extend(Millis::from_mins(5))),
        (secs(at(10), 10), tick_event()),
    ]);
    assert_eq!(extended.deadline, Some(secs(at(15), 15)));
    // A lease that lapsed before nobody ticked: what passed since counts.
    let late = after(&[(paused, Event::Activity), (at(20), Event::Extend(Millis::from_mins(5)))]);
    let (ticked, _) = transition(&late, tick_event(), at(20)).expect("ticks");
    assert_eq!(ticked.deadline, Some(at(25)));
}

#[test]
fn nothing_strikes_right_after_resuming() {
    let detached = after(&[(at(0), Event::Detach)]);
    let much_later = at(2 * 24 * 60);
    let (resumed, _) = transition(&detached, Event::Resumed, much_later).expect("resumes");
    let graced = secs(much_later, 30);
    assert_eq!(resumed.next_tick(Some(DAY)), Some(graced));
    let just_before = Timestamp(graced.0 - 1);
    let (waiting, _) = transition(&resumed, tick_event(), just_before).expect("ticks");
    assert!(waiting.is_pending());
    let (ended, _) = transition(&waiting, tick_event(), graced).expect("ticks");
    assert_eq!(end_kind(&ended), Some(EndKind::Expired));
}

#[test]
fn a_batch_without_a_waiter_is_abandoned() {
    let asked = BatchState::asked("hash".into(), None);
    let (detached, _) = transition(&asked, Event::Detach, at(5)).expect("detaches");
    let (again, effects) = transition(&detached, Event::Detach, at(6)).expect("stays");
    assert_eq!((again.detached_since, effects), (Some(at(5)), vec![]));
    let due = at(5) + DAY;
    assert_eq!(again.next_tick(Some(DAY)), Some(due));
    assert_eq!(again.next_tick(None), None);
    let never = Event::Tick { abandon_after: None };
    assert!(transition(&again, never, due).expect("ticks").0.is_pending());
    let (ended, _) = transition(&again, tick_event(), due).expect("ticks");
    let end = ended.end.expect("abandoned");
    assert_eq!((end.kind, end.reason.as_deref()), (EndKind::Cancelled, Some("abandoned")));

    let (back, effects) = transition(&again, Event::Attach, at(7)).expect("attaches");
    assert_eq!((back.detached_since, effects.len()), (None, 2));
    assert_eq!(transition(&back, Event::Attach, at(8)), Ok((back.clone(), vec![])));
}

#[test]
fn delivery_is_noted_once() {
    assert_eq!(transition(&after(&[]), Event::Delivered, at(1)), Err(Rejection::StillPending));
    let answered = after(&[(at(1), answer("a", "x"))]);
    let (delivered, effects) = transition(&answered, Event::Delivered, at(2)).expect("delivers");
    assert_eq!((delivered.delivered_at, effects), (Some(at(2)), vec![Effect::Publish]));
    let again = transition(&delivered, Event::Delivered, at(3));
    assert_eq!(again, Ok((delivered.clone(), vec![])));
}
