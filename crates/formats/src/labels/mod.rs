//! Labels of judges, in the formats that teams have them: one file and one row of [`LABEL_FORMATS`] each.
//!
//! Every reader makes the same table ([`crate::records::label`]), so that conversion, agreement and merging start from one thing.
//! The one decision: a file without judges' names is one judge's, and the judge goes by the file's name.

mod book_csv;
mod book_json;
mod doccano;
mod label_studio;
mod qrels;
mod records;
mod search_relevance;
mod tree;
mod umbrela;
mod words;

use std::path::Path;

use karat_data::{FileOffsets, JudgeLabels, Problem, Problems, State};

use crate::Input;
use crate::records::label::settle;
use crate::records::{Column, Data, Refusal, Table, delimited, parquet, source};

pub(crate) use tree::{Node, Value, Wrong, first_keys, objects};
pub use words::{Words, WordsError};

/// A format of labels.
pub struct LabelFormat {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a sentence or two for the guide.
    pub about: &'static str,
    /// Its fields or keys, in a line.
    pub layout: &'static str,
    /// Whether a file that begins so has this format.
    pub recognise: fn(&Content<'_>) -> bool,
    /// Reads it.
    pub read: fn(&Content<'_>) -> Result<Table, Problems>,
}

/// Every format of labels, in the order in which they are tried: keys that only one tool writes come first.
pub static LABEL_FORMATS: &[&LabelFormat] = &[
    &label_studio::FORMAT,
    &book_json::FORMAT,
    &search_relevance::FORMAT,
    &umbrela::FORMAT,
    &doccano::FORMAT,
    &book_csv::FORMAT,
    &records::FORMAT,
    &qrels::FORMAT,
];

/// The format of that name.
pub fn format(name: &str) -> Option<&'static LabelFormat> {
    LABEL_FORMATS.iter().copied().find(|format| format.name == name)
}

/// A file: its name, its bytes, and what its beginning shows.
pub struct Content<'a> {
    /// The name, as the user gave it.
    pub name: &'a str,
    /// All bytes, decompressed, without byte-order mark.
    pub bytes: &'a [u8],
    /// The keys of the first object, where it is JSON.
    pub keys: Vec<Vec<u8>>,
    /// The names in the first line, where it is text separated by commas.
    pub header: Vec<Vec<u8>>,
}

impl<'a> Content<'a> {
    /// Of these bytes.
    pub fn new(name: &'a str, bytes: &'a [u8]) -> Content<'a> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let json = matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'['));
        let first = || delimited::Lines::new(bytes, b',').next().and_then(Result::ok);
        let header = if json { None } else { first() };
        let header = header.map(|line| line.fields.iter().map(|field| field.to_vec()).collect());
        let keys = if json { tree::first_keys(bytes) } else { Vec::new() };
        Content { name, bytes, keys, header: header.unwrap_or_default() }
    }

    /// Whether the first object has all of these keys.
    fn has(&self, keys: &[&str]) -> bool {
        keys.iter().all(|wanted| self.keys.iter().any(|key| key == wanted.as_bytes()))
    }
}

/// Labels that were read, and what is to be known of the file.
pub struct Read {
    /// The labels. Every row has a judge and a state.
    pub table: Table,
    /// The format they were in.
    pub format: &'static LabelFormat,
    /// Bytes, decompressed.
    pub bytes: u64,
    /// The files of a folder; none of a single file.
    pub starts: FileOffsets,
}

/// The format of a file that holds labels of judges and nothing else: one that a labelling tool writes, or a table with a column for the judge.
///
/// # Errors
/// It cannot be read.
pub fn tell(input: &Input) -> Result<Option<&'static LabelFormat>, Problems> {
    let input = source::shown(input);
    let bytes = source::bytes(input, false)?;
    let content = Content::new(input.name(), &bytes);
    let own = LABEL_FORMATS.iter().copied().find(|format| (format.recognise)(&content));
    let plain = |format: &LabelFormat| format.name == records::FORMAT.name || format.name == qrels::FORMAT.name;
    Ok(own.filter(|format| !plain(format) || (format.name == records::FORMAT.name && records::has_judges(&content))))
}

/// Reads a file of labels in a format, or in the one its content shows. Grades below 0 are grades where `scale` has them.
///
/// # Errors
/// Everything wrong with it.
pub fn read(
    input: &Input,
    asked: Option<&'static LabelFormat>,
    words: &Words,
    scale: &[f64],
) -> Result<Read, Problems> {
    if let Some(memory) = input.memory() {
        let mut table = memory.read(input.name(), Data::Labels)?;
        let placed = |refusal: Refusal| memory.placed(refusal.problems(input.name()));
        settle(&mut table, scale).map_err(placed)?;
        words.apply(&mut table).map_err(placed)?;
        name_judge(&mut table, &stem(input.name()));
        return Ok(Read { table, format: &records::FORMAT, bytes: 0, starts: FileOffsets::default() });
    }
    let judge = stem(input.name());
    let mut all = None::<Read>;
    let mut lines = 0;
    for part in input.parts() {
        let read = read_file(part, asked, words, scale, &judge)?;
        let own = (0..read.table.len()).map(|row| read.table.line(row)).max().unwrap_or(0);
        let all = match &mut all {
            None => all.insert(read),
            Some(all) => {
                all.bytes += read.bytes;
                all.table.append(read.table, lines).map_err(|(expected, found)| {
                    let remedy = "put files with the same columns into a folder";
                    Problems::from(Problem::of_file(part.name(), expected, found, remedy))
                })?;
                all
            }
        };
        all.starts.file(part.name(), lines);
        lines += own;
    }
    all.map_or_else(|| read_file(input, asked, words, scale, &judge), Ok)
}

fn read_file(
    input: &Input,
    asked: Option<&'static LabelFormat>,
    words: &Words,
    scale: &[f64],
    judge: &str,
) -> Result<Read, Problems> {
    let mut bytes = source::bytes(input, false)?;
    if !bytes.starts_with(parquet::MAGIC) {
        // Again as text: zero bytes and the like are said with their line.
        bytes = source::bytes(input, true)?;
    }
    let content = Content::new(input.name(), &bytes);
    let found = asked.or_else(|| LABEL_FORMATS.iter().copied().find(|format| (format.recognise)(&content)));
    let format = found.ok_or_else(|| unknown(input.name(), &content))?;
    let mut table = (format.read)(&content)?;
    settle(&mut table, scale).map_err(|refusal| refusal.problems(input.name()))?;
    words.apply(&mut table).map_err(|refusal| refusal.problems(input.name()))?;
    name_judge(&mut table, judge);
    Ok(Read { table, format, bytes: bytes.len() as u64, starts: FileOffsets::default() })
}

/// Adds a file's labels, of the judges that are wanted, to those of others.
pub fn collect(file: &str, read: &Read, wanted: impl Fn(&[u8]) -> bool, into: &mut JudgeLabels) {
    into.file(file);
    let (table, mut here) = (&read.table, file);
    for row in (0..table.len()).filter(|&row| wanted(table.text(Column::Judge, row))) {
        let text = |column| table.text(column, row);
        // Every row has a state once words are known.
        let state = State::from_name(text(Column::State)).unwrap_or(State::Unjudged);
        let grade = table.number(Column::Grade, row).unwrap_or(f64::NAN);
        let (file, line) = read.starts.place(table.line(row)).unwrap_or((file, table.line(row)));
        if file != here {
            into.file(file);
            here = file;
        }
        into.push((text(Column::Topic), text(Column::Document), text(Column::Judge)), grade, state, line);
    }
}

/// Labels without a judge's name are those of the judge the file is called after.
fn name_judge(table: &mut Table, stem: &str) {
    let names: Vec<Vec<u8>> = (0..table.len())
        .map(|row| match table.text(Column::Judge, row) {
            [] => stem.as_bytes().to_vec(),
            name => name.to_vec(),
        })
        .collect();
    table.set_names(Column::Judge, names.into_iter());
}

/// The file's name without folder and endings.
fn stem(name: &str) -> String {
    let name = Path::new(name).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    if stem.is_empty() || stem == "-" { "judge".into() } else { stem.into() }
}

fn unknown(name: &str, content: &Content<'_>) -> Problems {
    let names: Vec<&str> = LABEL_FORMATS.iter().map(|format| format.name).collect();
    let expected = format!("labels in a format that is known ({})", names.join(", "));
    let line = content.bytes.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    let found = line.map_or("an empty file".to_owned(), |line| {
        format!("a file that begins with {}", karat_data::problem::quote(line.trim_ascii()))
    });
    let remedy = "write a CSV with the columns query_id, doc_id, judge, grade, or say the format with --labels-format";
    Problem::of_file(name, expected, found, remedy).into()
}
