//! How much wider than need be the bounds of measures are that are sound and not exact.
//!
//! Measured against every way of judging the unjudged documents of small random topics, which are dealt the same way every
//! time; `tests/gaps.rs` measures again and holds the numbers to it.

use crate::info::MeasureInfo;

/// What the topics are.
const TOPICS: &str = "on random topics with up to 5 unjudged documents and grades to 3";

/// The largest distance from an end of the bounds to the nearest value a completion has, rounded up, over the measure's
/// worked examples.
pub static GAPS: &[(&str, f64)] = &[
    ("BPM", 1.0),
    ("Compat", 0.2),
    ("G", 1.0),
    ("IPrec", 1.0),
    ("IPrecAvg", 0.5),
    ("Judged", 1.0),
    ("NCUgu", 0.32),
    ("NCUrb", 0.34),
    ("NumNonRelJudgedRet", 0.0),
    ("PMeasure", 0.34),
    ("PPlus", 0.36),
    ("Q", 0.4),
    ("Rndcg", 1.0),
    ("Unjudged", 1.0),
    ("alpha_nDCG", 0.98),
    ("nDCGrel", 1.0),
    ("nERR", 0.42),
    ("nERR_IA", 0.83),
    ("nNRBP", 0.87),
];

/// What the bounds of a measure are and, where they may be too wide, by how much they were seen to be.
pub fn sentence(info: &MeasureInfo) -> String {
    let gap = GAPS.iter().find(|(name, _)| *name == info.name);
    let seen = gap.map(|(_, gap)| format!(" (at most {gap} too wide at either end {TOPICS})"));
    format!("{}{}", info.bounds.sentence(), seen.unwrap_or_default())
}
