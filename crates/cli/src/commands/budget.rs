//! `karat budget QRELS RUN [RUN]`

use clap::Args;
use karat_analysis::budget::{BudgetOptions, DEFAULT_DRAWS, DEFAULT_MEASURES, Prices, budget};
use karat_analysis::scores::Setting;
use karat_analysis::unjudged::Treatment;
use karat_present::Context;
use karat_present::budget::{problems, report};
use karat_report::Provenance;
use karat_stats::Seed;

use super::{VERSION, text};
use crate::command::ScoringInputs;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::figure::FiguresOptions;
use crate::options::{Draws, EvaluationOptions, OutputOptions, Prepared, check_level, note_choices};
use crate::outputs::Outputs;

/// Where does the uncertainty come from, and what is the cheapest way to shrink it?
///
/// budget says what shrinks the interval. For a verdict on which of two runs is better, karat settle draws a random sample to judge, which gives an
/// unbiased estimate.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Judgements file, or `-` for standard input. Format and compression are detected
    qrels: String,
    /// One run, or two for the budget of their difference
    #[arg(required = true, num_args = 1.., value_name = "RUN")]
    runs: Vec<String>,
    #[command(flatten)]
    evaluation: EvaluationOptions,
    /// Correct linear measures (P, RBP, DCG, CG) for the judges' errors, with a file from karat judges calibrate -o FILE
    #[arg(long, value_name = "FILE")]
    calibration: Option<String>,
    /// The width that the interval should have, from end to end: adds advice on the cheapest way to reach it
    #[arg(long, value_name = "WIDTH", allow_negative_numbers = true)]
    target_width: Option<f64>,
    /// Prices, such as topic=30,judgement=1,gold=5; `none` for what is not available. Default of a topic: the price of as many judgements as
    /// the present topics have on average
    #[arg(long, value_name = "PRICES", default_value = "judgement=1,gold=1", value_parser = prices)]
    price: GivenPrices,
    /// Confidence level
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95)]
    level: f64,
    /// Random draws of unjudged relevance per topic, for measures without a closed form; default: 200, fewer for more than a million documents
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(20..=100_000))]
    draws: Option<u32>,
    /// Seed of all random numbers
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
        let (name, value) = part.split_once('=').ok_or_else(|| {
            format!("'{part}' is not a price; expected topic=..,judgement=..,gold=.., such as gold=5")
        })?;
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
    fn inputs(&self) -> ScoringInputs<'_> {
        ScoringInputs {
            qrels: &self.qrels,
            runs: &self.runs,
            evaluation: &self.evaluation,
            calibration: self.calibration.as_ref(),
        }
    }

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
            "--unjudged urn: budget needs independent documents; the urn model makes them dependent (use fit, band or q=0.1)",
        ));
    }
    arguments.figures.wanted(environment, &arguments.output)?;
    let inputs = arguments.inputs();
    Outputs::answer(&arguments.output).check(&inputs.files(None))?;
    let (prepared, run_inputs) = inputs.read(environment, DEFAULT_MEASURES)?;
    prepared.check_level_reached()?;
    let setting = Setting { bounds: false, ..prepared.setting(options) };
    let runs = options.align(&setting, run_inputs)?;
    let model = options.relevance_model(
        &setting,
        &runs,
        Draws { count: arguments.draws.unwrap_or(DEFAULT_DRAWS), seed: arguments.seed },
    )?;
    let budget_options = BudgetOptions {
        level: arguments.level,
        prices: arguments.price.prices,
        model,
        draws: arguments.draws,
        seed: Seed(arguments.seed),
    };
    let found = budget(&setting, &runs, &budget_options).map_err(problems)?;
    let context = Context {
        version: VERSION,
        provenance: provenance(arguments, environment, &prepared, found.draws()),
        notes: note_choices(&options.choices()),
    };
    let mut report = report(found.answer(arguments.target_width), found.facts(), options.why_no_bounds(), context);
    report.notes.extend(inputs.cautions(environment));
    arguments.figures.write(environment, &report, &arguments.output)
}

/// Where the numbers come from, before the runs.
fn provenance(
    arguments: &Arguments,
    environment: &Environment,
    prepared: &Prepared,
    draws: Option<usize>,
) -> Provenance {
    let draws = draws.unwrap_or(arguments.draws.unwrap_or(DEFAULT_DRAWS) as usize);
    arguments.inputs().provenance(environment, prepared, |options| {
        options
            .option("level", arguments.level)
            .option("target_width", arguments.target_width.map_or(text("none"), Into::into))
            .option("price", arguments.price.typed.as_str())
            .option("draws", draws as f64)
            .seed(arguments.seed)
    })
}
