//! trec_eval's arguments, read as glibc's `getopt_long` reads them: short flags may be joined (`-qc`) and carry their
//! value with or without a blank (`-M100`, `-M 100`), long ones may be shortened while they are unique, flags may stand
//! after the files, and `--` ends them.

use std::ffi::OsString;

use karat_data::JudgementKind;
use karat_measures::trec_eval::{Choices, Profile};

use super::Stop;
use super::deviations;

/// trec_eval's formats of judgements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelInfo {
    /// Grades.
    Qrels,
    /// Grades read as preferences, the second field being the judgement group.
    QrelsPrefs,
    /// Preferences.
    Prefs,
    /// Grades by judgement group.
    QrelsJg,
}

impl RelInfo {
    const ALL: [RelInfo; 4] = [RelInfo::Qrels, RelInfo::QrelsPrefs, RelInfo::Prefs, RelInfo::QrelsJg];

    /// Its name after -R.
    pub fn name(self) -> &'static str {
        match self {
            RelInfo::Qrels => "qrels",
            RelInfo::QrelsPrefs => "qrels_prefs",
            RelInfo::Prefs => "prefs",
            RelInfo::QrelsJg => "qrels_jg",
        }
    }

    /// What the judgements say.
    pub fn kind(self) -> JudgementKind {
        match self {
            RelInfo::Qrels => JudgementKind::Grades,
            RelInfo::QrelsPrefs | RelInfo::Prefs => JudgementKind::Preferences,
            RelInfo::QrelsJg => JudgementKind::Groups,
        }
    }
}

/// What was asked.
#[derive(Debug)]
pub enum Asked {
    /// The help text.
    Help,
    /// The version.
    Version,
    /// The table of deviations.
    Deviations,
    /// An evaluation.
    Evaluate(Box<Arguments>),
}

/// An evaluation.
#[derive(Debug)]
pub struct Arguments {
    /// Which trec_eval.
    pub profile: Profile,
    /// -q: a line per topic.
    pub by_query: bool,
    /// Not -n: a line for all topics.
    pub summary: bool,
    /// -c: average over all judged topics.
    pub complete: bool,
    /// -J: only judged documents.
    pub judged_only: bool,
    /// -l: the least grade that is relevant.
    pub level: f64,
    /// -M: documents per topic.
    pub depth: Option<usize>,
    /// -N: documents in the collection.
    pub documents: Option<u64>,
    /// -m, as given.
    pub measures: Vec<String>,
    /// -R: what the judgements are.
    pub judgements: RelInfo,
    /// -Z: the file with means and standard deviations.
    pub zscores: Option<String>,
    /// --precision full: all digits.
    pub full_precision: bool,
    /// The judgements.
    pub qrels: String,
    /// The run.
    pub run: String,
    /// What the user should know about flags that do less than they seem to.
    pub notes: Vec<String>,
}

impl Default for Arguments {
    fn default() -> Arguments {
        Arguments {
            profile: Profile::Ten,
            by_query: false,
            summary: true,
            complete: false,
            judged_only: false,
            level: 1.0,
            depth: None,
            documents: None,
            measures: Vec::new(),
            judgements: RelInfo::Qrels,
            zscores: None,
            full_precision: false,
            qrels: String::new(),
            run: String::new(),
            notes: Vec::new(),
        }
    }
}

impl Arguments {
    /// Follows a flag.
    fn set(&mut self, flag: &str, value: String) -> Result<(), Stop> {
        match flag {
            "query_eval_wanted" => self.by_query = true,
            "nosummary" => self.summary = false,
            "complete_rel_info_wanted" => self.complete = true,
            "Judged_docs_only" => self.judged_only = true,
            "measure" => self.measures.push(value),
            "level_for_rel" => self.level = level(&value)?,
            "Max_retrieved_per_topic" => self.depth = Some(count("-M", &value)?),
            "Number_docs_in_coll" => self.documents = Some(count("-N", &value)? as u64),
            "Debug_level" => self.notes.push(deviations::note("no-debug-output", "-D is accepted and does nothing")),
            "Rel_info_format" => self.judgements = rel_info_format(&value)?,
            "Results_format" => results_format(&value)?,
            "Zscore" => self.zscores = Some(value),
            "profile" => self.profile = profile(&value)?,
            "precision" => self.full_precision = precision(&value)?,
            // The old output format: trec_eval ignores it too.
            _ => {}
        }
        Ok(())
    }

    /// What the measures need to know.
    pub fn choices(&self) -> Choices {
        Choices { profile: self.profile, level: self.level, judged_only: self.judged_only }
    }
}

struct Flag {
    short: Option<char>,
    long: &'static str,
    takes_value: bool,
}

const fn flag(short: char, long: &'static str) -> Flag {
    Flag { short: Some(short), long, takes_value: false }
}

const fn with_value(short: char, long: &'static str) -> Flag {
    Flag { short: Some(short), long, takes_value: true }
}

static FLAGS: &[Flag] = &[
    flag('h', "help"),
    flag('v', "version"),
    flag('q', "query_eval_wanted"),
    with_value('m', "measure"),
    flag('c', "complete_rel_info_wanted"),
    with_value('l', "level_for_rel"),
    flag('n', "nosummary"),
    with_value('D', "Debug_level"),
    flag('J', "Judged_docs_only"),
    with_value('N', "Number_docs_in_coll"),
    with_value('M', "Max_retrieved_per_topic"),
    with_value('R', "Rel_info_format"),
    with_value('T', "Results_format"),
    flag('o', "Output_old_results_format"),
    with_value('Z', "Zscore"),
    // karat's own.
    Flag { short: None, long: "profile", takes_value: true },
    Flag { short: None, long: "precision", takes_value: true },
    Flag { short: None, long: "deviations", takes_value: false },
];

/// Reads the arguments that follow the program's name.
///
/// # Errors
/// They make no sense, or ask for what karat does not do.
pub fn parse(arguments: Vec<OsString>) -> Result<Asked, Stop> {
    let (given, files) = split(arguments)?;
    let mut asked = Arguments::default();
    let mut help = false;
    for (long, value) in given {
        match long {
            "help" => help = true,
            "version" => return Ok(Asked::Version),
            "deviations" => return Ok(Asked::Deviations),
            flag => asked.set(flag, value)?,
        }
    }
    if help {
        return Ok(Asked::Help);
    }
    let Ok([qrels, run]) = <[String; 2]>::try_from(files) else {
        return Err(Stop::usage("expected two files, the judgements and the run; -h tells more"));
    };
    (asked.qrels, asked.run) = (qrels, run);
    Ok(Asked::Evaluate(Box::new(asked)))
}

/// A flag by its long name, with its value.
type GivenFlag = (&'static str, String);

/// Flags and files.
fn split(arguments: Vec<OsString>) -> Result<(Vec<GivenFlag>, Vec<String>), Stop> {
    let (mut given, mut files) = (Vec::new(), Vec::new());
    let texts: Vec<String> = arguments.into_iter().map(utf8).collect::<Result<_, _>>()?;
    let mut rest = texts.into_iter();
    while let Some(argument) = rest.next() {
        if argument == "--" {
            files.extend(rest);
            break;
        }
        if let Some(long) = argument.strip_prefix("--") {
            given.push(read_long(long, &mut rest)?);
        } else if argument.len() > 1 && argument.starts_with('-') {
            read_short(&argument[1..], &mut rest, &mut given)?;
        } else {
            files.push(argument);
        }
    }
    Ok((given, files))
}

fn utf8(argument: OsString) -> Result<String, Stop> {
    argument
        .into_string()
        .map_err(|bad| Stop::usage(format!("an argument is not UTF-8: {}; rename the file", bad.to_string_lossy())))
}

/// A long flag, without its dashes; its value may be the next argument.
fn read_long(long: &str, rest: &mut impl Iterator<Item = String>) -> Result<GivenFlag, Stop> {
    let (name, joined) = match long.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (long, None),
    };
    let found = long_flag(name)?;
    let value = match (found.takes_value, joined) {
        (false, None) => String::new(),
        (false, Some(_)) => return Err(Stop::usage(format!("--{} takes no value", found.long))),
        (true, Some(value)) => value,
        (true, None) => rest.next().ok_or_else(|| Stop::usage(format!("--{} needs a value after it", found.long)))?,
    };
    Ok((found.long, value))
}

/// Short flags, which may be joined; the value of the last may be the next argument.
fn read_short(letters: &str, rest: &mut impl Iterator<Item = String>, given: &mut Vec<GivenFlag>) -> Result<(), Stop> {
    let mut letters = letters.chars();
    while let Some(letter) = letters.next() {
        let found = FLAGS
            .iter()
            .find(|flag| flag.short == Some(letter))
            .ok_or_else(|| Stop::usage(format!("unknown flag -{letter}; -h lists all flags")))?;
        if !found.takes_value {
            given.push((found.long, String::new()));
            continue;
        }
        let joined = letters.as_str();
        let value = if joined.is_empty() { rest.next() } else { Some(joined.to_owned()) };
        let value = value.ok_or_else(|| Stop::usage(format!("-{letter} needs a value after it")))?;
        given.push((found.long, value));
        break;
    }
    Ok(())
}

fn long_flag(name: &str) -> Result<&'static Flag, Stop> {
    if let Some(exact) = FLAGS.iter().find(|flag| flag.long == name) {
        return Ok(exact);
    }
    let mut near = FLAGS.iter().filter(|flag| flag.long.starts_with(name));
    match (near.next(), near.next()) {
        (Some(only), None) => Ok(only),
        (Some(one), Some(other)) => {
            Err(Stop::usage(format!("--{name} could be --{} or --{}; write it out", one.long, other.long)))
        }
        (None, _) => Err(Stop::usage(format!("unknown flag --{name}; -h lists all flags"))),
    }
}

/// A whole number as `atol` takes it from a number; a word is refused.
fn whole(what: &str, text: &str) -> Result<i64, Stop> {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number.trunc() as i64),
        _ => Err(deviations::stop("words-as-numbers", 1, format!("{what} needs a number, found '{text}'"))),
    }
}

fn count(what: &str, text: &str) -> Result<usize, Stop> {
    let number = whole(what, text)?;
    usize::try_from(number).map_err(|_| Stop::usage(format!("{what} needs a number from 0, found '{text}'")))
}

fn level(text: &str) -> Result<f64, Stop> {
    let number = whole("-l", text)?;
    if number < 1 {
        return Err(deviations::stop("level-below-1", 1, format!("-l needs a whole number from 1, found '{text}'")));
    }
    Ok(number as f64)
}

fn profile(text: &str) -> Result<Profile, Stop> {
    match text {
        "9" => Ok(Profile::Nine),
        "10" => Ok(Profile::Ten),
        _ => Err(Stop::usage(format!("--profile is 9 or 10, found '{text}'"))),
    }
}

fn precision(text: &str) -> Result<bool, Stop> {
    match text {
        "full" => Ok(true),
        "4" => Ok(false),
        _ => Err(Stop::usage(format!("--precision is 4 or full, found '{text}'"))),
    }
}

fn rel_info_format(name: &str) -> Result<RelInfo, Stop> {
    RelInfo::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
        let names: Vec<&str> = RelInfo::ALL.iter().map(|format| format.name()).collect();
        Stop::input(format!("unknown format of judgements '{name}'; expected -R {}", names.join(", ")))
    })
}

fn results_format(name: &str) -> Result<(), Stop> {
    match name {
        "trec_results" => Ok(()),
        _ => Err(Stop::input(format!("unknown format of runs '{name}'; expected -T trec_results"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(text: &str) -> Result<Arguments, String> {
        match parse(text.split(' ').map(OsString::from).collect()) {
            Ok(Asked::Evaluate(asked)) => Ok(*asked),
            Ok(other) => Err(format!("{other:?}")),
            Err(stop) => Err(format!("{} {}", stop.status, stop.message)),
        }
    }

    #[test]
    fn flags_as_getopt_takes_them() {
        let asked = arguments("q -qcM100 -mmap r -m P.5 --level_for_rel=2 --Max 50 -N7").unwrap();
        assert!(asked.by_query && asked.complete && asked.summary && !asked.judged_only);
        assert_eq!(asked.measures, ["map", "P.5"]);
        assert_eq!((asked.depth, asked.level, asked.documents), (Some(50), 2.0, Some(7)));
        assert_eq!((asked.qrels.as_str(), asked.run.as_str()), ("q", "r"));
        let asked = arguments("q r -R qrels_jg -Zz").unwrap();
        assert_eq!((asked.judgements, asked.zscores.as_deref()), (RelInfo::QrelsJg, Some("z")));
        let asked = arguments("-n -- -q -").unwrap();
        assert!(!asked.by_query && !asked.summary);
        assert_eq!((asked.qrels.as_str(), asked.run.as_str()), ("-q", "-"));
    }

    #[test]
    fn what_is_wrong_is_said_with_trec_evals_status() {
        for (text, status, words) in [
            ("a", 1, "two files"),
            ("a b c", 1, "two files"),
            ("-x a b", 1, "-x"),
            ("a b -m", 1, "needs a value"),
            ("a b -l two", 1, "words-as-numbers"),
            ("a b -l 0", 1, "level-below-1"),
            ("a b --Re qrels", 1, "could be"),
            ("a b --quiet", 1, "--quiet"),
            ("a b -R json", 2, "qrels_jg"),
            ("a b -T json", 2, "trec_results"),
            ("a b --profile 8", 1, "9 or 10"),
        ] {
            let error = arguments(text).map(drop).unwrap_err();
            assert!(error.starts_with(&format!("{status} ")) && error.contains(words), "{text}: {error}");
        }
    }
}
