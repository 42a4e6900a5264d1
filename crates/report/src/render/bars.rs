//! Intervals drawn with characters next to the numbers of a table: thick for the interval, thin for the bounds.

use std::borrow::Cow;

use crate::cell::Cell;
use crate::number::NumberStyle;
use crate::table::Table;

/// Fewer characters than this show nothing.
const LEAST: usize = 16;
/// More say no more.
const MOST: usize = 40;

/// What each row draws, on one scale.
pub(super) struct Bars {
    rows: Vec<Option<Row>>,
    low: f64,
    high: f64,
    width: usize,
}

struct Row {
    value: f64,
    interval: Option<(f64, f64)>,
    bounds: Option<(f64, f64)>,
}

impl Row {
    fn ends(&self) -> impl Iterator<Item = f64> {
        [self.interval, self.bounds].into_iter().flatten().flat_map(|(low, high)| [low, high]).chain([self.value])
    }
}

impl Bars {
    /// The bars of a table that asks for some, where there is room.
    pub(super) fn of(table: &Table, room: usize) -> Option<Bars> {
        let plot = table.plot?;
        let place = |key: &str| table.columns.iter().position(|column| column.key == key);
        let (value, interval, bounds) = (place(plot.value)?, place(plot.interval)?, place(plot.bounds));
        if room < LEAST {
            return None;
        }
        let rows: Vec<Option<Row>> = table
            .rows
            .iter()
            .map(|row| {
                let Cell::Number(value) = row[value].finite() else { return None };
                let bounds = bounds.and_then(|at| range(&row[at]));
                Some(Row { value: *value, interval: range(&row[interval]), bounds })
            })
            .collect();
        let ends = rows.iter().flatten().flat_map(Row::ends).chain(plot.zero.then_some(0.0));
        let (low, high) =
            ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| (low.min(end), high.max(end)));
        // One row, or equal ones, show nothing that the numbers do not.
        let worth = low < high && rows.iter().flatten().any(|row| row.interval.is_some());
        worth.then_some(Bars { rows, low, high, width: room.min(MOST) })
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The ends of the scale.
    pub(super) fn heading(&self) -> String {
        let end = |value| NumberStyle::Decimals(2).show(value);
        let (low, high) = (end(self.low), end(self.high));
        let blank = self.width.saturating_sub(low.len() + high.len());
        format!("{low}{}{high}", " ".repeat(blank))
    }

    fn place(&self, value: f64) -> usize {
        let share = (value - self.low) / (self.high - self.low);
        ((share * (self.width - 1) as f64).round() as usize).min(self.width - 1)
    }

    /// The bar of a row.
    pub(super) fn bar(&self, row: usize) -> Cow<'static, str> {
        let Some(Some(row)) = self.rows.get(row) else { return Cow::Borrowed("") };
        let mut line = vec![' '; self.width];
        for (ends, drawn) in [(row.bounds, '─'), (row.interval, '━')] {
            if let Some((low, high)) = ends {
                line[self.place(low)..=self.place(high)].fill(drawn);
            }
        }
        if self.low < 0.0 && self.high > 0.0 {
            let zero = &mut line[self.place(0.0)];
            *zero = match *zero {
                '─' => '┼',
                '━' => '┿',
                _ => '│',
            };
        }
        line[self.place(row.value)] = '●';
        Cow::Owned(line.into_iter().collect::<String>().trim_end().to_owned())
    }
}

/// Both ends, in order; nothing where one is not known.
fn range(cell: &Cell) -> Option<(f64, f64)> {
    match cell {
        Cell::Range(low, high) if low.is_finite() && high.is_finite() && low <= high => Some((*low, *high)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Plot;

    /// A value, its interval, its bounds.
    type Drawn = (f64, (f64, f64), (f64, f64));

    fn table(zero: bool, rows: &[Drawn]) -> Table {
        let plot = Plot { value: "value", interval: "interval", bounds: "bounds", zero };
        let mut table = Table::new("t", "").column("value", "").column("interval", "");
        table = table.column("bounds", "").plotted(plot);
        for (value, interval, bounds) in rows {
            table.push([Cell::Number(*value), Cell::Range(interval.0, interval.1), Cell::Range(bounds.0, bounds.1)]);
        }
        table
    }

    #[test]
    fn one_scale_holds_all_rows() {
        // 21 characters from 0 to 1: one for each 0.05.
        let table = table(false, &[(0.2, (0.1, 0.3), (0.0, 0.5)), (0.9, (0.8, 1.0), (0.85, 0.95))]);
        let bars = Bars::of(&table, 21).expect("room");
        assert_eq!(bars.heading(), "0.00             1.00");
        assert_eq!(bars.bar(0), "──━━●━━────");
        assert_eq!(bars.bar(1), "                ━━●━━");
        assert_eq!(bars.bar(2), "");
    }

    fn crossing() -> Table {
        // From -1 to 1, eight characters on either side of 0: one for each 0.125.
        table(true, &[(-0.375, (-0.5, 0.5), (-1.0, 1.0))])
    }

    #[test]
    fn a_difference_shows_where_0_is() {
        let table = table(true, &[(-0.5, (-1.0, -0.25), (-1.0, -0.25)), (0.5, (0.25, 1.0), (0.25, 1.0))]);
        let bars = Bars::of(&table, 17).expect("room");
        assert_eq!(bars.bar(0), "━━━━●━━ │");
        assert_eq!(Bars::of(&crossing(), 17).expect("room").bar(0), "────━●━━┿━━━━────");
        assert_eq!(bars.bar(1), "        │ ━━●━━━━");
    }

    #[test]
    fn without_room_or_spread_there_are_none() {
        let wide = table(false, &[(0.2, (0.1, 0.3), (0.0, 0.5))]);
        assert!(Bars::of(&wide, LEAST - 1).is_none());
        assert!(Bars::of(&table(false, &[(0.2, (0.2, 0.2), (0.2, 0.2))]), 40).is_none());
        assert!(Bars::of(&table(false, &[(f64::NAN, (0.1, 0.3), (0.0, 0.5))]), 40).is_none());
        let odd = table(false, &[(0.2, (f64::NAN, 0.3), (0.0, f64::INFINITY)), (0.4, (0.1, 0.3), (0.0, 0.5))]);
        assert_eq!(Bars::of(&odd, 26).expect("room").bar(0), "          ●");
    }
}
