//! From a ranking to what a correction needs: the weight that a linear measure puts on each grade.
//!
//! The one decision: weight on unjudged ranks and below the end of the list is not a label. It stays what it was, a residual.

use karat_data::Judgement;
use karat_measures::linear::Weighting;

/// How a topic's weight falls on grades.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelWeights {
    /// Weight on each grade of the scale.
    pub by_grade: Vec<f64>,
    /// Weight on unjudged ranks and below the list.
    pub residual: f64,
}

/// A grade the scale does not have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OffScale {
    /// The rank, from 1.
    pub rank: usize,
    /// The grade.
    pub grade: f64,
}

impl std::fmt::Display for OffScale {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let OffScale { rank, grade } = self;
        write!(
            f,
            "rank {rank} has grade {grade}; expected a grade of the calibration's scale: calibrate with all grades that occur"
        )
    }
}

impl std::error::Error for OffScale {}

/// The weights of one topic's ranking.
///
/// # Errors
/// A judged document has a grade that the scale does not have.
pub fn label_weights(ranks: &[Judgement], weighting: &impl Weighting, scale: &[f64]) -> Result<LabelWeights, OffScale> {
    let depth = weighting.last().unwrap_or(usize::MAX).min(ranks.len());
    let mut weights = LabelWeights { by_grade: vec![0.0; scale.len()], residual: weighting.tail(depth) };
    for (index, judgement) in ranks[..depth].iter().enumerate() {
        let weight = weighting.weight(index + 1);
        match judgement {
            Judgement::Grade(grade) => {
                let found = scale.iter().position(|&known| known == grade.value());
                let place = found.ok_or(OffScale { rank: index + 1, grade: grade.value() })?;
                weights.by_grade[place] += weight;
            }
            Judgement::PooledUnjudged | Judgement::Unpooled => weights.residual += weight,
        }
    }
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_data::Grade;
    use karat_stats::judge_error::{Calibration, linear};

    /// RBP with p = 1/2.
    struct Half;

    impl Weighting for Half {
        fn weight(&self, rank: usize) -> f64 {
            0.5f64.powi(rank as i32)
        }
        fn tail(&self, depth: usize) -> f64 {
            0.5f64.powi(depth as i32)
        }
        fn last(&self) -> Option<usize> {
            None
        }
    }

    #[test]
    fn rbp_keeps_its_residual() {
        let grade = |value: f64| Judgement::Grade(Grade::new(value).unwrap());
        let ranks = [grade(1.0), Judgement::Unpooled, grade(0.0)];
        // 1/2 on grade 1, 1/8 on grade 0; 1/4 unjudged and 1/8 below the end.
        let found = label_weights(&ranks, &Half, &[0.0, 1.0]).unwrap();
        assert_eq!(found, LabelWeights { by_grade: vec![0.125, 0.5], residual: 0.375 });
        // Corrected with W = .625: (.5 − (1 − m_N) W)/D, m_R = .9, m_N = .8: (.5 − .125)/.7.
        let calibration = Calibration::binary((90, 100), (80, 100)).unwrap();
        let twice = [found.by_grade.clone(), found.by_grade];
        let corrected = linear(&twice, &[0.0, 1.0], &calibration).unwrap();
        assert!((corrected.value - 0.375 / 0.7).abs() < 1e-14 && corrected.possible.1 == 0.625);
        assert_eq!(label_weights(&[grade(2.0)], &Half, &[0.0, 1.0]), Err(OffScale { rank: 1, grade: 2.0 }));
    }
}
