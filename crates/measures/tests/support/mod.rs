//! Reading the real collections of tests: small, strict, and only what they hold.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use karat_data::{Judgement, JudgementKind, MarkedBuilder, MarkedRow, Qrels, QrelsBuilder, Row};

/// The text of a file, or of the same file compressed.
pub fn text(folder: &Path, name: &str) -> String {
    let path = folder.join(name);
    if path.is_file() {
        return std::fs::read_to_string(path).unwrap();
    }
    let compressed = std::fs::File::open(folder.join(format!("{name}.xz"))).unwrap();
    let mut text = String::new();
    liblzma::read::XzDecoder::new(compressed).read_to_string(&mut text).unwrap();
    text
}

/// The text of one file in an archive (tar), compressed as above: a header of 512 bytes with name and size, then the file
/// in blocks of 512.
#[allow(dead_code)]
pub fn archived(archive: &str, name: &str) -> String {
    let mut rest = archive.as_bytes();
    while rest.len() > 512 {
        let text = |range: std::ops::Range<usize>| {
            let field = &rest[range];
            String::from_utf8_lossy(&field[..field.iter().position(|byte| *byte == 0).unwrap_or(field.len())])
                .into_owned()
        };
        let size = usize::from_str_radix(text(124..136).trim(), 8).unwrap_or(0);
        if text(0..100).rsplit('/').next() == Some(name) {
            return String::from_utf8_lossy(&rest[512..512 + size]).into_owned();
        }
        rest = &rest[512 + size.next_multiple_of(512)..];
    }
    panic!("{name} is not in the archive");
}

/// Lines as fields.
fn fields(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().map(|line| line.split_whitespace().collect())
}

/// `topic iteration docno grade`.
#[allow(dead_code)]
pub fn qrels(text: &str) -> Qrels {
    let mut builder = QrelsBuilder::new();
    for fields in fields(text) {
        let judgement = Judgement::from_number(fields[3].parse().unwrap()).unwrap();
        builder.push(fields[0].as_bytes(), fields[2].as_bytes(), judgement);
    }
    builder.finish().0
}

/// `topic subtopic docno grade`.
#[allow(dead_code)]
pub fn diversity(text: &str) -> Qrels {
    let mut builder = MarkedBuilder::new(JudgementKind::Subtopics);
    for fields in fields(text) {
        let value = fields[3].parse().unwrap();
        builder.push(&MarkedRow {
            topic: fields[0].as_bytes(),
            docno: fields[2].as_bytes(),
            judgement: Judgement::from_number(value).unwrap(),
            group: fields[1].as_bytes(),
            subgroup: b"",
            value,
        });
    }
    builder.finish().0
}

/// What a run is ordered by.
#[allow(dead_code)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Order {
    /// The score column.
    Score,
    /// The rank column.
    Rank,
}

/// `topic Q0 docno rank score tag`, by topic.
pub fn run(text: &str, order: Order) -> BTreeMap<&str, Vec<Row<'_>>> {
    let mut topics: BTreeMap<&str, Vec<Row<'_>>> = BTreeMap::new();
    for (line, fields) in fields(text).enumerate() {
        let number = |index: usize| fields[index].parse::<f64>().unwrap();
        let score = if order == Order::Rank { -number(3) } else { number(4) };
        topics.entry(fields[0]).or_default().push(Row { docno: fields[2].as_bytes(), score, line: line as u32 });
    }
    topics
}

/// `topic 0 docno stratum grade`.
#[allow(dead_code)]
pub fn strata(text: &str) -> Qrels {
    let mut builder = MarkedBuilder::new(JudgementKind::Strata);
    for fields in fields(text) {
        let value = fields[4].parse().unwrap();
        builder.push(&MarkedRow {
            topic: fields[0].as_bytes(),
            docno: fields[2].as_bytes(),
            judgement: Judgement::from_number(value).unwrap(),
            group: fields[3].as_bytes(),
            subgroup: b"",
            value,
        });
    }
    builder.finish().0
}
