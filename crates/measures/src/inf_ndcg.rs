//! infNDCG: nDCG estimated from a stratified sample of the pool.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds;
use crate::citations;
use crate::discount::{Discounts, LOG2_3};
use crate::gains::{self, DCG, GAINS, Gains};
use crate::info::{Behaviour, Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::linear::Gain;
use crate::measure::Measure;
use crate::ndcg;
use crate::sampled::strata::{Graded, NOTHING_SAMPLED, Sample};
use crate::score::{Score, Undefined};
use crate::spec::{DEPTH_1000, MeasureSpec};
use crate::tally;

/// log2(5), for a worked example.
const LOG2_5: f64 = 2.321_928_094_887_362;

/// log2(3.5), for a worked example.
const LOG2_7_HALVES: f64 = 1.807_354_922_057_604_2;

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "infNDCG",
    aliases: &[],
    summary: "nDCG estimated from a stratified sample of the pool's judgements.",
    formula: "infNDCG = (sum over strata s of (d_s/jud_s) * sum over judged documents of s at rank i <= k of gain/log2(i + 1)) / \
              ideal; d_s documents of s among the first k, jud_s of them judged; ideal = the greatest gains first, each for \
              as many ranks as documents are estimated to have it (the sum over s of (N_s/n_s) * judged ones), the broken \
              rest of a rank left out, to rank k = 1000",
    reading: "Read like nDCG. With the whole pool judged it is nDCG@k. The standard error of a topic describes other \
              samples of the same size from the same strata (stratified jackknife).",
    misleads: "Needs a random sample within each stratum, and every document of the strata in the file, with grade -1 \
               if it was not sampled; documents outside are treated as non-relevant. A stratum of which nothing \
               retrieved was judged adds nothing. In strata that judge the first ranks completely it was within 2% of nDCG@1000 on \
               deep pools (TREC-COVID, 95% intervals covered the true mean of 30 topics in 93 to 97% of samples), and 2 to 3% above on \
               shallow pools (covered in 66 to 93%). In uniform samples of shallow pools it was 6 to 39% below, because topics without a \
               sampled relevant document count as 0. It can exceed 1, because numerator and denominator are estimated separately. \
               NIST's sample_eval.pl rounds the ideal since 10 October 2011; before, and in TRECVID's version of 2012, ranks that did \
               not fit in whole were left out (rounded=false), which made it 1.4 to 1.8% greater.",
    citation: citations::YILMAZ_2008,
    parameters: &[
        DEPTH_1000,
        DCG,
        GAINS,
        Parameter {
            name: "rounded",
            default: "true",
            legal: Legal::Words(&["true", "false"]),
            meaning: "whether the ideal has whole numbers of documents, as in NIST's sample_eval.pl since 10 October 2011; false: \
                      fractions, as before and in TRECVID's version of 2012",
        },
    ],
    range: (0.0, f64::INFINITY),
    needs: JudgementKind::Strata,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Estimator,
    when_empty: WhenEmpty { nothing_judged: Behaviour::Undefined(NOTHING_SAMPLED.reason), ..WhenEmpty::ZERO },
    examples: &[
        Example::new(
            "infNDCG",
            "a1 b-1 b1",
            "a0 b0 b-1",
            2.0 / (1.0 + 1.0 / LOG2_3 + 0.5),
            "rank 1: 1/log2(2); b: 2 retrieved, 1 of them judged, so rank 3 counts twice: 2 * 1/log2(4). Estimated are 1 \
             relevant document in a and 4/2 in b: ideal 1 + 1/log2(3) + 1/log2(4)",
        )
        .marked(JudgementKind::Strata),
        Example::new(
            "infNDCG",
            "a2 a-1 a1",
            "",
            1.5 * 2.5 / (2.0 + 2.0 / LOG2_3 + 0.5 + 1.0 / LOG2_5),
            "3 retrieved, 2 judged: (3/2)(2/log2(2) + 1/log2(4)). Each grade is estimated to have 3/2 documents, which makes 2: \
             ideal 2/log2(2) + 2/log2(3) + 1/log2(4) + 1/log2(5); 0.8944, as sample_eval.pl prints",
        )
        .marked(JudgementKind::Strata)
        .up_to(2.0),
        Example::new(
            "infNDCG(rounded=false)",
            "a2 a-1 a1",
            "",
            1.5 * 2.5 / (2.0 + 1.0 / LOG2_7_HALVES),
            "the same before October 2011: grade 2 fills rank 1, grade 1 begins at 1.5 and fills rank 2.5: ideal 2/log2(2) + \
             1/log2(3.5); 1.4687",
        )
        .marked(JudgementKind::Strata)
        .up_to(2.0),
    ],
    build: |spec| {
        let rounded = spec.flag("rounded", true)?;
        Ok(Box::new(InferredNdcg { depth: spec.depth_or_1000()?, gains: Gains::of_spec(spec, false)?, rounded }))
    },
};

/// What rounding may take from a whole number.
const SLACK: f64 = 1e-9;

#[derive(Debug, Clone)]
struct InferredNdcg {
    depth: usize,
    gains: Gains,
    rounded: bool,
}

impl Measure for InferredNdcg {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        self.gains.print(MeasureSpec::new(&INFO)).with_flag("rounded", self.rounded, true).depth(self.depth)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let value = self.value(view)?;
        // What full judgement could give is nDCG.
        let judged = ndcg::dcg(tally::first(view, Some(self.depth)), &self.gains);
        Ok(match bounds::ratio::bounds(view, Some(self.depth), &self.gains, &Discounts::get(), judged) {
            Some((low, high)) => Score::within(value, low, high),
            None => Score::without_bounds(value),
        })
    }

    fn value(&self, view: &TopicView<'_>) -> Result<f64, Undefined> {
        let value = self.estimate(&Sample::stratified(view, self.depth)?);
        if value.is_finite() { Ok(value) } else { Err(gains::TOO_LARGE) }
    }

    fn sampling_variance(&self, view: &TopicView<'_>) -> Option<f64> {
        let sample = Sample::stratified(view, self.depth).ok()?;
        sample.graded.iter().find(|graded| self.gains.of(graded.grade) > 0.0)?;
        sample.variance(|sample| self.estimate(sample))
    }
}

impl InferredNdcg {
    fn estimate(&self, sample: &Sample) -> f64 {
        let ideal = self.ideal(sample);
        if ideal > 0.0 { self.dcg(sample) / ideal } else { 0.0 }
    }

    /// The judged gains of a stratum, times what a judged document of it in the list stands for.
    fn dcg(&self, sample: &Sample) -> f64 {
        let discounts = Discounts::get();
        // Of each stratum: documents, judged ones, their discounted gains.
        let mut strata = vec![(0.0, 0.0, 0.0); sample.strata.len()];
        for listed in &sample.listed {
            let (documents, judged, sum) = &mut strata[listed.stratum];
            *documents += 1.0;
            if let Some(grade) = listed.grade {
                *judged += 1.0;
                *sum += self.gains.of(grade) / discounts.at(listed.rank);
            }
        }
        let estimates = strata.iter().filter(|(_, judged, _)| *judged > 0.0);
        estimates.map(|(documents, judged, sum)| documents / judged * sum).sum()
    }

    /// As sample_eval.pl: the ranks of a gain begin where the estimated number of greater ones ends. Before the numbers were rounded
    /// that need not be a whole number, and a rank that did not fit in whole was left out.
    fn ideal(&self, sample: &Sample) -> f64 {
        let (mut above, mut sum) = (0.0, 0.0);
        for (gain, count) in self.estimated(sample) {
            // A sum that should be a whole number, or a half, must not fall short of it by its last bit.
            let count = if self.rounded { (count + 0.5 + SLACK).floor() } else { count };
            let end = above + count;
            let mut rank = above + 1.0;
            while rank <= end + SLACK && rank <= self.depth as f64 {
                sum += gain / libm::log2(rank + 1.0);
                rank += 1.0;
            }
            above = end;
        }
        sum
    }

    /// The gains above 0, greatest first, each with the estimated number of documents that have it.
    fn estimated(&self, sample: &Sample) -> Vec<(f64, f64)> {
        let number = |graded: &Graded| {
            let stratum = sample.strata[graded.stratum];
            (self.gains.of(graded.grade), graded.count * stratum.size / stratum.judged)
        };
        let mut numbers: Vec<(f64, f64)> =
            sample.graded.iter().filter(|graded| graded.count > 0.0).map(number).collect();
        numbers.retain(|(gain, _)| *gain > 0.0);
        numbers.sort_by(|a, b| b.0.total_cmp(&a.0));
        let groups = numbers.chunk_by(|a, b| a.0 == b.0);
        groups.map(|group| (group[0].0, group.iter().map(|(_, count)| count).sum())).collect()
    }
}

#[cfg(test)]
mod tests {
    use karat_data::CollectionFacts;

    use super::*;
    use crate::example::Owned;

    /// The numbers of a grade are added over strata, then rounded.
    #[test]
    fn halves_are_rounded_up_after_adding() {
        let value = |text: &str, ranking: &str, missed: &str| {
            let collection = CollectionFacts { max_grade: 2.0, ..CollectionFacts::default() };
            let topic = Owned::parse_marked(JudgementKind::Strata, ranking, missed, collection).unwrap();
            crate::spec::parse(text, 1.0).unwrap().build().unwrap().value(&topic.view()).unwrap()
        };
        // a: 5 documents, 2 judged, 1 of grade 1: 5/2. b: 1 of 1: 1. Together 7/2, which makes 4. Rank 1 is b's: DCG 1.
        let sums = [1.0, 1.0 / LOG2_3, 0.5, 1.0 / LOG2_5];
        let ideal: f64 = sums.iter().sum();
        assert!((value("infNDCG", "b1", "a1 a0 a-1 a-1 a-1") - 1.0 / ideal).abs() < 1e-14);
        // Down to rank 2 of the ideal.
        assert!((value("infNDCG@2", "b1", "a1 a0 a-1 a-1 a-1") - 1.0 / (sums[0] + sums[1])).abs() < 1e-14);
        // Without rounding, three ranks fit.
        assert!(
            (value("infNDCG(rounded=false)", "b1", "a1 a0 a-1 a-1 a-1") - 1.0 / sums[..3].iter().sum::<f64>()).abs()
                < 1e-14
        );
        // Grade 2: 1 of 3 judged, of 4: 4/3, which makes 1; grade 1 the same, at rank 2. The list has one document, judged 2.
        let graded = 2.0 / (2.0 + 1.0 / LOG2_3);
        assert!((value("infNDCG", "a2", "a1 a0 a-1") - graded).abs() < 1e-14);
    }
}
