//! What do judges' errors do to P@k, and does the correction repair it? Algorithm 2 of the paper.

use karat_report::{Block, Column, NumberStyle, Provenance, Report, Table};
use karat_sim::{JudgesError, JudgesWorld};
use karat_stats::Seed;

use crate::eval::percent;

/// What is simulated.
pub struct JudgesQuestion {
    /// The world.
    pub world: JudgesWorld,
    /// Runs.
    pub runs: u32,
    /// Level of the intervals whose coverage is counted.
    pub level: f64,
    /// Seed.
    pub seed: Seed,
    /// Threads; they do not change the answer.
    pub threads: usize,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// The program's version.
    pub version: &'static str,
}

/// Simulates the world.
///
/// # Errors
/// A number outside its range.
pub fn judges(question: JudgesQuestion) -> Result<Report, JudgesError> {
    let world = &question.world;
    let found = world.simulate(question.runs, question.level, question.seed, question.threads)?;
    let runs = f64::from(question.runs.max(1));
    let share = |covered: u32| f64::from(covered) / runs;
    let error = |share: f64| (share * (1.0 - share) / runs).sqrt();
    let (naive, corrected) = (share(found.naive_covered), share(found.corrected_covered));
    let k = world.truth.len();
    let held = format!("truth in its {} interval", percent(question.level));
    let mut people = Table::new("people", "")
        .column("score", "")
        .column("mean", "mean")
        .column("std_dev", "std. dev.")
        .with(Column::new("coverage", held).style(NumberStyle::Decimals(3)))
        .audience(karat_report::Audience::People);
    people.push(["by bronze judges".into(), found.naive.0.into(), found.naive.1.into(), naive.into()]);
    people.push(["corrected".into(), found.corrected.0.into(), found.corrected.1.into(), corrected.into()]);
    let keys = [
        ("truth", world.true_score()),
        ("naive_expected", world.naive_score()),
        ("naive_mean", found.naive.0),
        ("naive_std_dev", found.naive.1),
        ("corrected_mean", found.corrected.0),
        ("corrected_std_dev", found.corrected.1),
        ("std_error_told", found.std_error),
        ("naive_coverage", naive),
        ("naive_coverage_std_error", error(naive)),
        ("corrected_coverage", corrected),
        ("corrected_coverage_std_error", error(corrected)),
        ("level", question.level),
        ("runs", runs),
        ("without", f64::from(found.without)),
        ("impossible", f64::from(found.impossible)),
    ];
    let mut record = Table::new("simulation", "").audience(karat_report::Audience::Data);
    for (key, _) in keys {
        record = record.column(key, key);
    }
    record.push(keys.map(|(_, value)| value.into()));
    let mut report = Report::new("Simulated judges", "simulate judges", question.version);
    report = report.table(people).block(Block::Record(record));
    let score = |value: f64| NumberStyle::Score.show(value);
    report.notes.push(format!(
        "the true P@{k} is {}; bronze judges with m_R = {} and m_N = {} give {} in the long run (equation 3)",
        score(world.true_score()),
        world.relevant,
        world.nonrelevant,
        score(world.naive_score())
    ));
    report.notes.push(format!(
        "{} runs of {} queries, each with its own calibration of {} relevant and {} non-relevant pairs; the standard error told (equation 7) is \
         {} in the mean, the standard deviation seen {}",
        question.runs,
        world.queries,
        world.pairs.0,
        world.pairs.1,
        score(found.std_error),
        score(found.corrected.1)
    ));
    if found.without > 0 {
        report.notes.push(format!(
            "{} runs have no corrected score because D was not above 0; they count as not covered",
            found.without
        ));
    }
    if found.impossible > 0 {
        report
            .notes
            .push(format!("{} corrected scores lie outside 0 to 1; they are kept as they are", found.impossible));
    }
    report.provenance = question.provenance;
    Ok(report)
}
