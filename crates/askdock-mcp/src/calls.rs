//! Reading a call: what says that it is the same call again, and which batch it names.

use rmcp::model::RequestMetaObject;
use serde_json::Value;

/// The call's own id, as far as the client gives one; the same key is the same call.
pub(crate) fn call_keys(meta: &RequestMetaObject) -> Vec<String> {
    // Codex counts its calls in each thread.
    let codex = text(meta, "callId").map(|call| {
        let thread = text(meta, "threadId").unwrap_or_default();
        format!("codex:{thread}:{call}")
    });
    let claude_code = text(meta, "claudecode/toolUseId").map(|call| format!("claude-code:{call}"));
    claude_code.into_iter().chain(codex).collect()
}

/// The conversation to which the call belongs, where the client says so.
pub(crate) fn conversation(meta: &RequestMetaObject) -> Option<String> {
    text(meta, "threadId").map(str::to_owned)
}

/// The batch that the arguments name, by whichever of its names.
pub(crate) fn batch(arguments: &Value) -> Option<String> {
    let named = match arguments {
        Value::Object(fields) => {
            ["batch", "id", "number", "batch_id"].into_iter().find_map(|name| fields.get(name))?
        }
        other => other,
    };
    match named {
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        _ => None,
    }
}

fn text<'a>(meta: &'a RequestMetaObject, field: &str) -> Option<&'a str> {
    meta.0.0.get(field).and_then(Value::as_str).filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn meta(json: Value) -> RequestMetaObject {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn clients_identify_their_calls_in_their_own_ways() {
        let keys = |json| call_keys(&meta(json));
        assert_eq!(keys(json!({"claudecode/toolUseId": "toolu_1"})), ["claude-code:toolu_1"]);
        assert_eq!(keys(json!({"callId": "c1", "threadId": "t1"})), ["codex:t1:c1"]);
        assert!(keys(json!({"progressToken": 3})).is_empty());
        assert!(keys(json!({"callId": "", "claudecode/toolUseId": 7})).is_empty());
    }

    #[test]
    fn the_thread_is_the_conversation() {
        assert_eq!(conversation(&meta(json!({"threadId": "t1"}))).as_deref(), Some("t1"));
        assert_eq!(conversation(&meta(json!({"callId": "c1"}))), None);
    }

    #[test]
    fn a_batch_has_several_names() {
        let check = |arguments: Value, expected: Option<&str>| {
            assert_eq!(batch(&arguments).as_deref(), expected, "{arguments}");
        };
        check(json!({"batch": "0199"}), Some("0199"));
        check(json!({"batch": 42}), Some("42"));
        check(json!({"number": " #42 "}), Some("#42"));
        check(json!({"id": "0199"}), Some("0199"));
        check(json!("#42"), Some("#42"));
        check(json!({"batch": ""}), None);
        check(json!({}), None);
        check(json!(null), None);
    }
}
