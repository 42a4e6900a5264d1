//! trec_eval's judgement groups: `topic group docno grade`, every group (a judge, say) with grades of its own.

use karat_data::{Judgement, JudgementKind, LineProblem, MarkedRow};

use crate::Dialect;
use crate::fields::fields;
use crate::registry::{QrelsFormat, QrelsReader};
use crate::trec_qrels;

/// The row of the table.
pub static FORMAT: QrelsFormat = QrelsFormat {
    name: "trec-jg",
    about: "trec_eval's judgement groups: qrels in which the second field says whose judgement it is, so that a document may have several. Must be asked for by name, because it looks like qrels.",
    layout: "topic group docno grade",
    kind: JudgementKind::Groups,
    docno: "docno (field 3)",
    recognise: |_| false,
    reader: QrelsReader::Marked(|line| parse_line(line, Dialect::Strict)),
};

/// As `trec_eval -R qrels_jg` reads them: a grade is a whole number and ends at the point.
pub static WHOLE_GRADES: QrelsFormat =
    QrelsFormat { reader: QrelsReader::Marked(|line| parse_line(line, Dialect::TrecEval)), ..FORMAT };

fn parse_line(line: &[u8], dialect: Dialect) -> Result<MarkedRow<'_>, LineProblem> {
    let row = trec_qrels::parse_line(line, dialect)?;
    let group = fields(line).nth(1).unwrap_or_default();
    let value = match row.judgement {
        Judgement::Grade(grade) => grade.value(),
        _ => -1.0,
    };
    Ok(MarkedRow { topic: row.topic, docno: row.docno, judgement: row.judgement, group, subgroup: b"", value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_field_is_the_group() {
        let row = parse_line(b"1 ann d 1.5", Dialect::Strict).unwrap();
        assert_eq!((row.topic, row.group, row.docno, row.value), (&b"1"[..], &b"ann"[..], &b"d"[..], 1.5));
        assert_eq!(parse_line(b"1 ann d 1.5", Dialect::TrecEval).unwrap().value, 1.0);
        assert_eq!(parse_line(b"1 ann d -2", Dialect::Strict).unwrap().value, -1.0);
        assert!(parse_line(b"1 ann d", Dialect::Strict).is_err());
    }
}
