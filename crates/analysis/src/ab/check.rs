//! The sample ratio, above everything else.

use karat_data::Problems;
use karat_report::{Block, Cell, Column, NumberStyle, Table};
use karat_stats::ab::{SAMPLE_RATIO_THRESHOLD, SampleRatio, sample_ratio};

use super::refuse;

/// How units were to be split among arms.
#[derive(Debug, Clone, PartialEq)]
pub enum Split {
    /// As many to each.
    Equal,
    /// Weights: the control's first, then those of the other arms in the order in which they are shown.
    Ordered(Vec<f64>),
    /// Weights by the arm's name.
    Named(Vec<(String, f64)>),
}

impl Split {
    /// From `90:10` or `A=90,B=10`.
    ///
    /// # Errors
    /// It is neither.
    pub fn parse(given: &str) -> Result<Split, String> {
        let wrong = || format!("'{given}' is no split; expected weights as 90:10 (the control's first) or A=90,B=10");
        let weight = |text: &str| {
            let weight = text.trim().parse::<f64>().ok().filter(|weight| weight.is_finite() && *weight > 0.0);
            weight.ok_or_else(wrong)
        };
        if given.contains('=') {
            let named = |part: &str| {
                let (name, text) = part.rsplit_once('=').ok_or_else(wrong)?;
                Ok((name.trim().to_owned(), weight(text)?))
            };
            return given.split(',').map(named).collect::<Result<_, _>>().map(Split::Named);
        }
        given.split(':').map(weight).collect::<Result<_, _>>().map(Split::Ordered)
    }

    /// The share of each arm, in the order of the arms.
    ///
    /// # Errors
    /// It does not fit the arms.
    pub(super) fn shares(&self, arms: &[String], file: &str) -> Result<Vec<f64>, Problems> {
        let weights: Vec<f64> = match self {
            Split::Equal => vec![1.0; arms.len()],
            Split::Ordered(weights) if weights.len() == arms.len() => weights.clone(),
            Split::Ordered(weights) => {
                let found = format!("{} weights for {} arms ({})", weights.len(), arms.len(), arms.join(", "));
                return Err(refuse(
                    file,
                    "a --split with a weight for each arm",
                    found,
                    "give the control's weight first, then the others'",
                ));
            }
            Split::Named(named) => {
                let of = |arm: &String| named.iter().find(|(name, _)| name == arm).map(|(_, weight)| *weight);
                let all: Option<Vec<f64>> = arms.iter().map(of).collect();
                let names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
                let found = || format!("weights for {}, and the arms {}", names.join(", "), arms.join(", "));
                let fits = all.filter(|_| named.len() == arms.len());
                fits.ok_or_else(|| {
                    refuse(
                        file,
                        "a --split with a weight for each arm",
                        found(),
                        "name each arm once, as it is in the file",
                    )
                })?
            }
        };
        let all: f64 = weights.iter().sum();
        Ok(weights.iter().map(|weight| weight / all).collect())
    }
}

/// The check, and how it is said.
pub(super) struct Checked {
    pub(super) ratio: SampleRatio,
    pub(super) block: Block,
    pub(super) note: Option<String>,
}

/// Checks units of arms against the planned shares. `given` says whether somebody planned them.
pub(super) fn check(
    arms: &[String],
    units: &[u64],
    shares: &[f64],
    unit: &str,
    given: bool,
    file: &str,
) -> Result<Checked, Problems> {
    let ratio = sample_ratio(units, shares)
        .map_err(|why| refuse(file, "units in two arms or more", why.to_string(), "give the rows of all arms"))?;
    let counts: Vec<String> = arms.iter().zip(units).map(|(arm, units)| format!("{arm} {units}")).collect();
    let decimals = NumberStyle::Decimals(1);
    let planned: Vec<String> = ratio.expected.iter().map(|expected| decimals.show(*expected)).collect();
    let (statistic, p) = (NumberStyle::Decimals(2).show(ratio.chi_squared), NumberStyle::P.show(ratio.p));
    let word = if ratio.holds() { "holds" } else { "WRONG" };
    let shown = format!(
        "{word}: {unit} {} where {} were {} (chi-squared {statistic}, df {}, p {p}, threshold {SAMPLE_RATIO_THRESHOLD})",
        counts.join(", "),
        planned.join(", "),
        if given { "planned" } else { "expected, had the split been equal" },
        ratio.df
    );
    let note = (!ratio.holds()).then(|| {
        format!(
            "warning: SAMPLE RATIO MISMATCH, p {p} below {SAMPLE_RATIO_THRESHOLD}: the arms did not get the {unit} that they should have. Users \
             are lost or counted wrongly in some arm, and those who are left are not comparable. Do not read the results; find the cause{}",
            if given { "" } else { ". If the split was not meant to be equal, say how it was: --split 90:10" }
        )
    });
    let rows: Vec<Cell> = (0..arms.len())
        .map(|at| {
            Cell::Record(vec![
                ("arm", arms[at].as_str().into()),
                ("units", units[at].into()),
                ("planned_share", shares[at].into()),
                ("expected", ratio.expected[at].into()),
            ])
        })
        .collect();
    let record = Cell::Record(vec![
        ("unit", unit.into()),
        ("chi_squared", ratio.chi_squared.into()),
        ("df", ratio.df.into()),
        ("p", ratio.p.into()),
        ("threshold", SAMPLE_RATIO_THRESHOLD.into()),
        ("holds", ratio.holds().into()),
        ("arms", Cell::List(rows)),
    ]);
    let table = Table::new("check", "")
        .with(Column::new("sample_ratio", "").data_only())
        .with(Column::new("sample_ratio_shown", "sample ratio").people_only())
        .row([record, shown.into()]);
    Ok(Checked { ratio, block: Block::Record(table), note })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits() {
        let arms = ["A".to_owned(), "B".to_owned()];
        let shares = |text: &str| Split::parse(text).unwrap().shares(&arms, "f");
        assert_eq!(shares("90:10").unwrap(), [0.9, 0.1]);
        assert_eq!(shares("B=1,A=3").unwrap(), [0.75, 0.25]);
        assert_eq!(Split::Equal.shares(&arms, "f").unwrap(), [0.5, 0.5]);
        assert!(
            shares("1:1:1").is_err()
                && shares("A=1").is_err()
                && shares("A=1,C=1").is_err()
                && shares("A=1,B=1,C=1").is_err()
        );
        for wrong in ["", "a", "0:1", "-1:2", "A=", "1:inf"] {
            assert!(Split::parse(wrong).is_err(), "{wrong}");
        }
    }
}
