//! The table of docs/guide/unjudged.md: how often intervals of Mean RBP hold the truth, in worlds where it is known.
//!
//! `cargo run --release -p karat-analysis --example unjudged_coverage [replications]`
#![allow(clippy::print_stdout, reason = "an example prints")]

use karat_analysis::unjudged::coverage::{Approach, Coverage, World, coverage};
use karat_analysis::unjudged::kind::{BAND, FLAT, ISOTONIC, LOGISTIC, URN};
use karat_analysis::unjudged::model::Model;
use karat_measures::spec;
use karat_stats::Seed;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let replications: u32 = std::env::args().nth(1).map_or(Ok(2000), |text| text.parse())?;
    let measure = spec::parse("RBP(p=0.8)", 1.0)?.build()?;
    // At w = 1 every model but the urn is right or nearly so, and the urn would only take longer to say it.
    let wanted = [
        ("q known", 1.0),
        ("flat", 1.0),
        ("isotonic", 1.0),
        ("logistic", 1.0),
        ("q known", 0.2),
        ("flat", 0.2),
        ("band", 0.2),
        ("isotonic", 0.2),
        ("logistic", 0.2),
        ("urn known", 0.2),
        ("urn", 0.2),
    ];
    println!("| w | chances | queries | these queries | all queries | bias | width | replications |");
    println!("|---|---|---|---|---|---|---|---|");
    for weight in [1.0, 0.2] {
        let world = World { documents: 100, share: 0.2, weight, judged: 10, persistence: 0.8 };
        let urn = Model::Urn { documents: 100, share: 0.2, weight };
        // The last number: how many times fewer replications, where each takes longer.
        let approaches = [
            ("q known", Approach::Known(Model::Curve(vec![0.2])), 1),
            ("flat", Approach::Fitted(&FLAT), 1),
            ("band", Approach::Fitted(&BAND), 1),
            ("isotonic", Approach::Fitted(&ISOTONIC), 1),
            ("logistic", Approach::Fitted(&LOGISTIC), 1),
            ("urn known", Approach::Known(urn), 4),
            ("urn", Approach::Fitted(&URN), 8),
        ];
        for (name, approach, dear) in approaches.iter().filter(|(name, _, _)| wanted.contains(&(*name, weight))) {
            for (queries, times) in [(10, 1), (30, 2), (50, 2), (200, 1)] {
                // Below 30 queries the exact distribution takes its time; so does the urn with many.
                let fewer = if queries == 200 && *dear > 1 { 4 } else { 1 };
                let count = replications * times / dear / fewer;
                let found = coverage(world, queries, approach, measure.as_ref(), count, Seed(11));
                let Some(Coverage { these, all, bias, width, replications }) = found else { continue };
                println!(
                    "| {weight} | {name} | {queries} | {:.1}% | {:.1}% | {bias:+.4} | {width:.4} | {replications} |",
                    100.0 * these,
                    100.0 * all
                );
            }
        }
    }
    Ok(())
}
