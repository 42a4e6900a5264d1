//! One label from several judges', without looking at who gave it.
//!
//! The one decision: a tie has a rule that is named, and a mean keeps its fraction. Rounding half up would favour high grades.

use std::fmt;

/// A way to merge; one row each.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its name in options and output.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    /// The merged grade of at least one grade.
    pub merge: fn(&mut [f64]) -> Result<f64, Tie>,
}

/// Every rule.
pub const RULES: &[Rule] = &[
    Rule {
        name: "majority",
        description: "the grade given most often; no grade where two are tied",
        merge: |grades| most_often(grades).and_then(|tied| if let [one] = tied[..] { Ok(one) } else { Err(Tie) }),
    },
    Rule {
        name: "majority_low",
        description: "the grade given most often; of tied ones the lowest",
        merge: |grades| most_often(grades).and_then(|tied| tied.first().copied().ok_or(Tie)),
    },
    Rule {
        name: "majority_high",
        description: "the grade given most often; of tied ones the highest",
        merge: |grades| most_often(grades).and_then(|tied| tied.last().copied().ok_or(Tie)),
    },
    Rule {
        name: "mean",
        description: "the mean, fractions kept",
        merge: |grades| crate::summation::mean(grades).ok_or(Tie),
    },
    Rule {
        name: "median",
        description: "the grade in the middle; of an even number the mean of the two in the middle",
        merge: |grades| {
            grades.sort_unstable_by(f64::total_cmp);
            let middle = grades.len() / 2;
            match grades.len() {
                0 => Err(Tie),
                odd if odd % 2 == 1 => Ok(grades[middle]),
                _ => Ok((grades[middle - 1] + grades[middle]) / 2.0),
            }
        },
    },
    Rule {
        name: "min",
        description: "the lowest grade: relevant only if all say so",
        merge: |grades| grades.iter().copied().min_by(f64::total_cmp).ok_or(Tie),
    },
    Rule {
        name: "max",
        description: "the highest grade: relevant if anybody says so",
        merge: |grades| grades.iter().copied().max_by(f64::total_cmp).ok_or(Tie),
    },
];

/// The rule of this name.
pub fn rule(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.name == name)
}

/// No grade: several are tied and the rule does not break ties, or there are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tie;

impl fmt::Display for Tie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("two grades were given equally often; ask one more judge, or choose a rule that breaks ties")
    }
}

impl std::error::Error for Tie {}

/// The grades given most often, ascending.
fn most_often(grades: &mut [f64]) -> Result<Vec<f64>, Tie> {
    grades.sort_unstable_by(f64::total_cmp);
    let mut best = 0;
    let mut tied = Vec::new();
    for run in grades.chunk_by(|a, b| a == b) {
        if run.len() > best {
            (best, tied) = (run.len(), Vec::new());
        }
        if run.len() == best {
            tied.push(run[0]);
        }
    }
    if tied.is_empty() { Err(Tie) } else { Ok(tied) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_by_hand() {
        // 2, 0, 0, 2, 1: 0 and 2 twice each; mean 1, median 1. Then 3, 0, 0: majority 0, mean 1, median 0.
        let expected = [
            ("majority", Err(Tie), Ok(0.0)),
            ("majority_low", Ok(0.0), Ok(0.0)),
            ("majority_high", Ok(2.0), Ok(0.0)),
            ("mean", Ok(1.0), Ok(1.0)),
            ("median", Ok(1.0), Ok(0.0)),
            ("min", Ok(0.0), Ok(0.0)),
            ("max", Ok(2.0), Ok(3.0)),
        ];
        assert_eq!(expected.len(), RULES.len());
        for (name, first, second) in expected {
            let merge = rule(name).unwrap().merge;
            assert_eq!(merge(&mut [2.0, 0.0, 0.0, 2.0, 1.0]), first, "{name}");
            assert_eq!(merge(&mut [3.0, 0.0, 0.0]), second, "{name}");
            assert_eq!(merge(&mut []), Err(Tie), "{name}");
        }
        assert_eq!((rule("median").unwrap().merge)(&mut [0.0, 1.0]), Ok(0.5));
        assert!(rule("vote").is_none());
    }
}
