//! All pairs of systems at once: the randomised Tukey HSD test, topics as blocks (Carterette 2012; Sakai 2018).
//!
//! The one decision: under "all systems are the same" the scores of a topic could have been anyone's, so they are shuffled among the
//! systems, topic by topic. The greatest difference between any two means is kept; a pair differs by more than chance when few
//! shuffles give any pair as large a difference. So the family of all pairs is protected where systems that are equal can be
//! exchanged within a topic: no distribution is assumed, but the same one for all.

use crate::seed::Seed;
use crate::test::{NoTest, SAME};
use crate::two_way::TwoWay;
use karat_runtime::jobs;

/// Shuffles that share a stream: the unit of work of a thread.
const PIECE: u32 = 512;

/// The page of the test.
pub const PAGE: Page = Page {
    name: "tukey",
    title: "randomised Tukey HSD test",
    formula: "shuffle each topic's scores among the systems; p of a pair = (count of (greatest mean - least mean) >= |difference|, + 1) \
              / (B + 1)",
    reading: "Tests all pairs at once: if all systems are equal, the probability of any false positive stays below the \
              level. Topics are blocks. Scores may have any distribution if it is the same for all systems. p needs no \
              further correction.",
    misleads: "Systems with equal means but much larger variance are called different too often (14% instead of 5% if \
               two of 16 systems vary eight times as much). One bad system lowers the power for all pairs. Adding \
               systems changes the p of all pairs. For several systems against one baseline, Holm has more power.",
    citation: "Carterette (2012), Multiple testing in statistical analysis of systems-based information retrieval experiments, ACM TOIS \
               30(1); Sakai (2018), Laboratory Experiments in Information Retrieval, section 4.4",
    example: "three systems, 1 2 3 on one topic and 1 2 3 on the other: of the 6 orders of one against the other the means' range is 2 once, \
              1.5 twice, 1 twice, 0 once; first and third differ by 2: 1 / 6; first and second by 1: 5 / 6",
};

/// A page for people.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// Its name in machine-readable output.
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
    /// A case worked by hand.
    pub example: &'static str,
}

/// The greatest differences that chance gave, and the means they are compared with.
#[derive(Clone, Debug)]
pub struct RandomisedTukey {
    means: Vec<f64>,
    /// Greatest difference of means of each shuffle, ascending.
    ranges: Vec<f64>,
    slack: f64,
}

impl RandomisedTukey {
    /// Shuffles so many times. The answer is the same for any number of threads.
    ///
    /// # Errors
    /// No shuffles are asked for, or the systems have the same score on every topic.
    pub fn new(scores: &TwoWay, permutations: u32, seed: Seed, threads: usize) -> Result<Self, NoTest> {
        if permutations == 0 {
            return Err(NoTest::NoDraws);
        }
        // Only how systems differ within a topic matters; without the topic's mean, sums are small and round less. Sorted, so that the shuffles do not
        // depend on the order of the systems.
        let centred = |row: &[f64]| {
            let mut row = row.to_vec();
            row.sort_unstable_by(f64::total_cmp);
            let mean = row.iter().sum::<f64>() / row.len() as f64;
            row.into_iter().map(move |score| score - mean)
        };
        let differ = scores.by_topic().filter(|row| row.iter().any(|score| *score != row[0]));
        let rows: Vec<f64> = differ.flat_map(centred).collect();
        if rows.is_empty() {
            return Err(NoTest::AllZero);
        }
        let topics = scores.topics() as f64;
        let streams = seed.streams("tukey");
        let pieces = jobs::pieces(permutations, PIECE);
        let ranges = jobs::in_order(pieces.len(), threads, |piece| {
            let mut stream = streams.at(piece as u64);
            // Shuffled further each time, never put back: a shuffle of a shuffle is as even.
            let mut rows = rows.clone();
            let mut sums = vec![0.0; scores.systems()];
            let shuffles = (0..pieces[piece]).map(|_| {
                sums.fill(0.0);
                for row in rows.chunks_exact_mut(scores.systems()) {
                    stream.shuffle(row);
                    sums.iter_mut().zip(row).for_each(|(sum, score)| *sum += *score);
                }
                range(&sums) / topics
            });
            shuffles.collect::<Vec<f64>>()
        });
        let mut ranges = ranges.concat();
        ranges.sort_unstable_by(f64::total_cmp);
        let slack = SAME * rows.iter().map(|score| score.abs()).sum::<f64>() / topics;
        Ok(RandomisedTukey { means: scores.system_means(), ranges, slack })
    }

    /// Mean of system a less that of system b.
    pub fn difference(&self, a: usize, b: usize) -> f64 {
        self.means[a] - self.means[b]
    }

    /// The p of a pair, adjusted for all pairs: (shuffles with a difference as large between any two + 1) / (shuffles + 1).
    pub fn p(&self, a: usize, b: usize) -> f64 {
        let seen = self.difference(a, b).abs() - self.slack;
        let below = self.ranges.partition_point(|range| *range < seen);
        (self.ranges.len() - below + 1) as f64 / (self.ranges.len() + 1) as f64
    }

    /// The least p these shuffles can give.
    pub fn smallest_p(&self) -> f64 {
        1.0 / (self.ranges.len() + 1) as f64
    }

    /// The least difference of means for which p is at most `alpha`; `None` where no difference would do.
    pub fn critical_difference(&self, alpha: f64) -> Option<f64> {
        let draws = self.ranges.len();
        // At most this many shuffles may reach it. A hair more, for 0.05 times 10001 may be a hair less than it is.
        let allowed = (alpha * (draws + 1) as f64 + 1e-9).floor() - 1.0;
        if allowed < 0.0 {
            return None;
        }
        if allowed >= draws as f64 {
            return Some(0.0);
        }
        Some(self.ranges[draws - 1 - allowed as usize] + 2.0 * self.slack)
    }
}

fn range(sums: &[f64]) -> f64 {
    let (least, most) =
        sums.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), &sum| (least.min(sum), most.max(sum)));
    most - least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::{Alternative, sign_flip};

    fn scores(systems: usize, topics: usize, step: f64) -> Vec<Vec<f64>> {
        let mut stream = Seed(6).stream("scores", (systems * topics) as u64);
        let difficulty: Vec<f64> = (0..topics).map(|_| stream.unit()).collect();
        (0..systems)
            .map(|system| {
                difficulty
                    .iter()
                    .map(|base| ((base + stream.unit()) / 2.0 * 10.0).round() / 10.0 + step * system as f64)
                    .collect()
            })
            .collect()
    }

    /// Every arrangement of every topic's scores, one by one.
    fn all_arrangements(table: &TwoWay, seen: f64) -> f64 {
        let arrangements = |row: &[f64]| {
            let mut all = vec![vec![]];
            for &score in row {
                all = all
                    .iter()
                    .flat_map(|done: &Vec<f64>| {
                        (0..=done.len()).map(move |at| [&done[..at], &[score], &done[at..]].concat())
                    })
                    .collect();
            }
            all
        };
        let mut sums = vec![vec![0.0; table.systems()]];
        for row in table.by_topic() {
            let ways = arrangements(row);
            sums = sums
                .iter()
                .flat_map(|sum| ways.iter().map(|way| sum.iter().zip(way).map(|(a, b)| a + b).collect()))
                .collect();
        }
        let topics = table.topics() as f64;
        sums.iter().filter(|sums| range(sums) / topics >= seen - 1e-9).count() as f64 / sums.len() as f64
    }

    #[test]
    fn agrees_with_all_arrangements() {
        // 3 systems on 5 topics: 6^5 = 7776 arrangements; 4 on 3: 24³ = 13 824. 40 000 shuffles: 5 sd of a share are at most 0.0125.
        for (systems, topics) in [(3, 5), (4, 3)] {
            let table = TwoWay::new(&scores(systems, topics, 0.1)).unwrap();
            let tukey = RandomisedTukey::new(&table, 40_000, Seed(1), 1).unwrap();
            for a in 0..systems {
                for b in 0..a {
                    let exact = all_arrangements(&table, tukey.difference(a, b).abs());
                    assert!((tukey.p(a, b) - exact).abs() < 0.0125, "{a} {b}: {} {exact}", tukey.p(a, b));
                    assert_eq!(tukey.p(a, b), tukey.p(b, a));
                }
            }
        }
    }

    #[test]
    fn the_example_of_the_page() {
        // 100 000 shuffles: 5 sd of 1/6 or 5/6 are 0.0059.
        let table = TwoWay::new(&[[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]).unwrap();
        let tukey = RandomisedTukey::new(&table, 100_000, Seed(1), 1).unwrap();
        assert!((tukey.p(0, 2) - 1.0 / 6.0).abs() < 0.0059 && (tukey.p(0, 1) - 5.0 / 6.0).abs() < 0.0059);
    }

    #[test]
    fn two_systems_make_the_sign_flip_test() {
        let systems = scores(2, 12, 0.05);
        let differences: Vec<f64> = systems[0].iter().zip(&systems[1]).map(|(a, b)| a - b).collect();
        let exact = sign_flip::exact(&differences, differences.iter().sum(), Alternative::TwoSided);
        let tukey = RandomisedTukey::new(&TwoWay::new(&systems).unwrap(), 40_000, Seed(2), 1).unwrap();
        assert!((tukey.p(0, 1) - exact).abs() < 0.0125, "{} {exact}", tukey.p(0, 1));
    }

    /// The test as it is written in the literature, with arrays copied and another generator: nothing shared with the code above.
    fn slow(systems: &[Vec<f64>], draws: u32, a: usize, b: usize) -> f64 {
        let (m, n) = (systems.len(), systems[0].len());
        let mean = |scores: &[f64]| scores.iter().sum::<f64>() / n as f64;
        let seen = (mean(&systems[a]) - mean(&systems[b])).abs();
        let mut state = 12345u64;
        let mut next = |below: usize| {
            // A linear congruential generator (Knuth's MMIX), high bits.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) as usize) % below
        };
        let mut count = 0;
        for _ in 0..draws {
            let mut shuffled = vec![vec![0.0; n]; m];
            for topic in 0..n {
                let mut left: Vec<usize> = (0..m).collect();
                for system in &mut shuffled {
                    system[topic] = systems[left.remove(next(left.len()))][topic];
                }
            }
            let means: Vec<f64> = shuffled.iter().map(|scores| mean(scores)).collect();
            let largest = means.iter().flat_map(|x| means.iter().map(move |y| x - y)).fold(0.0f64, f64::max);
            count += u32::from(largest >= seen - 1e-9);
        }
        f64::from(count + 1) / f64::from(draws + 1)
    }

    #[test]
    fn agrees_with_an_independent_slow_implementation_and_itself_on_threads() {
        // 20 000 draws each: sd of the difference of two shares at most √(2/4/20000) = 0.005; 5 sd = 0.025.
        let systems = scores(7, 20, 0.03);
        let table = TwoWay::new(&systems).unwrap();
        let tukey = RandomisedTukey::new(&table, 20_000, Seed(3), 1).unwrap();
        for (a, b) in [(0, 6), (0, 3), (2, 5), (0, 1)] {
            let slow = slow(&systems, 20_000, a, b);
            assert!((tukey.p(a, b) - slow).abs() < 0.025, "{a} {b}: {} {slow}", tukey.p(a, b));
        }
        let threads = RandomisedTukey::new(&table, 20_000, Seed(3), 3).unwrap();
        assert_eq!(tukey.ranges, threads.ranges);
    }

    #[test]
    fn the_order_of_the_systems_does_not_matter() {
        let table = scores(4, 12, 0.1);
        let turned: Vec<Vec<f64>> = table.iter().rev().cloned().collect();
        let tukey = |table: &[Vec<f64>]| RandomisedTukey::new(&TwoWay::new(table).unwrap(), 999, Seed(1), 1).unwrap();
        let (given, turned) = (tukey(&table), tukey(&turned));
        assert_eq!(given.ranges, turned.ranges);
        for (a, b) in [(0, 1), (0, 3), (1, 2)] {
            assert_eq!(given.p(a, b), turned.p(3 - a, 3 - b));
        }
    }

    #[test]
    fn the_critical_difference_is_where_p_crosses() {
        let table = TwoWay::new(&scores(5, 15, 0.02)).unwrap();
        let tukey = RandomisedTukey::new(&table, 999, Seed(3), 1).unwrap();
        let critical = tukey.critical_difference(0.05).unwrap();
        let p =
            |seen: f64| (tukey.ranges.iter().filter(|range| **range >= seen - tukey.slack).count() + 1) as f64 / 1000.0;
        assert!(p(critical) <= 0.05 && p(critical - 3.0 * tukey.slack) > 0.05, "{}", p(critical));
        // 999 shuffles give no p of 0.0005; every difference has a p of at most 1.
        assert_eq!((tukey.critical_difference(0.0005), tukey.critical_difference(1.0)), (None, Some(0.0)));
        assert_eq!(tukey.smallest_p(), 0.001);
    }

    #[test]
    fn reasons_instead_of_nan() {
        let same = TwoWay::new(&[[0.1, 0.5], [0.1, 0.5]]).unwrap();
        assert_eq!(RandomisedTukey::new(&same, 10, Seed(1), 1).unwrap_err(), NoTest::AllZero);
        let other = TwoWay::new(&[[0.1, 0.5], [0.2, 0.5]]).unwrap();
        assert_eq!(RandomisedTukey::new(&other, 0, Seed(1), 1).unwrap_err(), NoTest::NoDraws);
        // Both shuffles of the one topic that differs give the difference seen.
        assert_eq!(RandomisedTukey::new(&other, 10, Seed(1), 1).unwrap().p(0, 1), 1.0);
    }
}
