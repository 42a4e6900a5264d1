//! TREC's qrels, one file for each judge, and the other formats of judgements that hold plain grades.

use karat_data::{JudgementKind, Problem, Problems};

use super::{Content, LabelFormat};
use crate::Input;
use crate::detect::{self, Detected};
use crate::records::label::{Given, LabelRow, Labels};
use crate::records::{Column, Table, source};
use crate::sample::Sample;

pub(super) static FORMAT: LabelFormat = LabelFormat {
    name: "trec",
    about: "TREC qrels, one file per judge; the judge is named after the file. Grade -1 is unjudged, a lower grade junk.",
    layout: "topic 0 docno grade",
    recognise: |content| detect::qrels(content.name, &Sample::new(content.bytes, true)).is_ok(),
    read,
};

fn read(content: &Content<'_>) -> Result<Table, Problems> {
    let format = detect::qrels(content.name, &Sample::new(content.bytes, true))?;
    let input = Input::bytes(content.name, content.bytes);
    let table = source::table(&input, Detected::Qrels(format), 1)?;
    if table.kind != JudgementKind::Grades {
        let remedy = "give one grade for each topic and document of a judge";
        return Err(Problem::of_file(content.name, "plain grades", table.kind.to_string(), remedy).into());
    }
    let mut labels = Labels::default();
    for row in 0..table.len() {
        let grade = table.number(Column::Grade, row).map_or(Given::Nothing, Given::Number);
        let (topic, document) = (table.text(Column::Topic, row), table.text(Column::Document, row));
        labels.push(&LabelRow::new(table.line(row), topic, document, b"", grade));
    }
    labels.finish().map_err(|refusal| refusal.problems(content.name))
}
