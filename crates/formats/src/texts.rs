//! Texts of topics and documents.
//!
//! Topics come as TREC's SGML (`<top>`), as lines of a name and a text with a tab between, or as JSON objects; documents as
//! JSON objects. The one decision: only the first text of a document that is wanted is kept, cut to a length, because a page shows a few
//! hundred of millions.

use std::borrow::Cow;
use std::collections::HashMap;

use karat_data::problem::quote;
use karat_data::{LineProblem, Problem, Problems};

use crate::Input;
use crate::records::Refusal;
use crate::records::cell::Cell;
use crate::records::json::{Fault, Json};
use crate::records::source;

/// Names and texts.
pub type Texts = HashMap<Vec<u8>, String>;

/// Keys under which objects carry a document's name.
const DOCUMENT_KEYS: [&str; 6] = ["docno", "_id", "doc_id", "docid", "document_id", "id"];
/// Keys under which objects carry a topic's name.
const TOPIC_KEYS: [&str; 8] = ["qid", "_id", "query_id", "topic", "topic_id", "number", "num", "id"];
/// Keys under which objects carry texts, the best first.
const TEXT_KEYS: [&str; 7] = ["title", "text", "contents", "body", "query", "question", "description"];

/// The texts of documents, of those that `wanted` names, each cut to `longest` characters.
///
/// # Errors
/// Everything wrong with the file.
pub fn documents(input: &Input, wanted: &dyn Fn(&[u8]) -> bool, longest: usize) -> Result<(Texts, u64, u64), Problems> {
    let bytes = source::bytes(input, true)?;
    let mut texts = Texts::new();
    let rows = objects(&bytes, &DOCUMENT_KEYS, &mut |name, text| {
        if wanted(name) && !texts.contains_key(name) {
            texts.insert(name.to_vec(), cut(text, longest));
        }
    })
    .map_err(|refusal| refusal.problems(input.name()))?;
    Ok((texts, bytes.len() as u64, rows))
}

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
            let read = objects(content, &TOPIC_KEYS, &mut |name, text| {
                texts.entry(name.to_vec()).or_insert_with(|| cut(text, 1000));
            });
            read.map(|_| texts)
        }
        _ if contains(content, b"<top") => Ok(sgml(content)),
        _ => lines(content),
    };
    let texts = read.map_err(|refusal| refusal.problems(input.name()))?;
    if texts.is_empty() {
        return Err(Problem::of_file(
            input.name(),
            "topics with their texts (<top> with <num> and <title>, or lines of name, tab and text, or JSON)",
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

/// Objects one after another or in an array; those without a name are refused. Returns how many there are.
fn objects(bytes: &[u8], keys: &[&str], take: &mut dyn FnMut(&[u8], &str)) -> Result<u64, Refusal> {
    let mut json = Json::new(bytes).map_err(Fault::refusal)?;
    let mut refusal = Refusal::default();
    let mut rows = 0;
    let object = |json: &mut Json<'_>| -> Result<(), Fault> {
        json.peek();
        let line = json.line();
        let (name, text) = object(json, keys)?;
        rows += 1;
        match name {
            Some(name) => take(&name, &text),
            None => {
                let expected = format!("one of the keys {}", keys.join(", "));
                let problem = LineProblem::new("name", expected, "none of them", "give every object a name");
                refusal.push(line, problem);
            }
        }
        Ok(())
    };
    json.each(object).map_err(Fault::refusal)?;
    if refusal.is_empty() { Ok(rows) } else { Err(refusal) }
}

/// A name, where there is one, and texts.
type Named<'a> = (Option<Cow<'a, [u8]>>, String);

/// The name of an object, by the first of the keys that it has, and its texts.
fn object<'a>(json: &mut Json<'a>, keys: &[&str]) -> Result<Named<'a>, Fault> {
    let mut name: Option<(usize, Cow<'a, [u8]>)> = None;
    let mut texts: Vec<(usize, String)> = Vec::new();
    json.object(|json, key| {
        let cell = json.cell()?;
        let place = |among: &[&str]| among.iter().position(|known| key.eq_ignore_ascii_case(known.as_bytes()));
        let (Cell::Text(value) | Cell::Number(value)) = cell else { return Ok(()) };
        if let Some(rank) = place(keys)
            && name.as_ref().is_none_or(|(known, _)| rank < *known)
        {
            name = Some((rank, value));
        } else if let Some(rank) = place(&TEXT_KEYS) {
            texts.push((rank, String::from_utf8_lossy(&value).into_owned()));
        }
        Ok(())
    })?;
    texts.sort();
    let text = texts.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" · ");
    Ok((name.map(|(_, name)| name), text))
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
    fn documents_that_are_wanted_and_no_others() {
        let file = Input::bytes(
            "d",
            &b"{\"id\":\"a\",\"title\":\"T\",\"text\":\"long text\"}\n{\"_id\":\"b\",\"text\":\"x\"}\n"[..],
        );
        let (texts, _, rows) = documents(&file, &|name| name == b"a", 6).unwrap();
        assert_eq!((texts.len(), rows), (1, 2));
        assert_eq!(texts[&b"a"[..]], "T · lo…");
        let nameless = Input::bytes("d", &b"{\"text\":\"x\"}"[..]);
        assert!(documents(&nameless, &|_| true, 6).unwrap_err().to_string().contains("docno"));
        assert!(topics(&Input::bytes("t", &b"301 no tab"[..])).unwrap_err().to_string().contains("tab"));
    }
}
