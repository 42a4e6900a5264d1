//! Coverage and width of the default interval of `karat eval`, next to Student's t and the bootstrap.

use std::error::Error;

use karat_analysis::summary::{Inference, IntervalMethod, summarise};
use karat_measures::{MeasureInfo, Score, spec};
use karat_runtime::jobs;
use karat_stats::{Interval, Seed};

use super::worlds::{Collection, Population, TOPICS};

/// Every so manyeth sample gets a bootstrap interval, which takes long.
const BOOTSTRAPPED: usize = 10;
const RESAMPLES: u32 = 1000;

/// What the samples of a population, or of several, showed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    samples: f64,
    /// How often t holds the truth; without an interval it does not.
    t: f64,
    auto: f64,
    /// Samples with a t interval, and the sums of both widths over them.
    with_t: f64,
    t_width: f64,
    auto_width: f64,
    /// How often auto is t.
    is_t: f64,
    /// Samples with a bootstrap, how often it holds the truth, how often it is one, its width and that of t there.
    bootstrapped: f64,
    bca: f64,
    with_bca: f64,
    bca_width: f64,
    t_width_there: f64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.samples += other.samples;
        self.t += other.t;
        self.auto += other.auto;
        self.with_t += other.with_t;
        self.t_width += other.t_width;
        self.auto_width += other.auto_width;
        self.is_t += other.is_t;
        self.bootstrapped += other.bootstrapped;
        self.bca += other.bca;
        self.with_bca += other.with_bca;
        self.bca_width += other.bca_width;
        self.t_width_there += other.t_width_there;
    }

    /// How often t holds the truth.
    pub fn t_holds(&self) -> f64 {
        self.t / self.samples
    }

    /// How often the default interval does.
    pub fn auto_holds(&self) -> f64 {
        self.auto / self.samples
    }

    /// How often it is t.
    pub fn auto_is_t(&self) -> f64 {
        self.is_t / self.samples
    }

    /// Its mean width in those of t, over the samples with a t interval.
    pub fn relative_width(&self) -> f64 {
        self.auto_width / self.t_width
    }

    /// t, BCa, auto, widths of BCa and auto in those of t, mean width of t, share of t.
    fn cells(&self) -> String {
        let share =
            |part: f64, whole: f64| if whole > 0.0 { format!("{:.1}", 100.0 * part / whole) } else { "-".into() };
        let ratio = |part: f64, whole: f64| if whole > 0.0 { format!("{:.2}", part / whole) } else { "-".into() };
        let mark = if self.auto_holds() < 0.93 { " !" } else { "" };
        format!(
            "{} | {} | {}{mark} | {} | {} | {:.3} | {}",
            share(self.t, self.samples),
            if self.with_bca > 0.0 { share(self.bca, self.bootstrapped) } else { "-".into() },
            share(self.auto, self.samples),
            ratio(self.bca_width, self.t_width_there),
            ratio(self.auto_width, self.t_width),
            self.t_width / self.with_t.max(1.0),
            share(self.is_t, self.samples)
        )
    }
}

const HEADINGS: &str =
    "t holds % | BCa holds % | auto holds % | BCa width / t | auto width / t | t width | auto is t, %";

/// Samples of n topics of a population of scores of a measure.
pub fn measure(info: &MeasureInfo, population: &Population, n: usize, samples: usize, seed: Seed) -> Tally {
    let truth = population.mean();
    let mut tally = Tally { samples: samples as f64, ..Tally::default() };
    for index in 0..samples {
        let scores: Vec<Score> =
            population.draw(n, &mut seed.stream("topics", index as u64)).into_iter().map(Score::exact).collect();
        let interval = |method: IntervalMethod| -> Option<Interval> {
            let inference = Inference { method, level: 0.95, seed: Seed(index as u64) };
            summarise(info, &scores, &inference)?.0.interval
        };
        // The truth is a mean of many numbers and may be a hair off an end that is exact.
        let holds = |found: Option<Interval>| {
            f64::from(u8::from(found.is_some_and(|found| found.low - 1e-9 <= truth && truth <= found.high + 1e-9)))
        };
        let (t, auto) = (interval(IntervalMethod::StudentT), interval(IntervalMethod::Auto));
        tally.t += holds(t);
        tally.auto += holds(auto);
        tally.is_t += f64::from(u8::from(auto.is_some_and(|found| found.method.name() == "student_t")));
        if let (Some(t), Some(auto)) = (t, auto) {
            tally.with_t += 1.0;
            tally.t_width += t.width();
            tally.auto_width += auto.width();
        }
        if index % BOOTSTRAPPED == 0 {
            let bca = interval(IntervalMethod::Bca { resamples: RESAMPLES });
            tally.bootstrapped += 1.0;
            tally.bca += holds(bca);
            if let (Some(t), Some(bca)) = (t, bca) {
                tally.with_bca += 1.0;
                tally.bca_width += bca.width();
                tally.t_width_there += t.width();
            }
        }
    }
    tally
}

/// The table of shapes made here.
pub fn of_shapes(
    shapes: Vec<(&'static str, Population)>,
    samples: usize,
    threads: usize,
) -> Result<(), Box<dyn Error>> {
    println!("| measure | shape | mean | topics | {HEADINGS} |\n|---|---|---|---|{}", "---|".repeat(7));
    for (name, population) in shapes {
        let measured = spec::parse(name, 1.0)?;
        let info = measured.info();
        let found = jobs::in_order(TOPICS.len(), threads, |at| {
            measure(info, &population, TOPICS[at], samples, Seed(1).child(&population.name, TOPICS[at] as u64))
        });
        for (n, tally) in TOPICS.iter().zip(&found) {
            println!("| {name} | {} | {:.3} | {n} | {} |", population.name, population.mean(), tally.cells());
        }
    }
    Ok(())
}

/// The tables of a collection: runs in thirds by their mean, weakest first.
pub fn of_runs(collection: &Collection, samples: usize, threads: usize) -> Result<(), Box<dyn Error>> {
    println!(
        "| collection | measure | runs | means | topics | {HEADINGS} | lowest run, auto % |\n|---|---|---|---|---|{}",
        "---|".repeat(8)
    );
    for (measured, runs) in collection.measures.iter().zip(&collection.scores) {
        let (info, name) = (measured.info(), measured.spec().to_string());
        let mut runs: Vec<&Population> = runs.iter().filter(|run| run.mean() > 0.0).collect();
        runs.sort_by(|a, b| a.mean().total_cmp(&b.mean()));
        for (third, words) in ["weakest third", "middle third", "best third"].iter().enumerate() {
            let group = &runs[runs.len() * third / 3..runs.len() * (third + 1) / 3];
            for n in TOPICS {
                let found = jobs::in_order(group.len(), threads, |at| {
                    let seed = Seed(2).child(&format!("{} {name} {}", collection.name, group[at].name), n as u64);
                    measure(info, group[at], n, samples, seed)
                });
                let mut whole = Tally::default();
                found.iter().for_each(|tally| whole.add(tally));
                let lowest = found.iter().map(Tally::auto_holds).fold(1.0, f64::min);
                let means = group.first().zip(group.last()).map(|(least, most)| (least.mean(), most.mean()));
                let (least, most) = means.unwrap_or_default();
                println!(
                    "| {} | {name} | {words} ({}) | {least:.2}–{most:.2} | {n} | {} | {:.1} |",
                    collection.name,
                    group.len(),
                    whole.cells(),
                    100.0 * lowest
                );
            }
        }
    }
    Ok(())
}
