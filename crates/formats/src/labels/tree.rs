//! JSON as a tree in which every value knows its line, for formats that nest.

use std::borrow::Cow;

use karat_data::LineProblem;
use karat_data::problem::quote;

use crate::records::cell::Cell;
use crate::records::json::{Fault, Json};
use crate::records::refusal::Refusal;

/// A value and its line.
#[derive(Debug, Clone)]
pub struct Node<'a> {
    /// Its line, from 1.
    pub line: u64,
    /// What it is.
    pub value: Value<'a>,
}

/// What a value is.
#[derive(Debug, Clone)]
pub enum Value<'a> {
    /// Text, a number, true, false or null.
    Plain(Cell<'a>),
    /// An object; no key comes twice.
    Object(Vec<(Cow<'a, [u8]>, Node<'a>)>),
    /// An array.
    Array(Vec<Node<'a>>),
}

/// How deep a file of labels may nest.
const DEEPEST: usize = 64;

/// All values of a file: one, or JSON objects one after another.
///
/// # Errors
/// It is not JSON.
pub fn values(bytes: &[u8]) -> Result<Vec<Node<'_>>, Refusal> {
    let mut json = Json::new(bytes).map_err(Fault::refusal)?;
    let mut all = Vec::new();
    while json.peek().is_some() {
        all.push(node(&mut json, 0).map_err(Fault::refusal)?);
    }
    if all.is_empty() {
        let remedy = "check that the file was written completely";
        return Err(Refusal::whole("an object or an array", "an empty file", remedy));
    }
    Ok(all)
}

/// The objects of a file: those of its one array, or one after another.
///
/// # Errors
/// It is not JSON.
pub fn objects(bytes: &[u8]) -> Result<Vec<Node<'_>>, Refusal> {
    let mut all = values(bytes)?;
    if let [Node { value: Value::Array(_), .. }] = all[..]
        && let Some(Node { value: Value::Array(items), .. }) = all.pop()
    {
        return Ok(items);
    }
    Ok(all)
}

/// The keys of the first object, as far as the text goes.
pub fn first_keys(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut keys = Vec::new();
    if let Ok(mut json) = Json::new(bytes) {
        json.take(b'[');
        let _ = json.object(|json, key| {
            keys.push(key.to_vec());
            json.cell().map(drop)
        });
    }
    keys
}

fn node<'a>(json: &mut Json<'a>, depth: usize) -> Result<Node<'a>, Fault> {
    if depth > DEEPEST {
        return Err(json.fault(
            format!("at most {DEEPEST} levels"),
            "a deeper one",
            "check that this is the right file",
        ));
    }
    let next = json.peek();
    let line = json.line();
    let value = match next {
        Some(b'{') => {
            let mut members: Vec<(Cow<'a, [u8]>, Node<'a>)> = Vec::new();
            json.object(|json, key| {
                if members.iter().any(|(known, _)| *known == key) {
                    let remedy = "remove one of the two; most readers silently keep the last";
                    return Err(json.fault("each key of an object once", format!("{} again", quote(&key)), remedy));
                }
                members.push((key, node(json, depth + 1)?));
                Ok(())
            })?;
            Value::Object(members)
        }
        Some(b'[') => {
            let mut items = Vec::new();
            json.array(|json| {
                items.push(node(json, depth + 1)?);
                Ok(())
            })?;
            Value::Array(items)
        }
        _ => Value::Plain(json.cell()?),
    };
    Ok(Node { line, value })
}

/// What is wrong with a value: its line, and the field by its name in the format.
pub type Wrong = (u64, LineProblem);

impl<'a> Node<'a> {
    /// The member of that name; `None` where it is not there, is null, or this is no object.
    pub fn get(&self, key: &str) -> Option<&Node<'a>> {
        let Value::Object(members) = &self.value else { return None };
        let found = members.iter().find(|(own, _)| &own[..] == key.as_bytes())?;
        (!matches!(found.1.value, Value::Plain(Cell::Missing))).then_some(&found.1)
    }

    /// The member of one of these names.
    pub fn any(&self, keys: &[&str]) -> Option<&Node<'a>> {
        keys.iter().find_map(|key| self.get(key))
    }

    /// The items of the array of that name; none where it is not there.
    ///
    /// # Errors
    /// It is no array.
    pub fn list(&self, key: &'static str) -> Result<&[Node<'a>], Wrong> {
        match self.get(key) {
            None => Ok(&[]),
            Some(Node { value: Value::Array(items), .. }) => Ok(items),
            Some(other) => Err(other.wrong(key, "an array")),
        }
    }

    /// The text or the number it is, as written.
    pub fn text(&self) -> Option<&[u8]> {
        match &self.value {
            Value::Plain(Cell::Text(text) | Cell::Number(text)) if !text.is_empty() => Some(text),
            _ => None,
        }
    }

    /// Whether it is true.
    pub fn is_true(&self) -> bool {
        matches!(self.value, Value::Plain(Cell::Other("true")))
    }

    /// Whether it is false.
    pub fn is_false(&self) -> bool {
        matches!(self.value, Value::Plain(Cell::Other("false")))
    }

    /// The number it is.
    pub fn number(&self) -> Option<f64> {
        match &self.value {
            Value::Plain(Cell::Number(text)) => fast_float2::parse::<f64, _>(text).ok().filter(|n| n.is_finite()),
            _ => None,
        }
    }

    /// The text of a member that must be there.
    ///
    /// # Errors
    /// It is not there, or is no text.
    pub fn needed(&self, key: &'static str) -> Result<&[u8], Wrong> {
        match self.get(key) {
            None => Err((self.line, LineProblem::new(key, "a value", "nothing", "fill it in, or remove the object"))),
            Some(node) => node.text().ok_or_else(|| node.wrong(key, "text or a number")),
        }
    }

    /// That this is not what it should be.
    pub fn wrong(&self, field: &'static str, expected: &str) -> Wrong {
        let found = match &self.value {
            Value::Object(_) => "an object".to_owned(),
            Value::Array(_) => "an array".to_owned(),
            Value::Plain(Cell::Missing) => "null".to_owned(),
            Value::Plain(Cell::Text(text)) => quote(text),
            Value::Plain(Cell::Number(text)) => String::from_utf8_lossy(text).into_owned(),
            Value::Plain(Cell::Other(word)) => (*word).to_owned(),
            Value::Plain(_) => "something else".to_owned(),
        };
        (
            self.line,
            LineProblem::new(field, expected, found, "write it as the tool does; check that this is the right file"),
        )
    }
}
