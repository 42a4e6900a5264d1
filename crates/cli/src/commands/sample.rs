//! `karat sample RUN...`

use clap::{Args, ValueEnum};
use karat_analysis::judging::sample::{Design, SampleOptions, sample};
use karat_data::{CollectionFacts, FormRow, Policy};
use karat_formats::form::Asked;
use karat_measures::{Measure, spec};
use karat_present::Context;
use karat_present::judging::{problems, sample_report};
use karat_report::Provenance;
use karat_stats::Seed;

use super::VERSION;
use super::form::JudgingOptions;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::OutputOptions;

/// Which documents to judge: a sample of the pool, with the probability of each document.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Runs, or `-` for standard input. Format and compression are detected
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    /// How documents are drawn
    #[arg(long, value_enum, default_value = "uniform")]
    design: DesignOption,
    /// Share of each topic's pool that is drawn, above 0 and at most 1 (uniform, weighted)
    #[arg(long, value_name = "RATE", default_value_t = 0.2, allow_negative_numbers = true)]
    rate: f64,
    /// Strata by best rank, each with the share drawn: 10:1,50:0.2,100:0.1 (strata)
    #[arg(long, value_name = "DEPTH:RATE,...", value_delimiter = ',')]
    strata: Vec<String>,
    /// The measure whose weights the probabilities are proportional to (weighted)
    #[arg(short, long, value_name = "MEASURE", default_value = "RBP(p=0.8)")]
    measure: String,
    /// Ranks of each run that are sampled from; with strata, the deepest of them
    #[arg(short = 'M', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Known judgements: the form gets their grades (simulates judging only the sample)
    #[arg(long, value_name = "FILE")]
    qrels: Option<String>,
    /// Sample from the judged documents only: shows what fewer judgements would have given
    #[arg(short = 'J', long, requires = "qrels")]
    judged_only: bool,
    /// Redraw a topic until its sample has a relevant document, as Yilmaz and Aslam (2006) did; biases estimates
    #[arg(long, requires = "qrels")]
    until_relevant: bool,
    /// The lowest grade that is relevant
    #[arg(short = 'l', long, value_name = "GRADE", default_value_t = 1.0, allow_negative_numbers = true)]
    relevance_level: f64,
    /// Seed of the draws
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    judging: JudgingOptions,
    #[command(flatten)]
    output: OutputOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DesignOption {
    /// Every document of a topic's pool is as likely as any other
    Uniform,
    /// By best rank, each stratum with its own share (--strata)
    Strata,
    /// In proportion to the weight that the measure gives the document, summed over runs (-m)
    Weighted,
}

impl DesignOption {
    fn name(self) -> &'static str {
        match self {
            DesignOption::Uniform => "uniform",
            DesignOption::Strata => "strata",
            DesignOption::Weighted => "weighted",
        }
    }
}

fn is_rate(rate: f64) -> bool {
    rate > 0.0 && rate <= 1.0
}

impl Arguments {
    /// The strata, checked.
    fn strata(&self) -> Result<Vec<(usize, f64)>, Failure> {
        let mut strata: Vec<(usize, f64)> = Vec::new();
        for text in &self.strata {
            let parsed = text.split_once(':').and_then(|(depth, rate)| {
                Some((depth.trim().parse().ok().filter(|&depth: &usize| depth > 0)?, rate.trim().parse().ok()?))
            });
            let Some((depth, rate)) = parsed.filter(|&(_, rate)| is_rate(rate)) else {
                return Err(Failure::usage(format!(
                    "--strata needs DEPTH:RATE with a rank from 1 and a rate above 0 and at most 1 (10:1,100:0.1), found {text:?}"
                )));
            };
            if strata.last().is_some_and(|&(before, _)| before >= depth) {
                return Err(Failure::usage(format!(
                    "--strata needs rising depths, found {depth} after a depth as large"
                )));
            }
            strata.push((depth, rate));
        }
        match (self.design, strata.is_empty()) {
            (DesignOption::Strata, true) => Err(Failure::usage("--design strata needs --strata, such as 10:1,100:0.1")),
            (DesignOption::Uniform | DesignOption::Weighted, false) => {
                Err(Failure::usage("--strata is for --design strata"))
            }
            _ => Ok(strata),
        }
    }

    /// Ranks of each run.
    fn depth(&self, strata: &[(usize, f64)]) -> Result<usize, Failure> {
        let deepest = strata.last().map(|&(depth, _)| depth);
        match (self.depth.map(|depth| depth as usize), deepest) {
            (Some(depth), Some(deepest)) if depth != deepest => Err(Failure::usage(format!(
                "-M {depth} and --strata, whose deepest rank is {deepest}, say different depths; leave -M out"
            ))),
            (depth, deepest) => Ok(depth.or(deepest).unwrap_or(100)),
        }
    }
}

impl Arguments {
    /// How documents are drawn.
    fn design<'m>(&self, strata: Vec<(usize, f64)>, measure: &'m dyn Measure) -> Result<Design<'m>, Failure> {
        let rate = self.rate;
        Ok(match self.design {
            DesignOption::Uniform => Design::Uniform { rate },
            DesignOption::Strata => Design::Strata(strata),
            DesignOption::Weighted => {
                let form = measure.linear(&CollectionFacts::default()).ok_or_else(|| {
                    Failure::usage(format!(
                        "-m {}: its weights depend on judgements; choose a measure linear in gain (RBP, P@k, DCG, CG, SDCG, INSQ)",
                        measure.spec()
                    ))
                })?;
                Design::Weighted { rate, form }
            }
        })
    }

    /// The rows of the form with what its layout holds of a sample: strata, or probabilities, or (TREC with four columns) neither.
    fn form_rows(&self, rows: Vec<FormRow>) -> Vec<FormRow> {
        let weighted = self.design == DesignOption::Weighted;
        let (strata, probabilities) = match self.judging.form.form_format.as_deref() {
            Some("trec") => (false, false),
            Some("sampled") => (true, false),
            Some("prels") => (true, true),
            _ => (true, weighted),
        };
        let row = |row: FormRow| FormRow {
            stratum: row.stratum.filter(|_| strata),
            probability: row.probability.filter(|_| probabilities),
            ..row
        };
        rows.into_iter().map(row).collect()
    }

    /// The options, after the judgements.
    fn provenance(&self, provenance: Provenance, depth: usize, measure: &dyn Measure) -> Provenance {
        let provenance = provenance.option("design", self.design.name()).option("depth", depth as f64);
        let provenance = match self.design {
            DesignOption::Strata => provenance.option("strata", self.strata.clone()),
            DesignOption::Uniform => provenance.option("rate", self.rate),
            DesignOption::Weighted => {
                provenance.option("rate", self.rate).option("measure", measure.spec().to_string())
            }
        };
        provenance
            .option("judged_only", self.judged_only)
            .option("until_relevant", self.until_relevant)
            .option("relevance_level", self.relevance_level)
            .seed(self.seed)
    }
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps it from answering.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    let judging = &arguments.judging;
    if !is_rate(arguments.rate) {
        return Err(Failure::usage(format!("--rate needs a number above 0 and at most 1, found {}", arguments.rate)));
    }
    if !(arguments.relevance_level.is_finite() && arguments.relevance_level > 0.0) {
        return Err(Failure::usage(format!("-l needs a number above 0, found {}", arguments.relevance_level)));
    }
    let strata = arguments.strata()?;
    let depth = arguments.depth(&strata)?;
    let measure = measure(&arguments.measure, arguments.relevance_level)?;
    let (qrels, runs, provenance) =
        judging.open(environment, arguments.qrels.as_ref(), &arguments.runs, &arguments.output)?;
    let options = SampleOptions {
        depth,
        design: arguments.design(strata, measure.as_ref())?,
        qrels: qrels.as_ref(),
        judged_only: arguments.judged_only,
        until_relevant: arguments.until_relevant.then_some(arguments.relevance_level),
        policy: Policy::default(),
        seed: Seed(arguments.seed),
        threads: judging.threads.count(),
    };
    let found = sample(&runs, &options).map_err(problems)?;
    let rows = arguments.form_rows(found.form);
    let (form_notes, provenance) = judging.form.write(environment, &rows, Asked::Question, provenance)?;
    let provenance = arguments.provenance(provenance, depth, measure.as_ref());
    let context = Context { version: VERSION, provenance, notes: Vec::new() };
    let mut report = sample_report(found.answer, &options, &found.runs, context);
    report.notes.extend(form_notes);
    environment.write(&report, &arguments.output)
}

/// One measure by its name.
///
/// # Errors
/// It is none, or several.
pub fn measure(text: &str, level: f64) -> Result<Box<dyn Measure>, Failure> {
    let specs = spec::parse_list(text, level)?;
    match &specs[..] {
        [one] => Ok(one.build()?),
        _ => Err(Failure::usage(format!("-m needs one measure, found {}", specs.len()))),
    }
}
