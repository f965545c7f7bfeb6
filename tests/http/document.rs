//! `GET /v1/openapi.json`.

use anyhow::{Context, Result};
use askdock_tests::http::Caller;
use askdock_wire::ops::TABLE;
use serde_json::{Value, json};

use crate::Desk;

#[tokio::test]
async fn the_document_describes_every_operation_and_refers_to_nothing_unknown() -> Result<()> {
    let desk = Desk::open().await?;
    let line = "GET /v1/openapi.json";
    let document = Caller::nobody(&desk.home)?.call(line, Value::Null).await?.expect(200)?;
    assert_eq!(document["openapi"], "3.1.0");
    for entry in TABLE {
        let operation = &document["paths"][entry.path][entry.method.to_lowercase()];
        assert_eq!(operation["operationId"], entry.name);
        assert!(operation["summary"].as_str().is_some_and(|text| text.ends_with('.')), "{entry:?}");
    }
    let paths = document["paths"].as_object().context("paths")?;
    let described: usize =
        paths.values().map(|methods| methods.as_object().map_or(0, |own| own.len())).sum();
    assert_eq!(described, TABLE.len() + 1, "the operations and the events");
    let mut references = vec![];
    refer(&document, &mut references);
    assert!(references.len() > TABLE.len());
    for reference in references {
        let pointer = reference.strip_prefix('#').context("within the document")?;
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
    Ok(())
}

#[tokio::test]
async fn places_scopes_and_statuses_are_those_of_the_server() -> Result<()> {
    let desk = Desk::open().await?;
    let line = "GET /v1/openapi.json";
    let document = desk.agent.call(line, Value::Null).await?.expect(200)?;
    let paths = &document["paths"];
    let wait = &paths["/v1/batches/{id}/outcome"]["get"];
    let parameters = wait["parameters"].as_array().cloned().unwrap_or_default();
    let places: Vec<_> = parameters.iter().map(|one| (&one["name"], &one["in"])).collect();
    for (name, place) in [("id", "path"), ("wait", "query"), ("full", "query")] {
        assert!(places.contains(&(&json!(name), &json!(place))), "{name}: {places:?}");
    }
    let statuses = |operation: &Value| -> Vec<String> {
        operation["responses"].as_object().into_iter().flatten().map(|(s, _)| s.clone()).collect()
    };
    assert_eq!(statuses(wait), ["200", "204", "default"]);
    assert_eq!(statuses(&paths["/v1/batches"]["post"]), ["200", "201", "default"]);
    let answer = &paths["/v1/batches/{id}/answer"]["post"];
    assert_eq!(answer["security"], json!([{ "person": [] }]));
    assert_eq!(paths["/v1/health"]["get"]["security"], json!([]));
    assert!(answer["requestBody"]["content"]["application/json"]["schema"].is_object());
    // What the server really sends has the fields that the document requires.
    let batch = &document["components"]["schemas"]["BatchDto"];
    desk.asked(json!({})).await?;
    let sent = desk.person.call("GET /v1/batches/1", Value::Null).await?.expect(200)?;
    for field in batch["required"].as_array().context("required fields")? {
        assert!(sent.get(field.as_str().unwrap_or_default()).is_some(), "{field}");
    }
    for (field, _) in sent.as_object().into_iter().flatten() {
        assert!(batch["properties"].get(field).is_some(), "{field} is not described");
    }
    Ok(())
}

fn refer(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match (name.as_str(), value) {
                    ("$ref", Value::String(reference)) => found.push(reference.clone()),
                    _ => refer(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| refer(item, found)),
        _ => {}
    }
}
