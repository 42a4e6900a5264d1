//! infP@k: P@k estimated from a stratified sample of the pool.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::citations;
use crate::info::{Behaviour, Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::sampled::strata::{EPSILON, NOTHING_SAMPLED, Sample};
use crate::score::{Score, Undefined};
use crate::spec::{CUTOFF, MeasureSpec, RELEVANCE};
use crate::tally;
use crate::xinf_ap::Above;

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "infP",
    aliases: &["iP"],
    summary: "P@k estimated from a stratified sample of the pool's judgements.",
    formula: "infP@k = (1/k) * sum over strata s of d_s * (rel_s + e) / (jud_s + 3e); d_s, jud_s, rel_s the documents of s among the \
              first k: all, judged, judged relevant; e = 0.00001",
    reading: "Read like P@k: 0.6 at k = 10 estimates that six of the ten are relevant. The standard error of a topic \
              describes other samples of the same size from the same strata (variance of a proportion, stabilised by \
              that of the whole stratum).",
    misleads: "If a stratum has documents among the first k but none of them is judged, a third of them is assumed to \
               be relevant, as in sample_eval.pl. At small k and low sampling rates this can be most of the value. \
               Documents outside the strata are treated as non-relevant. If most documents are relevant, this is too \
               low: in samples of TREC-COVID infP@10 was 11% below P@10 at a rate of 5%, 5% at 20%, 1% at 50%, and 95% \
               intervals covered the true mean of 30 topics in only 37, 67 and 88% of samples. htP has no such bias.",
    citation: citations::YILMAZ_2008,
    parameters: &[CUTOFF, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Strata,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Estimator,
    when_empty: WhenEmpty {
        nothing_judged: Behaviour::Undefined(NOTHING_SAMPLED.reason),
        nothing_relevant: Behaviour::Depends(
            "0 up to e: at most e times the documents of the strata among the first k",
        ),
        nothing_retrieved: Behaviour::Value(0.0),
    },
    examples: &[Example::new(
        "infP@5",
        "a1 b-1 b1 - b0",
        "b-1 a0",
        ((1.0 + EPSILON) / (1.0 + 3.0 * EPSILON) + 3.0 * (1.0 + EPSILON) / (2.0 + 3.0 * EPSILON)) / 5.0,
        "a: one document, judged relevant: (1+e)/(1+3e); b: three, two judged, one relevant: 3(1+e)/(2+3e); by 5",
    )
    .marked(JudgementKind::Strata)],
    build: |spec| Ok(Box::new(InferredPrecision { cutoff: spec.required_cutoff()?, level: spec.level()? })),
};

#[derive(Debug, Clone, Copy)]
struct InferredPrecision {
    cutoff: usize,
    level: f64,
}

impl Measure for InferredPrecision {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(&INFO).with_level(self.level).cutoff(self.cutoff)
    }

    fn counts_missed(&self) -> bool {
        false
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        // What full judgement could give: P@k, from which the smoothing keeps it by at most 2e.
        let ranks = tally::first(view, Some(self.cutoff));
        let share = |count: usize| count as f64 / self.cutoff as f64;
        let low = share(tally::relevant(ranks, self.level)) - 2.0 * EPSILON;
        let high = share(tally::possibly_relevant(view, ranks, self.level)) + 2.0 * EPSILON;
        Ok(Score::within(self.value(view)?, low.max(0.0), high.min(1.0)))
    }

    fn value(&self, view: &TopicView<'_>) -> Result<f64, Undefined> {
        Ok(self.estimate(&Sample::stratified(view, self.cutoff)?))
    }

    /// Few documents of a stratum stand among the first k, fewer are judged, and those are often all alike: their own
    /// scatter would tell of no error. So the share of relevant documents in the whole stratum counts as one more judged
    /// document. With j judged among d and that share q, the variance of the number of relevant ones is
    /// d^2 (1 - j/d) q(1 - q) / j, the textbook's for a share; with none judged it is that of the guess, one third.
    fn sampling_variance(&self, view: &TopicView<'_>) -> Option<f64> {
        let sample = Sample::stratified(view, self.cutoff).ok()?;
        let mut relevant = vec![0.0; sample.strata.len()];
        sample.relevant(self.level).for_each(|graded| relevant[graded.stratum] += graded.count);
        let whole = sample.strata.iter().zip(relevant).map(|(whole, relevant)| (relevant + 0.5) / (whole.judged + 1.0));
        let variance: f64 = self.strata(&sample).iter().zip(whole).map(|(above, share)| above.variance(share)).sum();
        Some(variance / (self.cutoff as f64 * self.cutoff as f64))
    }
}

impl InferredPrecision {
    fn strata(&self, sample: &Sample) -> Vec<Above> {
        let mut strata = vec![Above::default(); sample.strata.len()];
        for listed in &sample.listed {
            strata[listed.stratum].add(listed.grade, listed.grade.is_some_and(|grade| grade >= self.level));
        }
        strata
    }

    fn estimate(&self, sample: &Sample) -> f64 {
        let relevant = self.strata(sample).into_iter().map(|stratum| stratum.relevant(3.0 * EPSILON));
        relevant.sum::<f64>() / self.cutoff as f64
    }
}

#[cfg(test)]
mod tests {
    use karat_data::CollectionFacts;

    use super::*;
    use crate::example::Owned;

    #[test]
    fn the_variance_by_hand() {
        let variance = |ranking: &str, missed: &str| {
            let kind = JudgementKind::Strata;
            let topic = Owned::parse_marked(kind, ranking, missed, CollectionFacts::default()).unwrap();
            let measure = (INFO.build)(&MeasureSpec::new(&INFO).cutoff(8)).unwrap();
            measure.sampling_variance(&topic.view()).unwrap()
        };
        let near = |a: f64, b: f64| (a - b).abs() < 1e-15;
        // d = 6, j = 4, two relevant, the stratum's share (2 + 1/2)/(4 + 1) = 1/2, with it (2 + 1/2)/5 = 1/2:
        // 36 (1 - 4/6) (1/4) / 4 = 3/4; by 8^2.
        assert!(near(variance("a1 a0 a-1 a0 a-1 a1 - -", ""), 0.75 / 64.0));
        // All judged.
        assert!(near(variance("a1 a0", "a-1 a1"), 0.0));
        // d = 2, none judged, the share (1 + 1/2)/(2 + 1) = 1/2: 4 (1/3 - 1/2)^2 + 2 (1/4) = 1/9 + 1/2 = 11/18.
        assert!(near(variance("b-1 - b-1", "b0 b1"), 11.0 / 18.0 / 64.0));
    }
}
