//! G and BinG: gain discounted by what was lost before it, trec_eval's cross of AP and nDCG.

use karat_data::{Judgement, JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::{self, pairs};
use crate::citations;
use crate::discount::LOG2_3;
use crate::gains::{GAINS_WITH_UNJUDGED, Gains};
use crate::info::{Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, RELEVANCE};
use crate::ties::{self, TieRule, Tied, Walk};

/// The row of G.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "G",
    aliases: &["normalized_gain"],
    summary: "Gains discounted by how far the ranking lags behind the ideal one, divided by the total gain.",
    formula: "G = (sum over ranks i of gain_i / log2(2 + C_i - S_i)) / (sum of all positive gains), S_i the gain of ranks \
              1..i, C_i the sum over ranks 1..i of max(ideal gain, 1)",
    reading: "A document counts almost fully at any depth if the ranking above it is nearly ideal.",
    misleads: "Experimental in trec_eval. A gain for unjudged documents can make S exceed C; karat then uses 1 for the \
               logarithm, where trec_eval divides by zero or a negative number.",
    citation: citations::TREC_EVAL,
    parameters: &[GAINS_WITH_UNJUDGED],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "G",
            "1 0 1",
            "1",
            (1.0 + 1.0 / LOG2_3) / 3.0,
            "C - S is 0 at rank 1 and 1 at rank 3: (1/log2(2) + 1/log2(3))/3",
        ),
        Example::new(
            "G",
            "1 2",
            "",
            (1.0 / LOG2_3 + 2.0) / 3.0,
            "C = 2, 3 and S = 1, 3: (1/log2(3) + 2/log2(2))/(2 + 1)",
        )
        .up_to(2.0),
    ],
    build: |spec| Ok(Box::new(NormalizedGain { gains: Gains::of_spec(spec, true)? })),
};

/// The row of BinG.
pub static BINARY: MeasureInfo = MeasureInfo {
    name: "BinG",
    aliases: &["binG"],
    summary: "Relevant documents discounted by the number of non-relevant ones above them.",
    formula: "BinG = (1/R) * sum over relevant documents of 1 / log2(2 + non-relevant documents above)",
    reading: "1 when all relevant documents come first. It depends on the number of non-relevant documents above, not \
              on the rank.",
    misleads: "Experimental in trec_eval. Unjudged documents count as non-relevant.",
    citation: citations::TREC_EVAL,
    parameters: &[RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new(
        "BinG",
        "1 0 1",
        "1",
        (1.0 + 1.0 / LOG2_3) / 3.0,
        "none and one above: (1/log2(2) + 1/log2(3))/3",
    )],
    build: |spec| Ok(Box::new(BinaryGain { level: spec.level()? })),
};

#[derive(Debug, Clone)]
struct NormalizedGain {
    gains: Gains,
}

impl Measure for NormalizedGain {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        self.gains.print(MeasureSpec::new(&INFO))
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let mut possible = 0.0;
        for group in self.gains.ideal(view.facts) {
            possible += group.gain * group.count as f64;
        }
        if possible <= 0.0 {
            return Ok(bounds::whole_range(view, &INFO, &self.gains, 0.0));
        }
        let mut ideal = self.gains.ideal(view.facts).flat_map(|group| std::iter::repeat_n(group.gain, group.count));
        let (mut cost, mut collected, mut sum) = (0.0f64, 0.0, 0.0);
        for judgement in view.ranks {
            let gain = self.gains.of_judgement(*judgement);
            collected += gain;
            cost += next_cost(&mut ideal);
            sum += discounted(gain, cost, collected);
        }
        Ok(bounds::whole_range(view, &INFO, &self.gains, sum / possible))
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        let gains = |judgement: &Judgement| self.gains.of_judgement(*judgement);
        // No order by gain is best: what a document adds depends on the gain above it in both directions.
        let walk = move || -> Result<Walk, Undefined> {
            let mut possible = 0.0;
            for group in self.gains.ideal(tied.view.facts) {
                possible += group.gain * group.count as f64;
            }
            if possible <= 0.0 {
                return Ok(Walk { low: 0.0, high: 0.0, expected: 0.0 });
            }
            let mut ideal =
                self.gains.ideal(tied.view.facts).flat_map(|group| std::iter::repeat_n(group.gain, group.count));
            let (mut cost, mut collected) = (0.0, 0.0);
            let mut all = Walk { low: 0.0, high: 0.0, expected: 0.0 };
            for block in tied.blocks() {
                let costs: Vec<f64> = (block.start..block.end)
                    .map(|_| {
                        cost += next_cost(&mut ideal);
                        cost
                    })
                    .collect();
                let kinds = kinds(block.members.iter().map(gains));
                let term =
                    |place: usize, above: f64, gain: f64| discounted(gain, costs[place], collected + above + gain);
                let walk = ties::lattice(&kinds, block.shown(), term)?;
                all.low += walk.low / possible;
                all.high += walk.high / possible;
                all.expected += walk.expected / possible;
                collected += block.members.iter().map(gains).sum::<f64>();
            }
            Ok(all)
        };
        TieRule::Own {
            ends: Box::new(move || walk().map(|all| (all.low, all.high))),
            expected: Box::new(move || walk().map(|all| all.expected)),
            how: "by a walk over the counts of every gain placed so far, up to a million of them",
        }
    }
}

/// What a rank costs: the gain the ideal ranking has there, at least 1.
#[inline]
fn next_cost(ideal: &mut impl Iterator<Item = f64>) -> f64 {
    ideal.next().unwrap_or(0.0).max(1.0)
}

/// A document's gain, discounted by what was paid down to it and not collected.
#[inline]
fn discounted(gain: f64, cost: f64, collected: f64) -> f64 {
    if gain == 0.0 { 0.0 } else { gain / libm::log2((2.0 + cost - collected).max(2.0)) }
}

/// Gains and how many documents have them.
fn kinds(gains: impl Iterator<Item = f64>) -> Vec<(f64, usize)> {
    let mut kinds: Vec<(f64, usize)> = Vec::new();
    for gain in gains {
        match kinds.iter_mut().find(|(other, _)| *other == gain) {
            Some((_, count)) => *count += 1,
            None => kinds.push((gain, 1)),
        }
    }
    kinds
}

#[derive(Debug, Clone, Copy)]
struct BinaryGain {
    level: f64,
}

impl Measure for BinaryGain {
    fn info(&self) -> &'static MeasureInfo {
        &BINARY
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(&BINARY).with_level(self.level)
    }

    fn missed_shrink_differences(&self) -> bool {
        // A sum over R. Not so G, whose discounts depend on the gains that an ideal ranking has.
        true
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let value = self.value(view)?;
        let ends = pairs::ends(view, self.level, |above, relevant| {
            let discounted = above.iter().enumerate().filter(|(_, count)| **count > 0.0);
            let sum: f64 = discounted.map(|(junk, count)| count / libm::log2((2 + junk) as f64)).sum();
            if relevant > 0.0 { sum / relevant } else { 0.0 }
        });
        Ok(match ends {
            Some((low, high)) => Score::within(value, low.min(value), high.max(value)),
            None => Score::without_bounds(value),
        })
    }

    fn value(&self, view: &TopicView<'_>) -> Result<f64, Undefined> {
        let relevant = view.facts.relevant(self.level);
        let (mut others, mut sum) = (0usize, 0.0);
        for judgement in view.ranks {
            if judgement.is_relevant(self.level) {
                sum += 1.0 / libm::log2((2 + others) as f64);
            } else {
                others += 1;
            }
        }
        Ok(if relevant == 0 { 0.0 } else { sum / f64::from(relevant) })
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        let total = f64::from(tied.view.facts.relevant(self.level));
        if total == 0.0 {
            return TieRule::Constant;
        }
        TieRule::ordered(ties::relevance(self.level), crate::bpref::HOW, move || {
            let relevant = |judgement: &Judgement| judgement.is_relevant(self.level);
            let (mut others, mut sum) = (0, 0.0);
            for block in tied.blocks() {
                let other = |judgement: &Judgement| !relevant(judgement);
                sum += ties::over_relevant(&block, relevant, other, |_, more| {
                    1.0 / libm::log2((2 + others + more) as f64)
                });
                others += block.members.iter().filter(|judgement| other(judgement)).count();
            }
            Ok(sum / total)
        })
    }
}
