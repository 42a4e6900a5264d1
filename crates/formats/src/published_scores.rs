//! Scores copied out of papers: a table with the columns `system`, `p`, `score` and, where they were printed, `residual` and `digits`.
//!
//! Numbers stay the text that was typed, because its digits say how precise they are. `digits` says how many stood after the
//! point, for tables that went through a spreadsheet and lost their last zeros.

use std::collections::HashMap;

use karat_data::problem::quote;
use karat_data::{LineProblem, Problems};

use crate::records::Refusal;
use crate::records::delimited::{Line, Lines};
use crate::records::source;
use crate::{Input, memory};

/// One published score, as it was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreRow {
    /// Its line, from 1.
    pub line: u64,
    /// The system's name; no two have the same.
    pub system: String,
    /// p.
    pub p: String,
    /// RBP.
    pub score: String,
    /// The residual, if one was printed.
    pub residual: Option<String>,
    /// Digits after the point, if they are not those typed.
    pub digits: Option<String>,
}

const COLUMNS: [&str; 5] = ["system", "p", "score", "residual", "digits"];
/// The first of them that a table may leave out.
const OPTIONAL: usize = 3;

/// Reads a table of published scores, separated by commas, tabs or semicolons.
///
/// # Errors
/// Everything wrong with it.
pub fn read(input: &Input) -> Result<(Vec<ScoreRow>, u64), Problems> {
    let bytes = source::bytes(input, true)?;
    let rows = parse(&bytes).map_err(|refusal| memory::placed_as_text(input, refusal.problems(input.name())))?;
    Ok((rows, bytes.len() as u64))
}

fn parse(bytes: &[u8]) -> Result<Vec<ScoreRow>, Refusal> {
    let fields =
        |separator: &u8| Lines::new(bytes, *separator).next().and_then(Result::ok).map_or(0, |l| l.fields.len());
    let separator = [b';', b'\t', b','].into_iter().max_by_key(fields).unwrap_or(b',');
    let mut lines = Lines::new(bytes, separator);
    let Some(header) = lines.next() else {
        return Err(Refusal::whole("a header and a line for each score", "an empty file", HEADER));
    };
    let header = header.map_err(|(line, problem)| Refusal::line(line, problem))?;
    let places = places(&header).map_err(|problem| Refusal::line(header.line, problem))?;
    let (rows, refusal) = rows(lines, &places);
    if !refusal.is_empty() {
        return Err(refusal);
    }
    if rows.len() < 2 {
        let found = if rows.is_empty() { "none" } else { "one" };
        return Err(Refusal::whole("two published scores or more", found, "add the score to compare with"));
    }
    Ok(rows)
}

/// The rows, and everything wrong with them.
fn rows(lines: Lines<'_>, places: &[Option<usize>; 5]) -> (Vec<ScoreRow>, Refusal) {
    let mut refusal = Refusal::default();
    let (mut rows, mut named) = (Vec::new(), HashMap::new());
    for line in lines {
        let line = match line {
            Ok(line) => line,
            Err((number, problem)) => {
                refusal.push(number, problem);
                break;
            }
        };
        match row(&line, places) {
            Err(problem) => refusal.push(line.line, problem),
            Ok(row) => {
                let first = *named.entry(row.system.clone()).or_insert(row.line);
                if first != row.line {
                    let found = format!("{} again", quote(row.system.as_bytes()));
                    let problem = LineProblem::new("system", "each system once", found, "rename one of the two");
                    refusal.push(line.line, problem.first_on(first));
                }
                rows.push(row);
            }
        }
    }
    (rows, refusal)
}

const HEADER: &str = "begin with the line system,p,score (and residual, digits where they were printed)";

/// Where each of [`COLUMNS`] stands.
fn places(header: &Line<'_>) -> Result<[Option<usize>; 5], LineProblem> {
    let name = |field: &[u8]| String::from_utf8_lossy(field).trim().to_ascii_lowercase();
    let names: Vec<String> = header.fields.iter().map(|field| name(field)).collect();
    let places = COLUMNS.map(|column| names.iter().position(|name| name == column));
    let found = || names.iter().map(|name| quote(name.as_bytes())).collect::<Vec<_>>().join(", ");
    if let Some(missing) = (0..OPTIONAL).find(|&at| places[at].is_none()) {
        let expected = format!("a column {}", COLUMNS[missing]);
        return Err(LineProblem::new("header", expected, found(), HEADER));
    }
    match names.iter().enumerate().find(|(at, name)| !places.contains(&Some(*at)) || !COLUMNS.contains(&name.as_str()))
    {
        Some((_, name)) => Err(LineProblem::new(
            "header",
            "the columns system, p, score, residual, digits, each once",
            quote(name.as_bytes()),
            "remove the column, or rename it",
        )),
        None => Ok(places),
    }
}

fn row(line: &Line<'_>, places: &[Option<usize>; 5]) -> Result<ScoreRow, LineProblem> {
    let given = places.iter().flatten().count();
    if line.fields.len() != given {
        let found = format!("{} in {}", line.fields.len(), quote(&line.fields.join(&b", "[..])));
        let remedy = "complete the line; an empty field is allowed, a missing one is not";
        return Err(LineProblem::new("fields", format!("{given} fields, as in the header"), found, remedy));
    }
    let text = |at: usize| {
        let field = places[at].and_then(|place| line.fields.get(place)).map(|field| field.trim_ascii());
        field.filter(|field| !field.is_empty()).map(|field| String::from_utf8_lossy(field).into_owned())
    };
    let needed = |at: usize| {
        text(at).ok_or_else(|| LineProblem::new(COLUMNS[at], "a value", "nothing", "fill it in, or take the line out"))
    };
    Ok(ScoreRow {
        line: line.line,
        system: needed(0)?,
        p: needed(1)?,
        score: needed(2)?,
        residual: text(3),
        digits: text(4),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_in_any_order_and_empty_ones_left_out() {
        let rows = parse(b"p,system,score,residual\n0.8,a,0.4200,\n0.95,\"b, too\",0.30,0.02\n").unwrap();
        assert_eq!((rows[0].score.as_str(), rows[0].residual.as_deref(), rows[0].line), ("0.4200", None, 2));
        assert_eq!((rows[1].system.as_str(), rows[1].residual.as_deref()), ("b, too", Some("0.02")));
        assert_eq!(parse(b"system\tp\tscore\na\t.5\t.1\nb\t.5\t.2\n").unwrap().len(), 2);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let said = |text: &str| parse(text.as_bytes()).unwrap_err().problems("s.csv").to_string();
        assert!(said("").contains("found an empty file"));
        assert!(said("system,p\na,1\n").contains("s.csv:1: header: expected a column score"));
        assert!(said("system,p,score,year\n").contains("\"year\""));
        assert!(said("system,p,score,p\n").contains("each once"));
        assert!(said("system,p,score\na,0.8\n").contains("s.csv:2: fields: expected 3 fields"));
        assert!(said("system,p,score\na,0.8,\n").contains("s.csv:2: score: expected a value, found nothing"));
        assert!(said("system,p,score\na,0.8,0.4\na,0.9,0.4\n").contains("s.csv:3: system: expected each system once"));
        assert!(said("system,p,score\na,0.8,0.4\n").contains("two published scores or more"));
    }
}
