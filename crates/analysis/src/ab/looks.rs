//! The comparison as it stood at every time, for those who look before the end.

use karat_stats::ab::{Look, NoAnswer, Ratio, Running, Sequence, Waiting, lift, waiting};
use schemars::JsonSchema;
use serde::Serialize;

use super::metric::Denominator;
use super::note::{AbNote, ComparisonName};
use super::rows::Observations;

/// The comparison at one time.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SequenceLook {
    /// The metric.
    pub metric: String,
    /// The arm.
    pub arm: String,
    /// Rows up to this time are in it.
    pub time: String,
    /// Units of the control so far.
    pub control_units: u64,
    /// Units of the arm so far.
    pub arm_units: u64,
    /// Value of the control so far.
    pub control_value: Option<f64>,
    /// Value of the arm so far.
    pub arm_value: Option<f64>,
    /// Value of the arm minus value of the control.
    pub difference: Option<f64>,
    /// Interval that is valid at all looks together: what the sequence's intervals up to this look have in common. Null when there are
    /// too few units, or when two of them exclude each other.
    pub interval: Option<(f64, f64)>,
    /// Interval that is valid for one look at a planned time, by Welch's t.
    pub interval_fixed: Option<(f64, f64)>,
    /// p-value that is valid at all looks together: the smallest so far.
    pub p: Option<f64>,
    /// p-value that is valid for one look at a planned time, by Welch's t.
    pub p_fixed: Option<f64>,
}

/// All looks at one comparison.
pub(super) struct Looks {
    pub(super) rows: Vec<SequenceLook>,
    /// The last look with enough units.
    pub(super) last: Option<Look>,
    /// What the last time still needs to be a look.
    pub(super) waiting: Option<Waiting>,
    /// What the lift's intervals of all looks have in common, and the last one by the delta method; none before the control is told from 0.
    pub(super) lift: Option<LiftLooks>,
    /// The time at which the sequence first excluded 0.
    decided: Option<String>,
    /// Looks at which the test for one look was significant.
    fixed_significant: usize,
}

/// Intervals of the lift, valid at all looks together.
#[derive(Debug, Clone, Copy)]
pub(super) struct LiftLooks {
    pub(super) common: (f64, f64),
    pub(super) delta: (f64, f64),
}

impl Looks {
    /// What they show.
    pub(super) fn note(&self, comparison: ComparisonName, control: &str) -> AbNote {
        if self.last.is_none() {
            return AbNote::NoLookYet { comparison, control: control.to_owned(), waiting: self.waiting };
        }
        AbNote::SequenceResult {
            comparison,
            decided: self.decided.clone(),
            fixed_significant: self.fixed_significant,
            looks: self.rows.iter().filter(|row| row.p.is_some()).count(),
        }
    }
}

/// Looks at one metric of one arm against the control.
pub(super) fn looks(
    observed: &Observations,
    metric: usize,
    (arm, name): (usize, &ComparisonName),
    place: &[usize],
    level: f64,
    tuning: u64,
) -> Result<Looks, NoAnswer> {
    let mut sequence = Sequence::new(level, tuning)?;
    let side = |own: usize| match own {
        0 => Some(0),
        own => (own == arm).then_some(1),
    };
    let mut sides = Sides::new(observed, metric, place, side, 2);
    let mut looks =
        Looks { rows: Vec::new(), last: None, waiting: None, lift: None, decided: None, fixed_significant: 0 };
    let alpha = 1.0 - level;
    for (time, shown) in observed.times.iter().enumerate() {
        sides.advance(time);
        let both = sides.running[0].ratio().ok().zip(sides.running[1].ratio().ok());
        let look = both.and_then(|(a, b)| sequence.look(&a, &b));
        looks.waiting = both.and_then(|(a, b)| waiting(&a, &b));
        if let (Some(look), Some((a, b))) = (look, both) {
            looks.last = Some(look);
            looks.add_lift(&a, &b, look.reach);
            looks.fixed_significant += usize::from(look.fixed.p < alpha);
            if look.p < alpha {
                looks.decided.get_or_insert_with(|| shown.clone());
            }
        }
        looks.rows.push(row(name, shown, &sides.running, both, look));
    }
    Ok(looks)
}

impl Looks {
    /// Fieller's interval with the reach of the sequence says what the sequence says of b − θ a: exactly at θ = 1, so that both exclude
    /// no effect together, and nearly at others.
    fn add_lift(&mut self, control: &Ratio, own: &Ratio, reach: (f64, f64)) {
        let (Ok(below), Ok(above)) = (lift(control, own, reach.0), lift(control, own, reach.1)) else { return };
        let (low, high) = self.lift.map_or((f64::NEG_INFINITY, f64::INFINITY), |so_far| so_far.common);
        let common = (low.max(below.interval.0), high.min(above.interval.1));
        self.lift = Some(LiftLooks { common, delta: (below.delta.0, above.delta.1) });
    }
}

/// The interval of each arm's value at the last time, valid at all looks together. An arm has half of the units that a comparison has,
/// so its sequence is tightest at half of the tuning point.
pub(super) fn arm_intervals(
    observed: &Observations,
    metric: usize,
    place: &[usize],
    level: f64,
    tuning: u64,
) -> Result<Vec<Option<(f64, f64)>>, NoAnswer> {
    let mut sequences = vec![Sequence::new(level, tuning.div_ceil(2))?; place.len()];
    let mut intervals = vec![None; place.len()];
    let mut sides = Sides::new(observed, metric, place, Some, place.len());
    for time in 0..observed.times.len() {
        sides.advance(time);
        for ((side, sequence), interval) in sides.running.iter().zip(&mut sequences).zip(&mut intervals) {
            *interval = side.ratio().ok().and_then(|ratio| sequence.value(&ratio));
        }
    }
    Ok(intervals)
}

fn row(
    name: &ComparisonName,
    time: &str,
    sides: &[Running],
    both: Option<(Ratio, Ratio)>,
    look: Option<Look>,
) -> SequenceLook {
    SequenceLook {
        metric: name.metric.clone(),
        arm: name.arm.clone(),
        time: time.to_owned(),
        control_units: sides[0].units(),
        arm_units: sides[1].units(),
        control_value: both.map(|(a, _)| a.value),
        arm_value: both.map(|(_, b)| b.value),
        difference: both.map(|(a, b)| b.value - a.value),
        interval: look.and_then(|look| look.interval),
        interval_fixed: look.map(|look| (look.fixed.interval.low, look.fixed.interval.high)),
        p: look.map(|look| look.p),
        p_fixed: look.map(|look| look.fixed.p),
    }
}

/// Arms, as rows come in.
struct Sides<'o, F> {
    observed: &'o Observations,
    metric: usize,
    place: &'o [usize],
    /// Which of the sums an arm's rows go to.
    side: F,
    so_far: Vec<Option<(f64, f64)>>,
    next: usize,
    running: Vec<Running>,
}

impl<'o, F: Fn(usize) -> Option<usize>> Sides<'o, F> {
    fn new(observed: &'o Observations, metric: usize, place: &'o [usize], side: F, sides: usize) -> Self {
        let so_far = vec![None; observed.arm.len()];
        Sides { observed, metric, place, side, so_far, next: 0, running: vec![Running::default(); sides] }
    }

    /// Adds the rows up to this time.
    fn advance(&mut self, time: usize) {
        let (observed, metrics) = (self.observed, self.observed.metrics.len());
        let over_units = observed.metrics[self.metric].denominator == Denominator::Units;
        while let Some(&(_, unit)) = observed.events.get(self.next).filter(|event| event.0 as usize <= time) {
            let unit = unit as usize;
            if let Some(side) = (self.side)(self.place[observed.arm[unit]]) {
                let (x, y) = observed.amounts[self.next * metrics + self.metric];
                let before = self.so_far[unit];
                let (x0, y0) = before.unwrap_or((0.0, 0.0));
                let now = (x0 + x, if over_units { 1.0 } else { y0 + y });
                self.running[side].change(before, now);
                self.so_far[unit] = Some(now);
            }
            self.next += 1;
        }
    }
}
