//! Wilcoxon's signed-rank test.
//!
//! The one decision: SciPy's choices, so that its p is met digit by digit: zeros are dropped, no continuity correction, the exact
//! distribution up to 50 topics without ties or zeros and up to 13 with them, else the normal with its tie correction.

use super::{Alternative, Calculation, Example, NoTest, Of, Outcome, SAME, Settings, TestInfo, mid_ranks};
use crate::dist::normal;
use crate::sample::Sample;

/// Most topics for the exact distribution, without ties or zeros and with them.
const EXACT: usize = 50;
const EXACT_WITH_TIES: usize = 13;

pub(super) const ROW: TestInfo = TestInfo {
    name: "wilcoxon",
    title: "Wilcoxon signed-rank test",
    statistic: "sum of ranks of positive or of negative differences, the lesser (one-sided: of the positive)",
    formula: "rank |d| without zeros, equal ones sharing the mean of their ranks; W = sum of ranks with d > 0; p from all 2^n signs, \
              or z = (W - n(n+1)/4) / sqrt(n(n+1)(2n+1)/24 - sum of (t^3 - t)/48 over ties)",
    reading: "Tests whether differences are symmetric around 0, using only the order of their sizes. Exact up to 50 \
              topics (13 with ties or zeros), else by the normal approximation without continuity correction, as in \
              SciPy. Differences that are equal up to float rounding are ties.",
    misleads: "It does not test the mean. If differences are skewed, as for AP, it rejects equal means more often with \
               more topics: 9.7% at 100 topics instead of 5% (Urbano, Lima and Hanjalic 2019). Dropping zeros \
               exaggerates the evidence if systems are equal on most topics.",
    citation: "Wilcoxon (1945), Individual comparisons by ranking methods, Biometrics Bulletin 1(6)",
    of: Of::Differences(run),
    example: Example {
        differences: &[1.0, 2.0, 3.0, -1.5],
        second: &[],
        statistic: 2.0,
        p: 0.375,
        within: 1e-12,
        derivation: "ranks 1, 3, 4 and 2 for -1.5: W = 8 and 2 below; sums of at most 2 from ranks 1 to 4: {}, {1}, {2}, so 3 of 16, twice",
    },
};

fn run(differences: &Sample<'_>, alternative: Alternative, _: &Settings) -> Result<Outcome, NoTest> {
    let largest = differences.values().iter().fold(0.0f64, |most, d| most.max(d.abs()));
    let kept: Vec<f64> = differences.values().iter().copied().filter(|d| d.abs() > SAME * largest).collect();
    let sizes: Vec<f64> = kept.iter().map(|d| d.abs()).collect();
    let (ranks, groups) = mid_ranks(&sizes, SAME * largest);
    let used = kept.len();
    let all: f64 = ranks.iter().sum();
    let above: f64 = kept.iter().zip(&ranks).filter(|(d, _)| **d > 0.0).map(|(_, rank)| rank).sum();
    let tied = used < differences.len() || groups.len() < used;
    let exact = differences.len() <= if tied { EXACT_WITH_TIES } else { EXACT };
    let p = |above: f64| {
        let (at_least, at_most) = if exact {
            tails(&ranks, above)
        } else {
            let n = used as f64;
            let ties: f64 = groups.iter().map(|&t| t as f64).map(|t| t * t * t - t).sum();
            let sd = ((n * (n + 1.0) * (2.0 * n + 1.0) - ties / 2.0) / 24.0).sqrt();
            let z = (above - n * (n + 1.0) / 4.0) / sd;
            // z is finite: at least one rank is left, and its spread is not 0.
            (normal::sf(z).unwrap_or(1.0), normal::cdf(z).unwrap_or(1.0))
        };
        alternative.p(at_least, at_most)
    };
    let furthest = if alternative == Alternative::Less { 0.0 } else { all };
    Ok(Outcome {
        statistic: if alternative == Alternative::TwoSided { above.min(all - above) } else { above },
        p: p(above),
        smallest_p: Some(p(furthest)),
        calculation: if exact { Calculation::Exact } else { Calculation::Asymptotic },
        used,
        posterior: None,
    })
}

/// Shares of the choices of signs whose sum of positive ranks is at least, and at most, `sum`: counted by sums, over doubled ranks, which
/// are whole numbers.
fn tails(ranks: &[f64], sum: f64) -> (f64, f64) {
    let doubled = |rank: f64| (2.0 * rank).round() as usize;
    let total: usize = ranks.iter().map(|&rank| doubled(rank)).sum();
    let mut ways = vec![0u64; total + 1];
    ways[0] = 1;
    for &rank in ranks {
        let rank = doubled(rank);
        for at in (rank..=total).rev() {
            ways[at] += ways[at - rank];
        }
    }
    let all = 2f64.powi(ranks.len() as i32);
    let here = doubled(sum).min(total);
    (ways[here..].iter().sum::<u64>() as f64 / all, ways[..=here].iter().sum::<u64>() as f64 / all)
}
