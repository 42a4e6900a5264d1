//! CSV and its relatives: a header that names the columns, fields separated by a comma, tab, semicolon or bar.
//!
//! A field that begins with a quotation mark goes to the closing one and may hold anything, a doubled mark standing for
//! one; any other field ends at the separator and loses the blanks around it. The parser is our own because a mark that
//! never closes must be said, with its line, and not swallow the rest of the file.

use std::borrow::Cow;

use karat_data::LineProblem;
use karat_data::problem::quote;
use memchr::{memchr, memchr2};

use super::cell::Cell;
use super::column::{self, Data, Plan};
use super::refusal::Refusal;
use super::spreadsheet::Spreadsheet;
use super::table::{Builder, Table};

/// What may separate fields, in the order they are tried.
const SEPARATORS: [u8; 4] = [b'\t', b',', b';', b'|'];

/// The separator of the header that these bytes begin with, if they begin with one.
pub fn separator(bytes: &[u8]) -> Option<u8> {
    // Without their punctuation, keys of JSON would look like names of columns.
    if matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return None;
    }
    SEPARATORS.into_iter().find(|&separator| {
        let mut lines = Lines::new(bytes, separator);
        lines.next().is_some_and(|line| line.is_ok_and(|line| column::is_perhaps_header(&line.names())))
    })
}

/// The names of the columns, if these bytes begin with a header.
pub fn header(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    Lines::new(bytes, separator(bytes)?).next()?.ok().map(|line| line.names())
}

/// The scores in the beginning of a file, where it has a column of them; it may be cut off.
pub fn sampled_scores(bytes: &[u8]) -> Vec<f64> {
    let Some(separator) = separator(bytes) else { return Vec::new() };
    let mut lines = Lines::new(bytes, separator).map_while(Result::ok);
    let at = lines.next().and_then(|line| line.fields.iter().position(|name| column::is_score(name)));
    let number = |line: Line<'_>| std::str::from_utf8(line.fields.get(at?)?).ok()?.trim().parse().ok();
    lines.filter_map(number).collect()
}

/// The separator that makes most fields of the first line.
pub(crate) fn likely(bytes: &[u8]) -> u8 {
    let likely = SEPARATORS.into_iter().max_by_key(|&own| {
        // Of equal counts the first of the list.
        let fields = Lines::new(bytes, own).next().and_then(Result::ok).map_or(0, |line| line.fields.len());
        (fields, SEPARATORS.len() - SEPARATORS.iter().position(|&known| known == own).unwrap_or(0))
    });
    likely.unwrap_or(b',')
}

/// The fields of the first line, whatever they are.
pub fn likely_header(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    Lines::new(bytes, separator(bytes).unwrap_or_else(|| likely(bytes))).next()?.ok().map(|line| line.names())
}

/// Reads a file.
///
/// # Errors
/// Everything wrong with it.
pub fn read(bytes: &[u8], data: Data) -> Result<Table, Refusal> {
    let mut lines = Lines::new(bytes, separator(bytes).unwrap_or_else(|| likely(bytes)));
    let Some(first) = lines.next() else {
        let found = if bytes.is_empty() { "an empty file" } else { "only blank lines" };
        let remedy = "check that the file was written completely";
        return Err(Refusal::whole("a header that names the columns", found, remedy));
    };
    let header = first.map_err(|(line, problem)| Refusal::line(line, problem))?;
    let names = header.names();
    let plan = plan_rows(&names, data, header.line, &lines)?;
    let quepid = names == [&b"query"[..], b"docid", b"rating"];
    let mut builder = Builder::new(plan);
    let mut cells = Vec::new();
    let spreadsheet = lines.spreadsheet(&names, data);
    while let Some(line) = lines.next() {
        let line = line.map(|line| lines.restored(line, spreadsheet.as_ref()));
        match line {
            Err((line, problem)) => {
                builder.problem(line, problem);
                break;
            }
            Ok(line) if line.fields.len() != names.len() => {
                builder.problem(line.line, wrong_count(&line, names.len()));
            }
            Ok(line) => {
                cells.clear();
                cells.extend(line.fields.into_iter().map(|field| {
                    let field = if quepid { unguarded(field) } else { field };
                    if field.is_empty() { Cell::Missing } else { Cell::Written(field) }
                }));
                builder.record(line.line, &cells);
            }
        }
    }
    builder.finish()
}

/// Which column is which, by the header and the lines after it.
fn plan_rows(names: &[Vec<u8>], data: Data, line: u64, lines: &Lines<'_>) -> Result<Plan, Refusal> {
    let is_empty = |at: usize| {
        let mut rows = lines.clone().map_while(Result::ok);
        !rows.any(|line| line.fields.get(at).is_some_and(|field| !field.is_empty()))
    };
    column::plan_filled(names, data, is_empty).map_err(|problem| {
        Refusal::line(line, LineProblem::new("header", problem.expected, problem.found, &problem.remedy.to_string()))
    })
}

/// Quepid puts a blank before text that a spreadsheet would take for a formula.
pub fn unguarded(field: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if !matches!(*field, [b' ', b'-' | b'=' | b'+' | b'@', ..]) {
        return field;
    }
    match field {
        Cow::Borrowed(text) => Cow::Borrowed(&text[1..]),
        Cow::Owned(text) => Cow::Owned(text[1..].to_vec()),
    }
}

/// That a line has another number of fields than the header.
pub fn wrong_count(line: &Line<'_>, expected: usize) -> LineProblem {
    let count = line.fields.len();
    let text = line.fields.join(&b", "[..]);
    let remedy = if count > expected {
        "quote a field that contains the separator (\"a, b\")"
    } else {
        "complete the line; an empty field is allowed, a missing one is not"
    };
    let plural = if count == 1 { "field" } else { "fields" };
    LineProblem::new(
        "fields",
        format!("{expected} fields, as in the header"),
        format!("{count} {plural} in {}", quote(&text)),
        remedy,
    )
}

/// A line: perhaps several of the file, where a field in quotation marks has line feeds.
#[derive(Debug)]
pub struct Line<'a> {
    /// Its number, from 1.
    pub line: u64,
    /// Its fields.
    pub fields: Vec<Cow<'a, [u8]>>,
}

impl Line<'_> {
    fn names(&self) -> Vec<Vec<u8>> {
        self.fields.iter().map(|field| field.to_vec()).collect()
    }
}

/// The lines of a file that are not blank.
#[derive(Clone)]
pub struct Lines<'a> {
    rest: &'a [u8],
    separator: u8,
    line: u64,
    /// Whether the file ends with a line feed.
    ended: bool,
}

impl<'a> Lines<'a> {
    /// Of these bytes.
    pub fn new(bytes: &'a [u8], separator: u8) -> Lines<'a> {
        let rest = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Lines { rest, separator, line: 1, ended: bytes.ends_with(b"\n") }
    }

    /// What a spreadsheet may have done to the rows, where the header is that of a form.
    pub fn spreadsheet(&self, names: &[Vec<u8>], data: Data) -> Option<Spreadsheet> {
        Spreadsheet::new(names, self.separator).filter(|_| data != Data::Run)
    }

    /// A line as it was before a spreadsheet saved it; the last line of a file that is cut off stays as it is.
    pub fn restored(&self, mut line: Line<'a>, spreadsheet: Option<&Spreadsheet>) -> Line<'a> {
        let is_cut_off = self.rest.is_empty() && !self.ended;
        if let Some(spreadsheet) = spreadsheet.filter(|_| !is_cut_off) {
            spreadsheet.restore(&mut line);
        }
        line
    }

    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        taken
    }

    /// Whether the line ends here; then goes past its end.
    fn at_end(&mut self) -> bool {
        let feed = match self.rest {
            [] => return true,
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            [b'\r'] => 1,
            _ => return false,
        };
        self.take(feed);
        self.line += 1;
        true
    }

    fn field(&mut self) -> Result<Cow<'a, [u8]>, (u64, LineProblem)> {
        if self.rest.first() != Some(&b'"') {
            let end = memchr2(self.separator, b'\n', self.rest).unwrap_or(self.rest.len());
            let end = if end > 0 && self.rest[end - 1] == b'\r' && self.rest.get(end) != Some(&self.separator) {
                end - 1
            } else {
                end
            };
            return Ok(self.take(end).trim_ascii().into());
        }
        self.quoted()
    }

    /// A field in quotation marks.
    fn quoted(&mut self) -> Result<Cow<'a, [u8]>, (u64, LineProblem)> {
        let opened = self.line;
        self.take(1);
        let mut parts: Cow<'a, [u8]> = Cow::Borrowed(&[]);
        loop {
            let Some(close) = memchr(b'"', self.rest) else {
                let remedy = "close the field with a quotation mark, and double a mark inside it (\"\")";
                let found = format!("none after {}", quote(self.rest));
                return Err((opened, LineProblem::new("fields", "a closing quotation mark", found, remedy)));
            };
            let part = self.take(close);
            self.line += memchr::memchr_iter(b'\n', part).count() as u64;
            if parts.is_empty() {
                parts = Cow::Borrowed(part);
            } else {
                parts.to_mut().extend_from_slice(part);
            }
            self.take(1);
            if self.rest.first() != Some(&b'"') {
                break;
            }
            self.take(1);
            parts.to_mut().push(b'"');
        }
        match self.rest {
            [] | [b'\n', ..] | [b'\r', b'\n', ..] | [b'\r'] => Ok(parts),
            [next, ..] if *next == self.separator => Ok(parts),
            other => {
                let end = memchr(b'\n', other).unwrap_or(other.len());
                let remedy = "double a quotation mark inside a field (\"\"), or remove the marks around it";
                let found = format!("{} after it", quote(other[..end].trim_ascii_end()));
                let expected = "a separator or the line's end after a closing quotation mark";
                Err((self.line, LineProblem::new("fields", expected, found, remedy)))
            }
        }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Result<Line<'a>, (u64, LineProblem)>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.rest.is_empty() && self.at_end() {}
        if self.rest.is_empty() {
            return None;
        }
        let line = self.line;
        let mut fields = Vec::new();
        loop {
            match self.field() {
                Ok(field) => fields.push(field),
                Err(problem) => {
                    self.rest = &[];
                    return Some(Err(problem));
                }
            }
            if self.at_end() {
                return Some(Ok(Line { line, fields }));
            }
            // What is left is the separator.
            self.take(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &str, separator: u8) -> Vec<(u64, Vec<String>)> {
        let text = |field: &Cow<'_, [u8]>| String::from_utf8_lossy(field).into_owned();
        Lines::new(bytes.as_bytes(), separator)
            .map(|line| line.unwrap())
            .map(|line| (line.line, line.fields.iter().map(text).collect()))
            .collect()
    }

    #[test]
    fn marks_separators_and_line_ends() {
        let text = "a,b\r\n\"x, \"\"y\"\"\", z \n\n\"two\nlines\",\n5\" disk,\"\"";
        let expected: [(u64, [&str; 2]); 4] =
            [(1, ["a", "b"]), (2, ["x, \"y\"", "z"]), (4, ["two\nlines", ""]), (6, ["5\" disk", ""])];
        assert_eq!(lines(text, b','), expected.map(|(line, fields)| (line, fields.map(str::to_owned).to_vec())));
        assert_eq!(lines("a\t\tb\t", b'\t')[0].1, ["a", "", "b", ""]);
    }

    #[test]
    fn the_separator_is_told_from_the_header() {
        assert_eq!(separator(b"qid,docno,score\n"), Some(b','));
        assert_eq!(separator(b"query-id\tcorpus-id\tscore\n"), Some(b'\t'));
        assert_eq!(separator(b"\xef\xbb\xbf\"Query ID\";\"Doc ID\";Score\n"), Some(b';'));
        assert_eq!(separator(b"1 Q0 d 1 2 t\n"), None);
        assert_eq!(separator(b"1,d,2\n"), None);
    }

    #[test]
    fn a_mark_that_never_closes_is_said_where_it_opens() {
        let mut lines = Lines::new(b"a,b\n1,\"x\ny\n", b',');
        assert!(lines.next().unwrap().is_ok());
        let (line, problem) = lines.next().unwrap().unwrap_err();
        assert_eq!((line, problem.found.as_str()), (2, "none after \"x\\ny\\n\""));
        assert!(lines.next().is_none());
    }

    #[test]
    fn quepid_rows_without_a_rating_are_not_judged_and_its_guard_goes() {
        let table = read(b"query,docid,rating\nscreen,1,3.0\nscreen,2,\n\" -x\",3,0\nnone,,", Data::Judgements);
        let table = table.unwrap();
        let grades: Vec<_> = (0..table.len()).map(|row| table.number(column::Column::Grade, row).unwrap()).collect();
        assert_eq!(grades, [3.0, -1.0, 0.0]);
        assert_eq!(table.text(column::Column::Topic, 2), b"-x");
    }
}
