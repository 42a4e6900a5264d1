//! ROCArea: the area under the ROC curve over the judged documents.

use karat_data::{Judgement, JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::pairs::{self, Completed};
use crate::info::{Behaviour, Citation, Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, RELEVANCE};
use crate::ties::{self, TieRule, Tied};

/// Why there may be no value.
pub(crate) const ONE_CLASS: &str = "it needs judged relevant and judged non-relevant documents";

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "ROCArea",
    aliases: &["AUC", "roc_auc"],
    summary: "Probability that a judged relevant document is ranked above a judged non-relevant one.",
    formula: "ROCArea = (pairs (r, n) with r above n + half of the pairs with neither retrieved) / (R * N), r judged \
              relevant, n judged non-relevant",
    reading: "0.5 is a random order, 1 a perfect one. Unretrieved documents tie below all retrieved ones.",
    misleads: "The bottom of the ranking has the same weight as the top, so with few relevant documents it hides large \
               differences at the first ranks. Unjudged documents are skipped.",
    citation: Citation {
        text: "Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27(8).",
        bibtex: "@article{fawcett2006, author={Tom Fawcett}, title={An introduction to {ROC} analysis}, \
                 journal={Pattern Recognition Letters}, volume={27}, number={8}, pages={861--874}, year={2006}}",
    },
    parameters: &[RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Estimator,
    when_empty: WhenEmpty {
        nothing_judged: Behaviour::Undefined(ONE_CLASS),
        nothing_relevant: Behaviour::Undefined(ONE_CLASS),
        nothing_retrieved: Behaviour::Depends("0.5 with both classes judged: all tie at the bottom"),
    },
    examples: &[
        Example::new(
            "ROCArea",
            "1 0 - 1",
            "0",
            0.75,
            "R = 2, N = 2: rank 1 above both, rank 4 above the missed one: 3/4",
        ),
        Example::new("ROCArea", "1 0", "1 0", 0.625, "rank 1 above both (2), the missed pair ties (1/2): 2.5/4"),
    ],
    build: |spec| Ok(Box::new(RocArea { level: spec.level()? })),
};

#[derive(Debug, Clone, Copy)]
struct RocArea {
    level: f64,
}

impl Measure for RocArea {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(&INFO).with_level(self.level)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let relevant = f64::from(view.facts.relevant(self.level));
        let nonrelevant = f64::from(view.facts.judged_nonrelevant(self.level));
        if relevant == 0.0 || nonrelevant == 0.0 {
            return Err(Undefined { reason: ONE_CLASS });
        }
        let (mut found, mut above, mut won) = (0.0, 0.0, 0.0);
        for grade in view.ranks.iter().filter_map(|judgement| judgement.grade()) {
            if grade >= self.level {
                found += 1.0;
                won += nonrelevant - above;
            } else {
                above += 1.0;
            }
        }
        let tied = (relevant - found) * (nonrelevant - above);
        let value = (won + 0.5 * tied) / (relevant * nonrelevant);
        let area = |of: &Completed| {
            let pairs = of.relevant * of.nonrelevant;
            let won = of.found * of.nonrelevant - of.above;
            let tied = (of.relevant - of.found) * (of.nonrelevant - of.junk);
            (pairs > 0.0).then(|| (won + 0.5 * tied) / pairs)
        };
        Ok(match pairs::bounds(view, self.level, pairs::unlimited, area) {
            Some((low, high)) => Score::within(value, low, high),
            None => Score::without_bounds(value),
        })
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        let how = "from the hypergeometric counts above each place";
        TieRule::ordered(crate::bpref::worth(self.level), how, move || Ok(self.expected(tied)))
    }
}

impl RocArea {
    /// The mean over the orders of tied documents.
    fn expected(&self, tied: &Tied<'_>) -> f64 {
        let relevant = f64::from(tied.view.facts.relevant(self.level));
        let nonrelevant = f64::from(tied.view.facts.judged_nonrelevant(self.level));
        let is_relevant = |judgement: &Judgement| judgement.is_relevant(self.level);
        let is_nonrelevant = |judgement: &Judgement| judgement.is_judged_nonrelevant(self.level);
        // Means of what was found, of what was met, and of the pairs neither of which was retrieved.
        let (mut found, mut above, mut won, mut neither) = (0.0, 0.0, 0.0, relevant * nonrelevant);
        for block in tied.blocks() {
            won +=
                ties::over_relevant(&block, is_relevant, is_nonrelevant, |_, more| nonrelevant - above - more as f64);
            let (documents, shown) = (block.members.len() as f64, block.shown() as f64);
            let kind = |is: &dyn Fn(&Judgement) -> bool| block.members.iter().filter(|one| is(one)).count() as f64;
            let (r, n) = (kind(&is_relevant), kind(&is_nonrelevant));
            let (mean_r, mean_n) = (r * shown / documents, n * shown / documents);
            // Both of a pair are shown with chance s(s-1) / (d(d-1)).
            let both =
                if documents > 1.0 { r * n * shown * (shown - 1.0) / (documents * (documents - 1.0)) } else { 0.0 };
            // Only the last block can be cut, so what is above it is as many in every order.
            neither = (relevant - found) * (nonrelevant - above)
                - (relevant - found) * mean_n
                - (nonrelevant - above) * mean_r
                + both;
            found += mean_r;
            above += mean_n;
        }
        (won + 0.5 * neither) / (relevant * nonrelevant)
    }
}
