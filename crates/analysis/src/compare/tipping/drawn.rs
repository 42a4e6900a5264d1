//! The expected lead by draws, for measures without a closed form.
//!
//! The one decision: a document is relevant in a draw where its random number is below q, the same number for every q, so that the curve over q is smooth.

use karat_data::{Grade, Judgement, TopicFacts, TopicView};
use karat_measures::Measure;
use karat_stats::seed::Streams;

use super::expectation::{Adverse, largest};

/// Draws per topic.
const DRAWS: u64 = 32;

/// One topic: both views, the leader's first, and the adverse documents.
pub(super) struct Drawn<'t> {
    pub measure: &'t dyn Measure,
    pub views: [TopicView<'t>; 2],
    pub adverse: &'t [Adverse],
    pub streams: Streams,
}

impl Drawn<'_> {
    /// The mean change of the lead at every q of the grid; `None` where the measure has no value on some draw.
    pub fn changes(&self, grid: &[f64]) -> Option<Vec<f64>> {
        let relevant = largest(&self.views[0].collection)?;
        let now = self.lead(&[], relevant)?;
        let mut sums = vec![0.0; grid.len()];
        for draw in 0..DRAWS {
            let mut stream = self.streams.at(draw);
            let mut order: Vec<(f64, usize)> = (0..self.adverse.len()).map(|place| (stream.unit(), place)).collect();
            order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            let chosen: Vec<usize> = order.iter().map(|(_, place)| *place).collect();
            let (mut last, mut change) = (0, 0.0);
            for (sum, q) in sums.iter_mut().zip(grid) {
                let count = order.partition_point(|(unit, _)| unit < q);
                if count != last {
                    change = self.lead(&chosen[..count], relevant)? - now;
                    last = count;
                }
                *sum += change;
            }
        }
        Some(sums.into_iter().map(|sum| sum / DRAWS as f64).collect())
    }

    /// The lead with these documents relevant.
    fn lead(&self, chosen: &[usize], relevant: Judgement) -> Option<f64> {
        let grades = with_more(self.views[0].facts.grades, relevant, chosen.len() as u32);
        let value = |view: &TopicView<'_>, rank: &dyn Fn(&Adverse) -> Option<usize>| {
            let mut ranks = view.ranks.to_vec();
            for &place in chosen {
                if let Some(judgement) = rank(&self.adverse[place]).and_then(|rank| ranks.get_mut(rank - 1)) {
                    *judgement = relevant;
                }
            }
            let facts = TopicFacts { grades: &grades, ..view.facts };
            self.measure.value(&TopicView { ranks: &ranks, facts, ..*view }).ok().filter(|value| value.is_finite())
        };
        let [leader, other] = &self.views;
        Some(value(leader, &|document| document.1)? - value(other, &|document| document.0)?)
    }
}

/// The counts of grades with so many more documents of one grade.
fn with_more(grades: &[(Grade, u32)], judgement: Judgement, count: u32) -> Vec<(Grade, u32)> {
    let mut grades = grades.to_vec();
    let Some(grade) = judgement.grade().and_then(Grade::new) else { return grades };
    match grades.iter_mut().find(|(known, _)| *known == grade) {
        Some((_, known)) => *known += count,
        None => {
            grades.push((grade, count));
            grades.sort_by(|a, b| a.0.value().total_cmp(&b.0.value()));
        }
    }
    grades
}
