//! Notes on corrections for judge errors, by a calibration or by gold labels, in words.

use karat_analysis::eval::notes::{CorrectionNote, GoldNote};
use karat_report::NumberStyle;
use karat_stats::judge_error::ppi::BronzeWeight;

use crate::judges::{SAME_RATES, rate_warning};

/// More scores than these are counted, not named.
const NAMED: usize = 6;

fn show(value: f64) -> String {
    NumberStyle::Score.show(value)
}

/// On a calibration.
pub(super) fn correction(note: &CorrectionNote) -> String {
    match note {
        CorrectionNote::Rates(warning) => rate_warning(warning),
        CorrectionNote::Corrected { measure, run, naive, value } => format!(
            "{measure} of {run}: {} uncorrected, {} corrected for the judges' errors",
            show(*naive),
            show(*value)
        ),
        CorrectionNote::Impossible { measure, run, value, nearest } => format!(
            "warning: {} is outside the possible {measure} of {run} (limit {}): score and error rates are inconsistent",
            show(*value),
            show(*nearest)
        ),
        CorrectionNote::Harm { scores, of } => harm(scores, *of),
        CorrectionNote::NotCorrected(measures) => format!(
            "Not corrected (counts, measures of judged documents, expected values, or no grades): {}",
            measures.join(", ")
        ),
        CorrectionNote::Assumption => SAME_RATES.into(),
        CorrectionNote::Drawn { measures, draws } => format!(
            "{}: expected values over {draws} draws of the gold labels. Assumes independent errors given the true grade, \
             and a share of relevant documents that falls smoothly with rank.",
            measures.join(", ")
        ),
        CorrectionNote::LostCalibrations { lost, of } => format!(
            "warning: the variance due to judges is too small: {lost} of {of} resampled calibrations carry no information; collect more gold labels"
        ),
        CorrectionNote::ByQuery => {
            "Topics are listed corrected; the corrected score of a single topic may be impossible and means little".into()
        }
        CorrectionNote::ModelUncorrected => {
            "--unjudged with --calibration: only the judged part of each score is corrected; the relevance model is fitted to the \
             uncorrected labels"
                .into()
        }
    }
}

fn harm(scores: &[(String, String)], of: usize) -> String {
    let named = |(measure, run): &(String, String)| format!("{measure} of {run}");
    let scores = match scores.len() {
        count if count > NAMED => format!("{count} of {of} scores"),
        _ => scores.iter().map(named).collect::<Vec<_>>().join(", "),
    };
    format!(
        "warning: the correction increases the expected squared error of {scores}; merge grades that these judges confuse, or collect \
         more gold labels"
    )
}

/// On gold labels of some topics.
pub(super) fn gold(note: &GoldNote) -> String {
    match note {
        GoldNote::Corrected { measure, run, naive, value, gold, topics, weight } => format!(
            "{measure} of {run}: {} with bronze labels, {} with gold labels of {gold} of {topics} topics (bronze weight {})",
            show(*naive),
            show(*value),
            NumberStyle::Decimals(2).show(*weight)
        ),
        GoldNote::NotCorrected(measures) => format!(
            "Not corrected (counts, measures of judged documents, or too few topics with both): {}",
            measures.join(", ")
        ),
        GoldNote::Sample { gold, topics } => {
            format!(
                "The correction assumes that the {gold} topics with gold labels are a random sample of the {topics}."
            )
        }
        GoldNote::Weight(BronzeWeight::Tuned) => {
            "The bronze weight minimises the variance (regression estimator, Cochran 1977); Student's t intervals with \
             Satterthwaite's degrees of freedom."
                .into()
        }
        GoldNote::Weight(BronzeWeight::Fixed(weight)) => format!(
            "Bronze weight {weight} (--bronze-weight); Student's t intervals with Satterthwaite's degrees of freedom."
        ),
        GoldNote::Few { gold, recommended } => format!(
            "warning: intervals may be too narrow with gold labels of only {gold} topics (recommended: {recommended}); collect more"
        ),
        GoldNote::Coverage { both, bronze } => format!(
            "warning: corrected scores may be too low: gold judged {both} of the {bronze} documents that bronze judged in these topics, \
             and the others count as not relevant"
        ),
    }
}
