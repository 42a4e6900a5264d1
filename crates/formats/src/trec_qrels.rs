//! TREC qrels: `topic iteration docno grade`.

use karat_data::{Judgement, JudgementKind, LineProblem};

use crate::Dialect;
use crate::block::Block;
use crate::columns::{LARGEST, columns, grade};
use crate::diversity_qrels::by_subtopic;
use crate::fields::{new_topic, word_end};
use crate::known::Known;
use crate::number::parse_prefix;
use crate::qrels_lines::Part;
use crate::registry::{QrelsFormat, QrelsLine, QrelsReader};
use crate::sample::Sample;

/// The row of the table.
pub static FORMAT: QrelsFormat = QrelsFormat {
    name: "trec",
    about: "TREC qrels. A negative grade means pooled but not judged; fractions are allowed. The second field is ignored.",
    layout: LAYOUT,
    kind: JudgementKind::Grades,
    docno: "docno (field 3)",
    recognise,
    reader: QrelsReader::Lines { parse, parse_line },
};

/// Half of the lines have four fields, or the first one is right: then the others are wrong lines of this format. But
/// for judgements by subtopic, which have four too.
fn recognise(sample: &Sample<'_>) -> bool {
    let first_is_right = || sample.lines().next().is_some_and(|line| parse_line(line, Dialect::Strict).is_ok());
    (sample.has_fields(4) || first_is_right()) && !by_subtopic(sample)
}

const LAYOUT: &str = "topic 0 docno grade";

fn parse(block: &Block, dialect: Dialect) -> Part {
    Part::parse(block, dialect, fast_line, parse_line)
}

/// A line of the usual shape, `topic 0 docno grade\n` with single blanks or tabs. Returns where the next line begins.
#[inline(always)]
fn fast_line<'a>(padded: &'a [u8], at: usize, topic: Known<'a>, dialect: Dialect) -> Option<(QrelsLine<'a>, usize)> {
    let rest = padded.get(at..)?;
    let separates = |at: usize| matches!(rest.get(at), Some(b' ' | b'\t'));
    let mut name = topic.bytes;
    if name.is_empty() || !topic.begins(rest) || !separates(name.len()) {
        name = &rest[..new_topic(rest)?];
    }
    let topic_end = name.len();
    let iteration_end = match rest.get(topic_end + 1..topic_end + 3) {
        Some(b"0 " | b"0\t") => topic_end + 2,
        _ => word_end(rest, topic_end + 1),
    };
    if iteration_end == topic_end + 1 || !separates(iteration_end) {
        return None;
    }
    let docno = iteration_end + 1;
    let docno_end = word_end(rest, docno);
    if docno_end == docno || !separates(docno_end) {
        return None;
    }
    let (judgement, used) = match rest.get(docno_end + 1..docno_end + 3) {
        // One digit, which stands for itself in any dialect.
        Some(&[digit @ b'0'..=b'9', b'\n' | b'\r']) => (Judgement::from_number(f64::from(digit - b'0'))?, 1),
        _ => {
            let (number, used) = parse_prefix(&rest[docno_end + 1..])?;
            (judgement(number, dialect)?, used)
        }
    };
    let end = docno_end + 1 + used;
    let feed = match rest.get(end..)? {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => return None,
    };
    Some((QrelsLine { topic: name, docno: &rest[docno..docno_end], judgement }, at + end + feed))
}

/// What a number stands for; `None` when it is too large or not finite.
fn judgement(number: f64, dialect: Dialect) -> Option<Judgement> {
    if number.abs() > LARGEST {
        return None;
    }
    Judgement::from_number(match dialect {
        Dialect::Strict => number,
        Dialect::TrecEval => number.trunc(),
    })
}

/// Any line.
///
/// # Errors
/// What is wrong with it; the line number is left at 0.
pub fn parse_line(line: &[u8], dialect: Dialect) -> Result<QrelsLine<'_>, LineProblem> {
    let [topic, _, docno, number] = columns(line, LAYOUT, if_not_four)?;
    let number = grade(number, "grade (field 4)", LAYOUT)?;
    // A grade that was taken is one that stands for something.
    let judgement = judgement(number, dialect).unwrap_or(Judgement::PooledUnjudged);
    Ok(QrelsLine { topic, docno, judgement })
}

/// What to do about a line that has not four fields.
pub(crate) fn if_not_four(count: usize) -> &'static str {
    match count {
        6 => "this looks like a line of a run (topic Q0 docno rank score tag): give the qrels first, then the runs",
        5 => "remove the extra field; a docno must not contain spaces",
        3 => "complete the line; perhaps the second field (iteration, usually 0) is missing",
        _ => "complete or split the line; a docno must not contain spaces",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_kinds_of_document_and_float_grades() {
        let judgement = |text: &str, dialect| parse_line(text.as_bytes(), dialect).unwrap().judgement;
        assert_eq!(judgement("1 0 d -1", Dialect::Strict), Judgement::PooledUnjudged);
        assert_eq!(judgement("1\t0\td\t0\r", Dialect::Strict).grade(), Some(0.0));
        assert_eq!(judgement("1 0 d 0.5", Dialect::Strict).grade(), Some(0.5));
        // trec_eval reads a whole number and stops at the point.
        assert_eq!(judgement("1 0 d 0.5", Dialect::TrecEval).grade(), Some(0.0));
        assert_eq!(judgement("1 0 d 3.0", Dialect::TrecEval).grade(), Some(3.0));
    }
}
