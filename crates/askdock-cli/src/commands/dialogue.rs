//! Answering in the terminal, one question after the other.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anyhow::bail;
use askdock_domain::text::{display, plain};
use askdock_domain::{Answer, Question, Reply, match_reply, visible};
use askdock_wire::{AnswerInput, BatchDto, QuestionDto};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use super::show::question_text;
use crate::output::say;

/// Asks for each visible question and returns the answers by question id. `None`: the person
/// dismisses the batch. Questions and prompts go to standard error.
pub(super) fn answers(batch: &BatchDto) -> anyhow::Result<Option<BTreeMap<String, AnswerInput>>> {
    say(&format!("#{} from {}", batch.number, plain(&batch.agent)));
    for text in batch.context.iter().chain(&batch.message) {
        say(&display(text));
    }
    let questions: Vec<Question> = batch.questions.iter().map(Question::from).collect();
    let mut given: Vec<Answer> = vec![];
    let mut inputs = BTreeMap::new();
    for (position, question) in questions.iter().enumerate() {
        let shown = visible(&questions, &given).get(position).copied().unwrap_or_default();
        if !shown {
            given.push(Answer::blank());
            continue;
        }
        let dto = &batch.questions[position];
        say(&format!("\n{}", question_text(dto)));
        // The only question isn't left blank but dismissed.
        let may_be_blank = !question.required && questions.len() > 1;
        let Some(answer) = one(question, dto, may_be_blank)? else { return Ok(None) };
        inputs.insert(question.id.clone(), input(question, &answer));
        given.push(answer);
    }
    Ok(Some(inputs))
}

/// Asks until the reply is understood. `None`: dismissed.
fn one(
    question: &Question,
    dto: &QuestionDto,
    may_be_blank: bool,
) -> anyhow::Result<Option<Answer>> {
    let hint = if may_be_blank {
        " (Enter leaves it blank, /skip dismisses all)"
    } else {
        " (/skip dismisses)"
    };
    loop {
        let line = prompt(&format!("Your answer{hint}: "), dto.secret)?;
        if line.trim().is_empty() && may_be_blank {
            return Ok(Some(Answer::blank()));
        }
        match match_reply(question, &line) {
            Reply::Answer(answer) => return Ok(Some(answer)),
            Reply::Dismiss => return Ok(None),
            Reply::Rejected(why) => say(&plain(&why)),
        }
    }
}

fn input(question: &Question, answer: &Answer) -> AnswerInput {
    AnswerInput {
        selected: answer
            .selected
            .iter()
            .filter_map(|&position| Some(question.options.get(position)?.id.clone()))
            .collect(),
        text: answer.text.clone(),
        notes: answer.notes.clone(),
        blank: answer.blank,
    }
}

fn prompt(text: &str, secret: bool) -> anyhow::Result<String> {
    let mut err = io::stderr().lock();
    err.write_all(text.as_bytes())?;
    err.flush()?;
    let hidden = if secret { Hidden::now() } else { None };
    let mut line = String::new();
    let read = io::stdin().read_line(&mut line)?;
    if hidden.is_some() {
        // The line break that wasn't echoed.
        err.write_all(b"\n")?;
    }
    if read == 0 {
        bail!("The input ended; nothing was answered.");
    }
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}

/// As long as it lives, the terminal doesn't show what is typed.
struct Hidden(Termios);

impl Hidden {
    fn now() -> Option<Self> {
        let before = tcgetattr(io::stdin()).ok()?;
        let mut hidden = before.clone();
        hidden.local_modes.remove(LocalModes::ECHO);
        tcsetattr(io::stdin(), OptionalActions::Flush, &hidden).ok()?;
        Some(Self(before))
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        let _ = tcsetattr(io::stdin(), OptionalActions::Flush, &self.0);
    }
}
