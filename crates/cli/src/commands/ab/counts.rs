//! `karat ab --a clicks=1200,searches=10000 --b ...`

use karat_analysis::ab::{Counts, CountsOptions, counts};
use karat_formats::records::named::LARGEST_COUNT;
use karat_present::{Context, ab};
use karat_report::Provenance;

use super::Test;
use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;

/// An arm from the command line, with the names of what is counted.
struct Typed {
    counts: Counts,
    names: (String, String),
}

/// What messages name in place of a file.
const SOURCE: &str = "counts";

pub(super) fn run(test: &Test, a: &str, environment: &Environment) -> Result<(), Failure> {
    refuse_row_options(test)?;
    let mut typed = vec![parse("--a", a, "a")?];
    for (at, b) in test.b.iter().enumerate() {
        let letter = char::from(b'b' + u8::try_from(at).unwrap_or(u8::MAX).min(24)).to_string();
        typed.push(parse("--b", b, &letter)?);
    }
    check_names(&typed)?;
    let mut provenance = Provenance::default().option("a", a).option("b", test.b.clone());
    if let Some(split) = &test.split {
        provenance = provenance.option("split", split.as_str());
    }
    let options = CountsOptions {
        counted: typed[0].names.clone(),
        split: test.split()?,
        level: test.level,
        power: test.power,
        lift: test.lift,
    };
    let arms: Vec<Counts> = typed.into_iter().map(|typed| typed.counts).collect();
    let answer = counts(&arms, &options).map_err(|error| ab::problems(&error, SOURCE))?;
    let provenance = provenance.option("level", test.level).option("power", test.power);
    let context = Context { version: VERSION, provenance, notes: Vec::new() };
    environment.write(&ab::counts_report(answer, &options, context), &test.output)
}

/// Options that need rows.
fn refuse_row_options(test: &Test) -> Result<(), Failure> {
    for (given, option) in [
        (test.time.is_some(), "--time"),
        (!test.metrics.is_empty(), "--metric"),
        (test.control.is_some(), "--control"),
        (test.units_per_day.is_some(), "--units-per-day"),
    ] {
        if given {
            return Err(Failure::usage(format!("{option} needs a file of rows; with counts, the control is --a")));
        }
    }
    Ok(())
}

/// All arms count the same things, and each has a name of its own.
fn check_names(typed: &[Typed]) -> Result<(), Failure> {
    let names = &typed[0].names;
    if let Some(other) = typed.iter().find(|other| other.names != *names) {
        return Err(Failure::usage(format!(
            "--b counts {} and {}, --a counts {} and {}; they must count the same",
            other.names.0, other.names.1, names.0, names.1
        )));
    }
    for (at, own) in typed.iter().enumerate() {
        if typed[..at].iter().any(|known| known.counts.name == own.counts.name) {
            let name = &own.counts.name;
            return Err(Failure::usage(format!("two arms are called '{name}'; rename one with name=...")));
        }
    }
    Ok(())
}

fn parse(option: &str, text: &str, name: &str) -> Result<Typed, Failure> {
    let wrong = |what: String| {
        Failure::usage(format!("{option}: {what}; expected clicks=1200,searches=10000[,users=4000][,name=old]"))
    };
    let (mut name, mut users, mut counted): (String, Option<u64>, Vec<(String, u64)>) =
        (name.to_owned(), None, Vec::new());
    for part in text.split(',') {
        let Some((key, value)) = part.split_once('=').map(|(key, value)| (key.trim(), value.trim())) else {
            return Err(wrong(format!("'{part}' is not key=value")));
        };
        if key == "name" && !value.is_empty() {
            name = value.to_owned();
            continue;
        }
        let count = value.parse().ok().filter(|count: &u64| *count <= LARGEST_COUNT);
        let count = count.ok_or_else(|| {
            wrong(format!(
                "{key} needs a whole number from 0 to {LARGEST_COUNT} (larger ones are not exact), found '{value}'"
            ))
        })?;
        if key == "users" {
            users = Some(count);
        } else if counted.iter().any(|(known, _)| known == key) {
            return Err(wrong(format!("{key} is given twice")));
        } else {
            counted.push((key.to_owned(), count));
        }
    }
    match <[(String, u64); 2]>::try_from(counted) {
        Ok([(above, successes), (below, trials)]) => {
            Ok(Typed { counts: Counts { name, successes, trials, users }, names: (above, below) })
        }
        Err(other) => Err(wrong(format!("two counts are needed, such as clicks and searches; found {}", other.len()))),
    }
}
