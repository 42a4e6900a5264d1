//! TREC runs: `topic Q0 docno rank score tag`.
//!
//! Two parsers of one grammar. The fast one takes the shape nearly every line has (single blanks, the topic and tag of
//! the line before) and gives up on anything else; the careful one takes any legal line and says exactly what is wrong
//! with the others. A test holds them to the same answer.

use karat_data::{LineProblem, problem::quote};
use memchr::memchr;

use crate::Dialect;
use crate::block::first_field;
use crate::fields::{fields, has_mark, is_idle, mistaken, new_topic, word_end};
use crate::known::Known;
use crate::number::{self, parse_prefix};
use crate::registry::{RunFormat, RunLine, RunReader};
use crate::rows::{BlockFacts, Rows};
use crate::sample::Sample;

/// The row of the table.
pub static FORMAT: RunFormat = RunFormat {
    name: "trec",
    about: "TREC run. Ordered by score; the rank is ignored.",
    layout: "topic Q0 docno rank score tag",
    docno: "docno (field 3)",
    ordering_rank: None,
    recognise,
    reader: RunReader::Lines { topic_of: first_field, parse, parse_line },
};

/// Half of the lines have six fields, or the first one is right: then the others are wrong lines of this format.
fn recognise(sample: &Sample<'_>) -> bool {
    sample.has_fields(6) || sample.lines().next().is_some_and(|line| parse_line(line, Dialect::Strict).is_ok())
}

const LAYOUT: &str = "6 fields (topic Q0 docno rank score tag)";
const ORDER: &str = "check the order of the fields: topic Q0 docno rank score tag";

fn parse<'a>(padded: &'a [u8], len: usize, dialect: Dialect, mut rows: Rows<'a, '_>) -> BlockFacts {
    let (mut at, mut line) = (0, 0u32);
    let (mut topic, mut tag) = (Known::default(), Known::default());
    while at < len {
        if let Some((topic_end, docno, score, next)) = fast(padded, at, topic, tag) {
            if topic_end == SAME {
                rows.same_topic(docno, score, line);
            } else {
                topic = Known::new(&padded[at..at + topic_end]);
                rows.row(topic.bytes, docno, score, line);
            }
            at = next;
            line += 1;
            continue;
        }
        let end = memchr(b'\n', &padded[at..len]).map_or(len, |feed| at + feed);
        let text = &padded[at..end];
        if !is_idle(text) {
            match parse_line(text, dialect) {
                Ok(found) => {
                    rows.row(found.topic, found.docno, found.score, line);
                    (topic, tag) = (Known::new(found.topic), Known::new(found.tag));
                }
                Err(mut problem) => {
                    problem.line = line;
                    rows.problem(problem);
                }
            }
        }
        at = end + 1;
        line += 1;
    }
    rows.finish(u64::from(line), Some(tag.bytes).filter(|tag| !tag.is_empty()))
}

/// In place of a topic's length: the topic of the line before.
const SAME: usize = 0;

/// A line of the usual shape, `topic Q0 docno rank score <tag>\n` with single blanks or tabs and the tag of the line
/// before: the length of its topic if that is another one, docno, score, and where the next line begins.
#[inline(always)]
fn fast<'a>(padded: &'a [u8], at: usize, topic: Known<'_>, tag: Known<'_>) -> Option<(usize, &'a [u8], f64, usize)> {
    let rest = padded.get(at..)?;
    if tag.bytes.is_empty() {
        return None;
    }
    let mut topic_end = topic.bytes.len();
    let mut changed = SAME;
    if !topic.begins(rest) || !separates(rest, topic_end) {
        changed = new_topic(rest)?;
        topic_end = changed;
    }
    let (docno, docno_end) = document(rest, topic_end + 1)?;
    let rank = docno_end + 1;
    let rank_end = word_end(rest, rank);
    // A rank begins with a digit, so it is not empty either; whether anything else will do is the dialect's business.
    if !rest.get(rank).is_some_and(u8::is_ascii_digit) || !separates(rest, rank_end) {
        return None;
    }
    let (score, used) = parse_prefix(&rest[rank_end + 1..])?;
    let score_end = rank_end + 1 + used;
    if !score.is_finite() || !separates(rest, score_end) {
        return None;
    }
    let tag_start = score_end + 1;
    let tag_end = tag_start + tag.bytes.len();
    if !tag.begins(&rest[tag_start..]) {
        return None;
    }
    let feed = match rest.get(tag_end..)? {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => return None,
    };
    Some((changed, &rest[docno..docno_end], score, at + tag_end + feed))
}

#[inline(always)]
fn separates(rest: &[u8], at: usize) -> bool {
    matches!(rest.get(at), Some(b' ' | b'\t'))
}

/// Where the docno begins and ends, after the field at `iteration`.
#[inline(always)]
fn document(rest: &[u8], iteration: usize) -> Option<(usize, usize)> {
    let docno = match rest.get(iteration..iteration + 3) {
        Some(b"Q0 " | b"Q0\t") => iteration + 3,
        _ => {
            let end = word_end(rest, iteration);
            if end == iteration || !separates(rest, end) {
                return None;
            }
            end + 1
        }
    };
    let docno_end = word_end(rest, docno);
    (docno_end != docno && separates(rest, docno_end)).then_some((docno, docno_end))
}

/// Any line.
///
/// # Errors
/// What is wrong with it; the line number is left at 0.
pub fn parse_line(line: &[u8], dialect: Dialect) -> Result<RunLine<'_>, LineProblem> {
    let mut parts = fields(line);
    let (Some(topic), Some(_), Some(docno), Some(rank), Some(score), Some(tag)) =
        (parts.next(), parts.next(), parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(if memchr(0, line).is_some() { zero_byte(line) } else { too_few(line) });
    };
    if memchr(0, line).is_some() {
        return Err(zero_byte(line));
    }
    let extra = parts.count();
    if extra > 0 && dialect == Dialect::Strict {
        return Err(problem(
            "fields",
            LAYOUT,
            format!("{} fields in {}", 6 + extra, quote(line)),
            mistaken(line).unwrap_or("remove the text after the tag; a tag or docno must not contain spaces"),
        ));
    }
    if dialect == Dialect::Strict && !is_rank(rank) {
        // Not used, but a word here means that the fields are in another order, and then the docnos are wrong too.
        return Err(problem("rank (field 4)", "a number", quote(rank), ORDER));
    }
    if has_mark(topic) {
        return Err(marked(topic));
    }
    let score = parse_score(score, dialect)?;
    Ok(RunLine { topic, docno, rank, score, tag })
}

fn parse_score(text: &[u8], dialect: Dialect) -> Result<f64, LineProblem> {
    let bad = |found: String, remedy: &str| {
        problem("score (field 5)", "a finite number", found, remedy).of_kind(number::problem_kind(text))
    };
    match fast_float2::parse::<f64, _>(text) {
        Ok(score) if score.is_finite() => Ok(score),
        Ok(score) if score.is_infinite() && dialect == Dialect::TrecEval => Ok(score),
        Ok(score) if score.is_nan() => {
            Err(bad(quote(text), "a NaN score cannot be ranked; find out why the system wrote it"))
        }
        Ok(_) => Err(bad(
            quote(text),
            "write the score as a finite number, for example 1e300 or -1e300 in place of infinity",
        )),
        Err(_) if text.contains(&b',') => Err(bad(quote(text), "write the decimal point as '.', not ','")),
        Err(_) if text[0].is_ascii_digit() => {
            Err(bad(quote(text), "write the score as a plain number, such as 12.5 or 1e-3"))
        }
        Err(_) => Err(bad(quote(text), ORDER)),
    }
}

/// Whether a field may be a rank: any number, also one like `1.0` or -1, as long as it begins like one.
fn is_rank(text: &[u8]) -> bool {
    matches!(text, [b'0'..=b'9', ..] | [b'-' | b'+', b'0'..=b'9', ..])
}

/// A byte-order mark in the middle of a file.
pub(crate) fn marked(topic: &[u8]) -> LineProblem {
    problem(
        "topic (field 1)",
        "a byte-order mark in the first line only",
        quote(topic),
        "the file was concatenated from several files; remove the marks (bytes EF BB BF)",
    )
}

fn too_few(line: &[u8]) -> LineProblem {
    let found: Vec<_> = fields(line).collect();
    let looks_like_qrels = found.len() == 4 && found[1] == b"0" && fast_float2::parse::<f64, _>(found[3]).is_ok();
    let remedy = if looks_like_qrels {
        "this looks like a line of a qrels file (topic 0 docno grade): give the qrels first, then the runs"
    } else {
        mistaken(line).unwrap_or("complete the line; all six fields are required, including the tag")
    };
    let plural = if found.len() == 1 { "field" } else { "fields" };
    problem("fields", LAYOUT, format!("{} {plural} in {}", found.len(), quote(line)), remedy)
}

/// A line with a zero byte in it.
pub(crate) fn zero_byte(line: &[u8]) -> LineProblem {
    let remedy = "part of the file is binary or missing; copy it again";
    LineProblem::new("line", "text", format!("a zero byte in {}", quote(line)), remedy)
}

fn problem(field: &'static str, expected: &str, found: String, remedy: &str) -> LineProblem {
    LineProblem::new(field, expected, found, remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fast parser must either decline or agree with the careful one.
    #[test]
    fn fast_and_careful_agree_on_every_small_disturbance_of_a_line() {
        let line = b"301 Q0 FR94-1 12 -1.5e3 tag";
        let disturb = |at: usize, byte: u8| {
            let mut changed = line.to_vec();
            changed[at] = byte;
            changed
        };
        let mut taken = 0;
        for at in 0..line.len() {
            for byte in 1..=255u8 {
                let mut text = disturb(at, byte);
                if byte == b'\n' {
                    continue;
                }
                let careful = parse_line(&text, Dialect::Strict)
                    .map(|found| (found.topic.to_vec(), found.docno.to_vec(), found.score));
                text.push(b'\n');
                text.extend([0; 16]);
                if let Some((changed, docno, score, next)) = fast(&text, 0, Known::new(b"301"), Known::new(b"tag")) {
                    taken += 1;
                    let (topic, expected_docno, expected_score) = careful.unwrap();
                    assert_eq!(
                        (topic.as_slice(), expected_docno.as_slice(), expected_score),
                        (if changed == SAME { &b"301"[..] } else { &text[..changed] }, docno, score)
                    );
                    assert_eq!(next, line.len() + 1);
                }
            }
        }
        assert!(taken > 1000);
    }

    #[test]
    fn tabs_carriage_returns_and_extra_blanks_are_read() {
        let found = parse_line(b"  301\tQ0   d\xff\xa0 1   2.5\ttag\r", Dialect::Strict).unwrap();
        assert_eq!(
            (found.topic, found.docno, found.score, found.tag),
            (&b"301"[..], &b"d\xff\xa0"[..], 2.5, &b"tag"[..])
        );
        assert!(parse_line(b"1 Q0 d 1 inf t", Dialect::Strict).is_err());
        assert_eq!(parse_line(b"1 Q0 d 1 inf t", Dialect::TrecEval).unwrap().score, f64::INFINITY);
        assert!(parse_line(b"1 Q0 d 1 nan t", Dialect::TrecEval).is_err());
        assert!(parse_line(b"1 Q0 d 1 1 t more", Dialect::Strict).is_err());
        assert!(parse_line(b"1 Q0 d 1 1 t more", Dialect::TrecEval).is_ok());
    }
}
