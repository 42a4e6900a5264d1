//! `karat trec_eval`: trec_eval's flags, measures, output and exit statuses, in the two versions people use.
//!
//! The decision behind it: trec_eval's numbers come from karat's own measures through one table of names ([`karat_measures::trec_eval`]);
//! what trec_eval does that karat will not is one table too ([`deviations`]), and a run that meets one is told.

mod arguments;
mod deviation_notes;
mod deviations;
mod evaluate;
mod foreign;
mod help;
mod print;
mod zscores;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use karat_data::{ProblemKind, Problems};
use karat_formats::records::Data;
use karat_formats::{Dialect, Input, read_qrels, trec_jg, trec_prefs, trec_qrels};
use karat_measures::trec_eval::{Line, Profile, Refusal, select};

use super::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::{options, output};
use arguments::{Arguments, Asked, RelInfo};
use zscores::Zscores;

/// Why there is no answer, with trec_eval's exit status for it.
#[derive(Debug)]
pub struct Stop {
    status: u8,
    message: String,
}

impl Stop {
    /// Flags or the name of a measure.
    fn usage(message: impl Into<String>) -> Stop {
        Stop { status: 1, message: message.into() }
    }

    /// Files, formats, parameters of a measure.
    fn input(message: impl Into<String>) -> Stop {
        Stop { status: 2, message: message.into() }
    }

    /// What is wrong with a file. trec_eval notices a document that comes twice, and files without a topic in common,
    /// only when it computes.
    fn problems(problems: &Problems, asked: &Arguments) -> Stop {
        let all = |kind: ProblemKind| problems.kept().iter().all(|problem| problem.kind == kind);
        let any = |kind: ProblemKind| problems.kept().iter().any(|problem| problem.kind == kind);
        let text = problems.to_string();
        if all(ProblemKind::Repeated) || all(ProblemKind::Contradictory) {
            return Stop { status: 4, message: text };
        }
        if all(ProblemKind::NoCommonTopic) {
            return match (asked.profile, asked.complete) {
                (Profile::Nine, _) => Stop { status: 7, message: text },
                (Profile::Ten, false) => Stop { status: 4, message: text },
                (Profile::Ten, true) => deviations::stop("no-shared-topic", 4, text),
            };
        }
        if all(ProblemKind::NegativeLevel) {
            return deviations::stop("negative-preferences", 2, text);
        }
        if any(ProblemKind::NotANumber) {
            deviations::stop("not-a-number-scores", 2, text)
        } else if any(ProblemKind::WrongNumber) || any(ProblemKind::NegativeLevel) {
            deviations::stop("words-as-numbers", 2, text)
        } else {
            Stop::input(text)
        }
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Stop {
        let Refusal { status, deviation, message } = refusal;
        match deviation {
            Some(id) => deviations::stop(id, status, message),
            None => Stop { status, message },
        }
    }
}

/// Runs the command with the arguments after its name.
pub fn run(arguments: Vec<OsString>) -> ExitCode {
    match answer(arguments) {
        Ok(out) => match output::to_stdout(&out) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => fail(&Stop { status: 8, message: "standard output cannot be written".into() }),
        },
        Err(stop) => fail(&stop),
    }
}

fn fail(stop: &Stop) -> ExitCode {
    say(&stop.message);
    ExitCode::from(stop.status)
}

fn say(message: &str) {
    // Nothing more can be done when standard error is closed too.
    let _ = writeln!(std::io::stderr(), "karat trec_eval: {message}");
}

fn answer(arguments: Vec<OsString>) -> Result<Vec<u8>, Stop> {
    match arguments::parse(arguments)? {
        Asked::Help => Ok(help::text().into_bytes()),
        Asked::Deviations => Ok(deviations::table().into_bytes()),
        Asked::Version => {
            // Where trec_eval writes it, and a script looks for it.
            let _ = writeln!(std::io::stderr(), "trec_eval version 10.0 or 9.0.8 (--profile), by karat {VERSION}");
            Ok(Vec::new())
        }
        Asked::Evaluate(asked) => evaluation(&asked),
    }
}

fn evaluation(asked: &Arguments) -> Result<Vec<u8>, Stop> {
    let official = [String::from("official")];
    let texts = if asked.measures.is_empty() { &official[..] } else { &asked.measures };
    let selection = select(texts, asked.choices())?;
    let (qrels_input, mut runs) =
        options::open(&Environment::program(false), &asked.qrels, std::slice::from_ref(&asked.run)).map_err(
            |failure| match failure {
                Failure::Usage(message) | Failure::Output(message) | Failure::Gate(message) => Stop::usage(message),
                Failure::Inputs(problems) => Stop::problems(&problems, asked),
                Failure::Stopped => Stop::usage("interrupted"),
            },
        )?;
    let run = runs.remove(0);
    let wrong = |problems: Problems, input: &Input, data: Data| {
        foreign::format(input, data, asked.judgements).map_or_else(|| Stop::problems(&problems, asked), Stop::input)
    };
    let threads = options::every_core();
    let format = match asked.judgements {
        RelInfo::Qrels => &trec_qrels::FORMAT,
        RelInfo::QrelsPrefs => &trec_prefs::OF_QRELS,
        RelInfo::Prefs => &trec_prefs::FORMAT,
        RelInfo::QrelsJg => &trec_jg::WHOLE_GRADES,
    };
    let (qrels, facts) = read_qrels(&qrels_input, format, Dialect::TrecEval, threads)
        .map_err(|problems| wrong(problems, &qrels_input, Data::Judgements))?;
    check_compatible(&selection.lines, asked.judgements)?;
    let zscores = asked.zscores.as_deref().map(Zscores::read).transpose()?;
    let evaluated = evaluate::evaluate(&qrels, run.clone(), &selection.lines, zscores.as_ref(), asked)
        .map_err(|problems| wrong(problems, &run, Data::Run))?;
    for note in deviation_notes::notes(&qrels, &facts, &selection, &evaluated, asked) {
        say(&note);
    }
    Ok(print::print(&qrels, &selection.lines, &evaluated, asked))
}

/// Whether every measure can be computed from such judgements. trec_eval notices when it computes.
fn check_compatible(lines: &[Line], judgements: RelInfo) -> Result<(), Stop> {
    let unfit = |line: &&Line| line.quantity.needs().is_some_and(|needs| needs != judgements.kind());
    let Some(line) = lines.iter().find(unfit) else { return Ok(()) };
    let remedy = match judgements {
        RelInfo::Qrels => "prefs_ measures need -R prefs or qrels_prefs, _avgjg measures -R qrels_jg",
        RelInfo::Prefs | RelInfo::QrelsPrefs => "ask for -m all_prefs, or leave out -R",
        RelInfo::QrelsJg => "ask for -m qrels_jg, or leave out -R",
    };
    let message = format!("measure '{}' cannot be computed from -R {}; {remedy}", line.label, judgements.name());
    Err(Stop { status: 4, message })
}
