//! Which urn judged rankings came from: (q, w) by maximum likelihood.
//!
//! The paper leaves open how its parameters are found. Here a topic's judged prefix r₁…r_J has the likelihood
//!
//! ```text
//! L(q, w) = Σ_M Binomial(M; N, q) · Π_i P(r_i | M, c_b, c_w; w)        with equation 12 for P
//! ```
//!
//! and topics are independent. The one decision: everything is read off one curve, the likelihood maximised over
//! the other parameter: its top is the estimate, and where it has fallen by half a chi-squared quantile are the ends of the
//! interval. Where data cannot tell, the fit says so: nothing (or everything) relevant is refused, and an end of an
//! interval that is not there is `None`. Cost is documents × judged ranks × different prefixes, some thousand times.

use std::collections::BTreeMap;
use std::fmt;

use karat_stats::dist::{OutOfRange, chi_squared};

/// The least and greatest w that are looked at, on a scale of logarithms.
const WEIGHTS: (f64, f64) = (1e-4, 1e2);
/// Steps of the grid looked at before the best is refined.
const GRID: u32 = 24;
/// The least and greatest log-odds of q that are looked at.
const LOG_ODDS: (f64, f64) = (-20.0, 20.0);

/// A parameter, and the values that the data do not rule out at the level asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    /// The most likely value.
    pub value: f64,
    /// The least value not ruled out; `None` where the smallest looked at is not.
    pub low: Option<f64>,
    /// The greatest value not ruled out; `None` where the largest looked at is not.
    pub high: Option<f64>,
}

/// The urn that makes the judgements most likely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// q, the share of documents that are relevant.
    pub share: Fitted,
    /// w, the weight of a document that is not relevant.
    pub weight: Fitted,
    /// Whether the likelihood still rises at the least (or greatest) w looked at, .0001 and 100: rankings without an error, as
    /// far as they are judged, make w as small as one likes.
    pub weight_at_end: bool,
    /// Logarithm of the likelihood.
    pub log_likelihood: f64,
    /// The same for the best random ranking, w = 1. Twice the difference is chi-squared with one degree of freedom if
    /// rankings are random.
    pub log_likelihood_random: f64,
    /// Confidence level of the intervals.
    pub level: f64,
}

/// Judgements that no urn can be told from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FitError {
    /// No topic has a judged rank.
    Nothing,
    /// More judged ranks than documents.
    TooLong {
        /// The topic, from 0.
        topic: usize,
        /// Its judged ranks.
        ranks: usize,
        /// Documents given.
        documents: u32,
    },
    /// More documents than can be gone through.
    Documents(u32),
    /// No judged document is relevant: q = 0 explains that with any w.
    NoneRelevant,
    /// Every judged document is relevant: q = 1 explains that with any w.
    AllRelevant,
    /// The confidence level is not a level.
    Level(OutOfRange),
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FitError::Nothing => write!(f, "no judged rank; at least one is needed"),
            FitError::TooLong { topic, ranks, documents } => write!(
                f,
                "topic {topic} (from 0) has {ranks} judged ranks; expected at most as many as documents ({documents})"
            ),
            FitError::Documents(found) => write!(f, "{found} documents; expected a number from 1 to {MOST_DOCUMENTS}"),
            FitError::NoneRelevant => {
                write!(f, "no judged document is relevant, so any w fits; judge deeper, or more topics")
            }
            FitError::AllRelevant => {
                write!(f, "every judged document is relevant, so any w fits; judge deeper, or more topics")
            }
            FitError::Level(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FitError {}

impl From<OutOfRange> for FitError {
    fn from(error: OutOfRange) -> Self {
        FitError::Level(error)
    }
}

/// Most documents a fit goes through.
const MOST_DOCUMENTS: u32 = 100_000;

/// Fits q and w to topics whose first ranks are judged (relevant or not, from rank 1 on), out of `documents` each.
/// Intervals are at `level`.
///
/// # Errors
/// Nothing to go by, or a number outside its range.
pub fn fit<T: AsRef<[bool]>>(documents: u32, topics: &[T], level: f64) -> Result<Fit, FitError> {
    let likelihood = Likelihood::new(documents, topics)?;
    // The quantile refuses what is not a level.
    let fall = chi_squared::quantile(level, 1.0)? / 2.0;

    let ends = ends();
    let by_weight = |log_weight: f64| likelihood.at_weight(log_weight).over_share().1;
    let log_weight = best_weight(&by_weight, ends);
    let (log_odds, top) = likelihood.at_weight(log_weight).over_share();
    let by_weight = |log_weight: f64| by_weight(log_weight).value - (top.value - fall);
    let weight = Fitted {
        value: libm::exp(log_weight),
        low: crossing(by_weight, log_weight, ends.0).map(libm::exp),
        high: crossing(by_weight, log_weight, ends.1).map(libm::exp),
    };
    let by_share = |log_odds: f64| likelihood.over_weight(log_odds, ends).value - (top.value - fall);
    let share = Fitted {
        value: odds_to_share(log_odds),
        low: crossing(by_share, log_odds, LOG_ODDS.0).map(odds_to_share),
        high: crossing(by_share, log_odds, LOG_ODDS.1).map(odds_to_share),
    };
    Ok(Fit {
        share,
        weight,
        weight_at_end: log_weight == ends.0 || log_weight == ends.1,
        log_likelihood: top.value,
        log_likelihood_random: likelihood.at_weight(0.0).over_share().1.value,
        level,
    })
}

/// The most likely q and w alone, for those who need no intervals, which take most of the time.
///
/// # Errors
/// As [`fit`].
pub fn most_likely<T: AsRef<[bool]>>(documents: u32, topics: &[T]) -> Result<(f64, f64), FitError> {
    let likelihood = Likelihood::new(documents, topics)?;
    let log_weight = best_weight(&|log_weight: f64| likelihood.at_weight(log_weight).over_share().1, ends());
    Ok((odds_to_share(likelihood.at_weight(log_weight).over_share().0), libm::exp(log_weight)))
}

/// The least and greatest log w looked at.
fn ends() -> (f64, f64) {
    (libm::log(WEIGHTS.0), libm::log(WEIGHTS.1))
}

/// The log-likelihood at one point, and how it changes.
#[derive(Clone, Copy, Debug)]
struct Height {
    value: f64,
    /// Its first two derivatives in the log-odds of q.
    by_odds: f64,
    by_odds_twice: f64,
    /// Its derivative in log w.
    by_weight: f64,
}

/// The best log w: the best of a grid, refined to where the likelihood, at its best q, stops rising.
fn best_weight(height: &impl Fn(f64) -> Height, (low, high): (f64, f64)) -> f64 {
    let step = (high - low) / f64::from(GRID);
    let mut best = (low, f64::NEG_INFINITY);
    for point in 0..=GRID {
        let at = low + step * f64::from(point);
        let found = height(at).value;
        if found > best.1 {
            best = (at, found);
        }
    }
    let (a, b) = ((best.0 - step).max(low), (best.0 + step).min(high));
    let slope = |log_weight: f64| height(log_weight).by_weight;
    let refined = if slope(a) <= 0.0 { a } else { crossing(slope, a, b).unwrap_or(b) };
    if height(refined).value >= best.1 { refined } else { best.0 }
}

/// The judgements, equal prefixes once.
struct Likelihood {
    documents: u32,
    prefixes: Vec<(Vec<bool>, f64)>,
    /// log C(N, M).
    log_choose: Vec<f64>,
}

impl Likelihood {
    fn new<T: AsRef<[bool]>>(documents: u32, topics: &[T]) -> Result<Likelihood, FitError> {
        if !(1..=MOST_DOCUMENTS).contains(&documents) {
            return Err(FitError::Documents(documents));
        }
        let mut prefixes: BTreeMap<Vec<bool>, f64> = BTreeMap::new();
        for (topic, prefix) in topics.iter().map(AsRef::as_ref).enumerate() {
            if prefix.len() > documents as usize {
                return Err(FitError::TooLong { topic, ranks: prefix.len(), documents });
            }
            *prefixes.entry(prefix.to_vec()).or_default() += 1.0;
        }
        if prefixes.keys().all(Vec::is_empty) {
            return Err(FitError::Nothing);
        }
        if prefixes.keys().flatten().all(|&relevant| !relevant) {
            return Err(FitError::NoneRelevant);
        }
        if prefixes.keys().flatten().all(|&relevant| relevant) {
            return Err(FitError::AllRelevant);
        }
        let mut log_choose = vec![0.0];
        let mut sum = 0.0;
        for relevant in 1..=documents {
            sum += libm::log(f64::from(documents - relevant + 1) / f64::from(relevant));
            log_choose.push(sum);
        }
        Ok(Likelihood { documents, prefixes: prefixes.into_iter().collect(), log_choose })
    }

    /// What is left to vary when w is given.
    fn at_weight(&self, log_weight: f64) -> AtWeight<'_> {
        let weight = libm::exp(log_weight);
        let table = |prefix: &[bool]| {
            let chance = |relevant: u32| {
                let (log, slope) = log_chance(self.documents, relevant, weight, prefix);
                (self.log_choose[relevant as usize] + log, slope)
            };
            (0..=self.documents).map(chance).collect()
        };
        let tables = self.prefixes.iter().map(|(prefix, count)| (table(prefix), *count)).collect();
        AtWeight { whole: self, tables }
    }

    /// The greatest height at these log-odds of q, over all w.
    fn over_weight(&self, log_odds: f64, (low, high): (f64, f64)) -> Height {
        let height = |log_weight: f64| self.at_weight(log_weight).at(log_odds);
        let slope = |log_weight: f64| height(log_weight).by_weight;
        let best = if slope(low) <= 0.0 { low } else { crossing(slope, low, high).unwrap_or(high) };
        height(best)
    }
}

/// log of Π P(r_i | M, c_b, c_w; w), and its derivative in log w: Σ (1 if r_i is not relevant) − w (N − M − c_w) / (…).
/// The logarithm is −∞ where the prefix cannot be.
pub(super) fn log_chance(documents: u32, relevant: u32, weight: f64, prefix: &[bool]) -> (f64, f64) {
    let (mut relevant_left, mut others_left) = (f64::from(relevant), f64::from(documents - relevant));
    let (mut product, mut log, mut slope) = (1.0, 0.0, 0.0);
    for &hit in prefix {
        let left = if hit { relevant_left } else { others_left };
        if left == 0.0 {
            return (f64::NEG_INFINITY, 0.0);
        }
        let other = weight * others_left / (relevant_left + weight * others_left);
        product *= if hit { 1.0 - other } else { other };
        slope -= other;
        // Logarithms are slow: they are only taken before the product underflows.
        if product < 1e-200 {
            log += libm::log(product);
            product = 1.0;
        }
        if hit {
            relevant_left -= 1.0;
        } else {
            others_left -= 1.0;
            slope += 1.0;
        }
    }
    (log + libm::log(product), slope)
}

/// The likelihood as a function of q.
struct AtWeight<'a> {
    whole: &'a Likelihood,
    /// For each prefix, for every M: log C(N, M) + log of its chance given M, and the derivative of that in log w; and how
    /// many topics have the prefix.
    tables: Vec<(Vec<(f64, f64)>, f64)>,
}

impl AtWeight<'_> {
    /// The height at these log-odds θ of q. With means and variances over M given the prefix, the derivatives in θ are
    /// Σ (`E[M]` − Nq) and Σ (`Var[M]` − Nq(1 − q)).
    fn at(&self, log_odds: f64) -> Height {
        let n = f64::from(self.whole.documents);
        let q = odds_to_share(log_odds);
        // log (1 − q)ᴺ without losing what is near 0.
        let none = -n * (log_odds.max(0.0) + libm::log1p(libm::exp(-log_odds.abs())));
        let mut height = Height { value: 0.0, by_odds: 0.0, by_odds_twice: 0.0, by_weight: 0.0 };
        for (table, count) in &self.tables {
            let exponents = || table.iter().enumerate().map(|(m, (log, _))| log + m as f64 * log_odds);
            let top = exponents().fold(f64::NEG_INFINITY, f64::max);
            let (mut total, mut first, mut second, mut slope) = (0.0, 0.0, 0.0, 0.0);
            for (m, exponent) in exponents().enumerate() {
                // e⁻⁴⁵ is below the precision of the sum.
                if exponent - top > -45.0 {
                    let chance = libm::exp(exponent - top);
                    let relevant = m as f64;
                    total += chance;
                    first += chance * relevant;
                    second += chance * relevant * relevant;
                    slope += chance * table[m].1;
                }
            }
            let mean = first / total;
            height.value += count * (top + libm::log(total) + none);
            height.by_odds += count * (mean - n * q);
            height.by_odds_twice += count * ((second / total - mean * mean) - n * q * (1.0 - q));
            height.by_weight += count * slope / total;
        }
        height
    }

    /// The best log-odds of q and the height there, by Newton steps kept inside a bracket.
    fn over_share(&self) -> (f64, Height) {
        let (mut low, mut high) = LOG_ODDS;
        let mut theta = 0.0;
        for _ in 0..100 {
            let Height { by_odds, by_odds_twice, .. } = self.at(theta);
            if by_odds > 0.0 {
                low = theta;
            } else {
                high = theta;
            }
            let newton = theta - by_odds / by_odds_twice;
            let inside = by_odds_twice < 0.0 && newton > low && newton < high;
            let next = if inside { newton } else { low + (high - low) / 2.0 };
            let moved = (next - theta).abs();
            theta = next;
            if moved < 1e-9 {
                break;
            }
        }
        (theta, self.at(theta))
    }
}

fn odds_to_share(log_odds: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-log_odds))
}

/// Where f, positive at `inside`, reaches 0 on the way to `outside`, to a hundred-thousandth; `None` if it has not there.
/// False position, with a bisection at every third step so that a flat stretch cannot hold it up.
fn crossing(f: impl Fn(f64) -> f64, inside: f64, outside: f64) -> Option<f64> {
    let (mut inside, mut outside) = ((inside, f(inside)), (outside, f(outside)));
    if outside.1 > 0.0 {
        return None;
    }
    let mut step = 0;
    while (outside.0 - inside.0).abs() > 1e-5 && step < 100 {
        step += 1;
        let share = if step % 3 == 0 { 0.5 } else { (inside.1 / (inside.1 - outside.1)).clamp(0.001, 0.999) };
        let middle = inside.0 + (outside.0 - inside.0) * share;
        let found = f(middle);
        if found > 0.0 {
            inside = (middle, found);
        } else {
            outside = (middle, found);
        }
        if found.abs() < 1e-7 {
            return Some(middle);
        }
    }
    Some(inside.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::urn::{Relevant, Urn, counts::Counts};
    use karat_stats::Seed;

    /// Rankings of an urn with binomial M, judged to this depth.
    fn prefixes(q: f64, weight: f64, topics: u64, depth: u32, seed: u64) -> Vec<Vec<bool>> {
        let counts = Counts::new(100, Relevant::Share(q));
        let streams = Seed(seed).streams("fit");
        let one = |topic| {
            let mut stream = streams.at(topic);
            let relevant = counts.draw(&mut stream);
            Urn::new(100, relevant, weight).unwrap().draw(depth, &mut stream)
        };
        (0..topics).map(one).collect()
    }

    #[test]
    fn likelihood_by_hand() {
        // N = 2, prefix (relevant, not), q = 1/2, w = 1/3: only M = 1 can do that, and C(2,1)/4 · 1/(1 + 1/3) · 1 = 3/8.
        let two = Likelihood::new(2, &[[true, false]]).unwrap();
        let found = two.at_weight(libm::log(1.0 / 3.0)).at(0.0).value;
        assert!((found - libm::log(0.375)).abs() < 1e-14, "{found}");
        // Prefix (relevant) alone: M = 1 with 1/2 · 3/4, M = 2 with 1/4: 5/8. Its slope in θ is E[M] − Nq: (3/8 + 2·1/4)/(5/8) − 1.
        let one = Likelihood::new(2, &[vec![true], vec![false]]).unwrap();
        let tables = one.at_weight(libm::log(1.0 / 3.0));
        let Height { value: sum, by_odds: slope, .. } = tables.at(0.0);
        // (Not relevant) is the rest, 3/8: M = 0 with 1/4, M = 1 with 1/2 · 1/4, so E[M] = (1/8)/(3/8) = 1/3.
        assert!((sum - libm::log(0.625) - libm::log(0.375)).abs() < 1e-14);
        assert!((slope - ((0.875 / 0.625 - 1.0) + (1.0 / 3.0 - 1.0))).abs() < 1e-13, "{slope}");
    }

    #[test]
    fn weight_one_is_independent_judgements() {
        // With w = 1 and M binomial each judgement is relevant with q by itself: 4 of 7 here, so log L = 4 ln q + 3 ln (1 − q), best
        // at 4/7.
        let topics = [vec![true, false, true], vec![false, true, true, false]];
        let likelihood = Likelihood::new(30, &topics).unwrap();
        let at_one = likelihood.at_weight(0.0);
        for q in [0.1f64, 0.5, 0.9] {
            let expected = 4.0 * q.ln() + 3.0 * (1.0 - q).ln();
            assert!((at_one.at((q / (1.0 - q)).ln()).value - expected).abs() < 1e-12);
        }
        assert!((odds_to_share(at_one.over_share().0) - 4.0 / 7.0).abs() < 1e-9);
    }

    #[test]
    fn derivatives_are_those_of_the_likelihood() {
        let likelihood = Likelihood::new(100, &prefixes(0.2, 0.3, 20, 12, 1)).unwrap();
        let (h, theta, x) = (1e-4, -1.3, libm::log(0.4));
        let at = |x: f64, theta: f64| likelihood.at_weight(x).at(theta);
        let (before, middle, after) = (at(x, theta - h), at(x, theta), at(x, theta + h));
        assert!(((after.value - before.value) / (2.0 * h) - middle.by_odds).abs() < 1e-4);
        assert!(((after.by_odds - before.by_odds) / (2.0 * h) - middle.by_odds_twice).abs() < 1e-4);
        let by_weight = (at(x + h, theta).value - at(x - h, theta).value) / (2.0 * h);
        assert!((by_weight - middle.by_weight).abs() < 1e-4);
    }

    #[test]
    fn known_urns_are_found_again() {
        // 95% intervals of both parameters in 5 worlds: fewer than 6 of 10 would cover with a chance below 1e-3 if the level
        // holds (and the two were independent).
        for (q, weight) in [(0.2, 0.3), (0.1, 1.0)] {
            let mut covered = 0;
            for seed in 0..5 {
                let found = fit(100, &prefixes(q, weight, 60, 60, seed), 0.95).unwrap();
                let holds = |fitted: Fitted, truth: f64| {
                    u32::from(fitted.low.is_none_or(|low| low <= truth) && fitted.high.is_none_or(|high| truth <= high))
                };
                covered += holds(found.weight, weight) + holds(found.share, q);
                assert!(!found.weight_at_end && found.log_likelihood >= found.log_likelihood_random);
                assert!(
                    found.weight.low.unwrap() < found.weight.value && found.weight.value < found.weight.high.unwrap()
                );
                // Sixty topics judged to rank 60 leave w within a factor of two.
                assert!(found.weight.value / weight < 2.0 && weight / found.weight.value < 2.0, "{found:?}");
                assert!((found.share.value / q).max(q / found.share.value) < 1.5, "{found:?}");
            }
            assert!(covered >= 6, "{covered} of 10");
        }
    }

    #[test]
    fn the_ends_of_an_interval_are_where_the_likelihood_has_fallen() {
        // 1.920729 is half the 95% point of chi-squared with one degree of freedom, 3.841459.
        let topics = prefixes(0.2, 0.3, 30, 40, 5);
        let found = fit(100, &topics, 0.95).unwrap();
        let likelihood = Likelihood::new(100, &topics).unwrap();
        for end in [found.weight.low.unwrap(), found.weight.high.unwrap()] {
            let height = likelihood.at_weight(libm::log(end)).over_share().1.value;
            assert!((found.log_likelihood - height - 1.920729).abs() < 1e-3, "{end}");
        }
        // No point of a grid is higher than the top.
        for weight in 1..40 {
            let at_weight = likelihood.at_weight((f64::from(weight) / 20.0).ln());
            for share in 1..40 {
                let q = f64::from(share) / 40.0;
                assert!(at_weight.at((q / (1.0 - q)).ln()).value <= found.log_likelihood);
            }
        }
    }

    #[test]
    fn rankings_without_error_push_w_to_its_end() {
        let found = fit(20, &[[true, true, false, false], [true, false, false, false]], 0.95).unwrap();
        assert!(found.weight_at_end && found.weight.low.is_none(), "{found:?}");
        assert!(found.weight.value < 2e-4 && found.weight.high.is_some());
    }

    #[test]
    fn refusals() {
        let fails = |topics: &[&[bool]]| fit(3, topics, 0.95).unwrap_err();
        assert_eq!(fails(&[]), FitError::Nothing);
        assert_eq!(fails(&[&[]]), FitError::Nothing);
        assert_eq!(fails(&[&[false, false], &[false]]), FitError::NoneRelevant);
        assert_eq!(fails(&[&[true], &[]]), FitError::AllRelevant);
        assert_eq!(fails(&[&[true], &[false; 4]]), FitError::TooLong { topic: 1, ranks: 4, documents: 3 });
        assert!(matches!(fit(3, &[[true, false]], 1.0), Err(FitError::Level(_))));
        assert!(matches!(fit(0, &[[true]], 0.9), Err(FitError::Documents(0))));
    }
}
