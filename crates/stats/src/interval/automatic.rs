//! Which interval of a mean: the rule of `--interval auto`, a pure function of the sample and the range of its values.
//!
//! The one decision: t where two textbook conditions say that it holds, and where it does not an interval that knows the range. Measured on
//! scores like those of real runs in docs/intervals-measured.md.

use super::{NoInterval, bounded, is_constant, t};
use crate::dist::binomial;
use crate::estimate::Interval;
use crate::sample::Sample;

/// Scores, in units of the range, must add up to this much from either end of the range. With less, t rests on a few topics: 2 is what two topics
/// at the far end and all others at the near one add up to.
pub const SUM: f64 = 2.0;

/// Topics for each unit of the squared skewness (Cochran 1977, section 2.15: n > 25 G²).
pub const COCHRAN: f64 = 25.0;

/// The intervals that are chosen from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Every score is at one end of the range: a proportion.
    ClopperPearson,
    /// Student's t.
    StudentT,
    /// The interval of values with a known range.
    Bounded,
}

/// The interval for a sample of values from one end of `range` to the other; `None` where their range is not known.
pub fn choose(sample: &Sample<'_>, range: Option<(f64, f64)>) -> Choice {
    let values = sample.values();
    let known = range.filter(|(least, greatest)| {
        let finite = least.is_finite() && greatest.is_finite() && least < greatest;
        finite && values.iter().all(|value| (least..=greatest).contains(&value))
    });
    let Some((least, greatest)) = known else { return Choice::StudentT };
    if values.iter().all(|&value| value == least || value == greatest) {
        return Choice::ClopperPearson;
    }
    let (n, span) = (values.len() as f64, greatest - least);
    let sums = (n * (sample.mean() - least) / span, n * (greatest - sample.mean()) / span);
    let enough = sums.0 >= SUM && sums.1 >= SUM;
    let skewness = sample.skewness();
    let even = !is_constant(sample) && COCHRAN * skewness * skewness <= n;
    if enough && even { Choice::StudentT } else { Choice::Bounded }
}

/// The interval of the mean by the rule, within the range.
///
/// # Errors
/// Fewer than five values; equal values whose range is not known; a level that is none.
pub fn automatic(sample: &Sample<'_>, range: Option<(f64, f64)>, level: f64) -> Result<Interval, NoInterval> {
    let found = match (choose(sample, range), range) {
        (Choice::StudentT, None) => return t(sample, level),
        (Choice::StudentT, Some(_)) => t(sample, level)?,
        (Choice::Bounded, Some(range)) => bounded(sample, range, level)?,
        (_, range) => proportion(sample, range.unwrap_or((0.0, 1.0)), level)?,
    };
    // A mean outside its range, as corrected scores may have it, has no interval inside.
    let inside = range.filter(|(least, greatest)| (least..=greatest).contains(&&sample.mean()));
    let Some((least, greatest)) = inside else { return Ok(found) };
    Ok(Interval { low: found.low.max(least), high: found.high.min(greatest), ..found })
}

/// Clopper and Pearson's interval of the share at the upper end.
fn proportion(sample: &Sample<'_>, (least, greatest): (f64, f64), level: f64) -> Result<Interval, NoInterval> {
    let have = sample.len();
    if have < super::HANDFUL {
        return Err(NoInterval::TooFew { have, need: super::HANDFUL });
    }
    let successes = sample.values().iter().filter(|&&value| value == greatest).count();
    let found = binomial::clopper_pearson(successes as u64, have as u64, level)?;
    let place = |share: f64| least + share * (greatest - least);
    Ok(Interval { low: place(found.low), high: place(found.high), ..found })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Method;

    const UNIT: Option<(f64, f64)> = Some((0.0, 1.0));

    /// Name, scores, their range, the interval.
    type Case = (&'static str, Vec<f64>, Option<(f64, f64)>, Choice);

    fn chosen(values: &[f64], range: Option<(f64, f64)>) -> Choice {
        choose(&Sample::new(values).unwrap(), range)
    }

    #[test]
    fn the_rule_case_by_case() {
        let zeros = |n: usize, rest: &[f64]| [vec![0.0; n], rest.to_vec()].concat();
        let cases: &[Case] = &[
            ("a proportion", zeros(7, &[1.0, 1.0, 1.0]), UNIT, Choice::ClopperPearson),
            ("no success in ten", zeros(10, &[]), UNIT, Choice::ClopperPearson),
            (
                "a proportion of another range",
                vec![-1.0, 1.0, 1.0, -1.0, 1.0],
                Some((-1.0, 1.0)),
                Choice::ClopperPearson,
            ),
            ("spread evenly", vec![0.2, 0.3, 0.4, 0.5, 0.6, 0.7], UNIT, Choice::StudentT),
            // .25 + .375 + .375 + .5 + .5 = 2 from below and 3 from above: just enough.
            ("sum of 2 from below", vec![0.25, 0.375, 0.375, 0.5, 0.5], UNIT, Choice::StudentT),
            ("sum below 2", vec![0.25, 0.375, 0.375, 0.375, 0.5], UNIT, Choice::Bounded),
            ("sum below 2 from above", vec![0.75, 0.625, 0.625, 0.625, 0.5], UNIT, Choice::Bounded),
            // Deviations −.3 five times and .5 three times: variance (5·.09 + 3·.25)/8 = .15, third moment (−5·.027 + 3·.125)/8 = .03,
            // G = .03/.15^1.5 = .5164, 25 G² = 6.67 ≤ 8.
            ("skewed a little", vec![0.1, 0.1, 0.1, 0.1, 0.1, 0.9, 0.9, 0.9], UNIT, Choice::StudentT),
            // −.2 six times and .6 twice: variance (6·.04 + 2·.36)/8 = .12, third moment (−6·.008 + 2·.216)/8 = .048, G = 1.1547, 25 G² = 33 > 8.
            ("skewed much", vec![0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.9, 0.9], UNIT, Choice::Bounded),
            ("equal scores", vec![0.4; 20], UNIT, Choice::Bounded),
            ("equal but for rounding", vec![0.1 + 0.2, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3], UNIT, Choice::Bounded),
            ("no range", zeros(9, &[5.0]), None, Choice::StudentT),
            ("no upper end", zeros(9, &[5.0]), Some((0.0, f64::INFINITY)), Choice::StudentT),
            ("a score outside", zeros(9, &[1.01]), UNIT, Choice::StudentT),
        ];
        for (name, values, range, expected) in cases {
            assert_eq!(chosen(values, *range), *expected, "{name}");
        }
    }

    #[test]
    fn no_success_in_ten_reaches_to_thirty_one_percent() {
        // 1 − .025^(1/10) = .3084971.
        let found = automatic(&Sample::new(&[0.0; 10]).unwrap(), UNIT, 0.95).unwrap();
        assert_eq!((found.low, found.method), (0.0, Method::ClopperPearson));
        assert!((found.high - 0.308_497_1).abs() < 1e-7);
        // In a range of 10 to 20 the same share of the way.
        let found = automatic(&Sample::new(&[10.0; 10]).unwrap(), Some((10.0, 20.0)), 0.95).unwrap();
        assert!((found.high - 13.084_971).abs() < 1e-6 && found.low == 10.0);
    }

    #[test]
    fn t_is_cut_at_the_range_and_unchanged_without_one() {
        let values = [0.2, 0.5, 0.9, 1.0, 0.4];
        let sample = Sample::new(&values).unwrap();
        let (plain, cut) = (t(&sample, 0.95).unwrap(), automatic(&sample, UNIT, 0.95).unwrap());
        // Mean .6, variance .46/4, standard error √(.115/5) = .1516575, times 2.7764451 = .4210688: the upper end is 1.02.
        assert!((plain.high - 1.021_068_8).abs() < 1e-6);
        assert_eq!((cut.low, cut.high, cut.method), (plain.low, 1.0, Method::StudentT));
        assert_eq!(automatic(&sample, None, 0.95), Ok(plain));
    }

    #[test]
    fn reasons() {
        let of = |values: &[f64], range| automatic(&Sample::new(values).unwrap(), range, 0.95).unwrap_err();
        assert_eq!(of(&[0.0, 1.0, 1.0], UNIT), NoInterval::TooFew { have: 3, need: 5 });
        assert_eq!(of(&[0.1, 0.2, 0.2], UNIT), NoInterval::TooFew { have: 3, need: 5 });
        assert_eq!(of(&[7.0; 9], None), NoInterval::Constant { value: 7.0 });
    }
}
