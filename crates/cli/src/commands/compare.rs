//! `karat compare QRELS RUN RUN...`

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use karat_analysis::compare::verdict::Unjudged;
use karat_analysis::compare::{
    CompareOptions, Compared, Comparison, Correcting, DEFAULT_MEASURES, Gate, More, OtherJudgements, compare,
    select_tests,
};
use karat_analysis::scores::check_compatible;
use karat_analysis::unjudged::RelevanceModel;
use karat_data::CollectionFacts;
use karat_formats::Input;
use karat_present::Context;
use karat_present::compare::{Said, View, because, margin_words, report};
use karat_report::{OptionValue, Provenance};
use karat_stats::correction::{self, CORRECTIONS, HOLM};
use karat_stats::seed::Seed;
use karat_stats::test::{Of, Settings, TESTS, TestInfo};

use super::settle::options_of;
use super::{VERSION, text};
use crate::command::ScoringInputs;
use crate::condensing::refuse_anew;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::figure::FiguresOptions;
use crate::options::{
    Draws, EvaluationOptions, IntervalOptions, Judgements, OutputOptions, Prepared, UnjudgedOption, between_0_and_1,
    check_level, note_choices,
};
use crate::outputs::Outputs;
use crate::samples::{Asked, Samples};

/// The corrections that test all pairs together.
const MAX_T: &str = karat_stats::max_t::PAGE.name;
const TUKEY: &str = karat_stats::tukey::PAGE.name;

/// Compare runs: significance, unjudged documents, judges
#[derive(Debug, Args)]
pub struct Arguments {
    /// Judgements file, or `-` for standard input. Format and compression are detected
    qrels: String,
    /// Two or more runs; the first is the baseline (see --baseline)
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    #[command(flatten)]
    pub(crate) evaluation: EvaluationOptions,
    /// Name of the run that the others are compared with [default: the first run]
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// Compare every pair, not only each run with the baseline
    #[arg(long)]
    all_pairs: bool,
    /// Tests, comma-separated (see karat explain TEST). The randomisation test is always included: verdicts use it
    #[arg(long = "test", value_name = "TEST", value_delimiter = ',', default_value = "t,randomization",
        value_parser = PossibleValuesParser::new(TESTS.iter().filter(|test| matches!(test.of, Of::Differences(_))).map(|test| test.name)))]
    tests: Vec<String>,
    /// Correction of p for the number of pairs per measure [default: holm, or max_t with --all-pairs]
    #[arg(long, value_name = "NAME",
        value_parser = PossibleValuesParser::new(CORRECTIONS.iter().map(|row| row.name).chain([MAX_T, TUKEY])))]
    correction: Option<String>,
    /// Random permutations or resamples per test
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(200..))]
    permutations: u32,
    /// Half the width of the region of practical equivalence, for --test bayes
    #[arg(long, value_name = "DIFFERENCE", default_value_t = 0.01)]
    rope: f64,
    /// Differences up to this size are ties, for --test sign
    #[arg(long, value_name = "DIFFERENCE", default_value_t = 0.0)]
    tie: f64,
    /// Confidence level; a verdict needs an adjusted p below 1 - level
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95)]
    level: f64,
    #[command(flatten)]
    interval: IntervalOptions,
    /// Power for the smallest detectable difference and the number of topics needed
    #[arg(long, value_name = "POWER", default_value_t = 0.8)]
    power: f64,
    /// Name a better run only if the verdict rests on no assumption about unjudged documents (certain, or sampled)
    #[arg(long)]
    strict: bool,
    /// A difference that does not matter, for --gate not-worse and equivalent
    #[arg(long, value_name = "DIFFERENCE")]
    margin: Option<f64>,
    /// Exit with status 1 unless this holds for every measure and every pair with the baseline
    #[arg(long, value_enum, value_name = "CONDITION")]
    gate: Option<GateOption>,
    /// Judged form of a sample that karat settle drew (repeatable, one per batch): the verdict rests on it
    #[arg(long, value_name = "FORM", conflicts_with_all = ["calibration", "sensitivity", "other_qrels"])]
    sample: Vec<String>,
    /// Allow rows of --sample without a label: the interval allows for every label they may have
    #[arg(long, requires = "sample")]
    partial: bool,
    /// Correct linear measures (P, RBP, DCG, CG) for the judges' errors; FILE is written by karat judges calibrate -o
    #[arg(long, value_name = "FILE")]
    calibration: Option<String>,
    /// Maximum number of simulated judgement sets; stops early once the estimate is precise enough
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(20..=100_000))]
    draws: u32,
    /// Also list every topic, with its difference and difficulty
    #[arg(short = 'q', long, visible_alias = "by-topic")]
    by_query: bool,
    /// Repeat the comparison with other values of p, cut-off, gains, relevance threshold, ties and missing topics, one at a time
    #[arg(long)]
    sensitivity: bool,
    /// Other judgements of the same topics: how far does the order of the runs change? Needs three or more runs
    #[arg(long, value_name = "QRELS")]
    other_qrels: Option<String>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    figures: FiguresOptions,
    #[command(flatten)]
    output: OutputOptions,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum GateOption {
    /// Every other run is better than the baseline
    Better,
    /// No other run is worse than the baseline by more than the margin
    NotWorse,
    /// Every other run differs from the baseline by no more than the margin
    Equivalent,
    /// Every comparison has a verdict
    Decided,
}

impl GateOption {
    fn gate(self) -> Gate {
        match self {
            GateOption::Better => Gate::Better,
            GateOption::NotWorse => Gate::NotWorse,
            GateOption::Equivalent => Gate::Equivalent,
            GateOption::Decided => Gate::Decided,
        }
    }
}

fn not_negative(option: &str, value: f64) -> Result<(), Failure> {
    let inside = value >= 0.0 && value.is_finite();
    if inside { Ok(()) } else { Err(Failure::usage(format!("{option} needs a number from 0 on, found {value}"))) }
}

impl Arguments {
    fn tests(&self) -> Vec<&'static TestInfo> {
        select_tests(self.tests.iter().map(String::as_str))
    }

    /// Refuses what does not go together, before anything is read.
    fn check(&self) -> Result<(), Failure> {
        check_level(self.level)?;
        between_0_and_1("--power", self.power)?;
        not_negative("--rope", self.rope)?;
        not_negative("--tie", self.tie)?;
        if let Some(margin) = self.margin.filter(|margin| !(*margin > 0.0 && margin.is_finite())) {
            return Err(Failure::usage(format!("--margin needs a number above 0, found {margin}")));
        }
        if self.gate.is_some_and(|gate| gate.gate().needs_margin()) && self.margin.is_none() {
            return Err(Failure::usage(
                "--gate not-worse and --gate equivalent need --margin, the largest difference that does not matter\nhelp: add --margin 0.01, for instance",
            ));
        }
        if self.correction() == TUKEY && !self.all_pairs {
            return Err(Failure::usage("--correction tukey is a test of all pairs; add --all-pairs, or choose holm"));
        }
        if self.correction() == TUKEY && !self.is_plain() {
            return Err(Failure::usage(
                "--correction tukey shuffles scores as they are, not expected or corrected ones; choose holm, or leave --calibration and --unjudged out",
            ));
        }
        self.evaluation.chances().map(drop)
    }

    /// Refuses what cannot be answered from lists that were read once, elsewhere.
    ///
    /// # Errors
    /// The option, and why.
    pub(crate) fn reads_once(&self) -> Result<(), Failure> {
        self.check()?;
        refuse_anew(&[(self.sensitivity, "--sensitivity"), (self.other_qrels.is_some(), "--other-qrels")])
    }

    /// The judged sample, where one is given.
    fn samples(&self, environment: &Environment) -> Result<Option<Samples>, Failure> {
        if self.sample.is_empty() {
            return Ok(None);
        }
        if self.evaluation.treatment() == Unjudged::Modelled {
            return Err(Failure::usage("--sample says what unjudged documents are; leave --unjudged and -J out"));
        }
        Samples::read(environment, &self.sample, self.partial).map(Some)
    }

    /// Reads the judgements, without those of a sample, and opens the runs.
    fn prepare(&self, environment: &Environment, samples: Option<&Samples>) -> Result<(Prepared, Vec<Input>), Failure> {
        let (mut prepared, runs) = self.inputs().read(environment, &self.default_measures(samples))?;
        if let Some(samples) = samples {
            samples.take_out(&mut prepared, &self.evaluation)?;
        }
        Ok((prepared, runs))
    }

    /// The measures where none are given: those of the sample.
    fn default_measures<'s>(&self, samples: Option<&'s Samples>) -> Vec<&'s str> {
        match samples {
            Some(samples) => samples.measures(),
            None => DEFAULT_MEASURES.to_vec(),
        }
    }

    /// Whether scores are as they are, neither expected nor corrected.
    fn is_plain(&self) -> bool {
        self.calibration.is_none() && !matches!(self.evaluation.unjudged(), UnjudgedOption::Probable(_))
    }

    fn correcting(&self) -> Correcting {
        match self.correction.as_deref() {
            None => Correcting::default_for(self.all_pairs),
            Some(MAX_T) => Correcting::MaxT,
            Some(TUKEY) => Correcting::Tukey,
            Some(name) => correction::find(name).map_or(Correcting::MaxT, |rule| Correcting::Rule(*rule)),
        }
    }

    /// The name of the correction that is done: max-T tests scores as they are only.
    fn correction(&self) -> &'static str {
        match self.correcting() {
            Correcting::MaxT if self.is_plain() => MAX_T,
            Correcting::MaxT => HOLM.name,
            Correcting::Tukey => TUKEY,
            Correcting::Rule(rule) => rule.name,
        }
    }

    /// A note of the choices that are not the defaults: a table alone does not show them.
    fn choices(&self) -> Vec<String> {
        let mut made = self.evaluation.choices();
        made.extend(self.interval.choice(self.seed));
        if self.strict {
            made.push("--strict".into());
        }
        note_choices(&made)
    }
}

/// Other judgements of the same topics.
struct Other {
    judgements: Judgements,
    collection: CollectionFacts,
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

    /// Reads other judgements, where they are given, cut to the same topics.
    fn other_judgements(&self, environment: &Environment, prepared: &Prepared) -> Result<Option<Other>, Failure> {
        let Some(file) = &self.other_qrels else { return Ok(None) };
        let input = environment.inputs(std::slice::from_ref(file))?.remove(0);
        let judgements = self.evaluation.qrels(environment, &input)?;
        let collection = self.evaluation.collection(&judgements)?;
        check_compatible(&judgements.qrels, &prepared.measures, &judgements.facts.file)?;
        Ok(Some(Other { judgements, collection }))
    }

    fn options<'a>(
        &'a self,
        threads: usize,
        relevance_model: Option<RelevanceModel>,
        other: Option<&'a Other>,
    ) -> CompareOptions<'a> {
        CompareOptions {
            all_pairs: self.all_pairs,
            baseline: self.baseline.as_deref(),
            tests: self.tests(),
            correction: self.correcting(),
            settings: Settings {
                permutations: self.permutations,
                seed: Seed(self.seed),
                threads,
                tie: self.tie,
                rope: self.rope,
                ..Settings::default()
            },
            inference: self.interval.inference(self.level, self.seed),
            power: self.power,
            strict: self.strict,
            by_query: self.by_query,
            margin: self.margin,
            unjudged: self.evaluation.treatment(),
            relevance_model,
            more: More {
                sensitivity: self.sensitivity,
                other: other.map(|Other { judgements, collection }| OtherJudgements {
                    qrels: &judgements.qrels,
                    collection: *collection,
                    file: &judgements.facts.file,
                }),
            },
        }
    }

    /// The options of this command, as the answer shows them.
    fn own_provenance(&self, provenance: Provenance) -> Provenance {
        provenance
            .option("baseline", self.baseline.as_deref().unwrap_or("first"))
            .option("all_pairs", self.all_pairs)
            .option("tests", self.tests().iter().map(|test| text(test.name)).collect::<Vec<_>>())
            .option("correction", self.correction())
            .option("permutations", self.permutations)
            .option("level", self.level)
            .option("interval", self.interval.name())
            .option("resamples", self.interval.resamples)
            .option("power", self.power)
            .option("strict", self.strict)
            .option("margin", self.margin.map_or_else(|| text("none"), OptionValue::from))
            .option("draws", self.draws)
            .option("rope", self.rope)
            .option("tie", self.tie)
            .option("sensitivity", self.sensitivity)
            .option("partial", self.partial)
            .seed(self.seed)
    }

    /// The inputs and all options, as the answer shows them.
    fn provenance(&self, environment: &Environment, prepared: &Prepared, other: Option<&Other>) -> Provenance {
        let provenance = self.inputs().provenance(environment, prepared, |options| self.own_provenance(options));
        let Some(Other { judgements: Judgements { facts, .. }, .. }) = other else { return provenance };
        provenance.option("other_qrels", facts.file.as_str()).input_in(
            facts.format,
            &facts.file,
            facts.bytes,
            facts.rows,
        )
    }
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering, and a gate that does not hold.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    let options = &arguments.evaluation;
    if arguments.runs.len() < 2 {
        return Err(Failure::usage(
            "compare needs at least two runs: karat compare QRELS RUN RUN (one run alone: karat eval)",
        ));
    }
    arguments.check()?;
    let figures = arguments.figures.wanted(environment, &arguments.output)?;
    let inputs = arguments.inputs();
    let others: Vec<String> = arguments.other_qrels.iter().chain(&arguments.sample).cloned().collect();
    Outputs::answer(&arguments.output).check(&inputs.files(&others))?;
    let samples = arguments.samples(environment)?;
    let (prepared, run_inputs) = arguments.prepare(environment, samples.as_ref())?;
    let other = arguments.other_judgements(environment, &prepared)?;
    let setting = prepared.setting(options);
    let runs = options.align(&setting, run_inputs)?;
    let relevance_model =
        options.requested_model(&setting, &runs, Draws { count: arguments.draws, seed: arguments.seed })?;
    let compare_options = arguments.options(setting.threads, relevance_model, other.as_ref());
    let mut compared = compare(&setting, &runs, &compare_options)?;
    let mut notes = arguments.choices();
    if let Some(samples) = &samples {
        let (names, file) = (&compared.names.clone(), &prepared.judgements.facts.file);
        let asked = Asked { names, options: options_of(options), file, relevance_level: options.relevance_level };
        notes.extend(samples.apply(&setting, &runs, (&asked, &compare_options), &mut compared)?);
    }
    let view = View { no_bounds: options.why_no_bounds(), figures };
    let provenance = arguments.provenance(environment, &prepared, other.as_ref());
    let provenance = samples.iter().fold(provenance, |provenance, samples| samples.provenance(provenance));
    let context = Context { version: VERSION, provenance, notes };
    let mut report = report(&setting, &compare_options, &compared, view, context);
    report.notes.extend(inputs.cautions(environment));
    arguments.figures.write(environment, &report, &arguments.output)?;
    let Some(option) = arguments.gate else { return Ok(()) };
    let words = |comparison: &Comparison| gate_words(option, &compared, comparison, arguments.power);
    let measure = |measure: usize| prepared.measures[measure].spec().to_string();
    gate(environment, option, &compared, (words, measure))
}

/// What a gate says of one comparison.
fn gate_words(option: GateOption, compared: &Compared, comparison: &Comparison, power: f64) -> String {
    match option {
        GateOption::NotWorse => margin_words(compared, comparison, Said::NotWorse).unwrap_or_default(),
        GateOption::Equivalent => margin_words(compared, comparison, Said::Equivalent).unwrap_or_default(),
        GateOption::Better | GateOption::Decided => because(compared, comparison, power),
    }
}

/// Says why the gate holds, or which comparisons broke it.
fn gate(
    environment: &Environment,
    option: GateOption,
    compared: &Compared,
    (words, measure): (impl Fn(&Comparison) -> String, impl Fn(usize) -> String),
) -> Result<(), Failure> {
    let found = option.gate().check(compared);
    // What was not compared does not hold.
    let concerns = |&&(_, (a, b)): &&(usize, (usize, usize))| {
        matches!(option, GateOption::Decided) || [a, b].contains(&compared.baseline)
    };
    let without: Vec<String> = compared
        .left_out
        .iter()
        .filter(concerns)
        .map(|&(place, (a, b))| {
            let (a, b) = (&compared.names[a], &compared.names[b]);
            format!("  {}, {a} against {b}: no topic has a score in both", measure(place))
        })
        .collect();
    let name = option.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
    let line = |(comparison, _): &(&Comparison, bool)| {
        let (a, b) = comparison.pair;
        let (first, second) = if b == compared.baseline { (a, b) } else { (b, a) };
        let baseline = if second == compared.baseline { "the baseline " } else { "" };
        let (first, second) = (&compared.names[first], &compared.names[second]);
        format!("  {}, {first} against {baseline}{second}: {}", measure(comparison.measure), words(comparison))
    };
    let holds = without.is_empty() && !found.is_empty() && found.iter().all(|(_, holds)| *holds);
    let lines: Vec<String> = found.iter().filter(|(_, good)| *good == holds).map(line).chain(without).collect();
    if holds {
        environment.note(&format!("--gate {name} holds:\n{}", lines.join("\n")));
        return Ok(());
    }
    Err(Failure::Gate(format!("--gate {name} does not hold:\n{}", lines.join("\n"))))
}
