//! Between the domain and the DTOs: names of enumerations and conversions, one table each.

use askdock_domain::{
    AskContent, BatchKind, Condition, DefaultValue, EndKind, Format, OptionItem, Preview,
    PreviewKind, Problem, Question, QuestionKind, ResponderKind, Risk, text,
};
use serde_json::Value;

use crate::{
    BatchStatus, ConditionDto, DisplayTexts, OptionDto, PreviewDto, ProblemDto, QuestionDto,
    QuestionKindDto,
};

/// Pairs of a domain value and its wire name; one table for both directions.
macro_rules! names {
    ($to:ident, $from:ident, $type:ident { $($variant:ident = $name:literal),* $(,)? }) => {
        #[doc = concat!("The wire name of a `", stringify!($type), "`.")]
        pub fn $to(value: $type) -> &'static str {
            match value { $($type::$variant => $name),* }
        }
        #[doc = concat!("The `", stringify!($type), "` with this wire name.")]
        pub fn $from(name: &str) -> Option<$type> {
            match name { $($name => Some($type::$variant),)* _ => None }
        }
    };
}

names!(kind_name, kind_from_name, BatchKind {
    Questions = "questions", Permission = "permission", Confirm = "confirm", Url = "url",
});
names!(risk_name, risk_from_name, Risk { Normal = "normal", High = "high" });
names!(format_name, format_from_name, Format {
    Integer = "integer", Number = "number", Boolean = "boolean", Email = "email", Uri = "uri",
    Date = "date", DateTime = "date-time",
});
names!(preview_kind_name, preview_kind_from_name, PreviewKind {
    Markdown = "markdown", Code = "code", Diff = "diff",
});

/// The wire name of a `ResponderKind`.
pub fn responder_kind_name(value: ResponderKind) -> &'static str {
    match value {
        ResponderKind::User => "user",
        ResponderKind::ApiKey => "api_key",
        ResponderKind::Channel => "channel",
        ResponderKind::System => "system",
    }
}

impl From<EndKind> for BatchStatus {
    fn from(kind: EndKind) -> Self {
        match kind {
            EndKind::Answered => BatchStatus::Answered,
            EndKind::Dismissed => BatchStatus::Dismissed,
            EndKind::Expired => BatchStatus::Expired,
            EndKind::Cancelled => BatchStatus::Cancelled,
        }
    }
}

impl From<Problem> for ProblemDto {
    fn from(problem: Problem) -> Self {
        Self { code: problem.code.into(), path: problem.path, message: problem.message }
    }
}

impl From<&Question> for QuestionDto {
    fn from(q: &Question) -> Self {
        Self {
            id: q.id.clone(),
            id_given: q.id_given,
            header: q.header.clone(),
            short_header: text::short_header(q),
            question: q.question.clone(),
            description: q.description.clone(),
            kind: match q.kind {
                QuestionKind::Choice => QuestionKindDto::Choice,
                QuestionKind::Text => QuestionKindDto::Text,
            },
            options: q.options.iter().map(OptionDto::from).collect(),
            multi_select: q.multi_select,
            allow_custom: q.allow_custom,
            allow_notes: q.allow_notes,
            show_when: q.show_when.iter().map(ConditionDto::from).collect(),
            required: q.required,
            default: q.default.as_ref().map(default_json),
            placeholder: q.placeholder.clone(),
            secret: q.secret,
            min_selected: q.min_selected,
            max_selected: q.max_selected,
            format: q.format.map(|f| format_name(f).into()),
            min: q.min,
            max: q.max,
            min_length: q.min_length,
            max_length: q.max_length,
            pattern: q.pattern.clone(),
            display: display_texts(q),
        }
    }
}

/// Display forms, only where one differs from what was sent.
fn display_texts(q: &Question) -> Option<DisplayTexts> {
    let shown = DisplayTexts {
        header: q.header.as_deref().map(text::display),
        question: text::display(&q.question),
        description: q.description.as_deref().map(text::display),
        placeholder: q.placeholder.as_deref().map(text::display),
    };
    let same = shown.question == q.question
        && shown.header == q.header
        && shown.description == q.description
        && shown.placeholder == q.placeholder;
    (!same).then_some(shown)
}

impl From<&QuestionDto> for Question {
    fn from(q: &QuestionDto) -> Self {
        Self {
            id: q.id.clone(),
            id_given: q.id_given,
            header: q.header.clone(),
            question: q.question.clone(),
            description: q.description.clone(),
            kind: match q.kind {
                QuestionKindDto::Choice => QuestionKind::Choice,
                QuestionKindDto::Text => QuestionKind::Text,
            },
            options: q.options.iter().map(OptionItem::from).collect(),
            multi_select: q.multi_select,
            allow_custom: q.allow_custom,
            allow_notes: q.allow_notes,
            show_when: q.show_when.iter().map(Condition::from).collect(),
            required: q.required,
            default: q.default.as_ref().and_then(default_from_json),
            placeholder: q.placeholder.clone(),
            secret: q.secret,
            min_selected: q.min_selected,
            max_selected: q.max_selected,
            format: q.format.as_deref().and_then(format_from_name),
            min: q.min,
            max: q.max,
            min_length: q.min_length,
            max_length: q.max_length,
            pattern: q.pattern.clone(),
        }
    }
}

impl From<&OptionItem> for OptionDto {
    fn from(o: &OptionItem) -> Self {
        Self {
            id: o.id.clone(),
            label: o.label.clone(),
            display_label: text::display(text::strip_recommended(&o.label)),
            description: o.description.clone(),
            display_description: o
                .description
                .as_deref()
                .map(text::display)
                .filter(|shown| Some(shown) != o.description.as_ref()),
            value: o.value.as_deref().and_then(|json| serde_json::from_str(json).ok()),
            preview: o.preview.as_ref().map(|p| PreviewDto {
                kind: preview_kind_name(p.kind).into(),
                text: p.text.clone(),
            }),
            recommended: o.recommended,
        }
    }
}

impl From<&OptionDto> for OptionItem {
    fn from(o: &OptionDto) -> Self {
        Self {
            id: o.id.clone(),
            label: o.label.clone(),
            description: o.description.clone(),
            value: o.value.as_ref().map(Value::to_string),
            preview: o.preview.as_ref().map(|p| Preview {
                kind: preview_kind_from_name(&p.kind).unwrap_or_default(),
                text: p.text.clone(),
            }),
            recommended: o.recommended,
        }
    }
}

impl From<&Condition> for ConditionDto {
    fn from(c: &Condition) -> Self {
        Self { question: c.question.clone(), options: c.options.clone(), not: c.not }
    }
}

impl From<&ConditionDto> for Condition {
    fn from(c: &ConditionDto) -> Self {
        Self { question: c.question.clone(), options: c.options.clone(), not: c.not }
    }
}

fn default_json(default: &DefaultValue) -> Value {
    match default {
        DefaultValue::Text(text) => text.clone().into(),
        DefaultValue::Number(number) => (*number).into(),
        DefaultValue::Boolean(flag) => (*flag).into(),
        DefaultValue::Options(options) => options.clone().into(),
    }
}

fn default_from_json(json: &Value) -> Option<DefaultValue> {
    Some(match json {
        Value::String(text) => DefaultValue::Text(text.clone()),
        Value::Number(number) => DefaultValue::Number(number.as_f64()?),
        Value::Bool(flag) => DefaultValue::Boolean(*flag),
        Value::Array(items) => DefaultValue::Options(
            items.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<_>>()?,
        ),
        _ => return None,
    })
}

/// The content of a batch as stored: JSON in the wire's field names.
pub fn content_json(content: &AskContent) -> Value {
    serde_json::json!({
        "kind": kind_name(content.kind),
        "risk": risk_name(content.risk),
        "context": content.context,
        "message": content.message,
        "url": content.url,
        "questions": content.questions.iter().map(QuestionDto::from).collect::<Vec<_>>(),
    })
}

/// The inverse of [`content_json`]. `None`: not readable by this version.
pub fn content_from_json(json: &Value) -> Option<AskContent> {
    let text = |name: &str| json.get(name).and_then(Value::as_str).map(str::to_owned);
    let questions: Vec<QuestionDto> =
        serde_json::from_value(json.get("questions")?.clone()).ok()?;
    Some(AskContent {
        kind: kind_from_name(json.get("kind")?.as_str()?)?,
        risk: risk_from_name(json.get("risk")?.as_str()?)?,
        context: text("context"),
        message: text("message"),
        url: text("url"),
        questions: questions.iter().map(Question::from).collect(),
    })
}
