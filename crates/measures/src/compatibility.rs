//! Compat: overlap of a ranking with the ideal ranking nearest to it.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::Open;
use crate::bounds::overlap::{self, Joined};
use crate::info::{Citation, Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, Value};

const NORMALIZE: Parameter = Parameter {
    name: "normalize",
    default: "true",
    legal: Legal::Words(&["true", "false"]),
    meaning: "divide by the overlap of the ideal ranking with itself, so that an ideal list of finite length can reach 1",
};

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "Compat",
    aliases: &["compat", "compatibility"],
    summary: "Similarity to an ideal ranking: rank-biased overlap with the most similar ideal ranking.",
    formula: "Compat = sum over depths d of p^(d-1) * overlap(d)/d / sum over d of p^(d-1) * min(d, I)/d, d to the longer of the list \
              and the I documents with a grade above 0; overlap(d): documents in the first d of both; normalize=false divides by \
              sum over d of p^(d-1). The ideal ranking is by grade, equal grades as the list has them, what it has not last",
    reading: "1 when the list begins with all relevant documents in the order of their grades; only the order of grades counts, \
              so preferences can be given as any grades.",
    misleads: "It depends on the length of the list: lists cut at 10 and at 1000 are not comparable. karat, like ir_measures, \
               adds up depths to the longer of list and ideal; the authors' compatibility.py always goes on to depth 1000, so \
               its values are greater for shorter lists (`0 1` with p=0.95 is 0.322 here and 0.683 there) and the same for \
               lists of 1000. When ir_measures orders the ideal ranking, it gives documents that were not retrieved the score 0, so \
               they come first in runs with negative scores. karat puts them last, as intended.",
    citation: Citation {
        text: "Clarke, Vtyurina and Smucker (2021), Assessing top-k preferences, ACM TOIS 39(3).",
        bibtex: "@article{clarke2021, author={Charles L. A. Clarke and Alexandra Vtyurina and Mark D. Smucker}, \
                 title={Assessing top-k preferences}, journal={ACM Transactions on Information Systems}, volume={39}, \
                 number={3}, year={2021}}",
    },
    parameters: &[
        Parameter { name: "p", default: "0.95", legal: Legal::Described("0 < p < 1"), meaning: "persistence: ratio of the weights of successive depths" },
        NORMALIZE,
    ],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "Compat(p=0.5)",
            "0 2 1",
            "2",
            5.0 / 21.0,
            "ideal: rank 2, the missed one, rank 3; overlaps 0, 1/2, 2/3: 0.5/2 + 0.25 * 2/3 = 5/12; of 1 + 0.5 + 0.25: 5/21",
        )
        .up_to(2.0),
        Example::new(
            "Compat(p=0.5)",
            "0 1 -",
            "",
            0.25,
            "ideal: rank 2; overlaps 0, 1/2, 1/3: 0.25 + 0.25/3 = 1/3; of the ideal with itself 1 + 0.25 + 0.25/3 = 4/3",
        ),
        Example::new("Compat(p=0.5,normalize=false)", "0 1 -", "", 4.0 / 21.0, "1/3 / (1 + 0.5 + 0.25)"),
    ],
    build: |spec| {
        let persistence = spec.number("p")?.unwrap_or(0.95);
        if !(persistence > 0.0 && persistence < 1.0) {
            return Err(spec.illegal("p", "0 < p < 1"));
        }
        let normalize = match spec.word("normalize")? {
            None => true,
            Some(word) if word.eq_ignore_ascii_case("true") => true,
            Some(word) if word.eq_ignore_ascii_case("false") => false,
            Some(_) => return Err(spec.illegal("normalize", NORMALIZE.legal)),
        };
        Ok(Box::new(Compatibility { persistence, normalize }))
    },
};

#[derive(Debug, Clone, Copy)]
struct Compatibility {
    persistence: f64,
    normalize: bool,
}

impl Measure for Compatibility {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        let spec = MeasureSpec::new(&INFO).with("p", Value::Number(self.persistence));
        if self.normalize { spec } else { spec.with("normalize", Value::Word("false".into())) }
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let value = self.value(view)?;
        let max_grade = view.collection.max_grade;
        if Open::all(view).is_closed() || max_grade <= 0.0 {
            return Ok(Score::exact(value));
        }
        let one_grade = view.collection.whole_grades
            && max_grade <= 1.0
            && view.facts.grades.iter().all(|(grade, _)| grade.value() == 0.0 || grade.value() == max_grade);
        let joined = joins(view);
        let (low, high) = overlap::bounds(view, self.persistence, self.normalize, &joined, relevant(view), one_grade);
        // The bounds add the same terms in another order.
        Ok(Score::within(value, low.min(value), high.max(value)))
    }

    fn value(&self, view: &TopicView<'_>) -> Result<f64, Undefined> {
        let ideal = relevant(view);
        if ideal == 0 {
            return Ok(0.0);
        }
        // How many documents join the overlap at each depth.
        let mut joined = vec![0u32; ideal.max(view.ranks.len())];
        for document in joins(view) {
            if let Some(here) = joined.get_mut(document.rank.max(document.place)) {
                *here += 1;
            }
        }
        let (mut overlap, mut weight) = (0u32, 1.0);
        let (mut sum, mut best, mut all) = (0.0, 0.0, 0.0);
        for (index, joined) in joined.iter().enumerate() {
            let at = (index + 1) as f64;
            overlap += joined;
            sum += weight * f64::from(overlap) / at;
            best += weight * ideal.min(index + 1) as f64 / at;
            all += weight;
            weight *= self.persistence;
        }
        Ok(sum / if self.normalize { best } else { all })
    }
}

/// Documents in the ideal ranking.
fn relevant(view: &TopicView<'_>) -> usize {
    let grades = view.facts.grades.iter().filter(|(grade, _)| grade.value() > 0.0);
    grades.map(|(_, count)| *count as usize).sum()
}

/// The retrieved documents of the ideal ranking: each joins the overlap at the greater of its rank and its place there.
fn joins(view: &TopicView<'_>) -> Vec<Joined> {
    let mut places: Vec<usize> = Vec::with_capacity(view.facts.grades.len());
    // Where each grade begins in the ideal ranking, the greatest first.
    let mut next = 0;
    for (_, count) in view.facts.grades.iter().rev() {
        places.push(next);
        next += *count as usize;
    }
    places.reverse();
    let mut joined = Vec::new();
    for (rank, judgement) in view.ranks.iter().enumerate() {
        let Some(value) = judgement.grade().filter(|grade| *grade > 0.0) else { continue };
        if let Ok(at) = view.facts.grades.binary_search_by(|(grade, _)| grade.value().total_cmp(&value)) {
            joined.push(Joined { rank, place: places[at], can_be_pushed: value < view.collection.max_grade });
            places[at] += 1;
        }
    }
    joined
}
