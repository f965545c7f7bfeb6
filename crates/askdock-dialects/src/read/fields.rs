//! The one table of field names and their aliases, and the reader that takes fields by it.

use askdock_domain::text;
use serde_json::{Map, Value};

use super::embedded::{Embedded, embedded};
use super::markup;
use super::notes::Notes;
use super::path::{Path, quoted};

/// A field: its names in order of preference, in lower case, letters and digits only. The first is
/// the field's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Field(pub(crate) &'static [&'static str]);

impl Field {
    /// Whether `key` is a name of the field.
    pub(crate) fn names(self, key: &str) -> bool {
        self.0.contains(&fold(key).as_str())
    }
}

/// Declares a scope's fields, and the list of them that the tests check for overlaps.
macro_rules! scope {
    ($(#[$doc:meta])* $scope:ident { $($field:ident: $($alias:literal)+;)+ }) => {
        $(#[$doc])*
        pub(crate) mod $scope {
            use super::Field;
            $(pub(crate) const $field: Field = Field(&[$($alias),+]);)+
            #[cfg(test)]
            pub(crate) const ALL: &[Field] = &[$($field),+];
        }
    };
}

scope! {
    /// Where the questions are, and what stands around them.
    envelope {
        QUESTIONS: "questions" "questionlist" "questionslist" "questionarray" "questionset"
            "clarifyingquestions";
        LISTS: "items" "item" "prompts" "asks" "forms" "form" "toolcalls" "queries"
            "clarifications" "decisions" "polls" "steps";
        WRAPPER: "input" "arguments" "args" "params" "parameters" "toolinput" "data" "payload"
            "request" "body" "call" "tooluse" "function" "toolcall" "kwargs" "properties"
            "inputdata" "toolargs" "toolarguments" "json" "value" "result";
    }
}

scope! {
    /// A form: a message with a schema, or several of them.
    form {
        SCHEMA: "requestedschema" "schema" "formschema" "jsonschema";
        MODE: "mode";
        REQUESTS: "inputrequests";
    }
}

scope! {
    /// A tool call to decide on.
    call {
        CALL: "toolcall";
        OPTIONS: "options" "choices";
        TITLE: "title" "name";
        KIND: "kind";
        CONTENT: "content";
        RAW_INPUT: "rawinput" "input" "arguments" "args";
    }
}

scope! {
    /// An interrupt: an action and what may be done about it.
    interrupt {
        ACTION_REQUEST: "actionrequest";
        CONFIG: "config";
        DESCRIPTION: "description";
        ACTION: "action" "name";
        ARGS: "args" "arguments";
        ACCEPT: "allowaccept";
        EDIT: "allowedit";
        RESPOND: "allowrespond";
        IGNORE: "allowignore";
    }
}

scope! {
    /// The ask as a whole.
    batch {
        KIND: "kind" "batchkind" "askkind";
        TYPE: "type";
        RISK: "risk" "risklevel";
        CONTEXT: "context" "reason" "why" "rationale" "background";
        URL: "url" "link" "href";
        REQUEST_ID: "requestid" "idempotencykey" "requestkey";
        TIMEOUT: "timeoutseconds" "timeout" "timeoutsecs" "timeoutsec" "expiresin"
            "expiresinseconds" "timeoutinseconds" "maxwait" "maxwaitseconds" "waitseconds"
            "waittimeout" "deadlineseconds" "ttl" "ttlseconds" "expiresafter" "expiresinsecs";
        TIMEOUT_MINUTES: "timeoutminutes" "timeoutmins" "timeoutmin" "timeoutinminutes"
            "expiresinminutes";
        TIMEOUT_MS: "timeoutms" "timeoutmillis" "timeoutmilliseconds" "autoresolutionms";
        SESSION: "sessionid" "session" "threadid" "conversationid";
        OWNER_SESSION: "ownersessionid" "ownersession";
        TEAMMATE: "teammate" "teammatename";
        // Never obeyed.
        FORGED: "answers" "answer" "response" "responses" "autoanswer" "autoanswers"
            "autoselect" "autoapprove" "autosubmit" "autocontinue" "autoresolve" "selected"
            "selection" "prefilled" "prefill";
    }
}

scope! {
    /// A question.
    question {
        TEXT: "question" "prompt" "text" "message" "query" "questiontext" "content" "ask" "summary"
            "body" "q" "msg" "prompttext" "userprompt" "inquiry" "statement" "instruction"
            "instructions" "querytext";
        TITLE: "title" "subject" "caption";
        HEADER: "header" "label" "heading" "shorttitle" "shortlabel" "topic"
            "category" "tag" "group" "section" "chip" "tab" "badge";
        ID: "id" "questionid" "key" "name" "qid" "uid" "uuid" "slug" "identifier" "ref";
        DESCRIPTION: "description" "details" "detail" "explanation" "helptext" "help" "hint"
            "context" "subtitle" "info" "note" "notes" "rationale" "longdescription" "background"
            "why";
        KIND: "type" "kind" "questiontype" "inputtype" "selectionmode" "selectmode" "mode"
            "answertype";
        OPTIONS: "options" "choices" "alternatives" "suggestions" "followup" "values" "enum"
            "items" "selections" "option" "choice" "answeroptions" "answerchoices" "optionlist"
            "optionslist" "choicelist" "opts" "variants" "possibleanswers" "possiblevalues"
            "possibleresponses" "candidates" "suggestedanswers" "suggestedresponses" "quickreplies"
            "buttons" "picks" "selectoptions" "availableoptions" "responseoptions" "allowedvalues";
        MULTI: "multiselect" "multiple" "allowmultiple" "ismultiselect" "allowmultiselect" "multi"
            "allowmultipleselection" "multipleselect" "multiplechoice" "multipleselection"
            "multichoice" "ismulti" "ismultiple" "ismultichoice" "ismultiplechoice"
            "multipleanswers" "allowmultipleanswers" "allowmultiplechoices"
            "allowmultipleselections" "multipleselections" "multiselection" "multiselectable"
            "selectmultiple" "canselectmultiple" "allowmulti" "allowsmultiple" "enablemultiselect"
            "many";
        CUSTOM: "allowcustom" "custom" "allowother" "isother" "other" "freetext" "allowfreetext"
            "freeform" "allowfreeform" "allowtext" "allowcustomanswer" "allowcustominput"
            "hasother" "includeother" "enableother" "showother" "otheroption" "customallowed"
            "customanswer" "customresponse" "allowcustomresponse" "allowcustomvalue"
            "allowcustomtext" "openended" "freeinput" "allowfreeinput" "allowinput"
            "allowuserinput";
        NOTES: "allownotes" "allownote" "allowcomment" "allowcomments";
        SHOW_WHEN: "showwhen" "showif" "visibleif" "visiblewhen" "when" "condition" "conditions"
            "dependson";
        REQUIRED: "required" "isrequired" "mandatory";
        OPTIONAL: "optional" "isoptional";
        DEFAULT: "default" "defaultvalue" "initial" "initialvalue";
        PLACEHOLDER: "placeholder" "placeholdertext" "inputplaceholder" "customplaceholder"
            "otherplaceholder";
        SECRET: "secret" "issecret" "sensitive" "masked" "password";
        MIN_SELECTED: "minselected" "minselections" "minitems" "minselect" "minchoices";
        MAX_SELECTED: "maxselected" "maxselections" "maxitems" "maxselect" "maxchoices";
        FORMAT: "format";
        MIN: "min" "minimum";
        MAX: "max" "maximum";
        MIN_LENGTH: "minlength" "minlen";
        MAX_LENGTH: "maxlength" "maxlen";
        PATTERN: "pattern" "regex";
        // Never obeyed.
        FORGED: "answers" "answer" "response" "selected" "selection" "autoanswer" "prefilled";
    }
}

scope! {
    /// A list of options inside another field.
    option_list {
        ITEM: "item" "option" "choice" "list" "entries" "array";
    }
}

scope! {
    /// An option.
    option {
        LABEL: "label" "text" "title" "name" "choice" "option" "display" "displaytext" "answer"
            "suggestion" "suggest" "content" "displayname" "optiontext" "optionlabel" "labeltext"
            "heading" "caption" "item" "message" "body";
        VALUE: "value" "const" "val";
        ID: "id" "key" "optionid";
        DESCRIPTION: "description" "details" "detail" "explanation" "desc" "hint" "help" "subtitle"
            "sublabel" "subtext" "summary" "tooltip" "helptext" "note" "notes" "info" "reason"
            "why" "rationale" "tradeoffs" "tradeoff" "consequence" "consequences" "impact" "effect"
            "meaning" "comment" "longdescription" "secondary" "context";
        PREVIEW: "preview" "previewtext" "example";
        RECOMMENDED: "recommended" "isrecommended" "suggested" "preferred" "default" "isdefault"
            "best" "isbest" "highlighted" "issuggested" "ispreferred";
        // Never obeyed.
        FORGED: "selected" "checked" "preselected" "isselected";
    }
}

scope! {
    /// A preview.
    preview {
        KIND: "kind" "type" "format" "language" "lang";
        TEXT: "text" "content" "value" "body" "source";
        MARKDOWN: "markdown" "md";
        CODE: "code";
        DIFF: "diff" "patch";
    }
}

scope! {
    /// A condition.
    condition {
        QUESTION: "question" "questionid" "id" "field" "key" "dependson";
        OPTIONS: "options" "option" "equals" "eq" "is" "in" "anyof" "value" "values" "answer"
            "answers" "selected";
        NOT: "not" "negate" "negated" "inverted";
    }
}

scope! {
    /// An entry of submitted answers.
    answer {
        KEY: "question" "questionid" "id" "key" "header";
        SELECTED: "selected" "selection" "selections" "options" "option" "labels" "label"
            "values" "value" "choices" "choice" "answer";
        TEXT: "text" "custom" "typed" "freetext" "other";
        NOTES: "notes" "note" "comment";
        BLANK: "blank" "leaveblank" "skipped";
    }
}

/// A value taken from the input, with its place.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) value: Value,
    pub(crate) path: Path,
}

/// The fields of one object, taken one after the other; what is left in the end is unknown.
#[derive(Debug)]
pub(crate) struct Fields {
    /// Where the object stands.
    pub(crate) path: Path,
    entries: Vec<Entry>,
    short: bool,
}

#[derive(Debug)]
struct Entry {
    key: String,
    /// The key without case and separators.
    folded: String,
    value: Value,
    path: Path,
    known: bool,
}

impl Entry {
    fn new(key: String, value: Value, path: Path) -> Self {
        let folded = fold(&key);
        Self { key, folded, value, path, known: false }
    }
}

impl Fields {
    pub(crate) fn new(object: Map<String, Value>, path: Path) -> Self {
        let entries = object
            .into_iter()
            .map(|(key, value)| {
                let path = path.field(&key);
                Entry::new(key, value, path)
            })
            .collect();
        Self { path, entries, short: false }
    }

    /// What stands at `path`, as the object that it is short for.
    pub(crate) fn short_for<const N: usize>(path: &Path, fields: [(Field, Value); N]) -> Self {
        let entry = |(field, value): (Field, Value)| {
            let key = field.0.first().copied().unwrap_or_default().to_owned();
            Entry::new(key, value, path.clone())
        };
        Self { path: path.clone(), entries: fields.map(entry).into(), short: true }
    }

    /// Whether something shorter was sent in its place.
    pub(crate) fn is_short(&self) -> bool {
        self.short
    }

    /// Whether `field` is there and no placeholder.
    pub(crate) fn has(&self, field: Field) -> bool {
        self.entries.iter().any(|entry| entry.is(field))
    }

    /// Whether `field` is there, be it as a placeholder.
    pub(crate) fn names(&self, field: Field) -> bool {
        self.entries.iter().any(|entry| field.0.contains(&entry.folded.as_str()))
    }

    /// The value of the preferred name of `field` that isn't a placeholder, left in place.
    pub(crate) fn peek(&self, field: Field) -> Option<&Value> {
        field.0.iter().find_map(|alias| {
            self.entries.iter().find(|e| e.folded == *alias && e.is(field)).map(|e| &e.value)
        })
    }

    /// Takes `field`; other names of it that say something else are ignored with a warning.
    pub(crate) fn take(&mut self, field: Field, notes: &mut Notes) -> Option<Found> {
        let mut found = self.take_all(field).into_iter();
        let first = found.next()?;
        for other in found.filter(|other| other.value != first.value) {
            let message = format!("{} says this already; it was ignored.", first.path);
            notes.warn("duplicate_field", &other.path, message);
        }
        Some(first)
    }

    /// Takes every name of `field`, the preferred first.
    pub(crate) fn take_all(&mut self, field: Field) -> Vec<Found> {
        let mut found = vec![];
        if self.entries.iter().all(|entry| entry.known) {
            return found;
        }
        for alias in field.0 {
            for entry in self.entries.iter_mut().filter(|e| !e.known && e.folded == *alias) {
                entry.known = true;
                if !is_placeholder(&entry.value) {
                    let value = std::mem::take(&mut entry.value);
                    found.push(Found { value, path: entry.path.clone() });
                }
            }
        }
        found
    }

    /// Passes over the fields with these folded names: they belong to the format.
    pub(crate) fn pass_over(&mut self, familiar: &[&str]) {
        for entry in self.entries.iter_mut().filter(|e| familiar.contains(&e.folded.as_str())) {
            entry.known = true;
        }
    }

    /// Replaces the values of `field` for which there is something better.
    pub(crate) fn replace(&mut self, field: Field, better: impl Fn(&Value) -> Option<Value>) {
        for entry in self.entries.iter_mut().filter(|entry| entry.is(field)) {
            if let Some(value) = better(&entry.value) {
                entry.value = value;
            }
        }
    }

    /// Takes what an agent says in the person's place, and doesn't obey it.
    pub(crate) fn refuse(&mut self, field: Field, notes: &mut Notes) {
        for forged in self.take_all(field) {
            let message = "Only the person answers; this was ignored.";
            notes.warn("answers_ignored", &forged.path, message);
        }
    }

    /// Takes every field whose key and value satisfy `is_meant`, if there are several.
    pub(crate) fn take_several(
        &mut self,
        is_meant: impl Fn(&str, &Value) -> bool,
    ) -> Vec<(String, Found)> {
        let meant = |entry: &&mut Entry| !entry.known && is_meant(&entry.key, &entry.value);
        if self.entries.iter_mut().filter(meant).count() < 2 {
            return vec![];
        }
        let taken = self.entries.iter_mut().filter(meant).map(|entry| {
            entry.known = true;
            let value = std::mem::take(&mut entry.value);
            (entry.key.clone(), Found { value, path: entry.path.clone() })
        });
        taken.collect()
    }

    /// Adds `field` with `value`, which stood at `path`.
    pub(crate) fn add(&mut self, field: Field, value: Value, path: Path) {
        self.add_named(field.0.first().copied().unwrap_or_default().to_owned(), value, path);
    }

    /// Adds the field that is called `name`.
    pub(crate) fn add_named(&mut self, name: String, value: Value, path: Path) {
        self.entries.push(Entry::new(name, value, path));
    }

    /// Whether a key and its value satisfy `is_meant`.
    pub(crate) fn any(&self, is_meant: impl Fn(&str, &Value) -> bool) -> bool {
        self.entries.iter().any(|entry| !entry.known && is_meant(&entry.key, &entry.value))
    }

    /// Moves those of `fields` to `other` that it doesn't have.
    pub(crate) fn lend(&mut self, fields: &[Field], other: &mut Fields) {
        let missing: Vec<Field> = fields.iter().copied().filter(|f| !other.has(*f)).collect();
        for field in missing {
            for entry in self.entries.iter_mut().filter(|entry| entry.is(field)) {
                entry.known = true;
                let value = std::mem::take(&mut entry.value);
                other.entries.push(Entry::new(entry.key.clone(), value, entry.path.clone()));
            }
        }
    }

    /// Takes the only field that says anything; `None`: there are several or none.
    pub(crate) fn take_only(&mut self) -> Option<Found> {
        let mut says = self.entries.iter_mut().filter(|e| !e.known && !is_placeholder(&e.value));
        let (only, another) = (says.next()?, says.next());
        if another.is_some() {
            return None;
        }
        only.known = true;
        Some(Found { value: std::mem::take(&mut only.value), path: only.path.clone() })
    }

    /// The fields as key and value, where every key is fit for a list or a name.
    pub(crate) fn into_pairs(self) -> Vec<(String, Found)> {
        self.entries
            .into_iter()
            .map(|entry| (entry.key, Found { value: entry.value, path: entry.path }))
            .collect()
    }

    /// The positions that the keys give, if all of them are numbers.
    pub(crate) fn is_numbered(&self) -> bool {
        !self.entries.is_empty() && self.entries.iter().all(|e| e.key.parse::<u32>().is_ok())
    }

    /// Whether every key and value satisfies `is_meant`.
    pub(crate) fn all(&self, is_meant: impl Fn(&str, &Value) -> bool) -> bool {
        let mut entries = self.entries.iter().filter(|entry| !entry.known).peekable();
        entries.peek().is_some() && entries.all(|entry| is_meant(&entry.key, &entry.value))
    }

    /// Joins the lines of `texts` and removes leaked markup from their ends. Parameters in it that name a missing field
    /// of `siblings` become that field.
    pub(crate) fn mend_leaks(&mut self, texts: &[Field], siblings: &[Field], notes: &mut Notes) {
        for position in 0..self.entries.len() {
            let entry = &mut self.entries[position];
            let is_text = texts.iter().any(|field| field.0.contains(&entry.folded.as_str()));
            if !is_text {
                continue;
            }
            if let Some(lines) = lines(&entry.value) {
                notes.warn(
                    "not_text",
                    &entry.path,
                    "This was a list; it was read as lines of text.",
                );
                entry.value = lines.into();
            }
            let Value::String(text) = &entry.value else { continue };
            let Some(leak) = markup::leak(text) else { continue };
            let path = entry.path.clone();
            entry.value = Value::String(leak.text);
            let mut recovered = false;
            for (name, value) in leak.parameters {
                recovered |= self.recover(name, value, &path, siblings, notes);
            }
            if recovered {
                let message = "Leaked tool-call markup was read as the fields that it named.";
                notes.warn("markup_recovered", &path, message);
            } else {
                let message = "Leaked tool-call markup at the end was removed.";
                notes.warn("markup_stripped", &path, message);
            }
        }
    }

    fn recover(
        &mut self,
        name: String,
        value: String,
        path: &Path,
        siblings: &[Field],
        notes: &mut Notes,
    ) -> bool {
        let folded = fold(&name);
        let Some(field) = siblings.iter().find(|field| field.0.contains(&folded.as_str())) else {
            return false;
        };
        if self.has(*field) {
            return false;
        }
        let value = match embedded(&value) {
            Embedded::Container(value) => value,
            Embedded::Text => Value::String(value),
            Embedded::Broken(reason) => {
                let message = format!(
                    "The markup at the end holds {} that is not valid JSON: {reason}. \
                    Send it as a field of its own.",
                    quoted(&name)
                );
                notes.problem("bad_json", path, message);
                return false;
            }
        };
        let place = self.path.field(&name);
        self.entries.push(Entry::new(name, value, place));
        true
    }

    /// Warns of every field that nobody took.
    pub(crate) fn finish(self, notes: &mut Notes) {
        for entry in self.entries {
            if !entry.known && !is_placeholder(&entry.value) {
                notes.warn(
                    "unknown_field",
                    &entry.path,
                    "This field is not known; it was ignored.",
                );
            }
        }
    }
}

impl Entry {
    fn is(&self, field: Field) -> bool {
        !self.known && field.0.contains(&self.folded.as_str()) && !is_placeholder(&self.value)
    }
}

/// Whether `value` stands for nothing: `null`, blank text, `[]`, `{}`.
pub(crate) fn is_placeholder(value: &Value) -> bool {
    match value {
        Value::Null => true,
        // The common case first: looking at every character's neighbours is slow.
        Value::String(text) => !text.bytes().any(|b| b.is_ascii_graphic()) && text::is_blank(text),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The texts of a list, one a line.
fn lines(value: &Value) -> Option<String> {
    let lines: Option<Vec<&str>> = value.as_array()?.iter().map(Value::as_str).collect();
    lines.filter(|lines| !lines.is_empty()).map(|lines| lines.join("\n"))
}

/// The name and the number or letter of a key such as `question_2`, `option1` or `choice_b`.
pub(crate) fn enumerated(key: &str) -> Option<(&str, &str)> {
    let digits = key.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    if digits < key.len() {
        return Some(key.split_at(digits)).filter(|(name, _)| !name.is_empty());
    }
    let (name, letter) = key.rsplit_once(['_', '-', ' '])?;
    let is_letter = letter.len() == 1 && letter.bytes().all(|b| b.is_ascii_alphabetic());
    (is_letter && !name.is_empty()).then_some((name, letter))
}

fn fold(key: &str) -> String {
    if key.is_ascii() {
        let kept = key.bytes().filter(u8::is_ascii_alphanumeric);
        return kept.map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    }
    key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_alias_means_one_field_of_its_scope() {
        let scopes = [
            envelope::ALL,
            form::ALL,
            call::ALL,
            interrupt::ALL,
            batch::ALL,
            question::ALL,
            option_list::ALL,
            option::ALL,
            preview::ALL,
            condition::ALL,
            answer::ALL,
        ];
        for scope in scopes {
            let aliases: Vec<&str> = scope.iter().flat_map(|field| field.0).copied().collect();
            for alias in &aliases {
                assert_eq!(fold(alias), *alias, "{alias} is not folded");
                assert_eq!(aliases.iter().filter(|other| *other == alias).count(), 1, "{alias}");
            }
        }
    }
}
