//! INST and INSQ: users who want T relevant documents, and go on the longer the more of them are missing (INST) or
//! whatever they have found (INSQ).

use karat_data::{CollectionFacts, Judgement, JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::info::{Citation, Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::linear::{self, Form, Gain, Weighting};
use crate::measure::Measure;
use crate::scale::{MAX_REL, MIN_REL, Scale};
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, OPTIONAL_CUTOFF, SpecError, Value};
use crate::ties::{TieRule, Tied};
use crate::user_model::{self, UserModel, inverse_squares};

/// pi^2 / 6, the sum of all inverse squares, for worked examples.
const BASEL: f64 = std::f64::consts::PI * std::f64::consts::PI / 6.0;

/// The row of INST.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "INST",
    aliases: &["inst"],
    summary: "Gain per document for a user who wants T relevant documents and stops sooner as they are found.",
    formula: "INST = sum over ranks i of V_i * gain_i / sum over i of V_i, V_1 = 1, V_(i+1) = V_i * ((i - 1 + T + T_i) / (i + T + \
              T_i))^2, T_i = T less the gain of ranks 1 to i;  INST@k: the user stops at rank k at the latest",
    reading: "T = 1: the user wants one relevant document. If none is found, the user looks at about 2T + 1/2 documents.",
    misleads: "The list is continued with non-relevant documents without end; cwl_eval and ir_measures stop at rank \
               1000, so their value is INST@1000 (for T = 1 larger by at most 0.15%). gain = (grade - min_rel) / \
               (max_rel - min_rel): fix max_rel to compare collections. The number of documents that the user looks at \
               depends on the judgements, so unjudged documents have a further effect besides their missing gain; but \
               a larger gain never lowers the score. The bounds continue the list with documents of gain 0 or of the \
               largest gain.",
    citation: Citation {
        text: "Moffat, Bailey, Scholer and Thomas (2015), INST: an adaptive metric for information retrieval evaluation, ADCS.",
        bibtex: "@inproceedings{moffat2015, author={Alistair Moffat and Peter Bailey and Falk Scholer and Paul Thomas}, \
                 title={{INST}: an adaptive metric for information retrieval evaluation}, booktitle={ADCS}, year={2015}}",
    },
    parameters: &[
        Parameter {
            name: "T",
            default: "1",
            legal: Legal::Described("a number from 0.5 to 1000000"),
            meaning: "number of relevant documents (gain) wanted; below 0.5 the formula gives no probabilities",
        },
        OPTIONAL_CUTOFF,
        MIN_REL,
        MAX_REL,
    ],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "INST(T=1)",
            "1 0",
            "",
            1.0 / BASEL,
            "V = 1, (1/2)^2, (1/3)^2, ...: 1 / (pi^2 / 6) = 0.6079; the gain at rank 1 left T_1 = 0",
        ),
        Example::new("INST(T=1)@2", "1 0 1", "", 0.8, "V = 1, 1/4 and no more: 1 / 1.25"),
    ],
    build: |spec| {
        let target = spec.number("T")?.unwrap_or(1.0);
        if !(0.5..=1e6).contains(&target) {
            return Err(spec.illegal("T", "a number from 0.5 to 1000000"));
        }
        Ok(Box::new(Inst { target, scale: Scale::of_spec(spec)?, cutoff: spec.optional_cutoff()? }))
    },
};

/// The row of INSQ.
pub static SQUARED: MeasureInfo = MeasureInfo {
    name: "INSQ",
    aliases: &["insq"],
    summary: "Gain per document for a user who wants T relevant documents and does not adapt to what was found.",
    formula: "INSQ = sum over ranks i of gain_i / (i - 1 + 2T)^2 / S, S = sum over all i from 1 of 1 / (i - 1 + 2T)^2;  INSQ@k: all \
              sums to rank k",
    reading: "T = 1: the first rank has weight 0.39, the second 0.17; the user looks at about 2T + 1/2 documents.",
    misleads: "Weights decrease slowly: with T = 1, 0.15% of the weight is below rank 1000 (it is part of the bounds). \
               cwl_eval and ir_measures stop at rank 1000: their value is INSQ@1000.",
    citation: Citation {
        text: "Moffat, Scholer and Thomas (2012), Models and metrics: IR evaluation as a user process, ADCS.",
        bibtex: "@inproceedings{moffat2012, author={Alistair Moffat and Falk Scholer and Paul Thomas}, title={Models and \
                 metrics: {IR} evaluation as a user process}, booktitle={ADCS}, pages={47--54}, year={2012}}",
    },
    parameters: &[WANTED, OPTIONAL_CUTOFF, MIN_REL, MAX_REL],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new("INSQ(T=1)", "1 0", "", 0.25 / (BASEL - 1.0), "(1/4) / (pi^2/6 - 1) = 0.3876"),
        Example::new("INSQ(T=1)@2", "1 - 1", "", 9.0 / 13.0, "(1/4) / (1/4 + 1/9); rank 2 could make it 1"),
        Example::new("INSQ(T=0.5,max_rel=4)@1", "2", "", 0.5, "one rank, gain 2/4").up_to(3.0),
    ],
    build: |spec| {
        Ok(Box::new(Insq { target: wanted(spec)?, scale: Scale::of_spec(spec)?, cutoff: spec.optional_cutoff()? }))
    },
};

/// The parameter `T` of models whose chances do not depend on what was found.
pub(crate) const WANTED: Parameter = Parameter {
    name: "T",
    default: "1",
    legal: Legal::Described("a number above 0, to 1000000"),
    meaning: "relevant documents (gain) wanted",
};

/// `T` of a specification.
pub(crate) fn wanted(spec: &MeasureSpec) -> Result<f64, SpecError> {
    let target = spec.number("T")?.unwrap_or(1.0);
    if target > 0.0 && target <= 1e6 { Ok(target) } else { Err(spec.illegal("T", WANTED.legal)) }
}

/// Documents looked at from the rank after `depth` to a cut-off when each is gone on from with ((x - 1) / x)^2, x = `at` + 1,
/// `at` + 2, ...: sum over m of (at / (at + m))^2.
pub(crate) fn squares_below(at: f64, depth: usize, cutoff: Option<usize>) -> f64 {
    let beyond = cutoff.map_or(0.0, |cutoff| inverse_squares(at + cutoff.saturating_sub(depth) as f64));
    at * at * (inverse_squares(at) - beyond)
}

/// Documents looked at, of `more` or without end, when each is gone on from with ((x - 1) / x)^2, x = `at` + `step`,
/// `at` + 2 `step`, ...: what INST's user does among documents of gain 1 - `step`, all below 1.
///
/// A step of 0 is a geometric series. Otherwise the chance of coming m documents on is a squared quotient of gamma
/// functions, which for large m is C w^-s, s = 2 / `step`, w = m + `at` / `step` + 1/2 - s/4, up to a factor 1 + O(s^3 / w^2):
/// terms are added to 1000 and the rest by Euler and Maclaurin's formula.
fn squares_at(at: f64, step: f64, more: Option<usize>) -> f64 {
    const TERMS: usize = 1000;
    let square = |x: f64| (x - 1.0) * (x - 1.0) / (x * x);
    if step <= 0.0 {
        let left = more.map_or(0.0, |more| libm::pow(square(at), more as f64));
        return (1.0 - left) / (1.0 - square(at));
    }
    let (mut looks, mut sum, mut x) = (1.0, 0.0, at);
    for _ in 0..TERMS.min(more.unwrap_or(TERMS)) {
        sum += looks;
        x += step;
        looks *= square(x);
    }
    if more.is_some_and(|more| more <= TERMS) || looks < f64::EPSILON * f64::EPSILON {
        return sum;
    }
    let power = 2.0 / step;
    let w = |terms: usize| terms as f64 + at / step + 0.5 - power / 4.0;
    // Terms from here on, `looks` being the first of them.
    let rest = |looks: f64, w: f64| looks * (w / (power - 1.0) + 0.5 + power / (12.0 * w));
    let beyond = more.map_or(0.0, |more| rest(looks * libm::pow(w(more) / w(TERMS), -power), w(more)));
    sum + rest(looks, w(TERMS)) - beyond
}

/// The score rises with each gain. With x_m = m + 2T - (gain to m) the derivative of log V_j by gain_i is minus the sum over m
/// from i to j - 1 of 2 / (x_m (x_m - 1)), so that of the score by gain_i has the sign of
/// V_i - sum over j > i of (gain_j - INST) V_j * that sum. The subtrahend is greatest when all gain_j are 1: a document
/// without gain adds nothing and makes x, which only weakens what comes after, larger. Then x stays and it is at most
/// V_i * 2x(x - 1) / (2x - 1)^2, below V_i / 2.
#[derive(Debug, Clone, Copy)]
struct Inst {
    target: f64,
    scale: Scale,
    cutoff: Option<usize>,
}

impl UserModel for Inst {
    #[inline]
    fn goes_on(&self, rank: usize, _: f64, total: f64) -> f64 {
        let x = rank as f64 + 2.0 * self.target - total;
        let root = (x - 1.0) / x;
        root * root
    }

    fn below(&self, depth: usize, total: f64) -> f64 {
        squares_below(depth as f64 + 2.0 * self.target - total, depth, self.cutoff)
    }

    fn below_at(&self, depth: usize, total: f64, gain: f64) -> Option<f64> {
        let more = self.cutoff.map(|cutoff| cutoff.saturating_sub(depth));
        Some(squares_at(depth as f64 + 2.0 * self.target - total, 1.0 - gain, more))
    }
}

impl Measure for Inst {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        self.scale.print(MeasureSpec::new(&INFO).with("T", Value::Number(self.target))).optional(self.cutoff)
    }

    fn counts_missed(&self) -> bool {
        false
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        Ok(user_model::score(view, self, self.scale.in_collection(&view.collection), self.cutoff))
    }
}

#[derive(Debug, Clone, Copy)]
struct Insq {
    target: f64,
    scale: Scale,
    cutoff: Option<usize>,
}

impl Insq {
    /// Weights before they are divided by their sum, from the rank after `depth` on.
    fn from(&self, depth: usize) -> f64 {
        let beyond = |depth: usize| inverse_squares(depth as f64 + 2.0 * self.target);
        beyond(depth) - self.cutoff.map_or(0.0, beyond)
    }
}

impl Weighting for Insq {
    #[inline]
    fn weight(&self, rank: usize) -> f64 {
        let x = (rank - 1) as f64 + 2.0 * self.target;
        1.0 / (x * x)
    }

    fn tail(&self, depth: usize) -> f64 {
        self.from(depth)
    }

    fn last(&self) -> Option<usize> {
        self.cutoff
    }
}

impl Measure for Insq {
    fn info(&self) -> &'static MeasureInfo {
        &SQUARED
    }

    fn spec(&self) -> MeasureSpec {
        self.scale.print(MeasureSpec::new(&SQUARED).with("T", Value::Number(self.target))).optional(self.cutoff)
    }

    fn counts_missed(&self) -> bool {
        false
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let summed = linear::score(view, self, &self.scale.in_collection(&view.collection));
        let all = self.from(0);
        // Rounding of the closed form must not lift a full list above 1.
        let share = |sum: f64| (sum / all).min(1.0);
        Ok(Score::within(share(summed.value), share(summed.low), share(summed.high)))
    }

    fn linear(&self, collection: &CollectionFacts) -> Option<Form<'_>> {
        Some(Form::new(self, self.scale.in_collection(collection), self.from(0)))
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        let scale = self.scale.in_collection(&tied.view.collection);
        let (all, last) = (self.from(0), self.cutoff.unwrap_or(usize::MAX));
        let gain = move |judgement: Judgement| judgement.grade().map_or(0.0, |grade| scale.of(grade));
        TieRule::linear(gain, move |rank| if rank <= last { self.weight(rank) / all } else { 0.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_of_one_gain_are_looked_at_as_often_as_term_by_term() {
        for (at, step) in [(1.0, 1.0), (3.0, 0.5), (8.0, 0.9), (2.5, 0.25), (40.0, 0.75), (12.0, 0.0)] {
            let literal = |more: usize| {
                let (mut looks, mut sum) = (1.0, 0.0);
                for m in 1..=more {
                    sum += looks;
                    let x = at + m as f64 * step;
                    looks *= ((x - 1.0) / x).powi(2);
                }
                sum
            };
            for more in [1, 10, 999, 1000, 1001, 30_000] {
                let found = squares_at(at, step, Some(more));
                assert!((found / literal(more) - 1.0).abs() < 1e-9, "{at} {step} {more}: {found}");
            }
            // What is beyond a million is less than the last term times a million, at most at^2 / 10^6.
            let (found, to_a_million) = (squares_at(at, step, None), literal(1_000_000));
            assert!(found >= to_a_million - 1e-9 && found - to_a_million <= at * at * 1e-6, "{at} {step}: {found}");
        }
        // Gain 0 is the closed form of the value.
        assert!((squares_at(3.0, 1.0, None) / squares_below(3.0, 0, None) - 1.0).abs() < 1e-9);
    }
}
