//! Simultaneous limits of mean differences that are known only within bounds, topic by topic.
//!
//! The one decision: the true mean of a pair lies between the mean of its lowest and that of its highest differences, so a lower limit of the
//! one and an upper limit of the other hold it, whatever the true differences are. Both families of limits are made under the same signs of
//! topics and fail together with probability alpha at most. Where bounds meet they are the intervals of [`super::MaxT`].

use karat_runtime::jobs;

use super::critical_t;
use crate::Sample;
use crate::seed::Seed;
use crate::test::SAME;
use crate::test::sign_flip::drawn_sums;

/// Draws that share a stream: the unit of work of a thread.
const PIECE: u32 = 1024;

/// The least and the greatest difference of a pair, topic by topic.
#[derive(Clone, Debug, Default)]
pub struct Bounded {
    /// The least differences.
    pub low: Vec<f64>,
    /// The greatest, of as many topics.
    pub high: Vec<f64>,
}

/// A lower and an upper limit of a mean; `None` where the differences it rests on have no spread.
pub type Limits = (Option<f64>, Option<f64>);

/// One side of a pair's bounds: differences around their mean.
struct Side {
    mean: f64,
    std_error: f64,
    /// Around the mean, so that n Q is 1.
    scaled: Vec<f64>,
}

impl Side {
    /// `None` without spread.
    fn new(values: &[f64]) -> Option<Side> {
        let sample = Sample::new(values).ok()?;
        let (mean, n) = (sample.mean(), values.len() as f64);
        let largest = values.iter().fold(0.0f64, |most, value| most.max(value.abs()));
        let sd = sample.sd().ok().filter(|sd| *sd > largest * SAME)?;
        let root = sd * ((n - 1.0) * n).sqrt();
        Some(Side {
            mean,
            std_error: sd / n.sqrt(),
            scaled: values.iter().map(|value| (value - mean) / root).collect(),
        })
    }
}

/// The limits of all pairs that hold together with probability `1 - alpha`, at least as far out as `least` standard errors. `None` where
/// no number of standard errors is enough, or the pairs have different topics.
///
/// Each choice of signs serves twice, as it is and turned everywhere.
pub fn simultaneous_limits(
    pairs: &[Bounded],
    alpha: f64,
    least: f64,
    signs: u32,
    seed: Seed,
    threads: usize,
) -> Option<Vec<Limits>> {
    let topics = pairs.first()?.low.len();
    if pairs.iter().any(|pair| pair.low.len() != topics || pair.high.len() != topics) {
        return None;
    }
    let sides: Vec<(Option<Side>, Option<Side>)> =
        pairs.iter().map(|pair| (Side::new(&pair.low), Side::new(&pair.high))).collect();
    let mut maxima = draw(&sides, signs, seed, threads);
    maxima.sort_unstable_by(f64::total_cmp);
    let critical = critical_t(&maxima, topics, alpha)?.max(least);
    let limits = |(low, high): &(Option<Side>, Option<Side>)| {
        let low = low.as_ref().map(|side| side.mean - critical * side.std_error);
        (low, high.as_ref().map(|side| side.mean + critical * side.std_error))
    };
    Some(sides.iter().map(limits).collect())
}

/// The largest u of any limit that is passed, draw by draw: a lower one from below, an upper one from above.
fn draw(sides: &[(Option<Side>, Option<Side>)], signs: u32, seed: Seed, threads: usize) -> Vec<f64> {
    let pieces = jobs::pieces(signs, PIECE);
    let streams = seed.streams("max_t limits");
    let by_piece = jobs::in_order(pieces.len(), threads, |piece| {
        let draws = pieces[piece];
        let sums = |side: &Option<Side>| match side {
            Some(side) => drawn_sums(&side.scaled, draws, streams.at(piece as u64)),
            None => vec![0.0; draws as usize],
        };
        let mut largest = vec![(0.0f64, 0.0f64); draws as usize];
        for (low, high) in sides {
            let closed = low.as_ref().zip(high.as_ref()).is_some_and(|(low, high)| low.scaled == high.scaled);
            let low = sums(low);
            let high = if closed { low.clone() } else { sums(high) };
            for (most, (low, high)) in largest.iter_mut().zip(low.iter().zip(&high)) {
                *most = (most.0.max(*low).max(-high), most.1.max(-low).max(*high));
            }
        }
        largest
    });
    by_piece.into_iter().flatten().flat_map(|(as_is, turned)| [as_is, turned]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::MaxT;
    use super::*;
    use crate::two_way::TwoWay;

    /// Least and greatest differences of so many pairs, closed where `open` is 0.
    fn pairs(count: usize, topics: usize, open: f64) -> Vec<Bounded> {
        let mut stream = Seed(12).stream("bounded", topics as u64);
        let mut pair = || {
            let low: Vec<f64> = (0..topics).map(|_| stream.unit()).collect();
            let high = low.iter().map(|low| low + open * stream.unit()).collect();
            Bounded { low, high }
        };
        (0..count).map(|_| pair()).collect()
    }

    /// t of differences around their mean under these signs.
    fn t(values: &[f64], signs: u32) -> f64 {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let sign = |topic: usize| if signs >> topic & 1 == 1 { -1.0 } else { 1.0 };
        let turned: Vec<f64> = values.iter().enumerate().map(|(topic, value)| sign(topic) * (value - mean)).collect();
        let mean = turned.iter().sum::<f64>() / n;
        let variance = turned.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / (n - 1.0);
        mean / (variance / n).sqrt()
    }

    #[test]
    fn limits_by_hand() {
        // The differences of max_t's page, -1.5, -.5, .5, 1.5 around 1.5: of 16 choices of signs one has t = 2√3, its reverse -2√3. With bounds that
        // meet both count, 2 of 16, so that at 10% 2√3 standard errors of 1.291 / 2 are the limit.
        let closed = Bounded { low: vec![0.0, 1.0, 2.0, 3.0], high: vec![0.0, 1.0, 2.0, 3.0] };
        let found = simultaneous_limits(&[closed], 0.1, 0.0, 20_000, Seed(1), 1).unwrap();
        let reach = 12f64.sqrt() * (5.0f64 / 3.0).sqrt() / 2.0;
        let (low, high) = (found[0].0.unwrap(), found[0].1.unwrap());
        assert!((low - (1.5 - reach)).abs() < 1e-5 && (high - (1.5 + reach)).abs() < 1e-5, "{found:?}");
    }

    #[test]
    fn agrees_with_all_signs_counted() {
        for open in [0.0, 0.5, 3.0] {
            let pairs = pairs(4, 9, open);
            let found = simultaneous_limits(&pairs, 0.1, 0.0, 50_000, Seed(1), 1).unwrap();
            let mean = |values: &[f64]| values.iter().sum::<f64>() / 9.0;
            let error = |values: &[f64]| {
                let squares = values.iter().map(|value| (value - mean(values)).powi(2)).sum::<f64>();
                (squares / 8.0 / 9.0).sqrt()
            };
            let critical = (mean(&pairs[2].low) - found[2].0.unwrap()) / error(&pairs[2].low);
            let upper = (found[1].1.unwrap() - mean(&pairs[1].high)) / error(&pairs[1].high);
            assert!((critical - upper).abs() < 1e-9);
            let largest = |signs: u32| {
                pairs.iter().map(|pair| t(&pair.low, signs).max(-t(&pair.high, signs))).fold(0.0f64, f64::max)
            };
            let share = |at: f64| (0..1u32 << 9).filter(|&signs| largest(signs) >= at).count() as f64 / 512.0;
            // 100 000 draws, in pairs: 5 sd of a share of .1 are at most .007.
            assert!(share(critical * 1.001) < 0.107 && share(critical * 0.999) > 0.093, "{open}: {}", share(critical));
        }
    }

    #[test]
    fn where_bounds_meet_limits_are_the_intervals() {
        let mut stream = Seed(3).stream("scores", 0);
        let systems: Vec<Vec<f64>> = (0..5).map(|_| (0..30).map(|_| stream.unit()).collect()).collect();
        let places: Vec<(usize, usize)> = (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b))).collect();
        let bounded = |&(a, b): &(usize, usize)| {
            let low: Vec<f64> = systems[a].iter().zip(&systems[b]).map(|(a, b)| a - b).collect();
            Bounded { high: low.clone(), low }
        };
        let pairs: Vec<Bounded> = places.iter().map(bounded).collect();
        let test = MaxT::new(&TwoWay::new(&systems).unwrap(), &places, 100_000, Seed(1), 1).unwrap();
        let limits = simultaneous_limits(&pairs, 0.05, 0.0, 50_000, Seed(1), 1).unwrap();
        for (limits, interval) in limits.iter().zip(test.intervals(0.05).unwrap()) {
            let (low, high) = interval.unwrap();
            // The critical value is about 3, its error from 100 000 draws about .01: of a width, one part in 100.
            let near = 0.01 * (high - low);
            assert!((limits.0.unwrap() - low).abs() < near && (limits.1.unwrap() - high).abs() < near);
        }
        assert_eq!(limits, simultaneous_limits(&pairs, 0.05, 0.0, 50_000, Seed(1), 3).unwrap());
        // Never nearer than asked for.
        let far = simultaneous_limits(&pairs, 0.05, 50.0, 1000, Seed(1), 1).unwrap();
        assert!(far.iter().zip(&limits).all(|(far, near)| far.0 < near.0 && far.1 > near.1));
    }

    #[test]
    fn what_has_no_spread_has_no_limit() {
        let mut two = pairs(2, 10, 1.0);
        two[0].low = vec![0.25; 10];
        let found = simultaneous_limits(&two, 0.05, 0.0, 1000, Seed(1), 1).unwrap();
        assert!(found[0].0.is_none() && found[0].1.is_some() && found[1].0.is_some());
        two[1].low.pop();
        assert!(simultaneous_limits(&two, 0.05, 0.0, 1000, Seed(1), 1).is_none());
        assert!(simultaneous_limits(&[], 0.05, 0.0, 1000, Seed(1), 1).is_none());
    }
}
