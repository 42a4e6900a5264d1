//! IPrec and IPrecAvg: interpolated precision at recall levels, and its average over them.
//!
//! The one decision: a recall level c is a number of documents, the c * R that must have been found, and how it becomes
//! whole is said by [`Rounding`], because trec_eval 9 and 10 differ in it.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::Open;
use crate::citations;
use crate::info::{Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, RELEVANCE, SpecError, Value};
use crate::tally;
use crate::ties::{self, TieRule, Tied};

/// The eleven standard levels.
pub const ELEVEN: [f64; 11] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// What c * R may exceed a whole number by and still count as it: 0.55 * 100 is 55.00000000000001 in floating point.
const TOLERANCE: f64 = 1e-9;

/// How the number of documents for a recall level becomes whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rounding {
    /// The least count whose recall is at least c: c * R rounded up (within 1e-9).
    #[default]
    Definition,
    /// c * R + 0.9, fraction dropped: trec_eval up to 9.
    TrecEval9,
    /// c * R rounded to the nearest, halves up: trec_eval 10. Recall may then be below the level.
    TrecEval10,
}

impl Rounding {
    /// The documents that must have been found.
    pub fn count(self, level: f64, relevant: u32) -> u32 {
        let share = level * f64::from(relevant);
        // `as` saturates, and levels are in 0..=1, so the count is at most `relevant` (+ 0 by the tolerance).
        match self {
            Rounding::Definition => (share - TOLERANCE).ceil() as u32,
            Rounding::TrecEval9 => (share + 0.9) as u32,
            Rounding::TrecEval10 => share.round() as u32,
        }
    }

    fn of(spec: &MeasureSpec) -> Result<Rounding, SpecError> {
        match spec.word("rounding")? {
            None | Some("definition") => Ok(Rounding::Definition),
            Some("trec_eval9") => Ok(Rounding::TrecEval9),
            Some("trec_eval10") => Ok(Rounding::TrecEval10),
            Some(_) => Err(spec.illegal("rounding", ROUNDING.legal)),
        }
    }

    fn print(self, spec: MeasureSpec) -> MeasureSpec {
        match self {
            Rounding::Definition => spec,
            Rounding::TrecEval9 => spec.with("rounding", Value::Word("trec_eval9".into())),
            Rounding::TrecEval10 => spec.with("rounding", Value::Word("trec_eval10".into())),
        }
    }
}

const ROUNDING: Parameter = Parameter {
    name: "rounding",
    default: "definition",
    legal: Legal::Words(&["definition", "trec_eval9", "trec_eval10"]),
    meaning: "number of documents for recall c of R: c*R rounded up; trunc(c*R + 0.9); c*R rounded to the nearest",
};

/// The row of IPrec.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "IPrec",
    aliases: &["iprec_at_recall"],
    summary: "The best precision at any rank where recall is at least the given level.",
    formula: "IPrec@c = max over ranks i with R@i >= c of P@i; 0 where recall never reaches c",
    reading: "IPrec@0.5 = 0.3: a user who wants half of the relevant documents can have them with precision 0.3.",
    misleads: "Interpolation can only raise precision: IPrec@0 is the best precision at any rank, not precision at the \
               top. With small R, most levels depend on the same few documents, and the rounding of c*R \
               matters: karat rounds up, so that recall is at least c; trec_eval 10 rounds to the nearest. For R = 11 and \
               c = 0.1 karat requires 2 documents and trec_eval 10 requires 1. rounding=trec_eval10, or `karat trec_eval`, \
               gives the value of trec_eval.",
    citation: citations::MANNING,
    parameters: &[
        Parameter {
            name: "cutoff",
            default: "",
            legal: Legal::Described("a number from 0 to 1"),
            meaning: "the recall level: IPrec@0.1",
        },
        ROUNDING,
        RELEVANCE,
    ],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "IPrec@0.2",
            "0 1 0 0 1 0 0 1 0 1",
            "1 1 1 1 1",
            0.4,
            "2 of 9 needed: P@5 = 2/5, P@8 = 3/8, P@10 = 4/10",
        ),
        Example::new("IPrec@0.4", "1 0 1 0", "1", 2.0 / 3.0, "1.2 of 3 needed, so 2: P@3 = 2/3"),
        Example::new(
            "IPrec(rounding=trec_eval10)@0.4",
            "1 0 1 0",
            "1",
            1.0,
            "1.2 of 3 rounds to 1, found at rank 1, though recall is only 1/3 there: P@1 = 1",
        ),
    ],
    build: |spec| match spec.raw_cutoff() {
        Some(recall) if (0.0..=1.0).contains(&recall) => {
            Ok(Box::new(InterpolatedPrecision { recall, rounding: Rounding::of(spec)?, level: spec.level()? }))
        }
        _ => Err(spec.illegal("cutoff", "a recall level from 0 to 1, as in IPrec@0.1,")),
    },
};

/// The row of IPrecAvg.
pub static AVERAGE: MeasureInfo = MeasureInfo {
    name: "IPrecAvg",
    aliases: &["11pt", "11pt_avg"],
    summary: "Interpolated precision averaged over recall levels, by default the eleven from 0 to 1.",
    formula: "IPrecAvg = (1/n) * sum over the n levels c of IPrec@c;  levels 0, 0.1, ... 1 unless given",
    reading: "The area under the interpolated precision-recall curve, read off at eleven points.",
    misleads: "Superseded by AP, which needs no interpolation; use it to compare with old results. All levels have the \
               same weight, although IPrec@0 tends to be high.",
    citation: citations::MANNING,
    parameters: &[
        Parameter {
            name: "levels",
            default: "[0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1]",
            legal: Legal::Described("a list of numbers from 0 to 1"),
            meaning: "the recall levels: IPrecAvg(levels=[0.2,0.5,0.8]) is the old 3-point average",
        },
        ROUNDING,
        RELEVANCE,
    ],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "IPrecAvg",
            "0 1 0 0 1 0 0 1 0 1",
            "1 1 1 1 1",
            2.2 / 11.0,
            "levels 0 to 1 need 0 1 2 3 4 5 6 7 8 9 9 of 9: .5 .5 .4 .4 .4 0 0 0 0 0 0, sum 2.2",
        ),
        Example::new(
            "IPrecAvg(levels=[0.25,0.5,0.75])",
            "1 0 1 0",
            "1 1",
            (1.0 + 2.0 / 3.0) / 3.0,
            "1, 2 and 3 of 4 needed: 1, 2/3 and never",
        ),
    ],
    build: |spec| {
        let mut levels = spec.list("levels")?.unwrap_or(&ELEVEN).to_vec();
        if levels.is_empty() || !levels.iter().all(|level| (0.0..=1.0).contains(level)) {
            return Err(spec.illegal("levels", "a list of numbers from 0 to 1"));
        }
        levels.sort_by(f64::total_cmp);
        Ok(Box::new(AverageOverLevels { levels, rounding: Rounding::of(spec)?, level: spec.level()? }))
    },
};

/// How the mean over the orders of tied documents is come by.
const HOW: &str = "from the chance that precision exceeds a value nowhere, for every value it can take (O((t r)^2) for t \
                   tied documents with r relevant ones; not given where that is too much)";

#[derive(Debug, Clone, Copy)]
struct InterpolatedPrecision {
    recall: f64,
    rounding: Rounding,
    level: f64,
}

impl Measure for InterpolatedPrecision {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        self.rounding.print(MeasureSpec::new(&INFO)).with_level(self.level).real_cutoff(self.recall)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let best = self.value(view)?;
        let (low, high) = range(view, self.level, &[self.recall], self.rounding);
        Ok(Score::within(best, low.min(best), high.max(best)))
    }

    fn value(&self, view: &TopicView<'_>) -> Result<f64, Undefined> {
        let wanted = self.rounding.count(self.recall, view.facts.relevant(self.level));
        let (mut seen, mut best) = (0u32, 0.0f64);
        for (index, judgement) in view.ranks.iter().enumerate() {
            if judgement.is_relevant(self.level) {
                seen += 1;
                // Precision peaks at relevant documents, so only their ranks can hold the maximum.
                if seen >= wanted {
                    best = best.max(f64::from(seen) / (index + 1) as f64);
                }
            }
        }
        Ok(best)
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        let wanted = self.rounding.count(self.recall, tied.view.facts.relevant(self.level)) as usize;
        TieRule::ordered(ties::relevance(self.level), HOW, move || {
            ties::expected_maximum(tied, |judgement| judgement.is_relevant(self.level), wanted)
        })
    }
}

#[derive(Debug, Clone)]
struct AverageOverLevels {
    /// Ascending.
    levels: Vec<f64>,
    rounding: Rounding,
    level: f64,
}

impl Measure for AverageOverLevels {
    fn info(&self) -> &'static MeasureInfo {
        &AVERAGE
    }

    fn spec(&self) -> MeasureSpec {
        let spec = MeasureSpec::new(&AVERAGE);
        let spec = if self.levels == ELEVEN { spec } else { spec.with("levels", Value::List(self.levels.clone())) };
        self.rounding.print(spec).with_level(self.level)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let value = self.value(view)?;
        let (low, high) = range(view, self.level, &self.levels, self.rounding);
        Ok(Score::within(value, low.min(value), high.max(value)))
    }

    fn value(&self, view: &TopicView<'_>) -> Result<f64, Undefined> {
        let mut sum = 0.0;
        at_levels(view, self.level, &self.levels, self.rounding, |_, precision| sum += precision);
        Ok(sum / self.levels.len() as f64)
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        TieRule::ordered(ties::relevance(self.level), HOW, move || {
            let relevant = tied.view.facts.relevant(self.level);
            let (mut sum, mut last) = (0.0, None);
            for level in &self.levels {
                let wanted = self.rounding.count(*level, relevant) as usize;
                // Neighbouring levels often want the same number of documents.
                let mean = match last {
                    Some((count, mean)) if count == wanted => mean,
                    _ => ties::expected_maximum(tied, |judgement| judgement.is_relevant(self.level), wanted)?,
                };
                sum += mean;
                last = Some((wanted, mean));
            }
            Ok(sum / self.levels.len() as f64)
        })
    }
}

/// Interpolated precision at every level, the highest level first; `levels` ascend. One pass from the end of the list,
/// so that the maximum over all later ranks is at hand.
pub fn at_levels(
    view: &TopicView<'_>,
    level: f64,
    levels: &[f64],
    rounding: Rounding,
    mut each: impl FnMut(usize, f64),
) {
    let relevant = view.facts.relevant(level);
    let wanted = |index: usize| rounding.count(levels[index], relevant) as usize;
    let mut seen = tally::relevant(view.ranks, level);
    let mut left = levels.len();
    while left > 0 && wanted(left - 1) > seen {
        each(left - 1, 0.0);
        left -= 1;
    }
    let mut best = 0.0f64;
    for (index, judgement) in view.ranks.iter().enumerate().rev() {
        if !judgement.is_relevant(level) {
            continue;
        }
        best = best.max(seen as f64 / (index + 1) as f64);
        while left > 0 && wanted(left - 1) == seen {
            each(left - 1, best);
            left -= 1;
        }
        seen -= 1;
    }
    while left > 0 {
        each(left - 1, best);
        left -= 1;
    }
}

/// Mean over the levels of the least and greatest interpolated precision. The greatest is exact for one level: a rank is
/// best where all unjudged documents down to it are relevant and no others. The least is sound: as many documents as
/// could ever be wanted, and only judged ones to meet them.
fn range(view: &TopicView<'_>, level: f64, levels: &[f64], rounding: Rounding) -> (f64, f64) {
    let open = Open::of(view, level);
    let relevant = view.facts.relevant(level);
    let most = relevant + (open.retrieved + open.missed) as u32;
    let (mut lows, mut highs) = (vec![0.0; levels.len()], vec![0.0; levels.len()]);
    let (mut found, mut unjudged) = (0u32, 0u32);
    for (index, judgement) in view.ranks.iter().enumerate() {
        found += u32::from(judgement.is_relevant(level));
        unjudged += u32::from(open.retrieved > 0 && !judgement.is_judged());
        let share = |count: u32| f64::from(count) / (index + 1) as f64;
        for (at, recall) in levels.iter().enumerate() {
            if found >= rounding.count(*recall, most) {
                lows[at] = share(found).max(lows[at]);
            }
            if found + unjudged >= rounding.count(*recall, relevant + unjudged) {
                highs[at] = share(found + unjudged).max(highs[at]);
            }
        }
    }
    let mean = |values: Vec<f64>| values.iter().sum::<f64>() / levels.len() as f64;
    (mean(lows), mean(highs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roundings_of_a_recall_level() {
        // 0.55 * 100 = 55.00000000000001 in floating point, and is 55 documents.
        assert_eq!(Rounding::Definition.count(0.55, 100), 55);
        // R = 3: 0.4 * 3 = 1.2 and 0.8 * 3 = 2.4, the example of trec_eval 9 against 10.
        assert_eq!([0.4, 0.8].map(|level| Rounding::Definition.count(level, 3)), [2, 3]);
        assert_eq!([0.4, 0.8].map(|level| Rounding::TrecEval9.count(level, 3)), [2, 3]);
        assert_eq!([0.4, 0.8].map(|level| Rounding::TrecEval10.count(level, 3)), [1, 2]);
        // 0.05 * 1 + 0.9 = 0.95: trec_eval 9 asks for none where the definition asks for one.
        assert_eq!(Rounding::TrecEval9.count(0.05, 1), 0);
        assert_eq!(Rounding::Definition.count(0.05, 1), 1);
        assert_eq!(Rounding::Definition.count(0.0, 9), 0);
        assert_eq!(Rounding::Definition.count(1.0, 9), 9);
    }
}
