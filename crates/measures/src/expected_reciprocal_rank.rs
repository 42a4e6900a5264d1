//! ERR and nERR: the expected reciprocal rank at which a user is satisfied, plain and as a share of the best possible.

use karat_data::{Judgement, JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::{Open, cascade};
use crate::citations;
use crate::info::{Citation, Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, OPTIONAL_CUTOFF, SpecError, Value};
use crate::tally;
use crate::ties::{self, TieRule, Tied};

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "ERR",
    aliases: &["err"],
    summary: "Expected reciprocal rank at which a user stops; the better a document, the more likely the user stops \
              there.",
    formula: "ERR = sum over ranks r of (1/r) * S_r * product over i < r of (1 - S_i), S = (2^grade - 1) / 2^max_grade; \
              gain=linear: S = grade / (max_grade + 1)",
    reading: "A cascade model: after a perfect document at rank 1, the other ranks add little. With max_grade 1, a \
              relevant document satisfies half of the users.",
    misleads: "Depends on the largest grade of the collection: set --max-grade to compare collections (gdeval uses 4). \
               It cannot reach 1: the score of a list of only the best documents tends to -S ln(S) / (1 - S) with S = \
               1 - 2^-max_grade, which is 0.69 for max_grade 1 and 0.97 for 4.",
    citation: citations::CHAPELLE,
    parameters: &[OPTIONAL_CUTOFF, GAIN],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new("ERR", "1 0 1", "", 0.5 + 0.25 / 3.0, "S = 1/2: 1/2 + (1/3) * 1/2 * 1/2"),
        Example::new("ERR@2", "2 1", "", 0.75 + 0.5 * 0.25 * 0.25, "S = 3/4, 1/4: 3/4 + (1/2) * (1/4) * (1/4)")
            .up_to(2.0),
        Example::new(
            "ERR(gain=linear)",
            "0 3 - 2",
            "",
            0.40625,
            "S = 3/4, 2/4: (1/2) * (3/4) + (1/4) * (1/4) * (1/2); NTCIREVAL prints 0.4062",
        )
        .up_to(3.0),
    ],
    build: |spec| ExpectedReciprocalRank::build(spec, &INFO),
};

/// The row of nERR.
pub static NORMALIZED: MeasureInfo = MeasureInfo {
    name: "nERR",
    aliases: &["nerr"],
    summary: "ERR divided by that of the best possible ranking.",
    formula: "nERR@k = ERR@k / ERR@k of all judged documents by descending grade",
    reading: "1 when the judged documents come first, in the order of their grades. Unlike ERR, it can reach 1 in any \
              collection.",
    misleads: "A topic whose best document is poor has the same maximum as one with a perfect document. Unjudged \
               documents have gain 0 and are not in the ideal ranking. nERR of NTCIREVAL has another stopping \
               probability: use gain=linear, with its gain values as grades.",
    citation: SAKAI_SONG,
    parameters: &[OPTIONAL_CUTOFF, GAIN],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "nERR@2",
            "0 1 1",
            "",
            0.25 / 0.625,
            "S = 1/2: (1/2) * 1/2 = 1/4; ideal 1 1: 1/2 + (1/2) * (1/2) * (1/2) = 5/8",
        ),
        Example::new(
            "nERR(gain=linear)@2",
            "0 3 - 2",
            "3 3 2 2 1 1 1 1",
            0.375 / 0.84375,
            "S = 3/4 at rank 2: 3/8; ideal 3 3: 3/4 + (1/2) * (1/4) * (3/4) = 27/32; NTCIREVAL prints 0.4444",
        )
        .up_to(3.0),
    ],
    build: |spec| ExpectedReciprocalRank::build(spec, &NORMALIZED),
};

const SAKAI_SONG: Citation = Citation {
    text: "Sakai and Song (2011), Evaluating diversified search results using per-intent graded relevance, SIGIR.",
    bibtex: "@inproceedings{sakai2011, author={Tetsuya Sakai and Ruihua Song}, title={Evaluating diversified search \
             results using per-intent graded relevance}, booktitle={SIGIR}, pages={1043--1052}, year={2011}}",
};

const GAIN: Parameter = Parameter {
    name: "gain",
    default: "exp",
    legal: Legal::Words(&["exp", "linear"]),
    meaning: "probability that a grade satisfies: exp, (2^grade - 1) / 2^max_grade; linear, grade / (max_grade + 1), as in NTCIREVAL",
};

#[derive(Debug, Clone, Copy)]
struct ExpectedReciprocalRank {
    info: &'static MeasureInfo,
    cutoff: Option<usize>,
    linear: bool,
}

impl ExpectedReciprocalRank {
    fn build(spec: &MeasureSpec, info: &'static MeasureInfo) -> Result<Box<dyn Measure>, SpecError> {
        let linear = match spec.word("gain")? {
            None | Some("exp") => false,
            Some("linear") => true,
            Some(_) => return Err(spec.illegal("gain", GAIN.legal)),
        };
        Ok(Box::new(ExpectedReciprocalRank { info, cutoff: spec.optional_cutoff()?, linear }))
    }

    /// ERR of documents with these grades, best rank first; unjudged ones have grade 0.
    fn expected(&self, grades: impl Iterator<Item = f64>, max_grade: f64) -> f64 {
        let satisfied = self.satisfied(max_grade);
        let (mut unsatisfied, mut sum) = (1.0, 0.0);
        for (index, grade) in grades.enumerate() {
            if grade <= 0.0 {
                continue;
            }
            let satisfied = satisfied(grade);
            sum += unsatisfied * satisfied / (index + 1) as f64;
            unsatisfied *= 1.0 - satisfied;
        }
        sum
    }

    /// The chance that a document of a grade ends the search.
    fn satisfied(&self, max_grade: f64) -> impl Fn(f64) -> f64 + Copy + use<> {
        satisfied(self.linear, max_grade)
    }

    /// What ERR is divided by; `None` where there is nothing to find.
    fn ideal(&self, view: &TopicView<'_>) -> Option<f64> {
        if !std::ptr::eq(self.info, &NORMALIZED) {
            return Some(1.0);
        }
        let grades = view.facts.grades.iter().rev();
        let sorted = grades.flat_map(|(grade, count)| std::iter::repeat_n(grade.value(), *count as usize));
        let ideal = self.expected(sorted.take(self.cutoff.unwrap_or(usize::MAX)), view.collection.max_grade);
        Some(ideal).filter(|ideal| *ideal > 0.0)
    }
}

/// The chance that a document of a grade ends the search; `linear` in the grade, or exponential.
pub fn satisfied(linear: bool, max_grade: f64) -> impl Fn(f64) -> f64 + Copy + use<> {
    // 2^(grade - max) - 2^-max is (2^grade - 1) / 2^max without powers that overflow.
    let nothing = libm::exp2(-max_grade);
    move |grade: f64| {
        let grade = grade.min(max_grade);
        if linear { grade / (max_grade + 1.0) } else { libm::exp2(grade - max_grade) - nothing }
    }
}

impl Measure for ExpectedReciprocalRank {
    fn info(&self) -> &'static MeasureInfo {
        self.info
    }

    fn spec(&self) -> MeasureSpec {
        let spec = MeasureSpec::new(self.info).optional(self.cutoff);
        if self.linear { spec.with("gain", Value::Word("linear".into())) } else { spec }
    }

    fn counts_missed(&self) -> bool {
        std::ptr::eq(self.info, &NORMALIZED)
    }

    fn missed_shrink_differences(&self) -> bool {
        // ERR over 1, or over the ERR of the ideal ranking.
        true
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let value = self.value(view)?;
        if std::ptr::eq(self.info, &NORMALIZED) {
            if Open::all(view).is_closed() {
                return Ok(Score::exact(value));
            }
            let (low, high) = cascade::bounds(view, self.cutoff, self.satisfied(view.collection.max_grade));
            return Ok(Score::within(value, low.min(value), high.max(value)));
        }
        // A higher grade at any rank raises it, so the bounds are those of the least and the greatest grade.
        let max_grade = view.collection.max_grade;
        let best = tally::first(view, self.cutoff).iter().map(|judgement| judgement.grade().unwrap_or(max_grade));
        Ok(Score::within(value, value, self.expected(best, max_grade)))
    }

    fn value(&self, view: &TopicView<'_>) -> Result<f64, Undefined> {
        let retrieved = tally::first(view, self.cutoff).iter().map(|judgement| judgement.grade().unwrap_or(0.0));
        let value = self.expected(retrieved, view.collection.max_grade);
        Ok(self.ideal(view).map_or(0.0, |ideal| value / ideal))
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        // Two neighbours in the other order change the sum by (S_a - S_b)(1/r - 1/(r+1)): the more satisfying goes first.
        let satisfied = self.satisfied(tied.view.collection.max_grade);
        let stop = move |judgement: Judgement| judgement.grade().map_or(0.0, satisfied);
        let how = "from the mean chance to go on below each rank (symmetric polynomials of 1 - S)";
        TieRule::ordered(stop, how, move || {
            let mean = ties::cascade(tied, stop, |rank| 1.0 / rank as f64, self.cutoff);
            Ok(self.ideal(&tied.view).map_or(0.0, |ideal| mean / ideal))
        })
    }
}
