//! Interleaved rankings: whose results are clicked?
//!
//! The one decision: what a search counts is said, not assumed. Ties, searches without clicks and lists of unequal length are counted
//! and shown, and the answer without them stands beside the answer with them.

use std::collections::BTreeMap;

use karat_data::Problems;
use karat_report::{Column, NumberStyle, Provenance, Report, Table};
use karat_stats::ab::{margin, sign_test};

use super::{notes, noun, plural, refuse, verdict};

/// How the lists were interleaved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// Radlinski, Kurup and Joachims (2008): the rankings draft in turns, a coin says who picks first.
    TeamDraft,
    /// Joachims (2003): every prefix holds as many of the best of each.
    Balanced,
}

/// What came of one search, or of several that were counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcome {
    /// Searches that a won.
    pub wins_a: u64,
    /// That b won.
    pub wins_b: u64,
    /// With as many clicks on both.
    pub ties: u64,
    /// Without any click; they are no ties, and say nothing.
    pub without: u64,
}

impl Outcome {
    /// By the clicks on each side's documents.
    pub fn of_clicks(a: f64, b: f64) -> Outcome {
        let (none, yes) = (Outcome::default(), 1);
        match a.total_cmp(&b) {
            _ if a == 0.0 && b == 0.0 => Outcome { without: yes, ..none },
            std::cmp::Ordering::Greater => Outcome { wins_a: yes, ..none },
            std::cmp::Ordering::Less => Outcome { wins_b: yes, ..none },
            std::cmp::Ordering::Equal => Outcome { ties: yes, ..none },
        }
    }

    /// Sums stop at the end of the type; [`Outcomes::searches`] lets the reader refuse long before.
    fn add(&mut self, other: &Outcome) {
        self.wins_a = self.wins_a.saturating_add(other.wins_a);
        self.wins_b = self.wins_b.saturating_add(other.wins_b);
        self.ties = self.ties.saturating_add(other.ties);
        self.without = self.without.saturating_add(other.without);
    }

    fn searches(&self) -> u64 {
        self.wins_a.saturating_add(self.wins_b).saturating_add(self.ties).saturating_add(self.without)
    }

    /// Whether another account of the same search tells of another winner. No click at all may well be called a tie.
    fn contradicts(&self, other: &Outcome) -> bool {
        self != other && !(self.ties > 0 && other.without > 0)
    }

    /// Wins of b less wins of a.
    fn margin(&self) -> f64 {
        self.wins_b as f64 - self.wins_a as f64
    }
}

/// Everything that came of it.
#[derive(Debug, Clone, Default)]
pub struct Outcomes {
    all: Outcome,
    equal_lengths: Outcome,
    unequal: u64,
    lengths: bool,
    /// Rows whose winner is not the one with more clicks, and the first one's line.
    contradicted: Option<(u64, u64)>,
    users: BTreeMap<Vec<u8>, (Outcome, Outcome)>,
}

impl Outcomes {
    /// Searches so far.
    pub fn searches(&self) -> u64 {
        self.all.searches()
    }

    /// A row that names its winner also has clicks: counts it when these tell otherwise.
    pub fn compare(&mut self, line: u64, named: &Outcome, clicked: &Outcome) {
        if named.contradicts(clicked) {
            self.contradicted.get_or_insert((0, line)).0 += 1;
        }
    }

    /// One row: its user, and whether both lists were as long, where these are known.
    pub fn add(&mut self, outcome: Outcome, user: Option<&[u8]>, equal: Option<bool>) {
        self.all.add(&outcome);
        self.lengths |= equal.is_some();
        let equal = equal.unwrap_or(true);
        self.unequal = self.unequal.saturating_add(if equal { 0 } else { outcome.searches() });
        if equal {
            self.equal_lengths.add(&outcome);
        }
        if let Some(user) = user {
            let own = match self.users.get_mut(user) {
                Some(own) => own,
                None => self.users.entry(user.to_vec()).or_default(),
            };
            own.0.add(&outcome);
            if equal {
                own.1.add(&outcome);
            }
        }
    }
}

/// What is asked.
pub struct InterleavingQuestion {
    /// What came of the searches.
    pub outcomes: Outcomes,
    /// The names of the two rankings.
    pub names: (String, String),
    /// How they were interleaved.
    pub scheme: Scheme,
    /// The unit's column, where there is one.
    pub unit: Option<String>,
    /// Level of intervals.
    pub level: f64,
    /// The file.
    pub file: String,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// The program's version.
    pub version: &'static str,
}

/// A test's row.
struct Tested {
    test: &'static str,
    over: String,
    value: Option<f64>,
    interval: Option<(f64, f64)>,
    p: Option<f64>,
    reason: Option<String>,
}

/// Whose results are clicked?
///
/// # Errors
/// There is no search.
pub fn interleaving(question: InterleavingQuestion) -> Result<Report, Problems> {
    let (outcomes, level) = (&question.outcomes, question.level);
    if outcomes.all.searches() == 0 {
        return Err(refuse(
            &question.file,
            "at least one search",
            "rows that count none",
            "check that the file was written completely",
        ));
    }
    let (a, b) = (question.names.0.as_str(), question.names.1.as_str());
    let users: Vec<Outcome> = outcomes.users.values().map(|own| own.0).collect();
    let tests = tests(&outcomes.all, &users, question.unit.as_deref(), level);
    let best = deciding(&tests);
    let name = match best.test {
        "t" => format!("t over {}", best.over),
        _ => format!("the sign test over {}", best.over),
    };
    let said = verdict(true, outcomes.all.margin(), best.p, level, &name);
    let which = match said.verdict {
        "higher" => "b",
        "lower" => "a",
        other => other,
    };
    let mut report = Report::new(
        format!("Whose results are clicked, those of {a} or those of {b}?"),
        "ab interleaving",
        question.version,
    )
    .table(counted(&question, &users))
    .table(shown(&tests, "tests", "Tests", level));
    let verdict_table = Table::new("answer", "")
        .column("verdict", "verdict")
        .with(Column::new("because", "because"))
        .with(Column::new("a", "").data_only())
        .with(Column::new("b", "").data_only())
        .row([which.into(), said.because.into(), a.into(), b.into()]);
    report.blocks.insert(0, karat_report::Block::Record(verdict_table));
    if outcomes.unequal > 0 {
        let equal: Vec<Outcome> = outcomes.users.values().map(|own| own.1).filter(|own| own.searches() > 0).collect();
        let again = self::tests(&outcomes.equal_lengths, &equal, question.unit.as_deref(), level);
        report = report.table(shown(&again, "tests_equal_lengths", "Only searches whose lists were as long", level));
    }
    report.notes = notes_of(&question, &tests, users.len());
    report.provenance = question.provenance;
    Ok(report)
}

/// The test that decides: t over users where there is one, else the sign test over the same. Users who all agree have no spread for t to
/// work with, and that is the clearest finding there is.
fn deciding(tests: &[Tested]) -> &Tested {
    let last = tests.len() - 1;
    if tests[last].p.is_some() { &tests[last] } else { &tests[last.min(1)] }
}

fn tests(all: &Outcome, users: &[Outcome], unit: Option<&str>, level: f64) -> Vec<Tested> {
    let sign = |wins_a, wins_b, over: String| match sign_test(wins_a, wins_b, level) {
        Ok(found) => Tested {
            test: "sign",
            over,
            value: Some(found.share),
            interval: Some((found.interval.low, found.interval.high)),
            p: Some(found.p),
            reason: None,
        },
        Err(why) => Tested { test: "sign", over, value: None, interval: None, p: None, reason: Some(why.to_string()) },
    };
    let mut tests = vec![sign(all.wins_a, all.wins_b, "searches".into())];
    if let Some(unit) = unit {
        let count = |wins: fn(&Outcome) -> bool| users.iter().filter(|own| wins(own)).count() as u64;
        let (a, b) = (count(|own| own.wins_a > own.wins_b), count(|own| own.wins_b > own.wins_a));
        tests.push(sign(a, b, plural(noun(unit))));
        let pairs: Vec<(f64, f64)> = users.iter().map(|own| (own.margin(), own.searches() as f64)).collect();
        let over = plural(noun(unit));
        tests.push(match margin(&pairs, level) {
            Ok(found) => Tested {
                test: "t",
                over,
                value: Some(found.value),
                interval: Some((found.interval.low, found.interval.high)),
                p: Some(found.p),
                reason: None,
            },
            Err(why) => Tested { test: "t", over, value: None, interval: None, p: None, reason: Some(why.to_string()) },
        });
    }
    tests
}

fn counted(question: &InterleavingQuestion, users: &[Outcome]) -> Table {
    let (a, b) = (&question.names.0, &question.names.1);
    let mut table = Table::new("outcomes", "Outcomes")
        .column("over", "over")
        .column("count", "count")
        .column("wins_a", format!("won by {a}"))
        .column("wins_b", format!("won by {b}"))
        .column("ties", "ties")
        .column("without_clicks", "without clicks")
        .column("margin", format!("margin of {b}"));
    let all = &question.outcomes.all;
    table.push([
        "searches".into(),
        all.searches().into(),
        all.wins_a.into(),
        all.wins_b.into(),
        all.ties.into(),
        all.without.into(),
        (all.margin() / all.searches() as f64).into(),
    ]);
    if let Some(unit) = question.unit.as_deref().filter(|_| !users.is_empty()) {
        let count = |of: fn(&Outcome) -> bool| users.iter().filter(|own| of(own)).count() as u64;
        let (a, b) = (count(|own| own.wins_a > own.wins_b), count(|own| own.wins_b > own.wins_a));
        let without = count(|own| own.without == own.searches());
        let ties = users.len() as u64 - a - b - without;
        let margin = (b as f64 - a as f64) / users.len() as f64;
        table.push([
            plural(noun(unit)).into(),
            users.len().into(),
            a.into(),
            b.into(),
            ties.into(),
            without.into(),
            margin.into(),
        ]);
    }
    table
}

fn shown(tests: &[Tested], id: &'static str, title: &str, level: f64) -> Table {
    let mut table = Table::new(id, title)
        .column("test", "test")
        .column("over", "over")
        .column("value", "value")
        .with(Column::new("interval", format!("{} interval", crate::eval::percent(level))).range())
        .with(Column::new("p", "p").style(NumberStyle::P))
        .with(Column::new("reason", "").data_only())
        .with(Column::new("level", "").data_only());
    for test in tests {
        table.push([
            test.test.into(),
            test.over.as_str().into(),
            test.value.into(),
            test.interval.into(),
            test.p.into(),
            test.reason.clone().into(),
            level.into(),
        ]);
    }
    table
}

fn notes_of(question: &InterleavingQuestion, tests: &[Tested], users: usize) -> Vec<String> {
    let mut notes = Vec::new();
    for test in tests.iter().filter(|test| test.reason.is_some()) {
        notes.push(format!("{} over {}: no test: {}", test.test, test.over, test.reason.clone().unwrap_or_default()));
    }
    let all = question.outcomes.all.searches();
    if let Some((rows, line)) = question.outcomes.contradicted {
        notes.push(format!(
            "warning: in {rows} of {all} rows (the first in line {line}) the winner is not the ranking with more clicks; the column of the winner \
             counts. Find out which is right"
        ));
    }
    match &question.unit {
        None => notes.push(
            "warning: NAIVE: without a column of users every search is taken for a new user; when users repeat, p is too small (--unit user)".into(),
        ),
        Some(unit) if deciding(tests).test == "sign" => notes.push(format!(
            "the verdict is by the sign test over {users} {}, each as a whole: t, which would also use by how much they differ, cannot be computed",
            plural(noun(unit))
        )),
        Some(unit) => notes.push(format!(
            "the verdict is by t over {users} {}: (wins of {} - wins of {}) over all {all} searches, each {} as a whole",
            plural(noun(unit)), question.names.1, question.names.0, noun(unit)
        )),
    }
    notes.push(
        "ties: the sign test leaves ties and searches without clicks out; its value is the share that b won of those decided. The margin counts both as 0"
            .into(),
    );
    notes.push(match question.scheme {
        Scheme::TeamDraft => {
            "team-draft: a document is of the ranking that drafted it, also where both have it, and the ranking with more clicks wins the search. Check \
             that a coin threw for the first pick in every round"
                .into()
        }
        Scheme::Balanced => {
            "balanced: clicks count for a ranking down to the least depth that holds the lowest click, and the ranking with more wins. When one ranking \
             is the other shifted by a rank, the shifted one wins more often than not, whatever is clicked; team-draft does not have that fault"
                .into()
        }
    });
    notes.push(match (question.outcomes.lengths, question.outcomes.unequal) {
        (false, _) => "lengths: whether an interleaved list was as long as the shorter or the longer ranking is decided where it is made and biases who \
                       wins; --lengths length_a,length_b shows the answer without such searches"
            .into(),
        (true, 0) => "lengths: both rankings were as long in every search".into(),
        (true, unequal) => format!(
            "lengths: in {unequal} of {all} searches one ranking was longer; where lists go on to the longer one, its documents stand alone at the end. \
             The tests are given with and without these searches"
        ),
    });
    notes.push(notes::FIXED.split(';').next().unwrap_or_default().to_owned());
    notes.push(notes::CLICKS.into());
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clicks_decide_and_none_decides_nothing() {
        assert_eq!(Outcome::of_clicks(2.0, 1.0), Outcome { wins_a: 1, ..Outcome::default() });
        assert_eq!(Outcome::of_clicks(0.0, 1.0), Outcome { wins_b: 1, ..Outcome::default() });
        assert_eq!(Outcome::of_clicks(1.0, 1.0), Outcome { ties: 1, ..Outcome::default() });
        assert_eq!(Outcome::of_clicks(0.0, 0.0), Outcome { without: 1, ..Outcome::default() });
    }
}
