//! Numbers as typed: their digits are the precision; a list or a sweep gives several.

use karat_analysis::published::printed::check_precision;
use karat_analysis::published::score::check_persistence;
use karat_analysis::published::{Printed, PublishedError, PublishedScore};
use karat_present::published::error::text as error_text;

use crate::failure::Failure;

/// The greatest number of values in a sweep.
const MOST: usize = 10_000;

/// A published score that cannot be used.
pub fn refused(error: &PublishedError) -> Failure {
    Failure::usage(error_text(error))
}

fn refused_option(option: &str, error: &PublishedError) -> Failure {
    Failure::usage(format!("{option}: {}", error_text(error)))
}

/// Persistences: numbers separated by commas, or a sweep `from:to:step`.
pub fn persistences(option: &str, text: &str) -> Result<Vec<f64>, Failure> {
    let mut found = Vec::new();
    for part in text.split(',').map(str::trim) {
        let sweep = part.split(':').map(|part| number(option, part)).collect::<Result<Vec<f64>, _>>()?;
        match sweep[..] {
            [one] => found.push(one),
            [from, to, step] if step > 0.0 && from <= to && (to - from) / step <= MOST as f64 => {
                // By counting, so that errors of the step do not add up, and to the step's digits.
                let steps = ((to - from) / step + 1e-9).floor() as usize;
                found.extend((0..=steps).map(|at| (from + at as f64 * step) * 1e12).map(|value| value.round() / 1e12));
            }
            _ => {
                return Err(Failure::usage(format!(
                    "{option} needs a number, a list as 0.5,0.8 or a sweep as 0.1:0.9:0.1 (from, to, step above 0), found '{part}'"
                )));
            }
        }
    }
    for &p in &found {
        check_persistence(p).map_err(|error| refused_option(option, &error))?;
    }
    Ok(found)
}

fn number(option: &str, text: &str) -> Result<f64, Failure> {
    text.parse().map_err(|_| Failure::usage(format!("{option} needs a number, found '{text}'")))
}

/// One persistence.
pub fn persistence(option: &str, text: &str) -> Result<f64, Failure> {
    let p = number(option, text)?;
    check_persistence(p).map_err(|error| refused_option(option, &error))?;
    Ok(p)
}

/// A precision above 0 and at most 1.
pub fn precision(text: &str) -> Result<f64, Failure> {
    let precision = number("--precision", text)?;
    check_precision(precision).map_err(|error| refused_option("--precision", &error))?;
    Ok(precision)
}

/// A printed number.
pub fn printed(option: &str, text: &str, precision: Option<f64>) -> Result<Printed, Failure> {
    Printed::parse(text, precision).map_err(|error| refused_option(option, &error))
}

/// A published score from the texts of p, score and residual.
pub fn published(
    p: &str,
    score: &str,
    residual: Option<&str>,
    precision: Option<f64>,
) -> Result<PublishedScore, Failure> {
    let p = persistence("--p", p)?;
    let score = printed("--score", score, precision)?;
    let residual = residual.map(|text| printed("--residual", text, precision)).transpose()?;
    PublishedScore::new(p, score, residual).map_err(|error| refused(&error))
}
