//! `karat explain MEASURE`, or a coefficient of agreement

use clap::Args;
use karat_data::JudgementKind;
use karat_measures::info::{Behaviour, MeasureInfo};
use karat_measures::{gaps, registry, ties};
use karat_report::{Audience, Block, Report, Table};
use karat_stats::agreement::{self, Coefficient, Of};

use super::VERSION;
use crate::failure::Failure;
use crate::options::OutputOptions;
use crate::output;

/// What a measure means, where it comes from, when it misleads.
#[derive(Debug, Args)]
pub struct Arguments {
    /// A measure: AP, nDCG@10, recip_rank; or a coefficient of agreement: cohen, krippendorff
    measure: String,
    #[command(flatten)]
    output: OutputOptions,
}

/// Runs the command.
///
/// # Errors
/// There is no such measure, or the answer cannot be written.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(row) = agreement::find(&arguments.measure) {
        return output::write(&coefficient(row), &arguments.output);
    }
    let info = match registry::find(&arguments.measure) {
        Some(info) => info,
        None => karat_measures::spec::parse(&arguments.measure, 1.0)?.info(),
    };
    output::write(&page(info), &arguments.output)
}

fn page(info: &'static MeasureInfo) -> Report {
    let facts = [
        ("name", "name", info.name.to_owned()),
        ("summary", "what it tells you", info.summary.into()),
        ("formula", "formula", info.formula.into()),
        ("reading", "how to read it", info.reading.into()),
        ("misleads", "when it misleads", info.misleads.into()),
        ("range", "range", format!("{} to {}", info.range.0, info.range.1)),
        ("over_topics", "over topics", info.aggregate.sentence()),
        ("bounds", "bounds over unjudged", gaps::sentence(info)),
        ("ties", "range over ties", ties::sentence(info).into()),
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
                parameter.legal.into(),
                parameter.meaning.into(),
            ]);
        }
        report = report.table(table);
    }
    let mut examples = Table::new("examples", "Worked examples")
        .audience(Audience::Both)
        .column("measure", "measure")
        .column(
            "ranking",
            match info.needs {
                JudgementKind::Grades => "ranking (grades; ? pooled unjudged; - unpooled)",
                JudgementKind::Subtopics => "ranking (subtopics a document is relevant to; 0 none; - unpooled)",
                _ => "ranking (group, subgroup, number; - unpooled)",
            },
        )
        .column("missed", "judged, not retrieved")
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
        Of::TwoJudges(_) => "two; over more, the mean of all pairs",
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
    let mut table = Table::new("coefficient", "");
    for (key, heading, _) in &facts {
        table = table.column(key, *heading);
    }
    table = table.column("value", "its value");
    let cells = facts.into_iter().map(|(_, _, text)| text.into()).chain([row.example.value.into()]);
    table.push(cells.collect::<Vec<karat_report::Cell>>());
    Report::new(row.title, "explain", VERSION).block(Block::Record(table))
}

fn behaviour(behaviour: Behaviour) -> String {
    match behaviour {
        Behaviour::Value(value) => value.to_string(),
        Behaviour::Undefined(reason) => format!("undefined: {reason}"),
        Behaviour::Depends(how) => how.into(),
    }
}
