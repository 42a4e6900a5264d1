//! Several tests at once: p-values adjusted so that the family keeps its promise.
//!
//! The one decision: a correction is a row of [`CORRECTIONS`] that turns p-values into adjusted ones of the same order, each
//! compared with the level as a single p is. The family is the caller's: what is given together is corrected together.

use std::fmt;

/// Every correction, in the order they are offered.
pub const CORRECTIONS: &[Correction] = &[HOLM, BONFERRONI, BENJAMINI_HOCHBERG, NONE];

/// A correction's row: its definition and its page.
#[derive(Clone, Copy)]
pub struct Correction {
    /// Its name in machine-readable output and after `--correction`.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The formula in plain text.
    pub formula: &'static str,
    /// How to read it.
    pub reading: &'static str,
    /// When it misleads.
    pub misleads: &'static str,
    /// Where it comes from.
    pub citation: &'static str,
    /// A case worked by hand: p-values.
    pub example: &'static [f64],
    /// The adjusted ones.
    pub adjusted: &'static [f64],
    /// How they come about.
    pub derivation: &'static str,
    /// Adjusts p-values that are in ascending order.
    ascending: fn(&mut [f64]),
}

impl fmt::Debug for Correction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Correction").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A number that is not a p-value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotP {
    /// Its place from 0.
    pub index: usize,
    /// The number.
    pub value: f64,
}

impl fmt::Display for NotP {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p-value {} (from 0) is {}; expected a number from 0 to 1", self.index, self.value)
    }
}

impl std::error::Error for NotP {}

/// The row of a correction by its name.
pub fn find(name: &str) -> Option<&'static Correction> {
    CORRECTIONS.iter().find(|row| row.name == name)
}

impl Correction {
    /// The adjusted p-values, in the order of those given.
    ///
    /// # Errors
    /// One of them is not a number from 0 to 1.
    pub fn adjust(&self, p: &[f64]) -> Result<Vec<f64>, NotP> {
        if let Some(index) = p.iter().position(|p| !(0.0..=1.0).contains(p)) {
            return Err(NotP { index, value: p[index] });
        }
        let mut order: Vec<usize> = (0..p.len()).collect();
        order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
        let mut ascending: Vec<f64> = order.iter().map(|&index| p[index]).collect();
        (self.ascending)(&mut ascending);
        let mut adjusted = vec![0.0; p.len()];
        order.iter().zip(ascending).for_each(|(&index, p)| adjusted[index] = p.min(1.0));
        Ok(adjusted)
    }
}

impl Correction {
    /// As [`Correction::adjust`], for tests of which some gave nothing: those are no hypotheses.
    ///
    /// # Errors
    /// One of those given is not a number from 0 to 1.
    pub fn adjust_known(&self, p: &[Option<f64>]) -> Result<Vec<Option<f64>>, NotP> {
        let known: Vec<usize> = (0..p.len()).filter(|&index| p[index].is_some()).collect();
        let given: Vec<f64> = p.iter().copied().flatten().collect();
        let found = self.adjust(&given).map_err(|error| NotP { index: known[error.index], ..error })?;
        let mut adjusted = vec![None; p.len()];
        known.iter().zip(found).for_each(|(&index, p)| adjusted[index] = Some(p));
        Ok(adjusted)
    }
}

/// Holm's step-down correction.
pub const HOLM: Correction = Correction {
    name: "holm",
    title: "Holm's correction",
    formula: "adjusted p(i) = max over j <= i of min(1, (m - j + 1) p(j)), p(1) <= ... <= p(m)",
    reading: "Keeps the probability of any false positive in the family below the level, for any dependence between \
              the tests. Never worse than Bonferroni.",
    misleads: "Power falls with the number of comparisons: decide in advance what to compare. It corrects only for the \
               comparisons of this family, not for earlier ones.",
    citation: "Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6(2)",
    example: &[0.01, 0.04, 0.03],
    adjusted: &[0.03, 0.06, 0.06],
    derivation: "in order .01, .03, .04: 3 x .01 = .03; 2 x .03 = .06; 1 x .04 = .04, raised to .06",
    ascending: |p| {
        let (m, mut most) = (p.len(), 0.0f64);
        for (place, p) in p.iter_mut().enumerate() {
            most = most.max((m - place) as f64 * *p);
            *p = most;
        }
    },
};

/// What one more p must be below, so that Holm's rule rejects it too: the level, divided by the number of p-values but for those that are rejected before it.
pub fn holm_level(others: &[f64], alpha: f64) -> f64 {
    let mut sorted = others.to_vec();
    sorted.sort_by(f64::total_cmp);
    let all = others.len() + 1;
    let level = |rejected: usize| alpha / (all - rejected) as f64;
    let rejected = sorted.iter().enumerate().take_while(|(before, p)| **p < level(*before)).count();
    level(rejected)
}

/// Bonferroni's correction.
pub const BONFERRONI: Correction = Correction {
    name: "bonferroni",
    title: "Bonferroni correction",
    formula: "adjusted p = min(1, m p)",
    reading: "Keeps the probability of any false positive in the family below the level. Holm has the same guarantee \
              and more power.",
    misleads: "Less powerful than Holm.",
    citation: "Dunn (1961), Multiple comparisons among means, Journal of the American Statistical Association 56(293)",
    example: &[0.01, 0.04, 0.5],
    adjusted: &[0.03, 0.12, 1.0],
    derivation: "three times each: .03, .12, 1.5 cut to 1",
    ascending: |p| {
        let m = p.len() as f64;
        p.iter_mut().for_each(|p| *p *= m);
    },
};

/// Benjamini and Hochberg's correction.
pub const BENJAMINI_HOCHBERG: Correction = Correction {
    name: "benjamini_hochberg",
    title: "Benjamini-Hochberg correction (false discovery rate)",
    formula: "adjusted p(i) = min over j >= i of min(1, m p(j) / j), p(1) <= ... <= p(m)",
    reading: "Keeps the expected share of false positives among all significant results below the level. For screening \
              many systems.",
    misleads: "A single result may be a false positive with a higher probability than the level. Proved for \
               independent or positively dependent tests.",
    citation: "Benjamini and Hochberg (1995), Controlling the false discovery rate, Journal of the Royal Statistical Society B 57(1)",
    example: &[0.01, 0.04, 0.03],
    adjusted: &[0.03, 0.04, 0.04],
    derivation: "in order .01, .03, .04: 3/3 x .04 = .04; 3/2 x .03 = .045, lowered to .04; 3/1 x .01 = .03",
    ascending: |p| {
        let (m, mut least) = (p.len() as f64, 1.0f64);
        for (place, p) in p.iter_mut().enumerate().rev() {
            least = least.min(m / (place + 1) as f64 * *p);
            *p = least;
        }
    },
};

/// No correction.
pub const NONE: Correction = Correction {
    name: "none",
    title: "no correction",
    formula: "adjusted p = p",
    reading: "For a single comparison that was planned in advance.",
    misleads: "Of twenty comparisons without a difference one is significant at 5%.",
    citation: "none needed: each p is that of its own test",
    example: &[0.2, 0.01],
    adjusted: &[0.2, 0.01],
    derivation: "as they are: .2 and .01",
    ascending: |_| {},
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;

    #[test]
    fn the_level_of_one_more_p_by_hand() {
        // Of four, .01 is below .05/4 and .016 below .05/3; .03 is not below .05/2: two are rejected, and the fourth needs .05/2.
        assert_eq!(holm_level(&[0.03, 0.01, 0.016], 0.05), 0.025);
        // At that level Holm's rule adjusts it to .05: 2 x .025.
        assert_eq!(HOLM.adjust(&[0.03, 0.01, 0.016, 0.025]).unwrap()[3], 0.05);
        assert_eq!((holm_level(&[0.5, 0.6], 0.06), holm_level(&[], 0.05)), (0.02, 0.05));
    }

    #[test]
    fn every_row_has_its_page_and_recomputes_its_example() {
        for (place, row) in CORRECTIONS.iter().enumerate() {
            assert!(CORRECTIONS[place + 1..].iter().all(|other| other.name != row.name && other.title != row.title));
            for text in [row.formula, row.reading, row.misleads, row.citation, row.derivation] {
                assert!(text.len() > 10, "{}", row.name);
            }
            let found = row.adjust(row.example).unwrap();
            let near = found.iter().zip(row.adjusted).all(|(a, b)| (a - b).abs() < 1e-15);
            assert!(near && found.len() == row.adjusted.len(), "{}: {found:?}", row.name);
            assert_eq!(find(row.name).map(|row| row.title), Some(row.title));
            assert_eq!(row.adjust(&[]), Ok(vec![]));
            // One test alone needs no correction.
            assert_eq!(row.adjust(&[0.03]), Ok(vec![0.03]));
            assert_eq!(row.adjust(&[0.1, -0.5]), Err(NotP { index: 1, value: -0.5 }));
            assert!(row.adjust(&[f64::NAN]).is_err());
        }
    }

    #[test]
    fn a_test_without_p_is_no_hypothesis() {
        // Sorted .01, .02, .04: times 3, 2, 1 is .03, .04, .04.
        let found = HOLM.adjust_known(&[Some(0.04), None, Some(0.01), Some(0.02)]).unwrap();
        for (ours, expected) in found.iter().zip([Some(0.04), None, Some(0.03), Some(0.04)]) {
            assert_eq!(ours.is_some(), expected.is_some());
            assert!((ours.unwrap_or(0.0) - expected.unwrap_or(0.0)).abs() < 1e-15, "{found:?}");
        }
        assert_eq!(HOLM.adjust_known(&[None, Some(2.0)]), Err(NotP { index: 1, value: 2.0 }));
    }

    #[test]
    fn adjusted_keep_the_order_and_holm_lies_between() {
        let mut stream = Seed(4).stream("p", 0);
        for _ in 0..200 {
            let p: Vec<f64> = (0..=stream.below(12)).map(|_| stream.unit() * stream.unit()).collect();
            let [holm, bonferroni, hochberg] =
                [HOLM, BONFERRONI, BENJAMINI_HOCHBERG].map(|row| row.adjust(&p).unwrap());
            for a in 0..p.len() {
                assert!(p[a] <= hochberg[a] && hochberg[a] <= holm[a] && holm[a] <= bonferroni[a]);
                for b in 0..p.len() {
                    assert!(p[a] > p[b] || [&holm, &bonferroni, &hochberg].iter().all(|q| q[a] <= q[b]));
                }
            }
        }
    }
}
