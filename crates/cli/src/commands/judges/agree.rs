//! `karat judges agree LABELS...`

use clap::Args;
use karat_analysis::judges::{AgreeOptions, SystemRuns, agree};
use karat_data::Policy;
use karat_formats::{Dialect, RunFiles, detect};
use karat_measures::{Measure, spec};
use karat_present::Context;
use karat_present::judges::problems;
use karat_report::Provenance;
use karat_stats::Seed;

use crate::commands::{VERSION, text};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::figure::FiguresOptions;
use crate::labels::{Given, LabelOptions};
use crate::options::{OutputOptions, ThreadOptions, check_level};
use crate::outputs::Outputs;

/// Do the judges agree?
///
/// Coefficients of agreement over all judges and for every pair, with intervals over queries; disagreements by query and by grade.
/// With --runs also the systems' scores and order under each judge, and whether the verdict on the best two depends on the judge.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Labels of several judges: one file, or one per judge; `-` for standard input. Formats are detected.
    #[arg(required = true, value_name = "LABELS")]
    labels: Vec<String>,
    /// Runs to score by each judge's labels
    #[arg(long, value_name = "RUN", num_args = 1..)]
    runs: Vec<String>,
    /// Measures for --runs
    #[arg(short, long = "measure", value_name = "MEASURE", default_value = "nDCG@10")]
    measures: Vec<String>,
    #[command(flatten)]
    reading: LabelOptions,
    /// List every query too
    #[arg(short = 'q', long)]
    by_query: bool,
    /// Confidence level of intervals
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95, allow_negative_numbers = true)]
    level: f64,
    /// Resamples of the queries
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(200..=1_000_000))]
    resamples: u32,
    /// Seed of the resamples
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    figures: FiguresOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl Arguments {
    fn measures(&self) -> Result<Vec<Box<dyn Measure>>, Failure> {
        let mut measures: Vec<Box<dyn Measure>> = Vec::new();
        for text in &self.measures {
            for found in spec::parse_list(text, 1.0)? {
                measures.push(found.build()?);
            }
        }
        Ok(measures)
    }

    /// The labels and all options, as the answer shows them.
    fn provenance(&self, given: &Given, measures: &[Box<dyn Measure>]) -> Provenance {
        let provenance = self.reading.provenance(given.provenance(Provenance::default()));
        let provenance = provenance.option("level", self.level).option("resamples", self.resamples).seed(self.seed);
        if self.runs.is_empty() {
            return provenance;
        }
        provenance.option("measures", measures.iter().map(|measure| text(measure.spec())).collect::<Vec<_>>())
    }
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    check_level(arguments.level)?;
    arguments.figures.wanted(environment, &arguments.output)?;
    let all: Vec<String> = arguments.labels.iter().chain(&arguments.runs).cloned().collect();
    Outputs::answer(&arguments.output).check(&all)?;
    let scale = arguments.reading.scale()?;
    let measures = arguments.measures()?;
    let given = arguments.reading.read(environment, &arguments.labels)?;
    let runs = RunFiles::new(environment.inputs(&arguments.runs)?, detect::RUN, Dialect::Strict);
    if !arguments.runs.is_empty() && scale.declared.iter().any(|&grade| grade < 0.0) {
        return Err(Failure::usage(
            "--runs: measures need grades from 0; leave out --runs, or give labels on a scale from 0",
        ));
    }
    let options = AgreeOptions {
        labels: &given.labels,
        scale,
        level: arguments.level,
        resamples: arguments.resamples,
        seed: Seed(arguments.seed),
        runs: (!arguments.runs.is_empty()).then(|| SystemRuns {
            runs: &runs,
            measures: &measures,
            policy: Policy::default(),
            threads: arguments.threads.count(),
        }),
    };
    let answer = agree(&options).map_err(problems)?;
    let provenance = answer.background.runs.iter().fold(arguments.provenance(&given, &measures), |provenance, run| {
        provenance.input_in(run.format, &run.file, run.bytes, run.rows)
    });
    let context = Context { version: VERSION, provenance, notes: Vec::new() };
    let report = karat_present::judges::agree::report(answer, arguments.by_query, context);
    arguments.figures.write(environment, &report, &arguments.output)
}
