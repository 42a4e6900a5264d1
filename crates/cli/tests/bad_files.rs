//! Bad files and bad arguments, one row each, through the real program: the exact words on standard error, the exit
//! status, and that `-o` left nothing behind.
//!
//! The words are in `bad_files.expected`, one section per row, so that they can be read as a page. After a change on
//! purpose, `KARAT_WRITE_EXPECTED=1 cargo test -p karat-cli --test all bad_files` writes the page anew; read the difference.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)] // a test may stop, and says what it skips
#![cfg(unix)]

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const QRELS: &str = "1 0 d1 1\n1 0 d2 0\n2 0 d1 2\n";
const RUN: &str = "1 Q0 d1 1 2.5 r\n1 Q0 d2 2 1.5 r\n2 Q0 d3 1 1 r\n";

/// One row: what is in the folder and what is asked. `q` is the judgements, `a.run` the run; more files may be made.
struct Case {
    name: &'static str,
    qrels: Vec<u8>,
    run: Vec<u8>,
    /// After `eval q a.run -o out.json`, or in place of all of it when it begins with a command.
    arguments: Vec<&'static str>,
    stdin: Vec<u8>,
}

fn case(name: &'static str) -> Case {
    Case { name, qrels: QRELS.into(), run: RUN.into(), arguments: Vec::new(), stdin: Vec::new() }
}

/// A bad run.
fn run(name: &'static str, bytes: impl Into<Vec<u8>>) -> Case {
    Case { run: bytes.into(), ..case(name) }
}

/// Bad judgements.
fn qrels(name: &'static str, bytes: impl Into<Vec<u8>>) -> Case {
    Case { qrels: bytes.into(), ..case(name) }
}

/// Good preferences of a over b over c, and a bad line (or more) after them.
fn preferences(name: &'static str, lines: &str) -> Case {
    qrels(name, format!("1 ann s a 3\n1 ann s b 2\n1 ann s c 1\n{lines}\n"))
}

/// Bad arguments.
fn arguments(name: &'static str, arguments: &[&'static str]) -> Case {
    Case { arguments: arguments.to_vec(), ..case(name) }
}

/// A run of many topics, larger than one block.
fn long_run(topics: usize) -> String {
    let mut text = String::new();
    for topic in 1..=topics {
        for rank in 1..=100 {
            writeln!(text, "{topic} Q0 document{rank} {rank} {} r", 1000 - rank).unwrap();
        }
    }
    text
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zst(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bz2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Without its last quarter.
fn cut(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() * 3 / 4);
    bytes
}

/// With the byte at `from_end` from the end changed.
fn spoilt(mut bytes: Vec<u8>, from_end: usize) -> Vec<u8> {
    let at = bytes.len() - from_end;
    bytes[at] ^= 0x55;
    bytes
}

fn with(first: &[u8], second: &[u8]) -> Vec<u8> {
    [first, second].concat()
}

fn utf16(text: &str, mark: bool, little: bool) -> Vec<u8> {
    let units = mark.then_some(0xfeff).into_iter().chain(text.encode_utf16());
    units.flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
}

fn tar() -> Vec<u8> {
    let mut bytes = b"a.run".to_vec();
    bytes.resize(257, 0);
    bytes.extend_from_slice(b"ustar\x0000");
    bytes.resize(1024, 0);
    bytes
}

fn cases() -> Vec<Case> {
    let good = RUN.as_bytes();
    let one_bad = |line: &str| format!("{RUN}{line}\n");
    let one_bad_qrel = |line: &str| format!("{QRELS}{line}\n");
    let mut ungrouped = long_run(80);
    ungrouped.push_str("1 Q0 document50 101 1 r\n");
    let mut far_apart = long_run(80);
    far_apart.push_str("80 Q0 document1 101 1 r\n");
    let mut long_line = long_run(80);
    long_line.push_str("81 Q0 ");
    long_line.push_str(&"x".repeat(3 << 20));
    let long_qrels: String = (0..2000).map(|row| format!("1 0 document{row} 1\n")).collect();
    let twenty_five: String = (0..25).map(|row| format!("3 Q0 x{row} {row} high r\n")).collect();
    let mut both_kinds = String::new();
    for row in 0..12 {
        write!(both_kinds, "1 Q0 d{row} 1 x r\n1 Q0 e 1 1 r\n").unwrap();
    }
    vec![
        // Fields of a run line: each count but six.
        run("run: 1 field", one_bad("2")),
        run("run: 2 fields", one_bad("2 Q0")),
        run("run: 3 fields", one_bad("2 Q0 d4")),
        run("run: 4 fields", one_bad("2 Q0 d4 2")),
        run("run: 4 fields, the last no number", one_bad("2 Q0 d4 r")),
        run("run: 5 fields", one_bad("2 Q0 d4 2 0.5")),
        run("run: 7 fields", one_bad("2 Q0 d4 2 0.5 r s")),
        run("run: 10 fields", one_bad("2 Q0 d4 with blanks in it 2 0.5 r")),
        // Scores and ranks.
        run("score: a word", one_bad("2 Q0 d4 2 high r")),
        run("score: a comma", one_bad("2 Q0 d4 2 0,5 r")),
        run("score: NaN", one_bad("2 Q0 d4 2 NaN r")),
        run("score: -nan", one_bad("2 Q0 d4 2 -nan r")),
        run("score: inf", one_bad("2 Q0 d4 2 inf r")),
        run("score: -Infinity", one_bad("2 Q0 d4 2 -Infinity r")),
        run("score: 1e400", one_bad("2 Q0 d4 2 1e400 r")),
        run("score: 1.5.2", one_bad("2 Q0 d4 2 1.5.2 r")),
        run("score: hexadecimal", one_bad("2 Q0 d4 2 0x1p3 r")),
        run("score: 1_000", one_bad("2 Q0 d4 2 1_000 r")),
        run("rank: a word", one_bad("2 Q0 2 d4 0.5 r")),
        // Documents that occur twice.
        run("duplicate: adjacent", one_bad("2 Q0 d3 2 0.5 r")),
        // Documents are looked at in judged topics only.
        Case { qrels: one_bad_qrel("80 0 d1 1").into(), ..run("duplicate: in a later block", far_apart) },
        run("duplicate: across a file not grouped by topic", ungrouped),
        run("duplicate: three times", "1 Q0 d 1 3 r\n1 Q0 d 2 2 r\n1 Q0 d 3 1 r\n"),
        run("duplicates and wrong lines are told in the order of lines", both_kinds),
        // Files without data.
        run("run: empty", ""),
        run("run: only comments", "# a\n# b\n"),
        run("run: only blank lines", "\n  \n\t\r\n"),
        run("run: only a byte-order mark", b"\xef\xbb\xbf".as_slice()),
        run("run: an empty gz", gz(b"")),
        qrels("qrels: empty", ""),
        qrels("qrels: only comments", "# a\n# b"),
        qrels("qrels: only blank lines", "\n\n"),
        // Compression.
        run("gz cut off", cut(gz(long_run(80).as_bytes()))),
        run("zst cut off", cut(zst(long_run(80).as_bytes()))),
        run("bz2 cut off", cut(bz2(long_run(80).as_bytes()))),
        run("xz cut off", cut(xz(long_run(80).as_bytes()))),
        run("gz: only its first two bytes", b"\x1f\x8b".as_slice()),
        run("gz: wrong check sum", spoilt(gz(good), 8)),
        run("gz: wrong length", spoilt(gz(good), 1)),
        run("zst: wrong check sum", spoilt(zst(good), 1)),
        run("bz2: wrong check sum", spoilt(bz2(good), 3)),
        run("xz: wrong check sum", spoilt(xz(good), 40)),
        run("gz: something after its end", with(&gz(good), b"more text\n")),
        run("zst: something after its end", with(&zst(good), b"more text\n")),
        run("bz2: something after its end", with(&bz2(good), b"more text\n")),
        run("xz: something after its end", with(&xz(good), b"more text\n")),
        run("gz in gz", gz(&gz(good))),
        qrels("qrels: gz cut off", cut(gz(QRELS.as_bytes()))),
        // Not text.
        run("a zero byte at the start", b"1 Q0 d\0 1 1 r\n".as_slice()),
        run("a zero byte later", with(long_run(80).as_bytes(), b"4 Q0 d\x004 1 1 r\n")),
        run("zeros where the file was never written", with(long_run(80).as_bytes(), &[0; 600])),
        run("a program", b"\x7fELF\x02\x01\x01\0\0\0\0\0".as_slice()),
        run("UTF-16 without a mark", utf16(RUN, false, true)),
        run("a tar archive", tar()),
        run("a tar archive, gz", gz(&tar())),
        run("a zip archive", b"PK\x03\x04\x14\0\0\0".as_slice()),
        qrels("qrels: binary", b"\x01\x02\x00\x03".as_slice()),
        qrels("qrels: a zero byte later", with(long_qrels.as_bytes(), b"3 0 d\0 1\n")),
        qrels("qrels: UTF-16 without a mark", utf16(QRELS, false, true)),
        // Something else.
        run("a qrels file given as a run", QRELS),
        qrels("a run given as qrels", RUN),
        run("JSON that is no run", "{\"a\": 1}\n"),
        run("HTML", "<!DOCTYPE html>\n<html><body>404 Not Found</body></html>\n"),
        run("semicolons", "1;Q0;d1;1;2.5;r\n2;Q0;d1;1;2.5;r\n"),
        run("lines that end with a carriage return alone", RUN.replace('\n', "\r")),
        qrels("qrels: lines that end with a carriage return alone", QRELS.replace('\n', "\r")),
        run("terminal codes", one_bad("2 Q0 \x1b]0;title\x07 1 \x1b[31mred r")),
        run("not UTF-8", b"1 Q0 \xff\xfe 1 \xe9 r\n".as_slice()),
        run("a line without end", "x".repeat(3 << 20)),
        run("a line without end after others", long_line),
        run("no topic in common", "301 Q0 d1 1 2.5 r\n"),
        run("no topic in common, leading zeros", "001 Q0 d1 1 2.5 r\n002 Q0 d1 1 2.5 r\n"),
        run("every line wrong alike", twenty_five.clone()),
        run("more than twenty problems", format!("{RUN}{twenty_five}")),
        // Qrels lines.
        qrels("qrels: 1 field", one_bad_qrel("2")),
        qrels("qrels: 2 fields", one_bad_qrel("2 0")),
        qrels("qrels: 3 fields", one_bad_qrel("2 d4 1")),
        qrels("qrels: 5 fields", one_bad_qrel("2 0 d4 1 1")),
        qrels("qrels: 6 fields", one_bad_qrel("2 Q0 d4 1 0.5 r")),
        qrels("qrels: 7 fields", one_bad_qrel("2 0 a docno with blanks 1")),
        qrels("grade: a word", one_bad_qrel("2 0 d4 relevant")),
        qrels("grade: 1.5.2", one_bad_qrel("2 0 d4 1.5.2")),
        qrels("grade: 0x1", one_bad_qrel("2 0 d4 0x1")),
        qrels("grade: a comma", one_bad_qrel("2 0 d4 1,5")),
        qrels("grade: nan", one_bad_qrel("2 0 d4 nan")),
        qrels("grade: inf", one_bad_qrel("2 0 d4 inf")),
        qrels("grade: 1e400", one_bad_qrel("2 0 d4 1e400")),
        qrels("grade: too large to compute with", one_bad_qrel("2 0 d4 1e300")),
        qrels("qrels: duplicate, the same grade", one_bad_qrel("1 0 d1 1")),
        qrels("qrels: duplicate, another grade", "1 0 d1 1\n2 0 d1 1\n1 0 d1 0\n"),
        qrels("qrels: duplicate and a wrong line before it", "1 0 d1 1\n1 0 d2 x\n1 0 d1 0\n"),
        preferences("preferences: a level below 0", "1 g s d1 -1"),
        preferences("preferences: a level with a comma", "1 g s d1 0,5"),
        preferences("preferences: a circle through a third document", "1 ann t c 2\n1 ann t a 1"),
        preferences("preferences: level 0 here and 1 there", "1 ann t c 1\n1 ann t d 0\n1 ann u d 1\n1 ann u e 0"),
        Case { arguments: vec!["-m", "AP", "-m", "PrefRatio"], ..preferences("preferences: a measure of grades", "") },
        Case { arguments: vec!["-m", "PrefRatio"], ..case("qrels: a measure of preferences") },
        Case {
            arguments: vec!["--qrels-format", "trec-jg", "-m", "GroupP"],
            ..qrels("judgement groups: no cut-off", "1 ann d1 1\n")
        },
        qrels("qrels: CSV", "1,0,d1,1\n1,0,d2,0\n"),
        // Files that cannot be had.
        arguments("a missing run", &["eval", "q", "none.run", "-o", "out.json"]),
        arguments("missing qrels", &["eval", "none", "a.run", "-o", "out.json"]),
        arguments("an empty folder as a run", &["eval", "q", "empty", "-o", "out.json"]),
        arguments("a folder as qrels", &["eval", "folder", "a.run", "-o", "out.json"]),
        arguments("a file used as a folder", &["eval", "q", "a.run/x", "-o", "out.json"]),
        arguments("one missing run and one bad", &["eval", "q", "none.run", "bad.run", "-o", "out.json"]),
        arguments("two missing runs", &["eval", "q", "none.run", "no.run", "-o", "out.json"]),
        // Names.
        arguments("the same run twice", &["eval", "q", "a.run", "a.run", "-o", "out.json"]),
        arguments("the same tag and file stem", &["eval", "q", "a.run", "folder/a.txt", "-o", "out.json"]),
        // Arguments.
        arguments("an unknown measure, nearly known", &["-m", "nDGC@10"]),
        arguments("an unknown measure", &["-m", "quality"]),
        arguments("a cutoff of 0", &["-m", "P@0"]),
        arguments("a cutoff that is a word", &["-m", "P@ten"]),
        arguments("a negative cutoff", &["-m", "P@-5"]),
        arguments("a fractional cutoff", &["-m", "P@1.5"]),
        arguments("a huge cutoff", &["-m", "P@99999999999999999999"]),
        arguments("a parameter out of range", &["-m", "RBP(p=1.5)"]),
        arguments("a parameter that is not one", &["-m", "RBP(q=0.5)"]),
        arguments("a parenthesis too few", &["-m", "RBP(p=0.5"]),
        arguments("an empty measure", &["-m", ""]),
        arguments("-o is an input", &["eval", "q", "a.run", "-o", "a.run", "-f", "json"]),
        run("a byte-order mark inside", with(RUN.as_bytes(), b"\xef\xbb\xbf3 Q0 d1 1 1 r\n")),
        arguments("a gain too large", &["eval", "q", "a.run", "-m", "nDCG(gains={1:1e308})", "-o", "out.json"]),
        arguments("a level below 0", &["eval", "q", "a.run", "-l", "-1", "-o", "out.json"]),
        arguments("an ending that names no format", &["eval", "q", "a.run", "-o", "out.xlsx"]),
        arguments("-l 0", &["-l", "0"]),
        arguments("-l nan", &["-l", "nan"]),
        arguments("-l a word", &["-l", "high"]),
        arguments("--level 95", &["--level", "95"]),
        arguments("--level 1", &["--level", "1"]),
        arguments("--level nan", &["--level", "nan"]),
        arguments("-M 0", &["-M", "0"]),
        arguments("--threads 0", &["--threads", "0"]),
        arguments("--max-grade below the largest", &["--max-grade", "1"]),
        arguments("--max-grade nan", &["--max-grade", "nan"]),
        arguments("--topics with an unknown one", &["--topics", "1,7"]),
        arguments("--topics with none", &["--topics", ","]),
        arguments("--format unknown", &["-f", "xml"]),
        arguments("--missing-topics error", &["eval", "q3", "a.run", "--missing-topics", "error", "-o", "out.json"]),
        Case { stdin: RUN.into(), ..arguments("- twice", &["eval", "-", "-", "-o", "out.json"]) },
        Case {
            stdin: b"1 Q0 d 1 x r\n".to_vec(),
            ..arguments("a bad standard input", &["eval", "q", "-", "-o", "out.json"])
        },
        arguments("an empty standard input", &["eval", "-", "a.run", "-o", "out.json"]),
        arguments("-o in a missing folder", &["eval", "q", "a.run", "-o", "missing/out.json"]),
        arguments("-o onto a folder", &["eval", "q", "a.run", "-o", "folder"]),
        arguments("no run", &["eval", "q"]),
    ]
}

/// The formats made of lines, beside TREC's.
fn cases_of_line_formats() -> Vec<Case> {
    let after = |good: &str, line: &str| format!("{good}{line}\n");
    let marco = |line: &str| after("1\td1\t1\n1\td2\t2\n2\td3\t1\n", line);
    let diversity = |line: &str| after("1 1 d1 1\n1 2 d1 0\n2 1 d1 2\n", line);
    let sampled = |line: &str| after("1 0 d1 1 1\n1 0 d2 2 -1\n2 0 d1 1 0\n", line);
    let prels = |line: &str| after("1 d1 1 0 1\n1 d2 0 1 0.25\n2 d1 0 1 0.5\n", line);
    let prefs = |line: &str| after("1 0 0 d1 2\n1 0 0 d2 1\n2 0 1 d1 1\n", line);
    let groups = |line: &str| after("1 ann d1 1\n1 bob d1 0\n2 ann d1 2\n", line);
    let asked = |format: &'static str, case: Case| Case { arguments: vec!["--qrels-format", format], ..case };
    vec![
        run("msmarco: 2 fields", marco("2\td4")),
        run("msmarco: 6 fields", marco("2 Q0 d4 2 0.5 r")),
        run("msmarco: rank a word", marco("2\td4\tfirst")),
        run("msmarco: rank negative", marco("2\td4\t-1")),
        run("msmarco: rank a fraction", marco("2\td4\t1.5")),
        run("msmarco: rank 1e3", marco("2\td4\t1e3")),
        run("msmarco: rank too large", marco("2\td4\t99999999999")),
        run("msmarco: rank twice", marco("2\td4\t1")),
        run("msmarco: rank twice, topics not together", marco("1\td4\t2")),
        run("msmarco: document twice", marco("2\td3\t2")),
        run("msmarco: fields in another order", "1 1 d1\n1 2 d2\n"),
        run("msmarco: three-column judgements given as a run", "1 184 2\n1 29 2\n1 31 2\n"),
        qrels("msmarco: given as qrels", marco("2\td4\t2")),
        arguments("msmarco: asked for a TREC run", &["--run-format", "msmarco"]),
        qrels("qrels: three columns", "1 184 2\n1 29 2\n1 31 2\n"),
        qrels("diversity: 3 fields", diversity("2 1 d2")),
        qrels("diversity: 5 fields", diversity("2 1 d2 1 1")),
        qrels("diversity: grade a word", diversity("2 1 d2 yes")),
        qrels("diversity: grade too large", diversity("2 1 d2 1e12")),
        qrels("diversity: document twice in a subtopic", diversity("1 2 d1 1")),
        qrels("diversity: a zero byte", diversity("2 1 d\x002 1")),
        qrels("diversity: cut off, gz", cut(gz(diversity("2 2 d1 1").as_bytes()))),
        run("diversity: given as a run", diversity("2 2 d1 1")),
        qrels("diversity: judges in field 2 are not subtopics", groups("2 bob d1 1")),
        asked("diversity", qrels("diversity: asked for, empty", "")),
        qrels("sampled: 4 fields", sampled("2 0 d2 1")),
        qrels("sampled: 6 fields", sampled("2 Q0 d2 1 0.5 r")),
        qrels("sampled: stratum a word", sampled("2 0 d2 top 1")),
        qrels("sampled: grade a word", sampled("2 0 d2 1 yes")),
        qrels("sampled: grade nan", sampled("2 0 d2 1 nan")),
        qrels("sampled: document twice, another stratum", sampled("1 0 d1 2 -1")),
        run("sampled: given as a run", sampled("2 0 d2 1 1")),
        qrels("prels: 4 fields", prels("2 d2 1 0")),
        qrels("prels: probability 0", prels("2 d2 1 0 0")),
        qrels("prels: probability above 1", prels("2 d2 1 0 1.5")),
        qrels("prels: probability nan", prels("2 d2 1 0 nan")),
        qrels("prels: probability a word", prels("2 d2 1 0 often")),
        qrels("prels: grade a word", prels("2 d2 yes 0 1")),
        qrels("prels: document twice", prels("1 d2 0 2 0.5")),
        run("prels: given as a run", prels("2 d2 1 0 1")),
        qrels("preferences: 4 fields", prefs("2 0 d2 2")),
        qrels("preferences: level a word", prefs("2 0 1 d2 best")),
        qrels("preferences: level inf", prefs("2 0 1 d2 inf")),
        qrels("preferences: document twice in a subgroup", prefs("1 0 0 d1 0")),
        qrels("preferences: numbers for docnos", "1 0 0 11 2\n1 0 0 12 1\n"),
        run("preferences: given as a run", prefs("2 0 1 d2 2")),
        asked("trec-jg", qrels("judgement groups: document twice in a group", groups("1 bob d1 1"))),
        asked("trec-jg", qrels("judgement groups: 3 fields", groups("1 bob d2"))),
        asked("trec-jg", qrels("judgement groups: 5 fields", groups("1 bob d2 1 1"))),
        asked("trec-jg", qrels("judgement groups: grade a word", groups("1 bob d2 x"))),
        asked("trec-jg", qrels("judgement groups: only comments", "# nothing\n")),
        asked("trec-prefs", case("preferences: asked for plain qrels")),
        asked("sampled", case("sampled: asked for plain qrels")),
        arguments("--qrels-format unknown", &["--qrels-format", "trek"]),
        arguments("--run-format unknown", &["--run-format", "ms-marco"]),
        clicks("ab: one arm", "u,A,3,1\nv,A,2,0\n"),
        clicks("ab: a user in two arms", "u,A,3,1\nu,B,2,0\nv,B,1,1\n"),
        clicks("ab: negative clicks", "u,A,3,-1\nv,B,2,0\n"),
        clicks("ab: more clicks than searches", "u,A,3,4\nv,B,2,0\n"),
        clicks("ab: one user in an arm", "u,A,3,1\nv,B,2,0\nw,B,2,1\n"),
        clicks("ab: no searches", "u,A,0,0\nv,A,0,0\nw,B,2,1\nx,B,2,1\n"),
        clicks("ab: no rows", ""),
        Case { arguments: vec!["ab", "q", "-o", "out.json"], ..case("ab: judgements in place of clicks") },
        arguments("ab: nothing given", &["ab", "-o", "out.json"]),
        arguments(
            "ab: counts without searches",
            &["ab", "--a", "clicks=3", "--b", "clicks=2,searches=9", "-o", "out.json"],
        ),
    ]
}

/// Bad rows of an A/B test.
fn clicks(name: &'static str, rows: &str) -> Case {
    let arguments = vec!["ab", "q", "-o", "out.json"];
    Case { arguments, ..qrels(name, format!("user,arm,searches,clicks\n{rows}")) }
}

fn karat(folder: &Path, case: &Case) -> Output {
    let usual = ["eval", "q", "a.run", "-o", "out.json"];
    let whole = matches!(case.arguments.first(), Some(&("eval" | "published" | "ab")));
    let mut child = Command::new(env!("CARGO_BIN_EXE_karat"))
        .args(usual.iter().filter(|_| !whole).chain(&case.arguments))
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may not want it all.
    let _ = child.stdin.take().unwrap().write_all(&case.stdin);
    child.wait_with_output().unwrap()
}

fn files_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// What came of a row, as the page has it.
fn told(case: &Case) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("q"), &case.qrels).unwrap();
    fs::write(path.join("q3"), format!("{QRELS}3 0 d1 1\n")).unwrap();
    fs::write(path.join("a.run"), &case.run).unwrap();
    fs::write(path.join("bad.run"), "1 Q0 d1 1 x r\n").unwrap();
    fs::create_dir(path.join("folder")).unwrap();
    fs::create_dir(path.join("empty")).unwrap();
    fs::write(path.join("folder/a.txt"), RUN).unwrap();
    let before = files_in(path);
    let output = karat(path, case);
    assert_eq!(files_in(path), before, "{}: something was written", case.name);
    assert_eq!(files_in(&path.join("folder")), ["a.txt"], "{}: something was written", case.name);
    assert!(output.stdout.is_empty(), "{}: standard output is for results", case.name);
    let status = output.status.code().unwrap_or_else(|| panic!("{}: killed", case.name));
    assert!(matches!(status, 2 | 3), "{}: exit status {status}", case.name);
    let words = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<&str> = words.lines().collect();
    assert!(lines.len() <= 45, "{}: {} lines are too many to read", case.name, lines.len());
    assert!(
        words.chars().all(|c| c == '\n' || !c.is_control()),
        "{}: control characters reach the terminal",
        case.name
    );
    assert!(!words.contains("panicked"), "{}: {words}", case.name);
    format!("=== {} (exit status {status})\n{words}\n", case.name)
}

/// Scores printed in papers; `q` is the table of scores where there is one.
fn cases_of_published_scores() -> Vec<Case> {
    let table = |name, text: &str| Case {
        qrels: text.into(),
        ..arguments(name, &["published", "compare", "q", "-o", "out.json"])
    };
    vec![
        arguments("published: p of 1", &["published", "depth", "--p", "1", "-o", "out.json"]),
        arguments("published: p below 0", &["published", "depth", "--p", "-0.5", "-o", "out.json"]),
        arguments("published: p a word", &["published", "depth", "--p", "high", "-o", "out.json"]),
        arguments("published: precision 0", &["published", "depth", "--p", "0.8", "--precision", "0"]),
        arguments("published: precision below 0", &["published", "depth", "--p", "0.8", "--precision", "-1e-4"]),
        arguments(
            "published: precision nan",
            &["published", "vectors", "--p", "0.8", "--score", "0.4", "--precision", "nan"],
        ),
        arguments(
            "published: precision above 1",
            &["published", "range", "--p", "0.8", "--score", "0.4", "--at", "0.5", "--precision", "2"],
        ),
        arguments("published: score above 1", &["published", "vectors", "--p", "0.8", "--score", "1.2"]),
        arguments("published: score below 0", &["published", "vectors", "--p", "0.8", "--score", "-0.2"]),
        arguments("published: score a word", &["published", "vectors", "--p", "0.8", "--score", "good"]),
        arguments("published: score in percent", &["published", "vectors", "--p", "0.8", "--score", "42"]),
        arguments(
            "published: residual above 1",
            &["published", "vectors", "--p", "0.8", "--score", "0.4", "--residual", "1.5"],
        ),
        arguments(
            "published: score and residual above 1",
            &["published", "vectors", "--p", "0.8", "--score", "0.90", "--residual", "0.20"],
        ),
        arguments("published: an impossible score", &["published", "vectors", "--p", "0.2", "--score", "0.5"]),
        arguments(
            "published: an impossible score in a gap within",
            &["published", "range", "--p", "0.3", "--score", "0.500", "--at", "0.2"],
        ),
        arguments(
            "published: an impossible residual",
            &["published", "vectors", "--p", "0.5", "--score", "0.4000", "--residual", "0.4000"],
        ),
        arguments("published: too many ranks", &["published", "vectors", "--p", "0.99999", "--score", "0.40"]),
        arguments(
            "published: --limit without --all",
            &["published", "vectors", "--p", "0.8", "--score", "0.4", "--limit", "5"],
        ),
        arguments("published: range at nothing", &["published", "range", "--p", "0.8", "--score", "0.4"]),
        arguments("published: range at 1", &["published", "range", "--p", "0.8", "--score", "0.4", "--at", "1"]),
        arguments(
            "published: a sweep that never ends",
            &["published", "range", "--p", "0.8", "--score", "0.4", "--at", "0.1:0.9:0"],
        ),
        arguments(
            "published: a sweep without a step",
            &["published", "range", "--p", "0.8", "--score", "0.4", "--at", "0.1:0.9"],
        ),
        arguments("published: a figure that is no svg", &["published", "depth", "--p", "0.8", "--figure", "a.png"]),
        arguments("published: one score to compare", &["published", "compare", "--a", "p=0.8,score=0.4"]),
        arguments("published: no score to compare", &["published", "compare"]),
        arguments("gold and calibration", &["--gold", "q", "--calibration", "q"]),
        arguments("gold and expected values", &["--gold", "q", "--unjudged", "q=0.1"]),
        arguments("gold and a bootstrap over topics", &["--gold", "q", "--interval", "bca"]),
        arguments("gold with a weight that is none", &["--gold", "q", "--bronze-weight", "2"]),
        arguments("a weight of bronze without gold", &["--bronze-weight", "1"]),
        arguments("gold that is not there", &["--gold", "none.qrels"]),
        arguments("gold that is a run", &["--gold", "a.run"]),
        arguments("published: no p", &["published", "compare", "--a", "score=0.4", "--b", "p=0.9,score=0.3"]),
        arguments(
            "published: an unknown key",
            &["published", "compare", "--a", "p=0.8,rbp=0.4", "--b", "p=0.9,score=0.3"],
        ),
        arguments(
            "published: p of 1 to compare",
            &["published", "compare", "--a", "p=1,score=0.4", "--b", "p=0.9,score=0.3"],
        ),
        arguments(
            "published: score above 1 to compare",
            &["published", "compare", "--a", "p=0.8,score=4", "--b", "p=0.9,score=0.3"],
        ),
        arguments(
            "published: one name twice",
            &["published", "compare", "--a", "p=0.8,score=0.4,name=x", "--b", "p=0.9,score=0.3,name=x"],
        ),
        Case {
            qrels: "system,p,score\na,0.2,0.5\nb,0.8,0.40\n".into(),
            ..arguments("published: an impossible score of one topic", &["published", "compare", "q", "--single-topic"])
        },
        table("published: an empty table", ""),
        table("published: a table without scores", "system,p\na,0.8\n"),
        table("published: a column too many", "system,p,score,year\na,0.8,0.4,1999\n"),
        table("published: a field too few", "system,p,score\na,0.8\nb,0.8,0.4\n"),
        table(
            "published: many things wrong",
            "system,p,score,residual,digits\na,1,0.4,,\nb,0.8,1.4,,\nc,0.8,0.4,x,\nd,0.8,0.40,0.70,\ne,0.2,0.5,,\nf,0.8,0.4,,many\n",
        ),
        table("published: a system twice", "system,p,score\na,0.8,0.4\na,0.9,0.4\n"),
        table("published: a single score", "system,p,score\na,0.8,0.4\n"),
        arguments("published: a missing table", &["published", "compare", "none.csv", "-o", "out.json"]),
        arguments("published: a study with one p", &["published", "study", "q", "a.run", "q", "--p", "0.8"]),
        arguments("published: a study with other measures", &["published", "study", "q", "a.run", "q", "-m", "AP"]),
        arguments("published: a study of one run", &["published", "study", "q", "a.run"]),
        arguments("published: a study with 0 digits", &["published", "study", "q", "a.run", "q", "--digits", "0"]),
    ]
}

#[test]
fn every_bad_file_is_refused_with_words_that_help() {
    let cases =
        [cases(), cases_of_line_formats(), cases_of_published_scores()].into_iter().flatten().collect::<Vec<_>>();
    let page: String = cases.iter().map(told).collect();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad_files.expected");
    if std::env::var_os("KARAT_WRITE_EXPECTED").is_some() {
        fs::write(&file, &page).unwrap();
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    let (mut ours, mut theirs) = (page.split("=== "), expected.split("=== "));
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => break,
            (ours, theirs) => assert_eq!(ours.unwrap_or_default(), theirs.unwrap_or_default()),
        }
    }
    assert!(cases.len() >= 40);
    let mut names: Vec<_> = cases.iter().map(|case| case.name).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "two rows of one name");
}

#[test]
fn a_file_without_permission_is_unreadable() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("q"), QRELS).unwrap();
    fs::write(folder.path().join("a.run"), RUN).unwrap();
    fs::set_permissions(folder.path().join("a.run"), fs::Permissions::from_mode(0o000)).unwrap();
    let output = karat(folder.path(), &case("permission"));
    if output.status.success() {
        eprintln!("SKIPPED: this user (root) may read everything");
        return;
    }
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: a.run: expected a file that can be read, found Permission denied (os error 13)\n  \
         help: make the file readable (chmod +r), or ask its owner\n"
    );
}

/// The other side: what must be read, and give the same scores as the plain files.
#[test]
fn unusual_but_right_files_give_the_same_scores() {
    let plain = scores(QRELS.as_bytes(), RUN.as_bytes());
    let crlf = |text: &str| text.replace('\n', "\r\n").into_bytes();
    let tabs = |text: &str| text.replace(' ', "\t").into_bytes();
    let last_feed_off = |text: &str| text.trim_end().as_bytes().to_vec();
    let (head, tail) = RUN.split_at(RUN.find("2 Q0").unwrap());
    let members = with(&gz(head.as_bytes()), &gz(tail.as_bytes()));
    let ungrouped = "1 Q0 d1 1 2.5 r\n2 Q0 d3 1 1 r\n1 Q0 d2 2 1.5 r\n";
    let right: Vec<(&str, Vec<u8>, Vec<u8>)> = vec![
        ("byte-order mark", with(b"\xef\xbb\xbf", QRELS.as_bytes()), with(b"\xef\xbb\xbf", RUN.as_bytes())),
        ("CRLF", crlf(QRELS), crlf(RUN)),
        ("tabs", tabs(QRELS), tabs(RUN)),
        ("comments and blank lines", with(b"# a\n\n", QRELS.as_bytes()), with(b"\n# b\n \n", RUN.as_bytes())),
        ("no final line feed", last_feed_off(QRELS), last_feed_off(RUN)),
        ("float grades", "1 0 d1 1.0\n1 0 d2 0.0\n2 0 d1 2.0\n".into(), RUN.into()),
        ("signs", "1 0 d1 +1\n1 0 d2 -0\n2 0 d1 2\n".into(), RUN.replace(" 2.5", " +2.5").into()),
        ("gz", gz(QRELS.as_bytes()), gz(RUN.as_bytes())),
        ("gz of two members", gz(QRELS.as_bytes()), members),
        ("zst", zst(QRELS.as_bytes()), zst(RUN.as_bytes())),
        (
            "zst that begins with a skipped frame",
            QRELS.into(),
            with(b"\x50\x2a\x4d\x18\x02\0\0\0ab", &zst(RUN.as_bytes())),
        ),
        ("bz2", bz2(QRELS.as_bytes()), bz2(RUN.as_bytes())),
        ("xz", xz(QRELS.as_bytes()), xz(RUN.as_bytes())),
        (
            "two members of xz and bz2",
            with(&bz2(b"# c\n"), &bz2(QRELS.as_bytes())),
            with(&xz(b"# c\n"), &xz(RUN.as_bytes())),
        ),
        ("topics not together", QRELS.into(), ungrouped.into()),
        (
            "ranks from 0 and out of order",
            QRELS.into(),
            RUN.replace(" 1 2.5", " 7 2.5").replace(" 2 1.5", " 0 1.5").into(),
        ),
    ];
    for (name, qrels, run) in right {
        assert_eq!(scores(&qrels, &run), plain, "{name}");
    }
    // docnos that are not UTF-8 stay as they are: 0x85 and 0xa0 are no blanks.
    let odd = |text: &str| {
        let bytes = text.bytes().flat_map(|byte| if byte == b'd' { vec![0x85, 0xa0, 0xff] } else { vec![byte] });
        bytes.collect::<Vec<u8>>()
    };
    assert_eq!(scores(&odd(QRELS), &odd(RUN)), plain);
    // Standard input for either, and a pipe whose run is not grouped by topic.
    for (arguments, stdin) in
        [(["eval", "-", "a.run"], QRELS), (["eval", "q", "-"], RUN), (["eval", "q", "-"], ungrouped)]
    {
        let asked = Case {
            arguments: arguments.iter().chain(&["-f", "csv"]).copied().collect(),
            stdin: stdin.into(),
            ..case("standard input")
        };
        let output = in_folder(&asked);
        assert_eq!(output, plain, "{arguments:?}");
    }
}

/// The scores as CSV.
fn scores(qrels: &[u8], run: &[u8]) -> String {
    in_folder(&Case {
        qrels: qrels.to_vec(),
        run: run.to_vec(),
        arguments: vec!["eval", "q", "a.run", "-f", "csv"],
        ..case("right")
    })
}

fn in_folder(case: &Case) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("q"), &case.qrels).unwrap();
    fs::write(folder.path().join("a.run"), &case.run).unwrap();
    let output = karat(folder.path(), case);
    assert!(output.status.success(), "{}: {}", case.name, String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A pipe can be opened once only; a run that is not grouped by topic is read twice.
#[test]
fn a_named_pipe_is_read_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("q"), QRELS).unwrap();
    let pipe = folder.path().join("a.run");
    if !Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: there is no mkfifo here");
        return;
    }
    let writer = std::thread::spawn(move || fs::write(pipe, "1 Q0 d1 1 2.5 r\n2 Q0 d3 1 1 r\n1 Q0 d2 2 1.5 r\n"));
    let output = karat(folder.path(), &arguments("pipe", &["eval", "q", "a.run", "-f", "csv"]));
    writer.join().unwrap().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), scores(QRELS.as_bytes(), RUN.as_bytes()));
}
