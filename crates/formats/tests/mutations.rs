//! Valid files of every kind, damaged by a seeded mutation, through every reader.
//!
//! Nothing may panic, and what is read must be what a naive reader written here reads: the same rows, as many problems,
//! on the same lines, for any number of threads.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)] // a test may stop, and says what it skips

use crate::chance;

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use karat_data::problem::KEPT;
use karat_data::{Judgement, LineProblem, Problems, RunFacts, RunSource, TopicRows, Visitor, Worker};
use karat_formats::block::{BLOCK, Block, Blocks, Cut, first_field};
use karat_formats::decompress::decompress;
use karat_formats::{Dialect, Input, QREL_FORMATS, RUN_FORMATS, RunFiles, read_qrels};

use chance::{Chance, PIECES, mutate};

// ---- valid files ----

fn valid_run(chance: &mut Chance, topics: usize, depth: usize) -> Vec<u8> {
    let separator = chance.pick(&[" ", " ", " ", "\t", "  "]);
    let end = chance.pick(&["\n", "\n", "\n", "\r\n", " \n"]);
    let mut out = if chance.below(10) == 0 { b"\xef\xbb\xbf".to_vec() } else { Vec::new() };
    for topic in 0..topics {
        if chance.below(20) == 0 {
            out.extend_from_slice(chance.pick(&["# a comment\n", "\n", "  \t\n", "#\n"]).as_bytes());
        }
        for rank in 0..depth {
            let score = match chance.below(4) {
                0 => format!("{}", chance.below(100)),
                1 => format!("{:e}", chance.next() as i64 as f64),
                2 => format!("-{}.{}", chance.below(10), chance.below(1000)),
                _ => format!("{}", chance.next() as f64 / 1e18),
            };
            let fields = [
                format!("{topic}"),
                "Q0".into(),
                format!("doc{}", rank * 7 % depth),
                format!("{rank}"),
                score,
                "tag".into(),
            ];
            out.extend_from_slice(fields.join(separator).as_bytes());
            out.extend_from_slice(end.as_bytes());
        }
    }
    out
}

fn valid_qrels(chance: &mut Chance, topics: usize, depth: usize) -> Vec<u8> {
    let separator = chance.pick(&[" ", " ", "\t", " \t "]);
    let end = chance.pick(&["\n", "\n", "\r\n"]);
    let mut out = Vec::new();
    for topic in 0..topics {
        for document in 0..depth {
            let grade = chance.pick(&["0", "1", "2", "-1", "-2", "3.0", "0.5", "+1", "-0"]);
            out.extend_from_slice(
                [&format!("{topic}"), "0", &format!("doc{document}"), grade].join(separator).as_bytes(),
            );
            out.extend_from_slice(end.as_bytes());
        }
    }
    out
}

fn compress(bytes: &[u8], kind: usize) -> Vec<u8> {
    match kind {
        0 => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        1 => zstd::stream::encode_all(bytes, 1).unwrap(),
        2 => {
            let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        _ => {
            let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 0);
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
    }
}

// ---- the naive reader ----

type Rows = BTreeMap<Vec<u8>, Vec<(Vec<u8>, u64)>>;

/// What a file holds: its rows by topic (docno and the bits of score or grade), and the lines that are wrong.
#[derive(Debug, Default, PartialEq)]
struct Naive {
    rows: Rows,
    wrong: Vec<u64>,
    lines: u64,
}

fn blank(byte: u8) -> bool {
    [b' ', b'\t', b'\r', b'\n', 0x0b, 0x0c].contains(&byte)
}

/// Whether the first bytes alone make a reader refuse the file.
fn not_text(bytes: &[u8]) -> bool {
    let magic: [&[u8]; 11] = [
        b"PK\x03\x04",
        b"7z\xbc\xaf\x27\x1c",
        b"\x1f\x9d",
        b"\x04\x22\x4d\x18",
        b"PAR1",
        b"%PDF-",
        b"\x7fELF",
        b"\xff\xfe",
        b"\xfe\xff",
        b"\x1f\x8b",
        b"\x28\xb5\x2f\xfd",
    ];
    magic.iter().any(|magic| bytes.starts_with(magic))
        || bytes.get(257..262) == Some(b"ustar")
        || bytes.starts_with(b"\xfd7zXZ\0")
        || bytes.starts_with(b"BZh91A")
        || bytes.get(1..4) == Some(b"\x2a\x4d\x18")
        || bytes.iter().take(8192).any(|&byte| byte == 0)
}

fn naive(bytes: &[u8], columns: usize, row: impl Fn(&[&[u8]]) -> Option<u64>) -> Naive {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut found = Naive::default();
    let mut seen = std::collections::BTreeSet::new();
    let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    found.lines = lines.len() as u64;
    for (line, text) in (1..).zip(lines) {
        let fields: Vec<&[u8]> = text.split(|&byte| blank(byte)).filter(|field| !field.is_empty()).collect();
        if fields.is_empty() || text[0] == b'#' {
            continue;
        }
        let marked = fields[0].starts_with(b"\xef\xbb\xbf");
        match row(&fields).filter(|_| fields.len() == columns && !text.contains(&0) && !marked) {
            None => found.wrong.push(line),
            Some(number) => {
                let (topic, docno) = (fields[0].to_vec(), fields[2].to_vec());
                if !seen.insert((topic.clone(), docno.clone())) {
                    found.wrong.push(line);
                }
                found.rows.entry(topic).or_default().push((docno, number));
            }
        }
    }
    found
}

fn number(text: &[u8]) -> Option<f64> {
    std::str::from_utf8(text).ok()?.parse().ok().filter(|number: &f64| number.is_finite())
}

fn naive_run(bytes: &[u8]) -> Naive {
    naive(bytes, 6, |fields| {
        let rank = fields.get(3)?;
        let digits = rank.strip_prefix(b"-").or(rank.strip_prefix(b"+")).unwrap_or(rank);
        digits.first().filter(|byte| byte.is_ascii_digit())?;
        number(fields.get(4)?).map(f64::to_bits)
    })
}

fn naive_qrels(bytes: &[u8]) -> Naive {
    naive(bytes, 4, |fields| {
        number(fields.get(3)?).filter(|grade| grade.abs() <= 1e9).map(|grade| as_judged(grade).to_bits())
    })
}

/// Any negative grade is one thing: pooled, not judged.
fn as_judged(grade: f64) -> f64 {
    if grade < 0.0 { -1.0 } else { grade + 0.0 }
}

// ---- the readers under test ----

/// Keeps all rows, and says which documents occur twice.
#[derive(Default)]
struct Keeping(Mutex<Vec<Kept>>);

/// Attempt, topic, rows.
type Kept = (u32, Vec<u8>, Vec<(Vec<u8>, u64)>);

struct KeepingWorker<'a>(&'a Keeping);

impl Visitor for Keeping {
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(KeepingWorker(self))
    }
}

impl Worker for KeepingWorker<'_> {
    fn topic(&mut self, rows: &TopicRows<'_, '_>) -> Vec<LineProblem> {
        let kept = rows.rows.iter().map(|row| (row.docno.to_vec(), row.score.to_bits())).collect();
        self.0.0.lock().unwrap().push((rows.attempt, rows.topic.to_vec(), kept));
        let mut first = BTreeMap::new();
        let mut problems = Vec::new();
        for row in rows.rows {
            let also_line = *first.entry(row.docno).or_insert(row.line);
            if also_line != row.line {
                let problem = LineProblem::new("docno", "once", "again", "keep one");
                problems.push(LineProblem { line: row.line, also_line: Some(also_line), ..problem });
            }
        }
        problems
    }
}

fn read_run(bytes: &Arc<[u8]>, threads: usize) -> (Result<Vec<RunFacts>, Problems>, Rows) {
    let files = RunFiles::new(vec![Input::bytes("file", bytes.clone())], RUN_FORMATS[0], Dialect::Strict);
    let keeping = Keeping::default();
    let outcome = files.visit(threads, &keeping);
    let kept = keeping.0.into_inner().unwrap();
    let last = kept.iter().map(|(attempt, ..)| *attempt).max().unwrap_or(0);
    let mut rows = Rows::new();
    for (_, topic, own) in kept.into_iter().filter(|(attempt, ..)| *attempt == last) {
        // Several times only where the reading broke off before the second attempt.
        rows.entry(topic).or_default().extend(own);
    }
    (outcome, rows)
}

fn read_judgements(bytes: &Arc<[u8]>) -> Result<Rows, Problems> {
    let input = Input::bytes("file", bytes.clone());
    let (qrels, facts) = read_qrels(&input, QREL_FORMATS[0], Dialect::Strict, 2)?;
    let mut rows = Rows::new();
    for topic in qrels.topics() {
        let documents = qrels.documents(topic).map(|(docno, judgement)| {
            let grade = match judgement {
                Judgement::Grade(grade) => grade.value(),
                Judgement::PooledUnjudged | Judgement::Unpooled => -1.0,
            };
            (docno.to_vec(), grade.to_bits())
        });
        rows.insert(qrels.name(topic).to_vec(), documents.collect());
    }
    assert_eq!(facts.rows as usize, qrels.rows());
    Ok(rows)
}

// ---- what must hold ----

fn check_problems(problems: &Problems, naive: &Naive) {
    assert!(!problems.is_empty() && !problems.to_string().is_empty());
    for problem in problems.kept() {
        assert!(problem.line.is_none_or(|line| (1..=naive.lines).contains(&line)), "{problem} of {}", naive.lines);
    }
    if naive.rows.is_empty() && naive.wrong.is_empty() {
        assert_eq!((problems.total(), problems.kept()[0].line), (1, None), "{problems}");
        return;
    }
    assert_eq!(problems.total(), naive.wrong.len() as u64, "{problems}");
    let lines: Vec<u64> = problems.kept().iter().filter_map(|problem| problem.line).collect();
    if problems.kept()[0].stands_for > 1 {
        assert_eq!(lines, naive.wrong[..1]);
    } else if naive.wrong.len() <= KEPT {
        assert_eq!(lines, naive.wrong);
    } else {
        assert!(lines.is_sorted() && lines.iter().all(|line| naive.wrong.contains(line)));
    }
}

fn check_plain_run(bytes: Vec<u8>) {
    let bytes: Arc<[u8]> = bytes.into();
    let (outcome, rows) = read_run(&bytes, 1);
    for threads in [2, 3] {
        let (again, again_rows) = read_run(&bytes, threads);
        assert_eq!(outcome, again, "{threads} threads");
        assert_eq!(rows, again_rows, "{threads} threads");
    }
    if not_text(&bytes) {
        assert!(outcome.is_err());
        return;
    }
    let naive = naive_run(&bytes);
    assert!(rows == naive.rows, "other rows than the naive reader's of {:?}", String::from_utf8_lossy(&bytes));
    match outcome {
        Ok(facts) => {
            assert!(naive.wrong.is_empty(), "accepted: lines {:?}", naive.wrong);
            assert_eq!(facts[0].rows, naive.rows.values().map(|rows| rows.len() as u64).sum::<u64>());
            assert_eq!(facts[0].topics, naive.rows.len() as u64);
            assert!(facts[0].tag.as_ref().is_some_and(|tag| !tag.is_empty()));
        }
        Err(problems) => check_problems(&problems, &naive),
    }
}

fn check_plain_qrels(bytes: Vec<u8>) {
    let bytes: Arc<[u8]> = bytes.into();
    let outcome = read_judgements(&bytes);
    if not_text(&bytes) {
        assert!(outcome.is_err());
        return;
    }
    let naive = naive_qrels(&bytes);
    match outcome {
        Ok(rows) => {
            assert!(naive.wrong.is_empty(), "accepted: lines {:?}", naive.wrong);
            assert_eq!(rows, naive.rows);
        }
        Err(problems) => check_problems(&problems, &naive),
    }
}

/// The same through a decompressor: damaged is refused, whole is read like the plain bytes.
fn check_compressed(bytes: Vec<u8>, check: impl Fn(Vec<u8>)) {
    let mut plain = Vec::new();
    let bytes: Arc<[u8]> = bytes.into();
    let whole =
        Input::bytes("file", bytes.clone()).open().and_then(decompress).and_then(|mut s| s.read_to_end(&mut plain));
    let (run, _) = read_run(&bytes, 2);
    let qrels = read_judgements(&bytes);
    match whole {
        Err(_) => assert!(run.is_err() && qrels.is_err()),
        Ok(_) => {
            let as_plain: Arc<[u8]> = plain.clone().into();
            if !not_text(&plain) {
                assert_eq!(run, read_run(&as_plain, 1).0);
                assert_eq!(qrels, read_judgements(&as_plain));
                check(plain);
            }
        }
    }
}

#[test]
fn mutated_files_are_read_as_the_naive_reader_reads_them_or_refused() {
    let mut chance = Chance(20240607);
    let mut fed = 0usize;
    let mut files = 0usize;
    let started = std::time::Instant::now();
    for round in 0..240 {
        let (topics, depth) = if round % 50 == 0 { (90, 100) } else { (1 + chance.below(12), 1 + chance.below(40)) };
        let run = valid_run(&mut chance, topics, depth);
        let qrels = valid_qrels(&mut chance, topics, depth);
        for _ in 0..3 {
            let mutated = mutate(&run, &qrels, &mut chance);
            fed += mutated.len();
            check_plain_run(mutated);
            let mutated = mutate(&qrels, &run, &mut chance);
            fed += mutated.len();
            check_plain_qrels(mutated);
            files += 2;
        }
        let kind = round % 4;
        for (bytes, check) in [(&run, check_plain_run as fn(Vec<u8>)), (&qrels, check_plain_qrels as fn(Vec<u8>))] {
            let packed = compress(bytes, kind);
            check_compressed(packed.clone(), check);
            let mutated = mutate(&packed, &compress(b"1 Q0 d 1 1 t\n", (kind + 1) % 4), &mut chance);
            fed += packed.len() + mutated.len();
            check_compressed(mutated, check);
            files += 2;
        }
    }
    println!("{fed} bytes in {files} files, {:.1} s", started.elapsed().as_secs_f64());
    assert!(fed >= 10_000_000, "only {fed} bytes");
}

#[test]
fn random_bytes_after_any_magic_are_refused_without_a_panic() {
    let mut chance = Chance(7);
    for magic in PIECES {
        for length in [0, 1, 5, 30, 1000] {
            let mut bytes = magic.to_vec();
            bytes.extend((0..length).map(|_| chance.next() as u8));
            let bytes: Arc<[u8]> = bytes.into();
            assert!(read_run(&bytes, 2).0.is_err() || bytes.starts_with(b"1 Q0 "), "{bytes:?}");
            assert!(read_judgements(&bytes).is_err() || bytes.starts_with(b"1 0 "), "{bytes:?}");
        }
    }
}

#[test]
fn topics_together_or_not_give_the_same_rows() {
    let mut chance = Chance(11);
    for topics in [2, 5, 90] {
        let grouped = valid_run(&mut chance, topics, 100);
        let mut lines: Vec<&[u8]> = grouped.split_inclusive(|&byte| byte == b'\n').collect();
        // The last line of the first topic goes to the end: the order within the topic stays.
        let moved = lines.remove(lines.iter().rposition(|line| first_field(line) == Some(b"0")).unwrap());
        lines.push(moved);
        let (grouped, ungrouped): (Arc<[u8]>, Arc<[u8]>) = (grouped.clone().into(), lines.concat().into());
        let (facts, rows) = read_run(&grouped, 2);
        let (again, again_rows) = read_run(&ungrouped, 2);
        assert_eq!(rows, again_rows);
        let (facts, again) = (facts.unwrap(), again.unwrap());
        assert_eq!((facts[0].attempt, again[0].attempt), (0, 1));
        assert_eq!((facts[0].rows, facts[0].topics), (again[0].rows, again[0].topics));
    }
}

/// Counts the bytes taken from it.
struct Counting<R>(R, Arc<AtomicUsize>);

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.0.read(buffer)?;
        self.1.fetch_add(read, Ordering::Relaxed);
        Ok(read)
    }
}

#[test]
fn a_bomb_is_refused_at_its_beginning() {
    for (fill, lines) in [(0u8, "zeros"), (b'a', "one endless line")] {
        // 64 MiB, in members of one.
        let bomb: Arc<[u8]> = compress(&vec![fill; 1 << 20], 0).repeat(64).into();
        let taken = Arc::new(AtomicUsize::new(0));
        let (bytes, count) = (bomb.clone(), taken.clone());
        let input = Input::new("bomb", move || {
            Ok(Box::new(Counting(std::io::Cursor::new(bytes.clone()), count.clone())) as Box<dyn Read + Send>)
        });
        let refused = RunFiles::new(vec![input], RUN_FORMATS[0], Dialect::Strict).visit(2, &Keeping::default());
        assert!(refused.is_err());
        let taken = taken.load(Ordering::Relaxed);
        assert!(taken <= 40_000 && taken * 4 < bomb.len(), "{lines}: {taken} of {}", bomb.len());
    }
}

#[test]
fn blocks_stay_small_however_large_a_file_grouped_by_topic_is() {
    let mut chance = Chance(3);
    let text: Arc<[u8]> = valid_run(&mut chance, 2000, 100).into();
    let mut blocks = Blocks::open(&Input::bytes("file", text.clone()), Cut::Topic(first_field)).unwrap();
    let mut block = Block::default();
    let (mut largest, mut total) = (0, 0);
    while blocks.next(&mut block).unwrap() {
        largest = largest.max(block.lines().len());
        total += block.lines().len();
    }
    assert!(total > 5_000_000 && largest <= BLOCK, "{largest} of {total}");
}
