//! The shapes JSON files of runs and judgements come in, all walked as records.
//!
//! - `{topic: {document: number}}`, as pytrec_eval and ranx have it;
//! - an array of objects, or objects one after another (JSON Lines), one for each row;
//! - objects one after another, one for each topic, with a list of documents (`candidates`, `results`, ...) in each.
//!
//! A file is walked twice: the first time to learn which keys its objects have, the second to read them. So an object
//! that leaves a key out, be it the first, changes nothing.

use std::borrow::Cow;
use std::collections::HashSet;

use karat_data::problem::quote;
use karat_data::{JudgementKind, LineProblem};

use super::cell::Cell;
use super::column::{self, Column, Data, Plan};
use super::json::{Fault, Json};
use super::refusal::Refusal;
use super::table::{Builder, Table};

/// What a list of documents inside a topic's object is called.
const LISTS: [&str; 9] =
    ["candidates", "results", "hits", "docs", "documents", "ranking", "retrieved", "rankedlist", "judgments"];

/// The shape of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `{topic: {document: number}}`
    Map,
    /// `[{...}, {...}]`
    Array,
    /// `{...}` one after another, each a row
    Rows,
    /// `{...}` one after another, each a topic with a list of documents
    Topics,
}

const REMEDY: &str =
    "write {topic: {document: number}}, or one object for each row with the keys query_id, doc_id and score or grade";

/// A key and what it has.
type Member<'a> = (Cow<'a, [u8]>, Cell<'a>);

/// One record: its line, and its members.
type Record<'r, 'a> = (u64, &'r [Member<'a>]);

fn is_list(key: &[u8]) -> bool {
    let plain: String = String::from_utf8_lossy(key).chars().filter(|c| c.is_alphanumeric()).collect();
    LISTS.contains(&plain.to_lowercase().as_str())
}

/// Which shape a file has, from its first object.
///
/// # Errors
/// It has none of them.
pub fn shape(json: &mut Json<'_>) -> Result<Shape, Fault> {
    let mark = json.mark();
    let shape = match json.peek() {
        Some(b'[') => Ok(Shape::Array),
        Some(b'{') => {
            let (mut members, mut objects, mut list) = (0u64, 0u64, false);
            let looked = json.object(|json, key| {
                let value = json.peek();
                members += 1;
                objects += u64::from(value == Some(b'{'));
                list |= is_list(&key) && matches!(value, Some(b'[' | b'{'));
                json.cell().map(drop)
            });
            // Cut off or damaged: what was seen so far tells, and the reading says what is wrong.
            drop(looked);
            Ok(if list && members > 1 {
                Shape::Topics
            } else if objects == members {
                Shape::Map
            } else {
                Shape::Rows
            })
        }
        _ => Err(json.unexpected("an object or an array")),
    };
    json.back(mark);
    shape
}

/// Walks all records.
fn walk<'a>(
    json: &mut Json<'a>,
    shape: Shape,
    record: &mut dyn FnMut(Record<'_, 'a>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    match shape {
        Shape::Map => map(json, record)?,
        Shape::Array => json.array(|json| row(json, record))?,
        Shape::Rows | Shape::Topics => {
            while json.peek().is_some() {
                if shape == Shape::Rows { row(json, record)? } else { topic(json, record)? }
            }
        }
    }
    match json.peek() {
        None => Ok(()),
        Some(_) => Err(json.unexpected("the end of the file")),
    }
}

/// Refuses a key that the object had before.
fn once<'a>(json: &mut Json<'a>, seen: &mut HashSet<Cow<'a, [u8]>>, key: Cow<'a, [u8]>) -> Result<(), Fault> {
    if seen.insert(key.clone()) {
        return Ok(());
    }
    let remedy = "remove one of the two; most readers silently keep the last";
    Err(json.fault("each key of an object once", format!("{} again", quote(&key)), remedy))
}

/// `{topic: {document: number}}`
fn map<'a>(json: &mut Json<'a>, record: &mut dyn FnMut(Record<'_, 'a>) -> Result<(), Fault>) -> Result<(), Fault> {
    let mut topics = HashSet::new();
    json.object(|json, topic| {
        once(json, &mut topics, topic.clone())?;
        let mut documents = HashSet::new();
        json.object(|json, document| {
            once(json, &mut documents, document.clone())?;
            let line = json.line();
            let number = json.cell()?;
            let cells = [
                (Cow::Borrowed(&b"query_id"[..]), Cell::Text(topic.clone())),
                (Cow::Borrowed(&b"doc_id"[..]), Cell::Text(document)),
                (Cow::Borrowed(&b"score"[..]), number),
            ];
            record((line, &cells))
        })
    })
}

/// One object, one row.
fn row<'a>(json: &mut Json<'a>, record: &mut dyn FnMut(Record<'_, 'a>) -> Result<(), Fault>) -> Result<(), Fault> {
    json.peek();
    let line = json.line();
    let mut cells = members(json)?;
    // A column that is an object says nothing here.
    cells.retain(|(_, cell)| !matches!(cell, Cell::Other("an object" | "an array")));
    record((line, &cells))
}

fn members<'a>(json: &mut Json<'a>) -> Result<Vec<Member<'a>>, Fault> {
    let mut seen = HashSet::new();
    let mut cells = Vec::new();
    json.object(|json, key| {
        once(json, &mut seen, key.clone())?;
        cells.push((key, json.cell()?));
        Ok(())
    })?;
    Ok(cells)
}

/// One object, one topic: its name, perhaps inside an object `query`, and a list of documents.
fn topic<'a>(json: &mut Json<'a>, record: &mut dyn FnMut(Record<'_, 'a>) -> Result<(), Fault>) -> Result<(), Fault> {
    let mut own: Vec<Member<'a>> = Vec::new();
    let mut list = None;
    json.object(|json, key| {
        match json.peek() {
            Some(b'[' | b'{') if is_list(&key) => {
                list = Some(json.mark());
                json.cell()?;
            }
            Some(b'{') => own.extend(members(json)?),
            _ => own.push((key, json.cell()?)),
        }
        Ok(())
    })?;
    own.retain(|(_, cell)| !matches!(cell, Cell::Other(_)));
    // Of the topic only its name: what else the object says is not a document's.
    let names: Vec<Vec<u8>> = own.iter().map(|(key, _)| key.to_vec()).collect();
    let name = column::topic_of(&names).map(|at| own[at].1.clone());
    let Some(name) = name else {
        return Err(json.fault("a key that names the topic (query_id, qid, ...) in each object", "none", REMEDY));
    };
    let end = json.mark();
    let Some(list) = list else { return Ok(()) };
    json.back(list);
    documents(json, &name, record)?;
    json.back(end);
    Ok(())
}

/// The documents of a topic: `{document: number}`, or a list of objects.
fn documents<'a>(
    json: &mut Json<'a>,
    topic: &Cell<'a>,
    record: &mut dyn FnMut(Record<'_, 'a>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let key = || Cow::Borrowed(&b"query_id"[..]);
    if json.peek() == Some(b'{') {
        let mut documents = HashSet::new();
        return json.object(|json, document| {
            once(json, &mut documents, document.clone())?;
            let line = json.line();
            let number = json.cell()?;
            let cells = [
                (key(), topic.clone()),
                (Cow::Borrowed(&b"doc_id"[..]), Cell::Text(document)),
                (Cow::Borrowed(&b"score"[..]), number),
            ];
            record((line, &cells))
        });
    }
    json.array(|json| {
        json.peek();
        let line = json.line();
        let mut cells = members(json)?;
        cells.retain(|(own, cell)| {
            !matches!(cell, Cell::Other("an object" | "an array")) && column::topic_of(&[own.to_vec()]).is_none()
        });
        cells.push((key(), topic.clone()));
        record((line, &cells))
    })
}

/// Reads a file.
///
/// # Errors
/// Everything wrong with it.
pub fn read(bytes: &[u8], data: Data) -> Result<Table, Refusal> {
    let failed = Fault::refusal;
    let mut json = Json::new(bytes).map_err(failed)?;
    if json.peek().is_none() {
        let remedy = "check that the file was written completely";
        return Err(Refusal::whole("an object or an array", "an empty file", remedy));
    }
    let shape = shape(&mut json).map_err(failed)?;
    let (plan, keys) = plan_keys(&mut json, shape, data)?;
    let mut builder = Builder::new(plan);
    let mut row: Vec<Cell<'_>> = Vec::new();
    walk(&mut json, shape, &mut |(line, cells)| {
        row.clear();
        row.extend(keys.iter().enumerate().map(|(at, key)| {
            // Objects nearly always have their keys in one order.
            let here = cells.get(at).filter(|(own, _)| own[..] == key[..]);
            here.or_else(|| cells.iter().find(|(own, _)| own[..] == key[..]))
                .map_or(Cell::Missing, |(_, cell)| cell.clone())
        }));
        builder.record(line, &row);
        Ok(())
    })
    .map_err(failed)
    .and_then(|()| builder.finish())
    .map_err(|refusal| {
        if shape == Shape::Map && column::is_header(&first_keys(bytes)) {
            let found = "an object for each column";
            return Refusal::whole("{topic: {document: number}}, or one object for each row", found, COLUMNAR);
        }
        refusal
    })
}

/// The keys of all objects, and what each of them holds; the file is read to learn that, and is at its start again.
fn plan_keys(json: &mut Json<'_>, shape: Shape, data: Data) -> Result<(Plan, Vec<Vec<u8>>), Refusal> {
    if shape == Shape::Map {
        let names = ["query_id", "doc_id", "score"].map(|name| name.as_bytes().to_vec()).to_vec();
        return Ok((map_plan(data), names));
    }
    let start = json.mark();
    let mut keys: Vec<Vec<u8>> = Vec::new();
    // Whether some object has something there.
    let mut filled: Vec<bool> = Vec::new();
    let mut first = 1;
    walk(json, shape, &mut |(line, cells)| {
        if keys.is_empty() {
            first = line;
        }
        for (key, cell) in cells {
            match keys.iter().position(|known| known[..] == key[..]) {
                Some(at) => filled[at] |= !cell.is_missing(),
                None => {
                    keys.push(key.to_vec());
                    filled.push(!cell.is_missing());
                }
            }
        }
        Ok(())
    })
    .map_err(Fault::refusal)?;
    json.back(start);
    let plan = column::plan_filled(&keys, data, |at| !filled[at]).map_err(|problem| {
        Refusal::line(first, LineProblem::new("keys", problem.expected, problem.found, &problem.remedy.to_string()))
    })?;
    Ok((plan, keys))
}

const COLUMNAR: &str = "this is a data frame written by column; write it by row, in pandas with `to_json(path, orient='records', lines=True)`";

/// The keys of the objects in the beginning of a file that is not `{topic: {document: number}}`; it may be cut off.
pub fn sampled_keys(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut keys: Vec<Vec<u8>> = Vec::new();
    let Ok(mut json) = Json::new(bytes) else { return keys };
    let Ok(shape) = shape(&mut json) else { return keys };
    if shape != Shape::Map {
        let _ = walk(&mut json, shape, &mut |(_, cells)| {
            for (key, _) in cells {
                if !keys.iter().any(|known| known[..] == key[..]) {
                    keys.push(key.to_vec());
                }
            }
            Ok(())
        });
    }
    keys
}

/// The scores in the beginning of a file, where it has them; it may be cut off.
pub fn sampled_scores(bytes: &[u8]) -> Vec<f64> {
    let mut scores = Vec::new();
    let Ok(mut json) = Json::new(bytes) else { return scores };
    let Ok(shape) = shape(&mut json) else { return scores };
    let _ = walk(&mut json, shape, &mut |(_, cells)| {
        let number = |cell: &Cell<'_>| match cell {
            Cell::Number(text) | Cell::Text(text) => std::str::from_utf8(text).ok()?.parse::<f64>().ok(),
            _ => None,
        };
        scores.extend(cells.iter().filter(|(key, _)| column::is_score(key)).filter_map(|(_, cell)| number(cell)));
        Ok(())
    });
    scores
}

fn first_keys(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut keys = Vec::new();
    if let Ok(mut json) = Json::new(bytes) {
        let _ = json.object(|json, key| {
            keys.push(key.to_vec());
            json.cell().map(drop)
        });
    }
    keys
}

/// The columns of `{topic: {document: number}}`.
fn map_plan(data: Data) -> Plan {
    let number = match data {
        Data::Run => Column::Score,
        Data::Judgements | Data::Labels => Column::Grade,
    };
    let columns = vec![Some(Column::Topic), Some(Column::Document), Some(number)];
    Plan { data, kind: JudgementKind::Grades, columns, unused: Vec::new(), judge: None, unrateable: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, data: Data) -> Vec<(String, String, f64, u64)> {
        let table = read(text.as_bytes(), data).unwrap();
        let number = if data == Data::Run { Column::Score } else { Column::Grade };
        let text = |column, row| String::from_utf8(table.text(column, row).to_vec()).unwrap();
        (0..table.len())
            .map(|row| {
                let number = table.number(number, row).unwrap();
                (text(Column::Topic, row), text(Column::Document, row), number, table.line(row))
            })
            .collect()
    }

    #[test]
    fn every_shape_gives_the_same_rows() {
        let expected = [("1", "a", 2.5), ("1", "b", 1.0), ("2", "a", 3.0)];
        for text in [
            r#"{"1": {"a": 2.5, "b": 1}, "2": {"a": 3}}"#,
            r#"[{"qid": 1, "docno": "a", "score": 2.5}, {"qid": "1", "docno": "b", "score": 1.0},
                {"score": 3, "docno": "a", "qid": "2"}]"#,
            "{\"qid\": 1, \"docno\": \"a\", \"score\": 2.5}\n{\"qid\": 1, \"docno\": \"b\", \"score\": 1}\n\n{\"qid\": 2, \"docno\": \"a\", \"score\": 3, \"x\": {}}",
            r#"{"query": {"qid": "1", "text": "t"}, "candidates": [{"docid": "a", "score": 2.5, "doc": {}}, {"docid": "b", "score": 1}]}
               {"query": {"qid": "2", "text": "u"}, "candidates": [{"docid": "a", "score": 3}]}"#,
            r#"{"query_id": 1, "results": {"a": 2.5, "b": 1}} {"query_id": 2, "results": {"a": 3}}"#,
        ] {
            let found: Vec<_> =
                rows(text, Data::Run).into_iter().map(|(topic, doc, score, _)| (topic, doc, score)).collect();
            assert_eq!(found, expected.map(|(topic, doc, score)| (topic.to_owned(), doc.to_owned(), score)), "{text}");
        }
        assert_eq!(rows("{\"1\": {\n\"a\": 0,\n\"b\": null}}", Data::Judgements)[1], ("1".into(), "b".into(), -1.0, 3));
    }

    #[test]
    fn a_key_twice_is_found() {
        for text in [
            r#"{"1": {"a": 1, "a": 2}}"#,
            r#"{"1": {"a": 1}, "1": {"b": 1}}"#,
            r#"{"qid": 1, "docno": "a", "score": 1, "score": 2}"#,
        ] {
            let problems = read(text.as_bytes(), Data::Run).unwrap_err().problems("f");
            assert!(problems.to_string().contains("again at column"), "{problems}");
        }
    }

    #[test]
    fn a_frame_by_column_is_told_as_such() {
        let text = r#"{"qid": {"0": "1"}, "docno": {"0": "a"}, "score": {"0": 1.5}}"#;
        let problems = read(text.as_bytes(), Data::Run).unwrap_err().problems("f");
        assert!(problems.to_string().contains("orient='records'"), "{problems}");
    }
}
