//! The content hash: what was asked, in 64 hex digits.

use askdock_domain::{
    AskContent, Condition, DefaultValue, OptionItem, Preview, Question, QuestionKind,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::names::{format_name, kind_name, preview_kind_name, risk_name};

/// Names the form that is hashed. Hashes are stored: a change of the form is a new one.
const FORM: &str = "askdock-content-1\n";

/// SHA-256 over everything the caller sent to be shown. What is drawn follows from that and may
/// be drawn otherwise by another version: display texts don't count.
pub fn content_hash(content: &AskContent) -> String {
    let digest = Sha256::new().chain_update(FORM).chain_update(hashed(content).to_string());
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

// Taken apart without `..`: a new field has to be hashed too.

fn hashed(content: &AskContent) -> Value {
    let AskContent { kind, risk, context, questions, message, url } = content;
    json!({
        "kind": kind_name(*kind),
        "risk": risk_name(*risk),
        "context": context,
        "message": message,
        "url": url,
        "questions": questions.iter().map(question_hashed).collect::<Vec<_>>(),
    })
}

fn question_hashed(question: &Question) -> Value {
    let Question {
        id,
        id_given,
        header,
        question: text,
        description,
        kind,
        options,
        multi_select,
        allow_custom,
        allow_notes,
        show_when,
        required,
        default,
        placeholder,
        secret,
        min_selected,
        max_selected,
        format,
        min,
        max,
        min_length,
        max_length,
        pattern,
    } = question;
    let kind = match kind {
        QuestionKind::Choice => "choice",
        QuestionKind::Text => "text",
    };
    let default = default.as_ref().map(|default| match default {
        DefaultValue::Text(text) => json!(text),
        DefaultValue::Number(number) => json!(number),
        DefaultValue::Boolean(flag) => json!(flag),
        DefaultValue::Options(options) => json!(options),
    });
    json!({
        "id": id,
        "id_given": id_given,
        "header": header,
        "question": text,
        "description": description,
        "kind": kind,
        "options": options.iter().map(option_hashed).collect::<Vec<_>>(),
        "multi_select": multi_select,
        "allow_custom": allow_custom,
        "allow_notes": allow_notes,
        "show_when": show_when.iter().map(condition_hashed).collect::<Vec<_>>(),
        "required": required,
        "default": default,
        "placeholder": placeholder,
        "secret": secret,
        "min_selected": min_selected,
        "max_selected": max_selected,
        "format": format.map(format_name),
        "min": min,
        "max": max,
        "min_length": min_length,
        "max_length": max_length,
        "pattern": pattern,
    })
}

fn option_hashed(option: &OptionItem) -> Value {
    let OptionItem { id, label, description, value, preview, recommended } = option;
    let preview = preview
        .as_ref()
        .map(|Preview { kind, text }| json!({ "kind": preview_kind_name(*kind), "text": text }));
    json!({
        "id": id,
        "label": label,
        "description": description,
        "value": value,
        "preview": preview,
        "recommended": recommended,
    })
}

fn condition_hashed(condition: &Condition) -> Value {
    let Condition { question, options, not } = condition;
    json!({ "question": question, "options": options, "not": not })
}

#[cfg(test)]
mod tests {
    use askdock_domain::{BatchKind, Format, PreviewKind, Risk};

    use super::*;

    fn content() -> AskContent {
        let option = OptionItem {
            id: "pg".into(),
            label: "Postgres (Recommended)".into(),
            description: Some("A\u{202e}B".into()),
            value: Some("{\"b\":1,\"a\":[1.50]}".into()),
            preview: Some(Preview { kind: PreviewKind::Diff, text: "-a\n+b".into() }),
            recommended: true,
        };
        let choice = Question {
            id: "db".into(),
            id_given: true,
            header: Some("The database of the service".into()),
            question: "Which?".into(),
            kind: QuestionKind::Choice,
            options: vec![option],
            multi_select: true,
            allow_custom: true,
            default: Some(DefaultValue::Options(vec!["pg".into()])),
            min_selected: Some(1),
            max_selected: Some(2),
            ..Question::default()
        };
        let port = Question {
            id: "q2".into(),
            question: "Port?".into(),
            show_when: vec![Condition {
                question: "db".into(),
                options: vec!["pg".into()],
                not: true,
            }],
            default: Some(DefaultValue::Number(5432.0)),
            format: Some(Format::Integer),
            min: Some(0.5),
            max: Some(65535.0),
            ..Question::default()
        };
        AskContent {
            kind: BatchKind::Questions,
            risk: Risk::High,
            context: Some("Why".into()),
            questions: vec![choice, port],
            message: None,
            url: None,
        }
    }

    /// Stored hashes and those that callers keep must stay the same.
    #[test]
    fn the_hash_of_a_content_never_changes() {
        let expect = concat!(
            r#"{"kind":"questions","risk":"high","context":"Why","message":null,"url":null,"#,
            r#""questions":[{"id":"db","id_given":true,"header":"The database of the service","#,
            r#""question":"Which?","description":null,"kind":"choice","options":[{"id":"pg","#,
            r#""label":"Postgres (Recommended)","description":"A"#,
            "\u{202e}",
            r#"B","#,
            r#""value":"{\"b\":1,\"a\":[1.50]}","preview":{"kind":"diff","text":"-a\n+b"},"#,
            r#""recommended":true}],"multi_select":true,"allow_custom":true,"allow_notes":false,"#,
            r#""show_when":[],"required":false,"default":["pg"],"placeholder":null,"#,
            r#""secret":false,"min_selected":1,"max_selected":2,"format":null,"min":null,"#,
            r#""max":null,"min_length":null,"max_length":null,"pattern":null},"#,
            r#"{"id":"q2","id_given":false,"header":null,"question":"Port?","description":null,"#,
            r#""kind":"text","options":[],"multi_select":false,"allow_custom":false,"#,
            r#""allow_notes":false,"show_when":[{"question":"db","options":["pg"],"not":true}],"#,
            r#""required":false,"default":5432.0,"placeholder":null,"secret":false,"#,
            r#""min_selected":null,"max_selected":null,"format":"integer","min":0.5,"#,
            r#""max":65535.0,"min_length":null,"max_length":null,"pattern":null}]}"#,
        );
        assert_eq!(hashed(&content()).to_string(), expect);
        assert_eq!(
            content_hash(&content()),
            "52861c85cc0172a001a0219ed488fbf7593c8a141e244c8edbaa26d364668fbc"
        );
    }
}
