//! `karat simulate ranking`

use clap::Args;
use karat_analysis::simulate::ranking::{SimulatedRankingsOptions, ranking};
use karat_present::{Context, simulate};
use karat_report::Provenance;
use karat_sim::{Experiment, RankingModel, Relevant};
use karat_stats::Seed;

use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{OutputOptions, ThreadOptions, check_level};
use crate::output;

/// How much can unjudged documents add to RBP?
///
/// Draws rankings from an urn (Park 2016, equation 12): each of N documents is relevant with probability q, and a non-relevant document has
/// weight w, a relevant one weight 1. The first ranks are judged. Reports what the other ranks add to RBP: simulated, exact, and
/// under the assumption that every unjudged rank is relevant with probability q. The defaults are the experiment of the paper's section 3.2.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Documents of a ranking (N)
    #[arg(long, value_name = "N", default_value_t = 100)]
    documents: u32,
    /// Probabilities that a document is relevant, comma-separated
    #[arg(
        long, value_name = "LIST", value_delimiter = ',', allow_negative_numbers = true,
        default_values_t = [0.05, 0.1, 0.2, 0.3, 0.5]
    )]
    q: Vec<f64>,
    /// Exactly M relevant documents in every ranking, instead of --q
    #[arg(long, value_name = "M", value_delimiter = ',', conflicts_with = "q")]
    relevant: Vec<u32>,
    /// Weights of a non-relevant document, comma-separated; 1 is a random ranking, smaller is better
    #[arg(
        long, value_name = "LIST", value_delimiter = ',', allow_negative_numbers = true,
        default_values_t = [0.05, 0.1, 0.2, 0.5, 0.7, 1.0]
    )]
    w: Vec<f64>,
    /// Persistence of RBP's user
    #[arg(long, value_name = "P", default_value_t = 0.8, allow_negative_numbers = true)]
    p: f64,
    /// Number of top ranks that are judged
    #[arg(long, value_name = "DEPTH", default_value_t = 10)]
    judged: u32,
    /// Queries per mean
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    queries: u32,
    /// Simulated means for each w and q
    #[arg(
        long, value_name = "N", default_value_t = 10_000,
        value_parser = clap::value_parser!(u32).range(1..=10_000_000)
    )]
    replications: u32,
    /// Add histograms with this many bins
    #[arg(long, value_name = "BINS", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    histogram: Option<u32>,
    /// Confidence level of the interval under a constant q
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95)]
    level: f64,
    /// Seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl Arguments {
    /// A model for each q (or M) and w.
    fn models(&self) -> Result<Vec<RankingModel>, Failure> {
        let relevant: Vec<Relevant> = if self.relevant.is_empty() {
            once_each(&self.q).into_iter().map(Relevant::Share).collect()
        } else {
            once_each(&self.relevant).into_iter().map(Relevant::Exactly).collect()
        };
        let mut models = Vec::new();
        for relevant in relevant {
            for weight in once_each(&self.w) {
                let model = RankingModel::new(self.documents, relevant, weight, self.p, self.judged);
                models.push(model.map_err(Failure::usage)?);
            }
        }
        Ok(models)
    }

    fn provenance(&self) -> Provenance {
        let provenance = Provenance::default().option("documents", self.documents);
        let provenance = if self.relevant.is_empty() {
            provenance.option("q", self.q.clone())
        } else {
            provenance.option("relevant", self.relevant.clone())
        };
        provenance
            .option("w", self.w.clone())
            .option("p", self.p)
            .option("judged", self.judged)
            .option("queries", self.queries)
            .option("replications", self.replications)
            .option("level", self.level)
            .option("histogram", self.histogram.unwrap_or(0))
            .seed(self.seed)
    }
}

/// The values in the order given, without repetitions.
fn once_each<T: PartialEq + Copy>(values: &[T]) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    for value in values {
        if !kept.contains(value) {
            kept.push(*value);
        }
    }
    kept
}

/// Runs the command.
///
/// # Errors
/// A number outside its range, or the answer cannot be written.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    check_level(arguments.level)?;
    output::chosen(&arguments.output)?;
    let options = SimulatedRankingsOptions {
        models: arguments.models()?,
        experiment: Experiment {
            queries: arguments.queries,
            replications: arguments.replications,
            bins: arguments.histogram.unwrap_or(0) as usize,
        },
        level: arguments.level,
        seed: Seed(arguments.seed),
        threads: arguments.threads.count(),
    };
    let mut progress = environment.progress("cell");
    let answer = ranking(&options, &mut |done, all| progress.tell(done, all));
    let context = Context { version: VERSION, provenance: arguments.provenance(), notes: Vec::new() };
    environment.write(&simulate::ranking_report(answer, context), &arguments.output)
}
