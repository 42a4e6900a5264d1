//! Options that several commands share, and what they mean to the library.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};
use karat_data::problem::quote;
use karat_data::{CollectionFacts, MissingTopics, Policy, Problem, Problems, Qrels, ScorePrecision, Ties};
use karat_formats::{
    Dialect, Input, QREL_FORMATS, QrelsChoice, QrelsFacts, RUN_FORMATS, RunChoice, RunFiles, detect, read_qrels,
};
use karat_measures::{Measure, spec};
use karat_report::{OptionValue, Provenance};
use karat_study::unjudged::Treatment;

use crate::commands::text;
use crate::failure::Failure;
use crate::files;

/// Whether to colour.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Where the answer goes, and in what form.
#[derive(Debug, Args)]
pub struct OutputOptions {
    /// Form of the answer; told from the ending of -o when not given
    #[arg(short, long, value_parser = ["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"])]
    pub format: Option<String>,
    /// Write the answer to this file (whole or not at all) instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Colour headings
    #[arg(long, value_enum, default_value = "auto")]
    pub color: Color,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum TiesOption {
    /// By docno, largest first, as trec_eval does
    Docno,
    /// As they stand in the file
    File,
    /// By docno, and what every other order would give: least, greatest, expected
    Range,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum MissingOption {
    /// Score the run there as if it had retrieved nothing
    Zero,
    /// Leave the topic out of that run's mean
    Skip,
    /// Stop
    Error,
}

/// What unjudged documents are taken for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum UnjudgedOption {
    /// Not relevant in the value; what they could do to it is in the bounds.
    Bounds,
    /// Not relevant, and that is believed: no bounds.
    Nonrelevant,
    /// Taken out of the ranking (as -J).
    Condensed,
    /// Relevant with some chance; values are expected values.
    Probable(Treatment),
}

/// The words of `--unjudged`, in the order the help tells them.
const UNJUDGED: [(&str, UnjudgedOption, &str); 6] = [
    ("bounds", UnjudgedOption::Bounds, "not relevant in the value; what they could do to it is in the bounds"),
    ("nonrelevant", UnjudgedOption::Nonrelevant, "not relevant, and that is believed: no bounds"),
    ("condensed", UnjudgedOption::Condensed, "taken out of the ranking (as -J)"),
    (
        "band",
        UnjudgedOption::Probable(Treatment::Band),
        "as likely relevant as judged documents of about the same rank",
    ),
    (
        "fit",
        UnjudgedOption::Probable(Treatment::Fit),
        "as likely as the best of three models of the judged ranks has it",
    ),
    (
        "urn",
        UnjudgedOption::Probable(Treatment::Urn),
        "as likely as Park's urn has it after the judged ranks of the list",
    ),
];

fn unjudged(text: &str) -> Result<UnjudgedOption, String> {
    if let Some((_, option, _)) = UNJUDGED.iter().find(|(name, _, _)| *name == text) {
        return Ok(*option);
    }
    let chance = text.strip_prefix("q=").and_then(|number| number.parse::<f64>().ok());
    match chance {
        Some(chance) if (0.0..=1.0).contains(&chance) => Ok(UnjudgedOption::Probable(Treatment::Given(chance))),
        Some(chance) => Err(format!("q is {chance}; expected a probability from 0 to 1, such as q=0.1")),
        None => {
            let names: Vec<&str> = UNJUDGED.iter().map(|(name, _, _)| *name).collect();
            Err(format!("expected one of {}, or a probability such as q=0.1", names.join(", ")))
        }
    }
}

/// The help of `--unjudged`.
fn unjudged_help() -> String {
    let mut text = String::from("What to take unjudged documents for:");
    for (name, _, meaning) in UNJUDGED {
        text.push_str(&format!("\n- {name}: {meaning}"));
    }
    text.push_str("\n- q=0.1: relevant with this probability");
    text
}

impl std::fmt::Display for UnjudgedOption {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let UnjudgedOption::Probable(Treatment::Given(chance)) = self {
            return write!(f, "q={chance}");
        }
        f.write_str(UNJUDGED.iter().find(|(_, option, _)| option == self).map_or("", |(name, _, _)| *name))
    }
}

/// How many threads work.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct ThreadOptions {
    /// Threads; all cores when not given. They do not change the answer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
}

impl ThreadOptions {
    /// Threads to use.
    pub fn count(self) -> usize {
        self.threads.map_or_else(every_core, |threads| threads as usize)
    }
}

/// As many threads as there are cores.
pub fn every_core() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// As far as grades go in files.
const LARGEST_GRADE: f64 = 1e9;

/// Judgements as a command uses them.
pub struct Judgements {
    /// Of the topics asked for.
    pub qrels: Qrels,
    /// Of all topics, where that is not the same.
    pub uncut: Option<Qrels>,
    /// The file.
    pub facts: QrelsFacts,
}

/// The formats of the inputs.
#[derive(Debug, Args)]
pub struct FormatOptions {
    /// Format of the judgements
    #[arg(long, value_name = "NAME", default_value = AUTO, value_parser = formats(QREL_FORMATS.iter().map(|f| (f.name, f.layout))))]
    qrels_format: String,
    /// Format of the runs
    #[arg(long, value_name = "NAME", default_value = AUTO, value_parser = formats(RUN_FORMATS.iter().map(|f| (f.name, f.layout))))]
    run_format: String,
}

const AUTO: &str = "auto";

fn formats(table: impl Iterator<Item = (&'static str, &'static str)>) -> PossibleValuesParser {
    let auto = PossibleValue::new(AUTO).help("told from the content");
    PossibleValuesParser::new(
        std::iter::once(auto).chain(table.map(|(name, layout)| PossibleValue::new(name).help(layout))),
    )
}

impl FormatOptions {
    /// The format of judgements.
    pub fn qrels(&self) -> QrelsChoice {
        detect::qrels_by_name(&self.qrels_format).unwrap_or(detect::QRELS)
    }

    /// The format of runs.
    pub fn runs(&self) -> RunChoice {
        detect::run_by_name(&self.run_format).unwrap_or(detect::RUN)
    }

    /// The choices that are not the defaults, as they would be typed.
    pub fn choices(&self) -> Vec<String> {
        let given = [("--qrels-format", &self.qrels_format), ("--run-format", &self.run_format)];
        given.iter().filter(|(_, name)| *name != AUTO).map(|(option, name)| format!("{option} {name}")).collect()
    }
}

/// How runs meet judgements.
#[derive(Debug, Args)]
pub struct EvaluationOptions {
    /// Measures, comma-separated or repeated: AP, nDCG@10, 'P(rel=2)@5', 'RBP(p=0.8)'; trec_eval's and ranx's names too.
    /// A few common ones when not given; the answer names them
    #[arg(short, long = "measure", value_name = "MEASURE")]
    pub measures: Vec<String>,
    /// The least grade that is relevant, for binary measures that do not say (rel=...)
    #[arg(short = 'l', long, value_name = "GRADE", default_value_t = 1.0, allow_negative_numbers = true)]
    pub relevance_level: f64,
    /// Look at the first N ranks only
    #[arg(short = 'M', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Take unjudged documents out of the ranking
    #[arg(short = 'J', long)]
    pub judged_only: bool,
    #[arg(long, value_name = "WHAT", default_value = "bounds", value_parser = unjudged, help = unjudged_help())]
    pub unjudged: UnjudgedOption,
    /// Only these topics: a comma-separated list, or a file with one a line
    #[arg(long, value_name = "LIST|FILE")]
    pub topics: Option<String>,
    /// Judged topics that a run does not have
    #[arg(long, value_enum, default_value = "zero")]
    missing_topics: MissingOption,
    /// Order of documents with equal scores
    #[arg(long, value_enum, default_value = "docno")]
    ties: TiesOption,
    /// Compare scores as trec_eval 9 (float32) or 10 (float64)
    #[arg(long, value_name = "9|10", default_value = "10", value_parser = ["9", "10"])]
    profile: String,
    #[command(flatten)]
    formats: FormatOptions,
    /// The largest grade a document can have; the largest in the qrels when not given
    #[arg(long, value_name = "GRADE", allow_negative_numbers = true)]
    pub max_grade: Option<f64>,
    /// Documents in the collection (needed by Accuracy)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub documents: Option<u64>,
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
            judged_only: self.judged_only || self.unjudged == UnjudgedOption::Condensed,
            missing_topics: match self.missing_topics {
                MissingOption::Zero => MissingTopics::Zero,
                MissingOption::Skip => MissingTopics::Skip,
                MissingOption::Error => MissingTopics::Error,
            },
            duplicates_below_depth: true,
        }
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
        if self.unjudged != UnjudgedOption::Bounds {
            made.push(format!("--unjudged {}", self.unjudged));
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
            .option("unjudged", text(self.unjudged))
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
        let UnjudgedOption::Probable(treatment) = self.unjudged else { return Ok(None) };
        if self.judged_only {
            return Err(Failure::usage(format!(
                "-J takes unjudged documents out, and --unjudged {} asks what they probably are; choose one of the two",
                self.unjudged
            )));
        }
        if matches!(self.ties, TiesOption::Range) {
            return Err(Failure::usage(format!(
                "--ties range is not known of expected values; leave it out, or --unjudged {}",
                self.unjudged
            )));
        }
        Ok(Some(treatment))
    }

    /// Why there are no bounds, where there are none.
    pub fn why_no_bounds(&self) -> Option<&'static str> {
        let condensed = self.judged_only || self.unjudged == UnjudgedOption::Condensed;
        let believed = self.unjudged == UnjudgedOption::Nonrelevant;
        condensed
            .then_some("unjudged documents were taken out of the rankings; Judged is 1 by that alone")
            .or(believed.then_some("unjudged documents are believed not relevant"))
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
        let texts = if given.is_empty() { defaults } else { &given[..] };
        let mut measures: Vec<Box<dyn Measure>> = Vec::with_capacity(texts.len());
        let mut names = HashSet::new();
        for spec in texts
            .iter()
            .map(|text| spec::parse_list(text, self.relevance_level))
            .collect::<Result<Vec<_>, _>>()?
            .iter()
            .flatten()
        {
            let measure = spec.build()?;
            // Named twice, perhaps under two names: once is enough.
            if names.insert(measure.spec().to_string()) {
                measures.push(measure);
            }
        }
        Ok(measures)
    }

    /// Opens the runs.
    pub fn runs(&self, inputs: Vec<Input>) -> RunFiles {
        RunFiles::new(inputs, self.formats.runs(), Dialect::Strict)
    }

    /// Reads the judgements, cut to the topics asked for.
    ///
    /// # Errors
    /// Everything wrong with them.
    pub fn qrels(&self, input: &Input) -> Result<Judgements, Failure> {
        let (qrels, facts) = self.read(input)?;
        cut(qrels, facts, self.topics.as_deref())
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

/// Judgements cut to the topics asked for.
///
/// # Errors
/// A topic is not judged, or the list cannot be read.
pub fn cut(qrels: Qrels, facts: QrelsFacts, topics: Option<&str>) -> Result<Judgements, Failure> {
    let Some(wanted) = topics else { return Ok(Judgements { qrels, uncut: None, facts }) };
    let wanted = named_topics("--topics", wanted, &qrels, &facts.file)?;
    let kept = qrels.restricted_to(|name| wanted.contains(name));
    Ok(Judgements { qrels: kept, uncut: Some(qrels), facts })
}

/// The topics of a list that an option gave, all of them judged.
///
/// # Errors
/// A topic is not judged, or the list cannot be read.
pub fn named_topics(option: &str, text: &str, qrels: &Qrels, file: &str) -> Result<HashSet<Vec<u8>>, Failure> {
    let wanted = topic_list(option, text, qrels)?;
    let mut problems = Problems::default();
    let mut missing: Vec<&Vec<u8>> = wanted.iter().filter(|topic| qrels.find(topic).is_none()).collect();
    missing.sort();
    for topic in missing {
        problems.push(Problem::of_file(
            file,
            format!("judgements for topic {} ({option})", quote(topic)),
            "none",
            "take it off the list, give the qrels that judge it, or check the name of the file with the list",
        ));
    }
    problems.into_result()?;
    Ok(wanted)
}

/// What holds for the whole collection, given what the user said of it.
///
/// # Errors
/// The largest grade is below one that was given.
pub fn collection(
    judgements: &Judgements,
    max_grade: Option<f64>,
    documents: Option<u64>,
) -> Result<CollectionFacts, Failure> {
    // Of all topics, so that a topic's score does not depend on which others are looked at.
    let qrels = judgements.uncut.as_ref().unwrap_or(&judgements.qrels);
    let largest = qrels.max_grade().unwrap_or(0.0);
    let max_grade = match max_grade {
        Some(given) if given >= largest && given <= LARGEST_GRADE => given,
        Some(given) => {
            return Err(Failure::usage(format!(
                "--max-grade needs a number from {largest} (the largest grade in the qrels) to {LARGEST_GRADE}, found {given}"
            )));
        }
        // Nothing but 0 judged so far: a relevant document would have grade 1.
        None => {
            if largest > 0.0 {
                largest
            } else {
                1.0
            }
        }
    };
    let whole_grades = qrels.has_whole_grades() && max_grade.fract() == 0.0;
    Ok(CollectionFacts { max_grade, whole_grades, documents })
}

/// A list of topics: the comma-separated text itself where it names topics of the judgements, else a file with one a line
/// if there is one of that name. So a file that happens to be called `2` does not hide topic 2.
fn topic_list(option: &str, text: &str, qrels: &Qrels) -> Result<HashSet<Vec<u8>>, Failure> {
    let trimmed = |part: &[u8]| part.trim_ascii().to_vec();
    let typed: HashSet<Vec<u8>> =
        text.split(',').map(|part| trimmed(part.as_bytes())).filter(|t| !t.is_empty()).collect();
    let listed = if typed.iter().any(|topic| qrels.find(topic).is_some()) || !Path::new(text).exists() {
        typed
    } else {
        let bytes = std::fs::read(text).map_err(|error| Failure::usage(format!("{option} {text}: {error}")))?;
        let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(&bytes);
        bytes.split(|&byte| byte == b'\n').map(trimmed).filter(|topic| !topic.is_empty()).collect()
    };
    if listed.is_empty() { Err(Failure::usage(format!("{option} names no topic"))) } else { Ok(listed) }
}

/// Opens the judgements and the runs of a command.
///
/// # Errors
/// `-` is named twice.
pub fn open(qrels: &str, runs: &[String]) -> Result<(Input, Vec<Input>), Failure> {
    let names: Vec<String> = std::iter::once(qrels.to_owned()).chain(runs.iter().cloned()).collect();
    let mut inputs = files::inputs(&names)?;
    Ok((inputs.remove(0), inputs))
}
