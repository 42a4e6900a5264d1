//! `karat ab FILE --unit user --arm arm --metric clicks/searches`

use clap::ValueEnum;
use karat_analysis::ab::rows::{BothArms, Collector, Several};
use karat_analysis::ab::{Metric, UsersOptions, users};
use karat_formats::Input;
use karat_formats::records::named;
use karat_present::{Context, ab};
use karat_report::Provenance;
use karat_stats::Seed;

use super::Test;
use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::outputs::Outputs;

/// How several clicks on one search are counted.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum SeveralOption {
    /// A row with more clicks than searches is an error
    Refuse,
    /// Once; each row must be one search
    Once,
    /// Each; the metric is then a mean, not a rate
    All,
}

/// How units in two arms are handled.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum BothArmsOption {
    /// Stop with an error
    Error,
    /// Leave them out
    Drop,
}

pub(super) fn run(test: &Test, file: &str, environment: &Environment) -> Result<(), Failure> {
    Outputs::answer(&test.output).check(&[file.to_owned()])?;
    let options = options(test)?;
    let metrics = metrics(test)?;
    let input = environment.inputs(&[file.to_owned()])?.remove(0);
    let mut collector = Collector::new(metrics, options.several, test.time.clone());
    let facts = read(test, &input, &mut collector)?;
    let both = match test.both_arms {
        BothArmsOption::Error => BothArms::Error,
        BothArmsOption::Drop => BothArms::Drop,
    };
    let problems = |error| ab::problems(&error, input.name());
    let observations = collector.finish(&test.unit, both).map_err(problems)?;
    let answer = users(&observations, &options).map_err(problems)?;
    let names: Vec<String> = observations.metrics.iter().map(|metric| metric.name.clone()).collect();
    let provenance = Provenance::default().input_in(facts.format, input.name(), facts.bytes, facts.rows);
    let context =
        Context { version: VERSION, provenance: provenance_options(provenance, test, names), notes: Vec::new() };
    environment.write(&ab::users_report(answer, &options, context), &test.output)
}

fn options(test: &Test) -> Result<UsersOptions, Failure> {
    Ok(UsersOptions {
        unit: test.unit.clone(),
        control: test.control.clone(),
        split: test.split()?,
        several: match test.several {
            SeveralOption::Refuse => Several::Refuse,
            SeveralOption::Once => Several::Once,
            SeveralOption::All => Several::All,
        },
        level: test.level,
        power: test.power,
        lift: test.lift,
        per_day: test.units_per_day,
        peek: test.peek.then_some(test.tune),
        seed: Seed(test.seed),
    })
}

/// Adds the rows up.
fn read(test: &Test, input: &Input, collector: &mut Collector) -> Result<named::NamedFacts, Failure> {
    let mut wanted = vec![test.unit.clone(), test.arm.clone()];
    wanted.extend(test.time.clone());
    let first = wanted.len();
    wanted.extend(collector.columns().iter().cloned());
    let mut values = Vec::new();
    let facts = named::read(input, &mut |_| Ok(wanted.clone()), &mut |line, cells| {
        let unit = named::name(&cells[0], &wanted[0])?;
        let arm = named::name(&cells[1], &wanted[1])?;
        let time = if first > 2 { Some(named::name(&cells[2], &wanted[2])?) } else { None };
        values.clear();
        for (cell, column) in cells[first..].iter().zip(&wanted[first..]) {
            values.push(named::count(cell, column)?);
        }
        collector.add(line, &unit, &arm, time.as_deref(), &values).map_err(|error| ab::row_problem(&error))
    })?;
    Ok(facts)
}

fn provenance_options(mut provenance: Provenance, test: &Test, metrics: Vec<String>) -> Provenance {
    provenance = provenance
        .option("unit", test.unit.as_str())
        .option("arm", test.arm.as_str())
        .option("metric", metrics)
        .option("split", test.split.as_deref().unwrap_or("equal"));
    for (name, given) in [("control", &test.control), ("time", &test.time)] {
        if let Some(given) = given {
            provenance = provenance.option(name, given.as_str());
        }
    }
    if test.peek {
        provenance = provenance.option("peek", true).option("tune", test.tune as f64);
    }
    for (name, given) in [("lift", test.lift), ("units_per_day", test.units_per_day)] {
        if let Some(given) = given {
            provenance = provenance.option(name, given);
        }
    }
    match test.several {
        SeveralOption::Refuse => {}
        SeveralOption::Once => provenance = provenance.option("several", "once"),
        SeveralOption::All => provenance = provenance.option("several", "all"),
    }
    if matches!(test.both_arms, BothArmsOption::Drop) {
        provenance = provenance.option("both_arms", "drop");
    }
    let provenance = provenance.option("level", test.level).option("power", test.power);
    // Looks are not resampled.
    if test.peek { provenance } else { provenance.seed(test.seed) }
}

fn metrics(test: &Test) -> Result<Vec<Metric>, Failure> {
    let default = ["clicks/searches".to_owned()];
    let given = if test.metrics.is_empty() { &default[..] } else { &test.metrics[..] };
    let mut all: Vec<Metric> = Vec::new();
    for text in given.iter().flat_map(|text| text.split(',')) {
        let metric = Metric::parse(text, &test.unit).ok_or_else(|| {
            Failure::usage(format!("--metric: '{text}' is not a metric; expected clicks/searches or clicks"))
        })?;
        // Given twice, it would count as a second hypothesis in the correction, or be a typing error for another metric.
        let same = |known: &&Metric| known.numerator == metric.numerator && known.denominator == metric.denominator;
        if all.iter().any(|known| same(&known)) {
            return Err(Failure::usage(format!("--metric: {} is given twice; name each metric once", metric.name)));
        }
        all.push(metric);
    }
    Ok(all)
}
