//! Damaged files of records: thousands of small changes to right ones, in every format. A reader answers with rows or
//! with problems that have a place and words; it never stops the program, and never makes a number up.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "tests")]

use karat_data::problem::KEPT;
use karat_formats::detect::{Detected, tell};
use karat_formats::records::formats::reader;
use karat_formats::records::{Column, Data, source};
use karat_formats::write::{prepare, writer};
use karat_formats::{Dialect, Input, QREL_FORMATS, RUN_FORMATS, read_qrels};

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

const PIECES: &[&str] = &[
    "\"",
    "\"\"",
    ",",
    ";",
    "\t",
    "\n",
    "\r\n",
    "{",
    "}",
    "[",
    "]",
    ":",
    "null",
    "NaN",
    "Infinity",
    "1e999",
    "-",
    "\\u",
    "\\ud800",
    "\\",
    "\0",
    "\u{feff}",
    "query_id",
    "doc_id",
    "score",
    "grade",
    "\"qid\": 1,",
    "true",
    "'",
    "#",
    "PAR1",
    "0x1",
    "1_0",
];

fn mutate(bytes: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..1 + chance.below(4) {
        let at = chance.below(out.len() + 1);
        let end = (at + chance.below(40)).min(out.len());
        match chance.below(8) {
            0 | 1 if at < out.len() => out[at] ^= 1 << chance.below(8),
            2 if at < out.len() => out[at] = chance.next() as u8,
            3 | 4 => drop(out.splice(at..at, PIECES[chance.below(PIECES.len())].bytes())),
            5 => drop(out.drain(at..end)),
            6 => {
                let copy = out[at..end].to_vec();
                let to = chance.below(out.len() + 1);
                drop(out.splice(to..to, copy));
            }
            _ if chance.below(4) == 0 => out.truncate(at),
            _ => {}
        }
    }
    out
}

fn right(data: Data) -> Vec<u8> {
    let value = if data == Data::Run { "score,rank" } else { "grade,subtopic" };
    let mut text = format!("query_id,doc_id,{value}\n");
    for topic in 0..4 {
        for document in 0..12 {
            text.push_str(&format!("t{topic},\"d,{document}\",{},{}\n", document % 4, document));
        }
    }
    text.into_bytes()
}

/// The same data in every format that karat reads.
fn seeds(data: Data) -> Vec<(&'static str, Vec<u8>)> {
    let input = Input::bytes("seed", right(data));
    let table = source::table(&input, source::tell(&input, Some(data), Some("csv")).unwrap(), 1).unwrap();
    let names: Vec<&str> = match data {
        Data::Run => RUN_FORMATS.iter().map(|format| format.name).collect(),
        Data::Judgements | Data::Labels => QREL_FORMATS.iter().map(|format| format.name).collect(),
    };
    let mut seeds = Vec::new();
    for name in names.into_iter().filter(|name| reader(name).is_some()) {
        if name == "parquet" && !cfg!(feature = "parquet") {
            continue;
        }
        let writer = writer(name, data).unwrap();
        let (table, _) = prepare(table.clone(), writer, "tag", true).unwrap();
        let mut bytes = Vec::new();
        (writer.write)(&table, &mut bytes).unwrap();
        seeds.push((name, bytes));
    }
    assert!(seeds.len() >= 4);
    seeds
}

#[test]
fn damaged_files_of_records_give_rows_or_problems() {
    let mut chance = Chance(1116);
    let (mut read, mut refused) = (0, 0);
    for data in [Data::Run, Data::Judgements] {
        for (name, seed) in seeds(data) {
            let rounds = if name == "parquet" { 1500 } else { 3000 };
            for _ in 0..rounds {
                let bytes = mutate(&seed, &mut chance);
                match reader(name).unwrap()(&bytes, data) {
                    Ok(table) => {
                        read += 1;
                        assert!(!table.is_empty());
                        for row in 0..table.len() {
                            assert!(!table.text(Column::Topic, row).is_empty());
                            assert!(!table.text(Column::Document, row).is_empty());
                            for column in table.columns().filter(|column| column.is_number()) {
                                assert!(table.number(column, row).unwrap().is_finite());
                            }
                        }
                    }
                    Err(refusal) => {
                        refused += 1;
                        let lines = bytes.split(|&byte| byte == b'\n').count() as u64;
                        let problems = refusal.problems("file");
                        assert!(!problems.is_empty() && problems.kept().len() <= KEPT);
                        for problem in problems.kept() {
                            let told = !problem.remedy.is_empty() && !problem.expected.is_empty();
                            let placed =
                                name == "parquet" || problem.line.is_none_or(|line| (1..=lines).contains(&line));
                            assert!(told && placed, "{problem} of {lines} lines");
                        }
                    }
                }
            }
        }
    }
    println!("{read} read, {refused} refused");
    assert!(read > 500 && refused > 5000, "{read} read, {refused} refused");
}

#[test]
fn damaged_files_are_told_and_evaluated_without_a_panic() {
    let mut chance = Chance(7);
    let mut told = 0;
    for data in [Data::Run, Data::Judgements] {
        for (name, seed) in seeds(data) {
            for _ in 0..200 {
                let input = Input::bytes("file", mutate(&seed, &mut chance));
                if let Ok(Detected::Qrels(format)) = tell(&input) {
                    told += usize::from(format.name == name);
                    let _ = read_qrels(&input, format, Dialect::Strict, 1);
                }
                if let Ok(found) = source::tell(&input, None, None) {
                    let _ = source::table(&input, found, 1);
                }
            }
        }
    }
    assert!(told > 200, "only {told} were told");
}

/// A field or an object that is never closed must not cost more than the file is long.
#[test]
fn what_never_ends_is_refused_in_time() {
    let started = std::time::Instant::now();
    let endless: [(&str, Vec<u8>); 4] = [
        ("csv", [b"qid,docid,score\n1,\"".to_vec(), vec![b'x'; 4 << 20]].concat()),
        ("json", [b"{\"1\": {".to_vec(), b"\"d\": {".repeat(1 << 20)].concat()),
        ("json", b"[".repeat(4 << 20)),
        ("jsonl", b"{\"qid\": 1, \"docid\": \"a\", \"score\": 1}\n".repeat(100_000)),
    ];
    for (name, bytes) in endless {
        let _ = reader(name).unwrap()(&bytes, Data::Run);
    }
    assert!(started.elapsed().as_secs() < 60);
}
