//! Reading judgements.

use karat_data::{LineProblem, Problem, Problems, Qrels, QrelsBuilder};
use memchr::memchr_iter;

use crate::Dialect;
use crate::block::{Block, Blocks, Cut};
use crate::fields::is_idle;
use crate::input::Input;
use crate::registry::QrelsFormat;

/// What is known of a qrels file after it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QrelsFacts {
    /// The file's name as the user gave it.
    pub file: String,
    /// Bytes read (after decompression).
    pub bytes: u64,
    /// Rows read.
    pub rows: u64,
    /// Blank lines passed over.
    pub blank_lines: u64,
    /// Comment lines passed over.
    pub comments: u64,
}

/// Reads judgements.
///
/// # Errors
/// Everything wrong with the file.
pub fn read_qrels(input: &Input, format: &QrelsFormat, dialect: Dialect) -> Result<(Qrels, QrelsFacts), Problems> {
    let mut blocks = Blocks::open(input, Cut::Line)?;
    let mut block = Block::default();
    let mut builder = QrelsBuilder::new();
    let mut problems = Problems::default();
    let mut facts = QrelsFacts { file: input.name().to_owned(), ..QrelsFacts::default() };
    let mut row_lines: Vec<u64> = Vec::new();
    let mut line = 0u64;
    while blocks.next(&mut block)? {
        facts.bytes += block.lines().len() as u64;
        let mut start = 0;
        for feed in memchr_iter(b'\n', block.lines()) {
            let text = &block.lines()[start..feed];
            if is_idle(text) {
                let comment = text.first() == Some(&b'#');
                *(if comment { &mut facts.comments } else { &mut facts.blank_lines }) += 1;
            } else {
                match (format.parse_line)(text, dialect) {
                    Ok(found) => {
                        builder.push(found.topic, found.docno, found.judgement);
                        row_lines.push(line);
                    }
                    Err(problem) => problems.push(Problem::of_line(input.name(), line, problem)),
                }
            }
            line += 1;
            start = feed + 1;
        }
    }
    facts.rows = row_lines.len() as u64;
    if facts.rows == 0 && problems.is_empty() {
        problems.push(Problem::of_file(
            input.name(),
            "at least one judgement (topic 0 docno grade)",
            if facts.bytes == 0 { "an empty file" } else { "only blank lines and comments" },
            "check that the file was written completely",
        ));
    }
    let (qrels, duplicates) = builder.finish();
    for duplicate in &duplicates {
        let problem = LineProblem {
            line: 0,
            field: "docno (field 3)",
            expected: "each document once per topic".into(),
            found: format!("a second judgement of the document of line {}", row_lines[duplicate.first] + 1),
            remedy: "keep one of the two lines; `karat judges` is for several judges' labels".into(),
        };
        problems.push(Problem::of_line(input.name(), row_lines[duplicate.second], problem));
    }
    problems.into_result()?;
    Ok((qrels, facts))
}
