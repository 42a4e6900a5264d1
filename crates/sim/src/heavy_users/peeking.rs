//! Looks at every day of an experiment with heavy-tailed users.

use karat_runtime::jobs::in_order;
use karat_stats::Seed;
use karat_stats::ab::{Look, NoAnswer, Ratio, Running, Sequence};
use karat_stats::seed::Stream;

use super::draws::binomial;
use super::{HeavyUsers, HeavyWorld};
use crate::Arrival;

const ALPHA: f64 = 0.05;

/// Who is looked at, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Looks {
    /// Users of control and treatment.
    pub users: (usize, usize),
    /// How they come.
    pub arrival: Arrival,
    /// Looks, at equal distances.
    pub days: usize,
}

/// Shares of experiments with two arms of equal truth, looked at every day.
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
    /// In which the interval of one arm's own value excluded the truth at any look: of the arm where that is more frequent. None where
    /// the truth is not known, or moves as users come back.
    pub arm: Option<f64>,
}

/// What one experiment showed under one tuning point.
#[derive(Clone, Copy)]
struct Seen {
    sequence: Sequence,
    arms: [Sequence; 2],
    fixed: bool,
    any: bool,
    arm: [bool; 2],
    last: Option<Look>,
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
    /// How often looks find a difference, under each tuning point.
    ///
    /// # Errors
    /// A tuning point is none.
    pub fn peek<const N: usize>(
        &self,
        looks: Looks,
        tunings: [u64; N],
        trials: usize,
        seed: Seed,
        threads: usize,
    ) -> Result<[HeavyPeeked; N], NoAnswer> {
        let starts = tunings.map(Seen::new);
        for start in &starts {
            start.as_ref().map_err(|why| *why)?;
        }
        let starts: Vec<Seen> = starts.into_iter().flatten().collect();
        let seed = seed.child(self.name, (looks.users.0 * 100_000 + looks.users.1) as u64);
        let moves = self.per_user && looks.arrival == Arrival::ComeBack;
        let truth = self.truth().filter(|_| !moves);
        let found = in_order(trials, threads, |trial| {
            let mut stream = seed.stream("daily looks", trial as u64);
            self.looks(&self.rows(looks, &mut stream), looks.users.0 + looks.users.1, starts.clone(), truth)
        });
        Ok(std::array::from_fn(|at| {
            let seen: Vec<&Seen> = found.iter().filter_map(|trial| trial.get(at)).collect();
            HeavyPeeked { arm: truth.and(Some(wrong_arm(&seen))), ..summary(&seen) }
        }))
    }

    /// What happened, day by day.
    fn rows(&self, looks: Looks, stream: &mut Stream) -> Vec<Row> {
        let mut rows = Vec::new();
        let arms = [(&self.control, looks.users.0), (&self.treatment, looks.users.1)];
        for (arm, (own, count)) in arms.into_iter().enumerate() {
            for user in 0..count {
                days_of(own, looks, (user + arm * looks.users.0, arm), &mut rows, stream);
            }
        }
        rows.sort_by_key(|row| row.day);
        rows
    }

    /// The looks at one experiment.
    fn looks(&self, rows: &[Row], users: usize, mut seen: Vec<Seen>, truth: Option<f64>) -> Vec<Seen> {
        let mut so_far: Vec<Option<(f64, f64)>> = vec![None; users];
        let mut arms = [Running::default(); 2];
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
            seen.iter_mut().for_each(|seen| seen.look([&a, &b], truth));
        }
        seen
    }
}

impl Seen {
    fn new(tuning: u64) -> Result<Seen, NoAnswer> {
        let sequence = Sequence::new(1.0 - ALPHA, tuning)?;
        // As `karat ab` tunes them.
        let arm = Sequence::new(1.0 - ALPHA, tuning.div_ceil(2))?;
        Ok(Seen { sequence, arms: [arm; 2], fixed: false, any: false, arm: [false; 2], last: None })
    }

    fn look(&mut self, arms: [&Ratio; 2], truth: Option<f64>) {
        let excludes = |(low, high): (f64, f64), value: f64| low > value || high < value;
        for ((wrong, sequence), arm) in self.arm.iter_mut().zip(&mut self.arms).zip(arms) {
            *wrong |= truth.zip(sequence.value(arm)).is_some_and(|(truth, interval)| excludes(interval, truth));
        }
        let Some(look) = self.sequence.look(arms[0], arms[1]) else { return };
        self.fixed |= look.fixed.p < ALPHA;
        self.any |= look.interval.is_none_or(|interval| excludes(interval, 0.0));
        self.last = Some(look);
    }

    /// Whether the interval at the end holds the truth.
    fn holds(&self) -> bool {
        self.last.and_then(|look| look.interval).is_some_and(|(low, high)| low <= 0.0 && 0.0 <= high)
    }
}

fn share(seen: &[&Seen], of: &dyn Fn(&Seen) -> bool) -> f64 {
    seen.iter().filter(|one| of(one)).count() as f64 / seen.len().max(1) as f64
}

fn wrong_arm(seen: &[&Seen]) -> f64 {
    share(seen, &|one| one.arm[0]).max(share(seen, &|one| one.arm[1]))
}

fn summary(seen: &[&Seen]) -> HeavyPeeked {
    let share = |of: &dyn Fn(&Seen) -> bool| share(seen, of);
    let looked = share(&|one| one.last.is_some());
    HeavyPeeked {
        fixed: share(&|one| one.fixed),
        sequence: share(&|one| one.any),
        holds: share(&Seen::holds) / looked.max(f64::MIN_POSITIVE),
        looked,
        arm: None,
    }
}

/// The days of one user: all searches on the day of arrival, or spread over the days from then on.
fn days_of(
    users: &HeavyUsers,
    Looks { arrival, days, .. }: Looks,
    (user, arm): (usize, usize),
    rows: &mut Vec<Row>,
    stream: &mut Stream,
) {
    let (mut left, rate) = users.user(stream);
    let first = stream.below(days as u64) as usize;
    for day in first..days {
        let searches = match arrival {
            Arrival::OneByOne => left,
            Arrival::ComeBack if day == first => 1 + binomial(left - 1, 1.0 / (days - day) as f64, stream),
            Arrival::ComeBack => binomial(left, 1.0 / (days - day) as f64, stream),
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
