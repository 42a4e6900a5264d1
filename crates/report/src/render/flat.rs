//! An answer as flat tables, for CSV and JSON lines: each array of rows becomes a table, all other fields one table with one row.
//!
//! One field holds one value. Which fields a property becomes follows from its type, not from the rows: a pair of numbers is
//! `key_low` and `key_high`, a struct `key.name` for each of its fields, a list JSON in one field.

use serde_json::{Map, Value};

/// One table.
pub(super) struct FlatTable<'a> {
    /// The array's name; [`RECORD`] for what stands beside the arrays.
    pub name: &'a str,
    /// The fields, in order.
    pub fields: Vec<Field>,
    /// The rows.
    pub rows: Vec<&'a Map<String, Value>>,
}

/// The name of the one row that is not in an array.
pub(super) const RECORD: &str = "answer";

/// A field: its header, and where its value is.
pub(super) struct Field {
    pub header: String,
    key: String,
    part: Part,
}

enum Part {
    Whole,
    Item(usize),
    Name(String),
}

impl Field {
    /// Whether it is part of this property.
    pub fn is_of(&self, key: &str) -> bool {
        self.key == key
    }

    /// The value in a row; null where the row has none.
    pub fn get<'a>(&self, row: &'a Map<String, Value>) -> &'a Value {
        let found = row.get(&self.key).unwrap_or(&Value::Null);
        match &self.part {
            Part::Whole => found,
            Part::Item(place) => found.get(place).unwrap_or(&Value::Null),
            Part::Name(name) => found.get(name).unwrap_or(&Value::Null),
        }
    }
}

/// The tables of an answer.
pub(super) fn tables<'a>(answer: &'a Value, schema: &'a Value) -> Vec<FlatTable<'a>> {
    let Some(top) = answer.as_object() else { return Vec::new() };
    let types = Types { root: schema };
    let properties = types.properties(schema);
    let mut tables = Vec::new();
    let mut beside: Vec<&str> = Vec::new();
    for (key, value) in top {
        let kind = properties.and_then(|all| all.get(key)).map(|found| types.resolve(found));
        let items = kind.and_then(|kind| kind.get("items")).map(|items| types.resolve(items));
        let of_rows = items.is_some_and(|items| items.get("properties").is_some());
        match value.as_array().filter(|_| of_rows) {
            Some(rows) => {
                let rows: Vec<_> = rows.iter().filter_map(Value::as_object).collect();
                let fields = types.fields(items.unwrap_or(&Value::Null), &rows, None);
                tables.push(FlatTable { name: key, fields, rows });
            }
            None => beside.push(key),
        }
    }
    if !beside.is_empty() {
        tables.insert(
            0,
            FlatTable { name: RECORD, fields: types.fields(schema, &[top], Some(&beside)), rows: vec![top] },
        );
    }
    tables
}

/// A schema, and the definitions it refers to.
struct Types<'a> {
    root: &'a Value,
}

impl<'a> Types<'a> {
    fn properties(&self, schema: &'a Value) -> Option<&'a Map<String, Value>> {
        schema.get("properties").and_then(Value::as_object)
    }

    /// The schema itself: references followed, "or null" taken off.
    fn resolve(&self, schema: &'a Value) -> &'a Value {
        let referred =
            schema.get("$ref").and_then(Value::as_str).and_then(|path| self.root.pointer(path.strip_prefix('#')?));
        let choices = schema.get("anyOf").and_then(Value::as_array);
        let other =
            choices.and_then(|all| all.iter().find(|one| one.get("type").and_then(Value::as_str) != Some("null")));
        match referred.or(other) {
            Some(inner) => self.resolve(inner),
            None => schema,
        }
    }

    /// The fields of rows of this type: those that are always written, and those that some row has.
    fn fields(&self, schema: &'a Value, rows: &[&Map<String, Value>], only: Option<&[&str]>) -> Vec<Field> {
        let required = |schema: &Value, key: &str| {
            schema.get("required").and_then(Value::as_array).is_some_and(|all| all.iter().any(|one| one == key))
        };
        let mut fields = Vec::new();
        for (key, kind) in self.properties(schema).into_iter().flatten() {
            let seen = required(schema, key) || rows.iter().any(|row| row.contains_key(key));
            if !seen || only.is_some_and(|only| !only.contains(&key.as_str())) {
                continue;
            }
            let kind = self.resolve(kind);
            let field = |header: String, part: Part| Field { header, key: key.clone(), part };
            if kind.get("prefixItems").and_then(Value::as_array).is_some_and(|items| items.len() == 2) {
                fields.push(field(format!("{key}_low"), Part::Item(0)));
                fields.push(field(format!("{key}_high"), Part::Item(1)));
            } else if let Some(inner) = self.properties(kind) {
                for name in inner.keys() {
                    let within =
                        |row: &&Map<String, Value>| row.get(key).is_some_and(|found| found.get(name).is_some());
                    if required(kind, name) || rows.iter().any(within) {
                        fields.push(field(format!("{key}.{name}"), Part::Name(name.clone())));
                    }
                }
            } else {
                fields.push(field(key.clone(), Part::Whole));
            }
        }
        fields
    }
}
