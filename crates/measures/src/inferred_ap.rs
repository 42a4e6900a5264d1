//! infAP: AP estimated from a pool of which only a random sample was judged.

use karat_data::{Judgement, JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::average_precision;
use crate::info::{Citation, Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::sampled::strata::{EPSILON, Sample};
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, RELEVANCE};
use crate::ties::{TieRule, Tied};
use crate::xinf_ap;

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "infAP",
    aliases: &["inferred_ap"],
    summary: "AP estimated from a random sample of the pool's judgements.",
    formula: "infAP = (1/R) * sum over judged relevant documents, at rank k, of 1/k + ((k-1)/k) * (d/(k-1)) * (rel + e) / \
              (rel + nonrel + 2e), counts above k, d = pool members above k (judged or not), e = 0.00001",
    reading: "Read like AP. With the whole pool judged it is AP (up to e).",
    misleads: "Assumes that the judged documents are a uniform random sample of the pool; unjudged pool members must \
               be in the judgement file with a negative grade. Documents outside the pool count as non-relevant. It \
               has a sampling error of its own (standard error by the jackknife) and is biased low on small samples, \
               which contain few relevant documents: in samples of TREC-COVID by 19% of AP with 5% of the pool judged, \
               9% with 10%, 4% with 20%, 1% with half. There, 95% intervals covered the true mean of 30 topics in 78, \
               88, 93 and 94% of samples, but the true value of a single topic only in 62 to 87%.",
    citation: Citation {
        text: "Yilmaz and Aslam (2006), Estimating average precision with incomplete and imperfect judgments, CIKM.",
        bibtex: "@inproceedings{yilmaz2006, author={Emine Yilmaz and Javed A. Aslam}, title={Estimating average \
                 precision with incomplete and imperfect judgments}, booktitle={CIKM}, pages={102--111}, year={2006}}",
    },
    parameters: &[RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Estimator,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new(
        "infAP",
        "1 ? - 0 1",
        "?",
        (1.0 + 0.2 + 0.6 * (1.0 + EPSILON) / (2.0 + 2.0 * EPSILON)) / 2.0,
        "rank 1: 1; rank 5: 1/5 + (4/5)(3/4)(1 + e)/(2 + 2e), for above it are 3 pool members, 1 judged relevant, 1 not",
    )],
    build: |spec| Ok(Box::new(InferredAp { level: spec.level()? })),
};

#[derive(Debug, Clone, Copy)]
struct InferredAp {
    level: f64,
}

impl Measure for InferredAp {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(&INFO).with_level(self.level)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let relevant = view.facts.relevant(self.level);
        if relevant == 0 {
            return Ok(completed(view, self.level, 0.0));
        }
        let (mut above, mut sum) = (Above::default(), 0.0);
        for judgement in view.ranks {
            if judgement.is_relevant(self.level) {
                sum += expected_precision(above);
            }
            above.add(*judgement, self.level);
        }
        Ok(completed(view, self.level, sum / f64::from(relevant)))
    }

    fn sampling_variance(&self, view: &TopicView<'_>) -> Option<f64> {
        if view.facts.pooled_unjudged == 0 {
            return Some(0.0);
        }
        if view.facts.relevant(self.level) == 0 {
            return None;
        }
        // The same estimate as a function of the sample: infAP is xinfAP with one stratum and 2e for 3e, at any depth.
        let estimate = |sample: &Sample| xinf_ap::estimate(sample, self.level, 2.0 * EPSILON, f64::INFINITY);
        Sample::of_pool(view).variance(estimate)
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        let total = f64::from(tied.view.facts.relevant(self.level));
        if total == 0.0 {
            return TieRule::Constant;
        }
        TieRule::Own {
            ends: Box::new(move || {
                let (mut above, mut low, mut high) = (Above::default(), 0.0, 0.0);
                for block in tied.blocks() {
                    let members = Above::of(block.members, self.level);
                    low += least(above, members, block.shown());
                    high += greatest(above, members, block.shown());
                    above = above.and(members);
                }
                Ok((low / total, high / total))
            }),
            expected: Box::new(move || {
                let (mut above, mut sum) = (Above::default(), 0.0);
                for block in tied.blocks() {
                    let members = Above::of(block.members, self.level);
                    sum += expected(above, members, block.shown());
                    above = above.and(members);
                }
                Ok(sum / total)
            }),
            how: "ends by a walk over the orders of relevant and pooled but unjudged documents, the others last or first; \
                  mean from the joint hypergeometric counts above each place",
        }
    }
}

/// The least and greatest it could be were all documents judged: those of AP, up to the smoothing, which moves each
/// expected precision by less than epsilon.
fn completed(view: &TopicView<'_>, level: f64, value: f64) -> Score {
    let full = average_precision::score(view, None, level);
    Score::within(value, (full.low - EPSILON).max(0.0), (full.high + EPSILON).min(1.0))
}

/// The documents above a rank, by kind.
#[derive(Debug, Clone, Copy, Default)]
struct Above {
    rel: f64,
    nonrel: f64,
    unjudged: f64,
    unpooled: f64,
}

impl Above {
    fn of(judgements: &[Judgement], level: f64) -> Above {
        let mut all = Above::default();
        judgements.iter().for_each(|judgement| all.add(*judgement, level));
        all
    }

    #[inline]
    fn add(&mut self, judgement: Judgement, level: f64) {
        match judgement {
            Judgement::Unpooled => self.unpooled += 1.0,
            Judgement::PooledUnjudged => self.unjudged += 1.0,
            Judgement::Grade(grade) if grade.value() < level => self.nonrel += 1.0,
            Judgement::Grade(_) => self.rel += 1.0,
        }
    }

    fn and(self, more: Above) -> Above {
        Above {
            rel: self.rel + more.rel,
            nonrel: self.nonrel + more.nonrel,
            unjudged: self.unjudged + more.unjudged,
            unpooled: self.unpooled + more.unpooled,
        }
    }

    fn documents(self) -> f64 {
        self.rel + self.nonrel + self.unjudged + self.unpooled
    }
}

/// E[P@k] of the paper for a relevant document with these above it.
#[inline]
fn expected_precision(Above { rel, nonrel, unjudged, unpooled }: Above) -> f64 {
    let above = rel + nonrel + unjudged + unpooled;
    if above == 0.0 {
        return 1.0;
    }
    let rank = above + 1.0;
    1.0 / rank
        + (above / rank) * ((rel + nonrel + unjudged) / above) * ((rel + EPSILON) / (rel + nonrel + 2.0 * EPSILON))
}

// Over the orders of a group of tied documents, `shown` of which are above the depth. A non-relevant document or one
// outside the pool above a relevant one lowers its term (down to rank 100000; below it epsilon may tell otherwise, by
// less than 1e-10), and exchanging it with a neighbour that is pooled but unjudged changes nothing. So in the best order
// both kinds come last and in the worst order first. A pooled but unjudged document can raise or lower the terms below
// it, so all orders of those and the relevant ones are walked over.

fn greatest(above: Above, members: Above, shown: usize) -> f64 {
    walk(above, members, shown, f64::max)
}

fn least(above: Above, members: Above, shown: usize) -> f64 {
    let first = Above { rel: 0.0, unjudged: 0.0, ..members };
    match shown.checked_sub(first.documents() as usize) {
        Some(left) => walk(above.and(first), members, left, f64::min),
        None => 0.0,
    }
}

/// The best sum of terms over the orders of the relevant and the pooled but unjudged documents of `members`, the first
/// `shown` of them.
fn walk(above: Above, members: Above, shown: usize, best: fn(f64, f64) -> f64) -> f64 {
    let (relevant, unjudged) = (members.rel as usize, members.unjudged as usize);
    let shown = shown.min(relevant + unjudged);
    // The best sum by relevant documents placed, for one number of unjudged documents placed after the other.
    let mut sums: Vec<Option<f64>> = vec![None; relevant + 1];
    let mut end: Option<f64> = None;
    for passed in 0..=unjudged.min(shown) {
        for placed in 0..=relevant.min(shown - passed) {
            let term = |placed: usize| {
                let more = Above { rel: placed as f64, unjudged: passed as f64, ..Above::default() };
                expected_precision(above.and(more))
            };
            // The last document placed was unjudged (the sum so far stands there already) or relevant.
            let after_unjudged = if passed == 0 { (placed == 0).then_some(0.0) } else { sums[placed] };
            let after_relevant = placed.checked_sub(1).and_then(|before| Some(sums[before]? + term(before)));
            sums[placed] = match (after_unjudged, after_relevant) {
                (Some(a), Some(b)) => Some(best(a, b)),
                (a, b) => a.or(b),
            };
        }
        // All `shown` are placed where so many of them are relevant.
        if let Some(last) = shown.checked_sub(passed).filter(|last| *last <= relevant)
            && let Some(sum) = sums[last]
        {
            end = Some(end.map_or(sum, |other| best(other, sum)));
        }
    }
    end.unwrap_or(0.0)
}

/// The mean sum of terms. At each place a relevant document stands with chance r/n; the others above it are drawn from the
/// rest. The term is linear in the pooled but unjudged ones, so their mean, given the judged ones, is enough. O(shown *
/// relevant * non-relevant).
fn expected(above: Above, members: Above, shown: usize) -> f64 {
    let documents = members.documents();
    if members.rel == 0.0 {
        return 0.0;
    }
    let others = Above { rel: members.rel - 1.0, ..members };
    let left = others.unjudged + others.unpooled;
    let share = if left > 0.0 { others.unjudged / left } else { 0.0 };
    let (relevant, nonrelevant) = (others.rel as usize, others.nonrel as usize);
    let mut drawn = DrawnAbove::new(relevant, nonrelevant, left);
    let mut sum = 0.0;
    for place in 0..shown {
        for rel in 0..=relevant.min(place) {
            for nonrel in 0..=nonrelevant.min(place - rel) {
                let chance = drawn.chance(rel, nonrel);
                if chance > 0.0 {
                    let rest = (place - rel - nonrel) as f64;
                    let more = Above {
                        rel: rel as f64,
                        nonrel: nonrel as f64,
                        unjudged: rest * share,
                        unpooled: rest * (1.0 - share),
                    };
                    sum += chance * expected_precision(above.and(more));
                }
            }
        }
        // One more is drawn from the `documents - 1` others.
        let undrawn = documents - 1.0 - place as f64;
        if undrawn <= 0.0 {
            break;
        }
        drawn.one_more(place, undrawn);
    }
    sum * members.rel / documents
}

/// The chance of so many relevant and non-relevant documents among those drawn.
struct DrawnAbove {
    relevant: usize,
    nonrelevant: usize,
    /// Documents of neither kind.
    left: f64,
    chances: Vec<f64>,
}

impl DrawnAbove {
    /// Nothing is drawn yet.
    fn new(relevant: usize, nonrelevant: usize, left: f64) -> DrawnAbove {
        let mut chances = vec![0.0; (relevant + 1) * (nonrelevant + 1)];
        chances[0] = 1.0;
        DrawnAbove { relevant, nonrelevant, left, chances }
    }

    #[inline]
    fn chance(&self, rel: usize, nonrel: usize) -> f64 {
        self.chances[rel * (self.nonrelevant + 1) + nonrel]
    }

    /// Draws one more of `undrawn` documents, after `place` of them.
    fn one_more(&mut self, place: usize, undrawn: f64) {
        let (relevant, nonrelevant, width) = (self.relevant, self.nonrelevant, self.nonrelevant + 1);
        let chances = &mut self.chances;
        for rel in (0..=relevant.min(place + 1)).rev() {
            for nonrel in (0..=nonrelevant.min(place + 1 - rel)).rev() {
                let at = rel * width + nonrel;
                let rest = self.left - (place as f64 - rel as f64 - nonrel as f64);
                let stays = chances[at] * (rest / undrawn).max(0.0);
                let one_rel = if rel > 0 { chances[at - width] * (relevant - rel + 1) as f64 / undrawn } else { 0.0 };
                let one_nonrel =
                    if nonrel > 0 { chances[at - 1] * (nonrelevant - nonrel + 1) as f64 / undrawn } else { 0.0 };
                chances[at] = stays + one_rel + one_nonrel;
            }
        }
    }
}
