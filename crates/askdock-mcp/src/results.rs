//! Tool results. Each says the same twice: as text for a model, and structured, because some
//! clients show the model only one of them.

use askdock_client::ClientError;
use askdock_wire::{
    AnswerDto, BatchStatus, Code, MessageDto, Outcome, ProblemDto, QuestionDto, WireError,
};
use rmcp::model::{CallToolResult, ContentBlock, ErrorCode, ErrorData};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// What to do when nobody can be asked, as after an ask that was never answered.
const NOT_ASKED: &str =
    "Nobody was asked. Continue with your best judgement and state the assumption.";
const MAY_BE_ASKED: &str = "It isn't known whether this was carried out. Make the same call again: \
                            what was asked is found and not asked twice.";
const NEXT: &str = "call wait_for_answer";

/// The outcome, with the questions' texts and what the person wrote meanwhile.
pub(crate) fn ended(
    outcome: &Outcome,
    questions: &[QuestionDto],
    messages: &[MessageDto],
) -> CallToolResult {
    let mut lines = vec![headline(outcome)];
    if let Some(message) = &outcome.message {
        lines.push(format!("The person asks back: {message}"));
    }
    if outcome.status == BatchStatus::Answered {
        lines.extend(answers(&outcome.order, outcome.answers.iter(), questions));
    }
    if let Some(partial) = &outcome.partial {
        lines.extend(answers(&outcome.order, partial.iter(), questions));
    }
    lines.extend(outcome.guidance.clone());
    lines.extend(warnings(&outcome.warnings));
    result(lines, fields(outcome), messages)
}

/// Not ended yet; the batch stays as it is.
pub(crate) fn pending(batch: &str, number: Option<u64>, messages: &[MessageDto]) -> CallToolResult {
    let mut structured = Map::new();
    structured.insert("status".into(), "pending".into());
    structured.insert("batch".into(), batch.into());
    if let Some(number) = number {
        structured.insert("number".into(), number.into());
    }
    structured.insert("next".into(), NEXT.into());
    let line = format!(
        "{} Nothing was decided. To go on waiting, {NEXT} with batch {batch:?}; the answer is \
         kept for you meanwhile.",
        waiting(number)
    );
    result(vec![line], structured, messages)
}

/// That the person has still to answer.
pub(crate) fn waiting(number: Option<u64>) -> String {
    match number {
        Some(number) => format!("The person has not answered #{number} yet."),
        None => "The person has not answered yet.".to_owned(),
    }
}

/// The hub's refusal, or that there is no way to it.
pub(crate) fn refused(refusal: &ClientError) -> CallToolResult {
    let error = refusal.to_wire();
    let mut lines = vec![];
    let mut guidance = None;
    if error.problems.is_empty() {
        lines.push(error.message.clone());
    } else {
        lines.push("The call was not accepted. Mend this and call again:".to_owned());
        lines.extend(error.problems.iter().map(|problem| format!("- {}", problem.sentence())));
    }
    let said = match refusal {
        // It broke off in the middle: the ask may stand.
        ClientError::Disconnected(_) | ClientError::TooSlow(_) => Some(MAY_BE_ASKED),
        _ if matches!(error.code, Code::NoPerson | Code::Unavailable | Code::StorageFull) => {
            Some(NOT_ASKED)
        }
        _ => None,
    };
    if let Some(said) = said {
        guidance = Some(said);
        lines.push(said.to_owned());
    }
    let structured = json!({ "status": "error", "error": error, "guidance": guidance });
    let mut result = CallToolResult::error(vec![text(&lines, &structured)]);
    result.structured_content = Some(structured);
    result
}

/// A call that names no batch.
pub(crate) fn no_batch() -> CallToolResult {
    let problem = ProblemDto {
        code: "missing".into(),
        path: "batch".into(),
        message: "Send the batch's id or number, as ask_user returned it.".into(),
    };
    refused(&ClientError::Refused(WireError::invalid(vec![problem])))
}

/// The protocol's error for a method that we don't have.
pub(crate) fn method_not_found(method: &str) -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("Method not found: {method}"), None)
}

/// The batch whose outcome is in this structured result; the inverse of [`ended`].
pub(crate) fn ended_batch(structured: &Value) -> Option<&str> {
    let status = structured.get("status")?.as_str()?;
    let ended = matches!(status, "answered" | "dismissed" | "expired" | "cancelled");
    structured.get("batch")?.as_str().filter(|_| ended)
}

fn headline(outcome: &Outcome) -> String {
    let number = outcome.number;
    let why = outcome.reason.as_deref().filter(|_| outcome.message.is_none());
    let why = why.map(|reason| format!(" ({reason})")).unwrap_or_default();
    match outcome.status {
        BatchStatus::Answered => format!("The person answered #{number}."),
        BatchStatus::Dismissed if outcome.message.is_some() => {
            format!("The person did not answer #{number} and asks back.")
        }
        BatchStatus::Dismissed => format!("The person dismissed #{number} without an answer{why}."),
        BatchStatus::Expired => format!("#{number} expired without an answer{why}."),
        BatchStatus::Cancelled => format!("#{number} was withdrawn without an answer{why}."),
        BatchStatus::Pending => waiting(Some(number)),
    }
}

/// `question → answer`, a line each, in the order of the questions.
fn answers<'a>(
    order: &[String],
    given: impl Iterator<Item = (&'a String, &'a AnswerDto)>,
    questions: &[QuestionDto],
) -> Vec<String> {
    let mut given: Vec<_> = given.collect();
    let position = |id: &String| order.iter().position(|other| other == id);
    given.sort_by_key(|(id, _)| position(id).unwrap_or(usize::MAX));
    let line = |(id, answer): (&String, &AnswerDto)| {
        let question = questions.iter().find(|question| question.id == *id);
        let asked = question.map_or(id, |question| &question.question);
        format!("{asked} → {}", answer_text(answer))
    };
    given.into_iter().map(line).collect()
}

fn answer_text(answer: &AnswerDto) -> String {
    let selected = answer.selected.iter().map(|option| option.label.clone());
    let parts: Vec<String> = selected.chain(answer.text.clone()).collect();
    let text = if parts.is_empty() { "(blank)".to_owned() } else { parts.join(", ") };
    match &answer.notes {
        Some(notes) => format!("{text} (note: {notes})"),
        None => text,
    }
}

fn warnings(warnings: &[ProblemDto]) -> Option<String> {
    let sentences: Vec<String> = warnings.iter().map(ProblemDto::sentence).collect();
    (!sentences.is_empty())
        .then(|| format!("The call was changed to be read: {}", sentences.join(" ")))
}

fn result(
    mut lines: Vec<String>,
    mut structured: Map<String, Value>,
    messages: &[MessageDto],
) -> CallToolResult {
    if !messages.is_empty() {
        lines.push("Meanwhile the person wrote (this answers no question):".to_owned());
        lines.extend(messages.iter().map(|message| format!("- {}", message.text)));
        let sent = messages
            .iter()
            .map(|message| json!({ "text": message.text, "posted_at": message.posted_at }));
        structured.insert("messages".into(), sent.collect());
    }
    let structured = Value::Object(structured);
    let mut result = CallToolResult::success(vec![text(&lines, &structured)]);
    result.structured_content = Some(structured);
    result
}

fn text(lines: &[String], structured: &Value) -> ContentBlock {
    ContentBlock::text(format!("{}\n\n{structured}", lines.join("\n")))
}

fn fields(value: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(fields)) => fields,
        // An outcome always is an object.
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use askdock_wire::{ResponderDto, SelectedDto};

    use super::*;

    fn outcome(status: BatchStatus) -> Outcome {
        Outcome {
            status,
            batch: "0199-batch".into(),
            number: 42,
            reason: None,
            answers: [].into(),
            order: vec![],
            answers_by_id: [].into(),
            message: None,
            partial: None,
            responder: ResponderDto {
                kind: "user".into(),
                id: "local".into(),
                via: "dock".into(),
                pid: None,
                program: None,
            },
            asked_at: "2026-11-30T10:00:00.000Z".into(),
            ended_at: "2026-11-30T10:00:05.000Z".into(),
            content_hash: "hash".into(),
            guidance: None,
            warnings: vec![],
        }
    }

    fn selected(label: &str) -> AnswerDto {
        let option = SelectedDto { id: label.into(), label: label.into(), value: None };
        AnswerDto { selected: vec![option], ..AnswerDto::default() }
    }

    fn question(id: &str, text: &str) -> QuestionDto {
        serde_json::from_value(json!({
            "id": id, "id_given": true, "header": null, "short_header": "h", "question": text,
            "description": null, "kind": "choice", "options": [], "multi_select": false,
            "allow_custom": true, "allow_notes": true, "required": false, "placeholder": null,
            "secret": false, "min_selected": null, "max_selected": null, "format": null,
            "min": null, "max": null, "min_length": null, "max_length": null, "pattern": null,
            "display": null,
        }))
        .unwrap()
    }

    /// The readable part and the JSON behind it, which must be the structured content.
    fn parts(result: &CallToolResult) -> (String, Value) {
        let text = &result.content[0].as_text().unwrap().text;
        let (readable, json) = text.split_once("\n\n").unwrap();
        let json = serde_json::from_str(json).unwrap();
        assert_eq!(result.structured_content.as_ref(), Some(&json));
        (readable.to_owned(), json)
    }

    #[test]
    fn an_answer_is_said_twice_in_the_order_of_the_questions() {
        let mut ended_as = outcome(BatchStatus::Answered);
        ended_as.order = vec!["zone".into(), "also".into(), "about".into()];
        ended_as.answers = [
            ("about".into(), AnswerDto { blank: true, ..AnswerDto::default() }),
            ("also".into(), AnswerDto { text: Some("eu\nwest".into()), ..selected("EU") }),
            ("zone".into(), AnswerDto { notes: Some("after 18:00".into()), ..selected("a") }),
        ]
        .into();
        ended_as.guidance = Some("A preference left blank leaves you free.".into());
        let questions = [question("zone", "Which zone?"), question("also", "Also?")];
        let result = ended(&ended_as, &questions, &[]);
        assert_eq!(result.is_error, Some(false));
        let (readable, json) = parts(&result);
        assert_eq!(
            readable,
            "The person answered #42.\nWhich zone? → a (note: after 18:00)\n\
             Also? → EU, eu\nwest\nabout → (blank)\nA preference left blank leaves you free."
        );
        assert_eq!(json, serde_json::to_value(&ended_as).unwrap());
    }

    #[test]
    fn an_end_without_an_answer_is_never_read_as_one() {
        let check = |status, reason: Option<&str>, start: &str| {
            let mut ended_as = outcome(status);
            ended_as.reason = reason.map(str::to_owned);
            let result = ended(&ended_as, &[question("q", "Go?")], &[]);
            let (readable, json) = parts(&result);
            assert_eq!(readable, start);
            assert!(json["answers"].as_object().unwrap().is_empty());
            assert_eq!(ended_batch(&json), Some("0199-batch"));
        };
        check(BatchStatus::Dismissed, None, "The person dismissed #42 without an answer.");
        check(BatchStatus::Expired, Some("deadline"), "#42 expired without an answer (deadline).");
        check(
            BatchStatus::Cancelled,
            Some("withdrawn"),
            "#42 was withdrawn without an answer (withdrawn).",
        );
    }

    #[test]
    fn asking_back_brings_the_message_and_what_was_answered() {
        let mut ended_as = outcome(BatchStatus::Dismissed);
        ended_as.reason = Some("ask_back".into());
        ended_as.message = Some("Which cluster?".into());
        ended_as.partial = Some([("zone".into(), selected("a"))].into());
        let (readable, _) = parts(&ended(&ended_as, &[question("zone", "Which zone?")], &[]));
        assert_eq!(
            readable,
            "The person did not answer #42 and asks back.\nThe person asks back: Which cluster?\n\
             Which zone? → a"
        );
    }

    #[test]
    fn messages_answer_nothing_and_come_with_any_result() {
        let message = MessageDto {
            id: 1,
            session: "s".into(),
            author: askdock_wire::Author::Person,
            text: "yes, do it".into(),
            posted_at: "2026-11-30T10:00:00.000Z".into(),
            delivered_at: None,
        };
        let (readable, json) = parts(&pending("0199", Some(42), &[message]));
        assert!(readable.ends_with("(this answers no question):\n- yes, do it"), "{readable}");
        assert_eq!(json["messages"][0]["text"], "yes, do it");
        assert_eq!(json["status"], "pending");
    }

    #[test]
    fn pending_says_how_to_go_on_and_is_no_end() {
        let (readable, json) = parts(&pending("0199", Some(42), &[]));
        let expected = json!({"status": "pending", "batch": "0199", "number": 42, "next": "call wait_for_answer"});
        assert_eq!(json, expected);
        assert!(readable.contains("#42") && readable.contains("\"0199\""), "{readable}");
        assert_eq!(ended_batch(&json), None);
    }

    #[test]
    fn problems_are_listed_with_their_paths() {
        let problem = |path: &str, message: &str| ProblemDto {
            code: "x".into(),
            path: path.into(),
            message: message.into(),
        };
        let problems = vec![
            problem("questions[0].options", "Give the options different labels."),
            problem("", "Ask something."),
        ];
        let result = refused(&ClientError::Refused(WireError::invalid(problems)));
        assert_eq!(result.is_error, Some(true));
        let (readable, json) = parts(&result);
        assert_eq!(
            readable,
            "The call was not accepted. Mend this and call again:\n\
             - questions[0].options: Give the options different labels.\n- Ask something."
        );
        assert_eq!(json["status"], "error");
        assert_eq!(json["error"]["problems"][0]["path"], "questions[0].options");
        assert_eq!(ended_batch(&json), None);
    }

    #[test]
    fn without_a_person_the_agent_goes_on_by_itself_and_says_so() {
        for error in
            [ClientError::Refused(WireError::new(Code::NoPerson, "CI is set.")), ClientError::NoHub]
        {
            let result = refused(&error);
            assert_eq!(result.is_error, Some(true));
            let (readable, json) = parts(&result);
            assert!(readable.ends_with(NOT_ASKED), "{readable}");
            assert_eq!(json["guidance"], NOT_ASKED);
        }
        let (_, json) = parts(&no_batch());
        assert_eq!(json["guidance"], Value::Null);
    }
}
