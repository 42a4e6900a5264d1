//! TREC qrels: `topic iteration docno grade`.

use karat_data::{Judgement, JudgementKind, LineProblem, problem::quote};
use memchr::memchr;

use crate::Dialect;
use crate::fields::{fields, has_mark, mistaken, new_topic, word_end};
use crate::known::Known;
use crate::number::parse_prefix;
use crate::registry::{QrelsFormat, QrelsLine, QrelsReader};
use crate::sample::Sample;
use crate::trec_run::{marked, zero_byte};

/// The row of the table.
pub static FORMAT: QrelsFormat = QrelsFormat {
    name: "trec",
    about: "TREC's qrels. A negative grade means pooled but not judged; grades may have fractions. The second field is not used.",
    layout: "topic 0 docno grade",
    kind: JudgementKind::Grades,
    docno: "docno (field 3)",
    recognise,
    reader: QrelsReader::Lines { fast_line, parse_line },
};

/// Half of the lines have four fields, or the first one is right: then the others are wrong lines of this format.
fn recognise(sample: &Sample<'_>) -> bool {
    sample.has_fields(4) || sample.lines().next().is_some_and(|line| parse_line(line, Dialect::Strict).is_ok())
}

/// The largest grade; sums of larger ones are no longer exact, and gains made of them overflow.
const LARGEST: f64 = 1e9;

const LAYOUT: &str = "4 fields (topic 0 docno grade)";

/// A line of the usual shape, `topic 0 docno grade\n` with single blanks or tabs. Returns where the next line begins.
#[inline]
fn fast_line<'a>(padded: &'a [u8], at: usize, topic: Known<'a>, dialect: Dialect) -> Option<(QrelsLine<'a>, usize)> {
    let rest = padded.get(at..)?;
    let separates = |at: usize| matches!(rest.get(at), Some(b' ' | b'\t'));
    let mut topic_end = topic.bytes.len();
    if topic_end == 0 || !topic.begins(rest) || !separates(topic_end) {
        topic_end = new_topic(rest)?;
    }
    let iteration_end = word_end(rest, topic_end + 1);
    if iteration_end == topic_end + 1 || !separates(iteration_end) {
        return None;
    }
    let docno = iteration_end + 1;
    let docno_end = word_end(rest, docno);
    if docno_end == docno || !separates(docno_end) {
        return None;
    }
    let (number, used) = parse_prefix(&rest[docno_end + 1..])?;
    let end = docno_end + 1 + used;
    let feed = match rest.get(end..)? {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => return None,
    };
    let judgement = judgement(number, dialect)?;
    Some((QrelsLine { topic: &rest[..topic_end], docno: &rest[docno..docno_end], judgement }, at + end + feed))
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
    if memchr(0, line).is_some() {
        return Err(zero_byte(line));
    }
    let mut parts = fields(line);
    let (Some(topic), Some(_), Some(docno), Some(grade), None) =
        (parts.next(), parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(wrong_count(line));
    };
    if has_mark(topic) {
        return Err(marked(topic));
    }
    let bad =
        |remedy: &str| problem("grade (field 4)", "a number (negative: pooled but not judged)", quote(grade), remedy);
    let number = match fast_float2::parse::<f64, _>(grade) {
        Ok(number) if number.abs() <= LARGEST => number,
        Ok(number) if number.is_finite() => return Err(bad("write grades as small numbers, such as 0 to 4")),
        Ok(_) => return Err(bad("write the grade as a finite number")),
        Err(_) if grade.contains(&b',') => return Err(bad("write the decimal point as '.', not ','")),
        Err(_) if grade[0].is_ascii_digit() => return Err(bad("write the grade as a plain number, such as 1 or 0.5")),
        Err(_) => return Err(bad("check the order of the fields: topic 0 docno grade")),
    };
    match judgement(number, dialect) {
        Some(judgement) => Ok(QrelsLine { topic, docno, judgement }),
        None => Err(bad("write the grade as a finite number")),
    }
}

fn wrong_count(line: &[u8]) -> LineProblem {
    let found: Vec<_> = fields(line).collect();
    let remedy = mistaken(line).unwrap_or(match found.len() {
        6 => "this looks like a line of a run (topic Q0 docno rank score tag): give the qrels first, then the runs",
        5 => "sampled qrels (topic 0 docno stratum grade) and prels have 5 fields and are not read yet; cut them to 4",
        3 => "add the iteration (second field, usually 0); BEIR's three columns and header are not read yet",
        _ => "complete or split the line; a docno must not contain blanks",
    });
    let plural = if found.len() == 1 { "field" } else { "fields" };
    problem("fields", LAYOUT, format!("{} {plural} in {}", found.len(), quote(line)), remedy)
}

fn problem(field: &'static str, expected: &str, found: String, remedy: &str) -> LineProblem {
    LineProblem::new(field, expected, found, remedy)
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
