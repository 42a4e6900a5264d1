//! `karat sample RUN...`

use clap::{Args, ValueEnum};
use karat_analysis::judging::sample::{Design, Question, sample};
use karat_data::{CollectionFacts, Policy};
use karat_measures::{Measure, spec};
use karat_stats::Seed;

use super::VERSION;
use super::form::{self, Asked, JudgingOptions};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::OutputOptions;

/// Which documents to judge: a sample of the pool, with the probability of each.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Runs (their format, and gz, zst, bz2, xz, are told from content; `-` is standard input)
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
    /// The measure whose weights are the chances (weighted)
    #[arg(short, long, value_name = "MEASURE", default_value = "RBP(p=0.8)")]
    measure: String,
    /// Ranks of each run that are sampled from; with strata, the deepest of them
    #[arg(short = 'M', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Judgements known already: the form gets their grades (a simulation of judging only the sample)
    #[arg(long, value_name = "FILE")]
    qrels: Option<String>,
    /// Sample from the judged documents only: what would judging less have said?
    #[arg(short = 'J', long, requires = "qrels")]
    judged_only: bool,
    /// Draw a topic again until a relevant document is in its sample, as Yilmaz and Aslam (2006) did; biases estimates
    #[arg(long, requires = "qrels")]
    until_relevant: bool,
    /// The least grade that is relevant
    #[arg(short = 'l', long, value_name = "GRADE", default_value_t = 1.0, allow_negative_numbers = true)]
    relevance_level: f64,
    /// Format of the form: trec, sampled (five columns) or prels; prels for weighted samples, else sampled
    #[arg(long, value_name = "FORMAT", value_parser = ["trec", "sampled", "prels"])]
    form_format: Option<String>,
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
    /// By best rank, each stratum with a share of its own (--strata)
    Strata,
    /// The more likely the more weight the measure gives the document, summed over runs (-m)
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
    let rate = arguments.rate;
    let design = match arguments.design {
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
    };
    let mut provenance = provenance.option("design", arguments.design.name()).option("depth", depth as f64);
    provenance = match arguments.design {
        DesignOption::Strata => provenance.option("strata", arguments.strata.clone()),
        DesignOption::Uniform => provenance.option("rate", rate),
        DesignOption::Weighted => provenance.option("rate", rate).option("measure", measure.spec().to_string()),
    };
    let question = Question {
        depth,
        design,
        qrels: qrels.as_ref(),
        judged_only: arguments.judged_only,
        until_relevant: arguments.until_relevant.then_some(arguments.relevance_level),
        policy: Policy::default(),
        seed: Seed(arguments.seed),
        threads: judging.threads.count(),
        provenance: provenance
            .option("judged_only", arguments.judged_only)
            .option("until_relevant", arguments.until_relevant),
        version: VERSION,
    };
    let answer = sample(&runs, question)?;
    if let Some(path) = &judging.form {
        let usual = if arguments.design == DesignOption::Weighted { "prels" } else { "sampled" };
        let format = arguments.form_format.as_deref().unwrap_or(usual);
        form::write(path, format, Asked::Question, &answer.form)?;
    }
    environment.write(&answer.report, &arguments.output)
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
