//! The randomisation test of paired differences: under "no difference" each topic's difference could as well have had the
//! other sign.
//!
//! The one decision: nothing is drawn where all 2ᵏ signs of k differences that are not 0 can be counted. To 30 of them that is
//! cheap, for the sums of either half of them, merged in order, are 2ᵏᐟ² each, and pairs beyond the observed sum are counted by two pointers
//! (Horowitz and Sahni 1974). Above, signs are drawn 64 a word, and the sums of eight differences under all their
//! signs are tabled, so that one draw costs n/8 additions.

use super::{Alternative, Calculation, Example, NoTest, Of, Outcome, SAME, Settings, TestInfo};
use crate::sample::Sample;
use crate::seed::{Seed, Stream};
use karat_runtime::jobs;

/// Most differences that are not 0 for which all signs are counted.
pub const EXACT_TO: usize = 30;

/// Draws that share a stream and the tables of a strip: the unit of work of a thread.
const PIECE: u32 = 4096;

/// The name of the streams of signs.
const STREAMS: &str = "sign_flip";

pub(super) const ROW: TestInfo = TestInfo {
    name: "randomization",
    title: "randomisation test (sign flip)",
    statistic: "mean difference",
    formula: "p = share of the 2^n choices of signs for which |sum of (+/-) d| >= |sum of d|; by B random choices p = (count + 1) / \
              (B + 1)",
    reading: "Assumes no distribution: if the systems are equal, each difference could have the other sign as well. \
              Ties count as extreme. Topics with difference 0 change nothing. With up to 30 differing topics all signs \
              are enumerated; with more they are sampled.",
    misleads: "With k differing topics, p cannot be below 2^(1 - k): with 5 it never reaches .05. It assumes that \
               differences are symmetric around 0 if the systems are equal.",
    citation: "Fisher (1935), The Design of Experiments, section 21; Smucker, Allan and Carterette (2007), A comparison of \
               statistical significance tests for information retrieval evaluation, CIKM",
    of: Of::Differences(run),
    example: Example {
        differences: &[1.0, 2.0, 3.0, -1.0],
        second: &[],
        statistic: 1.25,
        p: 0.375,
        within: 1e-12,
        derivation: "sum 5 of at most 7; of the 16 choices of signs, 7 once, 5 twice (either 1 turned), and the same below: 6 / 16",
    },
};

fn run(differences: &Sample<'_>, alternative: Alternative, settings: &Settings) -> Result<Outcome, NoTest> {
    let values = differences.values();
    let sum: f64 = differences.mean() * values.len() as f64;
    let used = sizes(values).count();
    if used <= EXACT_TO {
        let p = exact(values, sum, alternative);
        // The outcome furthest out is one choice of signs; two-sided its mirror image counts too.
        let sides = if alternative == Alternative::TwoSided { 2.0 } else { 1.0 };
        let smallest_p = Some(sides / 2f64.powi(used as i32));
        let calculation = Calculation::Exact;
        return Ok(Outcome { statistic: differences.mean(), p, smallest_p, calculation, used, posterior: None });
    }
    if settings.permutations == 0 {
        return Err(NoTest::NoDraws);
    }
    let extreme = drawn(values, sum, alternative, settings.permutations, settings.seed, settings.threads);
    Ok(Outcome::drawn(differences.mean(), used, settings.permutations, extreme))
}

/// The sizes of differences that are not 0, nor 0 but for the rounding of the scores.
fn sizes(values: &[f64]) -> impl Iterator<Item = f64> {
    let largest = values.iter().fold(0.0f64, |most, d| most.max(d.abs()));
    values.iter().map(|d| d.abs()).filter(move |&size| size > SAME * largest)
}

/// How far sums may differ and still be ties.
fn slack(values: &[f64]) -> f64 {
    SAME * values.iter().map(|d| d.abs()).sum::<f64>()
}

/// The share of all choices of signs at least as extreme as `sum`, for at most [`EXACT_TO`] values that are not 0.
pub fn exact(values: &[f64], sum: f64, alternative: Alternative) -> f64 {
    let sizes: Vec<f64> = sizes(values).collect();
    let (first, second) = sizes.split_at(sizes.len() / 2);
    let (first, second) = (signed_sums(first), signed_sums(second));
    let slack = slack(values);
    // Signs turned everywhere mirror the sums, so "at most x" is as frequent as "at least −x".
    let at_least = |bound: f64| {
        let (mut count, mut partners) = (0u64, second.len());
        for low in &first {
            while partners > 0 && low + second[partners - 1] >= bound {
                partners -= 1;
            }
            count += (second.len() - partners) as u64;
        }
        count as f64 / (first.len() as f64 * second.len() as f64)
    };
    match alternative {
        Alternative::TwoSided if sum.abs() <= slack => 1.0,
        Alternative::TwoSided => (2.0 * at_least(sum.abs() - slack)).min(1.0),
        Alternative::Greater => at_least(sum - slack),
        Alternative::Less => at_least(-sum - slack),
    }
}

/// The sums of these sizes under all their signs, in ascending order: each size merges the list with itself, shifted.
fn signed_sums(sizes: &[f64]) -> Vec<f64> {
    let mut sums = vec![-sizes.iter().sum::<f64>()];
    for size in sizes {
        let (mut merged, mut behind) = (Vec::with_capacity(2 * sums.len()), 0);
        let shift = 2.0 * size;
        for &sum in &sums {
            while sums[behind] + shift < sum {
                merged.push(sums[behind] + shift);
                behind += 1;
            }
            merged.push(sum);
        }
        merged.extend(sums[behind..].iter().map(|sum| sum + shift));
        sums = merged;
    }
    sums
}

/// The two-sided test of many pairs of systems with scores on the same topics; the same numbers as pair by pair.
///
/// All pairs are tested under the same random signs. The signed sum of a difference is the difference of two signed sums, so that the signs
/// are applied once per system, and a pair costs one subtraction a draw.
pub(super) fn run_pairs(
    systems: &[Vec<f64>],
    pairs: &[(usize, usize)],
    settings: &Settings,
) -> Vec<Result<Outcome, NoTest>> {
    let topics = systems.first().map_or(0, Vec::len);
    let absolute: Vec<f64> = systems.iter().map(|scores| scores.iter().map(|score| score.abs()).sum()).collect();
    let mut family = Vec::new();
    let mut outcomes: Vec<Result<Outcome, NoTest>> = Vec::with_capacity(pairs.len());
    for &(a, b) in pairs {
        let values: Vec<f64> = systems[a].iter().zip(&systems[b]).map(|(a, b)| a - b).collect();
        let outcome = Sample::new(&values).map_err(|_| NoTest::TooFew { have: topics, need: super::FEWEST });
        let outcome = outcome.and_then(|sample| {
            super::check(&sample)?;
            let is_drawn = sizes(&values).count() > EXACT_TO && settings.permutations > 0;
            // Differences that are tiny compared with the scores would lose their ties to the rounding of the systems' sums.
            let rounding = topics as f64 * f64::EPSILON * (absolute[a] + absolute[b]);
            if !is_drawn || 2.0 * rounding > slack(&values) {
                return run(&sample, Alternative::TwoSided, settings);
            }
            let sum = sample.mean() * topics as f64;
            family.push(Drawn { place: outcomes.len(), pair: (a, b), above: sum.abs() - slack(&values) });
            // The count of extreme draws follows.
            Ok(Outcome::drawn(sample.mean(), sizes(&values).count(), settings.permutations, 0))
        });
        outcomes.push(outcome);
    }
    let extreme = drawn_pairs(systems, &family, settings);
    for (drawn, extreme) in family.iter().zip(extreme) {
        if let Ok(outcome) = &mut outcomes[drawn.place] {
            *outcome = Outcome::drawn(outcome.statistic, outcome.used, settings.permutations, extreme);
        }
    }
    outcomes
}

/// A pair whose signs are drawn: its place among all pairs, and the sum from which on a draw is extreme.
struct Drawn {
    place: usize,
    pair: (usize, usize),
    above: f64,
}

/// How many draws are extreme, pair by pair.
fn drawn_pairs(systems: &[Vec<f64>], family: &[Drawn], settings: &Settings) -> Vec<u32> {
    if family.is_empty() {
        return Vec::new();
    }
    let pieces = jobs::pieces(settings.permutations, PIECE);
    let streams = settings.seed.streams(STREAMS);
    let by_piece = jobs::in_order(pieces.len(), settings.threads, |piece| {
        let sums: Vec<Vec<f64>> =
            systems.iter().map(|scores| drawn_sums(scores, pieces[piece], streams.at(piece as u64))).collect();
        let mut extreme = vec![0u32; family.len()];
        // A few draws at a time, so that the sums of all systems stay in the cache while the pairs pass.
        for start in (0..pieces[piece] as usize).step_by(AT_ONCE) {
            let end = (start + AT_ONCE).min(pieces[piece] as usize);
            for (count, drawn) in extreme.iter_mut().zip(family) {
                let (a, b) = (&sums[drawn.pair.0][start..end], &sums[drawn.pair.1][start..end]);
                *count += a.iter().zip(b).map(|(a, b)| u32::from((a - b).abs() >= drawn.above)).sum::<u32>();
            }
        }
        extreme
    });
    let mut all = vec![0u32; family.len()];
    for piece in by_piece {
        all.iter_mut().zip(piece).for_each(|(all, count)| *all += count);
    }
    all
}

/// Draws of all systems that a core's own cache holds: 128 systems take 256 KiB.
const AT_ONCE: usize = 256;

/// How many of so many random choices of signs are at least as extreme as `sum`. The same for any number of threads.
pub fn drawn(values: &[f64], sum: f64, alternative: Alternative, draws: u32, seed: Seed, threads: usize) -> u32 {
    let slack = slack(values);
    let (above, below) = match alternative {
        Alternative::TwoSided => (sum.abs() - slack, slack - sum.abs()),
        Alternative::Greater => (sum - slack, f64::NEG_INFINITY),
        Alternative::Less => (f64::INFINITY, sum + slack),
    };
    let pieces = jobs::pieces(draws, PIECE);
    let streams = seed.streams(STREAMS);
    let counts = jobs::in_order(pieces.len(), threads, |piece| {
        let sums = drawn_sums(values, pieces[piece], streams.at(piece as u64));
        sums.iter().map(|&sum| u32::from(sum >= above || sum <= below)).sum::<u32>()
    });
    counts.iter().sum()
}

/// The sums of one piece of the draws. 64 differences at a time: their eight tables stay in the nearest cache while all draws pass.
pub(crate) fn drawn_sums(values: &[f64], draws: u32, mut stream: Stream) -> Vec<f64> {
    let mut sums = vec![0.0; draws as usize];
    let mut tables = [[0.0; 256]; 8];
    for strip in values.chunks(64) {
        tables.iter_mut().for_each(|table| table.fill(0.0));
        strip.chunks(8).zip(&mut tables).for_each(|(eight, table)| fill(table, eight));
        // Tables that are not used hold zeros: with more than half of them used, adding all is quicker than a loop.
        if strip.len() > 32 {
            for sum in &mut sums {
                let signs = stream.signs().to_le_bytes();
                let at = |byte: usize| tables[byte][usize::from(signs[byte])];
                // In pairs, so that an addition need not wait for the one before.
                *sum += ((at(0) + at(1)) + (at(2) + at(3))) + ((at(4) + at(5)) + (at(6) + at(7)));
            }
        } else {
            let used = &tables[..strip.len().div_ceil(8)];
            for sum in &mut sums {
                let signs = stream.signs().to_le_bytes();
                *sum += used.iter().zip(signs).map(|(table, byte)| table[usize::from(byte)]).sum::<f64>();
            }
        }
    }
    sums
}

/// The sums of up to eight differences under all signs; bit i of the index turns difference i.
fn fill(table: &mut [f64; 256], differences: &[f64]) {
    table[0] = differences.iter().sum();
    for (bit, difference) in differences.iter().enumerate() {
        for low in 0..1 << bit {
            table[low | 1 << bit] = table[low] - 2.0 * difference;
        }
    }
    // A short group: bits without a difference change nothing.
    for index in 1 << differences.len()..256 {
        table[index] = table[index & ((1 << differences.len()) - 1)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every choice of signs, one by one.
    fn literal(values: &[f64], alternative: Alternative) -> f64 {
        let sum: f64 = values.iter().sum();
        let near = 1e-9;
        let extreme = (0u32..1 << values.len()).filter(|signs| {
            let flipped: f64 = values.iter().enumerate().map(|(i, d)| if signs >> i & 1 == 1 { -d } else { *d }).sum();
            match alternative {
                Alternative::TwoSided => flipped.abs() >= sum.abs() - near,
                Alternative::Greater => flipped >= sum - near,
                Alternative::Less => flipped <= sum + near,
            }
        });
        extreme.count() as f64 / f64::from(1u32 << values.len())
    }

    fn scores(n: usize, index: u64, steps: u64) -> Vec<f64> {
        let mut stream = Seed(11).stream("scores", index);
        (0..n).map(|_| (stream.below(2 * steps + 1) as f64 - steps as f64) / steps as f64).collect()
    }

    const ALL: [Alternative; 3] = [Alternative::TwoSided, Alternative::Greater, Alternative::Less];

    #[test]
    fn exact_is_the_count_of_all_signs() {
        // Steps of a tenth make many ties and zeros; a million steps make none.
        for (index, steps) in [(0, 10), (1, 10), (2, 3), (3, 1_000_000), (4, 1_000_000)] {
            for n in [1, 2, 5, 11, 14] {
                let values = scores(n, index, steps);
                if values.iter().all(|&d| d == 0.0) {
                    continue;
                }
                for alternative in ALL {
                    let found = exact(&values, values.iter().sum(), alternative);
                    assert_eq!(found, literal(&values, alternative), "{values:?} {alternative:?}");
                }
            }
        }
    }

    #[test]
    fn ties_are_ties_though_their_floats_are_not() {
        // 0.3 − 0.2, 0.2 − 0.1 and 0.1 − 0 are one step each: 2 of 8 choices reach 3 steps, whichever float is largest.
        let values = [0.3 - 0.2, 0.2 - 0.1, 0.1];
        assert_eq!(exact(&values, values.iter().sum(), Alternative::TwoSided), 0.25);
        // One of them turned: 1 step, which every choice of signs reaches.
        let values = [0.3 - 0.2, 0.1 - 0.2, 0.1];
        assert_eq!(exact(&values, values.iter().sum(), Alternative::TwoSided), 1.0);
    }

    #[test]
    fn forty_differences_are_counted() {
        // Forty equal steps: the sum is 40 − 2 turned; P(|sum| >= 20) = 2 P(Binomial(40, ½) <= 10).
        let mut values = [0.1; 40];
        values[..10].fill(-0.1);
        let found = exact(&values, 2.0, Alternative::TwoSided);
        let expected = 2.0 * crate::dist::binomial::cdf(10, 40, 0.5).unwrap();
        assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
    }

    #[test]
    fn drawn_agrees_with_exact_and_not_with_the_number_of_threads() {
        // 20 000 draws: sd of a share at most √(1/4/20000) = 0.0035; 5 sd = 0.018. Lengths about one and several strips.
        for (n, steps) in [(14, 10), (30, 1_000_000), (38, 5)] {
            let values = scores(n, 9, steps);
            let sum: f64 = values.iter().sum();
            for alternative in ALL {
                let one = drawn(&values, sum, alternative, 20_000, Seed(3), 1);
                assert_eq!(one, drawn(&values, sum, alternative, 20_000, Seed(3), 2));
                assert_eq!(one, drawn(&values, sum, alternative, 20_000, Seed(3), 5));
                let share = f64::from(one) / 20_000.0;
                assert!((share - exact(&values, sum, alternative)).abs() < 0.018, "{n} {alternative:?} {share}");
            }
        }
    }

    #[test]
    fn many_pairs_are_tested_as_one_by_one() {
        // 70 topics: two strips; the last system differs from the first on three topics, so that its pair is counted exactly.
        let mut systems: Vec<Vec<f64>> = (0..5).map(|index| scores(70, 20 + index, 10)).collect();
        let mut near = systems[0].clone();
        near[..3].iter_mut().for_each(|score| *score += 0.3);
        // Differences of one size, tiny compared with the scores: nothing but ties.
        let tiny = |(at, score): (usize, &f64)| score + if at % 3 == 0 { -1.3e-8 } else { 1.3e-8 };
        let tiny = systems[0].iter().enumerate().map(tiny).collect();
        systems.extend([near, systems[0].clone(), tiny]);
        let pairs: Vec<(usize, usize)> = (0..8).flat_map(|a| (a + 1..8).map(move |b| (a, b))).collect();
        let settings = Settings { permutations: 9000, seed: Seed(5), threads: 2, ..Settings::default() };
        for (&(a, b), found) in pairs.iter().zip(run_pairs(&systems, &pairs, &settings)) {
            let values: Vec<f64> = systems[a].iter().zip(&systems[b]).map(|(a, b)| a - b).collect();
            let sample = Sample::new(&values).unwrap();
            let alone = super::super::check(&sample).and_then(|()| run(&sample, Alternative::TwoSided, &settings));
            assert_eq!(found, alone, "{a} {b}");
        }
    }

    #[test]
    fn a_draw_is_a_choice_of_signs() {
        // The tables against signs applied one by one to the very words drawn, for whole strips and for remainders.
        for n in [1, 7, 8, 50, 64, 65, 200] {
            let values = scores(n, 5, 1000);
            let found = drawn_sums(&values, 3, Seed(8).stream(STREAMS, 2));
            let mut stream = Seed(8).stream("sign_flip", 2);
            let mut expected = [0.0; 3];
            for strip in values.chunks(64) {
                for sum in &mut expected {
                    let signs = stream.signs();
                    *sum +=
                        strip.iter().enumerate().map(|(i, d)| if signs >> i & 1 == 1 { -d } else { *d }).sum::<f64>();
                }
            }
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{n}");
        }
    }
}
