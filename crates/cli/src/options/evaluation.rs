//! The options of every command that scores runs.

use std::sync::OnceLock;

use clap::{Args, ValueEnum};
use karat_analysis::unjudged::Treatment;
use karat_data::{CollectionFacts, MissingTopics, Policy, Qrels, ScorePrecision, Ties};
use karat_formats::{Dialect, Input, QrelsFacts, RunFiles, read_qrels};
use karat_measures::{Measure, spec};
use karat_report::{OptionValue, Provenance};

use super::judgements::{Judgements, collection, cut};
use super::memory::MemoryOptions;
use super::unjudged::{self, UnjudgedOption};
use super::{FormatOptions, ThreadOptions};
use crate::commands::text;
use crate::environment::Environment;
use crate::failure::Failure;

#[derive(Debug, Clone, Copy, ValueEnum)]
enum TiesOption {
    /// By docno, descending, as trec_eval does
    Docno,
    /// In the order of the file
    File,
    /// By docno, plus the minimum, maximum and expected value over all tie orders
    Range,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum MissingOption {
    /// Score them as empty result lists (0), as trec_eval -c does
    Zero,
    /// Exclude them from that run's mean, as trec_eval does without -c
    Skip,
    /// Report an error
    Error,
}

/// What to say of a set of measures that only trec_eval has under this name.
fn nickname(name: &str) -> Option<Failure> {
    let known = ["official", "all_trec", "set", "prefs", "all_prefs", "qrels_jg"].contains(&name);
    known.then(|| {
        Failure::usage(format!(
            "'{name}' is a set of measures of trec_eval\nhelp: use `karat trec_eval -m {name}`, or name the measures (`karat measures` lists them)"
        ))
    })
}

/// How runs meet judgements.
#[derive(Debug, Args)]
pub struct EvaluationOptions {
    /// Measures, comma-separated or repeated: AP, nDCG@10, 'P(rel=2)@5', 'RBP(p=0.8)'; names of trec_eval and ranx
    /// work too
    #[arg(short, long = "measure", value_name = "MEASURE")]
    pub measures: Vec<String>,
    /// Minimum grade that counts as relevant in binary measures (unless set by rel=...)
    #[arg(short = 'l', long, value_name = "GRADE", default_value_t = 1.0, allow_negative_numbers = true)]
    pub relevance_level: f64,
    /// Use only the first N ranks
    #[arg(short = 'M', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Remove unjudged documents from the ranking
    #[arg(short = 'J', long)]
    pub judged_only: bool,
    #[arg(long, value_name = "WHAT", value_parser = unjudged::parse, help = unjudged::help())]
    unjudged: Option<UnjudgedOption>,
    /// Whether the judgements that were read name documents relevant to the measures only, to each of them.
    #[arg(skip)]
    sparse: OnceLock<bool>,
    /// Use only these topics: a comma-separated list, or a file with one topic per line
    #[arg(long, value_name = "LIST|FILE")]
    pub topics: Option<String>,
    /// How to treat judged topics that are missing in a run
    #[arg(long, value_enum, default_value = "zero")]
    missing_topics: MissingOption,
    /// Order of documents with equal scores
    #[arg(long, value_enum, default_value = "docno")]
    ties: TiesOption,
    /// Compare scores as trec_eval 9 does (float32) or as trec_eval 10 does (float64)
    #[arg(long, value_name = "9|10", default_value = "10", value_parser = ["9", "10"])]
    profile: String,
    #[command(flatten)]
    formats: FormatOptions,
    /// Largest possible grade [default: the largest in the judgements]
    #[arg(long, value_name = "GRADE", allow_negative_numbers = true)]
    pub max_grade: Option<f64>,
    /// Number of documents in the collection (required by Accuracy)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub documents: Option<u64>,
    #[command(flatten)]
    memory: MemoryOptions,
    #[command(flatten)]
    pub threads: ThreadOptions,
}

impl EvaluationOptions {
    /// The policy these options ask for.
    pub fn policy(&self) -> Policy {
        Policy {
            ties: match self.ties {
                TiesOption::Docno => Ties::Docno,
                TiesOption::File => Ties::File,
                TiesOption::Range => Ties::Range,
            },
            precision: if self.profile == "9" { ScorePrecision::F32 } else { ScorePrecision::F64 },
            depth: self.depth.map(|depth| depth as usize),
            judged_only: self.judged_only || self.unjudged() == UnjudgedOption::Condensed,
            missing_topics: match self.missing_topics {
                MissingOption::Zero => MissingTopics::Zero,
                MissingOption::Skip => MissingTopics::Skip,
                MissingOption::Error => MissingTopics::Error,
            },
            duplicates_below_depth: true,
        }
    }

    /// How unjudged documents are treated, unless the judgements say otherwise.
    pub fn unjudged(&self) -> UnjudgedOption {
        self.unjudged.unwrap_or(UnjudgedOption::Bounds)
    }

    /// Whether it is looked at whether the judgements name relevant documents only.
    pub fn detects_sparse(&self) -> bool {
        self.unjudged.is_none() && !self.judged_only
    }

    /// Whether unjudged documents are treated as not relevant by every measure because the judgements name relevant documents only.
    pub fn is_sparse(&self) -> bool {
        self.detects_sparse() && self.sparse.get().copied().unwrap_or(false)
    }

    /// Keeps whether every measure finds that the judgements name relevant documents only. Judgements that come later, to compare with, change nothing.
    pub fn keep_sparse(&self, is_sparse: impl FnOnce() -> bool) {
        self.sparse.get_or_init(is_sparse);
    }

    /// The choices that are not the defaults, as they would be typed.
    pub fn choices(&self) -> Vec<String> {
        let mut made = Vec::new();
        if self.relevance_level != 1.0 {
            made.push(format!("-l {}", self.relevance_level));
        }
        if let Some(depth) = self.depth {
            made.push(format!("-M {depth}"));
        }
        if self.judged_only {
            made.push("-J".into());
        }
        if let Some(unjudged) = self.unjudged.filter(|unjudged| *unjudged != UnjudgedOption::Bounds) {
            made.push(format!("--unjudged {unjudged}"));
        }
        if let Some(topics) = &self.topics {
            made.push(format!("--topics {topics}"));
        }
        let policy = self.policy();
        if policy.missing_topics != MissingTopics::default() {
            made.push(format!("--missing-topics {}", policy.missing_topics));
        }
        if policy.ties != Ties::default() {
            made.push(format!("--ties {}", policy.ties));
        }
        if policy.precision != ScorePrecision::default() {
            made.push("--profile 9".into());
        }
        if let Some(max_grade) = self.max_grade {
            made.push(format!("--max-grade {max_grade}"));
        }
        made.extend(self.formats.choices());
        made
    }

    /// The judgements and these options, as an answer tells them.
    pub fn provenance(
        &self,
        facts: &QrelsFacts,
        measures: &[Box<dyn Measure>],
        collection: &CollectionFacts,
    ) -> Provenance {
        let policy = self.policy();
        let names: Vec<OptionValue> = measures.iter().map(|measure| text(measure.spec())).collect();
        let count = |given: Option<f64>, otherwise: &str| given.map_or(text(otherwise), OptionValue::from);
        Provenance::default()
            .input_in(facts.format, &facts.file, facts.bytes, facts.rows)
            .option("measures", names)
            .option("relevance_level", self.relevance_level)
            .option("ties", text(policy.ties))
            .option("scores_compared_as", text(policy.precision))
            .option("missing_topics", text(policy.missing_topics))
            .option("judged_only", policy.judged_only)
            .option("unjudged", if self.is_sparse() { text("sparse") } else { text(self.unjudged()) })
            .option("max_grade", collection.max_grade)
            .option("depth", count(policy.depth.map(|depth| depth as f64), "all"))
            .option("documents", count(self.documents.map(|documents| documents as f64), "unknown"))
            .option("topics", self.topics.as_deref().unwrap_or("all"))
    }

    /// Where the chances of unjudged documents come from, where they have some.
    ///
    /// # Errors
    /// Other options leave no unjudged documents, or ask for what is not known of expected values.
    pub fn chances(&self) -> Result<Option<Treatment>, Failure> {
        let UnjudgedOption::Probable(treatment) = self.unjudged() else { return Ok(None) };
        if self.judged_only {
            return Err(Failure::usage(format!(
                "-J and --unjudged {} cannot be combined: -J removes the unjudged documents",
                self.unjudged()
            )));
        }
        if matches!(self.ties, TiesOption::Range) {
            return Err(Failure::usage(format!(
                "--ties range and --unjudged {} cannot be combined: tie ranges are not available for expected values",
                self.unjudged()
            )));
        }
        Ok(Some(treatment))
    }

    /// Why there are no bounds, where there are none.
    pub fn why_no_bounds(&self) -> Option<&'static str> {
        let condensed = self.judged_only || self.unjudged() == UnjudgedOption::Condensed;
        let nonrelevant = self.unjudged() == UnjudgedOption::Nonrelevant;
        condensed
            .then_some("unjudged documents were removed from the rankings, so Judged is always 1")
            .or(nonrelevant.then_some("unjudged documents are treated as not relevant"))
            .or(self
                .is_sparse()
                .then_some("99% or more of the judged documents are relevant, so the judgements are taken to name relevant documents only (--unjudged bounds shows them)"))
    }

    /// The measures asked for, or `defaults`.
    ///
    /// # Errors
    /// A text is not a measure, or one is given twice.
    pub fn measures(&self, defaults: &[&str]) -> Result<Vec<Box<dyn Measure>>, Failure> {
        if !(self.relevance_level.is_finite() && self.relevance_level > 0.0) {
            return Err(Failure::usage(format!("-l needs a number above 0, found {}", self.relevance_level)));
        }
        let given: Vec<&str> = self.measures.iter().map(String::as_str).collect();
        spec::build_all(if given.is_empty() { defaults } else { &given }, self.relevance_level)
            .map_err(|error| given.iter().find_map(|name| nickname(name)).unwrap_or_else(|| error.into()))
    }

    /// Whether values over all orders of ties are shown.
    pub fn shows_tie_ranges(&self) -> bool {
        matches!(self.ties, TiesOption::Range)
    }

    /// Opens the runs.
    pub fn runs(&self, inputs: Vec<Input>) -> RunFiles {
        RunFiles::new(inputs, self.formats.runs(), Dialect::Strict).within(self.memory.budget())
    }

    /// Reads the judgements, cut to the topics asked for.
    ///
    /// # Errors
    /// Everything wrong with them.
    pub fn qrels(&self, environment: &Environment, input: &Input) -> Result<Judgements, Failure> {
        let (qrels, facts) = self.read(input)?;
        cut(environment, qrels, facts, self.topics.as_deref())
    }

    /// Reads judgements, all of them.
    ///
    /// # Errors
    /// Everything wrong with them.
    pub fn read(&self, input: &Input) -> Result<(Qrels, QrelsFacts), Failure> {
        Ok(read_qrels(input, self.formats.qrels(), Dialect::Strict, self.threads.count())?)
    }

    /// What holds for the whole collection.
    ///
    /// # Errors
    /// `--max-grade` is below a grade that was given.
    pub fn collection(&self, judgements: &Judgements) -> Result<CollectionFacts, Failure> {
        collection(judgements, self.max_grade, self.documents)
    }
}
