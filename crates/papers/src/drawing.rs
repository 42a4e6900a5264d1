//! Pieces that several papers' figures are made of.

use karat_report::{Axis, Mark, Panel};

/// How many of the values lie in each of `bins` equal bins from `low` to `high`; what lies outside is counted at the ends.
pub(super) fn counts(values: impl IntoIterator<Item = f64>, (low, high): (f64, f64), bins: usize) -> Vec<f64> {
    let mut counts = vec![0.0; bins];
    for value in values {
        let place = ((value - low) / (high - low) * bins as f64).max(0.0) as usize;
        counts[place.min(bins - 1)] += 1.0;
    }
    counts
}

/// Bars of a histogram on a panel.
pub(super) fn bars(mut panel: Panel, series: usize, label: &str, (low, high): (f64, f64), heights: &[f64]) -> Panel {
    let edge = |bin: usize| low + (high - low) * bin as f64 / heights.len() as f64;
    for (bin, &height) in heights.iter().enumerate().filter(|(_, height)| **height > 0.0) {
        let bar = Mark::bar(series, (edge(bin), edge(bin + 1)), (0.0, height));
        panel = panel.mark(if label.is_empty() { bar } else { bar.labelled(label) });
    }
    panel
}

/// The greatest of some heights, with a little room above.
pub(super) fn top(heights: &[f64]) -> f64 {
    let most = heights.iter().copied().fold(0.0, f64::max);
    if most > 0.0 { most * 1.05 } else { 1.0 }
}

/// A matrix of numbers, the larger the darker, with rows and columns named; each number is written as `show` says.
pub(super) fn matrix(
    title: &str,
    (rows, row_label): (Vec<String>, &str),
    (columns, column_label): (Vec<String>, &str),
    numbers: &[Vec<f64>],
    show: impl Fn(f64) -> String,
) -> Panel {
    let all = || numbers.iter().flatten().copied();
    let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    let mut panel = Panel::new(title, Axis::columns(column_label, columns), Axis::rows(row_label, rows));
    for (row, numbers) in numbers.iter().enumerate() {
        for (column, &number) in numbers.iter().enumerate() {
            let (x, y) = (column as f64, row as f64);
            let shade = if high > low { 0.08 + 0.82 * (number - low) / (high - low) } else { 0.5 };
            panel = panel.mark(Mark::Bar {
                series: 0,
                label: String::new(),
                name: show(number),
                shade,
                x: (x - 0.5, x + 0.5),
                y: (y - 0.5, y + 0.5),
            });
            panel = panel.mark(Mark::Words {
                at: (x, y),
                text: show(number),
                anchor: karat_report::Anchor::Middle,
                shift: (0.0, 4.0),
                on_colour: shade > 0.55,
            });
        }
    }
    panel
}

/// A line fitted by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fit {
    pub intercept: f64,
    pub slope: f64,
    /// Share of the variance that the line takes up.
    pub r_squared: f64,
    /// The greatest distance of a point from the line.
    pub worst: f64,
}

/// The line through points; `None` where x or y does not vary.
pub(super) fn fit(points: &[(f64, f64)]) -> Option<Fit> {
    let n = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| points.iter().map(|point| of(point.0 - x, point.1 - y)).sum::<f64>();
    let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    if !(xx > 0.0 && yy > 0.0) {
        return None;
    }
    let slope = xy / xx;
    let intercept = y - slope * x;
    let off = |point: &(f64, f64)| (point.1 - intercept - slope * point.0).abs();
    let worst = points.iter().map(off).fold(0.0, f64::max);
    Some(Fit { intercept, slope, r_squared: xy * xy / (xx * yy), worst })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_by_hand() {
        // (0,0), (1,1), (2,1): means 1 and 2/3; xx = 2, xy = 1, yy = 4/9 + 1/9 + 1/9 = 2/3: slope 1/2, intercept 1/6, R² = 1/(4/3) = 3/4,
        // off by 1/6, 1/3, 1/6.
        let found = fit(&[(0.0, 0.0), (1.0, 1.0), (2.0, 1.0)]).unwrap();
        assert!((found.slope - 0.5).abs() < 1e-15 && (found.intercept - 1.0 / 6.0).abs() < 1e-15);
        assert!((found.r_squared - 0.75).abs() < 1e-15 && (found.worst - 1.0 / 3.0).abs() < 1e-15);
        assert!(fit(&[(1.0, 0.0), (1.0, 1.0)]).is_none() && fit(&[]).is_none());
    }

    #[test]
    fn bins_hold_every_value_once() {
        assert_eq!(counts([0.0, 0.24, 0.25, 1.0, 7.0, -1.0], (0.0, 1.0), 4), [3.0, 1.0, 0.0, 2.0]);
        assert_eq!((top(&[]), top(&[2.0])), (1.0, 2.1));
    }
}
