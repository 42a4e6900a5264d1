//! How many sampled judgements would settle what unjudged documents keep open.

use karat_data::RankedDocuments;

use super::verdict::Block;
use super::{CompareOptions, Comparison};
use crate::scores::Setting;
use crate::settle::draw::Frame;
use crate::settle::plan::Planner;
use crate::settle::{Design, Question};

/// With more comparisons the numbers are left out: each takes a pass over the runs.
const MOST: usize = 20;

/// Plans for every comparison that unjudged documents keep open, for the difference that judged documents lead one to expect.
pub(super) fn plan(
    setting: &Setting<'_>,
    read: &RankedDocuments,
    options: &CompareOptions<'_>,
    comparisons: &mut [Comparison],
) {
    if comparisons.len() > MOST {
        return;
    }
    let pairs = comparisons.iter().filter(|one| one.measure == comparisons[0].measure).count().max(1) as f64;
    let level = 1.0 - (1.0 - options.inference.level) / pairs;
    let seed = options.settings.seed;
    for one in comparisons.iter_mut().filter(|one| one.verdict.blocked.contains(&Block::Unjudged)) {
        let measures = std::slice::from_ref(&setting.measures[one.measure]);
        if !Question::is_for_documents(measures[0].as_ref(), setting) {
            continue;
        }
        let own = Setting { measures, ..*setting };
        let question = Question::new(&own, read, vec![one.pair]);
        let frame = Frame::new(&question, Design::Documents, seed, &|_, _| false);
        let planner = Planner::new(&frame, 0, options.power, level);
        one.to_settle = planner.plan(planner.expected_difference()).count;
    }
}
