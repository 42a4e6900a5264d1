//! Rows of a file by the names that the user gave its columns, for data that is neither a run nor a judgement: clicks, say.
//!
//! The one decision: rows are handed over one by one and nothing is kept, because a file of clicks has millions of rows and what is
//! wanted of them is sums. The container (separated by commas, tabs, semicolons or bars; JSON; JSON Lines; Parquet) is detected from the content.

use std::borrow::Cow;

use karat_data::problem::quote;
use karat_data::{LineProblem, Problem, Problems};

use super::cell::Cell;
use super::column::Data;
use super::delimited::{Line, Lines, likely, wrong_count};
use super::json::{Fault, Json};
use super::refusal::Refusal;
use super::{parquet, source};
use crate::{Input, memory};

/// What is to be known of a file that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedFacts {
    /// Bytes, decompressed.
    pub bytes: u64,
    /// Rows.
    pub rows: u64,
    /// The container.
    pub format: &'static str,
}

/// Takes a row: its line (its number, where there are no lines) and one cell for each column that was chosen.
pub type Take<'t> = dyn FnMut(u64, &[Cell<'_>]) -> Result<(), LineProblem> + 't;

/// Chooses columns by the names in the file; what is not there is said with its error.
pub type Choose<'c> = dyn FnMut(&[String]) -> Result<Vec<String>, LineProblem> + 'c;

/// Reads a file: `choose` gets the names of its columns (of JSON, the keys of the first object), `take` gets the rows.
///
/// # Errors
/// Everything wrong with the file, and what `choose` and `take` refuse, with lines.
pub fn read(input: &Input, choose: &mut Choose<'_>, take: &mut Take<'_>) -> Result<NamedFacts, Problems> {
    let mut bytes = source::bytes(input, false)?;
    let parquet = bytes.starts_with(parquet::MAGIC);
    if !parquet {
        // Again as text: zero bytes and the like are said with their line.
        bytes = source::bytes(input, true)?;
    }
    let content = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let mut rows = Rows { take, refusal: Refusal::default(), count: 0 };
    let (format, read) = match content.trim_ascii_start().first() {
        _ if parquet => ("parquet", parquet::rows(&bytes, choose, &mut |line, cells| rows.row(line, cells))),
        Some(b'{' | b'[') => ("json", json(content, choose, &mut rows)),
        _ if likely(content) == b'\t' => ("tsv", delimited(content, choose, &mut rows)),
        _ => ("csv", delimited(content, choose, &mut rows)),
    };
    let read = read.and(if rows.refusal.is_empty() { Ok(()) } else { Err(rows.refusal) });
    read.map_err(|refusal| memory::placed_as_text(input, refusal.problems(input.name())))?;
    if rows.count == 0 {
        let remedy = "check that the file was written completely";
        return Err(Problem::of_file(input.name(), "at least one row", "none", remedy).into());
    }
    Ok(NamedFacts { bytes: bytes.len() as u64, rows: rows.count, format })
}

/// Hands rows over, and collects what is wrong with them.
struct Rows<'t, 'f> {
    take: &'t mut Take<'f>,
    refusal: Refusal,
    count: u64,
}

impl Rows<'_, '_> {
    fn row(&mut self, line: u64, cells: &[Cell<'_>]) {
        karat_runtime::check();
        self.count += 1;
        if let Err(problem) = (self.take)(line, cells) {
            self.refusal.push(line, problem);
        }
    }
}

fn text(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}

/// Where each chosen name stands among all.
pub(super) fn places(names: &[String], choose: &mut Choose<'_>) -> Result<Vec<usize>, LineProblem> {
    let chosen = choose(names)?;
    let place = |wanted: &String| {
        let mut found = names.iter().enumerate().filter(|(_, name)| *name == wanted).map(|(at, _)| at);
        match (found.next(), found.next()) {
            (Some(at), None) => Ok(at),
            (Some(_), Some(_)) => {
                let found = format!("two columns {}", quote(wanted.as_bytes()));
                Err(LineProblem::new("header", "each column once", found, "rename one of the two"))
            }
            _ => Err(no_column(wanted, names)),
        }
    };
    chosen.iter().map(place).collect()
}

/// That a column is not there.
pub fn no_column(wanted: &str, names: &[String]) -> LineProblem {
    let shown: Vec<String> = names.iter().take(12).map(|name| quote(name.as_bytes())).collect();
    let more = if names.len() > shown.len() { ", ..." } else { "" };
    let found = if names.is_empty() { "no column".to_owned() } else { format!("{}{more}", shown.join(", ")) };
    LineProblem::new(
        "header",
        format!("a column {}", quote(wanted.as_bytes())),
        found,
        "spell the column as in the file, including upper and lower case",
    )
}

fn delimited(bytes: &[u8], choose: &mut Choose<'_>, rows: &mut Rows<'_, '_>) -> Result<(), Refusal> {
    let mut lines = Lines::new(bytes, likely(bytes));
    let Some(first) = lines.next() else {
        let found = if bytes.is_empty() { "an empty file" } else { "only blank lines" };
        let remedy = "check that the file was written completely";
        return Err(Refusal::whole("a header that names the columns", found, remedy));
    };
    let header = first.map_err(|(line, problem)| Refusal::line(line, problem))?;
    let names: Vec<String> = header.fields.iter().map(|name| text(name)).collect();
    let places = places(&names, choose).map_err(|problem| Refusal::line(header.line, problem))?;
    let plain: Vec<Vec<u8>> = names.iter().map(|name| name.clone().into_bytes()).collect();
    let spreadsheet = lines.spreadsheet(&plain, Data::Judgements);
    while let Some(line) = lines.next() {
        let line: Line<'_> = match line {
            Ok(line) => lines.restored(line, spreadsheet.as_ref()),
            Err((line, problem)) => {
                rows.refusal.push(line, problem);
                break;
            }
        };
        if line.fields.len() != names.len() {
            rows.refusal.push(line.line, wrong_count(&line, names.len()));
            continue;
        }
        let cell = |&at: &usize| match &line.fields[at] {
            field if field.is_empty() => Cell::Missing,
            field => Cell::Written(Cow::Borrowed(&**field)),
        };
        let cells: Vec<Cell<'_>> = places.iter().map(cell).collect();
        rows.row(line.line, &cells);
    }
    Ok(())
}

/// Objects one after another, or in one array. A key that an object does not have is an empty cell.
fn json(bytes: &[u8], choose: &mut Choose<'_>, rows: &mut Rows<'_, '_>) -> Result<(), Refusal> {
    let mut json = Json::new(bytes).map_err(Fault::refusal)?;
    let mut chosen: Option<Vec<String>> = None;
    let mut refused = None;
    let object = |json: &mut Json<'_>| -> Result<(), Fault> {
        json.peek();
        let line = json.line();
        let members = members(json)?;
        if chosen.is_none() && refused.is_none() {
            let names: Vec<String> = members.iter().map(|(key, _)| text(key)).collect();
            match places(&names, choose) {
                Ok(places) => chosen = Some(places.into_iter().map(|at| names[at].clone()).collect()),
                Err(problem) => refused = Some(Refusal::line(line, problem)),
            }
        }
        let Some(chosen) = &chosen else { return Ok(()) };
        let cell = |name: &String| {
            let found = members.iter().find(|(key, _)| **key == *name.as_bytes());
            found.map_or(Cell::Missing, |(_, cell)| cell.clone())
        };
        let cells: Vec<Cell<'_>> = chosen.iter().map(cell).collect();
        rows.row(line, &cells);
        Ok(())
    };
    json.each(object).map_err(Fault::refusal)?;
    refused.map_or(Ok(()), Err)
}

/// A key, and what it has.
type Member<'a> = (Cow<'a, [u8]>, Cell<'a>);

/// The members of an object, each key once.
fn members<'a>(json: &mut Json<'a>) -> Result<Vec<Member<'a>>, Fault> {
    let mut members: Vec<Member<'a>> = Vec::new();
    json.object(|json, key| {
        if members.iter().any(|(known, _)| *known == key) {
            let remedy = "remove one of the two; most readers silently keep the last";
            return Err(json.fault("each key of an object once", format!("{} again", quote(&key)), remedy));
        }
        members.push((key, json.cell()?));
        Ok(())
    })?;
    Ok(members)
}

/// The largest count, 2^53: beyond it floats leave whole numbers out, so that sums would be wrong without a word.
pub const LARGEST_COUNT: u64 = 1 << 53;

/// A number from 0 in a cell. The column's name is the user's, so it stands in what was expected.
///
/// # Errors
/// It is none.
pub fn count(cell: &Cell<'_>, column: &str) -> Result<f64, LineProblem> {
    let name = quote(column.as_bytes());
    let problem = |expected: String, found: String, remedy: &str| {
        Err(LineProblem::new("column", expected, found, remedy).in_column(column))
    };
    let found = match cell {
        Cell::Written(text) | Cell::Number(text) => fast_float2::parse::<f64, _>(text.trim_ascii()).ok(),
        Cell::Float(number) => Some(*number),
        // True and false are what data frames write for a click.
        Cell::Other("true") => Some(1.0),
        Cell::Other("false") => Some(0.0),
        _ => None,
    };
    match found {
        Some(number) if number.is_finite() && number > LARGEST_COUNT as f64 => problem(
            format!("a number from 0 to {LARGEST_COUNT} in {name}"),
            shown(cell),
            "larger numbers cannot be added exactly: check the row, or give the column in a larger unit",
        ),
        Some(number) if number.is_finite() && number >= 0.0 => Ok(number),
        Some(number) if number < 0.0 => problem(
            format!("a number from 0 in {name}"),
            number.to_string(),
            "counts cannot be negative: correct the row, or take it out",
        ),
        _ => problem(
            format!("a number from 0 in {name}"),
            shown(cell),
            "write a number; fill an empty cell in, or take the row out",
        ),
    }
}

/// A name in a cell.
///
/// # Errors
/// There is none.
pub fn name<'c>(cell: &'c Cell<'_>, column: &str) -> Result<Cow<'c, [u8]>, LineProblem> {
    match cell {
        Cell::Written(text) | Cell::Text(text) | Cell::Number(text) if !text.is_empty() => Ok(Cow::Borrowed(text)),
        Cell::Other(word @ ("true" | "false")) => Ok(Cow::Borrowed(word.as_bytes())),
        // A frame makes floats of whole numbers when one is missing; 7.0 and 7 are one user.
        Cell::Float(number) if number.fract() == 0.0 && number.abs() < 9e15 => {
            Ok(Cow::Owned(format!("{number:.0}").into_bytes()))
        }
        _ => Err(LineProblem::new(
            "column",
            format!("a name in {}", quote(column.as_bytes())),
            shown(cell),
            "fill it in, or remove the row",
        )
        .in_column(column)),
    }
}

fn shown(cell: &Cell<'_>) -> String {
    match cell {
        Cell::Missing => "nothing".into(),
        Cell::Written(text) | Cell::Text(text) | Cell::Number(text) => quote(text),
        Cell::Float(number) => number.to_string(),
        Cell::Other(word) => (*word).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(bytes: &[u8], columns: &[&str]) -> Result<Vec<(u64, Vec<String>)>, String> {
        let mut all = Vec::new();
        let wanted: Vec<String> = columns.iter().map(|&name| name.to_owned()).collect();
        let read = read(&Input::bytes("f", bytes), &mut |_| Ok(wanted.clone()), &mut |line, cells| {
            let name = |cell: &Cell<'_>| name(cell, "x").map(|name| String::from_utf8_lossy(&name).into_owned());
            all.push((line, cells.iter().map(name).collect::<Result<_, _>>()?));
            Ok(())
        });
        read.map(|_| all).map_err(|problems| problems.to_string())
    }

    #[test]
    fn every_container_gives_the_same_rows() {
        let expected = vec![(vec!["b".to_owned(), "7".to_owned()]), (vec!["c".to_owned(), "8".to_owned()])];
        for text in [
            "user,arm,x\n7,b,1\n8,c,2\n",
            "\u{feff}user\tarm\tx\r\n7\tb\t1\r\n8\tc\t2\r\n",
            "user;arm\n7;b\n8;c",
            "{\"user\": 7, \"arm\": \"b\"}\n{\"arm\": \"c\", \"user\": \"8\", \"more\": [1]}\n",
            "[{\"user\": 7, \"arm\": \"b\"}, {\"arm\": \"c\", \"user\": 8}]",
        ] {
            let found = rows(text.as_bytes(), &["arm", "user"]).unwrap();
            assert_eq!(found.into_iter().map(|row| row.1).collect::<Vec<_>>(), expected, "{text}");
        }
        // A single column has no separator to tell.
        assert_eq!(rows(b"winner\na\n", &["winner"]).unwrap(), [(2, vec!["a".to_owned()])]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let said = |text: &str, column: &str| rows(text.as_bytes(), &[column]).unwrap_err();
        assert!(said("", "a").contains("an empty file"));
        assert!(said("a,b\n", "a").contains("expected at least one row"));
        let missing = said("Arm,b\n1,2\n", "arm");
        assert!(missing.contains("f:1: header: expected a column \"arm\", found \"Arm\", \"b\""), "{missing}");
        assert!(said("a,a\n1,2\n", "a").contains("two columns \"a\""));
        assert!(said("a,b\n1,2\n1\n,4\n", "a").contains("f:3: fields: expected 2 fields"));
        assert!(said("a,b\n1,2\n1\n,4\n", "a").contains("f:4: column: expected a name in \"x\", found nothing"));
        assert!(said("{\"a\": 1}\n{\"a\": 2", "a").contains("f:2: JSON"));
        assert!(said("{\"a\": 1}\n{\"b\": 2}", "a").contains("f:2: column: expected a name"));
        assert!(said("{\"b\": 1}\n", "a").contains("f:1: header: expected a column \"a\""));
        assert!(said("{\"a\": 1, \"a\": 2}\n", "a").contains("again"));
    }

    #[test]
    fn counts_are_numbers_from_zero() {
        assert_eq!(count(&Cell::Written(b" 3 "[..].into()), "c"), Ok(3.0));
        assert_eq!(count(&Cell::Other("true"), "c"), Ok(1.0));
        for (cell, word) in [
            (Cell::Written(b"-1"[..].into()), "negative"),
            (Cell::Written(b"nan"[..].into()), "write a number"),
            (Cell::Text(b"2"[..].into()), "write a number"),
            (Cell::Missing, "write a number"),
            (Cell::Float(f64::INFINITY), "write a number"),
        ] {
            assert!(count(&cell, "c").unwrap_err().remedy.contains(word), "{cell:?}");
        }
        assert_eq!(&*name(&Cell::Float(7.0), "u").unwrap(), b"7");
        assert!(name(&Cell::Float(7.5), "u").is_err());
    }
}
