//! Writes seeded synthetic qrels and runs of any size, shaped like a passage run of a large collection.
//!
//! The one decision: a file is a function of the arguments and the seed alone, topic by topic, so a benchmark can
//! be repeated on another machine from its command line. Scores have five decimals and stay below 36, so two of them
//! tie as `f32` exactly when they tie as `f64`: tools of either precision must agree on the ranking.
#![allow(clippy::print_stderr, reason = "a command-line tool reports its usage errors")]

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: generate --out DIR [--topics 50] [--depth 1000] [--judged 20] [--runs 1] [--seed 1] \
                     [--tag synth-1] [--shuffle]";

/// Documents per topic are drawn from this many identifiers (a power of two, near the size of MS MARCO v1).
const UNIVERSE_BITS: u32 = 23;
/// Topic identifiers spread up to about here, as MS MARCO's do.
const LARGEST_TOPIC: u64 = 1_100_000;
/// One row in this many repeats the score above it.
const TIE_EVERY: u64 = 200;

fn main() -> ExitCode {
    let done = Plan::from_arguments(std::env::args().skip(1))
        .and_then(|plan| plan.write().map_err(|error| format!("{}: {error}", plan.out.display())));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("generate: {message}");
            ExitCode::from(2)
        }
    }
}

/// What to write.
struct Plan {
    topics: u64,
    depth: u64,
    judged: u64,
    runs: u64,
    seed: u64,
    tag: String,
    shuffle: bool,
    out: PathBuf,
}

impl Plan {
    fn from_arguments(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut plan = Self {
            topics: 50,
            depth: 1000,
            judged: 20,
            runs: 1,
            seed: 1,
            tag: "synth-1".into(),
            shuffle: false,
            out: PathBuf::new(),
        };
        while let Some(name) = arguments.next() {
            if name == "--shuffle" {
                plan.shuffle = true;
                continue;
            }
            let value = arguments.next().ok_or_else(|| format!("{name} needs a value\n{USAGE}"))?;
            let number = || value.parse::<u64>().map_err(|_| format!("{name}: {value:?} is not a whole number"));
            match name.as_str() {
                "--topics" => plan.topics = number()?,
                "--depth" => plan.depth = number()?,
                "--judged" => plan.judged = number()?,
                "--runs" => plan.runs = number()?,
                "--seed" => plan.seed = number()?,
                "--tag" => plan.tag = value,
                "--out" => plan.out = value.into(),
                _ => return Err(format!("unknown option {name}\n{USAGE}")),
            }
        }
        if plan.out.as_os_str().is_empty() {
            return Err(format!("--out is missing\n{USAGE}"));
        }
        if plan.judged + plan.depth + 16 * plan.runs > 1 << UNIVERSE_BITS {
            return Err(format!("judged + depth + 16 x runs must stay below {}", 1_u64 << UNIVERSE_BITS));
        }
        Ok(plan)
    }

    fn write(&self) -> io::Result<()> {
        fs::create_dir_all(&self.out)?;
        self.write_qrels(&self.out.join("qrels.txt"))?;
        for run in 0..self.runs {
            self.write_run(run, &self.out.join(format!("run_{run:03}.run")))?;
        }
        Ok(())
    }

    fn write_qrels(&self, path: &Path) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
        let mut lines = Vec::new();
        for topic in self.topics() {
            lines.clear();
            for (document, grade) in topic.judgements(self.judged) {
                push_number(&mut lines, topic.id);
                lines.extend_from_slice(b" 0 ");
                push_number(&mut lines, document);
                lines.push(b' ');
                push_number(&mut lines, grade);
                lines.push(b'\n');
            }
            out.write_all(&lines)?;
        }
        out.flush()
    }

    fn write_run(&self, run: u64, path: &Path) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
        let mut lines = Vec::new();
        let mut rows = Vec::new();
        for topic in self.topics() {
            let mut random = Random::new(topic.seed ^ Random::new(run + 1).next());
            self.rank(&topic, run, &mut random, &mut rows);
            lines.clear();
            for &(document, rank, score) in &rows {
                push_number(&mut lines, topic.id);
                lines.extend_from_slice(b" Q0 ");
                push_number(&mut lines, document);
                lines.push(b' ');
                push_number(&mut lines, rank);
                lines.push(b' ');
                push_number(&mut lines, score / 100_000);
                lines.push(b'.');
                push_padded(&mut lines, score % 100_000);
                lines.push(b' ');
                lines.extend_from_slice(self.tag.as_bytes());
                lines.push(b'\n');
            }
            out.write_all(&lines)?;
        }
        out.flush()
    }

    /// One topic's rows as (document, rank, score in hundred-thousandths), best first unless shuffled.
    fn rank(&self, topic: &Topic, run: u64, random: &mut Random, rows: &mut Vec<(u64, u64, u64)>) {
        rows.clear();
        // Unjudged filler: neighbouring runs share most of theirs.
        rows.extend((0..self.depth).map(|row| (topic.document(self.judged + 16 * run + row), 0, 0)));
        // Judged documents replace fillers: relevant ones retrieved more often, and nearer the top.
        for (document, grade) in topic.judgements(self.judged) {
            let (found, height) = if grade > 0 { (0.8, 4) } else { (0.6, 2) };
            if random.unit() < found {
                let row = (random.unit().powi(height) * self.depth as f64) as usize;
                if let Some(row) = rows.get_mut(row) {
                    row.0 = document;
                }
            }
        }
        let mut score = 1_500_000 + random.below(2_000_000);
        let step = (score * 6 / 5 / self.depth.max(1)).clamp(1, score / 2);
        for (rank, row) in (1..).zip(rows.iter_mut()) {
            (row.1, row.2) = (rank, score);
            if random.below(TIE_EVERY) > 0 {
                score = score.saturating_sub(1 + random.below(step));
            }
        }
        if self.shuffle {
            for last in (1..rows.len()).rev() {
                rows.swap(last, random.below(last as u64 + 1) as usize);
            }
        }
    }

    fn topics(&self) -> impl Iterator<Item = Topic> {
        let mut random = Random::new(self.seed);
        let gap = (2 * LARGEST_TOPIC / self.topics.max(1)).saturating_sub(1).max(1);
        let mut id = 1;
        (0..self.topics).map(move |_| {
            id += 1 + random.below(gap);
            Topic { id, seed: random.next() }
        })
    }
}

/// A topic: its identifier, and the seed from which its documents and judgements follow.
struct Topic {
    id: u64,
    seed: u64,
}

impl Topic {
    /// The identifier of the topic's document at an index: distinct indices give distinct identifiers.
    fn document(&self, index: u64) -> u64 {
        let mask = (1 << UNIVERSE_BITS) - 1;
        // Adding, multiplying by an odd number and folding high bits onto low ones are each one-to-one on 23 bits.
        let mut bits = index.wrapping_add(self.seed) & mask;
        bits = bits.wrapping_mul(0x2545_F491) & mask;
        bits ^= bits >> 12;
        bits = bits.wrapping_mul(0x9E37_79B1) & mask;
        bits ^ (bits >> 11)
    }

    /// The judged documents with their grades: about a third relevant, 0..=3.
    fn judgements(&self, judged: u64) -> impl Iterator<Item = (u64, u64)> {
        let mut random = Random::new(self.seed);
        (0..judged).map(move |index| {
            let grade = match random.below(18) {
                0 => 3,
                1..=2 => 2,
                3..=5 => 1,
                _ => 0,
            };
            (self.document(index), grade)
        })
    }
}

/// Splitmix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`; the bias of the multiplication is below 2^-40 for the bounds used here.
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// A number in [0, 1).
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn push_number(out: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[first..]);
}

/// Five digits, with leading zeros.
fn push_padded(out: &mut Vec<u8>, mut number: u64) {
    let mut digits = [b'0'; 5];
    for digit in digits.iter_mut().rev() {
        *digit += (number % 10) as u8;
        number /= 10;
    }
    out.extend_from_slice(&digits);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn plan(shuffle: bool) -> Plan {
        let out = PathBuf::new();
        Plan { topics: 3, depth: 500, judged: 20, runs: 2, seed: 7, tag: "t".into(), shuffle, out }
    }

    #[test]
    fn documents_of_a_topic_are_distinct() {
        let topic = Topic { id: 1, seed: 0xDEAD_BEEF_0BAD_F00D };
        let seen: HashSet<u64> = (0..1 << 16).map(|index| topic.document(index)).collect();
        assert_eq!(seen.len(), 1 << 16);
    }

    #[test]
    fn a_run_has_no_duplicate_and_falls_in_score() {
        let plan = plan(false);
        for topic in plan.topics() {
            let mut rows = Vec::new();
            plan.rank(&topic, 1, &mut Random::new(topic.seed), &mut rows);
            let documents: HashSet<u64> = rows.iter().map(|row| row.0).collect();
            assert_eq!(documents.len(), 500);
            assert!(rows.windows(2).all(|pair| pair[0].2 >= pair[1].2), "scores must not rise");
        }
    }

    #[test]
    fn shuffling_keeps_the_rows() {
        let (sorted, shuffled) = (plan(false), plan(true));
        for topic in sorted.topics() {
            let (mut left, mut right) = (Vec::new(), Vec::new());
            sorted.rank(&topic, 0, &mut Random::new(5), &mut left);
            shuffled.rank(&topic, 0, &mut Random::new(5), &mut right);
            assert_ne!(left, right);
            right.sort_unstable_by_key(|row| row.1);
            assert_eq!(left, right);
        }
    }
}
