//! nDCGrel and Rndcg: nDCG averaged over ranks instead of taken at one, as trec_eval's experiments have it.

use karat_data::{Judgement, JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds;
use crate::citations;
use crate::discount::{Discounts, LOG2_3};
use crate::gains::{GAINS_WITH_UNJUDGED, Gains};
use crate::info::{Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::ndcg::ideal_dcg;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, RELEVANCE};
use crate::ties::{TieRule, Tied};

/// The row of nDCGrel.
pub static OVER_RELEVANT: MeasureInfo = MeasureInfo {
    name: "nDCGrel",
    aliases: &["ndcg_rel"],
    summary: "nDCG@i averaged over the ranks i of all documents with a positive gain.",
    formula: "nDCGrel = (1/G) * (sum over retrieved documents with positive gain, at rank i, of DCG@i / IDCG@i + (G - \
              those retrieved) * DCG / IDCG), G the judged documents with positive gain",
    reading: "AP averages precision over the relevant documents; this measure averages nDCG. A document that was not \
              retrieved counts with the final value.",
    misleads: "Experimental in trec_eval and rarely reported elsewhere. A document that was not retrieved still adds \
               the final nDCG.",
    citation: citations::TREC_EVAL,
    parameters: &[GAINS_WITH_UNJUDGED],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new(
        "nDCGrel",
        "1 0 1",
        "",
        (1.0 + 1.5 / (1.0 + 1.0 / LOG2_3)) / 2.0,
        "ranks 1 and 3: 1/1 and (1 + 1/2)/(1 + 1/log2(3)), averaged",
    )],
    build: |spec| Ok(Box::new(Averaged { at: At::Relevant, gains: Gains::of_spec(spec, true)? })),
};

/// The row of Rndcg.
pub static AT_LEVELS: MeasureInfo = MeasureInfo {
    name: "Rndcg",
    aliases: &["RnDCG"],
    summary: "nDCG averaged over the ranks where the grade changes in the ideal ranking.",
    formula: "Rndcg = mean of DCG@b / IDCG@b over b = the number of documents with one of the j greatest gains, j = 1, 2, \
              ... (positive gains), and of DCG / IDCG at the end of a list that is more than one longer than the last b",
    reading: "Graded R-precision: with 5 documents of grade 2 and 3 of grade 1, nDCG is measured at ranks 5 and 8.",
    misleads: "Experimental in trec_eval. It is 0 if no document reaches the relevance level, although gains do not \
               depend on that level.",
    citation: citations::TREC_EVAL,
    parameters: &[GAINS_WITH_UNJUDGED, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "Rndcg",
            "1 2",
            "",
            (0.5 + (1.0 + 2.0 / LOG2_3) / (2.0 + 1.0 / LOG2_3)) / 2.0,
            "b = 1: 1/2; b = 2: (1 + 2/log2(3))/(2 + 1/log2(3)); the list is not longer",
        )
        .up_to(2.0),
        Example::new("Rndcg", "1 0 0 0", "", 1.0, "b = 1: 1/1; end of the list (4 > 1 + 1): 1/1"),
        Example::new(
            "Rndcg",
            "0 0 1",
            "",
            0.25,
            "b = 1: 0/1; end of the list (3 > 1 + 1): (1/log2(4))/1 = 0.5; their mean",
        ),
    ],
    build: |spec| {
        let at = At::Levels { level: spec.level()? };
        Ok(Box::new(Averaged { at, gains: Gains::of_spec(spec, true)? }))
    },
};

/// How nDCGrel's mean over the orders of tied documents is come by.
const HOW: &str = "from the joint moments of the gains at two places (with gains below 0 or of unjudged documents, every \
                   order is scored while they are few)";

#[derive(Debug, Clone, Copy)]
enum At {
    Relevant,
    Levels { level: f64 },
}

#[derive(Debug, Clone)]
struct Averaged {
    at: At,
    gains: Gains,
}

impl Measure for Averaged {
    fn info(&self) -> &'static MeasureInfo {
        match self.at {
            At::Relevant => &OVER_RELEVANT,
            At::Levels { .. } => &AT_LEVELS,
        }
    }

    fn spec(&self) -> MeasureSpec {
        let spec = self.gains.print(MeasureSpec::new(self.info()));
        match self.at {
            At::Relevant => spec,
            At::Levels { level } => spec.with_level(level),
        }
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let value = match self.at {
            At::Relevant => over_relevant(view, &self.gains),
            At::Levels { level } if view.facts.relevant(level) > 0 => at_levels(view, &self.gains),
            At::Levels { .. } => 0.0,
        };
        Ok(bounds::whole_range(view, self.info(), &self.gains, value))
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        let gain = |judgement: Judgement| self.gains.of_judgement(judgement);
        match self.at {
            At::Relevant => {
                // With gains below 0 more may be less, and with gains of unjudged documents more may be found than
                // is wanted: then the whole may be cut off at 0.
                let odd = |judgement: &Judgement| {
                    let gain = gain(*judgement);
                    gain < 0.0 || (gain > 0.0 && !judgement.is_judged())
                };
                if tied.view.ranks.iter().chain(tied.groups.iter().flat_map(|group| group.members)).any(odd) {
                    return TieRule::Enumerated;
                }
                TieRule::ordered(gain, HOW, || Ok(expected_over_relevant(tied, &self.gains)))
            }
            At::Levels { level } if tied.view.facts.relevant(level) > 0 => {
                let weights = weights_at_levels(&tied.view, &self.gains);
                TieRule::linear(gain, move |rank| weights.get(rank - 1).copied().unwrap_or(0.0))
            }
            At::Levels { .. } => TieRule::Constant,
        }
    }
}

fn over_relevant(view: &TopicView<'_>, gains: &Gains) -> f64 {
    let wanted: usize = gains.ideal(view.facts).map(|group| group.count).sum();
    if wanted == 0 {
        return 0.0;
    }
    let discounts = Discounts::get();
    let mut ideal_gains = gains.ideal(view.facts).flat_map(|group| std::iter::repeat_n(group.gain, group.count));
    let (mut run, mut ideal, mut sum, mut found) = (0.0, 0.0, 0.0, 0.0);
    for (index, judgement) in view.ranks.iter().enumerate() {
        let gain = gains.of_judgement(*judgement);
        if gain != 0.0 {
            run += gain / discounts.at(index + 1);
        }
        if let Some(best) = ideal_gains.next() {
            ideal += best / discounts.at(index + 1);
        }
        if gain > 0.0 {
            sum += run / ideal;
            found += 1.0;
        }
    }
    sum += (wanted as f64 - found) * run / ideal_dcg(view.facts, gains, usize::MAX);
    sum.max(0.0) / wanted as f64
}

fn at_levels(view: &TopicView<'_>, gains: &Gains) -> f64 {
    let discounts = Discounts::get();
    let mut gained = view.ranks.iter().map(|judgement| gains.of_judgement(*judgement)).enumerate();
    let mut next = || gained.next().map_or(0.0, |(index, gain)| gain / discounts.at(index + 1));
    let (mut rank, mut run, mut ideal, mut sum, mut points) = (0, 0.0, 0.0, 0.0, 0.0);
    for group in gains.ideal(view.facts) {
        for _ in 0..group.count {
            rank += 1;
            run += next();
            ideal += group.gain / discounts.at(rank);
        }
        sum += run / ideal;
        points += 1.0;
    }
    if points == 0.0 {
        return 0.0;
    }
    if view.ranks.len() > rank + 1 {
        for _ in rank..view.ranks.len() {
            run += next();
        }
        sum += run / ideal;
        points += 1.0;
    }
    sum / points
}

/// The mean of [`over_relevant`] over the orders of tied documents, gains not below 0. Of n tied documents with the gains g,
/// P of them above 0 and G in all, one above 0 stands at a place with chance P/n, its own gain is G/n on average, and
/// that of another place then (P - 1) G / (n(n-1)).
fn expected_over_relevant(tied: &Tied<'_>, gains: &Gains) -> f64 {
    let view = &tied.view;
    let wanted = gains.ideal(view.facts).map(|group| group.count).sum::<usize>() as f64;
    if wanted == 0.0 {
        return 0.0;
    }
    let discounts = Discounts::get();
    let mut ideal_gains = gains.ideal(view.facts).flat_map(|group| std::iter::repeat_n(group.gain, group.count));
    // `end` is the mean of (wanted - found) * DCG after the blocks so far.
    let (mut run, mut ideal, mut sum, mut found, mut end) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for block in tied.blocks() {
        let documents = block.members.len() as f64;
        let of_block = || block.members.iter().map(|judgement| gains.of_judgement(*judgement));
        let total: f64 = of_block().sum();
        let positive = of_block().filter(|gain| *gain > 0.0).count() as f64;
        let (chance, own) = (positive / documents, total / documents);
        let other =
            if documents > 1.0 { (positive - 1.0).max(0.0) * total / (documents * (documents - 1.0)) } else { 0.0 };
        let mut above = 0.0;
        for rank in block.start + 1..=block.end {
            let discount = discounts.at(rank);
            if let Some(best) = ideal_gains.next() {
                ideal += best / discount;
            }
            if positive > 0.0 {
                sum += (chance * run + own / discount + other * above) / ideal;
            }
            above += 1.0 / discount;
        }
        let shown = block.shown() as f64;
        // Only the last block can be cut, so what was found above it is as many in every order.
        let joint = chance * shown * run + above * (own + (shown - 1.0) * other);
        end = (wanted - found) * (run + own * above) - joint;
        run += own * above;
        found += chance * shown;
    }
    (sum + end / ideal_dcg(view.facts, gains, usize::MAX)) / wanted
}

/// The weight of every rank's gain in [`at_levels`]: its discount times the sum of 1 / IDCG of the points at or below it.
fn weights_at_levels(view: &TopicView<'_>, gains: &Gains) -> Vec<f64> {
    let discounts = Discounts::get();
    let (mut rank, mut ideal) = (0, 0.0);
    // Where a point lies, and what a gain above it counts.
    let mut points: Vec<(usize, f64)> = Vec::new();
    for group in gains.ideal(view.facts) {
        for _ in 0..group.count {
            rank += 1;
            ideal += group.gain / discounts.at(rank);
        }
        points.push((rank, 1.0 / ideal));
    }
    if !points.is_empty() && view.ranks.len() > rank + 1 {
        points.push((view.ranks.len(), 1.0 / ideal));
    }
    let mean = 1.0 / points.len().max(1) as f64;
    let weight = |rank: usize| -> f64 {
        let counts: f64 = points.iter().filter(|(at, _)| *at >= rank).map(|(_, count)| count).sum();
        counts * mean / discounts.at(rank)
    };
    (1..=view.ranks.len()).map(weight).collect()
}
