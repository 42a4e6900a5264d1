//! `karat budget QRELS RUN [RUN]`

use clap::Args;
use karat_analysis::budget::{Prices, Question, budget};
use karat_analysis::scores::Setting;
use karat_analysis::unjudged::Treatment;

use super::{VERSION, text};
use crate::calibration;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::figure::FiguresOptions;
use crate::options::{self, Draws, EvaluationOptions, OutputOptions, Prepared, check_level, note_choices};
use crate::output;

/// What the budget is of when nobody says.
const DEFAULT_MEASURES: &[&str] = &["RBP(p=0.8)"];

/// Where does the uncertainty come from, and what is the cheapest way to shrink it?
#[derive(Debug, Args)]
pub struct Arguments {
    /// Judgements (their format, and gz, zst, bz2, xz, are told from content; `-` is standard input)
    qrels: String,
    /// A run, or two for the budget of their difference (likewise)
    #[arg(required = true, num_args = 1.., value_name = "RUN")]
    runs: Vec<String>,
    #[command(flatten)]
    evaluation: EvaluationOptions,
    /// Correct linear measures (P, RBP, DCG, CG) for the judges' errors, as karat judges calibrate -o FILE found them
    #[arg(long, value_name = "FILE")]
    calibration: Option<String>,
    /// How wide the interval may be, from end to end: asks for the cheapest way there
    #[arg(long, value_name = "WIDTH", allow_negative_numbers = true)]
    target_width: Option<f64>,
    /// Prices, such as topic=30,judgement=1,gold=5; `none` for what is not to be had. A judgement and a gold label cost 1, a topic what
    /// judging it as deep as the present ones costs, when not given
    #[arg(long, value_name = "PRICES", default_value = "judgement=1,gold=1", value_parser = prices)]
    price: GivenPrices,
    /// Confidence level
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95)]
    level: f64,
    /// Draws of the unjudged documents' judgements, for measures without a closed form
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(20..=100_000))]
    draws: u32,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    figures: FiguresOptions,
    #[command(flatten)]
    output: OutputOptions,
}

/// Prices, and how they were typed.
#[derive(Debug, Clone)]
struct GivenPrices {
    typed: String,
    prices: Prices,
}

fn prices(typed: &str) -> Result<GivenPrices, String> {
    let mut prices = Prices::default();
    for part in typed.split(',') {
        let (name, value) = part
            .split_once('=')
            .ok_or_else(|| format!("'{part}' is no price; expected topic=..,judgement=..,gold=.., such as gold=5"))?;
        let price = match value.trim() {
            "none" => None,
            number => {
                let found = number.parse::<f64>().ok().filter(|price| (1e-6..=1e9).contains(price));
                Some(found.ok_or_else(|| {
                    format!(
                        "the price of a {} is '{number}'; expected a number above 0 (1e-6 to 1e9), or none",
                        name.trim()
                    )
                })?)
            }
        };
        match name.trim() {
            "topic" => prices.topic = Some(price),
            "judgement" => prices.judgement = price,
            "gold" => prices.gold = price,
            other => return Err(format!("'{other}' has no price; expected topic, judgement or gold")),
        }
    }
    Ok(GivenPrices { typed: typed.to_owned(), prices })
}

impl Arguments {
    fn check(&self) -> Result<(), Failure> {
        check_level(self.level)?;
        if let Some(width) = self.target_width.filter(|width| !(width.is_finite() && *width > 0.0)) {
            return Err(Failure::usage(format!("--target-width needs a number above 0, found {width}")));
        }
        if self.runs.len() > 2 {
            return Err(Failure::usage(format!(
                "budget takes one run, or two for their difference; found {} (which of them differ: karat compare)",
                self.runs.len()
            )));
        }
        Ok(())
    }
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    let options = &arguments.evaluation;
    arguments.check()?;
    if options.chances()? == Some(Treatment::Urn) {
        return Err(Failure::usage(
            "--unjudged urn: a budget goes document by document, and the urn's documents hang together; take fit, band or q=0.1",
        ));
    }
    arguments.figures.wanted(environment, &arguments.output)?;
    let files: Vec<String> = std::iter::once(&arguments.qrels)
        .chain(&arguments.runs)
        .chain(&arguments.calibration)
        .chain(&options.topics)
        .cloned()
        .collect();
    output::refuse_overwrite(&arguments.output, &files)?;
    let measures = options.measures(DEFAULT_MEASURES)?;
    let (qrels_input, run_inputs) = options::open(environment, &arguments.qrels, &arguments.runs)?;
    let prepared = Prepared::read(options, environment, &qrels_input, measures, arguments.calibration.as_deref())?;
    let setting = Setting { bounds: false, ..prepared.setting(options) };
    let runs = options.runs(run_inputs);
    let belief = options.belief(&setting, &runs, Draws { count: arguments.draws, seed: arguments.seed })?;
    let provenance = options
        .provenance(&prepared.judgements.facts, &prepared.measures, &prepared.collection)
        .option("level", arguments.level)
        .option("target_width", arguments.target_width.map_or(text("none"), Into::into))
        .option("price", arguments.price.typed.as_str())
        .option("draws", arguments.draws)
        .seed(arguments.seed);
    let question = Question {
        level: arguments.level,
        target: arguments.target_width,
        prices: arguments.price.prices,
        belief,
        no_bounds: options.why_no_bounds(),
        provenance: calibration::provenance(environment, provenance, arguments.calibration.as_deref()),
        version: VERSION,
        notes: note_choices(&options.choices()),
    };
    let (mut report, _) = budget(&setting, &runs, question)?;
    report.notes.extend(calibration::cautions(environment, arguments.calibration.as_deref()));
    arguments.figures.write(environment, &report, &arguments.output)
}
