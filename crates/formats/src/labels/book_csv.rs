//! Quepid's book as CSV: a column for each judge.

use karat_data::problem::quote;
use karat_data::{LineProblem, Problems};

use super::LabelFormat;
use crate::records::Table;
use crate::records::cell::Cell;
use crate::records::column::{self, Data};
use crate::records::delimited::{Line, Lines, unguarded, wrong_count};
use crate::records::label::{LabelRow, Labels, grade};
use crate::records::refusal::Refusal;

pub(super) static FORMAT: LabelFormat = LabelFormat {
    name: "quepid-book-csv",
    about: "Quepid book as CSV: query, docid and one column per judge. An empty field is unjudged. The CSV does not show which of them were unrateable; \
            the JSON export does.",
    layout: "query,docid,<judge>,<judge>,...",
    // A third column that is a grade's makes it a case.
    recognise: |content| {
        content.header.len() > 2
            && content.header.starts_with(&[b"query".to_vec(), b"docid".to_vec()])
            && column::plan(&content.header, Data::Labels).is_err()
    },
    read: |content| read(content.bytes).map_err(|refusal: Refusal| -> Problems { refusal.problems(content.name) }),
};

fn read(bytes: &[u8]) -> Result<Table, Refusal> {
    let mut lines = Lines::new(bytes, b',');
    let header = lines.next().transpose().map_err(|(line, problem)| Refusal::line(line, problem))?;
    let Some(header) = header.filter(|header| header.fields.len() > 2) else {
        let remedy = "export the book again; its first line is query,docid and the judges' names";
        return Err(Refusal::whole("a header with query, docid and judges", "another", remedy));
    };
    let judges: Vec<Vec<u8>> = header.fields[2..].iter().map(|name| name.to_vec()).collect();
    let mut labels = Labels::default();
    for (at, judge) in judges.iter().enumerate() {
        if judges[..at].contains(judge) {
            let found = format!("{} twice", quote(judge));
            let remedy = "two judges of one name cannot be told apart in this file: rename one in the header";
            labels.refusal.push(header.line, LineProblem::new("header", "each judge once", found, remedy));
        }
    }
    for line in lines {
        match line {
            Ok(line) if line.fields.len() == header.fields.len() => add_row(line, &judges, &mut labels),
            Ok(line) => labels.refusal.push(line.line, wrong_count(&line, header.fields.len())),
            Err((line, problem)) => {
                labels.refusal.push(line, problem);
                break;
            }
        }
    }
    labels.finish()
}

/// Adds the labels that the judges gave one document.
fn add_row(line: Line<'_>, judges: &[Vec<u8>], labels: &mut Labels) {
    let fields: Vec<_> = line.fields.into_iter().map(unguarded).collect();
    let needed = |at: usize, name| match fields[at].is_empty() {
        true => Err(LineProblem::new(name, "a name", "nothing", "fill it in, or remove the row")),
        false => Ok(&fields[at][..]),
    };
    for (judge, field) in judges.iter().zip(&fields[2..]).filter(|(_, field)| !field.is_empty()) {
        let cell = Cell::Written(field.clone());
        let row = needed(0, "query").and_then(|query| Ok((query, needed(1, "docid")?, grade(&cell)?)));
        match row {
            Ok((query, document, grade)) => labels.push(&LabelRow::new(line.line, query, document, judge, grade)),
            Err(problem) => labels.refusal.push(line.line, problem),
        }
    }
}
