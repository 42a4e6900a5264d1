//! `published compare`: verdicts for each pair, and the order of many.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::PublishedScore;
use super::super::compare::{Order, Verdict, difference, verdict};
use super::super::range::{self as ranges, THOROUGH};

/// A published score and whose it is.
#[derive(Debug, Clone)]
pub struct PublishedSystem {
    /// The system's name.
    pub name: String,
    /// What was published of it.
    pub published: PublishedScore,
}

/// Options of `published compare`.
#[derive(Debug)]
pub struct CompareOptions {
    /// Two systems or more.
    pub systems: Vec<PublishedSystem>,
    /// The p to compare at; the lower one of each pair when empty. Checked.
    pub at: Vec<f64>,
    /// Whether the scores are of one topic with binary relevance; then each must be possible for one.
    pub single_topic: bool,
}

impl CompareOptions {
    /// Beginnings of rankings looked at for each range: the more ranges there are, the fewer for each. All are sound.
    fn effort(&self) -> usize {
        let systems = self.systems.len();
        let ranges = systems * systems.saturating_sub(1) * self.at.len().max(1);
        (8 * THOROUGH / ranges.max(1)).clamp(4, THOROUGH)
    }
}

/// Which published score is higher, pair by pair.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CompareAnswer {
    /// For one pair at one p.
    #[serde(flatten)]
    pub one: Option<PairVerdict>,
    /// For every pair and p, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparisons: Option<Vec<PairVerdict>>,
    /// The partial order of all systems at one p, where there are more than two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Vec<OrderedSystem>>,
    /// The order as a graph, in the order of systems.
    #[serde(skip)]
    pub graph: OrderGraph,
    /// Whether verdicts are for one topic with binary relevance.
    #[serde(skip)]
    pub single_topic: bool,
    /// Pairs that another verdict is given of for one topic with binary relevance than for means.
    #[serde(skip)]
    pub decided_for_one_topic: usize,
    /// Systems without a residual.
    #[serde(skip)]
    pub without_residual: Vec<String>,
}

impl CompareAnswer {
    /// One row or all.
    pub fn rows(&self) -> &[PairVerdict] {
        self.comparisons.as_deref().unwrap_or(self.one.as_slice())
    }

    /// One row or all, to be worded.
    pub fn rows_mut(&mut self) -> &mut [PairVerdict] {
        match &mut self.comparisons {
            Some(rows) => rows,
            None => self.one.as_mut_slice(),
        }
    }
}

/// Two systems at one p.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PairVerdict {
    /// The first system.
    pub a: String,
    /// The second system.
    pub b: String,
    /// The p they are compared at.
    pub at: f64,
    /// Which is higher.
    pub verdict: Verdict,
    /// Whose range `low` and `high` are: the score whose own p is farther from `at`.
    pub of: Side,
    /// Least possible score of that system.
    pub low: f64,
    /// Greatest possible score of that system.
    pub high: f64,
    /// Possible scores of a.
    pub range_a: (f64, f64),
    /// Possible scores of b.
    pub range_b: (f64, f64),
    /// Possible values of a - b.
    pub difference: (f64, f64),
    /// The verdict for means, and for gains from 0 to 1.
    pub verdict_graded: Verdict,
    /// The verdict for one topic with binary relevance; null where no single ranking has such a score.
    pub verdict_binary: Option<Verdict>,
    /// The reason for the verdict, in words.
    pub because: String,
}

/// One of the two systems of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The first.
    A,
    /// The second.
    B,
}

/// A system's place in the order.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OrderedSystem {
    /// The system.
    pub system: String,
    /// 1 where no system is certainly above; else one more than the lowest level certainly above.
    pub level: usize,
    /// Least possible score.
    pub low: f64,
    /// Greatest possible score.
    pub high: f64,
    /// Systems that are certainly lower.
    pub above: Vec<String>,
    /// Those of them with no other system between.
    pub next: Vec<String>,
}

/// The order as a graph.
#[derive(Debug, Clone)]
pub struct OrderGraph {
    /// The p of all scores.
    pub at: f64,
    /// The systems' names.
    pub systems: Vec<String>,
    /// Their possible scores.
    pub ranges: Vec<(f64, f64)>,
    /// Who is certainly above whom.
    pub order: Order,
}

/// Both kinds of range at one p.
#[derive(Clone, Copy)]
struct BothRanges {
    graded: (f64, f64),
    /// `None` where no single ranking has such a score.
    binary: Option<(f64, f64)>,
}

impl BothRanges {
    /// `effort` as in [`ranges::range`].
    fn compute(system: &PublishedSystem, at: f64, effort: usize) -> BothRanges {
        let binary = || {
            let (low, high) = ranges::binary(&system.published, at, effort);
            (low.value, high.value)
        };
        let possible = system.published.check_binary().is_ok();
        BothRanges { graded: ranges::graded(&system.published, at), binary: possible.then(binary) }
    }

    fn chosen(&self, single_topic: bool) -> (f64, f64) {
        self.binary.filter(|_| single_topic).unwrap_or(self.graded)
    }
}

/// Whose score is higher?
pub fn compare(options: &CompareOptions) -> CompareAnswer {
    let systems = &options.systems;
    let mut rows = Vec::new();
    for (first, a) in systems.iter().enumerate() {
        for b in &systems[first + 1..] {
            let lower = a.published.persistence().min(b.published.persistence());
            let ats = if options.at.is_empty() { &[lower][..] } else { &options.at[..] };
            rows.extend(ats.iter().map(|&at| compare_pair(options, a, b, at)));
        }
    }
    let differs = |row: &&PairVerdict| row.verdict_binary.is_some_and(|binary| binary != row.verdict_graded);
    let decided_for_one_topic = rows.iter().filter(differs).count();
    let (one, comparisons) = if rows.len() == 1 { (rows.pop(), None) } else { (None, Some(rows)) };
    let graph = order_graph(options);
    CompareAnswer {
        one,
        comparisons,
        order: (systems.len() > 2).then(|| ordered(&graph)),
        graph,
        single_topic: options.single_topic,
        decided_for_one_topic,
        without_residual: systems
            .iter()
            .filter(|system| system.published.residual().is_none())
            .map(|system| system.name.clone())
            .collect(),
    }
}

fn compare_pair(options: &CompareOptions, a: &PublishedSystem, b: &PublishedSystem, at: f64) -> PairVerdict {
    let effort = options.effort();
    let (both_a, both_b) = (BothRanges::compute(a, at, effort), BothRanges::compute(b, at, effort));
    let (range_a, range_b) = (both_a.chosen(options.single_topic), both_b.chosen(options.single_topic));
    // `low` and `high` are of the score that had to be carried to the other p: the one farther away.
    let distance = |system: &PublishedSystem| (system.published.persistence() - at).abs();
    let (of, (low, high)) = if distance(a) > distance(b) { (Side::A, range_a) } else { (Side::B, range_b) };
    PairVerdict {
        a: a.name.clone(),
        b: b.name.clone(),
        at,
        verdict: verdict(range_a, range_b),
        of,
        low,
        high,
        range_a,
        range_b,
        difference: difference(range_a, range_b),
        verdict_graded: verdict(both_a.graded, both_b.graded),
        verdict_binary: both_a.binary.zip(both_b.binary).map(|(a, b)| verdict(a, b)),
        because: String::new(),
    }
}

/// The order of all systems at one p: the first that was given, or the lowest that was published.
fn order_graph(options: &CompareOptions) -> OrderGraph {
    let lowest = options.systems.iter().map(|system| system.published.persistence()).fold(1.0, f64::min);
    let at = options.at.first().copied().unwrap_or(lowest);
    let range = |system| BothRanges::compute(system, at, options.effort()).chosen(options.single_topic);
    let ranges: Vec<(f64, f64)> = options.systems.iter().map(range).collect();
    let order = Order::from_ranges(&ranges);
    OrderGraph { at, systems: options.systems.iter().map(|system| system.name.clone()).collect(), ranges, order }
}

fn ordered(graph: &OrderGraph) -> Vec<OrderedSystem> {
    let OrderGraph { systems, ranges, order, .. } = graph;
    let names = |places: &[usize]| places.iter().map(|&place| systems[place].clone()).collect();
    let mut places: Vec<usize> = (0..ranges.len()).collect();
    places.sort_by(|&a, &b| {
        (order.level[a], ranges[b].0).partial_cmp(&(order.level[b], ranges[a].0)).unwrap_or(std::cmp::Ordering::Equal)
    });
    let row = |place: usize| OrderedSystem {
        system: systems[place].clone(),
        level: order.level[place] + 1,
        low: ranges[place].0,
        high: ranges[place].1,
        above: names(&order.above[place]),
        next: names(&order.next[place]),
    };
    places.into_iter().map(row).collect()
}
