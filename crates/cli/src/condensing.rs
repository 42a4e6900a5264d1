//! Commands whose runs are read on a cluster: what happens before, there and afterwards.
//!
//! The same arguments go to every machine, so that order, cut and ties of a list are decided by the same options
//! everywhere. Machines with rows make a part of them ([`condense`]); the one that answers joins the parts ([`join`]) into inputs of the ordinary call.

use std::ffi::OsString;
use std::sync::Arc;

use clap::Parser;
use karat_data::{Condensed, JudgementKind, Part, Policy, Problem, Problems, Qrels, Ties};
use karat_formats::Input;

use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::EvaluationOptions;
use crate::{Cli, Command};

/// What a command asks of its runs.
struct Asked {
    evaluation: EvaluationOptions,
    /// Whether it matters which documents runs have in common.
    documents: bool,
}

impl Asked {
    fn of(arguments: Vec<OsString>) -> Result<Asked, Failure> {
        let cli = Cli::try_parse_from(std::iter::once("karat".into()).chain(arguments));
        match cli.map_err(|error| Failure::Usage(error.render().to_string()))?.command {
            Command::Eval(arguments) => {
                arguments.reads_once()?;
                // A relevance model is fitted to all ranks, and a depth cuts the lists.
                let documents = arguments.evaluation.depth.is_some() && arguments.evaluation.chances()?.is_some();
                Ok(Asked { evaluation: arguments.evaluation, documents })
            }
            Command::Compare(arguments) => {
                arguments.reads_once()?;
                let documents = arguments.evaluation.why_no_bounds().is_none();
                Ok(Asked { evaluation: arguments.evaluation, documents })
            }
            _ => Err(Failure::usage("only eval and compare can be asked of runs on a cluster")),
        }
    }

    fn policy(&self) -> Result<Policy, Failure> {
        let policy = self.evaluation.policy();
        if policy.ties == Ties::File {
            return Err(Failure::usage("--ties file: rows on a cluster are in no order; choose docno or range"));
        }
        Ok(policy)
    }
}

/// Checks what can be told before the runs are read: the arguments and the judgements.
///
/// # Errors
/// Everything wrong with them.
pub fn check(arguments: Vec<OsString>, environment: &Environment, qrels: &str) -> Result<(), Failure> {
    let asked = Asked::of(arguments)?;
    asked.policy()?;
    let input = environment.inputs(&[qrels.to_owned()])?.remove(0);
    let judgements = asked.evaluation.qrels(environment, &input)?;
    let kind = judgements.qrels.kind();
    if kind != JudgementKind::Grades {
        let remedy = "give judgements by document and grade, or gather the rows and ask without a cluster";
        return Err(Problem::of_file(qrels, "judgements that are grades", kind.to_string(), remedy).into());
    }
    asked.evaluation.collection(&judgements)?;
    let measures = asked.evaluation.measures(&[])?;
    Ok(karat_analysis::scores::check_compatible(&judgements.qrels, &measures, qrels)?)
}

/// A part of the runs: rows of some topics, with all judgements of these topics.
///
/// # Errors
/// The arguments or the judgements are wrong. What is wrong with rows of the runs is told in the part.
pub fn condense(arguments: Vec<OsString>, qrels: Option<&Input>, runs: Vec<Input>) -> Result<Vec<u8>, Failure> {
    let asked = Asked::of(arguments)?;
    let policy = asked.policy()?;
    if let Some(nameless) = runs.iter().find(|run| run.tag() == Some("")) {
        return Ok(Part::Wrong(without_name(nameless)).write());
    }
    let judged = match qrels {
        Some(input) => asked.evaluation.read(input)?.0,
        None => Qrels::default(),
    };
    Ok(Part::of(&judged, &asked.evaluation.runs(runs), &policy, asked.documents, VERSION).write())
}

/// Rows that do not say which run they belong to.
fn without_name(rows: &Input) -> Problems {
    let count = rows.memory().map_or(0, |table| table.len() as u64);
    let remedy = "name the run in every row, or leave the column out where all rows are one run";
    let found = format!("{count} rows of some topics without one");
    let problem = Problem::of_file("the runs", "the run's name in every row", found, remedy);
    let mut problems = Problems::from(Problem { stands_for: count, ..problem });
    problems.count_more(count.saturating_sub(1));
    problems
}

/// The runs of all parts as inputs: those of `names` in that order, or all there are in the order of their names.
///
/// # Errors
/// What is wrong with rows anywhere.
pub fn join<'b>(
    arguments: Vec<OsString>,
    parts: impl IntoIterator<Item = &'b [u8]>,
    names: Option<&[String]>,
) -> Result<Vec<Input>, Failure> {
    let policy = Asked::of(arguments)?.policy()?;
    let joined = Condensed::join(parts, names, &policy, VERSION).map_err(|why| match why {
        Err(problems) => Failure::from(problems),
        Ok(why) => Failure::Output(why.to_string()),
    })?;
    let (names, joined) = (joined.names(), Arc::new(joined));
    Ok(names.iter().map(|name| Input::condensed(format!("run '{name}'"), joined.clone()).tagged(name)).collect())
}

/// Refuses options that read the runs a second time in another way.
///
/// # Errors
/// The first that is asked for.
pub(crate) fn refuse_anew(options: &[(bool, &str)]) -> Result<(), Failure> {
    match options.iter().find(|(asked, _)| *asked) {
        Some((_, option)) => Err(Failure::usage(format!(
            "{option} reads the runs anew in another way, and their rows are on a cluster; leave it out, or gather the rows and ask without a cluster"
        ))),
        None => Ok(()),
    }
}
