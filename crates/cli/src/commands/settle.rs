//! `karat settle QRELS RUN RUN...`

use std::collections::HashSet;

use clap::{Args, ValueEnum};
use karat_analysis::scores::names;
use karat_analysis::settle::draw::Drawn;
use karat_analysis::settle::record::{Drawing, Record};
use karat_analysis::settle::{Design, Question, SettleOptions, settle};
use karat_data::names::shown;
use karat_data::{FormGrade, FormRow, RankedDocuments};
use karat_present::Context;
use karat_present::settle::{Facts, report};
use karat_report::{OptionValue, Provenance};
use karat_stats::Seed;

use super::form::FormOptions;
use super::{VERSION, text};
use crate::command::ScoringInputs;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{EvaluationOptions, OutputOptions, Prepared, between_0_and_1, check_level, note_choices};
use crate::output;
use crate::outputs::Outputs;
use crate::samples::Samples;

/// The measure where none is given.
pub const DEFAULT_MEASURES: &[&str] = &["nDCG@10"];

/// Draw the documents whose judgement settles which run is better
#[derive(Debug, Args)]
pub struct Arguments {
    /// Judgements so far, or `-` for standard input. Format and compression are detected
    qrels: String,
    /// Two or more runs; the first is the baseline (see --baseline)
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    #[command(flatten)]
    evaluation: EvaluationOptions,
    /// Name of the run that the others are compared with [default: the first run]
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// Draw this many documents [default: as many as the plan says]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: Option<u32>,
    /// Probability of a verdict that is planned for
    #[arg(long, value_name = "POWER", default_value_t = 0.8)]
    power: f64,
    /// Difference to be found [default: the one that judged documents lead one to expect]
    #[arg(long, value_name = "DIFFERENCE")]
    difference: Option<f64>,
    /// Draw documents, or topics in which all documents that matter are judged [default: documents where the measures allow it]
    #[arg(long, value_enum)]
    design: Option<DesignOption>,
    /// Plan this many batches, with a look after each
    #[arg(long, value_name = "K", conflicts_with = "peek", value_parser = clap::value_parser!(u32).range(1..=20))]
    batches: Option<u32>,
    /// Allow any number of batches, each with a stricter test
    #[arg(long)]
    peek: bool,
    /// Judged forms of earlier batches (repeatable): draw the next one
    #[arg(long, value_name = "FORM")]
    sample: Vec<String>,
    #[command(flatten)]
    form: FormOptions,
    /// Confidence level of the verdict
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95)]
    level: f64,
    /// Seed of the draws
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    output: OutputOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DesignOption {
    /// Documents, in proportion to what each can change
    Documents,
    /// Topics; all documents that matter in them are judged
    Topics,
}

impl Arguments {
    fn check(&self) -> Result<(), Failure> {
        check_level(self.level)?;
        between_0_and_1("--power", self.power)?;
        if self.runs.len() < 2 {
            return Err(Failure::usage("settle needs at least two runs: karat settle QRELS RUN RUN"));
        }
        if let Some(difference) = self.difference.filter(|found| !(found.is_finite() && *found != 0.0)) {
            return Err(Failure::usage(format!("--difference needs a number other than 0, found {difference}")));
        }
        if !self.sample.is_empty() && (self.batches.is_some() || self.peek) {
            return Err(Failure::usage(
                "--batches and --peek are set with the first batch; leave them out with --sample",
            ));
        }
        self.form.refuse_layouts()?;
        self.form.check_record()
    }

    fn inputs(&self) -> ScoringInputs<'_> {
        ScoringInputs { qrels: &self.qrels, runs: &self.runs, evaluation: &self.evaluation, calibration: None }
    }

    /// What is sampled; refuses documents where a measure cannot be estimated from them.
    fn design(&self, question: &Question<'_>) -> Result<Design, Failure> {
        let setting = question.setting;
        let other = setting.measures.iter().find(|measure| !Question::is_for_documents(measure.as_ref(), setting));
        let chosen = match (self.design, other) {
            (Some(DesignOption::Documents), Some(measure)) => Err(Failure::usage(format!(
                "{}: a sample of documents gives no unbiased estimate\nhelp: give --design topics, or P@k, RBP, DCG or nDCG@k",
                measure.spec()
            ))),
            (Some(DesignOption::Topics), _) | (None, Some(_)) => Ok(Design::Topics),
            (Some(DesignOption::Documents) | None, None) => Ok(Design::Documents),
        }?;
        if chosen == Design::Topics && (self.batches.is_some() || self.peek || !self.sample.is_empty()) {
            return Err(Failure::usage(
                "topics are drawn in one batch only: leave --batches, --peek and --sample out, or use a measure for which documents are drawn",
            ));
        }
        Ok(chosen)
    }

    /// How many batches are planned, and the number of this one.
    fn batches(&self, earlier: Option<&Samples>) -> (Option<u32>, u32) {
        match earlier {
            Some(samples) => (samples.record().batches, samples.record().batch + 1),
            None if self.peek => (None, 1),
            None => (Some(self.batches.unwrap_or(1)), 1),
        }
    }

    fn options(&self, design: Design, earlier: Option<&Samples>) -> SettleOptions {
        let (batches, batch) = self.batches(earlier);
        let count = self.count.map(|count| count as usize).or(earlier.map(|samples| samples.record().count));
        SettleOptions {
            design,
            count,
            power: self.power,
            difference: self.difference,
            level: self.level,
            batches,
            batch,
            seed: Seed(earlier.map_or(self.seed, |samples| samples.record().seed)),
        }
    }

    fn provenance(&self, environment: &Environment, prepared: &Prepared, design: Design) -> Provenance {
        self.inputs().provenance(environment, prepared, |provenance| {
            provenance
                .option("baseline", self.baseline.as_deref().unwrap_or("first"))
                .option("design", design.name())
                .option("count", self.count.map_or(text("planned"), OptionValue::from))
                .option("power", self.power)
                .option("difference", self.difference.map_or(text("expected"), OptionValue::from))
                .option("batches", self.batches.map_or(text("1"), OptionValue::from))
                .option("peek", self.peek)
                .option("level", self.level)
                .seed(self.seed)
        })
    }
}

/// Options that change scores, as a record has them.
pub fn options_of(evaluation: &EvaluationOptions) -> Vec<String> {
    let mut made = evaluation.choices();
    made.retain(|choice| !choice.starts_with("--unjudged"));
    made.extend(evaluation.topics.as_ref().map(|topics| format!("--topics {topics}")));
    made.extend(evaluation.max_grade.map(|grade| format!("--max-grade {grade}")));
    made.sort();
    made.dedup();
    made
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    arguments.check()?;
    output::chosen(&arguments.output)?;
    let inputs = arguments.inputs();
    arguments.form.check(Outputs::answer(&arguments.output), &inputs.files(&arguments.sample))?;
    let earlier = match arguments.sample.as_slice() {
        [] => None,
        forms => Some(Samples::read(environment, forms, false)?),
    };
    let measures = earlier.as_ref().map_or(DEFAULT_MEASURES.to_vec(), Samples::measures);
    let (mut prepared, run_inputs) = inputs.read(environment, &measures)?;
    if let Some(samples) = &earlier {
        samples.take_out(&mut prepared, &arguments.evaluation)?;
    }
    let setting = prepared.setting(&arguments.evaluation);
    let read = RankedDocuments::read(&arguments.evaluation.runs(run_inputs), &setting.policy, setting.threads)?;
    let run_names = names(&read.runs.iter().collect::<Vec<_>>())?;
    let pairs = pairs(&run_names, arguments.baseline.as_deref())?;
    let question = Question::new(&setting, &read, pairs);
    let design = arguments.design(&question)?;
    let options = arguments.options(design, earlier.as_ref());
    let known = earlier.as_ref().map_or_else(HashSet::new, Samples::documents);
    let (answer, drawn) = settle(&question, &run_names, &options, &known);
    let facts = Facts {
        options: &options,
        form: arguments.form.form.as_ref().map(|path| shown(&path.to_string_lossy()).to_string()),
        earlier: arguments.sample.clone(),
        judged_before: known.len(),
    };
    let rows: Vec<FormRow> = drawn.iter().map(|drawn| row(&question, drawn, options.batch)).collect();
    let drawing = Drawing { design, seed: options.seed, batch: options.batch, batches: options.batches };
    let mut record = Record::new(&question, (&run_names, options_of(&arguments.evaluation)), drawing, &rows);
    record.earlier = earlier.as_ref().map_or_else(Vec::new, Samples::checksums);
    let provenance = arguments.provenance(environment, &prepared, design);
    let provenance = earlier.iter().fold(provenance, |provenance, samples| samples.provenance(provenance));
    let (written, provenance) = arguments.form.write_sample(environment, (&rows, &record), provenance)?;
    let mut notes = note_choices(&arguments.evaluation.choices());
    notes.extend(written);
    let context = Context { version: VERSION, provenance, notes };
    environment.write(&report(answer, &facts, context), &arguments.output)
}

/// Each other run with the baseline.
fn pairs(names: &[String], baseline: Option<&str>) -> Result<Vec<(usize, usize)>, Failure> {
    let baseline = match baseline {
        None => 0,
        Some(name) => names.iter().position(|own| own == name).ok_or_else(|| {
            Failure::usage(format!("--baseline {name}: no such run\nhelp: the runs are {}", names.join(", ")))
        })?,
    };
    Ok((0..names.len()).filter(|run| *run != baseline).map(|run| (baseline, run)).collect())
}

pub(super) fn row(question: &Question<'_>, drawn: &Drawn, batch: u32) -> FormRow {
    let topic = question.setting.qrels.name(question.topics[drawn.topic]);
    let mut row = FormRow::new(topic, &drawn.docno, FormGrade::Asked);
    row.probability = Some(drawn.probability);
    row.batch = Some(batch);
    row
}
