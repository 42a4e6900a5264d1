//! trec_eval's preferences: `topic group subgroup docno level` (its `-R prefs`). Within a subgroup, a document of a
//! higher level is preferred to one of a lower.

use karat_data::{JudgementKind, LineProblem, MarkedRow};

use crate::columns::{columns, grade, is_whole, judgement};
use crate::registry::{QrelsFormat, QrelsReader};
use crate::sample::Sample;

/// The row of the table.
pub static FORMAT: QrelsFormat = QrelsFormat {
    name: "trec-prefs",
    about: "trec_eval's preferences (prefs): within a judgement group and subgroup, a document of a higher level is preferred to one of a lower. Told from the content where docnos are not numbers; else ask for it.",
    layout: LAYOUT,
    kind: JudgementKind::Preferences,
    docno: "docno (field 4)",
    recognise,
    reader: QrelsReader::Marked(parse_line),
};

const LAYOUT: &str = "topic group subgroup docno level";

/// Five fields, a name before the number at the end: the other layouts of five have a number there. A run without its
/// tag has one there too, its rank.
fn recognise(sample: &Sample<'_>) -> bool {
    sample.has_fields(5)
        && sample.most::<5>(|[_, _, _, docno, level]| {
            fast_float2::parse::<f64, _>(docno).is_err()
                && !is_whole(docno)
                && fast_float2::parse::<f64, _>(level).is_ok()
        })
}

/// Any line.
fn parse_line(line: &[u8]) -> Result<MarkedRow<'_>, LineProblem> {
    let [topic, group, subgroup, docno, level] = columns(line, LAYOUT, |count| match count {
        4 => "qrels have four fields; preferences need a subgroup too (0 where there is one only)",
        6 => "this looks like a line of a run (topic Q0 docno rank score tag): give the qrels first, then the runs",
        _ => "complete or split the line; a docno must not contain blanks",
    })?;
    let value = grade(level, "level (field 5)", LAYOUT).map_err(|problem| LineProblem {
        expected: "a number (the higher, the more preferred)".into(),
        remedy: problem.remedy.replace("grade", "level"),
        ..problem
    })?;
    Ok(MarkedRow { topic, docno, judgement: judgement(value), group, subgroup, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_subgroups_and_levels() {
        let row = parse_line(b"1.EC.AB  F:Ret,C:Not   F:Rnkd  FR940303-1-00022        1.5").unwrap();
        assert_eq!(
            (row.group, row.subgroup, row.docno, row.value),
            (&b"F:Ret,C:Not"[..], &b"F:Rnkd"[..], &b"FR940303-1-00022"[..], 1.5)
        );
        assert!(recognise(&Sample::new(b"1 0 0 FR1 1\n1 0 0 FR2 0\n", true)));
        assert!(!recognise(&Sample::new(b"1 0 FR1 1 1\n1 0 FR2 1 0\n", true)));
        assert!(!recognise(&Sample::new(b"1 Q0 FR1 1 12.5\n1 Q0 FR2 2 11.5\n", true)));
    }
}
