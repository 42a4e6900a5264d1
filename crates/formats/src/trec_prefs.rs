//! trec_eval's preferences: `topic group subgroup docno value`, and qrels read as preferences.
//!
//! Within a group and subgroup of a topic the document with the larger value is preferred; 0 means not relevant. A group
//! is one person's opinion and must not contradict itself ([`karat_data::preferences`]).

use karat_data::{Judgement, JudgementKind, LineProblem, MarkedRow, problem::quote};
use memchr::memchr;

use crate::Dialect;
use crate::fields::{fields, has_mark, mistaken};
use crate::registry::{QrelsFormat, QrelsReader};
use crate::sample::Sample;
use crate::trec_qrels;
use crate::trec_run::{marked, zero_byte};

/// The row of the table.
pub static FORMAT: QrelsFormat = QrelsFormat {
    name: "trec-prefs",
    about: "trec_eval's preferences. Within a group and subgroup of a topic the document with the larger value is preferred; 0 means not relevant.",
    layout: "topic group subgroup docno value",
    kind: JudgementKind::Preferences,
    docno: "docno (field 4)",
    recognise,
    reader: QrelsReader::Marked(parse_line),
};

/// Plain qrels read as preferences, as `trec_eval -R qrels_prefs` does: field 2 is the group. Not in the table, because
/// nothing but the wish of the user tells them from qrels.
pub static OF_QRELS: QrelsFormat = QrelsFormat {
    name: "trec-qrels-prefs",
    about: "TREC's qrels, the larger grade preferred; the second field is the judgement group.",
    layout: "topic group docno grade",
    kind: JudgementKind::Preferences,
    docno: "docno (field 3)",
    recognise: |_| false,
    reader: QrelsReader::Marked(parse_qrels_line),
};

const LAYOUT: &str = "5 fields (topic group subgroup docno value)";

/// The largest value, as for grades.
const LARGEST: f64 = 1e9;

/// Sampled judgements have five fields too, and a number in the fourth; a docno that is a number cannot be told from it.
fn recognise(sample: &Sample<'_>) -> bool {
    let number = |field: &[u8]| fast_float2::parse::<f64, _>(field).is_ok();
    sample.has_fields(5) && sample.rows::<5>().all(|[_, _, _, docno, value]| !number(docno) && number(value))
}

/// Any line.
///
/// # Errors
/// What is wrong with it; the line number is left at 0.
pub fn parse_line(line: &[u8]) -> Result<MarkedRow<'_>, LineProblem> {
    if memchr(0, line).is_some() {
        return Err(zero_byte(line));
    }
    let mut parts = fields(line);
    let (Some(topic), Some(group), Some(subgroup), Some(docno), Some(value), None) =
        (parts.next(), parts.next(), parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(wrong_count(line));
    };
    if has_mark(topic) {
        return Err(marked(topic));
    }
    let bad = |expected: &str, remedy: &str| LineProblem::new("value (field 5)", expected, quote(value), remedy);
    let number = match fast_float2::parse::<f64, _>(value) {
        Ok(number) if (0.0..=LARGEST).contains(&number) => number,
        Ok(number) if number < 0.0 => {
            return Err(bad("a value from 0 (not relevant) on", "only the order of values counts: write 0, 1, 2, ..."));
        }
        Ok(_) => return Err(bad("a number up to 1000000000", "only the order of values counts: write small numbers")),
        Err(_) => return Err(bad("a number", "check the order of the fields: topic group subgroup docno value")),
    };
    let judgement = Judgement::from_number(number).unwrap_or(Judgement::PooledUnjudged);
    Ok(MarkedRow { topic, docno, judgement, group, subgroup, value: number })
}

/// A line of qrels.
fn parse_qrels_line(line: &[u8]) -> Result<MarkedRow<'_>, LineProblem> {
    // The checks of qrels, then what their line leaves out: the group, and a grade below 0, which is one here.
    let row = trec_qrels::parse_line(line, Dialect::Strict)?;
    let group = fields(line).nth(1).unwrap_or_default();
    let value = fields(line).nth(3).and_then(|grade| fast_float2::parse(grade).ok()).unwrap_or_default();
    Ok(MarkedRow { topic: row.topic, docno: row.docno, judgement: row.judgement, group, subgroup: b"", value })
}

fn wrong_count(line: &[u8]) -> LineProblem {
    let count = fields(line).count();
    let remedy = mistaken(line).unwrap_or(match count {
        6 => {
            "this looks like a line of a run (topic Q0 docno rank score tag): give the judgements first, then the runs"
        }
        4 => "qrels have 4 fields: leave out --qrels-format, or add a subgroup (third field, such as 0)",
        _ => "complete or split the line; no field may contain blanks",
    });
    let plural = if count == 1 { "field" } else { "fields" };
    LineProblem::new("fields", LAYOUT, format!("{count} {plural} in {}", quote(line)), remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_place_in_an_order() {
        let row = parse_line(b"1\tu:a  s d#7\t2.5\r").unwrap();
        assert_eq!((row.topic, row.group, row.subgroup, row.docno), (&b"1"[..], &b"u:a"[..], &b"s"[..], &b"d#7"[..]));
        assert_eq!((row.value, row.judgement.grade()), (2.5, Some(2.5)));
        let row = parse_qrels_line(b"1 u d -1").unwrap();
        assert_eq!((row.group, row.value, row.judgement), (&b"u"[..], -1.0, Judgement::PooledUnjudged));
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

    #[test]
    fn told_by_a_docno_in_the_fourth_field() {
        let told = |text: &str| recognise(&Sample::new(text.as_bytes(), true));
        assert!(told("1 0 0 FT1 1\n1 0 0 FT2 0\n"));
        // Sampled qrels: stratum and grade. Preferences among numbered documents look the same.
        assert!(!told("1 0 FT1 2 1\n1 0 FT2 1 -1\n") && !told("1 0 0 17 1\n"));
        assert!(!told("1 0 FT1 1\n") && !told(""));
    }
}
