//! Judgements of a sample with probabilities, as the Million Query track and Web 2009 gave them:
//! `topic docno grade method probability`.

use karat_data::{JudgementKind, LineProblem, MarkedRow, problem::quote};

use crate::columns::{FORM, columns, grade, is_whole, judgement};
use crate::registry::{QrelsFormat, QrelsReader};
use crate::sample::Sample;

/// The row of the table.
pub static FORMAT: QrelsFormat = QrelsFormat {
    name: "prels",
    about: "Judgements with the sampling method and the inclusion probability of each document (Million Query track, Web track 2009).",
    layout: LAYOUT,
    kind: JudgementKind::Probabilities,
    docno: "docno (field 2)",
    recognise,
    reader: QrelsReader::Marked(parse_line),
};

const LAYOUT: &str = "topic docno grade method probability";

/// Five fields: a grade, a method and a probability after the docno, which is not the same on all lines.
fn recognise(sample: &Sample<'_>) -> bool {
    let mut rows = sample.rows::<5>();
    let Some(first) = rows.next().map(|row| row[1]) else { return false };
    let shaped = |[_, _, grade, method, chance]: [&[u8]; 5]| {
        (is_whole(grade) && grade.len() <= 3 || grade == FORM)
            && is_whole(method)
            && method.len() <= 3
            && probability(chance).is_some()
    };
    let one_line = rows.clone().next().is_none() && !is_whole(first) && first != b"Q0";
    sample.has_fields(5) && sample.most::<5>(shaped) && (one_line || rows.any(|row| row[1] != first))
}

fn probability(text: &[u8]) -> Option<f64> {
    fast_float2::parse::<f64, _>(text).ok().filter(|&number| number > 0.0 && number <= 1.0)
}

/// Any line.
fn parse_line(line: &[u8]) -> Result<MarkedRow<'_>, LineProblem> {
    let [topic, docno, number, method, chance] = columns(line, LAYOUT, |count| match count {
        4 => "plain qrels have four fields: do not mix the two in one file",
        6 => "this looks like a line of a run (topic Q0 docno rank score tag): give the qrels first, then the runs",
        _ => "complete or split the line; a docno must not contain spaces",
    })?;
    let number = grade(number, "grade (field 3)", LAYOUT)?;
    if !is_whole(method) {
        let remedy = "write the number of the sampling method, such as 1; check the order of the fields: topic docno grade method probability";
        return Err(LineProblem::new("method (field 4)", "a whole number", quote(method), remedy));
    }
    let Some(value) = probability(chance) else {
        let remedy = match fast_float2::parse::<f64, _>(chance) {
            Ok(0.0) => {
                "a document with probability 0 cannot be in the sample; remove the line or correct the probability"
            }
            Ok(_) => "write the probability with which the document was chosen, as a number such as 0.25",
            Err(_) => "check the order of the fields: topic docno grade method probability",
        };
        return Err(LineProblem::new("probability (field 5)", "a number above 0, at most 1", quote(chance), remedy));
    };
    Ok(MarkedRow { topic, docno, judgement: judgement(number), group: method, subgroup: b"", value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grade_and_its_probability() {
        let row = parse_line(b"10 GX253-98-1 1 2 0.165904710473544").unwrap();
        assert_eq!((row.docno, row.group, row.value), (&b"GX253-98-1"[..], &b"2"[..], 0.165904710473544));
        assert_eq!(row.judgement.grade(), Some(1.0));
        for bad in ["1 d 1 0 0", "1 d 1 0 1.5", "1 d 1 0 nan", "1 d 1 0 -1", "1 d x 0 1", "1 d 1 0"] {
            assert!(parse_line(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
