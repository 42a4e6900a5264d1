//! What the studies found, as the words, the sections and the script take it.

use karat_report::page::{Pair, PairSample, Standing};

use karat_analysis::compare::difference::TopicDifference;
use karat_analysis::compare::verdict::{Basis, Side};
use karat_analysis::compare::{Compared, Comparison};

/// Runs, measures, and how they stand.
#[derive(Default)]
pub(crate) struct Summary {
    /// The runs' names.
    pub runs: Vec<String>,
    /// The measures' names.
    pub measures: Vec<String>,
    /// The places of the measures that are means, and so were compared, in the order of the comparison.
    pub comparable: Vec<usize>,
    /// By measure and run.
    pub standings: Vec<Vec<Standing>>,
    /// What the comparison found.
    pub compared: Option<Compared>,
    /// Why there is none.
    pub no_comparison: Option<String>,
    /// Documents to judge first: topic and docno.
    pub next: Vec<(String, String)>,
    /// The level, in words.
    pub percent: String,
}

impl Summary {
    /// Runs by a measure, best first; those without a value last.
    pub fn order(&self, measure: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.runs.len()).collect();
        let value = |run: usize| self.standings[measure][run].value.unwrap_or(f64::NEG_INFINITY);
        order.sort_by(|&a, &b| value(b).total_cmp(&value(a)).then(a.cmp(&b)));
        order
    }

    /// The measure that is shown first: the first that was compared, else the first.
    pub fn first(&self) -> usize {
        self.comparable.first().copied().unwrap_or(0)
    }

    /// A run's value by the measure shown first.
    pub fn value(&self, run: usize) -> Option<f64> {
        self.standings.get(self.first())?.get(run)?.value
    }

    /// The two runs looked at first: those of a judged sample, the leader first; else the best by the first measure and the one after it, or the one run
    /// twice.
    pub fn pair(&self) -> (usize, usize) {
        if let Some(comparison) = self.sampled().find(|(measure, _)| *measure == self.first()).map(|(_, found)| found) {
            let (a, b) = comparison.pair;
            return if comparison.verdict.leader == Side::A { (a, b) } else { (b, a) };
        }
        let order = self.order(self.first());
        let best = order.first().copied().unwrap_or(0);
        (best, order.get(1).copied().unwrap_or(best))
    }

    /// The first of these two less the second by the measure shown first, as observed.
    pub fn difference(&self) -> Option<f64> {
        let (best, next) = self.pair();
        let found = self.comparison(self.first(), best, next)?;
        let observed = found.difference.observed;
        Some(if found.pair.0 == best { observed } else { 0.0 - observed })
    }

    /// The comparisons that rest on a judged sample, with the place of the measure.
    pub fn sampled(&self) -> impl Iterator<Item = (usize, &Comparison)> {
        let all = self.compared.iter().flat_map(|compared| &compared.comparisons);
        all.filter(|one| one.sampled.is_some()).map(|one| (self.comparable[one.measure], one))
    }

    /// The comparison of two runs by a measure of this name.
    pub fn comparison(&self, measure: usize, a: usize, b: usize) -> Option<&Comparison> {
        let among = self.comparable.iter().position(|&place| place == measure)?;
        let two = |pair: (usize, usize)| pair == (a, b) || pair == (b, a);
        self.compared.as_ref()?.comparisons.iter().find(|one| one.measure == among && two(one.pair))
    }

    /// The verdict in words.
    pub fn because(&self, comparison: &Comparison) -> String {
        self.compared.as_ref().map_or_else(String::new, |compared| {
            crate::compare::because(compared, comparison, super::evaluation::POWER)
        })
    }

    /// Every pair that was compared, by measure.
    pub fn pairs(&self) -> Vec<Vec<Pair>> {
        let one = |found: &Comparison| Pair {
            runs: found.pair,
            difference: found.difference.observed,
            interval: found.interval.map(|found| (found.low, found.high)),
            bounds: found.difference.bounds,
            p: found.adjusted_p(),
            winner: found.winner(),
            basis: found.verdict.basis().map(Basis::name),
            sample: found.sampled.as_ref().map(|sampled| PairSample {
                drawn: sampled.facts.drawn,
                judged: sampled.facts.judged,
                topics: sampled.found.topics,
                sampling: sampled.found.sampling,
                as_judged: found.as_judged(),
            }),
            because: self.because(found),
            topics: if self.runs.len() > super::evaluation::FEW {
                Vec::new()
            } else {
                found.difference.topics.iter().map(topic).collect()
            },
        };
        let of = |measure: usize| {
            let among = self.comparable.iter().position(|&place| place == measure);
            let all = self.compared.iter().flat_map(|compared| &compared.comparisons);
            all.filter(|found| Some(found.measure) == among).map(one).collect()
        };
        (0..self.measures.len()).map(of).collect()
    }
}

fn topic(found: &TopicDifference) -> (usize, f64, Option<(f64, f64)>) {
    (found.topic.0 as usize, found.observed, found.bounds)
}
