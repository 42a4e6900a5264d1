//! The table of measures. A new measure is one file and one row here.

use crate::info::MeasureInfo;
use crate::{
    accuracy, average_precision, bpref, counts, cumulated_gain, expected_reciprocal_rank, f_measure, geometric,
    inferred_ap, interpolated, judged, judgement_groups, ndcg, ndcg_variants, normalized_gain, precision, preferences,
    r_precision, rbp, recall, reciprocal_rank, relative_precision, roc_area, sets, success, utility, yaap,
};

/// Every measure, in the order people meet them in `karat measures`.
pub static MEASURES: &[&MeasureInfo] = &[
    // The first k ranks.
    &precision::INFO,
    &recall::INFO,
    &f_measure::INFO,
    &success::INFO,
    &reciprocal_rank::INFO,
    &relative_precision::INFO,
    &accuracy::INFO,
    // The whole ranking.
    &average_precision::INFO,
    &geometric::AVERAGE_PRECISION,
    &yaap::INFO,
    &r_precision::INFO,
    &r_precision::MULTIPLE,
    &r_precision::BREAK_EVEN,
    &interpolated::INFO,
    &interpolated::AVERAGE,
    &roc_area::INFO,
    // Grades and user models.
    &ndcg::INFO,
    &cumulated_gain::DISCOUNTED,
    &cumulated_gain::PLAIN,
    &expected_reciprocal_rank::INFO,
    &rbp::INFO,
    &ndcg_variants::OVER_RELEVANT,
    &ndcg_variants::AT_LEVELS,
    &normalized_gain::INFO,
    &normalized_gain::BINARY,
    // Incomplete judgements.
    &judged::INFO,
    &judged::UNJUDGED,
    &bpref::INFO,
    &bpref::TEN,
    &geometric::BPREF,
    &inferred_ap::INFO,
    // The retrieved set.
    &sets::PRECISION,
    &sets::RECALL,
    &f_measure::SET,
    &sets::RELATIVE_PRECISION,
    &sets::AVERAGE_PRECISION,
    &utility::INFO,
    // Judgement groups: the opinions of several people.
    &judgement_groups::AVERAGE_PRECISION,
    &judgement_groups::PRECISION,
    &judgement_groups::R_PRECISION_MULTIPLE,
    // Preferences.
    &preferences::ratio::INFO,
    &preferences::pairs::INFO,
    &preferences::groups::INFO,
    &preferences::equal_nonrelevant::INFO,
    // Counts.
    &counts::TOPICS,
    &counts::RETRIEVED,
    &counts::RELEVANT,
    &counts::RELEVANT_RETRIEVED,
    &counts::NONRELEVANT_RETRIEVED,
    &preferences::counts::POSSIBLE,
    &preferences::counts::FULFILLED,
];

/// The measure of that name or alias. Names are looked up as written first, then whatever their case.
pub fn find(name: &str) -> Option<&'static MeasureInfo> {
    let by = |same: &dyn Fn(&str) -> bool| {
        MEASURES.iter().copied().find(|info| same(info.name) || info.aliases.iter().any(|alias| same(alias)))
    };
    by(&|candidate| candidate == name).or_else(|| by(&|candidate| candidate.eq_ignore_ascii_case(name)))
}
