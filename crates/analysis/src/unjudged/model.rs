//! A chance of relevance for every unjudged rank of a list.
//!
//! Most models are a table by rank, whatever made it; the urn looks at the judged ranks of the list as well.

use karat_data::Judgement;
use karat_sim::Posterior;
use karat_stats::dist::normal;
use karat_stats::seed::Stream;

use super::observed::{prefix, relevance};

/// How likely an unjudged document is relevant.
#[derive(Debug, Clone, PartialEq)]
pub enum Model {
    /// By rank, from 1; the last one holds for all deeper ranks.
    Curve(Vec<f64>),
    /// The urn of Park (2016), equation 12, after the judged prefix of the list.
    Urn {
        /// N.
        documents: u32,
        /// q.
        share: f64,
        /// w.
        weight: f64,
    },
}

/// A model on one list.
pub enum OnList<'m> {
    /// By rank.
    Curve(&'m [f64]),
    /// After `prefix` judged ranks.
    Urn {
        /// The urn.
        posterior: Posterior,
        /// Judged ranks it has seen.
        prefix: usize,
        /// Chances of the ranks below them.
        chances: Vec<f64>,
    },
}

impl Model {
    /// The model on a list; `rough` is enough where only differences between models count.
    pub fn on(&self, ranks: &[Judgement], level: f64, rough: bool) -> OnList<'_> {
        match self {
            Model::Curve(curve) => OnList::Curve(curve),
            Model::Urn { documents, share, weight } => {
                let mut seen = prefix(ranks.iter().map(|&judgement| relevance(judgement, level)));
                seen.truncate(*documents as usize);
                match Posterior::new(*documents, *share, *weight, &seen) {
                    Ok(posterior) => {
                        let depth = *documents as usize;
                        let chances = if rough { posterior.rough_chances(depth) } else { posterior.chances(depth) };
                        OnList::Urn { posterior, prefix: seen.len(), chances }
                    }
                    // The fit keeps its numbers inside their range.
                    Err(_) => OnList::Curve(&[]),
                }
            }
        }
    }

    /// The same model moved: by `by` times the distance of `refits` from their mean. With normal numbers of variance
    /// (G - 1) / G for `by` that is a draw from what the jackknife says about the error of the fit. Chances by rank are moved as
    /// they are, so that the mean over draws is the model (but for what would leave 0 to 1), as in the closed form; the urn's
    /// parameters on the scale of logarithms.
    pub fn moved(&self, refits: &[Model], by: &[f64]) -> Model {
        let move_one = |value: f64, others: &mut dyn Iterator<Item = f64>| {
            let others: Vec<f64> = others.collect();
            let mean = others.iter().sum::<f64>() / others.len().max(1) as f64;
            value + others.iter().zip(by).map(|(other, by)| by * (other - mean)).sum::<f64>()
        };
        match self {
            Model::Curve(curve) => {
                let at = |model: &Model, rank: usize| match model {
                    Model::Curve(other) => other.get(rank).copied().unwrap_or(0.5),
                    Model::Urn { share, .. } => *share,
                };
                let moved = curve.iter().enumerate().map(|(rank, &value)| {
                    move_one(value, &mut refits.iter().map(|model| at(model, rank))).clamp(0.0, 1.0)
                });
                Model::Curve(moved.collect())
            }
            Model::Urn { documents, share, weight } => {
                let urns = || {
                    refits.iter().filter_map(|model| match model {
                        Model::Urn { share, weight, .. } => Some((*share, *weight)),
                        Model::Curve(_) => None,
                    })
                };
                let share = move_one(log_odds(*share), &mut urns().map(|(share, _)| log_odds(share)));
                let weight = move_one(libm::log(*weight), &mut urns().map(|(_, weight)| libm::log(weight)));
                Model::Urn {
                    documents: *documents,
                    share: from_log_odds(share.clamp(-20.0, 20.0)),
                    weight: libm::exp(weight.clamp(-20.0, 20.0)),
                }
            }
        }
    }
}

impl OnList<'_> {
    /// The chance of a rank, from 1.
    pub fn at(&self, rank: usize) -> f64 {
        let (table, index) = match self {
            OnList::Curve(curve) => (*curve, rank - 1),
            // A prefix rank that was not seen cannot be asked for: it is judged.
            OnList::Urn { prefix, chances, .. } => (chances.as_slice(), (rank - 1).saturating_sub(*prefix)),
        };
        table.get(index).or(table.last()).copied().unwrap_or(0.0)
    }
}

/// Normal numbers of variance (count - 1) / count.
pub fn normals(count: usize, stream: &mut Stream) -> Vec<f64> {
    let scale = ((count as f64 - 1.0) / count as f64).max(0.0).sqrt();
    let draw = |_| {
        // Never 0, which has no quantile.
        let unit = stream.unit() + 0.5 / (1u64 << 53) as f64;
        normal::quantile(unit.min(1.0 - 1e-16)).unwrap_or(0.0) * scale
    };
    (0..count).map(draw).collect()
}

fn log_odds(share: f64) -> f64 {
    let inside = share.clamp(1e-12, 1.0 - 1e-12);
    libm::log(inside / (1.0 - inside))
}

fn from_log_odds(log_odds: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-log_odds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_goes_on_and_an_urn_remembers() {
        let curve = Model::Curve(vec![0.5, 0.25]);
        let on = curve.on(&[], 1.0, false);
        assert_eq!([1, 2, 3, 99].map(|rank| on.at(rank)), [0.5, 0.25, 0.25, 0.25]);
        // N = 2, q = 1/2, w = 1/2, the first relevant: the second is with 3/7 (derived in karat-sim).
        let urn = Model::Urn { documents: 2, share: 0.5, weight: 0.5 };
        let first = [Judgement::from_number(1.0).unwrap(), Judgement::Unpooled];
        assert!((urn.on(&first, 1.0, false).at(2) - 3.0 / 7.0).abs() < 1e-12);
    }

    #[test]
    fn moved_by_hand() {
        // Refits at .5 and .75 (mean .625): moved by (1, 0) from .5 is .5 - .125; by (9, 0) it would be below 0.
        let model = Model::Curve(vec![0.5]);
        let refits = [Model::Curve(vec![0.5]), Model::Curve(vec![0.75])];
        let moved = |by: &[f64]| if let Model::Curve(moved) = model.moved(&refits, by) { moved[0] } else { f64::NAN };
        assert!((moved(&[1.0, 0.0]) - 0.375).abs() < 1e-12);
        assert_eq!(moved(&[9.0, 0.0]), 0.0);
        // Both alike: the distances from the mean cancel.
        let Model::Curve(still) = model.moved(&refits, &[0.7, 0.7]) else { unreachable!() };
        assert!((still[0] - 0.5).abs() < 1e-12);
    }
}
