//! Bpref and Bpref10: judged relevant documents against the judged non-relevant ones above them; the unjudged are
//! skipped.

use karat_data::{Judgement, JudgementKind, TopicFacts, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::pairs::{self, Completed};
use crate::citations;
use crate::info::{Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, RELEVANCE};
use crate::ties::{self, TieRule, Tied};

/// The row of Bpref.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "Bpref",
    aliases: &["bpref"],
    summary: "How often judged relevant documents come before judged non-relevant ones; unjudged documents are skipped.",
    formula: "Bpref = (1/R) * sum over retrieved relevant r of (1 - min(n_r, R) / min(N, R)); n_r judged non-relevant \
              documents above r, N of them in the judgements; the term is 1 where n_r = 0",
    reading: "1 when no judged non-relevant document precedes a relevant one. Robust if judgements are incomplete but \
              a random sample.",
    misleads: "Only the first R judged non-relevant documents count, so it is coarse with few relevant documents. It \
               is an estimate from the judged documents, not a bound: a run with many unjudged documents can score \
               high. With N = 0, some tools return no number; karat, like trec_eval, uses 1 for every term.",
    citation: citations::BUCKLEY_VOORHEES_2004,
    parameters: &[RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Estimator,
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
    reading: "Like Bpref, but a topic with one relevant document has twelve possible values instead of two.",
    misleads: "An estimate from the judged documents, not a bound. trec_eval 9 and 10 no longer compute it.",
    citation: citations::BUCKLEY_VOORHEES_2004,
    parameters: &[RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Estimator,
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
            completed(view, self.level, self.value(view)?, |relevant| 10 + relevant, |relevant, _| 10.0 + relevant)
        } else {
            score(view, self.level)
        })
    }

    fn value(&self, view: &TopicView<'_>) -> Result<f64, Undefined> {
        let limits = if self.ten { Limits::ten(view.facts, self.level) } else { Limits::own(view.facts, self.level) };
        Ok(preference(view, self.level, limits))
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        rule(tied, self.level, self.ten)
    }
}

/// Bpref of a topic, with the least and greatest it could be were all documents judged.
pub(crate) fn score(view: &TopicView<'_>, level: f64) -> Score {
    completed(view, level, value(view, level), |relevant| relevant, |relevant, nonrelevant| nonrelevant.min(relevant))
}

/// `most` gives from R how many non-relevant documents count, `divisor` from R and N what they are divided by.
fn completed(
    view: &TopicView<'_>,
    level: f64,
    value: f64,
    most: impl Fn(usize) -> usize,
    divisor: impl Fn(f64, f64) -> f64,
) -> Score {
    let preference = |of: &Completed| {
        if of.relevant == 0.0 {
            return Some(0.0);
        }
        let divisor = divisor(of.relevant, of.nonrelevant);
        let lost = if divisor == 0.0 { 0.0 } else { of.above / divisor };
        Some((of.found - lost) / of.relevant)
    };
    match pairs::bounds(view, level, most, preference) {
        Some((low, high)) => Score::within(value, low, high),
        None => Score::without_bounds(value),
    }
}

/// How many non-relevant documents above a relevant one count, and of how many.
#[derive(Debug, Clone, Copy)]
struct Limits {
    most: u32,
    of: u32,
}

impl Limits {
    fn own(facts: TopicFacts<'_>, level: f64) -> Limits {
        let relevant = facts.relevant(level);
        Limits { most: relevant, of: facts.judged_nonrelevant(level).min(relevant) }
    }

    fn ten(facts: TopicFacts<'_>, level: f64) -> Limits {
        let compared = 10 + facts.relevant(level);
        Limits { most: compared, of: compared }
    }

    /// 1 - min(n, most) / of, and 1 where n = 0.
    #[inline]
    fn term(self, nonrelevant: u32) -> f64 {
        if nonrelevant == 0 || self.of == 0 {
            1.0
        } else {
            1.0 - f64::from(nonrelevant.min(self.most)) / f64::from(self.of)
        }
    }
}

/// Bpref of a topic, 0 where nothing is relevant.
pub(crate) fn value(view: &TopicView<'_>, level: f64) -> f64 {
    preference(view, level, Limits::own(view.facts, level))
}

/// (1/R) * sum over retrieved relevant r of the term of the non-relevant documents above it.
fn preference(view: &TopicView<'_>, level: f64, limits: Limits) -> f64 {
    let relevant = view.facts.relevant(level);
    if relevant == 0 {
        return 0.0;
    }
    let (mut nonrelevant, mut sum) = (0u32, 0.0);
    for grade in view.ranks.iter().filter_map(|judgement| judgement.grade()) {
        if grade < level {
            nonrelevant += 1;
        } else {
            sum += limits.term(nonrelevant);
        }
    }
    sum / f64::from(relevant)
}

/// Relevant documents first, judged non-relevant ones last: the unjudged between them cost nothing, but where the depth
/// cuts they keep others out.
pub(crate) fn worth(level: f64) -> impl Fn(Judgement) -> f64 + Copy {
    move |judgement| match judgement.grade() {
        Some(grade) if grade >= level => 1.0,
        Some(_) => -1.0,
        None => 0.0,
    }
}

/// Bpref over the orders of tied documents.
pub(crate) fn rule<'a>(tied: &'a Tied<'a>, level: f64, ten: bool) -> TieRule<'a> {
    let facts = tied.view.facts;
    let limits = if ten { Limits::ten(facts, level) } else { Limits::own(facts, level) };
    let total = f64::from(facts.relevant(level));
    if total == 0.0 {
        return TieRule::Constant;
    }
    TieRule::ordered(worth(level), HOW, move || {
        let (mut above, mut sum) = (0, 0.0);
        let nonrelevant = |judgement: &Judgement| judgement.is_judged_nonrelevant(level);
        for block in tied.blocks() {
            let relevant = |judgement: &Judgement| judgement.is_relevant(level);
            sum += ties::over_relevant(&block, relevant, nonrelevant, |_, more| limits.term(above + more as u32));
            above += block.members.iter().filter(|judgement| nonrelevant(judgement)).count() as u32;
        }
        Ok(sum / total)
    })
}

/// How the mean over the orders of tied documents is come by.
pub(crate) const HOW: &str = "from the hypergeometric counts above each place";
