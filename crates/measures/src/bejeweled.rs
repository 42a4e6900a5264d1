//! BPM: a user who stops when enough was gained or enough was looked at.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds;
use crate::info::{Citation, Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::scale::{MAX_REL, MIN_REL, Scale};
use crate::score::{Score, Undefined};
use crate::spec::{CUTOFF, MeasureSpec, SpecError, Value};
use crate::user_model::gain_of;

/// Gains are fractions: three times 1/3 is enough for 1, whatever the last bit says.
const ENOUGH: f64 = 1e-9;

const STEPS: &str = "a number from 0 to 1000";

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "BPM",
    aliases: &["bpm"],
    summary: "Gain per document for a user who stops after a gain of T or after k documents.",
    formula: "BPM@k = (1/s) * sum over ranks i <= s of gain_i, s the first rank where the gain of ranks 1 to s is T or more, or s is k \
              or more. Dynamic (hb or hc above 0): after each rank not stopped at, T grows by hb * (gain_i - med) and k by hc * \
              (gain_i - med)",
    reading: "T = 1: precision at the rank where the gain reaches that of one fully relevant document.",
    misleads: "A better document can lower the score: the user stops earlier, and the gain per document may fall. gain \
               = (grade - min_rel) / (max_rel - min_rel): fix max_rel to compare collections. cwl_eval adds gains as \
               floats, so 1 + 2/3 + 2/3 + 2/3 does not reach T = 3 there; and its dynamic model ignores hc (it changes \
               T instead of k). The bounds are exact if T and k are fixed and grades are whole numbers; in the dynamic \
               model they are 0 to 1.",
    citation: Citation {
        text: "Zhang, Liu, Li, Zhang, Xu and Ma (2017), Evaluating web search with a Bejeweled player model, SIGIR.",
        bibtex: "@inproceedings{zhang2017, author={Fan Zhang and Yiqun Liu and Xin Li and Min Zhang and Yinghui Xu and \
                 Shaoping Ma}, title={Evaluating web search with a {Bejeweled} player model}, booktitle={SIGIR}, \
                 pages={425--434}, year={2017}}",
    },
    parameters: &[
        CUTOFF,
        Parameter {
            name: "T",
            default: "1",
            legal: Legal::Described("a number above 0, to 1000000"),
            meaning: "gain at which the user stops",
        },
        Parameter {
            name: "hb",
            default: "0",
            legal: Legal::Described(STEPS),
            meaning: "how much the gain of a rank changes T",
        },
        Parameter {
            name: "hc",
            default: "0",
            legal: Legal::Described(STEPS),
            meaning: "how much the gain of a rank changes k",
        },
        Parameter {
            name: "med",
            default: "0.5",
            legal: Legal::Described("a number from 0 to 1"),
            meaning: "the gain that changes neither T nor k",
        },
        MIN_REL,
        MAX_REL,
    ],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new("BPM(T=1)@10", "1 0 2 2", "", 0.5, "gains 1/2, 0, 1: 1.5 is enough at rank 3: 1.5/3").up_to(2.0),
        Example::new(
            "BPM(T=3)@10",
            "3 2 2 2 0",
            "",
            0.75,
            "1 + 3 * 2/3 is enough at rank 4, though not in floats: 3/4",
        )
        .up_to(3.0),
        Example::new("BPM(T=5)@10", "1 0 2 2", "", 0.25, "2.5 is not enough: all 10 ranks, 2.5/10").up_to(2.0),
        Example::new(
            "BPM(T=1,hb=1)@10",
            "0 1 2 2",
            "",
            0.25,
            "T falls to 0.5 after gain 0 and is met by gain 1/2 at rank 2: 0.5/2",
        )
        .up_to(2.0),
        Example::new(
            "BPM(T=9,hc=2)@2",
            "2 0 2 2",
            "",
            2.0 / 3.0,
            "k grows to 3 after gain 1: rank 2 goes on; k falls to 2 after gain 0: rank 3 stops: (1 + 0 + 1)/3",
        )
        .up_to(2.0),
    ],
    build: |spec| {
        let target = spec.number("T")?.unwrap_or(1.0);
        if !(target > 0.0 && target <= 1e6) {
            return Err(spec.illegal("T", "a number above 0, at most 1000000"));
        }
        let number = |name: &'static str, default: f64, most: f64, legal: &str| -> Result<f64, SpecError> {
            let number = spec.number(name)?.unwrap_or(default);
            if (0.0..=most).contains(&number) { Ok(number) } else { Err(spec.illegal(name, legal)) }
        };
        Ok(Box::new(Bejeweled {
            target,
            cutoff: spec.required_cutoff()?,
            target_step: number("hb", 0.0, 1000.0, STEPS)?,
            cutoff_step: number("hc", 0.0, 1000.0, STEPS)?,
            median: number("med", 0.5, 1.0, "a number from 0 to 1")?,
            scale: Scale::of_spec(spec)?,
        }))
    },
};

#[derive(Debug, Clone, Copy)]
struct Bejeweled {
    target: f64,
    cutoff: usize,
    target_step: f64,
    cutoff_step: f64,
    median: f64,
    scale: Scale,
}

impl Measure for Bejeweled {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    /// None where what was found moves it.
    fn cutoff(&self) -> Option<usize> {
        (self.cutoff_step == 0.0).then_some(self.cutoff)
    }

    fn spec(&self) -> MeasureSpec {
        let spec = MeasureSpec::new(&INFO).with("T", Value::Number(self.target));
        let spec = spec.with_unless("hb", self.target_step, 0.0).with_unless("hc", self.cutoff_step, 0.0);
        self.scale.print(spec.with_unless("med", self.median, 0.5)).cutoff(self.cutoff)
    }

    fn counts_missed(&self) -> bool {
        false
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let value = self.value(view)?;
        let whole_range = bounds::anything(view, &INFO, value);
        if self.target_step > 0.0 || self.cutoff_step > 0.0 {
            return Ok(whole_range);
        }
        let scaled = self.scale.in_collection(&view.collection);
        let ends = bounds::player::bounds(view, scaled, self.target - ENOUGH, self.cutoff);
        // The bounds are computed in whole steps.
        Ok(ends.map_or(whole_range, |(low, high)| Score::within(value, low.min(value), high.max(value))))
    }

    fn value(&self, view: &TopicView<'_>) -> Result<f64, Undefined> {
        let scaled = self.scale.in_collection(&view.collection);
        let (mut target, mut cutoff, mut total) = (self.target, self.cutoff as f64, 0.0);
        for (index, &judgement) in view.ranks.iter().enumerate() {
            let (rank, gain) = ((index + 1) as f64, gain_of(judgement, scaled));
            total += gain;
            if total >= target - ENOUGH || rank >= cutoff - ENOUGH {
                return Ok(total / rank);
            }
            target += self.target_step * (gain - self.median);
            cutoff += self.cutoff_step * (gain - self.median);
        }
        // Below the list nothing is gained, T and k fall by the same step at every rank, and one is met in the end.
        let (next, target_falls, cutoff_falls) =
            ((view.ranks.len() + 1) as f64, self.target_step * self.median, self.cutoff_step * self.median);
        let enough = if target_falls > 0.0 { (target - total - ENOUGH) / target_falls } else { f64::INFINITY };
        let tired = (cutoff - next - ENOUGH) / (1.0 + cutoff_falls);
        Ok(total / (next + enough.min(tired).ceil().max(0.0)))
    }
}
