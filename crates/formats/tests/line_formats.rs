//! Valid files of the line formats beside TREC's, damaged by a seeded mutation: each reader against a naive one written
//! here, and detection against the readers. Nothing may panic.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)] // a test may stop, and says what it skips

use crate::chance;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use karat_data::problem::KEPT;
use karat_data::{LineProblem, Problems, Qrels, RunSource, TopicRows, Visitor, Worker};
use karat_formats::{Choice, Dialect, Input, QREL_FORMATS, RUN_FORMATS, RunFiles, detect, read_qrels};

use chance::{Chance, PIECES, mutate};

// ---- valid files ----

fn valid(format: &str, chance: &mut Chance) -> Vec<u8> {
    let separator = chance.pick(&[" ", "\t", "  "]);
    let end = chance.pick(&["\n", "\n", "\r\n"]);
    let (topics, documents) = (1 + chance.below(8), 2 + chance.below(30));
    let mut out = Vec::new();
    for topic in 0..topics {
        if chance.below(8) == 0 {
            out.extend_from_slice(b"# a comment\n\n");
        }
        for document in 0..documents {
            let (topic, docno) = (topic.to_string(), format!("doc{document}"));
            let grade = chance.pick(&["0", "1", "2", "-1", "-2"]);
            let group = chance.below(3);
            let lines: Vec<Vec<String>> = match format {
                "msmarco" => vec![vec![topic, docno, (document + 1).to_string()]],
                "sampled" => vec![vec![topic, "0".into(), docno, group.to_string(), grade.into()]],
                "prels" => {
                    let chosen = chance.pick(&["1", "0.25", "1e-3", "0.600318836372593"]);
                    vec![vec![topic, docno, grade.into(), group.to_string(), chosen.into()]]
                }
                "trec-prefs" => {
                    let level = chance.pick(&["0", "1", "2.5"]);
                    vec![vec![topic, group.to_string(), "0".into(), docno, level.into()]]
                }
                _ => (0..=group).map(|of| vec![topic.clone(), of.to_string(), docno.clone(), grade.into()]).collect(),
            };
            for line in lines {
                out.extend_from_slice(line.join(separator).as_bytes());
                out.extend_from_slice(end.as_bytes());
            }
        }
    }
    out
}

// ---- the naive reader ----

/// Docno, group, subgroup, bits of the number.
type Row = (Vec<u8>, Vec<u8>, Vec<u8>, u64);

#[derive(Debug, Default)]
struct Naive {
    rows: BTreeMap<Vec<u8>, Vec<Row>>,
    /// Lines with something wrong, as often as there is something.
    wrong: Vec<u64>,
}

fn number(text: &[u8]) -> Option<f64> {
    std::str::from_utf8(text).ok()?.parse().ok().filter(|number: &f64| number.is_finite())
}

fn grade(text: &[u8]) -> Option<f64> {
    number(text).filter(|grade| grade.abs() <= 1e9)
}

fn whole(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    (1..=9).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit)
}

/// A line's docno, group, subgroup and number, where it is right.
fn row(format: &str, fields: &[&[u8]]) -> Option<Row> {
    let made = |docno: &[u8], group: &[u8], subgroup: &[u8], value: f64| {
        Some((docno.to_vec(), group.to_vec(), subgroup.to_vec(), value.to_bits()))
    };
    match (format, fields) {
        ("msmarco", [_, docno, rank]) => {
            let rank = Some(rank).filter(|rank| rank.len() <= 10 && rank.iter().all(u8::is_ascii_digit))?;
            made(docno, b"", b"", 0.0 - number(rank).filter(|rank| *rank <= 1e9)?)
        }
        ("sampled", [_, _, docno, stratum, number]) => {
            let number = grade(number).filter(|_| whole(stratum))?;
            made(docno, stratum, b"", if number < 0.0 { -1.0 } else { number })
        }
        ("prels", [_, docno, of, method, chance]) => {
            grade(of).filter(|_| whole(method))?;
            made(docno, method, b"", number(chance).filter(|chance| *chance > 0.0 && *chance <= 1.0)?)
        }
        ("trec-prefs", [_, group, subgroup, docno, level]) => {
            made(docno, group, subgroup, grade(level).filter(|level| *level >= 0.0)?)
        }
        ("diversity" | "trec-jg", [_, group, docno, of]) => made(docno, group, b"", grade(of)?),
        _ => None,
    }
}

fn naive(format: &str, bytes: &[u8]) -> Naive {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let (mut found, mut seen, mut ranks) = (Naive::default(), BTreeSet::new(), BTreeSet::new());
    for (line, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let blank = |byte: &u8| [b' ', b'\t', b'\r', 0x0b, 0x0c].contains(byte);
        let fields: Vec<&[u8]> = text.split(blank).filter(|field| !field.is_empty()).collect();
        if fields.is_empty() || text[0] == b'#' {
            continue;
        }
        let whole_line = !text.contains(&0) && !fields[0].starts_with(b"\xef\xbb\xbf");
        let Some(row) = row(format, &fields).filter(|_| whole_line) else {
            found.wrong.push(line);
            continue;
        };
        let single = ["msmarco", "sampled", "prels"].contains(&format);
        let (group, subgroup) = if single { Default::default() } else { (row.1.clone(), row.2.clone()) };
        if !seen.insert((fields[0], row.0.clone(), group, subgroup)) {
            found.wrong.push(line);
        }
        if format == "msmarco" && !ranks.insert((fields[0], row.3)) {
            found.wrong.push(line);
        }
        found.rows.entry(fields[0].to_vec()).or_default().push(row);
    }
    found
}

/// Topics and groups of preferences that are no order: a circle, or level 0 in one subgroup and more in another.
fn contradictions(found: &Naive) -> usize {
    let groups = |rows: &[Row]| rows.iter().map(|row| row.1.clone()).collect::<BTreeSet<_>>();
    let contradicts = |rows: &[&Row]| {
        let level = |row: &Row| f64::from_bits(row.3);
        let mut above: BTreeSet<(&[u8], &[u8])> = BTreeSet::new();
        for (a, b) in rows.iter().flat_map(|a| rows.iter().map(move |b| (a, b))) {
            if a.2 == b.2 && level(a) > level(b) {
                above.insert((&a.0, &b.0));
            }
        }
        loop {
            let through = above.iter().flat_map(|a| above.iter().filter(|b| a.1 == b.0).map(|b| (a.0, b.1)));
            let more: Vec<_> = through.filter(|pair| !above.contains(pair)).collect();
            if more.is_empty() {
                break;
            }
            above.extend(more);
        }
        let mixed =
            |row: &&Row| rows.iter().any(|other| other.0 == row.0 && (level(other) > 0.0) != (level(row) > 0.0));
        above.iter().any(|(a, b)| a == b) || rows.iter().any(mixed)
    };
    let of_topic = |rows: &Vec<Row>| {
        let own = |group: &Vec<u8>| rows.iter().filter(|row| row.1 == *group).collect::<Vec<_>>();
        groups(rows).iter().filter(|group| contradicts(&own(group))).count()
    };
    found.rows.values().map(of_topic).sum()
}

// ---- the readers under test ----

fn rows_of(qrels: &Qrels) -> BTreeMap<Vec<u8>, Vec<Row>> {
    let marks = qrels.marks().unwrap();
    let mut rows = BTreeMap::new();
    for topic in qrels.topics() {
        let docnos: Vec<&[u8]> = qrels.documents(topic).map(|(docno, _)| docno).collect();
        let mut own: Vec<Row> = Vec::new();
        for mark in marks.topic(topic) {
            let name = |number: u32| marks.group_name(number).to_vec();
            let docno = docnos[mark.document as usize].to_vec();
            own.push((docno, name(mark.group), name(mark.subgroup), mark.value.to_bits()));
        }
        own.sort();
        rows.insert(qrels.name(topic).to_vec(), own);
    }
    rows
}

/// By attempt and topic.
type Kept = BTreeMap<(u32, Vec<u8>), Vec<Row>>;

#[derive(Default)]
struct Keeping(Mutex<Kept>);

impl Visitor for Keeping {
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(self)
    }
}

impl Worker for &Keeping {
    fn topic(&mut self, rows: &TopicRows<'_, '_>) -> Vec<LineProblem> {
        let mut own: Vec<Row> =
            rows.rows.iter().map(|row| (row.docno.to_vec(), Vec::new(), Vec::new(), row.score.to_bits())).collect();
        own.sort();
        self.0.lock().unwrap().insert((rows.attempt, rows.topic.to_vec()), own);
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

/// The rows by topic.
fn read(format: &str, bytes: &[u8], threads: usize) -> Result<BTreeMap<Vec<u8>, Vec<Row>>, Problems> {
    let input = Input::bytes("file", bytes);
    if format == "msmarco" {
        let choice = detect::run_by_name(format).unwrap();
        let keeping = Keeping::default();
        let facts = RunFiles::new(vec![input], choice, Dialect::Strict).visit(threads, &keeping)?;
        let kept = keeping.0.into_inner().unwrap();
        return Ok(kept
            .into_iter()
            .filter(|((attempt, _), _)| *attempt == facts[0].attempt)
            .map(|((_, topic), rows)| (topic, rows))
            .collect());
    }
    let choice = detect::qrels_by_name(format).unwrap();
    read_qrels(&input, choice, Dialect::Strict, threads).map(|(qrels, _)| rows_of(&qrels))
}

fn not_text(bytes: &[u8]) -> bool {
    bytes.iter().take(8192).any(|&byte| byte == 0)
        || PIECES
            .iter()
            .filter(|piece| piece.len() >= 2 && !piece.is_ascii())
            .any(|piece| bytes.starts_with(piece) && !piece.starts_with(b"\xef"))
        || bytes.starts_with(b"BZh91A")
        || bytes.get(257..262) == Some(b"ustar")
}

fn check(format: &str, bytes: &[u8]) {
    let outcome = read(format, bytes, 1);
    assert_eq!(outcome, read(format, bytes, 3), "{format}: other threads");
    if not_text(bytes) {
        return;
    }
    let mut naive = naive(format, bytes);
    naive.rows.values_mut().for_each(|rows| rows.sort());
    let text = String::from_utf8_lossy(bytes);
    match outcome {
        Ok(rows) => {
            assert!(naive.wrong.is_empty(), "{format}: accepted lines {:?} of {text}", naive.wrong);
            assert!(format != "trec-prefs" || contradictions(&naive) == 0, "{format}: accepted {text}");
            assert!(rows == naive.rows, "{format}: other rows than the naive reader's of {text}");
        }
        Err(problems) => {
            if naive.rows.is_empty() && naive.wrong.is_empty() {
                assert_eq!((problems.total(), problems.kept()[0].line), (1, None), "{problems}");
                return;
            }
            // Preferences whose lines are all right may still be no order.
            if format == "trec-prefs" && naive.wrong.is_empty() {
                assert_eq!(problems.total(), contradictions(&naive) as u64, "{problems} of {text}");
                return;
            }
            assert_eq!(problems.total(), naive.wrong.len() as u64, "{format}: {problems} of {text}");
            let lines: Vec<u64> = problems.kept().iter().filter_map(|problem| problem.line).collect();
            if problems.kept()[0].stands_for == 1 && naive.wrong.len() <= KEPT {
                assert_eq!(lines, naive.wrong, "{format}: {problems} of {text}");
            }
        }
    }
}

const FORMATS: [&str; 6] = ["msmarco", "diversity", "sampled", "prels", "trec-prefs", "trec-jg"];

#[test]
fn mutated_files_are_read_as_the_naive_reader_reads_them_or_refused() {
    let mut chance = Chance(1_234_567);
    for round in 0..300 {
        for (place, format) in FORMATS.into_iter().enumerate() {
            let file = valid(format, &mut chance);
            check(format, &file);
            assert!(read(format, &file, 2).is_ok(), "{format}: {}", String::from_utf8_lossy(&file));
            let other = valid(FORMATS[(place + 1 + round % 5) % FORMATS.len()], &mut chance);
            check(format, &mutate(&file, &other, &mut chance));
        }
    }
}

/// What is told from content is told for whole files, and never other than by a row whose rule holds; damaged files are
/// told to be something or refused, without a panic, and one that is told is read as if its format had been named.
#[test]
fn detection_of_mutated_files() {
    let mut chance = Chance(99);
    for _ in 0..200 {
        for format in FORMATS {
            let file = valid(format, &mut chance);
            let mutated = mutate(&file, &valid(FORMATS[chance.below(6)], &mut chance), &mut chance);
            for bytes in [&file, &mutated] {
                let input = Input::bytes("file", bytes.as_slice());
                let Ok(found) = detect::tell(&input) else { continue };
                match found {
                    detect::Detected::Run(found) => {
                        let visit = |choice| {
                            let keeping = Keeping::default();
                            let input = Input::bytes("file", bytes.as_slice());
                            RunFiles::new(vec![input], choice, Dialect::Strict).visit(2, &keeping)
                        };
                        assert_eq!(visit(detect::RUN), visit(Choice::Given(found)));
                    }
                    detect::Detected::Qrels(found) => {
                        let read = |choice| read_qrels(&input, choice, Dialect::Strict, 2).map(|(_, facts)| facts);
                        assert_eq!(read(detect::QRELS), read(Choice::Given(found)));
                    }
                }
            }
        }
    }
}

#[test]
fn valid_files_are_told_from_their_content() {
    let mut chance = Chance(5);
    for _ in 0..200 {
        for format in ["msmarco", "sampled", "prels", "trec-prefs"] {
            let file = valid(format, &mut chance);
            let found = match detect::tell(&Input::bytes("file", file.as_slice())).unwrap() {
                detect::Detected::Run(found) => found.name,
                detect::Detected::Qrels(found) => found.name,
            };
            assert_eq!(found, format, "{}", String::from_utf8_lossy(&file));
        }
    }
}

#[test]
fn a_file_is_opened_once_and_may_be_compressed() {
    let mut chance = Chance(17);
    for format in FORMATS {
        let file = valid(format, &mut chance);
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(&file).unwrap();
        let packed = packed.finish().unwrap();
        let opened = Arc::new(AtomicUsize::new(0));
        let (bytes, count) = (packed.clone(), opened.clone());
        let input = Input::new("file", move || {
            count.fetch_add(1, Ordering::Relaxed);
            Ok(Box::new(std::io::Cursor::new(bytes.clone())) as Box<dyn Read + Send>)
        });
        if format == "msmarco" {
            let facts = RunFiles::new(vec![input], detect::RUN, Dialect::Strict).visit(2, &Keeping::default()).unwrap();
            assert_eq!(facts[0].format, format);
        } else {
            // Judgement groups have to be asked for.
            let named = detect::qrels_by_name(if format == "trec-jg" { format } else { "auto" }).unwrap();
            let (_, facts) = read_qrels(&input, named, Dialect::Strict, 2).unwrap();
            assert_eq!(facts.format, format);
        }
        assert_eq!(opened.load(Ordering::Relaxed), 1, "{format}");
    }
}

#[test]
fn names_of_formats_are_unique_and_words() {
    let runs: BTreeSet<&str> = RUN_FORMATS.iter().map(|format| format.name).collect();
    let qrels: BTreeSet<&str> = QREL_FORMATS.iter().map(|format| format.name).collect();
    assert_eq!((runs.len(), qrels.len()), (RUN_FORMATS.len(), QREL_FORMATS.len()));
    for name in runs.iter().chain(&qrels) {
        assert!(*name != "auto" && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{name}");
    }
    for (about, layout) in
        RUN_FORMATS.iter().map(|f| (f.about, f.layout)).chain(QREL_FORMATS.iter().map(|f| (f.about, f.layout)))
    {
        assert!(about.ends_with('.') && !layout.is_empty(), "{about}");
    }
}
