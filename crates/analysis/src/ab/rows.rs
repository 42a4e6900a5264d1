//! Rows of clicks, added up by the unit that was assigned to an arm.
//!
//! A unit belongs to one arm. One that is found in two arms is an error, or it is left out and counted, as the user chose.

use std::collections::HashMap;

use karat_data::names::text;

use super::error::{AbError, CrossedUnit, RowError};
use super::metric::{Denominator, Metric};
use super::times::{self, Time, TimeKind};

/// How several clicks on one search are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Several {
    /// Not at all: a row with more clicks than searches is an error.
    Refuse,
    /// Once: a row of one search counts one click at most.
    Once,
    /// Each: the metric is a mean, not a rate.
    All,
}

/// How units in two arms are handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BothArms {
    /// They are an error.
    Error,
    /// They are left out of all arms.
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
    time_kind: Option<(TimeKind, u64)>,
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
    /// It has more clicks than searches, or a time that cannot be used.
    pub fn add(
        &mut self,
        line: u64,
        unit: &[u8],
        arm: &[u8],
        time: Option<&[u8]>,
        values: &[f64],
    ) -> Result<(), RowError> {
        let time = match &self.time_column {
            Some(column) => Some(times::time(time.unwrap_or_default(), column, self.time_kind)?),
            None => None,
        };
        let amounts = self.row(values)?;
        let number = self.unit_number(line, unit, arm);
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

    /// The number of a unit; notes a second arm.
    fn unit_number(&mut self, line: u64, unit: &[u8], arm: &[u8]) -> u32 {
        let arm = match self.arms.iter().position(|known| known == arm) {
            Some(known) => known as u32,
            None => {
                self.arms.push(arm.to_vec());
                self.arms.len() as u32 - 1
            }
        };
        let Some(&number) = self.numbers.get(unit) else {
            let number = self.names.len() as u32;
            self.numbers.insert(unit.to_vec(), number);
            self.names.push(Unit { arm, line, other: None });
            self.sums.extend(std::iter::repeat_n((0.0, 0.0), self.metrics.len()));
            return number;
        };
        let known = &mut self.names[number as usize];
        if known.arm != arm {
            known.other.get_or_insert((arm, line));
        }
        number
    }

    /// What a row adds to each metric.
    fn row(&mut self, values: &[f64]) -> Result<Vec<(f64, f64)>, RowError> {
        let mut amounts = Vec::with_capacity(self.metrics.len());
        for (metric, &(above, below)) in self.metrics.iter().zip(&self.places) {
            let (mut x, y) = (values[above], below.map_or(1.0, |below| values[below]));
            // A column over rows may be any mean; over another column it is a rate.
            let rate = below.is_some() && self.several != Several::All;
            let once = self.several == Several::Once && metric.denominator != Denominator::Units;
            if x > y && once && y == 1.0 {
                x = 1.0;
                self.cut += 1;
            } else if x > y && (once || rate) {
                return Err(RowError::NumeratorBeyondDenominator {
                    numerator: metric.numerator.clone(),
                    denominator: metric.over("unit").to_owned(),
                    values: (x, y),
                    several: self.several,
                });
            }
            amounts.push((x, y));
        }
        Ok(amounts)
    }

    /// What was observed.
    ///
    /// # Errors
    /// Units in two arms, when that is an error.
    pub fn finish(self, unit: &str, both: BothArms) -> Result<Observations, AbError> {
        let crossed = self.names.iter().filter(|unit| unit.other.is_some()).count();
        if both == BothArms::Error && crossed > 0 {
            return Err(self.in_two_arms(unit));
        }
        let metrics = self.metrics.len();
        let (arms, place) = self.arms_in_order();
        let mut renumbered = vec![None; self.names.len()];
        let (mut arm, mut sums) = (Vec::new(), Vec::new());
        for (number, unit) in self.names.iter().enumerate().filter(|(_, unit)| unit.other.is_none()) {
            renumbered[number] = Some(arm.len() as u32);
            arm.push(place[unit.arm as usize]);
            sums.extend_from_slice(&self.sums[number * metrics..(number + 1) * metrics]);
        }
        let (times, rank) = ordered(&self.times);
        let (events, amounts) = self.events_in_order(&renumbered, &rank);
        Ok(Observations {
            arms,
            arm,
            sums,
            days: self.time_kind.is_some_and(|(kind, _)| kind != TimeKind::Number),
            times,
            events,
            amounts,
            dropped: crossed as u64,
            cut: self.cut,
            metrics: self.metrics,
        })
    }

    /// Names of arms in the order of bytes, whatever comes first in the file, and the place of each.
    fn arms_in_order(&self) -> (Vec<String>, Vec<usize>) {
        let mut order: Vec<usize> = (0..self.arms.len()).collect();
        order.sort_by(|&a, &b| self.arms[a].cmp(&self.arms[b]));
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(to, &from)| place[from] = to);
        (order.iter().map(|&arm| text(&self.arms[arm])).collect(), place)
    }

    /// Rows of the units that are kept, in the order of times, and what each adds.
    fn events_in_order(&self, renumbered: &[Option<u32>], rank: &[u32]) -> Events {
        let metrics = self.metrics.len();
        let kept = |(row, (time, number)): (usize, &(u32, u32))| {
            renumbered[*number as usize].map(|unit| (rank[*time as usize], unit, row))
        };
        let mut kept: Vec<(u32, u32, usize)> = self.events.iter().enumerate().filter_map(kept).collect();
        kept.sort_by_key(|event| event.0);
        let mut amounts = Vec::with_capacity(kept.len() * metrics);
        for &(_, _, row) in &kept {
            amounts.extend_from_slice(&self.amounts[row * metrics..(row + 1) * metrics]);
        }
        (kept.into_iter().map(|(time, unit, _)| (time, unit)).collect(), amounts)
    }

    fn in_two_arms(&self, unit: &str) -> AbError {
        let crossed = |(name, &number): (&Vec<u8>, &u32)| {
            let own = &self.names[number as usize];
            own.other.map(|(arm, line)| CrossedUnit {
                name: name.clone(),
                first_arm: self.arms[own.arm as usize].clone(),
                first_line: own.line,
                other_arm: self.arms[arm as usize].clone(),
                other_line: line,
            })
        };
        let mut crossed: Vec<CrossedUnit> = self.numbers.iter().filter_map(crossed).collect();
        crossed.sort_by_key(|unit| unit.other_line);
        let arms = self.arms_in_order().0;
        AbError::UnitsInTwoArms { unit: unit.to_owned(), units: self.names.len(), arms, crossed }
    }
}

/// The rank of a row's time and its unit; and by metric, numerator and denominator.
type Events = (Vec<(u32, u32)>, Vec<(f64, f64)>);

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
    fn rows_add_up_by_user_and_days_are_in_order() {
        let mut collector = collector(Several::Refuse);
        for (line, (unit, arm, time, values)) in
            (2..).zip([("u", "b", "10", [1.0, 2.0]), ("v", "a", "9", [0.0, 1.0]), ("u", "b", "9", [2.0, 2.0])])
        {
            collector.add(line, unit.as_bytes(), arm.as_bytes(), Some(time.as_bytes()), &values).unwrap();
        }
        let found = collector.finish("user", BothArms::Error).unwrap();
        assert_eq!((&found.arms[..], &found.arm[..]), (&["a".to_owned(), "b".to_owned()][..], &[1, 0][..]));
        assert_eq!(found.sums, [(3.0, 4.0), (0.0, 1.0)]);
        assert_eq!((found.times, found.events), (vec!["9".to_owned(), "10".to_owned()], vec![(0, 1), (0, 0), (1, 0)]));
        assert_eq!(found.amounts, [(0.0, 1.0), (2.0, 2.0), (1.0, 2.0)]);
    }

    #[test]
    fn more_clicks_than_searches() {
        let beyond = |several| RowError::NumeratorBeyondDenominator {
            numerator: "clicks".into(),
            denominator: "searches".into(),
            values: (3.0, 2.0),
            several,
        };
        let refused = collector(Several::Refuse).add(2, b"u", b"a", Some(b"1"), &[3.0, 2.0]);
        assert_eq!(refused, Err(beyond(Several::Refuse)));
        let mut once = collector(Several::Once);
        once.add(2, b"u", b"a", Some(b"1"), &[3.0, 1.0]).unwrap();
        assert_eq!(once.add(3, b"u", b"a", Some(b"1"), &[3.0, 2.0]), Err(beyond(Several::Once)));
        let once = once.finish("user", BothArms::Error).unwrap();
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
        let found = filled().finish("user", BothArms::Error).unwrap_err();
        let crossed = CrossedUnit {
            name: b"u".into(),
            first_arm: b"a".into(),
            first_line: 2,
            other_arm: b"b".into(),
            other_line: 4,
        };
        let arms = vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(found, AbError::UnitsInTwoArms { unit: "user".into(), units: 3, arms, crossed: vec![crossed] });
        let left = filled().finish("user", BothArms::Drop).unwrap();
        assert_eq!((left.arm.len(), left.dropped, left.events.len()), (2, 1, 2));
    }
}
