//! JSON Schema of an answer as `-f json` writes it: the fields that every answer has, then those of its type.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use crate::answer::schema_of;
use crate::render::SCHEMA;

/// The fields that every answer has. Only its schema is used: the renderer writes them from the report.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "a description of what the renderer writes")]
struct Envelope {
    /// Name of the contract; changes when a field changes its meaning.
    schema: String,
    /// The command that made the answer.
    command: String,
    /// The version of karat that made it.
    version: String,
    /// What the numbers were computed from.
    provenance: Provenance,
    /// Warnings and assumptions.
    notes: Vec<String>,
}

/// What the numbers were computed from.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "a description of what the renderer writes")]
struct Provenance {
    /// The files read.
    inputs: Vec<ProvenanceInput>,
    /// The options in effect, defaults included.
    options: BTreeMap<String, ProvenanceOption>,
    /// The seed of everything random; null where nothing is.
    seed: Option<u64>,
}

/// A file that was read.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "a description of what the renderer writes")]
struct ProvenanceInput {
    /// Its name as given.
    path: String,
    /// Its size as stored.
    bytes: u64,
    /// The rows read from it.
    rows: u64,
    /// Its format, unless it is TREC's.
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<String>,
}

/// The value of an option.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "a description of what the renderer writes")]
enum ProvenanceOption {
    Text(String),
    Number(f64),
    Flag(bool),
    List(Vec<ProvenanceOption>),
}

/// The schema of a command whose answer is of this type.
pub fn answer_schema<T: JsonSchema>(command: &str) -> Value {
    let (mut envelope, mut answer) = (object(schema_of::<Envelope>()), object(schema_of::<T>()));
    let mut properties = take_object(&mut envelope, "properties");
    for (name, constant) in [("schema", SCHEMA), ("command", command)] {
        if let Some(field) = properties.get_mut(name).and_then(Value::as_object_mut) {
            field.insert("const".into(), constant.into());
        }
    }
    properties.append(&mut take_object(&mut answer, "properties"));
    let mut required = take_array(&mut envelope, "required");
    required.append(&mut take_array(&mut answer, "required"));
    let mut definitions = take_object(&mut envelope, "$defs");
    definitions.append(&mut take_object(&mut answer, "$defs"));
    let mut schema = object(json!({
        "$schema": answer.remove("$schema"),
        "title": format!("karat {command} -f json"),
        "description": answer.remove("description"),
        "type": "object",
        "properties": properties,
        "required": required,
    }));
    answer.remove("title");
    answer.remove("type");
    schema.append(&mut answer);
    schema.insert("$defs".into(), definitions.into());
    schema.retain(|_, value| !value.is_null());
    schema.into()
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

fn take_object(from: &mut Map<String, Value>, key: &str) -> Map<String, Value> {
    from.remove(key).map(object).unwrap_or_default()
}

fn take_array(from: &mut Map<String, Value>, key: &str) -> Vec<Value> {
    match from.remove(key) {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many there are.
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Count {
        /// The number.
        count: u64,
        rows: Option<Vec<Row>>,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Row {
        run: String,
    }

    #[test]
    fn the_common_fields_come_first_and_name_the_command() {
        let schema = answer_schema::<Count>("count things");
        let fields: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(fields, ["schema", "command", "version", "provenance", "notes", "count", "rows"]);
        assert_eq!(schema["properties"]["command"]["const"], "count things");
        assert_eq!(schema["properties"]["schema"]["const"], SCHEMA);
        assert_eq!(schema["properties"]["count"]["description"], "The number.");
        assert_eq!(schema["description"], "How many there are.");
        let required: Vec<&str> = schema["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert_eq!(required, ["schema", "command", "version", "provenance", "notes", "count", "rows"]);
        let definitions: Vec<&String> = schema["$defs"].as_object().unwrap().keys().collect();
        assert_eq!(definitions, ["Provenance", "ProvenanceInput", "ProvenanceOption", "Row"]);
    }
}
