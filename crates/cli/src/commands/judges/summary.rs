//! Numbers of a system on the command line: `score=0.6260,sd=0.414,n=10278`.

use std::str::FromStr;

use karat_stats::judge_error::Summary;

/// One system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Side {
    /// Its mean, standard deviation, queries and weight.
    pub summary: Summary,
}

const EXPECTED: &str =
    "expected score=0.6260,sd=0.414,n=10278 (sd is left out for P@1; weight=W for RBP of a finite list)";

impl FromStr for Side {
    type Err = String;

    fn from_str(text: &str) -> Result<Side, String> {
        let (mut score, mut sd, mut n, mut weight) = (None, None, None, None);
        for part in text.split(',') {
            let (key, value) = part.split_once('=').ok_or_else(|| format!("'{part}' has no '='; {EXPECTED}"))?;
            let (key, value) = (key.trim(), value.trim());
            let number = || value.parse::<f64>().map_err(|_| format!("{key}: '{value}' is not a number; {EXPECTED}"));
            let known = match key {
                "score" => score.replace(number()?).is_none(),
                "sd" => sd.replace(number()?).is_none(),
                "weight" => weight.replace(number()?).is_none(),
                "n" => {
                    let whole =
                        value.parse::<u64>().map_err(|_| format!("n is '{value}', no whole number; {EXPECTED}"))?;
                    n.replace(whole).is_none()
                }
                _ => return Err(format!("'{key}' is not known; {EXPECTED}")),
            };
            if !known {
                return Err(format!("{key} is given twice; {EXPECTED}"));
            }
        }
        match (score, n) {
            (Some(score), Some(n)) => Ok(Side { summary: Summary { score, sd, n, weight: weight.unwrap_or(1.0) } }),
            _ => Err(format!("score or n is missing; {EXPECTED}")),
        }
    }
}
