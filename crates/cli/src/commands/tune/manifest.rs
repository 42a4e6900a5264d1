//! A table of runs by parameter: CSV or TSV with a column `run`.

use std::borrow::Cow;
use std::path::Path;

use karat_analysis::tune::Parameter;
use karat_data::names::text;
use karat_data::{Problem, Problems};
use karat_formats::records::delimited::{Lines, wrong_count};

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
    let placed = |(line, problem): (u64, karat_data::LineProblem)| Problem::of_line(file, line - 1, problem);
    let mut lines = Lines::new(&bytes, separator);
    let Some(header) = lines.next().transpose().map_err(placed)? else {
        let remedy = "write a line with the names of columns, then one line for each run";
        return Err(Problem::of_file(file, "a header with a column `run`", "an empty file", remedy).into());
    };
    let names: Vec<String> = header.fields.iter().map(|name| text(name)).collect();
    let Some(at) = header.fields.iter().position(|name| name.eq_ignore_ascii_case(RUN)) else {
        let remedy = "name the column with the run files `run`; the other columns are parameters";
        let found = format!("the columns {}", names.join(", "));
        return Err(Problem::of_file(file, "a column `run`", found, remedy).into());
    };
    let mut problems = Problems::default();
    if let Some(twice) = (1..names.len()).find(|&place| names[..place].contains(&names[place])) {
        let found = format!("{} again", names[twice]);
        problems.push(Problem::of_file(file, "names of columns that differ", found, "rename one of the two columns"));
    }
    let mut rows = Vec::new();
    for line in lines {
        match line {
            Err(problem) => problems.push(placed(problem)),
            Ok(line) if line.fields.len() != names.len() => {
                problems.push(placed((line.line, wrong_count(&line, names.len()))));
            }
            Ok(line) if line.fields[at].is_empty() => {
                let remedy = "name the run's file, or take the line out";
                let problem = karat_data::LineProblem::new("run", "the name of a file", "nothing", remedy);
                problems.push(placed((line.line, problem)));
            }
            Ok(line) => rows.push(row(file, &names, &line.fields, at)),
        }
    }
    problems.into_result()?;
    Ok(rows)
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
