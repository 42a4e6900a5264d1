//! The table of measures. A new measure is one file and one row here.

use crate::info::MeasureInfo;
use crate::{
    accuracy, alpha_ndcg, average_precision, bejeweled, blended_ratio, bpref, compatibility, counts, cumulated_gain,
    err_ia, expected_reciprocal_rank, f_measure, geometric, horvitz_thompson, inf_ndcg, inf_precision, inferred_ap,
    inst, intent_aware, interpolated, judged, judgement_groups, ndcg, ndcg_original, ndcg_variants, nearly_err,
    normalized_gain, nrbp, precision, preferences, r_precision, rbp, recall, reciprocal_rank, relative_precision,
    roc_area, scaled_dcg, sets, stat_ap, success, utility, xinf_ap, yaap,
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
    &expected_reciprocal_rank::NORMALIZED,
    &rbp::INFO,
    &inst::INFO,
    &inst::SQUARED,
    &bejeweled::INFO,
    &nearly_err::EQUATION_8,
    &nearly_err::EQUATION_9,
    &nearly_err::EQUATION_10,
    &nearly_err::EQUATION_11,
    &scaled_dcg::INFO,
    &compatibility::INFO,
    &blended_ratio::Q,
    &blended_ratio::O,
    &blended_ratio::P,
    &blended_ratio::P_PLUS,
    &blended_ratio::NCU_GRADED,
    &blended_ratio::NCU_RANK_BIASED,
    &ndcg_original::INFO,
    &ndcg_variants::OVER_RELEVANT,
    &ndcg_variants::AT_LEVELS,
    &normalized_gain::INFO,
    &normalized_gain::BINARY,
    // Novelty and diversity: judgements by subtopic.
    &alpha_ndcg::NORMALIZED,
    &alpha_ndcg::PLAIN,
    &err_ia::INFO,
    &err_ia::NORMALIZED,
    &nrbp::INFO,
    &nrbp::NORMALIZED,
    &intent_aware::AVERAGE_PRECISION,
    &intent_aware::PRECISION,
    &intent_aware::SUBTOPIC_RECALL,
    // Incomplete judgements.
    &judged::INFO,
    &judged::UNJUDGED,
    &bpref::INFO,
    &bpref::TEN,
    &geometric::BPREF,
    &inferred_ap::INFO,
    // Judgements of a sample: by stratum, or with the probability of each document.
    &xinf_ap::INFO,
    &inf_ndcg::INFO,
    &inf_precision::INFO,
    &stat_ap::INFO,
    &horvitz_thompson::PRECISION,
    &horvitz_thompson::RBP,
    &horvitz_thompson::DCG,
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
