//! Texts of topics and documents.
//!
//! Topics come as TREC's SGML (`<top>`), as lines of a name and a text with a tab between, as CSV or TSV with a header, or as JSON objects;
//! documents the same without SGML ([`corpus`]). The one decision: the first text of a name counts.

pub mod corpus;

use std::borrow::Cow;
use std::collections::HashMap;

use karat_data::problem::quote;
use karat_data::{LineProblem, Problem, Problems};

use crate::Input;
use crate::records::Refusal;
use crate::records::cell::Cell;
use crate::records::delimited::{Lines, likely, wrong_count};
use crate::records::json::{Fault, Json};
use crate::records::source;

/// Names and texts.
pub type Texts = HashMap<Vec<u8>, String>;

/// Keys under which objects carry a document's name.
const DOCUMENT_KEYS: [&str; 7] = ["docno", "_id", "doc_id", "docid", "document_id", "id", "pid"];
/// Keys under which objects carry a topic's name.
const TOPIC_KEYS: [&str; 8] = ["qid", "_id", "query_id", "topic", "topic_id", "number", "num", "id"];
/// Keys under which objects carry texts, the best first.
const TEXT_KEYS: [&str; 8] = ["title", "text", "contents", "body", "passage", "query", "question", "description"];

/// The texts of topics.
///
/// # Errors
/// Everything wrong with the file.
pub fn topics(input: &Input) -> Result<(Texts, u64, u64), Problems> {
    let bytes = source::bytes(input, true)?;
    let content = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes).trim_ascii_start();
    let read = match content.first() {
        Some(b'{' | b'[') => {
            let mut texts = Texts::new();
            let read = objects(content, &mut |name, text| {
                texts.entry(name.to_vec()).or_insert_with(|| cut(text, 1000));
            });
            read.map(|_| texts)
        }
        _ if contains(content, b"<top") => Ok(sgml(content)),
        _ if has_header(content) => delimited(content),
        _ => lines(content),
    };
    let texts = read.map_err(|refusal| refusal.problems(input.name()))?;
    if texts.is_empty() {
        return Err(Problem::of_file(
            input.name(),
            "topics with their texts (<top> with <num> and <title>, or lines of name, tab and text, or CSV, or JSON)",
            if bytes.is_empty() { "an empty file" } else { "no topic that has a name and a text" },
            "check that this is the file of the topics, and that it is whole",
        )
        .into());
    }
    let rows = texts.len() as u64;
    Ok((texts, bytes.len() as u64, rows))
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part))
}

fn cut(text: &str, longest: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= longest {
        return text;
    }
    text.chars().take(longest).chain(['…']).collect()
}

/// Objects one after another or in an array; those without a name are refused.
fn objects(bytes: &[u8], take: &mut dyn FnMut(&[u8], &str)) -> Result<(), Refusal> {
    let mut json = Json::new(bytes).map_err(Fault::refusal)?;
    let mut refusal = Refusal::default();
    json.each(|json| {
        json.peek();
        let line = json.line();
        let found = object(json, &TOPIC_KEYS)?;
        match &found.name {
            Some(name) => take(name, &found.text()),
            None => refusal.push(line, nameless(&TOPIC_KEYS)),
        }
        Ok(())
    })
    .map_err(Fault::refusal)?;
    if refusal.is_empty() { Ok(()) } else { Err(refusal) }
}

/// That an object has none of the keys of a name.
fn nameless(keys: &[&str]) -> LineProblem {
    let expected = format!("one of the keys {}", keys.join(", "));
    LineProblem::new("name", expected, "none of them", "give every object a name")
}

/// A name, where there is one, and texts, each with the place of its key among [`TEXT_KEYS`].
struct Object<'a> {
    name: Option<Cow<'a, [u8]>>,
    texts: Vec<(usize, Cow<'a, [u8]>)>,
}

impl Object<'_> {
    fn text(&self) -> String {
        let texts: Vec<_> = self.texts.iter().map(|(_, text)| String::from_utf8_lossy(text)).collect();
        texts.join(" · ")
    }
}

/// The place of a key among others; behind them where it is none.
fn place_among(key: &str, keys: &[&str]) -> usize {
    keys.iter().position(|known| key.eq_ignore_ascii_case(known)).unwrap_or(keys.len())
}

/// An object: its name, by the first of the keys that it has, and its texts.
fn object<'a>(json: &mut Json<'a>, keys: &[&str]) -> Result<Object<'a>, Fault> {
    let (mut keys_found, mut values) = (Vec::new(), Vec::new());
    json.object(|json, key| {
        if let Cell::Text(value) | Cell::Number(value) = json.cell()? {
            keys_found.push(key);
            values.push(value);
        }
        Ok(())
    })?;
    let names: Vec<&[u8]> = keys_found.iter().map(|key| &key[..]).collect();
    let (name, texts) = name_and_texts(&names, keys);
    let value = |at: usize| values[at].clone();
    Ok(Object { name: name.map(value), texts: texts.into_iter().map(|(at, key)| (key, value(at))).collect() })
}

/// Which of these keys is the name, by the first of the keys of names, and which are texts: their places and those among [`TEXT_KEYS`], in
/// whose order they come.
fn name_and_texts(names: &[&[u8]], keys: &[&str]) -> (Option<usize>, Vec<(usize, usize)>) {
    let place = |name: &[u8], keys: &[&str]| keys.iter().position(|key| name.eq_ignore_ascii_case(key.as_bytes()));
    let ranked = names.iter().enumerate().filter_map(|(at, name)| Some((place(name, keys)?, at)));
    let name = ranked.min().map(|(_, at)| at);
    let others = names.iter().enumerate().filter(|(at, _)| Some(*at) != name);
    let mut texts: Vec<(usize, usize)> = others.filter_map(|(at, own)| Some((at, place(own, &TEXT_KEYS)?))).collect();
    texts.sort_by_key(|(_, key)| *key);
    (name, texts)
}

/// The column of the name and those of texts; `None` where a header has not both.
fn columns(header: &[Cow<'_, [u8]>], keys: &[&str]) -> Option<(usize, Vec<(usize, usize)>)> {
    let names: Vec<&[u8]> = header.iter().map(|name| &name[..]).collect();
    let (name, texts) = name_and_texts(&names, keys);
    name.filter(|_| !texts.is_empty()).map(|name| (name, texts))
}

fn has_header(bytes: &[u8]) -> bool {
    let first = Lines::new(bytes, likely(bytes)).next().and_then(Result::ok);
    first.is_some_and(|line| columns(&line.fields, &TOPIC_KEYS).is_some())
}

/// CSV or TSV with a header.
fn delimited(bytes: &[u8]) -> Result<Texts, Refusal> {
    let (mut texts, mut refusal) = (Texts::new(), Refusal::default());
    let mut lines = Lines::new(bytes, likely(bytes));
    let header = lines.next().and_then(Result::ok).map(|line| line.fields).unwrap_or_default();
    let Some((name, parts)) = columns(&header, &TOPIC_KEYS) else { return Ok(texts) };
    for line in lines {
        match line {
            Ok(line) if line.fields.len() == header.len() => {
                let parts: Vec<_> = parts.iter().map(|(at, _)| String::from_utf8_lossy(&line.fields[*at])).collect();
                texts.entry(line.fields[name].to_vec()).or_insert_with(|| cut(&parts.join(" · "), 1000));
            }
            Ok(line) => refusal.push(line.line, wrong_count(&line, header.len())),
            Err((line, problem)) => {
                refusal.push(line, problem);
                break;
            }
        }
    }
    if refusal.is_empty() { Ok(texts) } else { Err(refusal) }
}

/// A name, a tab, a text.
fn lines(bytes: &[u8]) -> Result<Texts, Refusal> {
    let (mut texts, mut refusal) = (Texts::new(), Refusal::default());
    for (line, content) in (1u64..).zip(bytes.split(|&byte| byte == b'\n')) {
        let content = content.trim_ascii_end();
        if content.is_empty() {
            continue;
        }
        match content.iter().position(|&byte| byte == b'\t') {
            Some(tab) => {
                let text = String::from_utf8_lossy(&content[tab + 1..]);
                texts.entry(content[..tab].trim_ascii().to_vec()).or_insert_with(|| cut(&text, 1000));
            }
            None => {
                let remedy =
                    "write a topic's name, a tab and its text on each line, or give TREC's topics (<top>) or JSON";
                let found = quote(&content[..content.len().min(40)]);
                refusal.push(line, LineProblem::new("tab", "a name and a text with a tab between", found, remedy));
            }
        }
    }
    if refusal.is_empty() { Ok(texts) } else { Err(refusal) }
}

/// TREC's topics: what follows `<num>` (and "Number:") names one, what follows `<title>` (and "Topic:") is its text; tags need no end. The
/// number may also be an attribute, as in `<topic number="1">`, with the text in `<query>` or `<title>`.
fn sgml(bytes: &[u8]) -> Texts {
    let text = String::from_utf8_lossy(bytes);
    let mut texts = Texts::new();
    let mut name: Option<String> = None;
    for piece in text.split('<').skip(1) {
        let Some((tag, content)) = piece.split_once('>') else { continue };
        let content = content.trim();
        let (word, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        match word.to_ascii_lowercase().as_str() {
            "num" => name = Some(without(content, "Number:").to_owned()),
            "top" | "topic" => name = attribute(attributes, "number"),
            "title" | "query" => {
                if let Some(name) = name.as_ref().filter(|name| !name.is_empty())
                    && !content.is_empty()
                {
                    let words = cut(without(content, "Topic:"), 1000);
                    texts.entry(name.clone().into_bytes()).or_insert(words);
                }
            }
            _ => {}
        }
    }
    texts
}

fn without<'t>(text: &'t str, word: &str) -> &'t str {
    let starts = text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    if starts { text[word.len()..].trim() } else { text }
}

fn attribute(attributes: &str, name: &str) -> Option<String> {
    let (_, rest) = attributes.split_once(name)?;
    let quoted = rest.trim_start().strip_prefix('=')?.trim_start();
    let mark = quoted.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    quoted[1..].split(mark).next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topic(bytes: &'static [u8], name: &str) -> Option<String> {
        topics(&Input::bytes("t", bytes)).unwrap().0.get(name.as_bytes()).cloned()
    }

    #[test]
    fn topics_in_three_forms() {
        let sgml =
            b"<top>\n<num> Number: 301\n<title> International\n Organized Crime\n<desc> Description:\nx\n</top>\n";
        assert_eq!(topic(sgml, "301").unwrap(), "International Organized Crime");
        let xml = b"<topics><topic number=\"1\"><query>covid origin</query><question>why</question></topic></topics>";
        // <topics> holds <topic, which holds <top.
        assert_eq!(topic(xml, "1").unwrap(), "covid origin");
        assert_eq!(
            topic(b"19335\tanthropological definition\n1037798\twho is r. gray\n", "1037798").unwrap(),
            "who is r. gray"
        );
        assert_eq!(topic(b"{\"qid\": 7, \"query\": \"a  b\"}\n", "7").unwrap(), "a b");
    }

    #[test]
    fn topics_of_tables() {
        assert_eq!(topic(b"query_id,query\n1,\"how, exactly\"\n", "1").unwrap(), "how, exactly");
        assert_eq!(topic(b"\xef\xbb\xbfQID;Title;Description\r\n1;a;b\r\n", "1").unwrap(), "a · b");
        assert!(topics(&Input::bytes("t", &b"qid,query\n1,a,b\n"[..])).unwrap_err().to_string().contains("t:2"));
        assert!(topics(&Input::bytes("t", &b"301 no tab"[..])).unwrap_err().to_string().contains("tab"));
    }
}
