//! `karat ab interleaving FILE`

use std::cell::RefCell;

use clap::{Args, ValueEnum};
use karat_analysis::ab::{InterleavingOptions, Outcome, Outcomes, Scheme, UnitName, interleaving};
use karat_data::LineProblem;
use karat_data::problem::quote;
use karat_formats::Input;
use karat_formats::records::cell::Cell;
use karat_formats::records::named::{self, NamedFacts};
use karat_present::{Context, ab};
use karat_report::Provenance;

use crate::commands::VERSION;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{OutputOptions, check_level};
use crate::output;
use crate::outputs::Outputs;

/// Compare two rankings that were shown in one interleaved list
///
/// A row is a search with `winner` (a, b, tie, or empty without clicks) or with `clicks_a` and `clicks_b`, or it is a user with `wins_a`,
/// `wins_b` and `ties`. With both winner and clicks, the winner is used and contradictions are reported. A column `user` groups searches.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Outcomes (CSV, TSV, JSON, JSON Lines or Parquet), or `-` for standard input. Format is detected
    file: String,
    /// Column of the unit that groups searches; default: `user` if there is such a column
    #[arg(long, value_name = "COLUMN")]
    unit: Option<String>,
    /// Column of the winner
    #[arg(long, value_name = "COLUMN", default_value = "winner")]
    winner: String,
    /// Columns of the clicks on each ranking's documents
    #[arg(long, value_name = "A,B", default_value = "clicks_a,clicks_b", value_parser = pair)]
    clicks: (String, String),
    /// Names of the two rankings in the winner column
    #[arg(long, value_name = "A,B", default_value = "a,b", value_parser = pair)]
    names: (String, String),
    /// Columns of the lengths of the two rankings, to check whether they matter
    #[arg(long, value_name = "A,B", value_parser = pair)]
    lengths: Option<(String, String)>,
    /// How the rankings were interleaved
    #[arg(long, value_enum, default_value = "team-draft")]
    scheme: SchemeOption,
    /// Confidence level; tests use 1 - level
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95, allow_negative_numbers = true)]
    level: f64,
    #[command(flatten)]
    output: OutputOptions,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SchemeOption {
    /// The rankings draft documents in turns
    TeamDraft,
    /// Every prefix holds as many of the best of each
    Balanced,
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split(',').map(str::trim).collect::<Vec<_>>()[..] {
        [a, b] if !a.is_empty() && !b.is_empty() && a != b => Ok((a.to_owned(), b.to_owned())),
        _ => Err("expected two different names, such as a,b".into()),
    }
}

/// How a row tells who won.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Winner,
    /// The winner is used; contradicting clicks are counted.
    WinnerAndClicks,
    Clicks,
    Wins,
}

/// What the rows are, from the names of the columns.
#[derive(Clone)]
struct Plan {
    shape: Shape,
    with_user: bool,
    /// The outcome's columns first, then user and lengths.
    columns: Vec<String>,
}

pub(super) fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    check_level(arguments.level)?;
    output::chosen(&arguments.output)?;
    Outputs::answer(&arguments.output).check(std::slice::from_ref(&arguments.file))?;
    let input = environment.inputs(std::slice::from_ref(&arguments.file))?.remove(0);
    let (outcomes, with_user, facts) = read(arguments, &input)?;
    let unit = with_user.then(|| arguments.unit.as_deref().unwrap_or(USER));
    let (scheme, scheme_name) = match arguments.scheme {
        SchemeOption::TeamDraft => (Scheme::TeamDraft, "team-draft"),
        SchemeOption::Balanced => (Scheme::Balanced, "balanced"),
    };
    let provenance = Provenance::default().input_in(facts.format, input.name(), facts.bytes, facts.rows);
    let provenance = arguments.provenance(provenance, unit);
    let options = InterleavingOptions {
        names: arguments.names.clone(),
        scheme,
        unit: unit.map(UnitName::from_column),
        level: arguments.level,
    };
    let answer = interleaving(&outcomes, &options).map_err(|error| ab::problems(&error, input.name()))?;
    let provenance = provenance.option("scheme", scheme_name).option("level", arguments.level);
    let context = Context { version: VERSION, provenance, notes: Vec::new() };
    environment.write(&ab::interleaving_report(answer, &options, context), &arguments.output)
}

impl Arguments {
    /// The columns that the numbers come from.
    fn provenance(&self, provenance: Provenance, unit: Option<&str>) -> Provenance {
        let both = |(a, b): &(String, String)| format!("{a},{b}");
        let provenance = unit.into_iter().fold(provenance, |provenance, unit| provenance.option("unit", unit));
        let lengths = self.lengths.iter().map(both);
        lengths
            .fold(provenance, |provenance, columns| provenance.option("lengths", columns))
            .option("winner", self.winner.as_str())
            .option("clicks", both(&self.clicks))
            .option("names", both(&self.names))
    }
}

/// The outcomes, and whether they have users.
fn read(arguments: &Arguments, input: &Input) -> Result<(Outcomes, bool, NamedFacts), Failure> {
    let mut outcomes = Outcomes::default();
    // Both closures need the plan; the first makes it before the second is called.
    let plan: RefCell<Option<Plan>> = RefCell::new(None);
    let facts = named::read(
        input,
        &mut |names| {
            let made = choose(arguments, names)?;
            let columns = made.columns.clone();
            *plan.borrow_mut() = Some(made);
            Ok(columns)
        },
        &mut |line, cells| match plan.borrow().as_ref() {
            Some(plan) => plan.add(arguments, line, cells, &mut outcomes),
            None => Ok(()),
        },
    )?;
    let with_user = plan.into_inner().is_some_and(|plan| plan.with_user);
    Ok((outcomes, with_user, facts))
}

const USER: &str = "user";
const WINS: [&str; 3] = ["wins_a", "wins_b", "ties"];

fn choose(arguments: &Arguments, names: &[String]) -> Result<Plan, LineProblem> {
    let has = |name: &str| names.iter().any(|known| known == name);
    let (a, b) = &arguments.clicks;
    let (shape, mut columns) = if has(&arguments.winner) && has(a) && has(b) {
        (Shape::WinnerAndClicks, vec![arguments.winner.clone(), a.clone(), b.clone()])
    } else if has(&arguments.winner) {
        (Shape::Winner, vec![arguments.winner.clone()])
    } else if has(a) && has(b) {
        (Shape::Clicks, vec![a.clone(), b.clone()])
    } else if WINS.iter().all(|name| has(name)) {
        (Shape::Wins, WINS.map(str::to_owned).to_vec())
    } else {
        let shown: Vec<String> = names.iter().take(12).map(|name| quote(name.as_bytes())).collect();
        let expected = format!("a column {}, or {a} and {b}, or wins_a, wins_b and ties", arguments.winner);
        let remedy = "name the columns with --winner or --clicks";
        return Err(LineProblem::new("header", expected, shown.join(", "), remedy));
    };
    let user = arguments.unit.clone().or_else(|| has(USER).then(|| USER.to_owned()));
    let with_user = user.is_some();
    columns.extend(user);
    if let Some((a, b)) = &arguments.lengths {
        columns.extend([a.clone(), b.clone()]);
    }
    Ok(Plan { shape, with_user, columns })
}

impl Plan {
    /// Adds the outcome of one row.
    fn add(
        &self,
        arguments: &Arguments,
        line: u64,
        cells: &[Cell<'_>],
        outcomes: &mut Outcomes,
    ) -> Result<(), LineProblem> {
        let (outcome, used) = self.outcome(arguments, line, cells, outcomes)?;
        let user = if self.with_user { Some(named::name(&cells[used], &self.columns[used])?) } else { None };
        let lengths = used + usize::from(self.with_user);
        let equal = match arguments.lengths {
            Some(_) => Some(self.count(cells, lengths)? == self.count(cells, lengths + 1)?),
            None => None,
        };
        outcomes.add(outcome, user.as_deref(), equal);
        if outcomes.searches() > named::LARGEST_COUNT {
            let expected = format!("at most {} searches in all", named::LARGEST_COUNT);
            let found = format!("{} up to here", outcomes.searches());
            return Err(LineProblem::new("column", expected, found, "larger counts are not exact; check the row"));
        }
        Ok(())
    }

    /// Who won, and how many cells say so.
    fn outcome(
        &self,
        arguments: &Arguments,
        line: u64,
        cells: &[Cell<'_>],
        outcomes: &mut Outcomes,
    ) -> Result<(Outcome, usize), LineProblem> {
        let count = |at: usize| self.count(cells, at);
        Ok(match self.shape {
            Shape::Winner => (winner(arguments, &cells[0])?, 1),
            Shape::WinnerAndClicks => {
                let named = winner(arguments, &cells[0])?;
                // Empty cells of clicks contradict nobody.
                if !cells[1].is_missing() && !cells[2].is_missing() {
                    outcomes.compare(line, &named, &Outcome::from_clicks(count(1)?, count(2)?));
                }
                (named, 3)
            }
            Shape::Clicks => (Outcome::from_clicks(count(0)?, count(1)?), 2),
            Shape::Wins => {
                let whole = |at: usize| self.whole(cells, at);
                (Outcome { wins_a: whole(0)?, wins_b: whole(1)?, ties: whole(2)?, without: 0 }, 3)
            }
        })
    }

    fn count(&self, cells: &[Cell<'_>], at: usize) -> Result<f64, LineProblem> {
        named::count(&cells[at], &self.columns[at])
    }

    fn whole(&self, cells: &[Cell<'_>], at: usize) -> Result<u64, LineProblem> {
        match self.count(cells, at)? {
            found if found.fract() == 0.0 => Ok(found as u64),
            found => {
                let column = &self.columns[at];
                let expected = format!("a whole number in {}", quote(column.as_bytes()));
                let problem = LineProblem::new("column", expected, found.to_string(), "count searches");
                Err(problem.in_column(column))
            }
        }
    }
}

fn winner(arguments: &Arguments, cell: &Cell<'_>) -> Result<Outcome, LineProblem> {
    let none = Outcome::default();
    let empty = matches!(cell, Cell::Missing)
        || matches!(cell, Cell::Text(text) | Cell::Written(text) if text.trim_ascii().is_empty());
    if empty {
        return Ok(Outcome { without: 1, ..none });
    }
    let found = named::name(cell, &arguments.winner)?;
    let (a, b) = &arguments.names;
    match &*found {
        name if name == a.as_bytes() => Ok(Outcome { wins_a: 1, ..none }),
        name if name == b.as_bytes() => Ok(Outcome { wins_b: 1, ..none }),
        name if name.eq_ignore_ascii_case(b"tie") => Ok(Outcome { ties: 1, ..none }),
        other => Err(LineProblem::new(
            "column",
            format!("{a}, {b}, tie or nothing in {}", quote(arguments.winner.as_bytes())),
            quote(other),
            "name the two rankings with --names A,B",
        )
        .in_column(&arguments.winner)),
    }
}
