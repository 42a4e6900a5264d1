//! trec_eval's preferences: `topic group subgroup docno level` (its `-R prefs`), and qrels read as preferences. Within a
//! subgroup, a document of a higher level is preferred to one of a lower; level 0 means not relevant. A group is one
//! person's opinion and must not contradict itself ([`karat_data::preferences`]).

use karat_data::{JudgementKind, LineProblem, MarkedRow, ProblemKind, problem::quote};

use crate::columns::{LARGEST, columns, grade, is_whole, judgement};
use crate::number;
use crate::registry::{QrelsFormat, QrelsReader};
use crate::sample::Sample;

/// The row of the table.
pub static FORMAT: QrelsFormat = QrelsFormat {
    name: "trec-prefs",
    about: "Preferences of trec_eval (prefs): within a judgement group and subgroup, documents of a higher level are preferred to those of a lower level. Detected if docnos are not numbers; otherwise name the format.",
    layout: LAYOUT,
    kind: JudgementKind::Preferences,
    docno: "docno (field 4)",
    recognise,
    reader: QrelsReader::Marked(parse_line),
};

/// Plain qrels read as preferences, as `trec_eval -R qrels_prefs` does: field 2 is the group, and a grade below 0 is
/// preferred least. Not in the table, because nothing but the wish of the user tells them from qrels.
pub static OF_QRELS: QrelsFormat = QrelsFormat {
    name: "trec-qrels-prefs",
    about: "TREC's qrels, the larger grade preferred; the second field is the judgement group.",
    layout: QRELS_LAYOUT,
    kind: JudgementKind::Preferences,
    docno: "docno (field 3)",
    recognise: |_| false,
    reader: QrelsReader::Marked(parse_qrels_line),
};

const LAYOUT: &str = "topic group subgroup docno level";
const QRELS_LAYOUT: &str = "topic group docno grade";
const NUMBER: &str = "a number (the higher, the more preferred)";

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
        _ => "complete or split the line; a docno must not contain spaces",
    })?;
    let bad = |expected: &str, remedy: &str| {
        LineProblem::new("level (field 5)", expected, quote(level), remedy).of_kind(number::problem_kind(level))
    };
    let value = match fast_float2::parse::<f64, _>(level) {
        Ok(value) if (0.0..=LARGEST).contains(&value) => value,
        Ok(value) if value < 0.0 => {
            let problem =
                bad("a level from 0 up (0: not relevant)", "only the order of levels counts: write 0, 1, 2, ...");
            return Err(problem.of_kind(ProblemKind::NegativeLevel));
        }
        Ok(_) => return Err(bad("a number up to 1000000000", "only the order of levels counts: write small numbers")),
        Err(_) if level.contains(&b',') => return Err(bad(NUMBER, "write the decimal point as '.', not ','")),
        Err(_) => return Err(bad(NUMBER, &format!("check the order of the fields: {LAYOUT}"))),
    };
    Ok(MarkedRow { topic, docno, judgement: judgement(value), group, subgroup, value })
}

/// Any line of qrels.
fn parse_qrels_line(line: &[u8]) -> Result<MarkedRow<'_>, LineProblem> {
    let [topic, group, docno, number] = columns(line, QRELS_LAYOUT, super::trec_qrels::if_not_four)?;
    let value = grade(number, "grade (field 4)", QRELS_LAYOUT)?;
    Ok(MarkedRow { topic, docno, judgement: judgement(value), group, subgroup: b"", value })
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

    #[test]
    fn qrels_are_preferences_and_keep_what_is_below_0() {
        let row = parse_qrels_line(b"1 ann d -1").unwrap();
        assert_eq!((row.group, row.subgroup, row.docno, row.value), (&b"ann"[..], &b""[..], &b"d"[..], -1.0));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (line, words) in [
            ("1 u s d", "4 fields"),
            ("1 u s d 1 x", "6 fields"),
            ("1 u s d -1", "from 0"),
            ("1 u s d nan", "up to"),
            ("1 u s d 1e10", "up to"),
            ("1 u s d best", "a number"),
            ("1 u s d 1,5", "a number"),
        ] {
            let problem = parse_line(line.as_bytes()).unwrap_err();
            let text = format!("{} {}", problem.expected, problem.found);
            assert!(text.contains(words), "{line}: {text}");
        }
    }
}
