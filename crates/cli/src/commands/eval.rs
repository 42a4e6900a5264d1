//! `karat eval QRELS RUN...`

use std::collections::HashMap;

use clap::Args;
use karat_analysis::compare::verdict::Unjudged;
use karat_analysis::curves::curves;
use karat_analysis::eval::gold::{self, Gold};
use karat_analysis::eval::sampled::SampledScore;
use karat_analysis::eval::{DEFAULT_MEASURES, EvalOptions, PREFERENCE_MEASURES, eval};
use karat_analysis::score_bands::ScoreBandOptions;
use karat_analysis::scores::{Setting, check_compatible, names};
use karat_data::{CollectionFacts, Qrels, RankedDocuments};
use karat_formats::{Input, QrelsFacts, RunFiles};
use karat_present::Context;
use karat_present::eval::{View, report};
use karat_report::{OptionValue, Provenance};
use karat_stats::judge_error::ppi::BronzeWeight;

use super::settle::options_of;
use super::{VERSION, text};
use crate::command::ScoringInputs;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::figure::FiguresOptions;
use crate::options::{
    self, Draws, EvaluationOptions, IntervalOptions, OutputOptions, Prepared, check_level, note_choices,
};
use crate::outputs::Outputs;
use crate::samples::{Asked, Samples};
use crate::{calibration, condensing::refuse_anew, lengths};

/// Score runs, with confidence intervals and bounds
#[derive(Debug, Args)]
#[command(
    after_help = "Coming from trec_eval: `karat trec_eval` takes its options (-c, -n, -m official, ...) and prints its lines. karat eval \
                  scores missing topics 0, as trec_eval -c does (--missing-topics)."
)]
pub struct Arguments {
    /// Judgements file, or `-` for standard input. Format and compression are detected
    qrels: String,
    /// One or more runs. Format and compression are detected
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    #[command(flatten)]
    pub(crate) evaluation: EvaluationOptions,
    /// Also list the score of every topic
    #[arg(short = 'q', long)]
    by_query: bool,
    /// Confidence level of intervals
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95)]
    level: f64,
    #[command(flatten)]
    interval: IntervalOptions,
    /// Number of random draws for measures without a closed form (with --calibration, or --unjudged q=0.1, band, fit, urn)
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(20..=100_000))]
    draws: u32,
    /// Correct for the judges' errors with this file, written by karat judges calibrate -o FILE
    #[arg(long, value_name = "FILE")]
    calibration: Option<String>,
    /// Gold judgements of a random sample of the topics. Scores are shifted by the mean difference between gold and QRELS
    #[arg(long, value_name = "QRELS")]
    gold: Option<String>,
    /// With --gold: weight of the bronze scores, from 0 (gold topics only) to 1, or `tuned` for minimum variance
    #[arg(long, value_name = "WEIGHT", default_value = "tuned", value_parser = bronze_weight, requires = "gold")]
    bronze_weight: BronzeWeight,
    /// Judged form of a sample that karat settle drew (repeatable, one per batch): scores are estimated from it
    #[arg(long, value_name = "FORM", conflicts_with_all = ["calibration", "gold", "score_bands"])]
    sample: Vec<String>,
    /// Allow rows of --sample without a label: the interval allows for every label they may have
    #[arg(long, requires = "sample")]
    partial: bool,
    /// Check whether scores are calibrated probabilities: predicted and observed relevance in N score bands, and log loss
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1000))]
    score_bands: Option<u32>,
    /// With --score-bands: the same by document length. One document and its length per line
    #[arg(long, value_name = "FILE", requires = "score_bands")]
    lengths: Option<String>,
    /// Seed of the random numbers (bootstrap, draws)
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    figures: FiguresOptions,
    #[command(flatten)]
    output: OutputOptions,
}

fn bronze_weight(text: &str) -> Result<BronzeWeight, String> {
    match (text, text.parse::<f64>()) {
        ("tuned", _) => Ok(BronzeWeight::Tuned),
        (_, Ok(weight)) if (0.0..=1.0).contains(&weight) => Ok(BronzeWeight::Fixed(weight)),
        _ => Err("expected `tuned` or a number from 0 to 1".into()),
    }
}

impl Arguments {
    /// A note of the choices that are not the defaults: a table alone does not show them.
    fn choices(&self) -> Vec<String> {
        let mut made = self.evaluation.choices();
        made.extend(self.interval.choice(self.seed));
        note_choices(&made)
    }
}

impl Arguments {
    /// Refuses options that cannot be combined, before anything is read.
    fn check(&self) -> Result<(), Failure> {
        check_level(self.level)?;
        self.evaluation.chances()?;
        self.check_sample()?;
        self.check_gold()
    }

    /// Refuses options that cannot be combined with --sample.
    fn check_sample(&self) -> Result<(), Failure> {
        let why = if self.sample.is_empty() {
            return Ok(());
        } else if self.evaluation.treatment() == Unjudged::Modelled {
            "--sample says what unjudged documents are; leave --unjudged and -J out"
        } else if self.interval.is_bootstrap() {
            "--sample and --interval bca cannot be combined: --sample uses Student's t intervals"
        } else if self.evaluation.shows_tie_ranges() {
            "--sample and --ties range cannot be combined: scores from a sample are those of one order of ties"
        } else {
            return Ok(());
        };
        Err(Failure::usage(why))
    }

    /// Refuses what cannot be answered from lists that were read once, elsewhere.
    ///
    /// # Errors
    /// The option, and why.
    pub(crate) fn reads_once(&self) -> Result<(), Failure> {
        self.check()?;
        let anew = [
            (self.gold.is_some(), "--gold"),
            (self.score_bands.is_some(), "--score-bands"),
            (!self.sample.is_empty(), "--sample"),
        ];
        refuse_anew(&anew)
    }

    /// Refuses options that cannot be combined with --gold.
    fn check_gold(&self) -> Result<(), Failure> {
        if self.gold.is_none() {
            return Ok(());
        }
        let why = if self.calibration.is_some() {
            "--gold and --calibration cannot be combined: both correct the same errors\nhelp: use --gold if some topics have gold judgements, \
             else --calibration"
        } else if self.evaluation.chances()?.is_some() {
            "--gold and --unjudged q=..., band, fit or urn cannot be combined"
        } else if self.interval.is_bootstrap() {
            "--gold and --interval bca cannot be combined: --gold uses Student's t intervals"
        } else {
            return Ok(());
        };
        Err(Failure::usage(why))
    }

    /// Gold judgements of the topics in use, and their file.
    fn read_gold(&self, input: Option<&Input>, setting: &Setting<'_>) -> Result<Option<(Qrels, QrelsFacts)>, Failure> {
        let Some(input) = input else { return Ok(None) };
        let (qrels, facts) = self.evaluation.read(input)?;
        check_compatible(&qrels, setting.measures, &facts.file)?;
        let kept = gold::check_compatible(&qrels, setting, &facts.file)?;
        Ok(Some((kept, facts)))
    }
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    let options = &arguments.evaluation;
    arguments.check()?;
    let figures = arguments.figures.wanted(environment, &arguments.output)?;
    Outputs::answer(&arguments.output).check(&arguments.files())?;
    let Inputs { prepared, runs, gold, lengths, samples } = Inputs::read(arguments, environment)?;
    let setting = prepared.setting(options);
    let by_gold = arguments.read_gold(gold.as_ref(), &setting)?;
    let setting = Setting { collection: arguments.collection(setting.collection, by_gold.as_ref())?, ..setting };
    let relevance_model =
        options.requested_model(&setting, &runs, Draws { count: arguments.draws, seed: arguments.seed })?;
    let setting = Setting { relevance_model: relevance_model.as_ref(), ..setting };
    let provenance = arguments.provenance(environment, &prepared.judgements.facts, &setting, by_gold.as_ref());
    let (sampled, sample_notes) = match &samples {
        Some(samples) => arguments.sampled_scores(samples, &setting, &runs, &prepared.judgements.facts.file)?,
        None => Default::default(),
    };
    let provenance = samples.iter().fold(provenance, |provenance, samples| samples.provenance(provenance));
    let eval_options = EvalOptions {
        inference: arguments.interval.inference(arguments.level, arguments.seed),
        by_query: arguments.by_query,
        draws: arguments.draws,
        gold: by_gold.as_ref().map(|(qrels, _)| Gold { qrels, weight: arguments.bronze_weight }),
        sampled,
        score_bands: arguments.score_bands.map(|bands| ScoreBandOptions {
            bands: bands as usize,
            relevance_level: options.relevance_level,
            level: arguments.level,
            lengths,
        }),
    };
    let evaluation = eval(&setting, &runs, &eval_options)?;
    let curves = if figures { curves(&setting, &runs, options.relevance_level)? } else { None };
    let view = View { no_bounds: options.why_no_bounds(), figures, curves: curves.as_ref() };
    let context = Context { version: VERSION, provenance, notes: arguments.choices() };
    let mut report = report(&setting, evaluation, view, context);
    report.notes.extend(sample_notes);
    report.notes.extend(arguments.inputs().cautions(environment));
    arguments.figures.write(environment, &report, &arguments.output)
}

/// What was read before the runs.
struct Inputs {
    prepared: Prepared,
    runs: RunFiles,
    gold: Option<Input>,
    lengths: Option<HashMap<Vec<u8>, f64>>,
    samples: Option<Samples>,
}

impl Inputs {
    fn read(arguments: &Arguments, environment: &Environment) -> Result<Inputs, Failure> {
        let options = &arguments.evaluation;
        let samples = match arguments.sample.as_slice() {
            [] => None,
            forms => Some(Samples::read(environment, forms, arguments.partial)?),
        };
        let mut measures = options.measures(&samples.as_ref().map_or(DEFAULT_MEASURES.to_vec(), Samples::measures))?;
        let others = arguments.runs.iter().chain(&arguments.gold).chain(&arguments.lengths).cloned();
        let (qrels, mut runs) = options::open(environment, &arguments.qrels, &others.collect::<Vec<String>>())?;
        let lengths = arguments.lengths.as_ref().and_then(|_| runs.pop());
        let lengths = lengths.as_ref().map(lengths::read).transpose()?;
        let gold = arguments.gold.as_ref().and_then(|_| runs.pop());
        let judgements = options.qrels(environment, &qrels)?;
        if !judgements.qrels.kind().has_grades() {
            measures = options.measures(PREFERENCE_MEASURES)?;
            if arguments.score_bands.is_some() {
                return Err(Failure::usage("--score-bands needs judgements with grades; these have none"));
            }
        }
        let mut prepared = Prepared::of(options, environment, judgements, measures, arguments.calibration.as_deref())?;
        if let Some(samples) = &samples {
            samples.take_out(&mut prepared, options)?;
        }
        Ok(Inputs { prepared, runs: options.runs(runs), gold, lengths, samples })
    }
}

impl Arguments {
    fn inputs(&self) -> ScoringInputs<'_> {
        ScoringInputs {
            qrels: &self.qrels,
            runs: &self.runs,
            evaluation: &self.evaluation,
            calibration: self.calibration.as_ref(),
        }
    }

    /// All files that are read.
    fn files(&self) -> Vec<String> {
        self.inputs().files(self.gold.iter().chain(&self.lengths).chain(&self.sample))
    }

    /// What a sample says of every score, and notes.
    fn sampled_scores(
        &self,
        samples: &Samples,
        setting: &Setting<'_>,
        runs: &RunFiles,
        file: &str,
    ) -> Result<(Vec<SampledScore>, Vec<String>), Failure> {
        let read = RankedDocuments::named(setting.qrels, runs, &setting.policy, setting.threads)?;
        let (names, options) = (names(&read.runs.iter().collect::<Vec<_>>())?, options_of(&self.evaluation));
        let asked = Asked { names: &names, options, file, relevance_level: self.evaluation.relevance_level };
        samples.scores(setting, &read, &asked, self.level)
    }

    /// One scale for bronze and gold, so that measures that use its end treat a document alike under either.
    fn collection(
        &self,
        bronze: CollectionFacts,
        gold: Option<&(Qrels, QrelsFacts)>,
    ) -> Result<CollectionFacts, Failure> {
        let most = gold.and_then(|(gold, _)| gold.max_grade()).unwrap_or(bronze.max_grade);
        let whole_grades = bronze.whole_grades && gold.is_none_or(|(gold, _)| gold.has_whole_grades());
        match self.evaluation.max_grade {
            Some(given) if given < most => {
                let file = gold.map_or("", |(_, facts)| &facts.file);
                Err(Failure::usage(format!(
                    "--max-grade {given}: {file} has grade {most}; expected a number from {most}"
                )))
            }
            Some(_) => Ok(CollectionFacts { whole_grades, ..bronze }),
            None => Ok(CollectionFacts { max_grade: bronze.max_grade.max(most), whole_grades, ..bronze }),
        }
    }

    /// The judgements and all options, as the answer shows them.
    fn provenance(
        &self,
        environment: &Environment,
        facts: &QrelsFacts,
        setting: &Setting<'_>,
        gold: Option<&(Qrels, QrelsFacts)>,
    ) -> Provenance {
        let provenance = self
            .evaluation
            .provenance(facts, setting.measures, &setting.collection)
            .option("level", self.level)
            .option("interval", self.interval.name())
            .option("resamples", self.interval.resamples)
            .seed(self.seed);
        let mut provenance = calibration::provenance(environment, provenance, self.calibration.as_deref());
        if let Some((_, facts)) = gold {
            let weight = match self.bronze_weight {
                BronzeWeight::Tuned => text("tuned"),
                BronzeWeight::Fixed(weight) => OptionValue::from(weight),
            };
            provenance = provenance.input_in(facts.format, &facts.file, facts.bytes, facts.rows);
            provenance = provenance.option("gold", facts.file.as_str()).option("bronze_weight", weight);
        }
        if let Some(bands) = self.score_bands {
            provenance = provenance.option("score_bands", bands);
        }
        if let Some(file) = &self.lengths {
            provenance = provenance.option("lengths", file.as_str());
        }
        if !self.sample.is_empty() {
            provenance = provenance.option("partial", self.partial);
        }
        if setting.relevance_model.is_some() || self.calibration.is_some() {
            provenance = provenance.option("draws", self.draws);
        }
        provenance
    }
}
