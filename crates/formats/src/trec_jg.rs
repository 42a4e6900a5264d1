//! trec_eval's judgement groups: `topic group docno grade` (its `-R qrels_jg`).
//!
//! Judgements by subtopic look the same, and are commoner; so these have to be asked for.

use karat_data::{JudgementKind, LineProblem, MarkedRow};

use crate::columns::{columns, grade, judgement};
use crate::registry::{QrelsFormat, QrelsReader};

/// The row of the table.
pub static FORMAT: QrelsFormat = QrelsFormat {
    name: "trec-jg",
    about: "Judgement groups of trec_eval (qrels_jg): each group, for example a judge, judges a document once. The content looks like diversity, so this format must be named.",
    layout: LAYOUT,
    kind: JudgementKind::Groups,
    docno: "docno (field 3)",
    recognise: |_| false,
    reader: QrelsReader::Marked(parse_line),
};

/// As `trec_eval -R qrels_jg` reads them: a grade is a whole number and ends at the point. Not in the table.
pub static WHOLE_GRADES: QrelsFormat = QrelsFormat {
    name: "trec-jg-whole",
    about: "trec_eval's judgement groups as trec_eval reads them, the grades cut to whole numbers.",
    layout: LAYOUT,
    kind: JudgementKind::Groups,
    docno: "docno (field 3)",
    recognise: |_| false,
    reader: QrelsReader::Marked(|line| {
        let row = parse_line(line)?;
        let value = row.value.trunc();
        Ok(MarkedRow { judgement: judgement(value), value, ..row })
    }),
};

const LAYOUT: &str = "topic group docno grade";

/// Any line.
fn parse_line(line: &[u8]) -> Result<MarkedRow<'_>, LineProblem> {
    let [topic, group, docno, number] = columns(line, LAYOUT, super::trec_qrels::if_not_four)?;
    let value = grade(number, "grade (field 4)", LAYOUT)?;
    Ok(MarkedRow { topic, docno, judgement: judgement(value), group, subgroup: b"", value })
}
