//! -Z: scores in units of the standard deviation of a reference set of runs, topic by topic.
//!
//! The file has a line `topic measure mean standard-deviation` for every score. What trec_eval does where a line is
//! lacking is done too (the score becomes -1000000, and the mean over topics with it); [`super::deviation_notes`] says so.

use std::collections::HashMap;

use karat_data::problem::quote;
use karat_measures::Aggregate;
use karat_measures::trec_eval::{Line, Quantity};

use super::{Stop, deviations};

/// What trec_eval writes where it has no mean, or no standard deviation to divide by.
pub const MISSING: f64 = -1_000_000.0;

/// Where main gives up without a status of its own.
const STATUS: u8 = 255;

/// Means and standard deviations by topic and measure.
pub struct Zscores {
    topics: HashMap<Vec<u8>, HashMap<String, (f64, f64)>>,
}

impl Zscores {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or a line is not `topic measure mean standard-deviation`.
    pub fn read(path: &str) -> Result<Zscores, Stop> {
        let fail = |message: String| Stop { status: STATUS, message: format!("-Z {path}: {message}") };
        let bytes = std::fs::read(path).map_err(|error| fail(format!("cannot be read: {error}")))?;
        let mut topics: HashMap<Vec<u8>, HashMap<String, (f64, f64)>> = HashMap::new();
        for (line, text) in (1u64..).zip(bytes.split(|&byte| byte == b'\n')) {
            let mut fields = text.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
            let Some(topic) = fields.next() else { continue };
            let (Some(measure), Some(mean), Some(deviation), None) =
                (fields.next(), fields.next(), fields.next(), fields.next())
            else {
                let expected = "4 fields (topic measure mean standard-deviation)";
                return Err(fail(format!("line {line}: expected {expected}, found {}", quote(text))));
            };
            let number = |what: &str, field: &[u8]| {
                let number = std::str::from_utf8(field).ok().and_then(|text| text.parse::<f64>().ok());
                number.filter(|number| number.is_finite()).ok_or_else(|| {
                    let stop = fail(format!("line {line}: expected a number as the {what}, found {}", quote(field)));
                    deviations::stop("words-as-numbers", STATUS, stop.message)
                })
            };
            let entry = (number("mean", mean)?, number("standard deviation", deviation)?);
            let measure = String::from_utf8_lossy(measure).into_owned();
            if topics.entry(topic.to_vec()).or_default().insert(measure.clone(), entry).is_some() {
                let what = format!("topic {}, measure {measure} again", quote(topic));
                return Err(fail(format!("line {line}: expected every measure once per topic, found {what}")));
            }
        }
        if topics.is_empty() {
            return Err(fail("expected lines of topic, measure, mean and standard deviation, found none".into()));
        }
        Ok(Zscores { topics })
    }

    /// Turns the scores of a topic into z scores.
    pub fn convert(&self, topic: &[u8], lines: &[Line], values: &mut [f64]) {
        let of_topic = self.topics.get(topic);
        for (line, value) in lines.iter().zip(values) {
            let aggregate = match &line.quantity {
                Quantity::Topics => continue,
                quantity => match quantity.aggregate() {
                    Some(aggregate) => aggregate,
                    None => continue,
                },
            };
            *value = z(of_topic.and_then(|measures| measures.get(&line.label)), aggregate, *value);
        }
    }
}

fn z(reference: Option<&(f64, f64)>, aggregate: Aggregate, value: f64) -> f64 {
    let value = aggregate.inward(value);
    match reference {
        Some(&(mean, deviation)) if deviation != 0.0 => (value - mean) / deviation,
        Some(&(mean, _)) if value == mean => 0.0,
        _ => MISSING,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn z_scores_by_hand() {
        // (0.5 - 0.3)/0.1 = 2; a score that is the mean is 0 whatever the deviation.
        assert!((z(Some(&(0.3, 0.1)), Aggregate::Mean, 0.5) - 2.0).abs() < 1e-12);
        assert_eq!(z(Some(&(0.5, 0.0)), Aggregate::Mean, 0.5), 0.0);
        assert_eq!(z(Some(&(0.4, 0.0)), Aggregate::Mean, 0.5), MISSING);
        assert_eq!(z(None, Aggregate::Mean, 0.5), MISSING);
    }
}
