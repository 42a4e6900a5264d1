//! Formats made of lines of fields: which column stands in which field.

use std::io::{self, Write};

use karat_data::JudgementKind;

use super::text::number;
use crate::records::Table;
use crate::records::column::{Column, Data};

use Column::{
    Document, Grade, Group, Iteration, Method, Preference, Probability, Rank, Score, Stratum, Subgroup, Subtopic, Tag,
    Topic,
};

/// The fields of a line.
pub struct Layout {
    /// The format's name.
    pub name: &'static str,
    /// What its rows are.
    pub data: Data,
    /// Which kind of judgement.
    pub kind: JudgementKind,
    /// What each field is; `None` for TREC's `Q0`.
    pub columns: &'static [Option<Column>],
}

const fn layout(name: &'static str, data: Data, kind: JudgementKind, columns: &'static [Option<Column>]) -> Layout {
    Layout { name, data, kind, columns }
}

const JUDGED: Data = Data::Judgements;
const GRADE: Option<Column> = Some(Grade);
const TOPIC: Option<Column> = Some(Topic);
const DOCUMENT: Option<Column> = Some(Document);

/// Every format made of lines of fields.
pub static LAYOUTS: &[Layout] = &[
    layout("trec", Data::Run, JudgementKind::Grades, &[TOPIC, None, DOCUMENT, Some(Rank), Some(Score), Some(Tag)]),
    layout("msmarco", Data::Run, JudgementKind::Grades, &[TOPIC, DOCUMENT, Some(Rank)]),
    layout("trec", JUDGED, JudgementKind::Grades, &[TOPIC, Some(Iteration), DOCUMENT, GRADE]),
    layout("trec", Data::Labels, JudgementKind::Grades, &[TOPIC, Some(Iteration), DOCUMENT, GRADE]),
    layout("sampled", JUDGED, JudgementKind::Strata, &[TOPIC, Some(Iteration), DOCUMENT, Some(Stratum), GRADE]),
    layout("prels", JUDGED, JudgementKind::Probabilities, &[TOPIC, DOCUMENT, GRADE, Some(Method), Some(Probability)]),
    layout("diversity", JUDGED, JudgementKind::Subtopics, &[TOPIC, Some(Subtopic), DOCUMENT, GRADE]),
    layout("trec-jg", JUDGED, JudgementKind::Groups, &[TOPIC, Some(Group), DOCUMENT, GRADE]),
    layout(
        "trec-prefs",
        JUDGED,
        JudgementKind::Preferences,
        &[TOPIC, Some(Group), Some(Subgroup), DOCUMENT, Some(Preference)],
    ),
];

/// The layout of a format, if it is made of fields.
pub fn find(name: &str, data: Data) -> Option<&'static Layout> {
    LAYOUTS.iter().find(|layout| layout.name == name && layout.data == data)
}

/// Writes the lines of a layout.
fn lines(table: &Table, name: &str, separator: u8, out: &mut dyn Write) -> io::Result<()> {
    let columns = find(name, table.data).map_or(&[][..], |layout| layout.columns);
    let mut line = Vec::new();
    for row in 0..table.len() {
        line.clear();
        for (at, column) in columns.iter().enumerate() {
            if at > 0 {
                line.push(separator);
            }
            match column {
                None => line.extend_from_slice(b"Q0"),
                Some(column) if column.is_number() => {
                    let value = table.number(*column, row).unwrap_or(0.0);
                    // A form for judges: what is still to be given. Every reader refuses it, so that none is forgotten.
                    let text = if value.is_nan() { "?".to_owned() } else { number(value) };
                    line.extend_from_slice(text.as_bytes());
                }
                Some(column) => line.extend_from_slice(table.text(*column, row)),
            }
        }
        line.push(b'\n');
        out.write_all(&line)?;
    }
    Ok(())
}

macro_rules! writers {
    ($($function:ident $name:literal $separator:literal;)*) => {
        $(pub(super) fn $function(table: &Table, out: &mut dyn Write) -> io::Result<()> {
            lines(table, $name, $separator, out)
        })*
    };
}

writers! {
    trec_run "trec" b' ';
    msmarco "msmarco" b'\t';
    trec_qrels "trec" b' ';
    sampled "sampled" b' ';
    prels "prels" b' ';
    diversity "diversity" b' ';
    trec_jg "trec-jg" b' ';
    trec_prefs "trec-prefs" b' ';
}
