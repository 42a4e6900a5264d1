//! Reports of what the numbers say: one file for each question of `karat published`.

mod compare;
mod depth;
mod fan;
mod range;
mod vectors;

pub use compare::{Comparison, System, compare};
pub use depth::{Depths, depth};
pub use fan::fans;
pub use range::{Ranges, range};
pub use vectors::{Vectors, vectors};

/// The range that holds for whatever was averaged, in one sentence.
const GRADED: &str = "the graded range holds for gains anywhere from 0 to 1 and for means over topics (a mean of RBP scores is the RBP \
                      of the mean gains), and is exact for them; the binary range holds for a single topic with binary relevance only";

/// p as it is shown.
fn p_column(key: &'static str, heading: &str) -> karat_report::Column {
    karat_report::Column::new(key, heading).style(karat_report::NumberStyle::Given)
}
