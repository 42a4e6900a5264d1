//! `karat settle QRELS RUN RUN...`

use std::collections::HashSet;

use clap::{Args, ValueEnum};
use karat_analysis::scores::names;
use karat_analysis::settle::draw::Drawn;
use karat_analysis::settle::record::{Drawing, Record};
use karat_analysis::settle::{Design, Purpose, Question, SettleOptions, Target, settle};
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
use crate::samples::{Asked, Samples, not_for_documents};

/// The measure where none is given.
pub const DEFAULT_MEASURES: &[&str] = &["nDCG@10"];

/// Draw the documents whose judgement settles which run is better, or how good each is
#[derive(Debug, Args)]
pub struct Arguments {
    /// Judgements so far, or `-` for standard input. Format and compression are detected
    qrels: String,
    /// Two or more runs, the first the baseline (see --baseline); one is enough with --for scores
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    #[command(flatten)]
    evaluation: EvaluationOptions,
    /// Name of the run that the others are compared with [default: the first run]
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// What is to be estimated, comma-separated: the difference of runs, or every run's own score (then give --count) [default: difference]
    #[arg(long = "for", value_enum, value_name = "WHAT", value_delimiter = ',')]
    purposes: Vec<PurposeOption>,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PurposeOption {
    /// The difference of runs: which is better
    Difference,
    /// Every run's own score
    Scores,
}

impl Arguments {
    /// What the sample is for: with earlier batches what they are for.
    fn purposes(&self, earlier: Option<&Samples>) -> Vec<Purpose> {
        let is_given = |purpose: PurposeOption| self.purposes.contains(&purpose);
        match earlier {
            Some(samples) => samples.record().purposes.iter().filter_map(|name| Purpose::find(name)).collect(),
            None if self.purposes.is_empty() => vec![Purpose::Difference],
            None => [(PurposeOption::Difference, Purpose::Difference), (PurposeOption::Scores, Purpose::Scores)]
                .into_iter()
                .filter_map(|(option, purpose)| is_given(option).then_some(purpose))
                .collect(),
        }
    }

    fn check(&self) -> Result<(), Failure> {
        check_level(self.level)?;
        between_0_and_1("--power", self.power)?;
        if let Some(difference) = self.difference.filter(|found| !(found.is_finite() && *found != 0.0)) {
            return Err(Failure::usage(format!("--difference needs a number other than 0, found {difference}")));
        }
        if !self.sample.is_empty() && (self.batches.is_some() || self.peek || !self.purposes.is_empty()) {
            return Err(Failure::usage(
                "--for, --batches and --peek are set with the first batch; leave them out with --sample",
            ));
        }
        self.check_purposes()?;
        self.form.refuse_layouts()?;
        self.form.check_record()
    }

    /// A difference needs two runs; for scores nothing is planned.
    fn check_purposes(&self) -> Result<(), Failure> {
        let scores_only = !self.purposes.is_empty() && !self.purposes.contains(&PurposeOption::Difference);
        if self.runs.len() < 2 && !scores_only && self.sample.is_empty() {
            return Err(too_few_runs());
        }
        if scores_only && self.count.is_none() {
            return Err(Failure::usage(
                "--for scores needs --count, the number of documents to judge\nhelp: add --count 100, for instance; --for difference,scores plans the number",
            ));
        }
        Ok(())
    }

    fn inputs(&self) -> ScoringInputs<'_> {
        ScoringInputs { qrels: &self.qrels, runs: &self.runs, evaluation: &self.evaluation, calibration: None }
    }

    /// What is sampled; refuses documents where a measure cannot be estimated from them.
    fn design(&self, question: &Question<'_>) -> Result<Design, Failure> {
        let other = question.contrasts().find(|contrast| !question.is_for_contrast(*contrast));
        let chosen = match (self.design, other) {
            (Some(DesignOption::Documents), Some((measure, target))) => {
                let (what, help) = not_for_documents(question.setting.measures[measure].as_ref(), target);
                Err(Failure::usage(format!("{what}\nhelp: {help}")))
            }
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

    /// The next batch is for the question of those before it.
    fn check_next(
        &self,
        earlier: Option<&Samples>,
        question: &Question<'_>,
        (names, file): (&[String], &str),
    ) -> Result<(), Failure> {
        let Some(samples) = earlier else { return Ok(()) };
        let (options, relevance_level) = (options_of(&self.evaluation), self.evaluation.relevance_level);
        samples.check_next(question, &Asked { names, options, file, relevance_level })
    }

    fn provenance(
        &self,
        environment: &Environment,
        prepared: &Prepared,
        (purposes, design): (&[Purpose], Design),
    ) -> Provenance {
        self.inputs().provenance(environment, prepared, |provenance| {
            provenance
                .option("baseline", self.baseline.as_deref().unwrap_or("first"))
                .option("for", purposes.iter().map(|one| text(one.name())).collect::<Vec<_>>())
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
    let runs = arguments.evaluation.runs(run_inputs);
    let read = RankedDocuments::named(setting.qrels, &runs, &setting.policy, setting.threads)?;
    let run_names = names(&read.runs.iter().collect::<Vec<_>>())?;
    let purposes = arguments.purposes(earlier.as_ref());
    let question = Question::new(&setting, &read, targets(&run_names, arguments.baseline.as_deref(), &purposes)?);
    arguments.check_next(earlier.as_ref(), &question, (&run_names, &prepared.judgements.facts.file))?;
    let design = arguments.design(&question)?;
    let options = arguments.options(design, earlier.as_ref());
    let known = earlier.as_ref().map_or_else(HashSet::new, Samples::documents);
    let (answer, drawn) = settle(&question, &run_names, &options, &known);
    let facts = Facts {
        options: &options,
        form: arguments.form.form.as_ref().map(|path| shown(&path.to_string_lossy()).to_string()),
        earlier: arguments.sample.clone(),
        judged_before: known.len(),
        scores: purposes.contains(&Purpose::Scores),
    };
    let rows: Vec<FormRow> = drawn.iter().map(|drawn| row(&question, drawn, options.batch)).collect();
    let drawing = Drawing { design, seed: options.seed, batch: options.batch, batches: options.batches };
    let mut record = Record::new(&question, (&run_names, options_of(&arguments.evaluation)), drawing, &rows);
    record.earlier = earlier.as_ref().map_or_else(Vec::new, Samples::checksums);
    let provenance = arguments.provenance(environment, &prepared, (&purposes, design));
    let provenance = earlier.iter().fold(provenance, |provenance, samples| samples.provenance(provenance));
    let (written, provenance) = arguments.form.write_sample(environment, (&rows, &record), provenance)?;
    let mut notes = note_choices(&arguments.evaluation.choices());
    notes.extend(written);
    let context = Context { version: VERSION, provenance, notes };
    environment.write(&report(answer, &facts, context), &arguments.output)
}

fn too_few_runs() -> Failure {
    Failure::usage(
        "settle needs at least two runs: karat settle QRELS RUN RUN\nhelp: for the score of one run, add --for scores",
    )
}

/// Each other run with the baseline, and every run's score, where the sample is for that.
fn targets(names: &[String], baseline: Option<&str>, purposes: &[Purpose]) -> Result<Vec<Target>, Failure> {
    if names.len() < 2 && purposes.contains(&Purpose::Difference) {
        return Err(too_few_runs());
    }
    let pairs = pairs(names, baseline)?.into_iter().map(Target::from);
    let pairs = pairs.filter(|_| purposes.contains(&Purpose::Difference));
    let scores = (0..names.len()).map(Target::score).filter(|_| purposes.contains(&Purpose::Scores));
    Ok(pairs.chain(scores).collect())
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
