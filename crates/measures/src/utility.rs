//! Utility: what a set of retrieved documents is worth when every kind of hit and miss has a price.

use karat_data::{JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::Open;
use crate::info::{Behaviour, Citation, Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, RELEVANCE, Value};
use crate::tally;
use crate::ties::{TieRule, Tied};

const fn price(name: &'static str, default: &'static str, meaning: &'static str) -> Parameter {
    Parameter { name, default, legal: Legal::Described("a number"), meaning }
}

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "Utility",
    aliases: &["utility"],
    summary: "The total value of the retrieved set, with a value for every relevant or non-relevant document, \
              retrieved or not.",
    formula: "Utility = a * (relevant retrieved) + b * (others retrieved) + c * (relevant missed) + d * (others not \
              retrieved)",
    reading: "With the default values 1, -1, 0, 0: relevant minus non-relevant documents retrieved.",
    misleads: "Unbounded, so topics with many documents dominate the mean. Unjudged documents are treated as not \
               relevant. A value d needs the size of the collection (--documents; trec_eval silently uses 0). Bounds \
               exist only for c = d = 0.",
    citation: Citation {
        text: "Lewis (1995), Evaluating and optimizing autonomous text classification systems, SIGIR.",
        bibtex: "@inproceedings{lewis1995, author={David D. Lewis}, title={Evaluating and optimizing autonomous text \
                 classification systems}, booktitle={SIGIR}, pages={246--254}, year={1995}}",
    },
    parameters: &[
        price("a", "1", "price of a relevant document retrieved"),
        price("b", "-1", "price of another document retrieved"),
        price("c", "0", "price of a relevant document missed"),
        price("d", "0", "price of another document not retrieved"),
        RELEVANCE,
    ],
    range: (f64::NEG_INFINITY, f64::INFINITY),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty {
        nothing_judged: Behaviour::Depends("b for every document retrieved"),
        nothing_relevant: Behaviour::Depends("b for every document retrieved"),
        nothing_retrieved: Behaviour::Value(0.0),
    },
    examples: &[
        Example::new("Utility", "1 0 - 1 0", "1", -1.0, "2 relevant - 3 others; the unjudged one could make it +1"),
        Example::new("Utility(a=2,b=-1,c=-1,d=0)", "1 0 1", "1", 2.0, "2*2 - 1 - 1"),
        Example::new("Utility(a=1,b=-1,c=0,d=0.01)", "1 0 1", "1", 1.96, "2 - 1 + 0.01 * (100 - 3 - 1)").among(100),
    ],
    build: |spec| {
        let mut prices = [1.0, -1.0, 0.0, 0.0];
        for (price, name) in prices.iter_mut().zip(NAMES) {
            *price = spec.number(name)?.unwrap_or(*price);
            if price.abs() > 1e9 {
                return Err(spec.illegal(name, "a number from -1e9 to 1e9"));
            }
        }
        Ok(Box::new(Utility { prices, level: spec.level()? }))
    },
};

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

#[derive(Debug, Clone, Copy)]
struct Utility {
    prices: [f64; 4],
    level: f64,
}

impl Measure for Utility {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        let spec = MeasureSpec::new(&INFO);
        let spec = if self.prices == [1.0, -1.0, 0.0, 0.0] {
            spec
        } else {
            NAMES.iter().zip(self.prices).fold(spec, |spec, (name, price)| spec.with(name, Value::Number(price)))
        };
        spec.with_level(self.level)
    }

    fn counts_missed(&self) -> bool {
        // One relevant document more among those not retrieved is one less of the others.
        self.prices[2] != self.prices[3]
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let [a, b, c, d] = self.prices;
        let retrieved = view.ranks.len() as f64;
        let found = tally::relevant(view.ranks, self.level) as f64;
        let missed = f64::from(view.facts.relevant(self.level)) - found;
        let others = match view.collection.documents {
            Some(documents) => documents as f64 - retrieved - missed,
            None if d == 0.0 => 0.0,
            None => return Err(Undefined { reason: "the size of the collection is not known (--documents)" }),
        };
        let value = a * found + b * (retrieved - found) + c * missed + d * others;
        // Linear in the number of retrieved and of missed documents that turn out relevant.
        let open = Open::of(view, self.level);
        let (found_more, missed_more) = ((a - b) * open.retrieved as f64, (c - d) * open.missed as f64);
        let low = value + found_more.min(0.0) + missed_more.min(0.0);
        Ok(Score::within(value, low, value + found_more.max(0.0) + missed_more.max(0.0)))
    }

    fn tie_rule<'a>(&'a self, _: &'a Tied<'a>) -> TieRule<'a> {
        // A relevant document in place of another: one more found, one fewer of the others, one fewer missed, one more of
        // the others not retrieved.
        let [a, b, c, d] = self.prices;
        TieRule::count(|judgement| judgement.is_relevant(self.level), None, a - b - c + d)
    }
}
