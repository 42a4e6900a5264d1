//! Texts of documents, of those that are wanted.
//!
//! The one decision: a corpus is read row by row and only what is wanted is kept, because corpora are larger than memory and a form or a
//! page shows a few hundred of millions. Only an array of JSON, which has no rows, is read whole.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};

use karat_data::problem::quote;
use karat_data::{LineProblem, Problem, Problems};

use super::{DOCUMENT_KEYS, Object, TEXT_KEYS, columns, cut, object, place_among};
use crate::Input;
use crate::block::{not_text, unreadable};
use crate::decompress::decompress;
use crate::input::Stream;
use crate::records::delimited::{Line, Lines, likely, wrong_count};
use crate::records::json::{Fault, Json};
use crate::records::source;

/// Characters of a title or text that are kept: what a cell of a spreadsheet holds.
const LONGEST: usize = 32_000;

/// Bytes that one row may take before it counts as broken.
const LONGEST_ROW: usize = 8 << 20;

/// Bytes that are read at once; enough to see that a file is no text.
const BUFFER: usize = 1 << 16;

/// The text of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocumentText {
    /// Its title; empty where it has none.
    pub title: String,
    /// Its text.
    pub text: String,
}

impl DocumentText {
    /// Title and text in one line of at most so many characters.
    pub fn line(&self, longest: usize) -> String {
        let between = if self.title.is_empty() || self.text.is_empty() { "" } else { " · " };
        cut(&format!("{}{between}{}", self.title, self.text), longest)
    }

    fn new(parts: Vec<(usize, &[u8])>) -> DocumentText {
        let (titles, texts): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(key, _)| TEXT_KEYS[*key] == "title");
        let text = |parts: Vec<(usize, &[u8])>| {
            let texts: Vec<_> = parts.iter().map(|(_, text)| String::from_utf8_lossy(text)).collect();
            shortened(texts.join(" · ").trim())
        };
        DocumentText { title: text(titles), text: text(texts) }
    }
}

/// A text as it is, cut where it is too long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The documents of a corpus that were wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Corpus {
    /// Their texts.
    pub documents: HashMap<Vec<u8>, DocumentText>,
    /// Bytes of the file, decompressed.
    pub bytes: u64,
    /// Documents in the file.
    pub rows: u64,
}

/// The texts of documents, of those that `wanted` names: JSON objects (one after another, or in an array), CSV or TSV with a header, or
/// lines of a name, a tab and a text.
///
/// # Errors
/// Everything wrong with the file.
pub fn documents(input: &Input, wanted: &dyn Fn(&[u8]) -> bool) -> Result<Corpus, Problems> {
    let mut rows = Rows::open(input)?;
    let mut taken = Taken { wanted, corpus: Corpus::default(), problems: Problems::default() };
    let first = rows.first()?;
    match first.trim_ascii_start().first() {
        None => {
            let found = if rows.bytes == 0 { "an empty file" } else { "only blank lines" };
            let remedy = "check that the file was written completely";
            return Err(Problem::of_file(input.name(), "documents with their texts", found, remedy).into());
        }
        Some(b'[') => return array(input, taken),
        Some(b'{') => rows.objects(&mut taken)?,
        Some(_) => rows.delimited(&first, &mut taken)?,
    }
    taken.corpus.bytes = rows.bytes;
    taken.finish()
}

/// All documents of one array.
fn array(input: &Input, mut taken: Taken<'_>) -> Result<Corpus, Problems> {
    let bytes = source::bytes(input, true)?;
    let failed = |fault: Fault| fault.refusal().problems(input.name());
    let mut json = Json::new(&bytes).map_err(failed)?;
    json.array(|json| {
        json.peek();
        let line = json.line();
        let found = object(json, &DOCUMENT_KEYS)?;
        taken.object(input.name(), line, found);
        Ok(())
    })
    .map_err(failed)?;
    taken.corpus.bytes = bytes.len() as u64;
    taken.finish()
}

/// What is kept.
struct Taken<'w> {
    wanted: &'w dyn Fn(&[u8]) -> bool,
    corpus: Corpus,
    problems: Problems,
}

impl Taken<'_> {
    fn add(&mut self, name: &[u8], parts: Vec<(usize, &[u8])>) {
        karat_runtime::check();
        self.corpus.rows += 1;
        if (self.wanted)(name) && !self.corpus.documents.contains_key(name) {
            self.corpus.documents.insert(name.to_vec(), DocumentText::new(parts));
        }
    }

    /// An object that stands on a line, from 1.
    fn object(&mut self, file: &str, line: u64, found: Object<'_>) {
        match &found.name {
            Some(name) => self.add(name, found.texts.iter().map(|(key, text)| (*key, &text[..])).collect()),
            None => self.problem(file, line, super::nameless(&DOCUMENT_KEYS)),
        }
    }

    /// Something wrong with a line, from 1.
    fn problem(&mut self, file: &str, line: u64, problem: LineProblem) {
        self.problems.push(Problem::of_line(file, line.saturating_sub(1), LineProblem { line: 0, ..problem }));
    }

    fn finish(self) -> Result<Corpus, Problems> {
        self.problems.into_result().map(|()| self.corpus)
    }
}

/// The lines of a file, as many at a time as a row has.
struct Rows {
    name: String,
    stream: BufReader<Stream>,
    /// What was read and is not taken yet: the lines of a row.
    row: Vec<u8>,
    /// Lines before the row.
    before: u64,
    /// Lines of the row.
    lines: u64,
    bytes: u64,
}

impl Rows {
    fn open(input: &Input) -> Result<Rows, Problems> {
        let failed = |error| unreadable(input.name(), &error);
        let stream = input.open().and_then(decompress).map_err(failed)?;
        let mut stream = BufReader::with_capacity(BUFFER, stream);
        let head = stream.fill_buf().map_err(failed)?;
        if let Some((found, remedy)) = not_text(head) {
            return Err(Problem::of_file(input.name(), "a text file", found, remedy).into());
        }
        let mark = if head.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        stream.consume(mark);
        Ok(Rows { name: input.name().to_owned(), stream, row: Vec::new(), before: 0, lines: 0, bytes: 0 })
    }

    /// Adds a line to the row; false at the end.
    fn read_line(&mut self) -> Result<bool, Problems> {
        karat_runtime::check();
        let read = self.stream.read_until(b'\n', &mut self.row).map_err(|error| unreadable(&self.name, &error))?;
        self.bytes += read as u64;
        self.lines += u64::from(read > 0);
        Ok(read > 0)
    }

    /// The row is taken.
    fn taken(&mut self) {
        self.row.clear();
        self.before += self.lines;
        self.lines = 0;
    }

    /// The first line with something in it, which stays in the row.
    fn first(&mut self) -> Result<Vec<u8>, Problems> {
        while self.read_line()? && self.row.trim_ascii().is_empty() {
            self.taken();
        }
        Ok(self.row.clone())
    }

    /// Objects of JSON, usually one in each line.
    fn objects(&mut self, taken: &mut Taken<'_>) -> Result<(), Problems> {
        loop {
            match objects_of(&self.row) {
                Ok(found) => {
                    for (line, object) in found {
                        taken.object(&self.name, self.before + line, object);
                    }
                    self.taken();
                }
                Err(fault) => {
                    let goes_on = fault.is_cut_off() && self.read_to_brace()?;
                    if !goes_on {
                        return Err(fault.refusal().problems(&self.name).after_lines(self.before));
                    }
                    continue;
                }
            }
            if !self.read_line()? {
                return Ok(());
            }
        }
    }

    /// Adds lines up to one that begins with a brace, as the last one of an object over several lines does; false where none does.
    fn read_to_brace(&mut self) -> Result<bool, Problems> {
        loop {
            let from = self.row.len();
            if from > LONGEST_ROW || !self.read_line()? {
                return Ok(false);
            }
            if self.row[from..].trim_ascii_start().starts_with(b"}") {
                return Ok(true);
            }
        }
    }

    /// Rows of CSV or TSV: with the header that the first line is, or names and texts with a tab between.
    fn delimited(&mut self, first: &[u8], taken: &mut Taken<'_>) -> Result<(), Problems> {
        let separator = likely(first);
        let header = Lines::new(first, separator).next().and_then(Result::ok);
        let Some(header) = header.as_ref().and_then(Header::new) else {
            if first.contains(&b'\t') {
                return self.pairs(taken);
            }
            let expected =
                "a column for the document (doc_id, docno, _id, ...) and one for its text (title, text, contents, ...)";
            let remedy = "name the columns in the first line, for example doc_id,title,text";
            let problem = LineProblem::new("header", expected, quote(first.trim_ascii()), remedy);
            return Err(Problem::of_line(&self.name, self.before, problem).into());
        };
        self.taken();
        while self.read_line()? {
            self.record(separator, &header, taken)?;
            self.taken();
        }
        Ok(())
    }

    /// One row, perhaps of several lines.
    fn record(&mut self, separator: u8, header: &Header, taken: &mut Taken<'_>) -> Result<(), Problems> {
        // Where a mark is open at the end of a line, the field goes on to the line that closes it.
        let marks = |row: &[u8]| memchr::memchr_iter(b'"', row).count();
        let mut open =
            marks(&self.row) % 2 == 1 && Lines::new(&self.row, separator).next().is_some_and(|line| line.is_err());
        while open && self.row.len() < LONGEST_ROW {
            let from = self.row.len();
            if !self.read_line()? {
                break;
            }
            open = marks(&self.row[from..]) % 2 == 0;
        }
        let line = match Lines::new(&self.row, separator).next() {
            None => return Ok(()),
            Some(Ok(line)) => line,
            // In many files of tabs a quotation mark is a character like any other.
            Some(Err((line, problem))) => match plain_fields(&self.row, separator, header.count) {
                Some(line) => line,
                None => {
                    taken.problem(&self.name, self.before + line, problem);
                    return Ok(());
                }
            },
        };
        if line.fields.len() == header.count {
            let texts = header.texts.iter().map(|&(at, key)| (key, &line.fields[at][..])).collect();
            taken.add(&line.fields[header.name], texts);
        } else {
            taken.problem(&self.name, self.before + line.line, wrong_count(&line, header.count));
        }
        Ok(())
    }

    /// A name, a tab and a text in each line.
    fn pairs(&mut self, taken: &mut Taken<'_>) -> Result<(), Problems> {
        loop {
            let text = self.row.trim_ascii_end();
            let fields: Vec<&[u8]> = text.split(|&byte| byte == b'\t').collect();
            match fields[..] {
                [name, text] => taken.add(name.trim_ascii(), vec![(place_among("text", &TEXT_KEYS), text)]),
                _ if text.is_empty() => {}
                _ => {
                    let remedy = "write a document's name, a tab and its text on each line, or name the columns in the first line (doc_id, title, text)";
                    let found = format!("{} fields in {}", fields.len(), quote(text));
                    let problem = LineProblem::new("fields", "a name and a text with a tab between", found, remedy);
                    taken.problem(&self.name, self.before + 1, problem);
                }
            }
            self.taken();
            if !self.read_line()? {
                return Ok(());
            }
        }
    }
}

/// The objects of a row, each with its line in it.
fn objects_of(row: &[u8]) -> Result<Vec<(u64, Object<'_>)>, Fault> {
    let mut json = Json::new(row)?;
    let mut found = Vec::new();
    while json.peek().is_some() {
        let line = json.line();
        found.push((line, object(&mut json, &DOCUMENT_KEYS)?));
    }
    Ok(found)
}

/// The fields of one line without regard to quotation marks, where they are tabs and as many as they should be.
fn plain_fields(row: &[u8], separator: u8, count: usize) -> Option<Line<'_>> {
    let row = row.trim_ascii_end();
    let fields: Vec<_> = row.split(|&byte| byte == b'\t').map(std::borrow::Cow::Borrowed).collect();
    let fits = separator == b'\t' && fields.len() == count && !row.contains(&b'\n');
    fits.then_some(Line { line: 1, fields })
}

/// Which column is which.
struct Header {
    count: usize,
    name: usize,
    /// Columns of texts, each with its place among [`TEXT_KEYS`].
    texts: Vec<(usize, usize)>,
}

impl Header {
    /// Of a first line; `None` where it names no document or no text.
    fn new(line: &Line<'_>) -> Option<Header> {
        let (name, mut texts) = columns(&line.fields, &DOCUMENT_KEYS)?;
        texts.sort_by_key(|(_, key)| *key);
        Some(Header { count: line.fields.len(), name, texts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Corpus, String> {
        documents(&Input::bytes("c", bytes), &|name| name != b"unwanted").map_err(|problems| problems.to_string())
    }

    fn text(title: &str, text: &str) -> DocumentText {
        DocumentText { title: title.into(), text: text.into() }
    }

    #[test]
    fn every_container_gives_the_same_texts() {
        let expected = HashMap::from([(b"a".to_vec(), text("A, \"t\"", "one\ntwo")), (b"7".to_vec(), text("", "x"))]);
        for bytes in [
            "{\"_id\": \"a\", \"title\": \"A, \\\"t\\\"\", \"text\": \"one\\ntwo\", \"metadata\": {}}\n\n{\"_id\": 7, \"text\": \"x\"}\n{\"_id\": \"unwanted\"}",
            "\u{feff}[{\"id\": \"a\", \"title\": \"A, \\\"t\\\"\", \"contents\": \"one\\ntwo\"}, {\"id\": 7, \"text\": \"x\"}, {\"id\": \"unwanted\"}]",
            "{\n  \"docno\": \"a\",\n  \"title\": \"A, \\\"t\\\"\",\n  \"more\": {\n  },\n  \"text\": \"one\\ntwo\"\n}\n{\"docno\": 7, \"text\": \"x\"}\n{\"docno\": \"unwanted\"}\n",
            "doc_id,title,url,text\na,\"A, \"\"t\"\"\",u,\"one\ntwo\"\n\n7,,u,x\nunwanted,,,\n",
            "\u{feff}_id;text;title\r\na;\"one\ntwo\";\"A, \"\"t\"\"\"\r\n7;x;\r\nunwanted;;\r\n",
            "id\ttext\ttitle\na\t\"one\ntwo\"\tA, \"t\"\n7\tx\t\nunwanted\t\t\n",
        ] {
            let found = read(bytes.as_bytes()).unwrap_or_else(|problems| panic!("{problems}\n{bytes}"));
            assert_eq!(
                (&found.documents, found.rows, found.bytes),
                (&expected, 3, bytes.trim_start_matches('\u{feff}').len() as u64),
                "{bytes}"
            );
        }
        let pairs = read(b"a\t\"To be\" or \"not\n7\tx\n").unwrap().documents;
        assert_eq!((&pairs[&b"a"[..]].text[..], pairs.len()), ("\"To be\" or \"not", 2));
        let marks = read(b"doc_id\ttext\na\t\"To be\" or \"not\"\n").unwrap().documents;
        assert_eq!(marks[&b"a"[..]].text, "\"To be\" or \"not\"");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (bytes, words) in [
            (&b""[..], "an empty file"),
            (b"\n \n", "only blank lines"),
            (b"{\"_id\": \"a\", \"text\": \"x\"}\n\n{\"text\": \"x\"}\n", "c:3: name: expected one of the keys docno"),
            (
                b"{\"_id\": \"a\"}\n{\"_id\": \"b\", \"text\": \"x\n{\"_id\": \"c\"}\n",
                "c:2: JSON: expected a closing quotation mark",
            ),
            (b"{\"_id\": \"a\"}\n{\"_id\": \"b\"\n", "c:3: JSON"),
            (b"url,text\nu,x\n", "c:1: header: expected a column for the document"),
            (b"doc_id,text\na,x\nb\n", "c:3: fields: expected 2 fields"),
            (b"doc_id,text\na,\"x\nb,y\n", "c:2: fields: expected a closing quotation mark"),
            (b"a\tx\nb\ty\tz\n", "c:2: fields: expected a name and a text with a tab between, found 3 fields"),
            // UTF-16 with its mark is decoded: an odd byte at the end is not.
            (b"\xff\xfea\0b", "UTF-16 that ends within a character"),
        ] {
            let said = read(bytes).unwrap_err();
            assert!(said.contains(words), "{words}: {said}");
        }
    }

    #[test]
    fn long_texts_are_cut_and_a_line_of_both_is_shorter() {
        let long = format!("doc_id,text\na,{}\n", "é".repeat(LONGEST + 5));
        let found = read(long.as_bytes()).unwrap();
        assert_eq!(found.documents[&b"a"[..]].text.chars().count(), LONGEST + 1);
        assert_eq!(text("T", "long  text").line(6), "T · lo…");
        assert_eq!(text("", "x").line(6), "x");
    }
}
