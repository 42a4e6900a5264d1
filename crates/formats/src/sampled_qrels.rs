//! Judgements of a stratified sample, as for xinfAP: `topic 0 docno stratum grade`.
//!
//! All documents of the strata are listed, those that were not drawn with -1, so that the lines give the sizes of the
//! strata.

use std::collections::HashSet;

use karat_data::{JudgementKind, LineProblem, MarkedRow, problem::quote};

use crate::columns::{FORM, columns, grade, is_whole, judgement};
use crate::registry::{QrelsFormat, QrelsReader};
use crate::sample::Sample;

/// The row of the table.
pub static FORMAT: QrelsFormat = QrelsFormat {
    name: "sampled",
    about: "Judgements of a stratified sample (TREC and TRECVID, for xinfAP). All documents of a stratum are listed; grade -1 means that the document was not sampled.",
    layout: LAYOUT,
    kind: JudgementKind::Strata,
    docno: "docno (field 3)",
    recognise,
    reader: QrelsReader::Marked(parse_line),
};

const LAYOUT: &str = "topic 0 docno stratum grade";

/// Five fields: 0, a docno that a topic has once, then two small numbers. A run without its tag has Q0 for the 0.
fn recognise(sample: &Sample<'_>) -> bool {
    let small = |text: &[u8]| is_whole(text) && text.len() <= 3;
    let mut seen = HashSet::new();
    sample.has_fields(5)
        && sample
            .most::<5>(|[_, zero, _, stratum, grade]| zero == b"0" && small(stratum) && (small(grade) || grade == FORM))
        && sample.most::<5>(|[topic, _, docno, ..]| seen.insert((topic, docno)))
}

/// Any line.
fn parse_line(line: &[u8]) -> Result<MarkedRow<'_>, LineProblem> {
    let [topic, _, docno, stratum, number] = columns(line, LAYOUT, |count| match count {
        4 => "plain qrels have four fields: do not mix the two in one file, or add the stratum before the grade",
        6 => "this looks like a line of a run (topic Q0 docno rank score tag): give the qrels first, then the runs",
        _ => "complete or split the line; a docno must not contain spaces",
    })?;
    if !is_whole(stratum) {
        return Err(LineProblem::new(
            "stratum (field 4)",
            "a whole number",
            quote(stratum),
            "check the order of the fields: topic 0 docno stratum grade",
        ));
    }
    let number = grade(number, "grade (field 5)", LAYOUT)?;
    let value = if number < 0.0 { -1.0 } else { number };
    Ok(MarkedRow { topic, docno, judgement: judgement(number), group: stratum, subgroup: b"", value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stratum_and_a_grade_or_none() {
        let row = parse_line(b"1661 0 shot1_2 3 -1").unwrap();
        assert_eq!((row.docno, row.group, row.value, row.judgement.grade()), (&b"shot1_2"[..], &b"3"[..], -1.0, None));
        let row = parse_line(b"1661\t0\tshot1_2\t1\t2\r").unwrap();
        assert_eq!((row.value, row.judgement.grade()), (2.0, Some(2.0)));
        assert!(parse_line(b"1661 0 shot1_2 x 1").is_err());
    }
}
