//! Rows of clicks, added up by the unit that was assigned to an arm.
//!
//! The one decision: a unit belongs to one arm. One that is found in two is not silently counted in both or moved: it is an error, or
//! left out with its number said, as the user chose.

use std::collections::HashMap;

use karat_data::names::text;
use karat_data::problem::quote;
use karat_data::{LineProblem, Problem, Problems};

use super::listed;
use super::times::{self, Kind, Time};

/// A rate or mean: a column over another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metric {
    /// As it was given: `clicks/searches`.
    pub name: String,
    /// The column above.
    pub numerator: String,
    /// What is below.
    pub denominator: Denominator,
}

/// What a metric is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Denominator {
    /// A column.
    Column(String),
    /// The number of rows.
    Rows,
    /// The number of units.
    Units,
}

impl Metric {
    /// From `clicks/searches`, `clicks` (over rows) or `clicks/user` (over units, where `user` is the unit's column).
    ///
    /// # Errors
    /// A name is missing.
    pub fn parse(given: &str, unit: &str) -> Result<Metric, String> {
        let (above, below) = given.split_once('/').map_or((given, None), |(above, below)| (above, Some(below)));
        let (above, below) = (above.trim(), below.map(str::trim));
        if above.is_empty() || below.is_some_and(|below| below.is_empty() || below.contains('/')) {
            return Err(format!("'{given}' is no metric; expected two columns as clicks/searches, or one as clicks"));
        }
        let denominator = match below {
            None => Denominator::Rows,
            Some(below) if below == unit => Denominator::Units,
            Some(below) => Denominator::Column(below.to_owned()),
        };
        Ok(Metric { name: given.trim().to_owned(), numerator: above.to_owned(), denominator })
    }

    /// What it is over, in a word.
    pub fn over<'m>(&'m self, unit: &'m str) -> &'m str {
        match &self.denominator {
            Denominator::Column(name) => name,
            Denominator::Rows => "rows",
            Denominator::Units => unit,
        }
    }
}

/// What several clicks on one search count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Several {
    /// A row with more above than below is refused.
    Refuse,
    /// Once: a row of one search counts one click at most.
    Once,
    /// Each: the metric is a mean and no rate.
    All,
}

/// What is done with units in two arms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BothArms {
    /// Refused.
    Error,
    /// Left out of all arms.
    Drop,
}

/// One unit's sums.
#[derive(Debug, Clone)]
struct Unit {
    arm: u32,
    line: u64,
    other: Option<(u32, u64)>,
}

/// Adds rows up.
#[derive(Debug)]
pub struct Collector {
    metrics: Vec<Metric>,
    /// For each metric its columns' places.
    places: Vec<(usize, Option<usize>)>,
    columns: Vec<String>,
    several: Several,
    numbers: HashMap<Vec<u8>, u32>,
    names: Vec<Unit>,
    arms: Vec<Vec<u8>>,
    sums: Vec<(f64, f64)>,
    /// The column of the time, where there is one, and how the first row has it.
    time_column: Option<String>,
    time_kind: Option<(Kind, u64)>,
    /// The number of each time by the bits of what orders it.
    time_numbers: HashMap<u64, u32>,
    times: Vec<Time>,
    events: Vec<(u32, u32)>,
    amounts: Vec<(f64, f64)>,
    cut: u64,
}

/// What was observed: units in arms, each with a pair of sums for each metric.
#[derive(Debug)]
pub struct Observations {
    /// The arms, in the order of bytes.
    pub arms: Vec<String>,
    /// The arm of each unit.
    pub arm: Vec<usize>,
    /// For each unit and metric numerator and denominator: unit by unit.
    pub sums: Vec<(f64, f64)>,
    /// Metrics.
    pub metrics: Vec<Metric>,
    /// The times, in order; none when no column was named.
    pub times: Vec<String>,
    /// Whether the times are days.
    pub days: bool,
    /// Time and unit of each row, in the order of times.
    pub events: Vec<(u32, u32)>,
    /// For each row and metric what it adds.
    pub amounts: Vec<(f64, f64)>,
    /// Units in two arms that were left out.
    pub dropped: u64,
    /// Rows whose clicks were cut to one.
    pub cut: u64,
}

impl Collector {
    /// For these metrics, and with the column of the time when rows have one.
    pub fn new(metrics: Vec<Metric>, several: Several, time: Option<String>) -> Collector {
        let mut columns: Vec<String> = Vec::new();
        let mut place = |name: &String| {
            columns.iter().position(|known| known == name).unwrap_or_else(|| {
                columns.push(name.clone());
                columns.len() - 1
            })
        };
        let places = metrics
            .iter()
            .map(|metric| {
                let above = place(&metric.numerator);
                match &metric.denominator {
                    Denominator::Column(name) => (above, Some(place(name))),
                    _ => (above, None),
                }
            })
            .collect();
        Collector {
            metrics,
            places,
            columns,
            several,
            numbers: HashMap::new(),
            names: Vec::new(),
            arms: Vec::new(),
            sums: Vec::new(),
            time_column: time,
            time_kind: None,
            time_numbers: HashMap::new(),
            times: Vec::new(),
            events: Vec::new(),
            amounts: Vec::new(),
            cut: 0,
        }
    }

    /// The columns whose numbers a row must have, in this order.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// One row.
    ///
    /// # Errors
    /// It has more above than below, or a time that is none.
    pub fn add(
        &mut self,
        line: u64,
        unit: &[u8],
        arm: &[u8],
        time: Option<&[u8]>,
        values: &[f64],
    ) -> Result<(), LineProblem> {
        let time = match &self.time_column {
            Some(column) => Some(times::time(time.unwrap_or_default(), column, self.time_kind)?),
            None => None,
        };
        let amounts = self.row(values)?;
        let arm = match self.arms.iter().position(|known| known == arm) {
            Some(known) => known as u32,
            None => {
                self.arms.push(arm.to_vec());
                self.arms.len() as u32 - 1
            }
        };
        let number = match self.numbers.get(unit) {
            Some(&number) => number,
            None => {
                let number = self.names.len() as u32;
                self.numbers.insert(unit.to_vec(), number);
                self.names.push(Unit { arm, line, other: None });
                self.sums.extend(std::iter::repeat_n((0.0, 0.0), self.metrics.len()));
                number
            }
        };
        let known = &mut self.names[number as usize];
        if known.arm != arm {
            known.other.get_or_insert((arm, line));
        }
        let start = number as usize * self.metrics.len();
        for ((sum, amount), metric) in self.sums[start..].iter_mut().zip(&amounts).zip(&self.metrics) {
            sum.0 += amount.0;
            sum.1 = if metric.denominator == Denominator::Units { 1.0 } else { sum.1 + amount.1 };
        }
        if let Some(time) = time {
            self.time_kind.get_or_insert((time.kind, line));
            let next = self.times.len() as u32;
            let known = *self.time_numbers.entry(time.order.to_bits()).or_insert(next);
            if known == next {
                self.times.push(time);
            }
            self.events.push((known, number));
            self.amounts.extend(amounts);
        }
        Ok(())
    }

    /// What a row adds to each metric.
    fn row(&mut self, values: &[f64]) -> Result<Vec<(f64, f64)>, LineProblem> {
        let mut amounts = Vec::with_capacity(self.metrics.len());
        for (metric, &(above, below)) in self.metrics.iter().zip(&self.places) {
            let (mut x, y) = (values[above], below.map_or(1.0, |below| values[below]));
            // A column over rows may be any mean; over another column it is taken for a rate.
            let rate = below.is_some() && self.several != Several::All;
            if self.several == Several::Once && x > y && metric.denominator != Denominator::Units {
                if y != 1.0 {
                    let (expected, found) = self.too_many(metric, x, y);
                    let remedy = "several clicks can only be counted once where each row is one search: give rows of single searches";
                    return Err(LineProblem::new("column", expected, found, remedy));
                }
                x = 1.0;
                self.cut += 1;
            } else if rate && x > y {
                let (expected, found) = self.too_many(metric, x, y);
                let remedy = "say what several clicks on one search count: --several once (rows of single searches), or --several all \
                              (the metric is then a mean and no rate)";
                return Err(LineProblem::new("column", expected, found, remedy));
            }
            amounts.push((x, y));
        }
        Ok(amounts)
    }

    fn too_many(&self, metric: &Metric, x: f64, y: f64) -> (String, String) {
        let below = quote(metric.over("unit").as_bytes());
        (format!("at most as many {} as {below}", quote(metric.numerator.as_bytes())), format!("{x} of {y}"))
    }

    /// What was observed.
    ///
    /// # Errors
    /// Units in two arms, when that is an error.
    pub fn finish(self, file: &str, unit: &str, both: BothArms) -> Result<Observations, Problems> {
        let metrics = self.metrics.len();
        let crossed: Vec<u32> =
            (0..self.names.len() as u32).filter(|&number| self.names[number as usize].other.is_some()).collect();
        if both == BothArms::Error && !crossed.is_empty() {
            return Err(self.in_two(file, unit, crossed.len()));
        }
        // Names of arms in the order of bytes, whatever comes first in the file.
        let mut order: Vec<usize> = (0..self.arms.len()).collect();
        order.sort_by(|&a, &b| self.arms[a].cmp(&self.arms[b]));
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(to, &from)| place[from] = to);
        let mut renumbered = vec![None; self.names.len()];
        let (mut arm, mut sums) = (Vec::new(), Vec::new());
        for (number, unit) in self.names.iter().enumerate().filter(|(_, unit)| unit.other.is_none()) {
            renumbered[number] = Some(arm.len() as u32);
            arm.push(place[unit.arm as usize]);
            sums.extend_from_slice(&self.sums[number * metrics..(number + 1) * metrics]);
        }
        let (times, rank) = ordered(&self.times);
        let mut kept: Vec<(u32, u32, usize)> = self
            .events
            .iter()
            .enumerate()
            .filter_map(|(row, (time, number))| {
                renumbered[*number as usize].map(|unit| (rank[*time as usize], unit, row))
            })
            .collect();
        kept.sort_by_key(|event| event.0);
        let mut amounts = Vec::with_capacity(kept.len() * metrics);
        for &(_, _, row) in &kept {
            amounts.extend_from_slice(&self.amounts[row * metrics..(row + 1) * metrics]);
        }
        Ok(Observations {
            arms: order.iter().map(|&arm| text(&self.arms[arm])).collect(),
            arm,
            sums,
            metrics: self.metrics,
            days: self.time_kind.is_some_and(|(kind, _)| kind != Kind::Number),
            times,
            events: kept.into_iter().map(|(time, unit, _)| (time, unit)).collect(),
            amounts,
            dropped: crossed.len() as u64,
            cut: self.cut,
        })
    }

    fn in_two(&self, file: &str, unit: &str, count: usize) -> Problems {
        let mut problems = Problems::default();
        let mut arms: Vec<String> = self.arms.iter().map(|arm| text(arm)).collect();
        arms.sort();
        let mut named: Vec<(&Vec<u8>, &Unit)> =
            self.numbers.iter().map(|(name, &number)| (name, &self.names[number as usize])).collect();
        named.retain(|(_, unit)| unit.other.is_some());
        named.sort_by_key(|(_, unit)| unit.other.map(|(_, line)| line));
        for (name, own) in named {
            let Some((arm, line)) = own.other else { continue };
            let named = |arm: u32| quote(&self.arms[arm as usize]);
            let found = format!("{} in {} and in {} (line {})", quote(name), named(arm), named(own.arm), own.line);
            let remedy = format!(
                "{count} of {} are in two arms; the arms are {}: find out why (a unit that is not the one assigned, an assignment that \
                 changed, an arm written in two ways); --both-arms drop leaves them out",
                self.names.len(),
                listed(&arms)
            );
            let expected = format!("each {unit} in one arm");
            let line = u32::try_from(line.saturating_sub(1)).unwrap_or(u32::MAX);
            let problem = LineProblem { line, ..LineProblem::new("column", expected, found, &remedy) };
            problems.push(Problem::of_line(file, 0, problem));
        }
        problems
    }
}

/// The times in order, and the rank of each.
fn ordered(times: &[Time]) -> (Vec<String>, Vec<u32>) {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by(|&a, &b| times[a].order.total_cmp(&times[b].order));
    let mut rank = vec![0; times.len()];
    order.iter().enumerate().for_each(|(at, &time)| rank[time] = at as u32);
    (order.iter().map(|&time| times[time].shown.clone()).collect(), rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collector(several: Several) -> Collector {
        Collector::new(vec![Metric::parse("clicks/searches", "user").unwrap()], several, Some("day".into()))
    }

    #[test]
    fn metrics_by_their_text() {
        let parse = |text| Metric::parse(text, "user").unwrap();
        assert_eq!(parse("clicks/searches").denominator, Denominator::Column("searches".into()));
        assert_eq!(
            (parse("clicks").denominator, parse("clicks / user").denominator),
            (Denominator::Rows, Denominator::Units)
        );
        for wrong in ["", "/", "a/", "/b", "a/b/c"] {
            assert!(Metric::parse(wrong, "user").is_err(), "{wrong}");
        }
    }

    #[test]
    fn rows_add_up_by_user_and_days_are_in_order() {
        let mut collector = collector(Several::Refuse);
        for (line, (unit, arm, time, values)) in
            (2..).zip([("u", "b", "10", [1.0, 2.0]), ("v", "a", "9", [0.0, 1.0]), ("u", "b", "9", [2.0, 2.0])])
        {
            collector.add(line, unit.as_bytes(), arm.as_bytes(), Some(time.as_bytes()), &values).unwrap();
        }
        let found = collector.finish("f", "user", BothArms::Error).unwrap();
        assert_eq!((&found.arms[..], &found.arm[..]), (&["a".to_owned(), "b".to_owned()][..], &[1, 0][..]));
        assert_eq!(found.sums, [(3.0, 4.0), (0.0, 1.0)]);
        assert_eq!((found.times, found.events), (vec!["9".to_owned(), "10".to_owned()], vec![(0, 1), (0, 0), (1, 0)]));
        assert_eq!(found.amounts, [(0.0, 1.0), (2.0, 2.0), (1.0, 2.0)]);
    }

    #[test]
    fn more_clicks_than_searches() {
        let refused = collector(Several::Refuse).add(2, b"u", b"a", Some(b"1"), &[3.0, 2.0]).unwrap_err();
        assert_eq!(refused.expected, "at most as many \"clicks\" as \"searches\"");
        let mut once = collector(Several::Once);
        once.add(2, b"u", b"a", Some(b"1"), &[3.0, 1.0]).unwrap();
        assert!(
            once.add(3, b"u", b"a", Some(b"1"), &[3.0, 2.0]).unwrap_err().remedy.contains("rows of single searches")
        );
        let once = once.finish("f", "user", BothArms::Error).unwrap();
        assert_eq!((once.sums[0], once.cut), ((1.0, 1.0), 1));
        collector(Several::All).add(2, b"u", b"a", Some(b"1"), &[3.0, 2.0]).unwrap();
    }

    #[test]
    fn a_user_in_two_arms_is_an_error_or_left_out() {
        let filled = || {
            let mut collector = collector(Several::Refuse);
            for (line, (unit, arm)) in (2..).zip([("u", "a"), ("v", "a"), ("u", "b"), ("w", "b"), ("u", "b")]) {
                collector.add(line, unit.as_bytes(), arm.as_bytes(), Some(b"1"), &[0.0, 1.0]).unwrap();
            }
            collector
        };
        let said = filled().finish("f", "user", BothArms::Error).unwrap_err().to_string();
        assert!(
            said.contains("f:4: column: expected each user in one arm, found \"u\" in \"b\" and in \"a\" (line 2)"),
            "{said}"
        );
        assert!(said.contains("1 of 3 are in two arms"), "{said}");
        let left = filled().finish("f", "user", BothArms::Drop).unwrap();
        assert_eq!((left.arm.len(), left.dropped, left.events.len()), (2, 1, 2));
    }
}
