//! The cheapest mix of topics, judgements and gold labels that reaches a width.
//!
//! The one decision: every number of judgements worth looking at is tried; for each, the fewest gold labels that go with so many topics
//! have a closed form, and the cheapest number of topics is found by cutting the range in three, since the cost first falls and then rises.

use karat_stats::power::MOST_TOPICS;
use schemars::JsonSchema;
use serde::Serialize;

use super::outlook::{Effort, Outlook};

/// What things cost; `None`: not on sale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prices {
    /// A topic with its judgements; the outer `None`: as many judgements as the present ones have on average.
    pub topic: Option<Option<f64>>,
    /// A judgement.
    pub judgement: Option<f64>,
    /// A gold label.
    pub gold: Option<f64>,
}

impl Default for Prices {
    fn default() -> Prices {
        Prices { topic: None, judgement: Some(1.0), gold: Some(1.0) }
    }
}

/// Prices with nothing left to default; `None`: not on sale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CompletePrices {
    /// Judgements that a present topic has on average.
    pub per_topic: f64,
    /// Whether the price of a topic was given.
    pub given: bool,
    /// A topic with its judgements.
    pub topic: Option<f64>,
    /// A judgement.
    pub judgement: Option<f64>,
    /// A gold label.
    pub gold: Option<f64>,
}

impl Prices {
    pub(super) fn complete(&self, per_topic: f64) -> CompletePrices {
        let usual = self.judgement.unwrap_or(1.0) * per_topic.max(1.0);
        CompletePrices {
            per_topic,
            given: self.topic.is_some(),
            topic: self.topic.unwrap_or(Some(usual)),
            judgement: self.judgement,
            gold: self.gold,
        }
    }
}

impl CompletePrices {
    fn cost(&self, effort: Effort) -> f64 {
        let part =
            |count: f64, price: Option<f64>| if count == 0.0 { 0.0 } else { count * price.unwrap_or(f64::INFINITY) };
        part(effort.topics as f64, self.topic)
            + part(effort.judgements as f64, self.judgement)
            + part(effort.gold as f64, self.gold)
    }
}

/// A way to reach a width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// The cheapest mix.
    Cheapest,
    /// New topics alone.
    Topics,
    /// Judgements alone.
    Judgements,
    /// Gold labels alone.
    Gold,
}

/// One way to reach a width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Advice {
    /// The way.
    pub strategy: Strategy,
    /// What to do; `None` where it does not reach the target.
    pub effort: Option<Effort>,
    /// What that costs.
    pub cost: Option<f64>,
    /// Half the width then; where the target is not reached, the least that can be had.
    pub half_width: f64,
}

/// The cheapest mix, then each kind of effort alone that is on sale.
pub(super) fn advise(outlook: &Outlook, prices: &CompletePrices, target: f64) -> Vec<Advice> {
    let search = Search { outlook, prices, target };
    let mut singles = Vec::new();
    let found = |strategy, effort: Option<Effort>, floor: f64| Advice {
        strategy,
        effort,
        cost: effort.map(|effort| prices.cost(effort)),
        half_width: effort.map_or(floor, |effort| outlook.half_width(effort)),
    };
    if prices.topic.is_some() {
        singles.push(found(
            Strategy::Topics,
            search.topics(0, 0).map(|topics| Effort { topics, ..Effort::default() }),
            search.topics_floor(),
        ));
    }
    if prices.judgement.is_some() && outlook.documents() > 0 {
        let widths = (0..=outlook.documents()).map(|judgements| Effort { judgements, ..Effort::default() });
        let enough = widths.clone().find(|&effort| outlook.half_width(effort) <= target);
        let floor = widths.map(|effort| outlook.half_width(effort)).fold(f64::INFINITY, f64::min);
        singles.push(found(Strategy::Judgements, enough, floor));
    }
    if prices.gold.is_some() && outlook.gold().is_some() {
        let effort = search.gold(0, 0).map(|gold| Effort { gold, ..Effort::default() });
        singles.push(found(Strategy::Gold, effort, outlook.without_gold(Effort::default())));
    }
    let mixes = search.mixes().into_iter().chain(singles.iter().filter_map(|single| single.effort));
    let best = mixes.min_by(|a, b| prices.cost(*a).total_cmp(&prices.cost(*b)));
    let floor = singles.iter().map(|single| single.half_width).fold(outlook.half_width(Effort::default()), f64::min);
    let cheapest = found(Strategy::Cheapest, best, search.floor().min(floor));
    [vec![cheapest], singles].concat()
}

struct Search<'a> {
    outlook: &'a Outlook,
    prices: &'a CompletePrices,
    target: f64,
}

impl Search<'_> {
    /// Gold labels that are enough beside that.
    fn gold(&self, topics: u64, judgements: usize) -> Option<u64> {
        let effort = Effort { topics, judgements, gold: 0 };
        if self.outlook.half_width(effort) <= self.target {
            return Some(0);
        }
        self.outlook.gold().and(self.prices.gold)?;
        let rest = self.outlook.without_gold(effort);
        let room = (self.target * self.target - rest * rest) / (self.outlook.z() * self.outlook.z());
        let needed = self.outlook.labels(self.outlook.after(effort).judges, room);
        (rest < self.target && needed.is_finite() && needed < 1e12).then(|| {
            let mut gold = needed.ceil().max(0.0) as u64;
            // Rounding may leave the last one out.
            while self.outlook.half_width(Effort { gold, ..effort }) > self.target {
                gold += 1 + gold / 1_000_000;
            }
            gold
        })
    }

    /// The fewest topics for which this holds; what is enough stays enough.
    fn fewest(&self, enough: impl Fn(u64) -> bool) -> Option<u64> {
        if enough(0) {
            return Some(0);
        }
        self.prices.topic?;
        let mut high = 1;
        while !enough(high) {
            if high >= MOST_TOPICS {
                return None;
            }
            high = (2 * high).min(MOST_TOPICS);
        }
        let mut low = high / 2;
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            if enough(middle) { high = middle } else { low = middle }
        }
        Some(high)
    }

    /// New topics that are enough beside that.
    fn topics(&self, judgements: usize, gold: u64) -> Option<u64> {
        self.fewest(|topics| self.outlook.half_width(Effort { topics, judgements, gold }) <= self.target)
    }

    /// What no number of topics gets below: everything but the calibration falls with them.
    fn topics_floor(&self) -> f64 {
        self.outlook.half_width(Effort { topics: MOST_TOPICS, ..Effort::default() })
    }

    fn floor(&self) -> f64 {
        let Effort { topics, judgements, gold } = Effort {
            topics: if self.prices.topic.is_some() { MOST_TOPICS } else { 0 },
            judgements: if self.prices.judgement.is_some() { self.outlook.documents() } else { 0 },
            gold: if self.prices.gold.is_some() { 1 << 40 } else { 0 },
        };
        let none = self.outlook.half_width(Effort { topics, judgements: 0, gold });
        self.outlook.half_width(Effort { topics, judgements, gold }).min(none)
    }

    /// The cheapest topics and gold labels beside so many judgements.
    fn beside(&self, judgements: usize) -> Option<Effort> {
        let cost = |topics: u64| {
            let effort = self.gold(topics, judgements).map(|gold| Effort { topics, judgements, gold });
            effort.map(|effort| (self.prices.cost(effort), effort))
        };
        let low = self.fewest(|topics| self.gold(topics, judgements).is_some())?;
        let high = self.topics(judgements, 0).unwrap_or_else(|| (64 * (low + 64)).min(MOST_TOPICS)).max(low);
        let (mut from, mut to) = (low, high);
        while to - from > 16 {
            let third = (to - from) / 3;
            let (left, right) = (from + third, to - third);
            match (cost(left), cost(right)) {
                (Some((a, _)), Some((b, _))) if a <= b => to = right,
                (None, None) => return None,
                (Some(_), None) => to = right,
                _ => from = left,
            }
        }
        let tried = (from..=to).chain([low, high]).filter_map(cost);
        tried.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, effort)| effort)
    }

    /// The cheapest mix of each number of judgements that is looked at: all small ones, then steps of a tenth, then all around the best.
    fn mixes(&self) -> Vec<Effort> {
        let most = if self.prices.judgement.is_some() { self.outlook.documents() } else { 0 };
        let mut numbers: Vec<usize> = Vec::new();
        let mut number = 0;
        while number < most {
            numbers.push(number);
            number = (number + 1).max(number + number / 10);
        }
        numbers.push(most);
        let mut mixes: Vec<Effort> = numbers.iter().filter_map(|&number| self.beside(number)).collect();
        let best = mixes.iter().min_by(|a, b| self.prices.cost(**a).total_cmp(&self.prices.cost(**b))).copied();
        if let Some(best) = best {
            let around = best.judgements / 8;
            let (from, to) = (best.judgements.saturating_sub(around), (best.judgements + around).min(most));
            let step = ((to - from) / 64).max(1);
            mixes.extend((from..=to).step_by(step).filter_map(|number| self.beside(number)));
        }
        mixes
    }
}
