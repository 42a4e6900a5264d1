//! Systems and topics: how much of the spread of scores is whose.
//!
//! The one decision: one score a cell, so the interaction of system and topic cannot be told from error; it is called what it is, the rest.

use crate::dist::f;
use crate::summation::compensated_sum;
use crate::two_way::TwoWay;

/// One source's part of the spread of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Sum of squares.
    pub squares: f64,
    /// Degrees of freedom.
    pub df: f64,
    /// Share of the total sum of squares; 0 where there is no spread at all.
    pub share: f64,
    /// Variance component; an estimate below 0 is given as 0.
    pub variance: f64,
    /// Whether that estimate was below 0.
    pub below_zero: bool,
    /// Mean square over that of the rest; `None` for the rest itself, or where the rest is 0.
    pub f: Option<f64>,
    /// p of that F, if scores were normal.
    pub p: Option<f64>,
}

impl Part {
    fn of_rest(squares: f64, df: f64, share: f64) -> Part {
        Part { squares, df, share, variance: squares / df, below_zero: false, f: None, p: None }
    }

    /// Sum of squares over degrees of freedom.
    pub fn mean_square(&self) -> f64 {
        self.squares / self.df
    }
}

/// The two-way decomposition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decomposition {
    /// Mean of all scores.
    pub mean: f64,
    /// Between systems.
    pub systems: Part,
    /// Between topics.
    pub topics: Part,
    /// System by topic, with all error.
    pub rest: Part,
}

impl Decomposition {
    /// Standard deviation of the rest, the yardstick of [`crate::effect::residual_d`].
    pub fn residual_sd(&self) -> f64 {
        self.rest.mean_square().sqrt()
    }
}

/// Takes the spread of a table apart: score = mean + system + topic + rest.
pub fn decompose(scores: &TwoWay) -> Decomposition {
    let (systems, topics) = (scores.systems() as f64, scores.topics() as f64);
    let (by_system, by_topic) = (scores.system_means(), scores.topic_means());
    let mean = compensated_sum(by_topic.iter().copied()) / topics;
    let squares = |values: &[f64]| compensated_sum(values.iter().map(|value| (value - mean) * (value - mean)));
    let rests = scores
        .by_topic()
        .zip(&by_topic)
        .flat_map(|(row, topic)| row.iter().zip(&by_system).map(move |(score, system)| score - system - topic + mean));
    let size = compensated_sum(scores.by_topic().flatten().map(|score| score * score));
    // Below this a sum of squares is the rounding of the scores.
    let zero = |squares: f64| if squares <= 1e-28 * size { 0.0 } else { squares };
    let of_systems = zero(topics * squares(&by_system));
    let of_topics = zero(systems * squares(&by_topic));
    let of_rest = zero(compensated_sum(rests.map(|rest| rest * rest)));
    let total = of_systems + of_topics + of_rest;
    let rest_df = (systems - 1.0) * (topics - 1.0);
    let rest_square = of_rest / rest_df;
    let share = |squares: f64| if total > 0.0 { squares / total } else { 0.0 };
    let part = |squares: f64, df: f64, repeats: f64| {
        let variance = (squares / df - rest_square) / repeats;
        let ratio = (rest_square > 0.0).then(|| squares / df / rest_square);
        Part {
            squares,
            df,
            share: share(squares),
            variance: variance.max(0.0),
            below_zero: variance < 0.0,
            f: ratio,
            p: ratio.and_then(|ratio| f::sf(ratio, df, rest_df).ok()),
        }
    };
    Decomposition {
        mean,
        systems: part(of_systems, systems - 1.0, topics),
        topics: part(of_topics, topics - 1.0, systems),
        rest: Part::of_rest(of_rest, rest_df, share(of_rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // Topics in rows: (1, 2), (3, 6), (2, 4). System means 2 and 4, topic means 1.5, 4.5, 3, mean 3.
        // Systems: 3 (1 + 1) = 6; topics: 2 (2.25 + 2.25 + 0) = 9; total: 4 + 1 + 0 + 9 + 1 + 1 = 16; rest 1.
        let found = decompose(&TwoWay::new(&[[1.0, 3.0, 2.0], [2.0, 6.0, 4.0]]).unwrap());
        assert_eq!((found.mean, found.systems.squares, found.topics.squares, found.rest.squares), (3.0, 6.0, 9.0, 1.0));
        assert_eq!((found.systems.df, found.topics.df, found.rest.df), (1.0, 2.0, 2.0));
        assert_eq!((found.systems.share, found.topics.share, found.rest.share), (6.0 / 16.0, 9.0 / 16.0, 1.0 / 16.0));
        // Mean squares 6, 4.5, 0.5: F = 12 and 9; components (6 − .5)/3 and (4.5 − .5)/2.
        assert_eq!((found.systems.f, found.topics.f), (Some(12.0), Some(9.0)));
        assert!((found.systems.variance - 5.5 / 3.0).abs() < 1e-15 && (found.topics.variance - 2.0).abs() < 1e-15);
        // F with 1 and 2 degrees of freedom is t² with 2: p = 1 − √(12/14). With 2 and 2: 1 / (1 + 9).
        assert!((found.systems.p.unwrap() - (1.0 - (12f64 / 14.0).sqrt())).abs() < 1e-12);
        assert!((found.topics.p.unwrap() - 0.1).abs() < 1e-12);
        assert!((found.residual_sd() - 0.5f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn two_systems_are_the_paired_t_test() {
        // F of the systems is t² of the differences.
        let (a, b) = ([0.1, 0.5, 0.3, 0.9, 0.2], [0.2, 0.4, 0.6, 1.0, 0.3]);
        let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        let sample = crate::Sample::new(&differences).unwrap();
        let t = sample.mean() / sample.std_error().unwrap();
        let found = decompose(&TwoWay::new(&[a, b]).unwrap());
        assert!((found.systems.f.unwrap() - t * t).abs() < 1e-12);
    }

    #[test]
    fn no_spread_is_zero_and_not_nan() {
        let flat = decompose(&TwoWay::new(&[[0.3, 0.3], [0.3, 0.3]]).unwrap());
        assert_eq!((flat.systems.share, flat.rest.share, flat.systems.f, flat.systems.p), (0.0, 0.0, None, None));
        // Topics alone differ: the rest is 0 and there is no F.
        let topics = decompose(&TwoWay::new(&[[0.1, 0.7], [0.1, 0.7]]).unwrap());
        assert_eq!((topics.topics.share, topics.topics.f), (1.0, None));
        // A component may come out below 0: then it says so. Means of both systems are equal: −0.5/2 of a rest.
        let crossed = decompose(&TwoWay::new(&[[0.0, 1.0], [1.0, 0.0]]).unwrap());
        assert!(crossed.systems.below_zero && crossed.systems.variance == 0.0);
    }
}
