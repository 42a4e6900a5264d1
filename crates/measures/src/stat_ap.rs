//! statAP: AP estimated from judgements with the probabilities their documents were chosen with.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::average_precision;
use crate::info::{Behaviour, Citation, Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::sampled::chosen::{Chosen, by_chance, chosen};
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, RELEVANCE};

const NOTHING_RELEVANT: &str = "no judged document is relevant";

/// Documents of a sample of fixed size are not chosen independently, and one drawn by the weights of a measure knows too little of R.
const FIXED_SIZE: Undefined = Undefined {
    reason: "biased on samples of karat sample: use htP, htRBP or htDCG; for AP, --design strata and xinfAP",
};

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "statAP",
    aliases: &["statMAP"],
    summary: "AP estimated from judged documents with weight 1/probability.",
    formula: "statAP = (1/R) * sum over judged relevant documents r at rank i_r of (1/p_r) * (1/i_r) * (1 + sum over judged \
              relevant documents q above r of 1/p_q), R = sum over judged relevant documents of 1/p; p the probability of \
              having been chosen to be judged (1 for methods 0 and 2 of prels, which chose without chance)",
    reading: "Read like AP. With every probability 1 it is AP. The standard error of a topic describes other samples \
              with the same probabilities (delta method, documents chosen independently). There is none if fewer than \
              two relevant documents were chosen.",
    misleads: "One relevant document chosen with a small probability can dominate a topic; the value may exceed 1. \
               Documents that were not chosen need no line, but every document that may be relevant must have had a \
               positive probability. Refused for samples of `karat sample` (methods from 11 on), which draws a fixed number of \
               documents: by the weights of top ranks it knows too little of R, so on shallow pools statAP was 11 to 16% too high at \
               rates of 10 and 20%, and its intervals covered 11 to 12%. There htP, htRBP and htDCG are unbiased; for AP draw strata and \
               use xinfAP. In samples of TREC-COVID with independent documents it was 3% above AP at the \
               smallest rate and within 1% at the others; 95% intervals covered the true mean of 30 topics in 89 to \
               93% of samples, and the true value of a single topic in 76 to 87%. Topics without a relevant document \
               are excluded, as in the program of the Million Query track.",
    citation: Citation {
        text: "Aslam and Pavlu (2007), A practical sampling strategy for efficient retrieval evaluation, Northeastern \
               University.",
        bibtex: "@techreport{aslam2007, author={Javed A. Aslam and Virgil Pavlu}, title={A practical sampling strategy for \
                 efficient retrieval evaluation}, institution={Northeastern University}, year={2007}}",
    },
    parameters: &[RELEVANCE],
    range: (0.0, f64::INFINITY),
    needs: JudgementKind::Probabilities,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Estimator,
    when_empty: WhenEmpty {
        nothing_judged: Behaviour::Undefined(NOTHING_RELEVANT),
        nothing_relevant: Behaviour::Undefined(NOTHING_RELEVANT),
        nothing_retrieved: Behaviour::Value(0.0),
    },
    examples: &[Example::new(
        "statAP",
        "1a 0a0.5 1a0.5 - 1a0.25",
        "1a",
        (1.0 + 4.0 / 3.0 + 16.0 / 5.0) / 8.0,
        "R = 1 + 2 + 4 + 1 = 8. Rank 1: 1 * 1/1 * 1; rank 3: 2 * 1/3 * (1 + 1) = 4/3; rank 5: 4 * 1/5 * (1 + 1 + 2) = 16/5",
    )
    .marked(JudgementKind::Probabilities)],
    build: |spec| Ok(Box::new(StatAp { level: spec.level()? })),
};

#[derive(Debug, Clone, Copy)]
struct StatAp {
    level: f64,
}

impl Measure for StatAp {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(&INFO).with_level(self.level)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let full = average_precision::score(view, None, self.level);
        Ok(Score::within(self.value(view)?, full.low, full.high))
    }

    fn value(&self, view: &TopicView<'_>) -> Result<f64, Undefined> {
        let relevant = self.relevant(view)?;
        let total: f64 = relevant.iter().map(|document| document.weight()).sum();
        if total <= 0.0 {
            return Err(Undefined { reason: NOTHING_RELEVANT });
        }
        let (mut above, mut sum) = (0.0, 0.0);
        for (document, rank) in listed(&relevant) {
            sum += document.weight() * (1.0 + above) / rank;
            above += document.weight();
        }
        Ok(sum / total)
    }

    /// The delta method: the estimate's slope in a document's weight w = 1/p,
    ///
    /// > (1/R) * (its precision + sum over relevant documents below it of w/rank - statAP),
    ///
    /// makes its part of the variance as if documents were chosen independently. From a single relevant document it is
    /// not known: whatever its probability, the estimate is then the one's own precision and the slope 0.
    fn sampling_variance(&self, view: &TopicView<'_>) -> Option<f64> {
        let value = self.value(view).ok()?;
        let relevant = self.relevant(view).ok()?;
        if relevant.len() < 2 && by_chance(&chosen(view).ok()?) {
            return None;
        }
        let total: f64 = relevant.iter().map(|document| document.weight()).sum();
        let mut below: f64 = listed(&relevant).map(|(document, rank)| document.weight() / rank).sum();
        let (mut above, mut variance) = (0.0, 0.0);
        for document in &relevant {
            let gained = document.rank.map_or(0.0, |rank| {
                below -= document.weight() / rank as f64;
                let precision = (1.0 + above) / rank as f64;
                above += document.weight();
                precision + below
            });
            variance += document.variance((gained - value) / total);
        }
        variance.is_finite().then_some(variance)
    }
}

impl StatAp {
    /// The judged relevant documents: those of the list by rank, then the others.
    fn relevant(&self, view: &TopicView<'_>) -> Result<Vec<Chosen>, Undefined> {
        let mut documents = chosen(view)?;
        if documents.iter().any(|document| document.fixed_size.is_some() && document.probability < 1.0) {
            return Err(FIXED_SIZE);
        }
        documents.retain(|document| document.grade >= self.level);
        Ok(documents)
    }
}

fn listed(documents: &[Chosen]) -> impl Iterator<Item = (&Chosen, f64)> + '_ {
    documents.iter().filter_map(|document| Some((document, document.rank? as f64)))
}

#[cfg(test)]
mod tests {
    use karat_data::CollectionFacts;

    use super::*;
    use crate::example::Owned;

    #[test]
    fn the_variance_by_hand() {
        // Ranking r(p=1) r(p=1/2): R = 3; statAP = (1 + 2 * (1/2) * 2)/3 = 1. Slope of the second: precision 2/2 = 1,
        // nothing below, - 1: 0. So no variance. With r(p=1/2) missed instead: R = 3, statAP = 1/3; slope of the missed
        // one -(1/3)/3 = -1/9; (1 - 1/2) * 4 / 81 = 2/81. Certain documents add nothing.
        let measure = StatAp { level: 1.0 };
        let variance = |ranking: &str, missed: &str| {
            let kind = JudgementKind::Probabilities;
            let topic = Owned::parse_marked(kind, ranking, missed, CollectionFacts::default()).unwrap();
            measure.sampling_variance(&topic.view())
        };
        let near = |found: Option<f64>, expected: f64| found.is_some_and(|found| (found - expected).abs() < 1e-15);
        assert!(near(variance("1a 1a0.5", ""), 0.0));
        assert!(near(variance("1a", "1a0.5"), 2.0 / 81.0));
        // The first uncertain: ranking r(p=1/2) r(p=1): R = 3, statAP = (2 + (1/2)(1 + 2))/3 = 7/6. Its slope: precision
        // 1, below it 1/2: (3/2 - 7/6)/3 = 1/9; (1/2) * 4 / 81 = 2/81.
        assert!(near(variance("1a0.5 1a", ""), 2.0 / 81.0));
        // One relevant document tells of no spread, whether it or only another was chosen by chance.
        assert_eq!(variance("0a 1a0.1", ""), None);
        assert_eq!(variance("1a", "0a0.5"), None);
        // Nothing was left to chance.
        assert_eq!(variance("0a 1a", "0a"), Some(0.0));
    }
}
