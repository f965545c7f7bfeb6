//! One question.

use askdock_domain::{DefaultValue, Format, Question, QuestionKind};
use askdock_wire::names;
use serde_json::Value;

use super::fields::{Field, Fields, Found, enumerated, question};
use super::notes::Notes;
use super::options::{self, ReadOption};
use super::path::Path;
use super::{conditions, parts, scalar};
use crate::dialect::{Permission, Profile};

/// A question whose options still have their places and may lack an id.
#[derive(Debug)]
pub(crate) struct ReadQuestion {
    pub(crate) question: Question,
    pub(crate) options: Vec<ReadOption>,
    pub(crate) path: Path,
}

/// Reads what belongs to the question from `fields`; `position` is its own in the content.
pub(crate) fn read(
    fields: &mut Fields,
    position: usize,
    is_permission: bool,
    profile: Profile,
    notes: &mut Notes,
) -> ReadQuestion {
    let path = fields.path.clone();
    let place = format!("questions[{position}]");
    notes.place(place.clone(), &path);
    fields.replace(question::TEXT, parts::joined);
    gather_options(fields, notes);
    fields.mend_leaks(TEXTS, RECOVERABLE, notes);
    let mut reader = Reader { fields, place: &place, notes };

    let words = reader.words();
    let id = reader.text(question::ID, "id");
    let show_when = match reader.take(question::SHOW_WHEN, "show_when") {
        Some(found) => conditions::read(found, &format!("{place}.show_when"), reader.notes),
        None => vec![],
    };
    let sent_kind = reader.kind();
    let sent_options = match reader.take(question::OPTIONS, "options") {
        Some(found) => options::read(found, reader.notes),
        None => supplied(sent_kind, is_permission, &path),
    };
    let is_choice = !sent_options.is_empty();
    if !is_choice && matches!(sent_kind, Some(SentKind::Single | SentKind::Multi)) {
        let message = "There are no options; the answer is typed.";
        reader.notes.warn("no_options", &path, message);
    }
    let suggests = is_choice && sent_kind.is_some_and(SentKind::is_typed);
    if suggests {
        let message = "A question for text has options; they are offered beside a text field.";
        reader.notes.warn("options_for_text", &path, message);
    }
    let format = reader.format().or(sent_kind.and_then(SentKind::format));
    let (min, max) = (reader.number(question::MIN, "min"), reader.number(question::MAX, "max"));
    let mut min_selected = reader.count(question::MIN_SELECTED, "min_selected");
    let mut max_selected = reader.count(question::MAX_SELECTED, "max_selected");
    let flagged = reader.multi_flag();
    let counts_options = is_choice && format.is_none() && (min.is_some() || max.is_some());
    let (min, max) = if counts_options {
        let message = "min and max were read as numbers of selected options.";
        reader.notes.warn("min_max_read_as_counts", &path, message);
        min_selected = min_selected.or(min.and_then(scalar::whole));
        max_selected = max_selected.or(max.and_then(scalar::whole));
        (None, None)
    } else {
        (min, max)
    };
    let implied = is_choice && flagged.is_none() && max_selected.is_some_and(|most| most > 1);
    if implied {
        let message = "Several options may be selected, as max_selected says.";
        reader.notes.warn("multi_select_implied", &path, message);
    }
    let multi = flagged.unwrap_or(sent_kind == Some(SentKind::Multi) || implied);
    let asked_custom = reader.flag(question::CUSTOM, "allow_custom");
    let allow_custom = profile.custom.settle(asked_custom.or(is_permission.then_some(false)));
    let required = match reader.flag(question::REQUIRED, "required") {
        Some(required) => required,
        None => reader.flag(question::OPTIONAL, "required").is_some_and(|optional| !optional),
    };
    let secret = reader.flag(question::SECRET, "secret").unwrap_or(false);
    let question = Question {
        id_given: id.is_some(),
        id: id.unwrap_or_default(),
        header: words.header,
        question: words.text,
        description: words.description,
        kind: QuestionKind::Text,
        options: vec![],
        multi_select: multi && is_choice,
        allow_custom: allow_custom || suggests || !is_choice,
        // A typed answer has its own place for remarks, and a strict format none beside it.
        allow_notes: profile.notes.settle(reader.flag(question::NOTES, "allow_notes"))
            && (is_choice || profile.notes == Permission::Given),
        show_when,
        required,
        default: reader.default_value(&sent_options),
        placeholder: reader.text(question::PLACEHOLDER, "placeholder"),
        secret: secret || sent_kind == Some(SentKind::Secret),
        min_selected,
        max_selected,
        format,
        min,
        max,
        min_length: reader.count(question::MIN_LENGTH, "min_length"),
        max_length: reader.count(question::MAX_LENGTH, "max_length"),
        pattern: reader.text(question::PATTERN, "pattern"),
    };
    reader.fields.refuse(question::FORGED, reader.notes);
    ReadQuestion { question, options: sent_options, path }
}

/// Makes one list of `option_1`, `option_2` … where there is none.
fn gather_options(fields: &mut Fields, notes: &mut Notes) {
    if fields.has(question::OPTIONS) {
        return;
    }
    let is_one = |key: &str, value: &Value| {
        let is_label = value.is_string() || value.is_object() || value.is_number();
        is_label && enumerated(key).is_some_and(|(name, _)| question::OPTIONS.names(name))
    };
    let found = fields.take_several(is_one);
    let Some((_, first)) = found.first() else { return };
    let path = first.path.clone();
    notes.warn("numbered_fields", &path, "Numbered fields were read as the list of options.");
    let options = found.into_iter().map(|(_, found)| found.value).collect();
    fields.add(question::OPTIONS, options, path);
}

/// Texts at whose end markup leaks.
const TEXTS: &[Field] = &[question::TEXT, question::TITLE, question::HEADER, question::DESCRIPTION];

/// Fields that leaked markup may hold.
const RECOVERABLE: &[Field] = &[
    question::OPTIONS,
    question::HEADER,
    question::DESCRIPTION,
    question::MULTI,
    question::ID,
    question::KIND,
    question::CUSTOM,
    question::PLACEHOLDER,
];

/// Options that follow from the kind alone.
fn supplied(kind: Option<SentKind>, is_permission: bool, path: &Path) -> Vec<ReadOption> {
    let labels: &[&str] = match kind {
        Some(SentKind::YesNo) => &["Yes", "No"],
        _ if is_permission => &["Allow", "Deny"],
        _ => &[],
    };
    let option = |label: &&str| ReadOption {
        item: askdock_domain::OptionItem { label: (*label).to_owned(), ..Default::default() },
        path: path.clone(),
        label_path: path.clone(),
    };
    labels.iter().map(option).collect()
}

/// What a caller calls the kind of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SentKind {
    Single,
    Multi,
    YesNo,
    Text,
    Secret,
    Typed(Format),
}

impl SentKind {
    pub(super) fn named(name: &str) -> Option<Self> {
        let folded: String =
            name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        Some(match folded.as_str() {
            "single" | "singleselect" | "singlechoice" | "multiplechoice" | "choice"
            | "choices" | "radio" | "select" | "dropdown" | "list" | "enum" | "options" | "one"
            | "selectone" | "singleanswer" | "oneof" => Self::Single,
            "multi" | "multiselect" | "multiple" | "multichoice" | "multipleselect"
            | "checkbox" | "checkboxes" | "many" | "any" | "anyof" | "selectmultiple"
            | "selectmany" | "multiplechoices" | "multipleanswers" => Self::Multi,
            "yesno" | "yn" | "confirm" | "confirmation" | "boolean" | "bool" => Self::YesNo,
            "text" | "freetext" | "freeform" | "string" | "input" | "open" | "openended"
            | "str" | "textarea" | "longtext" | "shorttext" | "multiline" | "question" => {
                Self::Text
            }
            "secret" | "password" => Self::Secret,
            "url" => Self::Typed(Format::Uri),
            "float" | "double" | "decimal" => Self::Typed(Format::Number),
            "int" => Self::Typed(Format::Integer),
            "datetime" => Self::Typed(Format::DateTime),
            name => Self::Typed(names::format_from_name(name)?),
        })
    }

    fn is_typed(self) -> bool {
        matches!(self, Self::Text | Self::Secret | Self::Typed(_))
    }

    pub(super) fn format(self) -> Option<Format> {
        match self {
            Self::Typed(format) => Some(format),
            _ => None,
        }
    }
}

struct Words {
    text: String,
    header: Option<String>,
    description: Option<String>,
}

/// Takes one field after the other and remembers where each stood.
struct Reader<'a> {
    fields: &'a mut Fields,
    place: &'a str,
    notes: &'a mut Notes,
}

impl Reader<'_> {
    fn take(&mut self, field: Field, name: &str) -> Option<Found> {
        let found = self.fields.take(field, self.notes)?;
        self.notes.place(format!("{}.{name}", self.place), &found.path);
        Some(found)
    }

    fn text(&mut self, field: Field, name: &str) -> Option<String> {
        let found = self.take(field, name)?;
        scalar::text(found, self.notes)
    }

    fn flag(&mut self, field: Field, name: &str) -> Option<bool> {
        let found = self.take(field, name)?;
        scalar::flag_of(&found, self.notes)
    }

    /// Whether several may be selected; the flag may also name the kind of choice.
    fn multi_flag(&mut self) -> Option<bool> {
        let found = self.take(question::MULTI, "multi_select")?;
        match found.value.as_str().and_then(SentKind::named) {
            Some(SentKind::Multi) => Some(true),
            Some(SentKind::Single) => Some(false),
            _ => scalar::flag_of(&found, self.notes),
        }
    }

    fn number(&mut self, field: Field, name: &str) -> Option<f64> {
        let found = self.take(field, name)?;
        scalar::number_of(&found, self.notes)
    }

    fn count(&mut self, field: Field, name: &str) -> Option<u32> {
        let found = self.take(field, name)?;
        scalar::count_of(&found, self.notes)
    }

    /// The texts. A second name of the text is its description; without any, the title, the
    /// header or the description stands in.
    fn words(&mut self) -> Words {
        let mut texts = self.fields.take_all(question::TEXT).into_iter();
        let mut text = texts.next().and_then(|found| self.placed_text(found, "question"));
        let title = self.fields.take(question::TITLE, self.notes);
        let mut header = self.text(question::HEADER, "header");
        let mut description = self.text(question::DESCRIPTION, "description");
        let title = title.and_then(|found| {
            let field = if text.is_some() && header.is_none() { "header" } else { "question" };
            self.placed_text(found, field)
        });
        match title {
            Some(title) if text.is_none() => text = Some(title),
            Some(title) if header.is_none() => header = Some(title),
            Some(title) if description.is_none() => description = Some(title),
            _ => {}
        }
        for spare in texts {
            let path = spare.path.clone();
            if description.is_none() {
                let message = "The question stands elsewhere; this is shown as its description.";
                self.notes.warn("read_as_description", &path, message);
                description = self.placed_text(spare, "description");
            } else {
                let message = "The question stands elsewhere; this was ignored.";
                self.notes.warn("duplicate_field", &path, message);
            }
        }
        if text.is_none()
            && let Some(stand_in) = header.clone().or_else(|| description.take())
        {
            let message = "The question's text is missing; its header or description stands in.";
            self.notes.warn("text_missing", &self.fields.path, message);
            text = Some(stand_in);
        }
        Words { text: text.unwrap_or_default(), header, description }
    }

    fn placed_text(&mut self, found: Found, name: &str) -> Option<String> {
        self.notes.place(format!("{}.{name}", self.place), &found.path);
        scalar::text(found, self.notes)
    }

    fn kind(&mut self) -> Option<SentKind> {
        let found = self.take(question::KIND, "kind")?;
        let kind = found.value.as_str().and_then(SentKind::named);
        if kind.is_none() {
            let message = "This kind is not known and was ignored; send choice or text.";
            self.notes.warn("kind_not_understood", &found.path, message);
        }
        kind
    }

    fn format(&mut self) -> Option<Format> {
        let found = self.take(question::FORMAT, "format")?;
        let format = match found.value.as_str().and_then(SentKind::named) {
            Some(SentKind::Typed(format)) => Some(format),
            Some(SentKind::YesNo) => Some(Format::Boolean),
            _ => None,
        };
        if format.is_none() {
            let message = "This format is not known; it was ignored.";
            self.notes.warn("format_not_understood", &found.path, message);
        }
        format
    }

    /// The suggested start. One that names no option is dropped: it suggests nothing.
    fn default_value(&mut self, options: &[ReadOption]) -> Option<DefaultValue> {
        let found = self.take(question::DEFAULT, "default")?;
        let default = match found.value {
            Value::String(text) => Some(DefaultValue::Text(text)),
            Value::Bool(flag) => Some(DefaultValue::Boolean(flag)),
            Value::Number(number) => number.as_f64().map(DefaultValue::Number),
            Value::Array(items) => items
                .into_iter()
                .map(|item| match item {
                    Value::String(text) => Some(text),
                    Value::Number(_) | Value::Bool(_) => Some(item.to_string()),
                    _ => None,
                })
                .collect::<Option<_>>()
                .map(DefaultValue::Options),
            _ => None,
        };
        let is_option = |name: &str| {
            options.iter().any(|option| {
                let value = option.item.value.as_deref().map(serde_json::from_str::<Value>);
                let value = value.and_then(Result::ok);
                let value = value.as_ref().and_then(Value::as_str);
                [Some(option.item.label.as_str()), Some(&option.item.id), value]
                    .contains(&Some(name))
            })
        };
        let default = match default {
            // The usual way to suggest an answer to yes or no.
            Some(DefaultValue::Boolean(flag)) if is_option("Yes") && is_option("No") => {
                Some(DefaultValue::Text(if flag { "Yes" } else { "No" }.to_owned()))
            }
            other => other,
        };
        let fits = match &default {
            None => false,
            Some(DefaultValue::Text(name)) => options.is_empty() || is_option(name),
            Some(DefaultValue::Options(names)) => names.iter().all(|name| is_option(name)),
            // Numbers and flags name an option by its label.
            Some(DefaultValue::Number(number)) => {
                options.is_empty() || is_option(&number.to_string())
            }
            Some(DefaultValue::Boolean(flag)) => options.is_empty() || is_option(&flag.to_string()),
        };
        if !fits {
            let message = "This default names no option or can't be read; it was left out.";
            self.notes.warn("default_ignored", &found.path, message);
        }
        default.filter(|_| fits)
    }
}
