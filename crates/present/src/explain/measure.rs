//! The page of a measure, and the list of all.

use karat_data::JudgementKind;
use karat_measures::info::{Behaviour, MeasureInfo};
use karat_measures::registry::MEASURES;
use karat_measures::{gaps, ties};
use karat_report::{Block, Columns, Report, Table};
use schemars::JsonSchema;
use serde::Serialize;

use super::ExplainAnswer;
use crate::Context;

/// Every measure.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MeasuresAnswer {
    /// One row per measure.
    pub measures: Vec<MeasureRow>,
}

/// A measure in the list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MeasureRow {
    /// Its name.
    pub name: &'static str,
    /// Its parameters with their defaults.
    pub parameters: String,
    /// Other names.
    pub aliases: String,
    /// What it tells you.
    pub summary: &'static str,
}

/// The page of a measure.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MeasurePage {
    /// Its name.
    pub name: &'static str,
    /// What it tells you.
    pub summary: &'static str,
    /// Its formula.
    pub formula: &'static str,
    /// How to read it.
    pub reading: &'static str,
    /// When it misleads.
    pub misleads: &'static str,
    /// Its range.
    pub range: String,
    /// How it is summarised over topics.
    pub over_topics: String,
    /// Its bounds over unjudged documents.
    pub bounds: String,
    /// Its range over the orders of ties.
    pub ties: String,
    /// Its value where nothing is judged.
    pub nothing_judged: String,
    /// Its value where nothing is relevant.
    pub nothing_relevant: String,
    /// Its value where nothing is retrieved.
    pub nothing_retrieved: String,
    /// Other names.
    pub aliases: String,
    /// Where it comes from.
    pub source: &'static str,
    /// The same as BibTeX.
    pub bibtex: &'static str,
    /// Its parameters, where it has any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<ParameterRow>,
    /// Worked examples.
    pub examples: Vec<ExampleRow>,
    /// What its judgements are.
    #[serde(skip)]
    needs: JudgementKind,
}

/// A parameter of a measure.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ParameterRow {
    /// Its name; the number after @ is named cutoff.
    pub name: &'static str,
    /// Its default; empty where it must be given or may be absent.
    pub default: &'static str,
    /// The values it may take.
    pub legal: String,
    /// What it means.
    pub meaning: &'static str,
}

/// A worked example of a measure.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExampleRow {
    /// The measure with its parameters.
    pub measure: &'static str,
    /// The ranking, best first.
    pub ranking: &'static str,
    /// Judged documents that are not retrieved.
    pub missed: &'static str,
    /// Its value.
    pub value: f64,
    /// How the value comes about.
    pub derivation: &'static str,
}

impl MeasurePage {
    fn new(info: &'static MeasureInfo) -> MeasurePage {
        MeasurePage {
            name: info.name,
            summary: info.summary,
            formula: info.formula,
            reading: info.reading,
            misleads: info.misleads,
            range: format!("{} to {}", info.range.0, info.range.1),
            over_topics: info.aggregate.sentence(),
            bounds: gaps::sentence(info),
            ties: ties::sentence(info).into(),
            nothing_judged: behaviour(info.when_empty.nothing_judged),
            nothing_relevant: behaviour(info.when_empty.nothing_relevant),
            nothing_retrieved: behaviour(info.when_empty.nothing_retrieved),
            aliases: info.aliases.join(", "),
            source: info.citation.text,
            bibtex: info.citation.bibtex,
            parameters: parameters(info),
            examples: examples(info),
            needs: info.needs,
        }
    }
}

fn parameters(info: &MeasureInfo) -> Vec<ParameterRow> {
    let rows = info.parameters.iter().map(|parameter| ParameterRow {
        name: parameter.name,
        default: parameter.default,
        legal: parameter.legal.to_string(),
        meaning: parameter.meaning,
    });
    rows.collect()
}

fn examples(info: &MeasureInfo) -> Vec<ExampleRow> {
    let rows = info.examples.iter().map(|example| ExampleRow {
        measure: example.measure,
        ranking: example.ranking,
        missed: example.missed,
        value: example.value,
        derivation: example.derivation,
    });
    rows.collect()
}

fn behaviour(behaviour: Behaviour) -> String {
    match behaviour {
        Behaviour::Value(value) => value.to_string(),
        Behaviour::Undefined(reason) => format!("undefined: {reason}"),
        Behaviour::Depends(how) => how.into(),
    }
}

/// The page of a measure.
pub fn measure_report(info: &'static MeasureInfo, context: Context) -> Report {
    let page = MeasurePage::new(info);
    let mut report = context.report(page.name, "explain").block(Block::Record(facts(&page)));
    if !page.parameters.is_empty() {
        let columns = Columns::new()
            .column("name", "name", |row: &ParameterRow| row.name.into())
            .column("default", "default", |row| row.default.into())
            .column("meaning", "meaning", |row| format!("{}; {}", row.legal, row.meaning).into());
        report = report.table(columns.table("parameters", "Parameters", &page.parameters));
    }
    report.table(example_table(&page)).answering(ExplainAnswer::Measure(page))
}

fn facts(page: &MeasurePage) -> Table {
    Columns::new()
        .column("name", "name", |page: &MeasurePage| page.name.into())
        .column("summary", "definition", |page| page.summary.into())
        .column("formula", "formula", |page| page.formula.into())
        .column("reading", "how to read it", |page| page.reading.into())
        .column("misleads", "when it misleads", |page| page.misleads.into())
        .column("range", "range", |page| page.range.as_str().into())
        .column("over_topics", "over topics", |page| page.over_topics.as_str().into())
        .column("bounds", "bounds", |page| page.bounds.as_str().into())
        .column("ties", "tie range", |page| page.ties.as_str().into())
        .column("nothing_judged", "nothing judged", |page| page.nothing_judged.as_str().into())
        .column("nothing_relevant", "nothing relevant", |page| page.nothing_relevant.as_str().into())
        .column("nothing_retrieved", "nothing retrieved", |page| page.nothing_retrieved.as_str().into())
        .column("aliases", "also called", |page| page.aliases.as_str().into())
        .column("source", "source", |page| page.source.into())
        .column("bibtex", "BibTeX", |page| page.bibtex.into())
        .table("measure", "", [page])
}

fn example_table(page: &MeasurePage) -> Table {
    let ranking = match page.needs {
        JudgementKind::Grades => "grades from rank 1; ? pooled but unjudged; - not pooled",
        JudgementKind::Subtopics => "relevant subtopics per document; 0 none; - not pooled",
        _ => "group, subgroup and number per document; - not pooled",
    };
    Columns::new()
        .column("measure", "measure", |row: &ExampleRow| row.measure.into())
        .column("value", "value", |row| row.value.into())
        .column("derivation", "ranking: derivation", |row| worked(row).into())
        .table("examples", format!("Worked examples ({ranking})"), &page.examples)
}

/// An example in one line.
fn worked(row: &ExampleRow) -> String {
    let missed = if row.missed.is_empty() { String::new() } else { format!(" (not retrieved: {})", row.missed) };
    format!("{}{missed}: {}", row.ranking, row.derivation)
}

/// The list of all measures.
pub fn measures_report(context: Context) -> Report {
    let answer = MeasuresAnswer { measures: MEASURES.iter().map(|info| row(info)).collect() };
    let table = Columns::new()
        .column("name", "name", |row: &MeasureRow| row.name.into())
        .column("summary", "definition", |row| row.summary.into())
        .table("measures", "", &answer.measures);
    context
        .report("Measures", "measures")
        .table(table)
        .note("`karat explain NAME` shows formula, parameters, other names, pitfalls and source")
        .answering(answer)
}

fn row(info: &'static MeasureInfo) -> MeasureRow {
    let parameter = |parameter: &karat_measures::info::Parameter| match (parameter.name, parameter.default) {
        ("cutoff", _) => "@k".to_owned(),
        (name, "") => name.to_owned(),
        (name, default) => format!("{name}={default}"),
    };
    let parameters: Vec<String> = info.parameters.iter().map(parameter).collect();
    MeasureRow {
        name: info.name,
        parameters: parameters.join(" "),
        aliases: info.aliases.join(" "),
        summary: info.summary,
    }
}
