//! `karat next QRELS RUN...`

use clap::{Args, ValueEnum};
use karat_analysis::judging::next::{Question, completed, next};
use karat_analysis::judging::replay::replay;
use karat_analysis::judging::{About, GainModel, Strategy};
use karat_analysis::scores::check_compatible;
use karat_data::Policy;
use karat_formats::{Dialect, read_qrels};
use karat_report::{OptionValue, Provenance};
use karat_stats::Seed;

use super::form::{self, Asked, JudgingOptions};
use super::{VERSION, sample, text};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::figure::{self, FigureOptions};
use crate::options::{self, OutputOptions};
use crate::output;

/// Which documents to judge next: those that shrink the uncertainty most.
///
/// Weights are those of Moffat, Webber and Zobel (2007), or the variance that a judgement takes away under a model of what
/// unjudged documents are worth.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Judgements so far (their format, and gz, zst, bz2, xz, are told from content; `-` is standard input)
    qrels: String,
    /// Runs (likewise)
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    /// The measure, one linear in gain: RBP, P@k, DCG, CG, SDCG, INSQ
    #[arg(short, long, value_name = "MEASURE", default_value = "RBP(p=0.8)")]
    measure: String,
    /// How documents are put in order
    #[arg(long, value_enum, ignore_case = true, default_value = "variance")]
    strategy: StrategyOption,
    /// Whose uncertainty is to shrink
    #[arg(long, value_enum, default_value = "scores")]
    about: AboutOption,
    /// The chance that an unjudged document is relevant; told from the judged ones when not given
    #[arg(long, value_name = "Q", allow_negative_numbers = true)]
    q: Option<f64>,
    /// So many documents at most; 20 when there is no target
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    /// As many documents as it takes until no more than this is open
    #[arg(long, value_name = "RESIDUAL", allow_negative_numbers = true)]
    target: Option<f64>,
    /// Take the judgements away, and see how many of them each strategy needs
    #[arg(long, conflicts_with_all = ["target", "count", "form"])]
    replay: bool,
    /// Repetitions of the random order (--replay)
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repetitions: u32,
    /// Kendall's tau with the full order that is enough (--replay)
    #[arg(long, value_name = "TAU", default_value_t = 0.9, allow_negative_numbers = true)]
    tau: f64,
    /// The least grade that is relevant
    #[arg(short = 'l', long, value_name = "GRADE", default_value_t = 1.0, allow_negative_numbers = true)]
    relevance_level: f64,
    /// Look at the first N ranks only
    #[arg(short = 'M', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Only these topics: a comma-separated list, or a file with one a line
    #[arg(long, value_name = "LIST|FILE")]
    topics: Option<String>,
    /// The largest grade a document can have; the largest in the qrels when not given
    #[arg(long, value_name = "GRADE", allow_negative_numbers = true)]
    max_grade: Option<f64>,
    /// Seed of the random order (--replay)
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    figure: FigureOptions,
    #[command(flatten)]
    judging: JudgingOptions,
    #[command(flatten)]
    output: OutputOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StrategyOption {
    /// The weight that runs give the document
    #[value(name = "A")]
    A,
    /// That times the run's residual
    #[value(name = "B")]
    B,
    /// That times how good the run can still turn out, cubed
    #[value(name = "C")]
    C,
    /// The variance that the judgement takes away
    #[value(name = "variance")]
    Variance,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AboutOption {
    /// Every run's score
    Scores,
    /// The difference of every two runs
    Differences,
    /// The difference of the two runs that are probably the best
    Top,
}

impl Arguments {
    fn strategy(&self) -> Strategy {
        match self.strategy {
            StrategyOption::A => Strategy::A,
            StrategyOption::B => Strategy::B,
            StrategyOption::C => Strategy::C,
            StrategyOption::Variance => Strategy::Variance,
        }
    }

    fn about(&self) -> About {
        match self.about {
            AboutOption::Scores => About::Scores,
            AboutOption::Differences => About::Differences,
            AboutOption::Top => About::Top,
        }
    }

    fn check(&self) -> Result<(), Failure> {
        if let Some(q) = self.q.filter(|q| !(0.0..=1.0).contains(q)) {
            return Err(Failure::usage(format!("--q needs a number from 0 to 1, found {q}")));
        }
        if self.q.is_some_and(|q| q == 0.0 || q == 1.0) && self.strategy() == Strategy::Variance && !self.replay {
            return Err(Failure::usage(
                "with --q 0 or 1 no judgement could be a surprise, so none has a weight; give a probability between them, or \
                 another strategy (--strategy A)",
            ));
        }
        if let Some(target) = self.target.filter(|target| !(target.is_finite() && *target >= 0.0)) {
            return Err(Failure::usage(format!("--target needs a number from 0 on, found {target}")));
        }
        if !(self.tau > -1.0 && self.tau <= 1.0) {
            return Err(Failure::usage(format!("--tau needs a number above -1 and at most 1, found {}", self.tau)));
        }
        if !(self.relevance_level.is_finite() && self.relevance_level > 0.0) {
            return Err(Failure::usage(format!("-l needs a number above 0, found {}", self.relevance_level)));
        }
        if self.about() != About::Scores && self.strategy() != Strategy::Variance && !self.replay {
            return Err(Failure::usage(format!(
                "strategy {} is about scores; --about {} needs --strategy variance",
                self.strategy().name(),
                self.about().name()
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
    arguments.check()?;
    let judging = &arguments.judging;
    arguments.figure.wanted(environment, &arguments.output)?;
    if arguments.figure.is_file() && !arguments.replay {
        return Err(Failure::usage("--figure draws a replay; add --replay"));
    }
    let names: Vec<String> = std::iter::once(&arguments.qrels).chain(&arguments.runs).cloned().collect();
    output::refuse_overwrite(&arguments.output, &names)?;
    judging.spare(&names, &arguments.output)?;
    let measures = [sample::measure(&arguments.measure, arguments.relevance_level)?];
    let (qrels_input, run_inputs) = options::open(environment, &arguments.qrels, &arguments.runs)?;
    let (qrels, facts) = read_qrels(&qrels_input, judging.formats.qrels(), Dialect::Strict, judging.threads.count())?;
    let judgements = options::cut(environment, qrels, facts, arguments.topics.as_deref())?;
    let collection = options::collection(&judgements, arguments.max_grade, None)?;
    let (qrels, facts) = (&judgements.qrels, &judgements.facts);
    check_compatible(qrels, &measures, &facts.file)?;
    if judging.form.is_some() && qrels.kind() != karat_data::JudgementKind::Grades {
        return Err(Failure::usage(format!("--form adds to plain grades, and {} holds {}", facts.file, qrels.kind())));
    }
    let mut provenance = Provenance::default()
        .input_in(facts.format, &facts.file, facts.bytes, facts.rows)
        .option("measure", text(measures[0].spec()))
        .option("q", arguments.q.map_or(text("by band"), OptionValue::from))
        .option("depth", arguments.depth.map_or(text("all"), OptionValue::from))
        .option("topics", arguments.topics.as_deref().unwrap_or("all"))
        .option("max_grade", collection.max_grade);
    provenance = if arguments.replay {
        provenance.option("tau", arguments.tau).option("repetitions", arguments.repetitions)
    } else {
        provenance
            .option("strategy", arguments.strategy().name())
            .option("about", arguments.about().name())
            .option("target", arguments.target.map_or(text("none"), OptionValue::from))
    };
    let count = arguments.count.map(|count| count as usize);
    let question = Question {
        qrels,
        collection,
        measure: measures[0].as_ref(),
        policy: Policy { depth: arguments.depth.map(|depth| depth as usize), ..Policy::default() },
        strategy: arguments.strategy(),
        about: arguments.about(),
        model: arguments.q.map_or(GainModel::Bands, GainModel::Given),
        count: count.or(arguments.target.is_none().then_some(20)),
        target: arguments.target,
        threads: judging.threads.count(),
        provenance,
        version: VERSION,
    };
    let runs = judging.runs(run_inputs);
    if arguments.replay {
        let report = replay(&runs, question, Seed(arguments.seed), arguments.repetitions, arguments.tau)?;
        return figure::write(environment, &report, &arguments.figure, &arguments.output);
    }
    let answer = next(&runs, question)?;
    if let Some(path) = &judging.form {
        let kept = judgements.uncut.as_ref().unwrap_or(qrels);
        form::write(path, "trec", Asked::Unjudged, &completed(kept, answer.form))?;
    }
    environment.write(&answer.report, &arguments.output)
}
