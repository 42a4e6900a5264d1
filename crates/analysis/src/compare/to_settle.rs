//! How many sampled judgements would settle a pair that is undecided while documents are unjudged.

use karat_data::RankedDocuments;

use super::verdict::{Block, Unjudged};
use super::{CompareOptions, Comparison};
use crate::scores::Setting;
use crate::settle::draw::Frame;
use crate::settle::plan::Planner;
use crate::settle::{Design, Question};

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
        let measures = std::slice::from_ref(&setting.measures[one.measure]);
        let measure = measures[0].as_ref();
        if setting.is_sparse(measure) || !Question::is_for_documents(measure, setting) {
            continue;
        }
        let own = Setting { measures, ..*setting };
        let question = Question::new(&own, read, vec![one.pair]);
        let frame = Frame::new(&question, Design::Documents, seed, &|_, _| false);
        let planner = Planner::new(&frame, 0, options.power, level);
        one.to_settle = planner.plan(planner.expected_difference()).count;
    }
}
