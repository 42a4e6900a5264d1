//! Lines of a fixed number of fields, and the grade in them.

use karat_data::{Judgement, LineProblem, problem::quote};
use memchr::memchr;

use crate::fields::{fields, has_mark, mistaken};
use crate::number;
use crate::sample::split;
use crate::trec_run::{marked, zero_byte};

/// The largest grade; sums of larger ones are no longer exact, and gains made of them overflow.
pub const LARGEST: f64 = 1e9;

/// What stands for a grade in a form that judges have not completed.
pub const FORM: &[u8] = b"?";

/// The fields of a line that must have `N`; `remedy` is what to do about any other number.
///
/// # Errors
/// The line has another number of fields, a zero byte, or a byte-order mark in it.
pub fn columns<'a, const N: usize>(
    line: &'a [u8],
    layout: &str,
    remedy: impl FnOnce(usize) -> &'static str,
) -> Result<[&'a [u8]; N], LineProblem> {
    if memchr(0, line).is_some() {
        return Err(zero_byte(line));
    }
    let Some(found) = split::<N>(line) else {
        let count = fields(line).count();
        let plural = if count == 1 { "field" } else { "fields" };
        let remedy = mistaken(line).unwrap_or_else(|| remedy(count));
        let found = format!("{count} {plural} in {}", quote(line));
        return Err(LineProblem::new("fields", format!("{N} fields ({layout})"), found, remedy));
    };
    if has_mark(found[0]) {
        return Err(marked(found[0]));
    }
    Ok(found)
}

/// The number of a grade; `layout` is the order that the fields should have.
///
/// # Errors
/// It is none, or none that is finite and small enough.
pub fn grade(text: &[u8], field: &'static str, layout: &str) -> Result<f64, LineProblem> {
    let bad = |remedy: &str| {
        let problem = LineProblem::new(field, "a number (negative: pooled but not judged)", quote(text), remedy);
        problem.of_kind(number::problem_kind(text))
    };
    match fast_float2::parse::<f64, _>(text) {
        Ok(number) if number.abs() <= LARGEST => Ok(number),
        Ok(number) if number.is_finite() => {
            Err(bad("write grades from -1000000000 to 1000000000; small numbers are usual, such as 0 to 4"))
        }
        Ok(_) => Err(bad("write the grade as a finite number")),
        Err(_) if text == FORM => {
            Err(bad("judge the document and write its grade: the file is a form that is not complete"))
        }
        Err(_) if text.contains(&b',') => Err(bad("write the decimal point as '.', not ','")),
        Err(_) if text[0].is_ascii_digit() => Err(bad("write the grade as a plain number, such as 1 or 0.5")),
        Err(_) => Err(bad(&format!("check the order of the fields: {layout}"))),
    }
}

/// What a number that [`grade`] took stands for.
pub fn judgement(number: f64) -> Judgement {
    Judgement::from_number(number).unwrap_or(Judgement::PooledUnjudged)
}

/// Whether a text is a whole number of at most nine digits.
pub fn is_whole(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    matches!(digits.len(), 1..=9) && digits.iter().all(u8::is_ascii_digit)
}
