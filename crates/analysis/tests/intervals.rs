//! A seeded slice of docs/intervals-measured.md: the default interval where t fails, and where it holds.
#![allow(clippy::unwrap_used, reason = "a test")]

#[path = "../examples/intervals/coverage.rs"]
#[allow(dead_code, clippy::print_stdout, reason = "the tables are the example's")]
mod coverage;
#[path = "../examples/intervals/worlds.rs"]
#[allow(dead_code, reason = "real runs are the example's")]
mod worlds;

use karat_measures::spec;
use karat_runtime::jobs;
use karat_stats::Seed;

const SAMPLES: usize = 600;

#[test]
fn the_default_interval_covers_where_t_does_not_and_is_t_where_it_does() {
    // What 20,000 samples gave for t, and whether auto is t there. The standard error of 600 is 1.0% at 93% and 1.8% at 75%.
    let cases = [
        ("RR", "each rank relevant with 0.03", 10, 0.74, false),
        ("P@5", "each rank relevant with 0.02", 50, 0.87, false),
        ("Success@1", "relevant with 0.1", 10, 0.65, false),
        ("AP", "Beta(0.5, 9.5)", 10, 0.88, false),
        ("AP", "Beta(3, 3)", 50, 0.95, true),
    ];
    let shapes = worlds::shapes().unwrap();
    let found = jobs::in_order(cases.len(), 2, |at| {
        let (measure, name, n, ..) = cases[at];
        let (_, shape) = shapes.iter().find(|(of, shape)| *of == measure && shape.name == name).unwrap();
        coverage::measure(spec::parse(measure, 1.0).unwrap().info(), shape, n, SAMPLES, Seed(5))
    });
    for ((measure, name, n, t, is_t), tally) in cases.into_iter().zip(found) {
        assert!(tally.auto_holds() >= 0.93, "{measure}, {name}, {n}: {}", tally.auto_holds());
        assert!((tally.t_holds() - t).abs() < 0.07, "{measure}, {name}, {n}: t {}", tally.t_holds());
        if is_t {
            assert!(tally.auto_is_t() > 0.95 && tally.relative_width() < 1.02, "{measure}, {name}, {n}");
        }
    }
}
