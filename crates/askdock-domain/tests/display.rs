//! The vectors of `tests/vectors` that say how texts of agents are shown. The page runs the same,
//! so that a name in it looks as in a notification or the terminal.

use std::error::Error;
use std::path::Path;

use askdock_domain::text::display;
use serde_json::Value;

type Tested = Result<(), Box<dyn Error>>;

fn vectors(name: &str) -> Result<Vec<Value>, Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors").join(name);
    Ok(serde_json::from_str(&std::fs::read_to_string(path)?)?)
}

#[test]
fn texts_are_shown_as_the_vectors_say() -> Tested {
    let vectors = vectors("display.json")?;
    assert!(vectors.len() >= 40, "vectors went missing: {}", vectors.len());
    for vector in &vectors {
        let text = vector["text"].as_str().ok_or("a vector without a text")?;
        let shown = vector["shown"].as_str().unwrap_or(text);
        assert_eq!(display(text), shown, "{}", vector["id"]);
    }
    Ok(())
}

#[test]
fn exactly_the_listed_characters_are_marked_between_letters() -> Tested {
    let mut marked: Vec<(u32, u32)> = Vec::new();
    for c in ('\0'..=char::MAX).filter(|&c| !matches!(c, '\u{2028}' | '\u{2029}')) {
        let text = format!("a{c}b");
        if display(&text) == text {
            continue;
        }
        let code = u32::from(c);
        match marked.last_mut() {
            Some((_, last)) if *last + 1 == code => *last = code,
            _ => marked.push((code, code)),
        }
    }
    let listed: Vec<(u32, u32)> = serde_json::from_value(Value::Array(vectors("hidden.json")?))?;
    assert_eq!(marked, listed);
    Ok(())
}
