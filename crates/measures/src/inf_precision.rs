//! infP@k: P@k estimated from a stratified sample of the pool.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::citations;
use crate::info::{Behaviour, BoundsKind, Example, MeasureInfo, WhenEmpty};
use crate::measure::Measure;
use crate::sampled::strata::{EPSILON, Sample};
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
    reading: "Read as P@k: 0.6 at k = 10 estimates that six of the ten are relevant. The standard error of a topic speaks of \
              other samples of the same size from the same strata (stratified jackknife).",
    misleads: "A stratum with documents among the first k of which none was judged is taken to be one third relevant, as in \
               sample_eval.pl: at small k and low sampling rates that can be most of the value. Documents outside the \
               strata are taken for non-relevant.",
    citation: citations::YILMAZ_2008,
    parameters: &[CUTOFF, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Strata,
    aggregate: Aggregate::Mean,
    bounds: BoundsKind::Estimator,
    when_empty: WhenEmpty {
        nothing_judged: Behaviour::Value(0.0),
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

    fn sampling_variance(&self, view: &TopicView<'_>) -> Option<f64> {
        let sample = Sample::stratified(view, self.cutoff).ok()?;
        let mut judged = vec![false; sample.strata.len()];
        sample.listed.iter().filter(|listed| listed.grade.is_some()).for_each(|listed| judged[listed.stratum] = true);
        // Where a stratum's share is a guess, no sample tells how far off it is.
        if sample.listed.iter().any(|listed| !judged[listed.stratum]) {
            return None;
        }
        sample.variance(|sample| self.estimate(sample))
    }
}

impl InferredPrecision {
    fn estimate(&self, sample: &Sample) -> f64 {
        let mut strata = vec![Above::default(); sample.strata.len()];
        for listed in &sample.listed {
            strata[listed.stratum].add(listed.grade, listed.grade.is_some_and(|grade| grade >= self.level));
        }
        strata.iter().map(|stratum| stratum.relevant(3.0 * EPSILON)).sum::<f64>() / self.cutoff as f64
    }
}

#[cfg(test)]
mod tests {
    use karat_data::CollectionFacts;

    use super::*;
    use crate::example::Owned;

    /// A stratum that lies in the list whole: N/k times a mean, whose variance is the textbook's, (1 - n/N) s^2 / n.
    #[test]
    fn the_variance_by_hand() {
        // N = 6, n = 4, two relevant: s^2 = 1/3, (1 - 4/6)/3/4 = 1/36; (6/8)^2 of it is 1/64. Up to e.
        let topic =
            Owned::parse_marked(JudgementKind::Strata, "a1 a0 a-1 a0 a-1 a1 - -", "", CollectionFacts::default());
        let spec = MeasureSpec::new(&INFO).cutoff(8);
        let measure = (INFO.build)(&spec).unwrap();
        let topic = topic.unwrap();
        assert!((measure.sampling_variance(&topic.view()).unwrap() - 1.0 / 64.0).abs() < 1e-5);
        // Nothing of b was judged among the first 8.
        let guessed =
            Owned::parse_marked(JudgementKind::Strata, "a1 a0 b-1", "b0 b1 a-1", CollectionFacts::default()).unwrap();
        assert_eq!(measure.sampling_variance(&guessed.view()), None);
    }
}
