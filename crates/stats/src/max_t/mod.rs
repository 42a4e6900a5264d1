//! Many pairs of systems at once by their largest studentised difference (max-T): adjusted p-values, and simultaneous intervals.
//!
//! The one decision: chance is what random signs of topics make of each system's scores around its own mean, one sign per topic for all
//! systems. So every system keeps its own spread and what it shares with others, and no system stands in for another. Each pair is divided by
//! its own standard error, made anew under every choice of signs, so a pair that varies much is not easily the largest.
//!
//! With e = scores less the system's mean, the signed sum of a pair is D = Σ s (e_a − e_b), a difference of two sums per system, and
//! Q = Σ (e_a − e_b)² is the same under all signs. Its t is √(n − 1) u / √(1 − u²) with u = D / √(n Q): it rises with u, so that a pair costs one
//! subtraction, one product and one comparison a draw.

mod draws;
mod limits;

use crate::dist::student_t;
use crate::seed::Seed;
use crate::test::{NoTest, SAME};
use crate::tukey::Page;
use crate::two_way::TwoWay;
use draws::{Family, Member, ROUNDING};
pub use limits::{Bounded, Limits, simultaneous_limits};

/// The page of the test.
pub const PAGE: Page = Page {
    name: "max_t",
    title: "step-down max-T test (random signs of topics)",
    formula: "t of a pair = mean difference / its standard error. Draw: one sign per topic times each system's scores less its mean, t of \
              every pair anew. Largest |t| first, adjusted p = (count of draws whose largest |t| among this and the smaller pairs \
              reaches it, + 1) / (B + 1), never below the one before",
    reading: "Tests many pairs at once: the probability of any false positive stays near the level, for systems of any \
              spread and any dependence. No pair is judged by the spread of another. p needs no further correction. \
              In compare it is never below the pair's own p.",
    misleads: "With fewer than about 25 topics and many systems it finds less than it could. It assumes that \
               chance is about symmetric. All systems need scores on the same topics.",
    citation: "Westfall and Young (1993), Resampling-Based Multiple Testing; Romano and Wolf (2005), Exact and approximate stepdown \
               methods for multiple hypothesis testing, JASA 100(469); Boytsov, Belova and Westfall (2013), Deciding on an adjustment for \
               multiplicity in IR experiments, SIGIR",
    example: "two systems that differ by 0, 1, 2, 3: mean 1.5, t = 1.5 / (1.291 / 2) = 2.32. Around the mean -1.5, -.5, .5, 1.5: of the 16 choices of \
              signs two (- - + + and its reverse) sum to 4, |t| = 1 / (.577 / 2) = 3.46, all others have |t| <= 1.57: p = 2 / 16",
};

/// A pair: what was seen, and what follows when all pairs are looked at together.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PairT {
    /// Mean of the differences.
    mean: f64,
    std_error: f64,
    /// Adjusted, step by step.
    p: f64,
}

/// What random signs of topics make of the largest |t| over pairs, and what each pair shows next to it.
#[derive(Clone, Debug)]
pub struct MaxT {
    topics: usize,
    pairs: Vec<Result<PairT, NoTest>>,
    /// The largest u over all pairs, draw by draw, ascending.
    maxima: Vec<f64>,
}

impl MaxT {
    /// Tests these pairs of systems together, by so many random signs of topics. The answer is the same for any number of threads.
    ///
    /// # Errors
    /// No draws are asked for, or no pair has differences with a spread.
    pub fn new(
        scores: &TwoWay,
        pairs: &[(usize, usize)],
        draws: u32,
        seed: Seed,
        threads: usize,
    ) -> Result<MaxT, NoTest> {
        if draws == 0 {
            return Err(NoTest::NoDraws);
        }
        let systems = Centred::new(scores);
        let seen: Vec<Result<Seen, NoTest>> = pairs.iter().map(|&pair| systems.seen(pair)).collect();
        // From the smallest to the largest, so that what is the largest so far is the largest among a pair and all below it.
        let mut ascending: Vec<(usize, Seen)> =
            seen.iter().enumerate().filter_map(|(place, seen)| Some((place, *seen.as_ref().ok()?))).collect();
        if ascending.is_empty() {
            return Err(seen.into_iter().find_map(Result::err).unwrap_or(NoTest::AllZero));
        }
        ascending.sort_by(|(_, a), (_, b)| a.u.total_cmp(&b.u));
        let member = |&(place, seen): &(usize, Seen)| Member { pair: pairs[place], squares: seen.squares, u: seen.u };
        let family = Family::new(&systems.scores, &ascending.iter().map(member).collect::<Vec<_>>());
        let (counts, mut maxima) = family.draw(draws, seed, threads);
        maxima.sort_unstable_by(f64::total_cmp);
        let share = |count: u32| (f64::from(count) + 1.0) / (f64::from(draws) + 1.0);
        let mut found: Vec<Result<PairT, NoTest>> = seen.iter().map(|seen| seen.map(|seen| seen.pair())).collect();
        let mut most = 0.0f64;
        for ((place, _), count) in ascending.iter().zip(counts).rev() {
            most = most.max(share(count));
            if let Ok(pair) = &mut found[*place] {
                pair.p = most;
            }
        }
        Ok(MaxT { topics: scores.topics(), pairs: found, maxima })
    }

    /// The adjusted p of the pair at this place.
    ///
    /// # Errors
    /// Its differences have no spread.
    pub fn p(&self, place: usize) -> Result<f64, NoTest> {
        self.pairs[place].map(|pair| pair.p)
    }

    /// The least p these draws can give.
    pub fn smallest_p(&self) -> f64 {
        1.0 / (self.maxima.len() + 1) as f64
    }

    /// The least |t| whose single-step p is at most `alpha`: what a pair must reach when nothing else is known. `None` where no t would do.
    pub fn critical(&self, alpha: f64) -> Option<f64> {
        critical_t(&self.maxima, self.topics, alpha)
    }

    /// The level at which a t test of one pair asks for as much.
    pub fn level_of_a_pair(&self, alpha: f64) -> Option<f64> {
        student_t::two_sided(self.critical(alpha)?, self.topics as f64 - 1.0).ok().filter(|level| *level > 0.0)
    }

    /// The intervals of all pairs' mean differences that hold together with probability `1 - alpha`; `None` for a pair without spread.
    pub fn intervals(&self, alpha: f64) -> Option<Vec<Option<(f64, f64)>>> {
        let critical = self.critical(alpha)?;
        let interval = |pair: &Result<PairT, NoTest>| {
            let PairT { mean, std_error, .. } = pair.as_ref().ok()?;
            Some((mean - critical * std_error, mean + critical * std_error))
        };
        Some(self.pairs.iter().map(interval).collect())
    }
}

/// The least t that at most a share of `alpha` of the draws reach, from their maxima in ascending order.
fn critical_t(maxima: &[f64], topics: usize, alpha: f64) -> Option<f64> {
    let draws = maxima.len();
    // At most this many draws may reach it. A hair more, for 0.05 times 10001 may be a hair less than it is.
    let allowed = (alpha * (draws + 1) as f64 + 1e-9).floor() - 1.0;
    if allowed < 0.0 {
        return None;
    }
    if allowed >= draws as f64 {
        return Some(0.0);
    }
    let u = maxima[draws - 1 - allowed as usize] + ROUNDING;
    (u < 1.0 - ROUNDING).then(|| u * ((topics as f64 - 1.0) / (1.0 - u * u)).sqrt())
}

/// What was seen of a pair with a spread.
#[derive(Clone, Copy, Debug)]
struct Seen {
    mean: f64,
    std_error: f64,
    /// Σ (e_a − e_b)².
    squares: f64,
    /// |t| on the scale of the draws.
    u: f64,
}

impl Seen {
    fn pair(&self) -> PairT {
        PairT { mean: self.mean, std_error: self.std_error, p: 1.0 }
    }
}

/// Each system's scores around its own mean.
struct Centred {
    means: Vec<f64>,
    scores: Vec<Vec<f64>>,
    /// The largest score, for what is only rounding.
    largest: f64,
}

impl Centred {
    fn new(table: &TwoWay) -> Centred {
        let means = table.system_means();
        let around = |(system, mean): (usize, &f64)| table.by_topic().map(|row| row[system] - mean).collect();
        let largest = table.by_topic().flatten().fold(0.0f64, |most, score| most.max(score.abs()));
        Centred { scores: means.iter().enumerate().map(around).collect(), largest, means }
    }

    fn differences(&self, (a, b): (usize, usize)) -> impl Iterator<Item = f64> {
        self.scores[a].iter().zip(&self.scores[b]).map(|(a, b)| a - b)
    }

    fn seen(&self, pair: (usize, usize)) -> Result<Seen, NoTest> {
        let n = self.scores[pair.0].len() as f64;
        let mean = self.means[pair.0] - self.means[pair.1];
        let squares: f64 = self.differences(pair).map(|e| e * e).sum();
        let noise = SAME * self.largest;
        if squares.sqrt() <= noise {
            return Err(if mean.abs() <= noise { NoTest::AllZero } else { NoTest::Constant { value: mean } });
        }
        let u = mean.abs() * (n / (squares + n * mean * mean)).sqrt();
        Ok(Seen { mean, std_error: (squares / n / (n - 1.0)).sqrt(), squares, u })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(systems: usize, topics: usize, step: f64) -> Vec<Vec<f64>> {
        let mut stream = Seed(6).stream("scores", (systems * topics) as u64);
        let difficulty: Vec<f64> = (0..topics).map(|_| stream.unit()).collect();
        (0..systems)
            .map(|system| {
                // The last varies more than the others.
                let spread = if system + 1 == systems { 4.0 } else { 1.0 };
                difficulty.iter().map(|base| base + spread * stream.unit() + step * system as f64).collect()
            })
            .collect()
    }

    fn all_pairs(systems: usize) -> Vec<(usize, usize)> {
        (0..systems).flat_map(|a| (a + 1..systems).map(move |b| (a, b))).collect()
    }

    /// The t statistic as every textbook has it; infinite without spread.
    fn t(differences: &[f64]) -> f64 {
        let n = differences.len() as f64;
        let mean = differences.iter().sum::<f64>() / n;
        let variance = differences.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / (n - 1.0);
        mean.abs() / (variance / n).sqrt()
    }

    /// Westfall and Young's step-down over all choices of signs, word by word: pairs by |t|, largest first; the share of choices whose largest |t|
    /// among a pair and those after it reaches its own; never below the one before.
    fn literal(systems: &[Vec<f64>], pairs: &[(usize, usize)]) -> Vec<f64> {
        let topics = systems[0].len();
        let centred: Vec<Vec<f64>> = systems
            .iter()
            .map(|scores| scores.iter().map(|score| score - scores.iter().sum::<f64>() / topics as f64).collect())
            .collect();
        let difference = |systems: &[Vec<f64>], (a, b): (usize, usize), signs: u32| -> Vec<f64> {
            let sign = |topic: usize| if signs >> topic & 1 == 1 { -1.0 } else { 1.0 };
            (0..topics).map(|topic| sign(topic) * (systems[a][topic] - systems[b][topic])).collect()
        };
        let seen: Vec<f64> = pairs.iter().map(|&pair| t(&difference(systems, pair, 0))).collect();
        let drawn: Vec<Vec<f64>> = (0..1 << topics)
            .map(|signs| pairs.iter().map(|&pair| t(&difference(&centred, pair, signs))).collect())
            .collect();
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by(|&a, &b| seen[b].total_cmp(&seen[a]));
        let (mut p, mut before) = (vec![0.0; pairs.len()], 0.0f64);
        for (place, &pair) in order.iter().enumerate() {
            let reaches = |t: &&Vec<f64>| order[place..].iter().any(|&other| t[other] >= seen[pair] - 1e-9);
            before = before.max(drawn.iter().filter(reaches).count() as f64 / drawn.len() as f64);
            p[pair] = before;
        }
        p
    }

    #[test]
    fn the_example_of_the_page() {
        // By hand: 2 of 16 choices of signs; 100 000 draws: 5 sd of 1/8 are 0.0052.
        let table = TwoWay::new(&[[0.0, 1.0, 2.0, 3.0], [0.0; 4]]).unwrap();
        let found = MaxT::new(&table, &[(0, 1)], 100_000, Seed(1), 1).unwrap();
        assert!((found.p(0).unwrap() - 0.125).abs() < 0.0052, "{:?}", found.p(0));
        // The largest |t| is 2√3 in two choices of 16 and at most 1.57 else: at 10% it is what must be passed, at 20% 1.5667 is. Around the mean of
        // -1.5, -.5, .5, 1.5 with signs - + + +: sum 3, mean .75, variance (5 - 2.25) / 3, t = .75 / √(2.75 / 12) = 1.5667.
        assert!((found.critical(0.1).unwrap() - 12f64.sqrt()).abs() < 1e-4, "{:?}", found.critical(0.1));
        assert!((found.critical(0.2).unwrap() - 0.75 / (2.75f64 / 12.0).sqrt()).abs() < 1e-4);
    }

    #[test]
    fn agrees_with_all_signs_counted() {
        // 2^9 choices of signs; 100 000 draws: 5 sd of a share are at most 0.008.
        for (systems, topics, step) in [(3, 5, 0.3), (4, 8, 0.25), (5, 9, 0.5)] {
            let systems = scores(systems, topics, step);
            for pairs in [all_pairs(systems.len()), (1..systems.len()).map(|other| (0, other)).collect()] {
                let expected = literal(&systems, &pairs);
                let found = MaxT::new(&TwoWay::new(&systems).unwrap(), &pairs, 100_000, Seed(1), 1).unwrap();
                for (place, expected) in expected.iter().enumerate() {
                    let p = found.p(place).unwrap();
                    assert!((p - expected).abs() < 0.008, "{:?}: {p} {expected}", pairs[place]);
                }
            }
        }
    }

    #[test]
    fn a_pair_that_hardly_differs_keeps_its_digits() {
        // The third system is the first but for differences a millionth as large; the scale of scores does not matter.
        let mut systems = scores(2, 9, 0.3);
        let noise = &scores(3, 9, 0.2)[1];
        systems.push(systems[0].iter().zip(noise).map(|(score, more)| score + 1e-6 * (more - 1.0)).collect());
        let (pairs, one) = (all_pairs(3), TwoWay::new(&systems).unwrap());
        let expected = literal(&systems, &pairs);
        systems.iter_mut().flatten().for_each(|score| *score *= 1e120);
        for table in [one, TwoWay::new(&systems).unwrap()] {
            let found = MaxT::new(&table, &pairs, 100_000, Seed(1), 1).unwrap();
            for (place, expected) in expected.iter().enumerate() {
                let p = found.p(place).unwrap();
                assert!((p - expected).abs() < 0.008, "{:?}: {p} {expected}", pairs[place]);
            }
        }
    }

    #[test]
    fn threads_order_and_sides_change_nothing() {
        let systems = scores(6, 20, 0.1);
        let table = TwoWay::new(&systems).unwrap();
        let pairs = all_pairs(6);
        let of = |table: &TwoWay, pairs: &[(usize, usize)], threads| {
            MaxT::new(table, pairs, 9_999, Seed(3), threads).unwrap()
        };
        let one = of(&table, &pairs, 1);
        assert_eq!(one.maxima, of(&table, &pairs, 3).maxima);
        assert_eq!(one.pairs, of(&table, &pairs, 3).pairs);
        let turned: Vec<Vec<f64>> = systems.iter().rev().cloned().collect();
        let mirrored: Vec<(usize, usize)> = pairs.iter().map(|&(a, b)| (5 - a, 5 - b)).collect();
        let turned = of(&TwoWay::new(&turned).unwrap(), &mirrored, 1);
        (0..pairs.len()).for_each(|place| assert_eq!(one.p(place), turned.p(place)));
    }

    #[test]
    fn the_critical_value_is_where_intervals_touch_0() {
        let table = TwoWay::new(&scores(5, 15, 0.2)).unwrap();
        let pairs = all_pairs(5);
        let found = MaxT::new(&table, &pairs, 999, Seed(3), 1).unwrap();
        let critical = found.critical(0.05).unwrap();
        // Single step: 49 of 999 draws may reach it, (49 + 1) / 1000 = .05.
        let reach = |t: f64| {
            let u = t / (14.0 + t * t).sqrt();
            found.maxima.iter().filter(|most| **most >= u).count()
        };
        assert!(reach(critical) <= 49 && reach(critical * (1.0 - 1e-5)) > 49, "{critical}");
        // A t test of one pair at this level asks for as much.
        let level = found.level_of_a_pair(0.05).unwrap();
        assert!((student_t::upper_quantile(level / 2.0, 14.0).unwrap() - critical).abs() < 1e-9);
        for (place, interval) in found.intervals(0.05).unwrap().into_iter().enumerate() {
            let (low, high) = interval.unwrap();
            let PairT { mean, std_error, .. } = found.pairs[place].unwrap();
            assert!((high - low - 2.0 * critical * std_error).abs() < 1e-12 && (low + high - 2.0 * mean).abs() < 1e-12);
            // Steps find at least what intervals find.
            assert!(low <= 0.0 && high >= 0.0 || found.p(place).unwrap() <= 0.05);
        }
        assert_eq!((found.critical(0.0005), found.critical(1.0), found.smallest_p()), (None, Some(0.0), 0.001));
    }

    #[test]
    fn equal_pairs_get_equal_p_and_no_spread_no_test() {
        // The third system is the first again, the fourth the first with .1 more.
        let mut systems = scores(2, 12, 0.1);
        systems.push(systems[0].clone());
        systems.push(systems[0].iter().map(|score| score + 0.1).collect());
        let found =
            MaxT::new(&TwoWay::new(&systems).unwrap(), &[(0, 1), (2, 1), (0, 2), (0, 3)], 999, Seed(1), 1).unwrap();
        assert_eq!(found.p(0), found.p(1));
        assert_eq!(found.p(2), Err(NoTest::AllZero));
        assert!(matches!(found.p(3), Err(NoTest::Constant { value }) if (value + 0.1).abs() < 1e-12));
        assert_eq!(found.intervals(0.05).unwrap()[3], None);
    }

    #[test]
    fn reasons_instead_of_nan() {
        let same = TwoWay::new(&[[0.1, 0.5], [0.1, 0.5]]).unwrap();
        assert_eq!(MaxT::new(&same, &[(0, 1)], 10, Seed(1), 1).unwrap_err(), NoTest::AllZero);
        let other = TwoWay::new(&[[0.1, 0.5], [0.2, 0.5]]).unwrap();
        assert_eq!(MaxT::new(&other, &[(0, 1)], 0, Seed(1), 1).unwrap_err(), NoTest::NoDraws);
        assert_eq!(MaxT::new(&other, &[], 10, Seed(1), 1).unwrap_err(), NoTest::AllZero);
        // Two topics: d = -.1, 0; around the mean -.05, .05: half of the signs make them equal (|t| infinite), the others sum to 0.
        let found = MaxT::new(&other, &[(0, 1)], 9_999, Seed(1), 1).unwrap();
        assert!((found.p(0).unwrap() - 0.5).abs() < 0.025, "{:?}", found.p(0));
        assert_eq!(found.critical(0.05), None);
    }
}
