//! Bpref and Bpref10: judged relevant documents against the judged non-relevant ones above them; the unjudged are
//! skipped.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::pairs::{self, Completed};
use crate::citations;
use crate::info::{BoundsKind, Example, MeasureInfo, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, RELEVANCE};

/// The row of Bpref.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "Bpref",
    aliases: &["bpref"],
    summary: "How often judged relevant documents come before judged non-relevant ones; unjudged documents are skipped.",
    formula: "Bpref = (1/R) * sum over retrieved relevant r of (1 - min(n_r, R) / min(N, R)); n_r judged non-relevant \
              documents above r, N of them in the judgements; the term is 1 where n_r = 0",
    reading: "1 when no judged non-relevant document precedes a relevant one; robust when judgements are incomplete but \
              a fair sample.",
    misleads: "Only the first R judged non-relevant documents count, so with few relevant documents it is coarse. It is \
               an estimate from the judged part, not a bound: a run full of unjudged documents can score high. Some \
               tools return no number when N = 0; here, as in trec_eval, every term is then 1.",
    citation: citations::BUCKLEY_VOORHEES_2004,
    parameters: &[RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: BoundsKind::Estimator,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "Bpref",
            "1 - 0 1 ? 0 1",
            "1 0",
            0.5,
            "R = 4, N = 3, min(N, R) = 3: terms 1 (none above), 1 - 1/3, 1 - 2/3, and 0 for the missed: 2/4",
        ),
        Example::new("Bpref", "1 - 1", "", 1.0, "no judged non-relevant document at all: each term is 1"),
    ],
    build: |spec| Ok(Box::new(Bpref { level: spec.level()?, ten: false })),
};

/// The row of Bpref10.
pub static TEN: MeasureInfo = MeasureInfo {
    name: "Bpref10",
    aliases: &["bpref10", "bpref_10"],
    summary: "Bpref with ten more non-relevant documents to compare with, for topics with few relevant ones.",
    formula: "Bpref10 = (1/R) * sum over retrieved relevant r of (1 - n_r / (10 + R)), n_r counted among the first \
              10 + R judged non-relevant documents retrieved",
    reading: "As Bpref, but a topic with one relevant document can take twelve values and not two.",
    misleads: "An estimate from the judged part, not a bound. trec_eval 9 and 10 no longer compute it.",
    citation: citations::BUCKLEY_VOORHEES_2004,
    parameters: &[RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: BoundsKind::Estimator,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new(
        "Bpref10",
        "1 - 0 1 ? 0 1",
        "1 0",
        39.0 / 56.0,
        "R = 4: terms 1, 1 - 1/14, 1 - 2/14, and 0 for the missed: (14 + 13 + 12)/14/4 = 39/56",
    )],
    build: |spec| Ok(Box::new(Bpref { level: spec.level()?, ten: true })),
};

#[derive(Debug, Clone, Copy)]
struct Bpref {
    level: f64,
    ten: bool,
}

impl Measure for Bpref {
    fn info(&self) -> &'static MeasureInfo {
        if self.ten { &TEN } else { &INFO }
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(self.info()).with_level(self.level)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        Ok(if self.ten {
            let compared = |relevant: f64, _: f64| (10.0 + relevant, 10.0 + relevant);
            completed(view, self.level, self.value(view)?, compared)
        } else {
            score(view, self.level)
        })
    }

    fn value(&self, view: &TopicView<'_>) -> Result<f64, Undefined> {
        Ok(if self.ten {
            let compared = 10 + view.facts.relevant(self.level);
            preference(view, self.level, compared, compared)
        } else {
            value(view, self.level)
        })
    }
}

/// Bpref of a topic, with the least and greatest it could be were all documents judged.
pub(crate) fn score(view: &TopicView<'_>, level: f64) -> Score {
    let compared = |relevant: f64, nonrelevant: f64| (relevant, nonrelevant.min(relevant));
    completed(view, level, value(view, level), compared)
}

/// `compared` gives from R and N how many non-relevant documents count and what they are divided by.
fn completed(view: &TopicView<'_>, level: f64, value: f64, compared: impl Fn(f64, f64) -> (f64, f64)) -> Score {
    let preference = |of: &Completed<'_>| {
        let (most, divisor) = compared(of.relevant, of.nonrelevant);
        if of.relevant == 0.0 {
            return Some(0.0);
        }
        let lost = if divisor == 0.0 { 0.0 } else { of.above_at_most(most) / divisor };
        Some((of.found - lost) / of.relevant)
    };
    match pairs::bounds(view, level, preference) {
        Some((low, high)) => Score::within(value, low, high),
        None => Score::without_bounds(value),
    }
}

/// Bpref of a topic, 0 where nothing is relevant.
pub(crate) fn value(view: &TopicView<'_>, level: f64) -> f64 {
    let relevant = view.facts.relevant(level);
    preference(view, level, relevant, view.facts.judged_nonrelevant(level).min(relevant))
}

/// (1/R) * sum over retrieved relevant r of (1 - min(n_r, most) / of), the term 1 where n_r = 0.
fn preference(view: &TopicView<'_>, level: f64, most: u32, of: u32) -> f64 {
    let relevant = view.facts.relevant(level);
    if relevant == 0 {
        return 0.0;
    }
    let (mut nonrelevant, mut sum) = (0u32, 0.0);
    for grade in view.ranks.iter().filter_map(|judgement| judgement.grade()) {
        if grade < level {
            nonrelevant += 1;
        } else if nonrelevant == 0 || of == 0 {
            sum += 1.0;
        } else {
            sum += 1.0 - f64::from(nonrelevant.min(most)) / f64::from(of);
        }
    }
    sum / f64::from(relevant)
}
