//! Judging a share of the pool, again and again: the estimates, compared with MAP from all judgements.
//!
//! The one decision: one rate with all its samples is a cell. A cell depends on the seed, the collection, the rate and the number of samples, and on nothing
//! else, so that it can be kept and found again after an interruption, and threads cannot change it.

use karat_data::Judgement;
use karat_measures::Measure;
use karat_runtime::jobs::in_order;
use karat_stats::association::{kendall_tau, pearson, root_mean_square};
use karat_stats::seed::Stream;

use crate::collection::{Collection, Known, LEVEL, Topic, means, measure};
use crate::{Desk, Work};
use karat_analysis::draw::evenly;

/// Per cent of the pool.
pub const RATES: [u32; 17] = [1, 2, 3, 4, 5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100];
const QUICK_RATES: [u32; 5] = [1, 5, 10, 30, 100];

/// The estimates, as users type them.
pub const ESTIMATES: [&str; 3] = ["infAP", "Bpref10", "xinfAP"];

/// What an estimate's means over systems have to do with MAP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likeness {
    /// Kendall's tau (with ties, tau-b).
    pub tau: f64,
    /// Pearson's correlation.
    pub correlation: f64,
    /// Root mean square difference.
    pub rms: f64,
}

/// All samples at one rate.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Per cent of the pool.
    pub rate: u32,
    /// By sample, then estimate, then run.
    pub samples: Vec<Vec<Vec<f64>>>,
}

/// What came out.
#[derive(Debug)]
pub struct Found {
    /// MAP of each run with everything judged.
    pub map: Vec<f64>,
    /// By rate.
    pub cells: Vec<Cell>,
    /// Topics without a relevant document, which no sample can be drawn of.
    pub left_out: usize,
}

impl Found {
    /// How alike the samples of a cell are to MAP, by one estimate.
    pub fn likeness(&self, cell: &Cell, estimate: usize) -> Vec<Likeness> {
        let of = |sample: &Vec<Vec<f64>>| {
            let own = sample.get(estimate)?;
            Some(Likeness {
                tau: kendall_tau(own, &self.map)?,
                correlation: pearson(own, &self.map)?,
                rms: root_mean_square(own, &self.map)?,
            })
        };
        cell.samples.iter().filter_map(of).collect()
    }
}

/// Does the experiment; `None` where a measure is missing or there is nothing to do it on.
pub fn experiment(work: &Work<'_>, desk: &mut dyn Desk) -> Option<Found> {
    let ap = measure("AP")?;
    let estimates: Vec<Box<dyn Measure>> = ESTIMATES.iter().map(|name| measure(name)).collect::<Option<_>>()?;
    let collection = work.collection;
    let drawn: Vec<bool> = collection.topics.iter().map(|topic| topic.relevant() > 0).collect();
    let left_out = drawn.iter().filter(|drawn| !**drawn).count();
    if collection.runs.len() < 2 || left_out == drawn.len() {
        return None;
    }
    let map = mean_over(&collection.scores(ap.as_ref(), &collection.complete(), collection.runs.len()), &drawn);
    let rates: &[u32] = work.effort(&RATES, &QUICK_RATES);
    let samples: usize = work.effort(10, 3);
    let print = collection.fingerprint();
    let mut cells = Vec::new();
    for (done, &rate) in rates.iter().enumerate() {
        desk.progress(done, rates.len());
        let name = format!("inferred-ap-{print:016x}-{}-{rate}-{samples}", work.seed.0);
        let kept = desk.find(&name).and_then(|text| read(&text, rate, samples, collection.runs.len()));
        let cell = kept.unwrap_or_else(|| {
            let drawn = in_order(samples, work.threads, |sample| one(work, &estimates, &drawn, rate, sample));
            let cell = Cell { rate, samples: drawn };
            desk.keep(&name, &written(&cell));
            cell
        });
        cells.push(cell);
    }
    desk.progress(rates.len(), rates.len());
    Some(Found { map, cells, left_out })
}

/// The mean over topics that samples can be drawn of.
fn mean_over(scores: &[Vec<f64>], drawn: &[bool]) -> Vec<f64> {
    let kept = |own: &Vec<f64>| own.iter().zip(drawn).filter(|(_, drawn)| **drawn).map(|(score, _)| *score).collect();
    means(&scores.iter().map(kept).collect::<Vec<_>>())
}

/// One sample at one rate: each estimate's mean for each run.
fn one(work: &Work<'_>, estimates: &[Box<dyn Measure>], drawn: &[bool], rate: u32, sample: usize) -> Vec<Vec<f64>> {
    let collection: &Collection = work.collection;
    let streams = work.seed.child("inferred-ap", rate.into()).child("sample", sample as u64);
    let (plain, stratified) = (streams.streams("plain"), streams.streams("stratified"));
    let draw = |of: &dyn Fn(&Topic, u64) -> Known| -> Vec<Known> {
        collection.topics.iter().enumerate().map(|(at, topic)| of(topic, at as u64)).collect()
    };
    let evenly_drawn = draw(&|topic, at| uniform(topic, rate, &mut plain.at(at)));
    let by_strata = draw(&|topic, at| strata(topic, rate, &mut stratified.at(at)));
    let of = |measure: &dyn Measure| {
        let known = if measure.info().name == "xinfAP" { &by_strata } else { &evenly_drawn };
        mean_over(&collection.scores(measure, known, collection.runs.len()), drawn)
    };
    estimates.iter().map(|measure| of(measure.as_ref())).collect()
}

/// How many of so many are `rate` per cent, at least one.
fn share(count: usize, rate: u32) -> usize {
    (count * rate as usize).div_ceil(100).clamp(1, count.max(1))
}

/// `rate` per cent of the pool, each document as likely as any other; drawn again until one of them is relevant.
fn uniform(topic: &Topic, rate: u32, stream: &mut Stream) -> Known {
    let size = share(topic.grades.len(), rate);
    Known::new(until_relevant(topic, || evenly(topic.grades.len(), size, stream)), None)
}

/// As many documents, half of them of those that some run ranks tenth or better: two strata.
fn strata(topic: &Topic, rate: u32, stream: &mut Stream) -> Known {
    let groups: Vec<u32> = topic.shallow.iter().map(|&shallow| u32::from(!shallow)).collect();
    let sizes = [0, 1].map(|group| groups.iter().filter(|&&own| own == group).count());
    let wanted = allocation(sizes, share(topic.grades.len(), rate));
    let draw = || {
        let mut drawn = [evenly(sizes[0], wanted[0], stream), evenly(sizes[1], wanted[1], stream)].map(Vec::into_iter);
        groups.iter().map(|&group| drawn[group as usize].next().unwrap_or(false)).collect()
    };
    Known::new(until_relevant(topic, draw), Some(&groups))
}

/// How many to draw of each of two strata: half each, what one cannot give from the other, and at least one of each that has any.
fn allocation(sizes: [usize; 2], all: usize) -> [usize; 2] {
    let least = sizes.map(|size| size.min(1));
    let first = all.div_ceil(2).max(all.saturating_sub(sizes[1])).clamp(least[0], sizes[0]);
    [first, all.saturating_sub(first).clamp(least[1], sizes[1])]
}

fn until_relevant(topic: &Topic, mut draw: impl FnMut() -> Vec<bool>) -> Vec<Judgement> {
    let possible = topic.relevant() > 0;
    loop {
        let drawn = draw();
        let hit = drawn.iter().zip(&topic.grades).any(|(drawn, grade)| *drawn && grade.value() >= LEVEL);
        if hit || !possible {
            let judgement = |(drawn, grade): (&bool, &karat_data::Grade)| {
                if *drawn { Judgement::Grade(*grade) } else { Judgement::PooledUnjudged }
            };
            return drawn.iter().zip(&topic.grades).map(judgement).collect();
        }
    }
}

/// A cell as text: a line for each sample and estimate. Numbers are written so that they read back as they were.
fn written(cell: &Cell) -> String {
    let line = |numbers: &Vec<f64>| numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" ") + "\n";
    cell.samples.iter().flatten().map(line).collect()
}

/// The cell of a text; `None` where it is no whole one.
fn read(text: &str, rate: u32, samples: usize, runs: usize) -> Option<Cell> {
    let numbers = |line: &str| {
        line.split(' ').map(|number| number.parse().ok().filter(|n: &f64| n.is_finite())).collect::<Option<Vec<f64>>>()
    };
    let lines: Vec<Vec<f64>> = text.lines().map(numbers).collect::<Option<_>>()?;
    let whole = lines.len() == samples * ESTIMATES.len() && lines.iter().all(|line| line.len() == runs);
    whole.then(|| Cell { rate, samples: lines.chunks(ESTIMATES.len()).map(<[_]>::to_vec).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_data::Grade;
    use karat_stats::Seed;

    #[test]
    fn shares_and_strata_by_hand() {
        assert_eq!([share(300, 1), share(30, 1), share(7, 50), share(7, 100), share(1, 5)], [3, 1, 4, 7, 1]);
        // Half each; the small stratum gives what it has; at least one of each.
        assert_eq!(allocation([10, 90], 10), [5, 5]);
        assert_eq!(allocation([10, 90], 40), [10, 30]);
        assert_eq!(allocation([90, 10], 40), [30, 10]);
        assert_eq!(allocation([10, 90], 1), [1, 1]);
        assert_eq!(allocation([10, 0], 4), [4, 0]);
        assert_eq!(allocation([0, 9], 4), [0, 4]);
        assert_eq!(allocation([10, 90], 100), [10, 90]);
    }

    #[test]
    fn samples_have_a_relevant_document() {
        let grades: Vec<Grade> = (0..50).map(|at| if at == 17 { Grade::ONE } else { Grade::ZERO }).collect();
        let topic = Topic { shallow: (0..50).map(|at| at < 10).collect(), grades, lists: Vec::new() };
        for draw in 0..20 {
            let mut stream = Seed(1).stream("test", draw);
            let drawn = until_relevant(&topic, || evenly(50, 2, &mut stream));
            assert_eq!(drawn[17], Judgement::Grade(Grade::ONE));
            assert_eq!(drawn.iter().filter(|judgement| judgement.grade().is_some()).count(), 2);
        }
    }

    #[test]
    fn cells_read_back_as_they_were() {
        let cell = Cell { rate: 5, samples: vec![vec![vec![0.1, 1.0 / 3.0], vec![0.0, 1.0], vec![2e-17, 0.5]]; 2] };
        assert_eq!(read(&written(&cell), 5, 2, 2), Some(cell.clone()));
        assert_eq!(read(&written(&cell), 5, 3, 2), None);
        assert_eq!(read("0.1 x\n", 5, 2, 2), None);
        // A file cut short is no cell.
        let text = written(&cell);
        assert_eq!(read(&text[..text.len() - 8], 5, 2, 2), None);
    }
}
