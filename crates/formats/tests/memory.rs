//! Tables in memory say the same as files with the same rows, and name row and column where something is wrong.

#![allow(clippy::unwrap_used, reason = "tests")]

use karat_data::{JudgementKind, Policy, Problems, Qrels, RankedDocuments};
use karat_formats::memory::{Called, Flat, Floats, Memory, Mixed, Repeated, Values, Whole};
use karat_formats::records::cell::Cell;
use karat_formats::{Dialect, Input, RunFiles, detect, read_qrels};

fn texts(all: &[&str]) -> Box<dyn Values> {
    let mut flat = Flat::default();
    all.iter().for_each(|text| flat.push(text.as_bytes()));
    Box::new(flat)
}

fn table(columns: Vec<(&str, Box<dyn Values>)>) -> Input {
    let columns = columns.into_iter().map(|(name, values)| (name.to_owned(), values)).collect();
    Input::table("run 'a'", Memory::new(columns, Called::ByRow).unwrap())
}

fn ranked(input: Input) -> Result<RankedDocuments, Problems> {
    RankedDocuments::read(&RunFiles::new(vec![input], detect::RUN, Dialect::Strict), &Policy::default(), 2)
}

fn judged(input: &Input) -> Result<Qrels, Problems> {
    read_qrels(input, detect::QRELS, Dialect::Strict, 1).map(|(qrels, _)| qrels)
}

#[test]
fn a_run_is_the_same_from_a_file_and_from_memory() {
    // Topic 2 comes back after topic 1, and its documents are whole numbers.
    let file = "2 Q0 7 1 3.5 t\n1 Q0 8 1 2 t\n2 Q0 9 2 4 t\n";
    let from_file = ranked(Input::bytes("f", file.as_bytes())).unwrap();
    let from_memory = ranked(table(vec![
        ("qid", Box::new(Whole(vec![2, 1, 2]))),
        ("docno", texts(&["7", "8", "9"])),
        ("sim", Box::new(Floats(vec![3.5, 2.0, 4.0]))),
        ("tag", texts(&["t", "t", "t"])),
    ]))
    .unwrap();
    let facts = |ranked: &RankedDocuments| (ranked.runs[0].tag.clone(), ranked.runs[0].rows, ranked.runs[0].topics);
    assert_eq!(facts(&from_file), facts(&from_memory));
    let names = |ranked: &RankedDocuments| {
        let of = |topic: &[u8]| {
            let documents = ranked.find(topic).unwrap();
            let names = documents.list(0).iter().map(|&document| documents.docno(document).to_vec());
            names.collect::<Vec<_>>()
        };
        [of(b"1"), of(b"2")]
    };
    assert_eq!(names(&from_file), names(&from_memory));
}

#[test]
fn problems_name_row_and_column_as_their_owner_does() {
    let nan = table(vec![
        ("qid", texts(&["1", "1"])),
        ("docno", texts(&["a", "b"])),
        ("sim", Box::new(Floats(vec![1.0, f64::NAN]))),
    ]);
    let told = ranked(nan).err().unwrap().to_string();
    assert!(told.starts_with("run 'a', row 1, column 'sim': expected a finite number, found NaN"), "{told}");

    let twice = table(vec![
        ("qid", texts(&["1", "1", "1"])),
        ("docid", texts(&["a", "b", "a"])),
        ("score", Box::new(Whole(vec![3, 2, 1]))),
    ]);
    let told = ranked(twice).err().unwrap().to_string();
    assert!(told.starts_with("run 'a', row 2, column 'docid': expected each document once per topic"), "{told}");
    assert!(told.contains("\"a\" again; first in row 0"), "{told}");

    let columns = table(vec![("qid", texts(&["1"])), ("x", texts(&["a"]))]);
    let told = ranked(columns).err().unwrap().to_string();
    assert!(told.contains("expected a column for the document") && told.contains("\"qid\", \"x\""), "{told}");

    let empty = table(vec![("qid", texts(&[])), ("docno", texts(&[])), ("score", Box::new(Floats(vec![])))]);
    assert!(ranked(empty).err().unwrap().to_string().contains("a table without rows"));
}

#[test]
fn a_mapping_is_told_by_topic_and_document() {
    let mut topics = Repeated::default();
    topics.push(b"q1", 2);
    topics.push(b"none", 2);
    topics.push(b"q2", 3);
    let grades = vec![Cell::Float(1.0), Cell::Other("True"), Cell::Missing];
    let columns: Vec<(String, Box<dyn Values>)> = vec![
        ("query_id".into(), Box::new(topics)),
        ("doc_id".into(), texts(&["a", "b", "a"])),
        ("score".into(), Box::new(Mixed(grades))),
    ];
    let input = Input::table("qrels", Memory::new(columns, Called::ByKeys).unwrap());
    let told = judged(&input).err().unwrap().to_string();
    assert!(told.starts_with("qrels, topic 'q1', document 'b': expected a number"), "{told}");
}

#[test]
fn judgements_are_the_same_by_the_short_way_and_the_long() {
    let rows = |extra: Option<Box<dyn Values>>| {
        let mut columns = vec![
            ("query_id", texts(&["2", "1", "2"])),
            ("doc_id", texts(&["a", "b", "c"])),
            ("relevance", Box::new(Whole(vec![1, 0, -1])) as Box<dyn Values>),
        ];
        columns.extend(extra.map(|extra| ("judge", extra)));
        judged(&table(columns)).unwrap()
    };
    let (short, long) = (rows(None), rows(Some(texts(&["x", "x", "x"]))));
    assert_eq!(short.kind(), JudgementKind::Grades);
    for qrels in [&short, &long] {
        let names: Vec<&[u8]> = qrels.topics().map(|topic| qrels.name(topic)).collect();
        assert_eq!(names, [b"1", b"2"]);
        assert_eq!(qrels.max_grade(), Some(1.0));
    }
}

#[test]
fn columns_of_different_lengths_are_refused() {
    let columns: Vec<(String, Box<dyn Values>)> = vec![("a".into(), texts(&["x"])), ("b".into(), texts(&["x", "y"]))];
    assert!(Memory::new(columns, Called::ByRow).err().unwrap().contains("'b' has 2"));
}
