//! How far the measures of sampled judgements were off where the truth is known: tables for their pages.
//!
//! The tables are written by `bench/examples/sampled.rs` from collections that are not part of the project, and kept here
//! so that a page shows what was measured and not what is hoped for.

/// What was measured of one measure.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    /// The measure's name; one with several designs has several rows.
    pub name: &'static str,
    /// How the samples were drawn.
    pub design: &'static str,
    /// The table, in Markdown.
    pub table: &'static str,
}

/// What all the experiments have in common, and how to read the tables.
pub const EXPERIMENT: &str = "Samples of judgements that are treated as complete, 200 per rate, each used for all runs. \
                              *Bias* and *rms error* are those of a topic's value; *rms std. error* is the estimate of \
                              the measure for the latter. *Topics held* is how often the value ± 1.96 standard errors \
                              covers the true value of a topic, *means held* the same for the mean of the topics; both \
                              should be 95%. A topic without a sampled relevant document counts with the value that the \
                              measure gives it, if any; it has no standard error.";

const UNIFORM: &str = "TREC-COVID round 1, 30 topics, 12 runs; a uniform random sample of each topic's pool.";
const STRATIFIED: &str = "TREC-COVID round 1, 30 topics, 12 runs; strata by the best rank of a document in any run: ranks \
                          1 and 2 are judged completely, 3 to 5 at twice the rate, the rest at the rate; at least two \
                          documents per stratum.";
const CHOSEN: &str = "TREC-COVID round 1, 30 topics, 12 runs; documents are sampled independently with probability 2 / best \
                      rank in any run, but at least the rate and at most 1.";
const SAMPLE_UNIFORM: &str = "`karat sample --rate RATE` on the same collection, from the first 100 ranks of each run; the \
                              truth is what the judgements of these documents say.";
const SAMPLE_STRATA: &str = "`karat sample --design strata --strata 10:1,100:RATE` on the same collection; the truth is \
                             what the judgements of the first 100 ranks of each run say.";
const SAMPLE_WEIGHTED: &str = "`karat sample --design weighted --rate RATE` (weights of RBP(p=0.8)) on the same collection, \
                               from the first 100 ranks of each run; the truth is what the judgements of these documents say.";
const REFUSED: &str = "`karat sample --design weighted --rate RATE` (weights of RBP(p=0.8)) on the same collection, its \
                       documents treated as drawn independently. karat refuses this; the next table shows why.";
const SHALLOW: &str = "The same design with shallow pools: a simulated collection of 50 topics with 19 relevant \
                               documents in the pool of the mean topic, five runs of 50 documents.";
macro_rules! measured {
    ($name:literal, $design:expr, $file:literal) => {
        Measured { name: $name, design: $design, table: include_str!(concat!("measured/", $file, ".md")) }
    };
}

/// The rows of a measure stand together, the first with the design that the measure was made for.
pub static MEASURED: &[Measured] = &[
    measured!("infAP", UNIFORM, "infAP"),
    measured!("xinfAP", STRATIFIED, "xinfAP"),
    measured!("xinfAP", SAMPLE_STRATA, "xinfAP.strata"),
    measured!("xinfAP", SHALLOW, "xinfAP.strata.world"),
    measured!("xinfAP", SAMPLE_UNIFORM, "xinfAP.uniform"),
    measured!("xinfAP", SHALLOW, "xinfAP.uniform.world"),
    measured!("infNDCG", STRATIFIED, "infNDCG"),
    measured!("infNDCG", SAMPLE_STRATA, "infNDCG.strata"),
    measured!("infNDCG", SHALLOW, "infNDCG.strata.world"),
    measured!("infNDCG", SAMPLE_UNIFORM, "infNDCG.uniform"),
    measured!("infNDCG", SHALLOW, "infNDCG.uniform.world"),
    measured!("infP", STRATIFIED, "infP"),
    measured!("infP", SAMPLE_STRATA, "infP.strata"),
    measured!("infP", SHALLOW, "infP.strata.world"),
    measured!("infP", SAMPLE_UNIFORM, "infP.uniform"),
    measured!("infP", SHALLOW, "infP.uniform.world"),
    measured!("statAP", CHOSEN, "statAP"),
    measured!("statAP", REFUSED, "statAP.weighted"),
    measured!("statAP", SHALLOW, "statAP.weighted.world"),
    measured!("htP", CHOSEN, "htP"),
    measured!("htP", SAMPLE_WEIGHTED, "htP.weighted"),
    measured!("htP", SHALLOW, "htP.weighted.world"),
    measured!("htRBP", CHOSEN, "htRBP"),
    measured!("htRBP", SAMPLE_WEIGHTED, "htRBP.weighted"),
    measured!("htRBP", SHALLOW, "htRBP.weighted.world"),
    measured!("htDCG", CHOSEN, "htDCG"),
    measured!("htDCG", SAMPLE_WEIGHTED, "htDCG.weighted"),
    measured!("htDCG", SHALLOW, "htDCG.weighted.world"),
];

/// What was measured of a measure, by design.
pub fn of(name: &str) -> impl Iterator<Item = &'static Measured> + '_ {
    MEASURED.iter().filter(move |measured| measured.name == name)
}
