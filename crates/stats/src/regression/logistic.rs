//! Shares whose log-odds are a straight line in x.

use super::Cell;

/// How strongly the slope is held to 0: as if one more look had been had at it. Without it, observations that a point of x
/// separates would make the slope infinite.
const RIDGE: f64 = 1e-3;

/// log (q / (1 − q)) = intercept + slope x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Logistic {
    /// At x = 0.
    pub intercept: f64,
    /// For each unit of x.
    pub slope: f64,
}

impl Logistic {
    /// The share at x.
    pub fn at(&self, x: f64) -> f64 {
        1.0 / (1.0 + libm::exp(-(self.intercept + self.slope * x)))
    }

    /// The log-likelihood of the cells, less the penalty on the slope.
    fn log_likelihood(&self, cells: impl Iterator<Item = (f64, Cell)>) -> f64 {
        let log = |(x, cell): (f64, Cell)| {
            let odds = self.intercept + self.slope * x;
            // log q = -log(1 + e^-odds), without overflow either way.
            let log_of = |odds: f64| -(libm::log1p(libm::exp(-odds.abs())) + (-odds).max(0.0));
            cell.yes * log_of(odds) + (cell.count - cell.yes) * log_of(-odds)
        };
        cells.map(log).sum::<f64>() - RIDGE * self.slope * self.slope / 2.0
    }

    /// Newton's step of intercept and slope; `None` where there is none.
    fn newton_step(&self, cells: impl Iterator<Item = (f64, Cell)>) -> Option<(f64, f64)> {
        // Gradient, and the (negative) second derivatives.
        let (mut g0, mut g1, mut h00, mut h01, mut h11) = (0.0, -RIDGE * self.slope, 0.0, 0.0, RIDGE);
        for (x, cell) in cells {
            let share = self.at(x);
            let (left, curve) = (cell.yes - cell.count * share, cell.count * share * (1.0 - share));
            g0 += left;
            g1 += left * x;
            h00 += curve;
            h01 += curve * x;
            h11 += curve * x * x;
        }
        let determinant = h00 * h11 - h01 * h01;
        let step = ((g0 * h11 - g1 * h01) / determinant, (g1 * h00 - g0 * h01) / determinant);
        (determinant > 0.0).then_some(step)
    }
}

/// The most likely line, by Newton's steps, each halved until the likelihood does not fall. Half an observation of each
/// kind is added at the mean of x, so that there is a line for any observations; `None` where there are none.
pub fn logistic(observed: impl Iterator<Item = (f64, Cell)> + Clone) -> Option<Logistic> {
    let (count, total) =
        observed.clone().fold((0.0, 0.0), |(n, sum), (x, cell)| (n + cell.count, sum + cell.count * x));
    if count <= 0.0 {
        return None;
    }
    let centre = total / count;
    // From here on x is counted from its mean, where intercept and slope hardly touch each other.
    let cells = || {
        let own = std::iter::once((centre, Cell { count: 1.0, yes: 0.5 }));
        observed.clone().chain(own).map(|(x, cell)| (x - centre, cell))
    };
    let mut line = Logistic { intercept: 0.0, slope: 0.0 };
    let mut top = line.log_likelihood(cells());
    for _ in 0..100 {
        let Some((up, tilt)) = line.newton_step(cells()) else { break };
        let mut step = 1.0;
        let better = loop {
            let tried = Logistic { intercept: line.intercept + step * up, slope: line.slope + step * tilt };
            let found = tried.log_likelihood(cells());
            if found >= top {
                break Some((tried, found));
            }
            step /= 2.0;
            if step < 1e-9 {
                break None;
            }
        };
        let Some((tried, found)) = better else { break };
        let gained = found - top;
        (line, top) = (tried, found);
        if gained < 1e-12 * (1.0 + top.abs()) {
            break;
        }
    }
    Some(Logistic { intercept: line.intercept - line.slope * centre, slope: line.slope })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_points_are_met() {
        // At x = 0 3000 of 4000, at x = 2 1000 of 4000: log-odds log 3 and -log 3, so slope -log 3. The half observations at
        // the middle do not tilt it, and the ridge moves it by less than a millionth.
        let cells = [(0.0, Cell { count: 4000.0, yes: 3000.0 }), (2.0, Cell { count: 4000.0, yes: 1000.0 })];
        let found = logistic(cells.into_iter()).unwrap();
        let log3 = 3.0f64.ln();
        assert!((found.intercept - log3).abs() < 1e-3 && (found.slope + log3).abs() < 1e-3, "{found:?}");
        assert!((found.at(1.0) - 0.5).abs() < 1e-6);
    }

    #[test]
    fn there_is_a_line_for_any_observations() {
        // Separated: all yes below 1, none above. All yes. One x only.
        let separated = [(0.0, Cell { count: 9.0, yes: 9.0 }), (2.0, Cell { count: 9.0, yes: 0.0 })];
        let found = logistic(separated.into_iter()).unwrap();
        assert!(found.slope < -2.0 && found.slope.is_finite());
        let all = logistic([(1.0, Cell { count: 5.0, yes: 5.0 })].into_iter()).unwrap();
        // 5.5 of 6.
        assert!((all.at(1.0) - 5.5 / 6.0).abs() < 1e-6, "{}", all.at(1.0));
        assert_eq!(logistic(std::iter::empty()), None);
    }
}
