//! A table of runs by parameter: CSV or TSV with a column `run`.

use std::borrow::Cow;
use std::path::Path;

use karat_analysis::tune::Parameter;
use karat_data::names::text;
use karat_data::{LineProblem, Problem, Problems};
use karat_formats::records::delimited::{Line, Lines, wrong_count};

use crate::environment::Environment;
use crate::failure::Failure;

/// The column with the files.
const RUN: &[u8] = b"run";

/// One run.
pub struct Row {
    /// Its file; a relative name is taken from the folder of the table.
    pub run: String,
    /// Names and values of its parameters.
    pub parameters: Vec<Parameter>,
}

/// Reads a table.
///
/// # Errors
/// Everything wrong with it.
pub fn read(environment: &Environment, file: &str) -> Result<Vec<Row>, Failure> {
    let bytes = environment.read(file).map_err(|error| {
        let mut problem =
            Problem::of_file(file, "a table of runs", error.to_string(), "check the name given to --manifest");
        problem.kind = karat_data::ProblemKind::Unreadable;
        problem
    })?;
    let head = bytes.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty()).unwrap_or(&[]);
    let separator = [b'\t', b',', b';'].into_iter().find(|separator| head.contains(separator)).unwrap_or(b',');
    let placed = |(line, problem): (u64, LineProblem)| Problem::of_line(file, line - 1, problem);
    let mut lines = Lines::new(&bytes, separator);
    let Some(header) = lines.next().transpose().map_err(placed)? else {
        let remedy = "write a line with the names of columns, then one line for each run";
        return Err(Problem::of_file(file, "a header with a column `run`", "an empty file", remedy).into());
    };
    let (names, at) = columns(file, &header.fields)?;
    let mut problems = Problems::default();
    if let Some(twice) = (1..names.len()).find(|&place| names[..place].contains(&names[place])) {
        let found = format!("{} again", names[twice]);
        problems.push(Problem::of_file(file, "names of columns that differ", found, "rename one of the two columns"));
    }
    let mut rows = Vec::new();
    for line in lines {
        match line.and_then(|line| check(line, names.len(), at)) {
            Ok(line) => rows.push(row(file, &names, &line.fields, at)),
            Err(problem) => problems.push(placed(problem)),
        }
    }
    problems.into_result()?;
    Ok(rows)
}

/// The names of the columns, and the place of the one with the files.
fn columns(file: &str, header: &[Cow<'_, [u8]>]) -> Result<(Vec<String>, usize), Failure> {
    let names: Vec<String> = header.iter().map(|name| text(name)).collect();
    match header.iter().position(|name| name.eq_ignore_ascii_case(RUN)) {
        Some(at) => Ok((names, at)),
        None => {
            let remedy = "name the column with the run files `run`; the other columns are parameters";
            let found = format!("the columns {}", names.join(", "));
            Err(Problem::of_file(file, "a column `run`", found, remedy).into())
        }
    }
}

/// A line with as many fields as columns, and a file.
fn check(line: Line<'_>, columns: usize, at: usize) -> Result<Line<'_>, (u64, LineProblem)> {
    if line.fields.len() != columns {
        return Err((line.line, wrong_count(&line, columns)));
    }
    if line.fields[at].is_empty() {
        let remedy = "name the run's file, or take the line out";
        return Err((line.line, LineProblem::new("run", "the name of a file", "nothing", remedy)));
    }
    Ok(line)
}

fn row(file: &str, names: &[String], fields: &[Cow<'_, [u8]>], at: usize) -> Row {
    let written = String::from_utf8_lossy(&fields[at]).into_owned();
    let beside = Path::new(file).parent().map(|folder| folder.join(&written).to_string_lossy().into_owned());
    let parameters = names.iter().zip(fields).enumerate().filter(|(column, _)| *column != at);
    Row {
        run: beside.unwrap_or(written),
        parameters: parameters.map(|(_, (name, value))| Parameter { name: name.clone(), value: text(value) }).collect(),
    }
}
