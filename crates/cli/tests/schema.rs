//! JSON answers and their schemas: what `karat schema` prints is what docs/schema has, and every answer that a test or a page shows is valid.
//!
//! `KARAT_DOCS=write cargo test -p karat-cli --test all schema` writes docs/schema anew.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use jsonschema::Validator;
use serde_json::{Map, Value, json};

fn karat(arguments: &[&str]) -> (Option<i32>, String, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_karat")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (done.status.code(), text(done.stdout), text(done.stderr))
}

fn schemas() -> Map<String, Value> {
    let (status, out, _) = karat(&["schema"]);
    assert_eq!(status, Some(0));
    serde_json::from_str(&out).unwrap()
}

/// An answer, valid by the schema of its command where there is one. Tests read JSON with this.
pub fn parse(bytes: &[u8]) -> Value {
    let answer: Value = serde_json::from_slice(bytes).unwrap();
    let problems = problems(&answer);
    assert!(problems.is_empty(), "{} is not valid: {}", answer["command"], problems.join("\n"));
    answer
}

/// Where an answer does not agree with the schema of its command, or has a field that the schema does not know.
fn problems(answer: &Value) -> Vec<String> {
    static VALIDATORS: OnceLock<BTreeMap<String, Validator>> = OnceLock::new();
    let validators = VALIDATORS.get_or_init(|| {
        let strict =
            |(command, schema): (String, Value)| (command, jsonschema::validator_for(&closed(schema)).unwrap());
        schemas().into_iter().map(strict).collect()
    });
    let validator = answer["command"].as_str().and_then(|command| validators.get(command));
    let errors = validator.into_iter().flat_map(|validator| validator.iter_errors(answer));
    errors.map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// The schema without room for fields that it does not name.
fn closed(mut schema: Value) -> Value {
    let mut parts = BTreeSet::new();
    parts_of_objects(&schema, &mut parts);
    close(&mut schema, true, &parts);
    schema
}

/// Keywords whose schemas describe the same value.
const IN_PLACE: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// The definitions that are a part of an object with further fields.
fn parts_of_objects(schema: &Value, found: &mut BTreeSet<String>) {
    if schema.get("properties").is_some() {
        let parts = IN_PLACE.iter().filter_map(|keyword| schema.get(keyword)?.as_array()).flatten();
        found.extend(
            parts.filter_map(|part| Some(part.get("$ref")?.as_str()?.trim_start_matches("#/$defs/").to_owned())),
        );
    }
    match schema {
        Value::Object(fields) => fields.values().for_each(|field| parts_of_objects(field, found)),
        Value::Array(items) => items.iter().for_each(|item| parts_of_objects(item, found)),
        _ => {}
    }
}

fn close(schema: &mut Value, whole: bool, parts: &BTreeSet<String>) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| close(item, whole, parts)),
        Value::Object(fields) => {
            let object = fields.contains_key("properties");
            for (name, field) in fields.iter_mut() {
                match name.as_str() {
                    "$defs" => {
                        let Some(definitions) = field.as_object_mut() else { continue };
                        definitions.iter_mut().for_each(|(name, one)| close(one, !parts.contains(name), parts));
                    }
                    "properties" => {
                        let Some(properties) = field.as_object_mut() else { continue };
                        properties.values_mut().for_each(|one| close(one, true, parts));
                    }
                    name if IN_PLACE.contains(&name) => close(field, whole && !object, parts),
                    _ => close(field, true, parts),
                }
            }
            if whole && object {
                fields.insert("unevaluatedProperties".into(), json!(false));
            }
        }
        _ => {}
    }
}

#[test]
fn the_pages_of_schemas_are_what_karat_prints() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
    let pages: BTreeMap<PathBuf, String> = schemas()
        .iter()
        .map(|(command, schema)| (folder.join(format!("{}.json", command.replace(' ', "-"))), format!("{schema:#}\n")))
        .collect();
    if std::env::var("KARAT_DOCS").is_ok_and(|value| value == "write") {
        fs::create_dir_all(&folder).unwrap();
        pages.iter().for_each(|(path, text)| fs::write(path, text).unwrap());
    }
    let there: BTreeSet<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let stale: Vec<String> = there
        .iter()
        .chain(pages.keys())
        .filter(|path| pages.get(*path).is_none_or(|text| fs::read_to_string(path).ok().as_ref() != Some(text)))
        .map(|path| path.display().to_string())
        .collect();
    assert!(
        stale.is_empty(),
        "stale or left over; run `KARAT_DOCS=write cargo test -p karat-cli --test all schema`:\n{}",
        stale.join("\n")
    );
}

#[test]
fn one_command_is_asked_for_by_its_words() {
    let all = schemas();
    assert!(all.len() > 20);
    for (command, schema) in &all {
        let words: Vec<&str> = ["schema"].into_iter().chain(command.split(' ')).collect();
        let (status, out, _) = karat(&words);
        assert_eq!((status, &serde_json::from_str::<Value>(&out).unwrap()), (Some(0), schema));
        assert!(jsonschema::meta::is_valid(schema), "{command}");
        assert_eq!(schema["properties"]["command"]["const"], command.as_str());
    }
    let (status, _, said) = karat(&["schema", "evil"]);
    assert_eq!(status, Some(2));
    assert!(said.contains("no schema for 'evil'\nhelp: choose one of ab, "), "{said}");
}

#[test]
fn fields_are_described() {
    for (command, schema) in schemas() {
        let definitions = schema["$defs"].as_object().unwrap().values();
        for one in definitions.chain([&schema]) {
            for (name, field) in one["properties"].as_object().into_iter().flatten() {
                assert!(field.get("description").is_some(), "{command}: {name} of {}", one["description"]);
            }
        }
    }
}

#[test]
fn a_wrong_answer_is_not_valid() {
    let (_, out, _) = karat(&["published", "depth", "--p", "0.8", "--precision", "1e-4", "-f", "json"]);
    let answer = parse(out.as_bytes());
    for (field, value) in [("depth", json!("many")), ("notes", Value::Null), ("unknown", json!(1))] {
        let mut wrong = answer.clone();
        wrong[field] = value;
        assert_eq!(problems(&wrong).len(), 1, "{field}");
    }
    let mut wrong = answer;
    wrong.as_object_mut().unwrap().remove("provenance");
    assert_eq!(problems(&wrong), [": \"provenance\" is a required property"]);
}
