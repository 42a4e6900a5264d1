//! `karat ab FILE --unit user --arm arm --metric clicks/searches`

use clap::ValueEnum;
use karat_analysis::ab::rows::{BothArms, Collector, Metric, Several};
use karat_analysis::ab::{UsersQuestion, users};
use karat_formats::records::named;
use karat_report::Provenance;

use super::Test;
use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::output;

/// What several clicks on one search count.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum SeveralOption {
    /// A row with more clicks than searches is refused
    Refuse,
    /// Once: each row is one search
    Once,
    /// All: the metric is a mean and no rate
    All,
}

/// What is done with units in two arms.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum BothArmsOption {
    /// Stop
    Error,
    /// Leave them out of all arms
    Drop,
}

pub(super) fn run(test: &Test, file: &str, environment: &Environment) -> Result<(), Failure> {
    output::refuse_overwrite(&test.output, &[file.to_owned()])?;
    let split = test.split()?;
    let several = match test.several {
        SeveralOption::Refuse => Several::Refuse,
        SeveralOption::Once => Several::Once,
        SeveralOption::All => Several::All,
    };
    let both = match test.both_arms {
        BothArmsOption::Error => BothArms::Error,
        BothArmsOption::Drop => BothArms::Drop,
    };
    let metrics = metrics(test)?;
    let input = environment.inputs(&[file.to_owned()])?.remove(0);
    let mut collector = Collector::new(metrics, several, test.time.clone());
    let mut wanted = vec![test.unit.clone(), test.arm.clone()];
    wanted.extend(test.time.clone());
    let first = wanted.len();
    wanted.extend(collector.columns().iter().cloned());
    let mut values = Vec::new();
    let facts = named::read(&input, &mut |_| Ok(wanted.clone()), &mut |line, cells| {
        let unit = named::name(&cells[0], &wanted[0])?;
        let arm = named::name(&cells[1], &wanted[1])?;
        let time = if first > 2 { Some(named::name(&cells[2], &wanted[2])?) } else { None };
        values.clear();
        for (cell, column) in cells[first..].iter().zip(&wanted[first..]) {
            values.push(named::count(cell, column)?);
        }
        collector.add(line, &unit, &arm, time.as_deref(), &values)
    })?;
    let observations = collector.finish(input.name(), &test.unit, both)?;
    let names: Vec<String> = observations.metrics.iter().map(|metric| metric.name.clone()).collect();
    let mut provenance = Provenance::default()
        .input_in(facts.format, input.name(), facts.bytes, facts.rows)
        .option("unit", test.unit.as_str())
        .option("arm", test.arm.as_str())
        .option("metric", names)
        .option("split", test.split.as_deref().unwrap_or("equal"));
    for (name, given) in [("control", &test.control), ("time", &test.time)] {
        if let Some(given) = given {
            provenance = provenance.option(name, given.as_str());
        }
    }
    if test.peek {
        provenance = provenance.option("peek", true).option("tune", test.tune as f64);
    }
    if let Some(lift) = test.lift {
        provenance = provenance.option("lift", lift);
    }
    let question = UsersQuestion {
        observations,
        unit: test.unit.clone(),
        control: test.control.clone(),
        split,
        several,
        level: test.level,
        power: test.power,
        lift: test.lift,
        per_day: test.units_per_day,
        peek: test.peek.then_some(test.tune),
        file: input.name().to_owned(),
        provenance: provenance.option("level", test.level).option("power", test.power),
        version: VERSION,
    };
    environment.write(&users(question)?, &test.output)
}

fn metrics(test: &Test) -> Result<Vec<Metric>, Failure> {
    let default = ["clicks/searches".to_owned()];
    let given = if test.metrics.is_empty() { &default[..] } else { &test.metrics[..] };
    let mut all: Vec<Metric> = Vec::new();
    for text in given.iter().flat_map(|text| text.split(',')) {
        let metric = Metric::parse(text, &test.unit).map_err(|why| Failure::usage(format!("--metric: {why}")))?;
        // A second time it would be a second hypothesis to the correction, or a typing error for another metric.
        let same = |known: &&Metric| known.numerator == metric.numerator && known.denominator == metric.denominator;
        if all.iter().any(|known| same(&known)) {
            return Err(Failure::usage(format!("--metric: {} is given twice; name each metric once", metric.name)));
        }
        all.push(metric);
    }
    Ok(all)
}
