//! The OpenAPI document, made from the operation table.

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::ops::{self, Entry, Scope};
use crate::transport::EVENTS_PATH;
use crate::{ErrorBody, Event};

/// One operation with the shapes of what is sent and what comes back.
pub(crate) struct Described {
    pub(crate) entry: Entry,
    pub(crate) about: &'static str,
    pub(crate) request: Schema,
    pub(crate) response: Schema,
}

/// The whole document, in version 3.1.
pub fn openapi() -> Value {
    let settings = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut generator = settings.into_generator();
    let error = response(
        "The error; its status follows from its code.",
        &schema_of::<ErrorBody>(&mut generator),
    );
    let described = ops::described(&mut generator);
    let mut paths = BTreeMap::<&str, Map<String, Value>>::new();
    for one in &described {
        let operation = operation(one, generator.definitions(), &error);
        paths.entry(one.entry.path).or_default().insert(one.entry.method.to_lowercase(), operation);
    }
    let events = events(&schema_of::<Event>(&mut generator), &error);
    paths.entry(EVENTS_PATH).or_default().insert("get".into(), events);
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Askdock", "version": env!("CARGO_PKG_VERSION") },
        "servers": [{ "url": "http://localhost", "description": "The hub's Unix socket" }],
        "paths": paths,
        "components": {
            "schemas": generator.take_definitions(true),
            "securitySchemes": {
                "agent": bearer("agent.token of the data folder: asks, waits, withdraws its own"),
                "person": bearer("person.token of the data folder: may do everything"),
            },
        },
    })
}

fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().to_value()
}

fn bearer(about: &str) -> Value {
    json!({ "type": "http", "scheme": "bearer", "description": about })
}

fn response(about: &str, schema: &Value) -> Value {
    json!({ "description": about, "content": { "application/json": { "schema": schema } } })
}

fn operation(one: &Described, definitions: &Map<String, Value>, error: &Value) -> Value {
    let Entry { name, method, path, scope } = one.entry;
    let fields = fields(&one.request, definitions);
    let in_path = |field: &str| path.contains(&format!("{{{field}}}"));
    let in_query = matches!(method, "GET" | "DELETE");
    let parameters: Vec<Value> = fields
        .iter()
        .filter(|(field, _)| in_query || in_path(field))
        .map(|(field, schema)| {
            let place = if in_path(field) { "path" } else { "query" };
            json!({ "name": field, "in": place, "required": in_path(field), "schema": schema })
        })
        .collect();
    let mut responses = Map::new();
    responses.insert("200".into(), response("Done.", one.response.as_value()));
    match name {
        "batch.ask" => {
            responses.insert("201".into(), response("A new batch.", one.response.as_value()));
        }
        "batch.wait" => {
            responses.insert("204".into(), json!({ "description": "Still pending." }));
        }
        _ => {}
    }
    responses.insert("default".into(), error.clone());
    let mut operation = json!({
        "operationId": name,
        "summary": one.about.trim(),
        "parameters": parameters,
        "responses": responses,
        "security": security(scope),
    });
    if !in_query {
        let content = json!({ "application/json": { "schema": one.request } });
        operation["requestBody"] = json!({ "content": content });
    }
    operation
}

fn security(scope: Scope) -> Value {
    match scope {
        Scope::Open => json!([]),
        Scope::Agent => json!([{ "agent": [] }, { "person": [] }]),
        Scope::Person => json!([{ "person": [] }]),
    }
}

/// The fields of a request, which is an object or refers to one.
fn fields(schema: &Schema, definitions: &Map<String, Value>) -> Map<String, Value> {
    let referred = schema
        .as_value()
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| reference.rsplit('/').next())
        .and_then(|name| definitions.get(name));
    let properties = referred.unwrap_or(schema.as_value()).get("properties");
    properties.and_then(Value::as_object).cloned().unwrap_or_default()
}

fn events(event: &Value, error: &Value) -> Value {
    let content = json!({ "text/event-stream": { "schema": event } });
    json!({
        "operationId": "events",
        "summary": "Follows what happens: a snapshot, then numbered changes.",
        "parameters": [{
            "name": "after", "in": "query", "required": false,
            "description": "Go on after this event instead of from a snapshot.",
            "schema": { "type": "integer" },
        }],
        "responses": {
            "200": { "description": "Server-sent events.", "content": content },
            "default": error,
        },
        "security": security(Scope::Person),
    })
}
