//! How many sampled judgements would settle a pair that is undecided while documents are unjudged.

use karat_data::RankedDocuments;

use karat_stats::Seed;

use super::verdict::{Block, Unjudged};
use super::{CompareOptions, Comparison};
use crate::lists::RunPair;
use crate::scores::Setting;
use crate::settle::draw::Frame;
use crate::settle::plan::Planner;
use crate::settle::{Design, Question};

/// The power that planning numbers are for where none is given.
pub const POWER: f64 = 0.8;

/// With more comparisons the numbers are left out: each takes a pass over the runs.
const MOST: usize = 20;

/// Plans for every undecided comparison with unjudged documents, for the difference that judged documents lead one to expect.
pub(super) fn plan(
    setting: &Setting<'_>,
    read: &RankedDocuments,
    options: &CompareOptions<'_>,
    comparisons: &mut [Comparison],
) {
    if comparisons.len() > MOST || options.unjudged != Unjudged::Tested {
        return;
    }
    let pairs = comparisons.iter().filter(|one| one.measure == comparisons[0].measure).count().max(1) as f64;
    let level = 1.0 - (1.0 - options.inference.level) / pairs;
    let seed = options.settings.seed;
    let is_open = |one: &&mut Comparison| {
        one.verdict.better().is_none() && !one.verdict.blocked.contains(&Block::Bounds) && !one.difference.is_closed()
    };
    for one in comparisons.iter_mut().filter(is_open) {
        one.to_settle = plan_for(setting, read, (one.measure, one.pair), (options.power, level), seed);
    }
}

/// What would settle an undecided pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ToSettle {
    /// Sampled judgements.
    pub judgements: usize,
    /// The difference, first run less second, if unjudged documents are relevant as often as each topic's judged ones: what they would show.
    pub expected: f64,
}

/// How many sampled judgements would settle one measure of one pair, for the difference that judged documents lead one to expect: `None` where no number
/// does, nothing that matters is unjudged, or the measure is not for samples of documents.
pub(crate) fn plan_for(
    setting: &Setting<'_>,
    read: &RankedDocuments,
    (measure, pair): (usize, RunPair),
    (power, level): (f64, f64),
    seed: Seed,
) -> Option<ToSettle> {
    let measures = std::slice::from_ref(&setting.measures[measure]);
    let own = measures[0].as_ref();
    if setting.is_sparse(own) || !Question::is_for_documents(own, setting) {
        return None;
    }
    let own = Setting { measures, ..*setting };
    let question = Question::new(&own, read, vec![pair]);
    let frame = Frame::new(&question, Design::Documents, seed, &|_, _| false);
    if frame.is_empty() {
        return None;
    }
    let planner = Planner::new(&frame, 0, power, level);
    let expected = planner.expected_difference();
    Some(ToSettle { judgements: planner.plan(expected).count?, expected })
}
