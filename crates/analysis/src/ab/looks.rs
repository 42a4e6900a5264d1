//! The comparison as it stood at every time, for who looks before the end.

use karat_report::{Audience, Column, NumberStyle, Table};
use karat_stats::ab::{Look, NoAnswer, Ratio, Running, Sequence};

use super::rows::{Denominator, Observations};
use super::threshold_text;

/// Looks that people see; the others are for programs.
const SHOWN: usize = 14;

/// What was seen at each time.
pub(super) struct Looks {
    /// For each time control and arm so far, and what the look shows, where it shows something.
    pub(super) all: Vec<At>,
    /// The last that shows something.
    pub(super) last: Option<Look>,
    /// The time at which the sequence first excluded 0.
    decided: Option<String>,
    /// Times with too few units.
    early: usize,
    alpha: f64,
}

/// The state at a time.
pub(super) struct At {
    pub(super) units: (u64, u64),
    pub(super) values: Option<(f64, f64)>,
    pub(super) look: Option<Look>,
}

impl Looks {
    /// What is to be said of them.
    pub(super) fn note(&self) -> Option<String> {
        let fixed = self.all.iter().filter_map(|at| at.look).filter(|look| look.fixed.p < self.alpha).count();
        let looks = self.all.len() - self.early;
        if self.last.is_none() {
            return Some("no look counts yet: too few units in an arm, or nothing varies".into());
        }
        let fixed =
            format!("the test for one look was below {} at {fixed} of {looks} looks", threshold_text(1.0 - self.alpha));
        Some(match &self.decided {
            Some(time) => format!("the confidence sequence excludes 0 from {time} on; {fixed}"),
            None => format!("the confidence sequence includes 0 at every look; {fixed}"),
        })
    }
}

/// Looks at one metric of one arm against the control.
pub(super) fn looks(
    observed: &Observations,
    metric: usize,
    arm: usize,
    place: &[usize],
    level: f64,
    tuning: u64,
) -> Result<Looks, NoAnswer> {
    let mut sequence = Sequence::new(level, tuning)?;
    let metrics = observed.metrics.len();
    let over_units = observed.metrics[metric].denominator == Denominator::Units;
    let mut so_far: Vec<Option<(f64, f64)>> = vec![None; observed.arm.len()];
    let mut sides = [Running::default(); 2];
    let mut looks = Looks { all: Vec::new(), last: None, decided: None, early: 0, alpha: 1.0 - level };
    let mut next = 0;
    for (time, name) in observed.times.iter().enumerate() {
        while let Some(&(_, unit)) = observed.events.get(next).filter(|event| event.0 as usize <= time) {
            let side = match place[observed.arm[unit as usize]] {
                0 => Some(0),
                own => (own == arm).then_some(1),
            };
            if let Some(side) = side {
                let (x, y) = observed.amounts[next * metrics + metric];
                let before = so_far[unit as usize];
                let (x0, y0) = before.unwrap_or((0.0, 0.0));
                let now = (x0 + x, if over_units { 1.0 } else { y0 + y });
                sides[side].change(before, now);
                so_far[unit as usize] = Some(now);
            }
            next += 1;
        }
        let ratios: [Option<Ratio>; 2] = sides.map(|side| side.ratio().ok());
        let both = ratios[0].zip(ratios[1]);
        let look = both.and_then(|(a, b)| sequence.look(&a, &b));
        looks.early += usize::from(look.is_none());
        if let Some(look) = look {
            looks.last = Some(look);
            if look.p < looks.alpha && looks.decided.is_none() {
                looks.decided = Some(name.clone());
            }
        }
        let units = (sides[0].units(), sides[1].units());
        looks.all.push(At { units, values: both.map(|(a, b)| (a.value, b.value)), look });
    }
    Ok(looks)
}

/// All looks for programs, and the last of them for people.
pub(super) fn tables(
    observed: &Observations,
    names: &[String],
    all: &[(usize, usize, &Looks)],
    level: f64,
) -> Vec<Table> {
    let percent = crate::eval::percent(level);
    let make = |title: String, audience: Audience, id: &'static str| {
        Table::new(id, title)
            .audience(audience)
            .column("metric", "metric")
            .column("arm", "arm")
            .column("time", "up to")
            .column("control_units", names[0].clone())
            .column("arm_units", "units of the arm")
            .with(Column::new("control_value", "").data_only())
            .with(Column::new("arm_value", "").data_only())
            .column("difference", "difference")
            .with(Column::new("interval", format!("{percent} at any look")).range())
            .with(Column::new("interval_fixed", format!("{percent} at one look")).range())
            .with(Column::new("p", "p at any look").style(NumberStyle::P))
            .with(Column::new("p_fixed", "p at one look").style(NumberStyle::P))
    };
    let mut data = make(String::new(), Audience::Data, "sequence");
    let times = observed.times.len();
    let title = if times > SHOWN { format!("The last {SHOWN} of {times} looks") } else { "Looks".to_owned() };
    let mut people = make(title, Audience::People, "sequence_shown");
    for &(metric, arm, looks) in all {
        for (at, (time, state)) in observed.times.iter().zip(&looks.all).enumerate() {
            let look = state.look;
            let row = [
                observed.metrics[metric].name.as_str().into(),
                names[arm].as_str().into(),
                time.as_str().into(),
                state.units.0.into(),
                state.units.1.into(),
                state.values.map(|values| values.0).into(),
                state.values.map(|values| values.1).into(),
                state.values.map(|values| values.1 - values.0).into(),
                look.map(|look| look.interval).into(),
                look.map(|look| (look.fixed.interval.low, look.fixed.interval.high)).into(),
                look.map(|look| look.p).into(),
                look.map(|look| look.fixed.p).into(),
            ];
            if at + SHOWN >= times {
                people.push(row.clone());
            }
            data.push(row);
        }
    }
    vec![people, data]
}
