//! xinfAP: AP estimated from a stratified sample of the pool.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::average_precision;
use crate::bounds;
use crate::bounds::average_precision::quotient;
use crate::citations;
use crate::info::{Behaviour, Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::sampled::strata::{EPSILON, NOTHING_SAMPLED, Sample};
use crate::score::{Score, Undefined};
use crate::spec::{DEPTH_1000, MeasureSpec, RELEVANCE};
use crate::tally;

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "xinfAP",
    aliases: &[],
    summary: "AP estimated from a stratified sample of the pool's judgements.",
    formula: "xinfAP = (1/R) * sum over strata s of (N_s/n_s) * sum over judged relevant documents of s, at rank \
              i <= k, of (1/i) * (1 + sum over strata t of d_t * (rel_t + e) / (jud_t + 3e)); N_s documents in s, n_s of \
              them judged; d_t, jud_t, rel_t those of t above i: all, judged, judged relevant; R = sum over s of (N_s/n_s) \
              * judged relevant documents of s; e = 0.00001; k = 1000. capped=true divides by min(R, k)",
    reading: "Read like AP. With the whole pool judged it is AP at depth k, up to e. The standard error of a topic \
              describes other samples of the same size from the same strata (stratified jackknife).",
    misleads: "Needs a random sample within each stratum, and every document of the strata in the file, with grade -1 \
               if it was not sampled; documents outside are treated as non-relevant. AP needs the number of relevant \
               documents, so it is biased if few are drawn per topic. On TREC-COVID it was within 1.2% of AP with the first ten ranks \
               judged (`karat sample --design strata`, 95% intervals covered the true mean of 30 topics in 91 to 95% of samples), and \
               7 to 27% below in uniform samples at rates to 20% (56 to 88%). On shallow pools it was 4% above at 20% with strata (68%) \
               and 30% below in uniform samples (13%). Values of topics with R > k depend on the version of sample_eval.pl: NIST's divides by R, as AP@k does; \
               TRECVID's divides by k since 2012 (capped=true) and can then exceed 1.",
    citation: citations::YILMAZ_2008,
    parameters: &[
        DEPTH_1000,
        RELEVANCE,
        Parameter {
            name: "capped",
            default: "false",
            legal: Legal::Words(&["true", "false"]),
            meaning: "whether R is at most k in the denominator, as in TRECVID's version of sample_eval.pl since 2012",
        },
    ],
    range: (0.0, f64::INFINITY),
    needs: JudgementKind::Strata,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Estimator,
    when_empty: WhenEmpty { nothing_judged: Behaviour::Undefined(NOTHING_SAMPLED.reason), ..WhenEmpty::ZERO },
    examples: &[
        Example::new(
            "xinfAP",
            "a1 b-1 b1 - a0 b0 a1",
            "b-1 b-1 a1",
            (1.0 + 2.5 * (1.0 + (1.0 + EPSILON) / (1.0 + 3.0 * EPSILON) + 1.0 / 3.0) / 3.0
                + (1.0 + 5.0 * (1.0 + EPSILON) / (2.0 + 3.0 * EPSILON)) / 7.0)
                / 5.5,
            "a: 4 of 4 judged, 3 relevant; b: 2 of 5 judged, 1 relevant, which stands for 5/2: R = 5.5. Rank 1: 1; rank 3: \
             (5/2)(1/3)(1 + (1+e)/(1+3e) + e/3e); rank 7: (1/7)(1 + 2(1+e)/(2+3e) + 3(1+e)/(2+3e))",
        )
        .marked(JudgementKind::Strata),
        Example::new(
            "xinfAP@2",
            "a1 - a1",
            "a-1 a-1 a0",
            0.5,
            "one stratum, 3 of 5 judged: R = 2 * 5/3 = 10/3; rank 1 alone: (5/3) * 1 / (10/3)",
        )
        .marked(JudgementKind::Strata),
        Example::new(
            "xinfAP(capped=true)@2",
            "a1 - a1",
            "a-1 a-1 a0",
            5.0 / 6.0,
            "as above, but a list holds 2: (5/3) * 1 / 2",
        )
        .marked(JudgementKind::Strata),
    ],
    build: |spec| {
        let capped = spec.flag("capped", false)?;
        Ok(Box::new(StratifiedAp { depth: spec.depth_or_1000()?, level: spec.level()?, capped }))
    },
};

#[derive(Debug, Clone, Copy)]
struct StratifiedAp {
    depth: usize,
    level: f64,
    /// Whether to divide by no more than the depth.
    capped: bool,
}

impl Measure for StratifiedAp {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(&INFO).with_level(self.level).with_flag("capped", self.capped, false).depth(self.depth)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let value = self.value(view)?;
        // What full judgement could give: AP, but for the number it is divided by, where that is no more than k. The smoothing
        // keeps each precision from it by less than 2e.
        let most = self.most();
        let capped = |sum: f64, relevant: f64| quotient(sum, relevant.min(most));
        let judged = average_precision::precision_sum(tally::first(view, Some(self.depth)), self.level);
        let judged = capped(judged, f64::from(view.facts.relevant(self.level)));
        let full = bounds::average_precision::score(view, Some(self.depth), self.level, judged, capped);
        Ok(Score::within(value, (full.low - 2.0 * EPSILON).max(0.0), (full.high + 2.0 * EPSILON).min(1.0)))
    }

    fn value(&self, view: &TopicView<'_>) -> Result<f64, Undefined> {
        Ok(self.estimate(&Sample::stratified(view, self.depth)?))
    }

    fn sampling_variance(&self, view: &TopicView<'_>) -> Option<f64> {
        let sample = Sample::stratified(view, self.depth).ok()?;
        sample.relevant(self.level).next()?;
        sample.variance(|sample| self.estimate(sample))
    }
}

impl StratifiedAp {
    fn estimate(&self, sample: &Sample) -> f64 {
        estimate(sample, self.level, 3.0 * EPSILON, self.most())
    }

    /// The greatest number of relevant documents that is divided by.
    fn most(&self) -> f64 {
        if self.capped { self.depth as f64 } else { f64::INFINITY }
    }
}

/// The estimate from a sample; `unseen` is what smoothing adds to the judged documents, `most` the greatest number of
/// relevant documents that is divided by.
pub(crate) fn estimate(sample: &Sample, level: f64, unseen: f64, most: f64) -> f64 {
    // R of the formula.
    let relevant: f64 =
        sample.relevant(level).map(|graded| graded.count * sample.strata[graded.stratum].weight()).sum();
    if relevant <= 0.0 {
        return 0.0;
    }
    let mut above = vec![Above::default(); sample.strata.len()];
    let mut sum = 0.0;
    for listed in &sample.listed {
        let is_relevant = listed.grade.is_some_and(|grade| grade >= level);
        if is_relevant {
            let expected: f64 = above.iter().map(|above| above.relevant(unseen)).sum();
            sum += sample.strata[listed.stratum].weight() * (1.0 + expected) / listed.rank as f64;
        }
        above[listed.stratum].add(listed.grade, is_relevant);
    }
    sum / relevant.min(most)
}

/// The documents of a stratum above a rank.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Above {
    documents: f64,
    judged: f64,
    relevant: f64,
}

impl Above {
    pub(crate) fn add(&mut self, grade: Option<f64>, is_relevant: bool) {
        self.documents += 1.0;
        self.judged += f64::from(u8::from(grade.is_some()));
        self.relevant += f64::from(u8::from(is_relevant));
    }

    /// How many of them are relevant, by the share among the judged ones.
    pub(crate) fn relevant(self, unseen: f64) -> f64 {
        if self.documents == 0.0 {
            return 0.0;
        }
        self.documents * (self.relevant + EPSILON) / (self.judged + unseen)
    }

    /// The variance of that number, see infP; `whole` is the share of relevant documents in the whole stratum.
    pub(crate) fn variance(self, whole: f64) -> f64 {
        let Above { documents, judged, relevant } = self;
        if judged == 0.0 {
            let off = 1.0 / 3.0 - whole;
            return documents * documents * off * off + documents * whole * (1.0 - whole);
        }
        let share = (relevant + whole) / (judged + 1.0);
        documents * (documents - judged) * share * (1.0 - share) / judged
    }
}

#[cfg(test)]
mod tests {
    use karat_data::CollectionFacts;

    use super::*;
    use crate::example::Owned;
    use crate::inferred_ap;

    /// infAP's own loop and this one, which its standard error is made with.
    #[test]
    fn one_stratum_is_inferred_ap() {
        for (ranking, missed) in [("1 ? - 0 1", "?"), ("? 1 0 - 2 ? ? 1", "1 0 ? ?"), ("- 0", "1"), ("0 0", "0 ?")] {
            let topic = Owned::parse(ranking, missed, CollectionFacts::default()).unwrap();
            let own = (inferred_ap::INFO.build)(&MeasureSpec::new(&inferred_ap::INFO)).unwrap();
            let value = estimate(&Sample::of_pool(&topic.view()), 1.0, 2.0 * EPSILON, f64::INFINITY);
            assert!((own.value(&topic.view()).unwrap() - value).abs() < 1e-14, "{ranking}");
        }
    }

    #[test]
    fn the_bounds_by_hand() {
        let ends = |capped: bool, depth: usize, ranking: &str, missed: &str| {
            let topic =
                Owned::parse_marked(JudgementKind::Strata, ranking, missed, CollectionFacts::default()).unwrap();
            let spec = MeasureSpec::new(&INFO).with_flag("capped", capped, false).depth(depth);
            (INFO.build)(&spec).unwrap().score(&topic.view()).unwrap().bounds().unwrap()
        };
        let bounds = |depth, ranking: &str, missed: &str| ends(true, depth, ranking, missed);
        let near = |found: (f64, f64), low: f64, high: f64| {
            let slack = 2.0 * EPSILON + 1e-12;
            assert!((found.0 - low).abs() < slack && (found.1 - high).abs() < slack, "{found:?}, not {low}..{high}");
        };
        // All judged, more than k of them: rank 1 alone counts, R = 2: 1/2.
        near(bounds(2, "a1 a0 a1", "a0 a0"), 0.5, 0.5);
        // Three relevant, k = 2: 1/min(3, 2).
        near(bounds(2, "a1 a0 a1", "a1 a0"), 0.5, 0.5);
        // R = 2. Rank 2 relevant: (1 + 1)/min(3, 2) = 1; else 1/2.
        near(bounds(2, "a1 a-1 a1", "a0"), 0.5, 1.0);
        // R = 1. All or none of rank 2 and the two missed: least with rank 2 not relevant and any of the missed, 1/min(3, 2).
        near(bounds(2, "a1 a-1", "a-1 a-1 a0"), 0.5, 1.0);
        // The same dividing by R: with both missed ones relevant 1/3, with none of them 1.
        near(ends(false, 2, "a1 a-1", "a-1 a-1 a0"), 1.0 / 3.0, 1.0);
        near(ends(false, 2, "a1 a0 a1", "a1 a0"), 1.0 / 3.0, 1.0 / 3.0);
        // Rank 1 is relevant, the rest of the pool, ranks 2 to 400, is not; 600 ranks outside the pool are unjudged. With
        // the last n of them relevant it is (1 + 2/(1001 - n) + ... + (n + 1)/1000)/(n + 1); with none, 1.
        let pool = format!("a1 {}", vec!["a0"; 399].join(" "));
        let lists = format!("{pool} {}", vec!["-"; 600].join(" "));
        let least = |count: u32| -> f64 {
            let tail: f64 = (0..count).map(|i| f64::from(i + 2) / f64::from(1001 - count + i)).sum();
            (1.0 + tail) / f64::from(count + 1)
        };
        let low = (0..=600).map(least).fold(1.0, f64::min);
        near(bounds(1000, &lists, ""), low, 1.0);
        // With none of them retrieved there is nothing to judge.
        near(bounds(1000, &pool, ""), 1.0, 1.0);
    }

    #[test]
    fn the_variance_by_hand() {
        // One stratum, ranking 1 ? 0 with N = 3, n = 2, R = 1. Estimate (1/1)/1 = 1 (weights cancel). Without the relevant
        // document: nothing relevant, 0. Without the other: 1. Mean 1/2, squares 1/2: (1 - 2/3) (1/2) (1/2) = 1/12.
        let kind = JudgementKind::Strata;
        let topic = Owned::parse_marked(kind, "a1 a-1 a0", "", CollectionFacts::default()).unwrap();
        let measure = (INFO.build)(&MeasureSpec::new(&INFO)).unwrap();
        assert!((measure.sampling_variance(&topic.view()).unwrap() - 1.0 / 12.0).abs() < 1e-14);
        let plain = Owned::parse("1 ? 0", "", CollectionFacts::default()).unwrap();
        let inferred = (inferred_ap::INFO.build)(&MeasureSpec::new(&inferred_ap::INFO)).unwrap();
        assert!((inferred.sampling_variance(&plain.view()).unwrap() - 1.0 / 12.0).abs() < 1e-14);
        // All judged, so no other sample; nothing relevant drawn, so nothing known.
        let whole = Owned::parse("1 0", "", CollectionFacts::default()).unwrap();
        assert_eq!(inferred.sampling_variance(&whole.view()), Some(0.0));
        let barren = Owned::parse_marked(kind, "a0 a-1 a0", "", CollectionFacts::default()).unwrap();
        assert_eq!(measure.sampling_variance(&barren.view()), None);
    }
}
