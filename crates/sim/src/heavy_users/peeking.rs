//! Looks at every day of an experiment with heavy-tailed users.

use karat_runtime::jobs::in_order;
use karat_stats::Seed;
use karat_stats::ab::{Look, NoAnswer, Running, Sequence};
use karat_stats::seed::Stream;

use super::draws::binomial;
use super::{HeavyUsers, HeavyWorld};
use crate::Arrival;

const ALPHA: f64 = 0.05;
const DAYS: usize = 14;

/// Shares of experiments with two arms of equal truth, looked at daily.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeavyPeeked {
    /// In which the interval for one look excluded 0 at any look.
    pub fixed: f64,
    /// In which the interval of the sequence, as it is shown, excluded 0 at any look.
    pub sequence: f64,
    /// In which it holds the truth at the end, among those with an interval.
    pub holds: f64,
    /// With any look that counts.
    pub looked: f64,
}

/// What happened on one day: whose row it is, in which arm, clicks and searches.
struct Row {
    day: usize,
    user: usize,
    arm: usize,
    clicks: u64,
    searches: u64,
}

impl HeavyWorld {
    /// How often a daily look finds a difference.
    ///
    /// # Errors
    /// The tuning point is none.
    pub fn peek(
        &self,
        users: (usize, usize),
        arrival: Arrival,
        tuning: u64,
        trials: usize,
        seed: Seed,
        threads: usize,
    ) -> Result<HeavyPeeked, NoAnswer> {
        let start = Sequence::new(1.0 - ALPHA, tuning)?;
        let seed = seed.child(self.name, (users.0 * 100_000 + users.1) as u64);
        let found = in_order(trials, threads, |trial| {
            let mut stream = seed.stream("daily looks", trial as u64);
            let mut rows = Vec::new();
            for (arm, (own, count)) in [(&self.control, users.0), (&self.treatment, users.1)].into_iter().enumerate() {
                for user in 0..count {
                    days_of(own, arrival, (user + arm * users.0, arm), &mut rows, &mut stream);
                }
            }
            rows.sort_by_key(|row| row.day);
            self.looks(&rows, users.0 + users.1, start)
        });
        let share = |of: fn(&HeavyPeeked) -> f64| found.iter().map(of).sum::<f64>() / trials.max(1) as f64;
        Ok(HeavyPeeked {
            fixed: share(|found| found.fixed),
            sequence: share(|found| found.sequence),
            holds: share(|found| found.holds) / share(|found| found.looked).max(f64::MIN_POSITIVE),
            looked: share(|found| found.looked),
        })
    }

    /// The looks at one experiment.
    fn looks(&self, rows: &[Row], users: usize, mut sequence: Sequence) -> HeavyPeeked {
        let mut so_far: Vec<Option<(f64, f64)>> = vec![None; users];
        let mut arms = [Running::default(); 2];
        let (mut fixed, mut any, mut last): (bool, bool, Option<Look>) = (false, false, None);
        for day in rows.chunk_by(|a, b| a.day == b.day) {
            for row in day {
                let before = so_far[row.user];
                let (clicks, searches) = before.unwrap_or((0.0, 0.0));
                let below = if self.per_user { 1.0 } else { searches + row.searches as f64 };
                let now = (clicks + row.clicks as f64, below);
                arms[row.arm].change(before, now);
                so_far[row.user] = Some(now);
            }
            let (Ok(a), Ok(b)) = (arms[0].ratio(), arms[1].ratio()) else { continue };
            let Some(look) = sequence.look(&a, &b) else { continue };
            let excludes = |interval: (f64, f64)| interval.0 > 0.0 || interval.1 < 0.0;
            fixed |= look.fixed.p < ALPHA;
            any |= look.interval.is_none_or(excludes);
            last = Some(look);
        }
        let flag = |flag: bool| f64::from(u8::from(flag));
        HeavyPeeked {
            fixed: flag(fixed),
            sequence: flag(any),
            holds: flag(last.is_some_and(|look| look.interval.is_some_and(|(low, high)| low <= 0.0 && 0.0 <= high))),
            looked: flag(last.is_some()),
        }
    }
}

/// The days of one user: all searches on the day of arrival, or spread over the days from then on.
fn days_of(
    users: &HeavyUsers,
    arrival: Arrival,
    (user, arm): (usize, usize),
    rows: &mut Vec<Row>,
    stream: &mut Stream,
) {
    let (mut left, rate) = users.user(stream);
    let first = stream.below(DAYS as u64) as usize;
    for day in first..DAYS {
        let searches = match arrival {
            Arrival::OneByOne => left,
            Arrival::ComeBack if day == first => 1 + binomial(left - 1, 1.0 / (DAYS - day) as f64, stream),
            Arrival::ComeBack => binomial(left, 1.0 / (DAYS - day) as f64, stream),
        };
        left -= searches;
        if searches > 0 {
            rows.push(Row { day, user, arm, clicks: binomial(searches, rate, stream), searches });
        }
        if left == 0 {
            return;
        }
    }
}
