//! `karat explain MEASURE`, or a coefficient of agreement, a significance test, a correction for several of them

use clap::Args;
use karat_data::JudgementKind;
use karat_measures::info::{Behaviour, MeasureInfo};
use karat_measures::{gaps, registry, ties};
use karat_report::{Audience, Block, Report, Table};
use karat_stats::agreement::{self, Coefficient, Of};
use karat_stats::correction::{self, Correction};
use karat_stats::test::{self, TestInfo};
use karat_stats::tukey;

use super::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::OutputOptions;

/// Explain a measure: definition, source, pitfalls
#[derive(Debug, Args)]
pub struct Arguments {
    /// A measure: AP, nDCG@10, recip_rank; a coefficient of agreement: cohen, krippendorff; a test: t, randomization, tukey;
    /// or a correction: holm, benjamini_hochberg
    measure: String,
    #[command(flatten)]
    output: OutputOptions,
}

/// Runs the command.
///
/// # Errors
/// There is no such measure, or the answer cannot be written.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    if let Some(row) = agreement::find(&arguments.measure) {
        return environment.write(&coefficient(row), &arguments.output);
    }
    let test = test::find(&arguments.measure).map(significance_test);
    let test = test.or_else(|| correction::find(&arguments.measure).map(correction_page));
    if let Some(page) = test.or_else(|| (arguments.measure == tukey::PAGE.name).then(tukey_page)) {
        return environment.write(&page, &arguments.output);
    }
    let info = match registry::find(&arguments.measure) {
        Some(info) => info,
        None => karat_measures::spec::parse(&arguments.measure, 1.0)?.info(),
    };
    environment.write(&page(info), &arguments.output)
}

fn page(info: &'static MeasureInfo) -> Report {
    let facts = [
        ("name", "name", info.name.to_owned()),
        ("summary", "definition", info.summary.into()),
        ("formula", "formula", info.formula.into()),
        ("reading", "how to read it", info.reading.into()),
        ("misleads", "when it misleads", info.misleads.into()),
        ("range", "range", format!("{} to {}", info.range.0, info.range.1)),
        ("over_topics", "over topics", info.aggregate.sentence()),
        ("bounds", "bounds", gaps::sentence(info)),
        ("ties", "tie range", ties::sentence(info).into()),
        ("nothing_judged", "nothing judged", behaviour(info.when_empty.nothing_judged)),
        ("nothing_relevant", "nothing relevant", behaviour(info.when_empty.nothing_relevant)),
        ("nothing_retrieved", "nothing retrieved", behaviour(info.when_empty.nothing_retrieved)),
        ("aliases", "also called", info.aliases.join(", ")),
        ("source", "source", info.citation.text.into()),
        ("bibtex", "BibTeX", info.citation.bibtex.into()),
    ];
    let mut table = Table::new("measure", "");
    for (key, heading, _) in &facts {
        table = table.column(key, *heading);
    }
    table.push(facts.into_iter().map(|(_, _, text)| text.into()).collect::<Vec<_>>());
    let mut report = Report::new(info.name, "explain", VERSION).block(Block::Record(table));
    if !info.parameters.is_empty() {
        let mut table = Table::new("parameters", "Parameters")
            .column("name", "name")
            .column("default", "default")
            .column("legal", "may be")
            .column("meaning", "meaning");
        for parameter in info.parameters {
            table.push([
                parameter.name.into(),
                parameter.default.into(),
                parameter.legal.to_string().into(),
                parameter.meaning.into(),
            ]);
        }
        report = report.table(table);
    }
    let ranking = match info.needs {
        JudgementKind::Grades => "grades from rank 1; ? pooled but unjudged; - not pooled",
        JudgementKind::Subtopics => "relevant subtopics per document; 0 none; - not pooled",
        _ => "group, subgroup and number per document; - not pooled",
    };
    let mut examples = Table::new("examples", format!("Worked examples (ranking: {ranking})"))
        .audience(Audience::Both)
        .column("measure", "measure")
        .column("ranking", "ranking")
        .column("missed", "not retrieved")
        .column("value", "value")
        .column("derivation", "derivation");
    for example in info.examples {
        examples.push([
            example.measure.into(),
            example.ranking.into(),
            example.missed.into(),
            example.value.into(),
            example.derivation.into(),
        ]);
    }
    report.table(examples)
}

fn coefficient(row: &'static Coefficient) -> Report {
    let judges = match row.of {
        Of::TwoJudges(_) => "two; with more, the mean over all pairs",
        Of::AnyJudges(_) => "any number; labels may be missing",
    };
    let bands = if row.beyond_chance { "from .8 good, from .67 fair, below dubious" } else { "none" };
    let table: Vec<String> = row.example.table.iter().map(|counts| format!("{counts:?}")).collect();
    let facts = [
        ("name", "name", row.name.to_owned()),
        ("title", "in words", row.title.into()),
        ("formula", "formula", row.formula.into()),
        ("reading", "how to read it", row.reading.into()),
        ("judges", "judges", judges.into()),
        ("bands", "bands", bands.into()),
        ("source", "source", row.citation.into()),
        ("example", "worked example", format!("{}: {}", table.join(" "), row.example.derivation)),
    ];
    record("coefficient", row.title, &facts, Some(row.example.value))
}

fn significance_test(row: &'static TestInfo) -> Report {
    let numbers = |numbers: &[f64]| numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
    let (first, second) = (numbers(row.example.differences), numbers(row.example.second));
    let data = if second.is_empty() { first } else { format!("{first} and {second}") };
    let facts = [
        ("name", "name", row.name.to_owned()),
        ("title", "in words", row.title.into()),
        ("statistic", "statistic", row.statistic.into()),
        ("formula", "formula", row.formula.into()),
        ("reading", "how to read it", row.reading.into()),
        ("misleads", "when it misleads", row.misleads.into()),
        ("source", "source", row.citation.into()),
        ("example", "worked example", format!("{data}: {}", row.example.derivation)),
    ];
    record("test", row.title, &facts, Some(row.example.p))
}

fn correction_page(row: &'static Correction) -> Report {
    let numbers = |numbers: &[f64]| numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
    let example = format!("{} become {}: {}", numbers(row.example), numbers(row.adjusted), row.derivation);
    let facts = [
        ("name", "name", row.name.to_owned()),
        ("title", "in words", row.title.into()),
        ("formula", "formula", row.formula.into()),
        ("reading", "how to read it", row.reading.into()),
        ("misleads", "when it misleads", row.misleads.into()),
        ("source", "source", row.citation.into()),
        ("example", "worked example", example),
    ];
    record("correction", row.title, &facts, None)
}

fn tukey_page() -> Report {
    let page = tukey::PAGE;
    let facts = [
        ("name", "name", page.name.to_owned()),
        ("title", "in words", page.title.into()),
        ("formula", "formula", page.formula.into()),
        ("reading", "how to read it", page.reading.into()),
        ("misleads", "when it misleads", page.misleads.into()),
        ("source", "source", page.citation.into()),
        ("example", "worked example", page.example.into()),
    ];
    record("test", page.title, &facts, None)
}

/// One row of facts, with the value of its example.
fn record(id: &'static str, title: &str, facts: &[(&'static str, &'static str, String)], value: Option<f64>) -> Report {
    let mut table = Table::new(id, "");
    for (key, heading, _) in facts {
        table = table.column(key, *heading);
    }
    let mut cells: Vec<karat_report::Cell> = facts.iter().map(|(_, _, text)| text.clone().into()).collect();
    if let Some(value) = value {
        table = table.column("value", "its value");
        cells.push(value.into());
    }
    table.push(cells);
    Report::new(title, "explain", VERSION).block(Block::Record(table))
}

fn behaviour(behaviour: Behaviour) -> String {
    match behaviour {
        Behaviour::Value(value) => value.to_string(),
        Behaviour::Undefined(reason) => format!("undefined: {reason}"),
        Behaviour::Depends(how) => how.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_means_two_things() {
        let names = test::TESTS.iter().map(|row| row.name).chain(correction::CORRECTIONS.iter().map(|row| row.name));
        for name in names.chain([tukey::PAGE.name]) {
            assert!(registry::find(name).is_none() && agreement::find(name).is_none(), "{name}");
        }
    }
}
