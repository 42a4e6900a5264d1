//! What is written is read back as it was, over all pairs of formats that can hold it: any table to one format, read,
//! to another, read, and it is the same table bit for bit.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "tests")]

use std::borrow::Cow;
use std::collections::BTreeSet;

use karat_data::JudgementKind;
use karat_formats::detect::{Detected, qrels_format, run_format};
use karat_formats::records::cell::Cell;
use karat_formats::records::column::Plan;
use karat_formats::records::{Builder, Column, Data, Table, source};
use karat_formats::write::{Cannot, WRITERS, Writer, prepare};
use karat_formats::{Input, QREL_FORMATS, RUN_FORMATS};

/// SplitMix64.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

/// Names that every format holds, and names that only some do.
const PLAIN: &[&str] = &[
    "1",
    "FR94-1",
    "clueweb09-en0000-00-00000",
    "日本",
    "a,b",
    "\"x\"",
    "x\"y",
    "-1",
    "+1",
    "007",
    "a;b|c",
    "é",
    "{",
    "[]",
    "null",
    "NaN",
    "0",
];
const ODD: &[&str] = &[
    "a b",
    " lead",
    "trail ",
    "two\nlines",
    "tab\there",
    "#hash",
    "cr\rx",
    "\u{feff}mark",
    "a\u{1}b",
    "\\back",
    "'",
    "\u{85}",
    " ",
];

fn name(chance: &mut Chance, odd: bool, number: usize) -> Vec<u8> {
    let list = if odd && chance.below(3) == 0 { ODD } else { PLAIN };
    let mut name = list[chance.below(list.len())].as_bytes().to_vec();
    // Apart from others, and sometimes not UTF-8.
    if chance.below(4) > 0 {
        name.extend_from_slice(format!("-{number}").as_bytes());
    }
    if odd && chance.below(12) == 0 {
        name.push(0xff);
    }
    name
}

fn score(chance: &mut Chance) -> f64 {
    match chance.below(6) {
        0 => chance.below(20) as f64,
        1 => -(chance.below(1000) as f64) / 8.0,
        2 => f64::from_bits(chance.next() >> 12 | 0x3ff0_0000_0000_0000) - 1.0,
        3 => 1e300 / (1.0 + chance.below(7) as f64),
        4 => 5e-324 * chance.below(9) as f64,
        _ => (chance.next() as i64 as f64) / 1e9,
    }
}

/// A table with these columns.
fn table(chance: &mut Chance, data: Data, kind: JudgementKind, odd: bool) -> Table {
    let mut columns = vec![Column::Topic, Column::Document];
    match data {
        Data::Run => {
            columns.extend([Column::Score, Column::Tag].iter().take(1 + chance.below(2)));
        }
        Data::Judgements | Data::Labels => {
            columns.extend(Column::of_kind(kind));
            if matches!(kind, JudgementKind::Grades | JudgementKind::Strata) && chance.below(3) == 0 {
                columns.push(Column::Iteration);
            }
        }
    }
    let mut builder = Builder::new(Plan {
        data,
        kind,
        columns: columns.iter().copied().map(Some).collect(),
        unused: Vec::new(),
        judge: None,
        unrateable: false,
    });
    let topics: BTreeSet<Vec<u8>> = (0..1 + chance.below(4)).map(|number| name(chance, odd, number)).collect();
    let documents: BTreeSet<Vec<u8>> = (0..1 + chance.below(12)).map(|number| name(chance, odd, number)).collect();
    let groups = if kind.is_single() { 1 } else { 1 + chance.below(3) };
    let mut line = 0;
    for topic in &topics {
        for document in &documents {
            for group in 0..groups {
                line += 1;
                let own = if kind.is_single() { chance.below(4) } else { group };
                let cells: Vec<Cell<'_>> = columns
                    .iter()
                    .map(|column| match column {
                        Column::Topic => Cell::Text(Cow::Borrowed(topic)),
                        Column::Document => Cell::Text(Cow::Borrowed(document)),
                        Column::Score => Cell::Float(score(chance)),
                        Column::Grade => Cell::Float([0.0, 1.0, 2.0, -1.0, -2.0, 0.5, 3.0][chance.below(7)]),
                        Column::Probability => Cell::Float([1.0, 0.5, 0.1, 1.0 / 3.0][chance.below(4)]),
                        Column::Preference => Cell::Float(chance.below(5) as f64),
                        Column::Tag => Cell::Text(b"tag"[..].into()),
                        Column::Iteration => Cell::Text(if chance.below(3) == 0 { &b"1"[..] } else { b"0" }.into()),
                        _ => Cell::Text(Cow::Owned(format!("{own}").into_bytes())),
                    })
                    .collect();
                builder.record(line, &cells);
            }
        }
    }
    builder.finish().unwrap()
}

/// A row by its columns, numbers by their bits.
type Canonical = (JudgementKind, BTreeSet<Vec<(Column, Vec<u8>)>>);

/// What a table says, without what follows from the rest or says nothing.
fn canonical(table: &Table, with_tag: bool) -> Canonical {
    let scored = table.has(Column::Score);
    let rows = (0..table.len()).map(|row| {
        let mut cells = Vec::new();
        for column in table.columns() {
            match column {
                Column::Rank if scored => {}
                Column::Rank => {
                    cells.push((Column::Score, (-table.number(column, row).unwrap()).to_bits().to_le_bytes().to_vec()))
                }
                Column::Tag if !with_tag => {}
                Column::Iteration if [&b""[..], b"0", b"Q0"].contains(&table.text(column, row)) => {}
                // "1" is what is written where nobody said.
                Column::Method if [&b""[..], b"1"].contains(&table.text(column, row)) => {}
                column if column.is_number() => {
                    cells.push((column, table.number(column, row).unwrap().to_bits().to_le_bytes().to_vec()));
                }
                column => cells.push((column, table.text(column, row).to_vec())),
            }
        }
        cells
    });
    (table.kind, rows.collect())
}

/// Compares, and shows one row of each that the other has not.
fn same(found: &Canonical, expected: &Canonical, what: &str) {
    let (more, less) = (found.1.difference(&expected.1).next(), expected.1.difference(&found.1).next());
    assert!(found == expected, "{what}: {:?} {:?}, expected {:?} {:?}", found.0, more, expected.0, less);
}

fn readable(writer: &Writer) -> Option<Detected> {
    match writer.data {
        Data::Run => run_format(writer.name).map(Detected::Run),
        Data::Judgements | Data::Labels => qrels_format(writer.name).map(Detected::Qrels),
    }
    .filter(|_| writer.name != "parquet" || cfg!(feature = "parquet"))
}

fn there_and_back(table: &Table, writer: &Writer) -> Option<Table> {
    let (prepared, lost) = match prepare(table.clone(), writer, "made-up", false) {
        Ok(prepared) => prepared,
        Err(Cannot::Ever(why)) => {
            assert!(!why.is_empty());
            return None;
        }
        Err(Cannot::WithoutLoss(lost)) => {
            assert!(!lost.is_empty());
            // What can be lost can be lost.
            if let Ok((table, noted)) = prepare(table.clone(), writer, "made-up", true) {
                assert_eq!(noted, lost);
                (writer.write)(&table, &mut Vec::new()).unwrap();
            }
            return None;
        }
    };
    assert!(lost.is_empty());
    let mut bytes = Vec::new();
    (writer.write)(&prepared, &mut bytes).unwrap();
    let input = Input::bytes("file", bytes.clone());
    let read = source::table(&input, readable(writer)?, 1)
        .unwrap_or_else(|problems| panic!("{}: {problems}\n{}", writer.name, String::from_utf8_lossy(&bytes)));
    Some(read)
}

#[test]
fn every_table_survives_every_pair_of_formats_that_hold_it() {
    let mut chance = Chance(20261116);
    let kinds = [
        (Data::Run, JudgementKind::Grades),
        (Data::Judgements, JudgementKind::Grades),
        (Data::Judgements, JudgementKind::Subtopics),
        (Data::Judgements, JudgementKind::Groups),
        (Data::Judgements, JudgementKind::Preferences),
        (Data::Judgements, JudgementKind::Strata),
        (Data::Judgements, JudgementKind::Probabilities),
    ];
    let mut pairs = BTreeSet::new();
    for round in 0..24 {
        for (data, kind) in kinds {
            let table = table(&mut chance, data, kind, round % 2 == 1);
            let with_tag = table.has(Column::Tag);
            let expected = canonical(&table, with_tag);
            for first in WRITERS.iter().filter(|writer| writer.data == data && readable(writer).is_some()) {
                let Some(once) = there_and_back(&table, first) else { continue };
                same(&canonical(&once, with_tag), &expected, first.name);
                for second in WRITERS.iter().filter(|writer| writer.data == data && readable(writer).is_some()) {
                    let Some(twice) = there_and_back(&once, second) else { continue };
                    same(&canonical(&twice, with_tag), &expected, &format!("{} then {}", first.name, second.name));
                    pairs.insert((kind == JudgementKind::Grades, data == Data::Run, first.name, second.name));
                }
            }
        }
    }
    // Five formats of runs hold scores (trec, csv, tsv, json, jsonl), with each other and themselves; six of grades.
    assert!(pairs.len() >= 5 * 5 + 6 * 6, "only {} pairs: {pairs:?}", pairs.len());
}

#[test]
fn every_reader_has_a_writer_and_every_name_is_there_once() {
    for name in RUN_FORMATS.iter().map(|format| format.name) {
        assert!(WRITERS.iter().any(|writer| writer.name == name && writer.data == Data::Run), "{name}");
    }
    for name in QREL_FORMATS.iter().map(|format| format.name) {
        assert!(WRITERS.iter().any(|writer| writer.name == name && writer.data == Data::Judgements), "{name}");
    }
    for (at, writer) in WRITERS.iter().enumerate() {
        let again = |other: &Writer| {
            other.data == writer.data
                && (other.name == writer.name || other.endings.iter().any(|own| writer.endings.contains(own)))
        };
        assert!(!WRITERS[at + 1..].iter().any(again), "{}", writer.name);
    }
}

/// What is written is recognised for what it is, where its content can tell.
#[test]
fn what_is_written_is_recognised() {
    let mut chance = Chance(5);
    for (data, kind) in [
        (Data::Run, JudgementKind::Grades),
        (Data::Judgements, JudgementKind::Grades),
        (Data::Judgements, JudgementKind::Subtopics),
    ] {
        for _ in 0..20 {
            let table = table(&mut chance, data, kind, false);
            for writer in WRITERS.iter().filter(|writer| writer.data == data && readable(writer).is_some()) {
                // A grade with a fraction looks like a score where nothing else says what the number is, and a subtopic
                // like an iteration.
                if matches!(
                    writer.name,
                    "json" | "beir" | "diversity" | "trec-jg" | "trec-prefs" | "sampled" | "prels" | "msmarco"
                ) {
                    continue;
                }
                let Ok((prepared, _)) = prepare(table.clone(), writer, "made-up", true) else { continue };
                let mut bytes = Vec::new();
                (writer.write)(&prepared, &mut bytes).unwrap();
                let found = match source::tell(&Input::bytes("file", bytes.clone()), None, None).unwrap() {
                    Detected::Run(format) => (Data::Run, format.name),
                    Detected::Qrels(format) => (Data::Judgements, format.name),
                };
                assert_eq!(found, (data, writer.name), "{}", String::from_utf8_lossy(&bytes));
            }
        }
    }
}

/// Real files, where they are: to CSV, JSON Lines and Parquet and back, and the lines are the same.
#[test]
fn real_files_come_back() {
    let mut files = 0;
    for (collection, data) in [
        ("qrels_zoo", Data::Judgements),
        ("infap_prels", Data::Judgements),
        ("xinfap_trecvid_avs21", Data::Judgements),
        ("web_diversity", Data::Judgements),
        ("web_diversity/runs2012", Data::Run),
        ("judges_quepid_haystack", Data::Run),
    ] {
        let Some(folder) = karat_testdata::folder(collection, "conversion of real files and back") else { return };
        let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.is_file()) {
            let file = path.file_name().unwrap().to_string_lossy().into_owned();
            let wanted = match data {
                Data::Run => file.starts_with("run.") || file.starts_with("ql."),
                Data::Judgements | Data::Labels => file.contains("qrels") || file.contains("prels"),
            };
            // A few large ones are enough, and a test has to end.
            let size = path.metadata().unwrap().len();
            if !wanted || file.contains(".csv") || size > 300_000 {
                continue;
            }
            let bytes = std::fs::read(path).unwrap();
            let input = Input::bytes(file.clone(), bytes);
            let Ok(found) = source::tell(&input, Some(data), None) else {
                eprintln!("not told: {file}");
                continue;
            };
            let table = match source::table(&input, found, 2) {
                Ok(table) => table,
                // The one real run here that has documents twice.
                Err(problems) if file == "run.with-vector.trec" => {
                    assert!(problems.to_string().contains("again; first on line"));
                    continue;
                }
                Err(problems) => panic!("{problems}"),
            };
            // A test has to end.
            if table.len() > 40_000 {
                continue;
            }
            let expected = canonical(&table, true);
            for name in ["csv", "tsv", "jsonl", "parquet"] {
                let Some(writer) = karat_formats::write::writer(name, data).filter(|writer| readable(writer).is_some())
                else {
                    continue;
                };
                // JSON cannot hold docnos that are not UTF-8, and says so.
                let Some(back) = there_and_back(&table, writer) else { continue };
                same(&canonical(&back, true), &expected, &format!("{file} as {name}"));
                files += 1;
            }
        }
    }
    assert!(files > 30, "only {files} conversions");
}
