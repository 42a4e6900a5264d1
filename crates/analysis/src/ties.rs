//! What the order of documents with equal scores can do to a run's summary.
//!
//! Topics are independent, so the least, greatest and expected mean are the means of the topics' least, greatest and
//! expected values. A geometric mean has ends that way too, but its expected value is not that of the topics' values.

use karat_data::Ties;
use karat_measures::ties::{MOST_ORDERS, TieRange, Tied, ends, range};
use karat_measures::{Aggregate, Measure, Score, Undefined};

/// What the order of ties can make of one topic's score.
pub type TopicTies = Result<TieRange, Undefined>;

/// Only the ends were computed.
const NOT_COMPUTED: Undefined = Undefined { reason: "" };

/// Why a range or an expected value over tie orders is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoTieRange {
    /// The measure says why.
    Measure(&'static str),
    /// The expected value of a geometric mean does not follow from those of the topics.
    GeometricMean,
}

impl From<Undefined> for NoTieRange {
    fn from(undefined: Undefined) -> Self {
        NoTieRange::Measure(undefined.reason)
    }
}

/// Orders that are tried where only a note may come of it.
const FEW_ORDERS: f64 = 100.0;

/// What the order of ties can make of the scores of a topic, one answer per measure; `None` where the user settled the
/// order.
pub fn of_topic(policy: Ties, measures: &[Box<dyn Measure>], tied: Tied<'_>) -> Option<Box<[TopicTies]>> {
    let ask = |measure: &dyn Measure| match policy {
        Ties::Range => range(measure, &Tied { most_orders: MOST_ORDERS, ..tied }),
        Ties::Docno | Ties::DocnoRising | Ties::File => {
            ends(measure, &Tied { most_orders: FEW_ORDERS, ..tied }).map(|(low, high)| {
                let expected = if low == high { Ok(low) } else { Err(NOT_COMPUTED) };
                TieRange { low, high, expected }
            })
        }
    };
    (policy != Ties::File).then(|| measures.iter().map(|measure| ask(measure.as_ref())).collect())
}

/// The scores of one measure with what the order of ties can make of them, topic by topic.
#[derive(Debug, Clone)]
pub struct TieTally {
    aggregate: Aggregate,
    topics: u64,
    low: f64,
    high: f64,
    expected: f64,
    no_range: Option<NoTieRange>,
    no_mean: Option<NoTieRange>,
}

/// What the order of ties can make of a run's summary.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TieSummary {
    /// Least and greatest.
    pub ends: Option<(f64, f64)>,
    /// The mean over all orders.
    pub expected: Option<f64>,
    /// Why something is missing, where it is.
    pub why: Option<NoTieRange>,
}

impl TieTally {
    /// Of no topic yet.
    pub fn new(aggregate: Aggregate) -> TieTally {
        TieTally { aggregate, topics: 0, low: 0.0, high: 0.0, expected: 0.0, no_range: None, no_mean: None }
    }

    /// One more topic; `ties` is `None` where no order of ties could be seen.
    #[inline]
    pub fn push(&mut self, score: Score, ties: Option<&TopicTies>) {
        self.topics += 1;
        let Some(ties) = ties else { return self.add_settled(score.value) };
        let range = match ties {
            Ok(range) => *range,
            Err(why) => {
                self.no_range.get_or_insert((*why).into());
                return self.add_settled(score.value);
            }
        };
        self.low += self.aggregate.inward(range.low);
        self.high += self.aggregate.inward(range.high);
        match range.expected {
            Ok(_) if range.low != range.high && matches!(self.aggregate, Aggregate::GeometricMean { .. }) => {
                self.no_mean.get_or_insert(NoTieRange::GeometricMean);
            }
            Ok(mean) => self.expected += self.aggregate.inward(mean),
            Err(why) => {
                self.no_mean.get_or_insert(why.into());
            }
        }
    }

    /// Whatever the order.
    #[inline]
    fn add_settled(&mut self, value: f64) {
        let value = self.aggregate.inward(value);
        self.low += value;
        self.high += value;
        self.expected += value;
    }

    /// The summary; of no topic there is none.
    pub fn summarise(&self) -> TieSummary {
        if self.topics == 0 {
            return TieSummary::default();
        }
        let whole = |sum: f64| match self.aggregate {
            Aggregate::Sum => sum,
            aggregate => aggregate.outward(sum / self.topics as f64),
        };
        let ends = self.no_range.is_none().then(|| (whole(self.low), whole(self.high)));
        let expected = (self.no_range.is_none() && self.no_mean.is_none()).then(|| whole(self.expected));
        TieSummary { ends, expected, why: self.no_range.or(self.no_mean) }
    }
}

impl TieSummary {
    /// Where no order of ties could be seen.
    pub fn settled(value: f64) -> TieSummary {
        TieSummary { ends: Some((value, value)), expected: Some(value), why: None }
    }

    /// Of one topic.
    pub fn of(ties: &TopicTies) -> TieSummary {
        match ties {
            Ok(range) => TieSummary {
                ends: Some((range.low, range.high)),
                expected: range.expected.ok(),
                why: range.expected.err().map(Into::into),
            },
            Err(why) => TieSummary { why: Some((*why).into()), ..TieSummary::default() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(aggregate: Aggregate, topics: &[(f64, Option<TopicTies>)]) -> TieSummary {
        let mut tally = TieTally::new(aggregate);
        for (value, ties) in topics {
            tally.push(Score::exact(*value), ties.as_ref());
        }
        tally.summarise()
    }

    fn between(low: f64, high: f64, expected: f64) -> Option<TopicTies> {
        Some(Ok(TieRange { low, high, expected: Ok(expected) }))
    }

    #[test]
    fn means_of_the_topics() {
        // (0 + .5)/2 to (1 + .5)/2, expected (.25 + .5)/2.
        let topics = [(1.0, between(0.0, 1.0, 0.25)), (0.5, None)];
        let summary = tally(Aggregate::Mean, &topics);
        assert_eq!(summary, TieSummary { ends: Some((0.25, 0.75)), expected: Some(0.375), why: None });
        assert_eq!(tally(Aggregate::Sum, &topics).ends, Some((0.5, 1.5)));
        // sqrt(.1 * .4) = .2 to sqrt(.4 * .4) = .4; no expected value.
        let geometric = Aggregate::GeometricMean { floor: 1e-5 };
        let summary = tally(geometric, &[(0.4, between(0.1, 0.4, 0.3)), (0.4, None)]);
        let (low, high) = summary.ends.unwrap();
        assert!((low - 0.2).abs() < 1e-15 && (high - 0.4).abs() < 1e-15);
        assert_eq!((summary.expected, summary.why), (None, Some(NoTieRange::GeometricMean)));
        assert_eq!(tally(Aggregate::Mean, &[]), TieSummary::default());
    }

    #[test]
    fn what_is_not_known_is_not_made_up() {
        let unknown = Some(Err(Undefined { reason: "too many" }));
        let summary = tally(Aggregate::Mean, &[(0.5, unknown), (0.5, None)]);
        assert_eq!(summary, TieSummary { ends: None, expected: None, why: Some(NoTieRange::Measure("too many")) });
        let half = Some(Ok(TieRange { low: 0.0, high: 1.0, expected: Err(Undefined { reason: "too much" }) }));
        let summary = tally(Aggregate::Mean, &[(0.5, half)]);
        assert_eq!(
            summary,
            TieSummary { ends: Some((0.0, 1.0)), expected: None, why: Some(NoTieRange::Measure("too much")) }
        );
    }
}
