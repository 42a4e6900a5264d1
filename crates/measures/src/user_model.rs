//! User models of the C/W/L kind: how likely a user goes on from each rank, and the gain per document that follows.
//!
//! The one decision behind it: the list is followed to its end, and what lies below, where nothing more is found, is added
//! in closed form. cwl_eval cuts every model at rank 1000 instead; `@1000` does the same.

use karat_data::{Judgement, TopicView};

use crate::info::Citation;
use crate::linear::Gain;
use crate::scale::Scaled;
use crate::score::Score;
use crate::tally;

/// The program most of these models are computed with.
pub const CWL_EVAL: Citation = Citation {
    text: "Azzopardi, Thomas and Moffat (2019), cwl_eval: an evaluation tool for information retrieval, SIGIR.",
    bibtex: "@inproceedings{azzopardi2019, author={Leif Azzopardi and Paul Thomas and Alistair Moffat}, title={cwl\\_eval: \
             an evaluation tool for information retrieval}, booktitle={SIGIR}, pages={1321--1324}, year={2019}}",
};

/// A user who may stop after any rank.
///
/// Of every model here the score rises with the gain of each rank (the proof stands with each), so that the least value over
/// all judgements of the unjudged documents is that of gain 0 and the greatest that of the greatest gain.
pub trait UserModel {
    /// The chance of going on from a rank with this gain, `total` being the gain of all ranks down to it.
    fn goes_on(&self, rank: usize, gain: f64, total: f64) -> f64;

    /// How many documents a user who has come to the rank after `depth` will look at, on average, when nothing more is found.
    fn below(&self, depth: usize, total: f64) -> f64;

    /// The same when every document there has this gain, above 0; `None` where the list is taken as returned.
    fn below_at(&self, depth: usize, total: f64, gain: f64) -> Option<f64>;
}

/// The expected gain per document looked at: sum of V(i) * gain / sum of V(i), V(i) the chance of looking at rank i.
pub fn score(view: &TopicView<'_>, model: &impl UserModel, scaled: Scaled, cutoff: Option<usize>) -> Score {
    let ranks = tally::first(view, cutoff);
    let greatest = scaled.greatest(&view.collection);
    let (mut value, mut best) = (Looked::new(), Looked::new());
    for (index, &judgement) in ranks.iter().enumerate() {
        value.at(model, index + 1, gain_of(judgement, scaled));
        best.at(model, index + 1, if judgement.is_judged() { gain_of(judgement, scaled) } else { greatest });
    }
    if cutoff != Some(ranks.len()) {
        value.below(model.below(ranks.len(), value.total), 0.0);
        match model.below_at(ranks.len(), best.total, greatest).filter(|_| greatest > 0.0) {
            Some(documents) => best.below(documents, greatest),
            None => best.below(model.below(ranks.len(), best.total), 0.0),
        }
    }
    let value = value.gained / value.seen;
    // The two are one number where nothing is open, up to rounding.
    Score::within(value, value, (best.gained / best.seen).clamp(value, 1.0_f64.max(value)))
}

/// A user on the way down the list.
struct Looked {
    /// The chance of looking at the next rank.
    looks: f64,
    /// Documents looked at.
    seen: f64,
    /// Gain of the documents looked at.
    gained: f64,
    /// Gain of all ranks so far.
    total: f64,
}

impl Looked {
    fn new() -> Looked {
        Looked { looks: 1.0, seen: 0.0, gained: 0.0, total: 0.0 }
    }

    #[inline]
    fn at(&mut self, model: &impl UserModel, rank: usize, gain: f64) {
        self.total += gain;
        self.seen += self.looks;
        self.gained += self.looks * gain;
        self.looks *= model.goes_on(rank, gain, self.total);
    }

    /// So many documents of one gain below the list.
    fn below(&mut self, documents: f64, gain: f64) {
        self.seen += self.looks * documents;
        self.gained += self.looks * documents * gain;
    }
}

/// The gain of a retrieved document; nobody knows an unjudged one's, and the value takes it as 0.
#[inline]
pub fn gain_of(judgement: Judgement, scaled: Scaled) -> f64 {
    judgement.grade().map_or(0.0, |grade| scaled.of(grade))
}

/// sum over m from 0 of 1 / (from + m)^2, for `from` above 0: by terms to 16, then Euler and Maclaurin's series, whose
/// first term left out is below 1e-16 there.
pub fn inverse_squares(from: f64) -> f64 {
    let (mut at, mut sum) = (from, 0.0);
    while at < 16.0 {
        sum += 1.0 / (at * at);
        at += 1.0;
    }
    let (one, two) = (1.0 / at, 1.0 / (at * at));
    let series = 1.0 / 6.0 - two * (1.0 / 30.0 - two * (1.0 / 42.0 - two * (1.0 / 30.0 - two * 5.0 / 66.0)));
    sum + one + two / 2.0 + one * two * series
}

/// 1 + 1/2 + ... + 1/n, by terms to 63 and from there by Euler and Maclaurin's series.
pub fn harmonic(n: usize) -> f64 {
    if n < 64 {
        return (1..=n).rev().map(|i| 1.0 / i as f64).sum();
    }
    const EULER: f64 = 0.577_215_664_901_532_9;
    let (n, two) = (n as f64, 1.0 / (n as f64 * n as f64));
    libm::log(n) + EULER + 0.5 / n - two * (1.0 / 12.0 - two * (1.0 / 120.0 - two / 252.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_in_closed_form() {
        let basel = std::f64::consts::PI.powi(2) / 6.0;
        assert!((inverse_squares(1.0) - basel).abs() < 1e-15);
        assert!((inverse_squares(3.0) - (basel - 1.25)).abs() < 1e-15);
        // 40.5 to 1040.5 term by term.
        let terms: f64 = (0..1000).map(|m| 1.0 / (40.5 + f64::from(m)).powi(2)).sum();
        assert!((inverse_squares(40.5) - inverse_squares(1040.5) - terms).abs() < 1e-15);
        assert_eq!(harmonic(0), 0.0);
        let hundred: f64 = (1..=100).map(|i| 1.0 / f64::from(i)).sum();
        assert!((harmonic(100) - hundred).abs() < 1e-14);
        assert!((harmonic(64) - harmonic(63) - 1.0 / 64.0).abs() < 1e-15);
    }
}
