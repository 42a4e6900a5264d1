//! The comparison as it stood at every time, for those who look before the end.

use karat_stats::ab::{Look, NoAnswer, Ratio, Running, Sequence};
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
    /// Interval that is valid at all looks together; null when there are too few units.
    pub interval: Option<(f64, f64)>,
    /// Interval that is valid for one look at a planned time.
    pub interval_fixed: Option<(f64, f64)>,
    /// p-value that is valid at all looks together.
    pub p: Option<f64>,
    /// p-value that is valid for one look at a planned time.
    pub p_fixed: Option<f64>,
}

/// All looks at one comparison.
pub(super) struct Looks {
    pub(super) rows: Vec<SequenceLook>,
    /// The p-value at the last look with enough units.
    pub(super) last_p: Option<f64>,
    /// The time at which the sequence first excluded 0.
    decided: Option<String>,
    /// Looks at which the test for one look was significant.
    fixed_significant: usize,
}

impl Looks {
    /// What they show.
    pub(super) fn note(&self, comparison: ComparisonName) -> AbNote {
        if self.last_p.is_none() {
            return AbNote::NoLookYet(comparison);
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
    let mut sides = Sides::new(observed, metric, arm, place);
    let mut looks = Looks { rows: Vec::new(), last_p: None, decided: None, fixed_significant: 0 };
    let alpha = 1.0 - level;
    for (time, shown) in observed.times.iter().enumerate() {
        sides.advance(time);
        let ratios = sides.running.map(|side| side.ratio().ok());
        let both = ratios[0].zip(ratios[1]);
        let look = both.and_then(|(a, b)| sequence.look(&a, &b));
        if let Some(look) = look {
            looks.last_p = Some(look.p);
            looks.fixed_significant += usize::from(look.fixed.p < alpha);
            if look.p < alpha {
                looks.decided.get_or_insert_with(|| shown.clone());
            }
        }
        looks.rows.push(row(name, shown, &sides.running, both, look));
    }
    Ok(looks)
}

fn row(
    name: &ComparisonName,
    time: &str,
    sides: &[Running; 2],
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
        interval: look.map(|look| look.interval),
        interval_fixed: look.map(|look| (look.fixed.interval.low, look.fixed.interval.high)),
        p: look.map(|look| look.p),
        p_fixed: look.map(|look| look.fixed.p),
    }
}

/// Control and arm, as rows come in.
struct Sides<'o> {
    observed: &'o Observations,
    metric: usize,
    arm: usize,
    place: &'o [usize],
    so_far: Vec<Option<(f64, f64)>>,
    next: usize,
    running: [Running; 2],
}

impl<'o> Sides<'o> {
    fn new(observed: &'o Observations, metric: usize, arm: usize, place: &'o [usize]) -> Self {
        let so_far = vec![None; observed.arm.len()];
        Sides { observed, metric, arm, place, so_far, next: 0, running: [Running::default(); 2] }
    }

    /// Adds the rows up to this time.
    fn advance(&mut self, time: usize) {
        let (observed, metrics) = (self.observed, self.observed.metrics.len());
        let over_units = observed.metrics[self.metric].denominator == Denominator::Units;
        while let Some(&(_, unit)) = observed.events.get(self.next).filter(|event| event.0 as usize <= time) {
            let unit = unit as usize;
            let side = match self.place[observed.arm[unit]] {
                0 => Some(0),
                own => (own == self.arm).then_some(1),
            };
            if let Some(side) = side {
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
