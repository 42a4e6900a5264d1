//! How far the measures of sampled judgements were off where the truth is known: tables for their pages.
//!
//! The tables are written by `bench/examples/sampled.rs` from collections that are not part of the project, and kept here
//! so that a page shows what was measured and not what is hoped for.

/// What was measured of one measure.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    /// The measure's name.
    pub name: &'static str,
    /// How the samples were drawn.
    pub design: &'static str,
    /// The table, in Markdown.
    pub table: &'static str,
}

/// What all the experiments have in common, and how to read the tables.
pub const EXPERIMENT: &str = "Samples of the judgements of TREC-COVID round 1, treated as complete: 30 topics, 12 \
                              runs, 200 samples per rate, each used for all runs. *Bias* and *rms error* are those of \
                              a topic's value; *rms std. error* is the estimate of the measure for the latter. *Topics \
                              held* is how often the value ± 1.96 standard errors covers the true value of a topic, \
                              *means held* the same for the mean of the 30 topics; both should be 95%. A topic without \
                              a sampled relevant document counts with the value that the measure gives it, if any; it \
                              has no standard error.";

const UNIFORM: &str = "A uniform random sample of each topic's pool.";
const STRATIFIED: &str = "Strata by the best rank of a document in any run: ranks 1 and 2 are judged completely, 3 to \
                          5 at twice the rate, the rest at the rate; at least two documents per stratum.";
const CHOSEN: &str = "Documents are sampled independently with probability 2 / best rank in any run, but at least the \
                      rate and at most 1.";

/// One row per measure.
pub static MEASURED: &[Measured] = &[
    Measured { name: "infAP", design: UNIFORM, table: include_str!("measured/infAP.md") },
    Measured { name: "xinfAP", design: STRATIFIED, table: include_str!("measured/xinfAP.md") },
    Measured { name: "infNDCG", design: STRATIFIED, table: include_str!("measured/infNDCG.md") },
    Measured { name: "infP", design: STRATIFIED, table: include_str!("measured/infP.md") },
    Measured { name: "statAP", design: CHOSEN, table: include_str!("measured/statAP.md") },
    Measured { name: "htP", design: CHOSEN, table: include_str!("measured/htP.md") },
    Measured { name: "htRBP", design: CHOSEN, table: include_str!("measured/htRBP.md") },
    Measured { name: "htDCG", design: CHOSEN, table: include_str!("measured/htDCG.md") },
];

/// What was measured of a measure.
pub fn of(name: &str) -> Option<&'static Measured> {
    MEASURED.iter().find(|measured| measured.name == name)
}
