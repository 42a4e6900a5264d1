//! Overlap of the sets of relevant documents.

use super::{Coefficient, Confusion, Example, Of, Undefined};

pub(super) const ROW: Coefficient = Coefficient {
    name: "overlap",
    title: "Overlap",
    formula: "items both call relevant / items at least one calls relevant; relevant is any grade above the scale's lowest",
    reading: "The overlap of the judges' sets of relevant documents. Unlike observed agreement, it does not rise with \
              the many documents that are clearly not relevant. With more than two judges: the mean over all pairs.",
    citation: "Voorhees (2000), Variations in relevance judgments and the measurement of retrieval effectiveness, \
               Information Processing & Management 36(5)",
    beyond_chance: false,
    of: Of::TwoJudges(overlap),
    example: Example {
        table: &[&[40, 0], &[40, 20]],
        value: 1.0 / 3.0,
        derivation: "20 relevant to both, 40 + 0 + 20 to at least one",
    },
};

fn overlap(confusion: &Confusion) -> Result<f64, Undefined> {
    let items = confusion.items();
    if items == 0.0 {
        return Err(Undefined::NoOverlap);
    }
    let k = confusion.categories();
    let both: f64 = (1..k).flat_map(|a| (1..k).map(move |b| confusion.at(a, b))).sum();
    let either = items - confusion.at(0, 0);
    if either > 0.0 { Ok(both / either) } else { Err(Undefined::NothingRelevant) }
}
