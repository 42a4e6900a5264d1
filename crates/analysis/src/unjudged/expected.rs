//! Mean and variance of a measure linear in gain when unjudged documents are relevant with known chances.
//!
//! Park (2016), section 2.1, with a chance for each rank and gains of any grade:
//!
//! ```text
//! E[v] = sum over unjudged i of w_i g_i;   Var(v) = sum over unjudged i of w_i^2 s_i
//! ```
//!
//! with g_i and s_i the mean and variance of the gain at rank i. The urn's ranks are not independent; its variance comes
//! from its own recursion. Ranks below the end of a list count as unjudged ranks of the list (RBP's user could have read on), with the
//! chances the model has for such ranks; a list without any document has no such ranks, and scores what it retrieved: nothing.

use karat_data::TopicView;
use karat_measures::linear::Form;
use karat_stats::dist::bernoulli_sum::Term;

use super::RelevanceModel;
use super::grades::GainMoments;
use super::model::OnList;

/// Tails lighter than this are not taken apart any further: the rest counts as one rank.
const LIGHT: f64 = 1e-9;
/// Nor are tails taken apart below so many ranks.
const MOST_BELOW: usize = 2000;

/// What unjudged documents do to one topic's score.
#[derive(Debug, Clone, PartialEq)]
pub struct Expected {
    /// The expected score.
    pub mean: f64,
    /// Its variance, the model taken as right.
    pub variance: f64,
    /// The expected score under each refit of the model.
    pub refits: Box<[f64]>,
    /// What each unjudged rank adds, where ranks are independent and a gain is something or nothing; the score is `judged`
    /// more than their sum.
    pub terms: Option<Box<[Term]>>,
    /// What the judged ranks have.
    pub judged: f64,
}

/// The expected score of a list. `keep_terms` where the exact distribution will be asked for.
pub fn expected(form: &Form<'_>, view: &TopicView<'_>, relevance_model: &RelevanceModel, keep_terms: bool) -> Expected {
    let depth = form.depth(view.ranks.len());
    let mut judged = 0.0;
    let mut open: Vec<(usize, f64)> = Vec::new();
    for (rank, judgement) in (1..).zip(&view.ranks[..depth]) {
        match judgement.grade() {
            Some(grade) => judged += form.weight(rank) * form.gain.of(grade),
            None => open.push((rank, form.weight(rank))),
        }
    }
    if !view.ranks.is_empty() {
        open_below(form, depth, &mut open);
    }
    let (yes, no) = relevance_model.grades.gains(&|grade| form.gain.of(grade));
    let mean = |on: &OnList<'_>| -> f64 {
        let at = |&(rank, weight): &(usize, f64)| weight * (no.mean + on.at(rank) * (yes.mean - no.mean));
        open.iter().map(at).sum()
    };
    let on = relevance_model.model.on(view.ranks, relevance_model.level, false);
    let refits = relevance_model
        .refits
        .iter()
        .map(|refit| judged + mean(&refit.on(view.ranks, relevance_model.level, true)))
        .collect();
    let variance = variance(&on, &open, yes, no);
    let two_valued = yes.variance == 0.0 && no == GainMoments { mean: 0.0, variance: 0.0 };
    let terms = (keep_terms && two_valued && matches!(on, OnList::Curve(_))).then(|| {
        open.iter()
            .map(|&(rank, weight)| Term::new(weight * yes.mean, on.at(rank)).ok())
            .collect::<Option<Box<[Term]>>>()
    });
    Expected { mean: judged + mean(&on), variance, refits, terms: terms.flatten(), judged }
}

/// The variance of what unjudged ranks add, each with its weight; `yes` and `no` are the gains of documents that are relevant, or are not.
fn variance(on: &OnList<'_>, open: &[(usize, f64)], yes: GainMoments, no: GainMoments) -> f64 {
    match on {
        OnList::Curve(_) => open.iter().map(|&(rank, weight)| weight * weight * spread(on.at(rank), yes, no)).sum(),
        OnList::Urn { posterior, prefix, chances } => {
            let mut weights = vec![0.0; chances.len()];
            let (mut noise, mut beyond) = (0.0, 0.0);
            for &(rank, weight) in open {
                let chance = on.at(rank);
                noise += weight * weight * (chance * yes.variance + (1.0 - chance) * no.variance);
                match rank.checked_sub(prefix + 1).and_then(|index| weights.get_mut(index)) {
                    Some(place) => *place += weight,
                    // Deeper than the urn: as its last rank, by itself.
                    None => beyond += weight * weight * chance * (1.0 - chance),
                }
            }
            let light = weights.iter().rposition(|&weight| weight > 1e-6).map_or(0, |last| last + 1);
            let step = yes.mean - no.mean;
            step * step * (posterior.moments(&weights[..light]).variance + beyond) + noise
        }
    }
}

/// The ranks below the end of a list, one by one while they weigh something, then the rest as one.
fn open_below(form: &Form<'_>, depth: usize, open: &mut Vec<(usize, f64)>) {
    let mut left = form.tail(depth);
    let mut rank = depth + 1;
    let end = form.last().unwrap_or(usize::MAX).min(depth + MOST_BELOW);
    while left > LIGHT && rank <= end {
        let weight = form.weight(rank).min(left);
        open.push((rank, weight));
        left -= weight;
        rank += 1;
    }
    if left > 0.0 && form.last().is_none() {
        open.push((rank, left));
    }
}

/// Variance of the gain at a rank: of what is relevant, of what is not, and between them.
pub(crate) fn spread(chance: f64, yes: GainMoments, no: GainMoments) -> f64 {
    let step = yes.mean - no.mean;
    chance * yes.variance + (1.0 - chance) * no.variance + chance * (1.0 - chance) * step * step
}
