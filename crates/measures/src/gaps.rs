//! How much wider than need be the bounds of measures are that are sound and not exact.
//!
//! Measured against every way of judging the unjudged documents of small random topics, which are dealt the same way every
//! time; `tests/gaps.rs` measures again and holds the numbers to it.

use karat_data::CollectionFacts;

use crate::info::{BoundsKind, MeasureInfo};

/// What the topics are.
const TOPICS: &str = "on random topics with up to 5 unjudged documents and grades up to 3";

/// How far the bounds of a measure were seen to be from what completions reach.
#[derive(Debug, Clone, Copy)]
pub struct Gap {
    /// The measure's name.
    pub name: &'static str,
    /// The largest distance from an end of the bounds to the nearest value a completion has, rounded up, over the
    /// measure's worked examples.
    pub seen: f64,
    /// A larger one that a longer search has found. It is not the largest there is either.
    pub wider: Option<f64>,
}

impl Gap {
    const fn new(name: &'static str, seen: f64) -> Gap {
        Gap { name, seen, wider: None }
    }

    const fn wider(self, wider: f64) -> Gap {
        Gap { wider: Some(wider), ..self }
    }

    fn sentence(&self) -> String {
        let seen = if self.seen == 0.0 {
            format!("both ends are reached {TOPICS}")
        } else {
            format!("each end is too wide by at most {} {TOPICS}", self.seen)
        };
        match self.wider {
            Some(wider) => format!("{seen}; by {wider} in a larger search"),
            None => seen,
        }
    }
}

/// One row per measure whose bounds are sound and say more than the range.
pub static GAPS: &[Gap] = &[
    Gap::new("BPM", 1.0),
    Gap::new("Compat", 0.2).wider(0.27),
    Gap::new("IPrec", 1.0),
    Gap::new("IPrecAvg", 0.5).wider(0.67),
    Gap::new("Judged", 1.0),
    Gap::new("NCUgu", 0.32).wider(0.47),
    Gap::new("NCUrb", 0.34).wider(0.42),
    Gap::new("NumNonRelJudgedRet", 0.0),
    Gap::new("PMeasure", 0.34).wider(0.5),
    Gap::new("PPlus", 0.36).wider(0.43),
    Gap::new("Q", 0.4).wider(0.58),
    Gap::new("Unjudged", 1.0),
    Gap::new("alpha_nDCG", 0.98).wider(1.2),
    Gap::new("nERR", 0.42),
    Gap::new("nERR_IA", 0.83).wider(1.33),
    Gap::new("nNRBP", 0.87).wider(1.46),
];

/// The measures of which nothing better is known than their range as soon as a document is unjudged.
pub static WHOLE_RANGE: &[&str] = &["G", "PrefGroups", "PrefGroupsR", "PrefPairs", "PrefRatio", "Rndcg", "nDCGrel"];

/// What the bounds of a measure are and allow for and, where they may be too wide, by how much they were seen to be.
pub fn sentence(info: &MeasureInfo) -> String {
    if WHOLE_RANGE.contains(&info.name) {
        return "none: the whole range of the measure as soon as a document is unjudged".into();
    }
    let gap = GAPS.iter().find(|gap| gap.name == info.name);
    let seen = gap.map(|gap| format!(" ({})", gap.sentence()));
    format!("{}{}; {}", info.bounds.sentence(), seen.unwrap_or_default(), kinds(info))
}

/// The kinds of bounds that the worked examples have, named where they have several.
fn kinds(info: &MeasureInfo) -> String {
    let collection = CollectionFacts::default();
    let built = |text: &str| crate::spec::parse(text, 1.0).and_then(|spec| spec.build());
    let examples_of = |kind: BoundsKind| -> Vec<&str> {
        let is = |text: &&str| built(text).is_ok_and(|measure| measure.bounds_kind(&collection) == kind);
        info.examples.iter().map(|example| example.measure).filter(is).collect()
    };
    let mut found = [BoundsKind::Complete, BoundsKind::Retrieved].map(|kind| (kind, examples_of(kind))).to_vec();
    found.retain(|(_, examples)| !examples.is_empty());
    let several = found.len() > 1;
    let one = |(kind, examples): &(BoundsKind, Vec<&str>)| {
        let which = if several { format!(" for {}", examples.join(", ")) } else { String::new() };
        format!("{}{which}: {}", kind.name(), kind.meaning())
    };
    found.iter().map(one).collect::<Vec<_>>().join("; ")
}
