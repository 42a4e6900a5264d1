//! The floor: the least work with which a run can be read and scored. Everything else is measured against it.
//!
//! It reads runs in blocks cut at topic boundaries, splits fields, parses the score, looks the document up among the
//! topic's judgements, orders each topic by (score down, document down) and prints the means of AP, nDCG@10 and RR.
//! The one decision: no checks and no generality. Lines of a topic must be adjacent, lines have no leading
//! blanks and all their fields, files are well-formed; anything else gives a wrong number or a panic.
#![allow(clippy::print_stderr, reason = "a command-line tool reports its errors")]

mod block;
mod line;
mod qrels;
mod topic;

use std::fs::{self, File};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use block::Block;
use qrels::Qrels;
use topic::{Scorer, Sums};

const USAGE: &str = "usage: floor [--threads 2] [--block 256 (KiB)] [--only-read] QRELS RUN...";

fn main() -> ExitCode {
    let done = Options::from_arguments(std::env::args().skip(1)).and_then(|options| {
        let sums = evaluate(&options).map_err(|error| error.to_string())?;
        print(&options, &sums, &mut io::stdout().lock()).map_err(|error| error.to_string())
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("floor: {message}");
            ExitCode::from(2)
        }
    }
}

struct Options {
    threads: usize,
    block: usize,
    only_read: bool,
    qrels: String,
    runs: Vec<String>,
}

impl Options {
    fn from_arguments(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let (mut threads, mut block, mut only_read, mut paths) = (2, 256, false, Vec::new());
        while let Some(argument) = arguments.next() {
            let mut number = || arguments.next().and_then(|value| value.parse::<usize>().ok()).ok_or(USAGE);
            match argument.as_str() {
                "--threads" => threads = number()?.max(1),
                "--block" => block = number()?,
                "--only-read" => only_read = true,
                _ => paths.push(argument),
            }
        }
        if paths.len() < 2 {
            return Err(USAGE.into());
        }
        let runs = paths.split_off(1);
        Ok(Self { threads, block: block << 10, only_read, qrels: paths.remove(0), runs })
    }
}

fn print(options: &Options, sums: &[Sums], out: &mut impl Write) -> io::Result<()> {
    for (run, sums) in options.runs.iter().zip(sums) {
        if options.only_read {
            writeln!(out, "{run}\trows {}\tsum of scores {}", sums.rows, sums.scores)?;
        } else {
            let [precision, gain, reciprocal] = sums.means();
            writeln!(out, "{run}\tAP {precision:.10}\tnDCG@10 {gain:.10}\tRR {reciprocal:.10}")?;
        }
    }
    Ok(())
}

/// Every block of every run is a task; threads take the next until none is left. The sums of a run are added in the
/// order of its blocks, so the answer does not depend on the threads.
fn evaluate(options: &Options) -> io::Result<Vec<Sums>> {
    let qrels = Qrels::load(&options.qrels, options.threads)?;
    let mut tasks = Vec::new();
    for (run, path) in options.runs.iter().enumerate() {
        let bytes = fs::metadata(path)?.len();
        let blocks = bytes.div_ceil(options.block as u64).max(1);
        tasks.extend((0..blocks).map(|block| (run, bytes * block / blocks, bytes * (block + 1) / blocks, bytes)));
    }
    let next = AtomicUsize::new(0);
    let done = in_parallel(options.threads, |_| -> io::Result<Vec<(usize, Sums)>> {
        let (mut block, mut scorer, mut done) = (Block::default(), Scorer::default(), Vec::new());
        let mut open: Option<(usize, File)> = None;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(&(run, from, to, length)) = tasks.get(number) else { break };
            let file = match open.take() {
                Some((opened, file)) if opened == run => file,
                _ => File::open(&options.runs[run])?,
            };
            let lines = block.read(&file, from..to, length)?;
            let sums = if options.only_read {
                topic::read_only(&block.bytes, lines)
            } else {
                scorer.score(&block.bytes, lines, &qrels)
            };
            done.push((number, sums));
            open = Some((run, file));
        }
        Ok(done)
    });
    let mut by_task = vec![Sums::default(); tasks.len()];
    for (number, sums) in done.into_iter().collect::<io::Result<Vec<_>>>()?.into_iter().flatten() {
        by_task[number] = sums;
    }
    let mut by_run = vec![Sums::default(); options.runs.len()];
    for (task, sums) in tasks.iter().zip(&by_task) {
        by_run[task.0].add(sums);
    }
    Ok(by_run)
}

/// Runs `work` once per thread with the thread's number, the first on this thread.
fn in_parallel<T: Send>(threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let work = &work;
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|number| scope.spawn(move || work(number))).collect();
        let mut results = vec![work(0)];
        for other in others {
            results.push(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        results
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    /// Files in a directory of their own, removed at the end.
    struct Files(PathBuf);

    impl Files {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("karat-floor-{}-{name}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn write(&self, name: &str, text: &str) -> String {
            let path = self.0.join(name);
            fs::write(&path, text).unwrap();
            path.display().to_string()
        }
    }

    impl Drop for Files {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn means(options: &Options) -> [f64; 3] {
        evaluate(options).unwrap()[0].means()
    }

    // Topic 1, by score: d1 (0), d4 (unjudged), then the tie at 2.0, docno descending: d3 (2) before d2 (1).
    //   relevant: d2, d3, d5 (3, not retrieved), so R = 3. Relevant at ranks 3 and 4.
    //   AP = (1/3 + 2/4) / 3 = 5/18.
    //   DCG@10 = 2/log2(4) + 1/log2(5); ideal 3/log2(2) + 2/log2(3) + 1/log2(4).  RR = 1/3.
    // Topic 20: d9 (1) at rank 1, then a longer list; R = 1. AP = nDCG = RR = 1.
    // Topic 3: no relevant document: 0, 0, 0. Topic 4 is not in the run, topic 5 not in the qrels: not counted.
    const QRELS: &str = "1 0 d1 0\n1 0 d2 1\n1 0 d3 2\n1 0 d5 3\n20 0 d9 1\n20 0 dd 0\n3 0 d1 0\n4 0 d1 1\n";
    const RUN: &str = "1 Q0 d2 1 2.0 t\n1 Q0 d1 2 4.5 t\n1 Q0 d4 3 3e0 t\n1\tQ0  d3 4 2.0 t\r\n\
                       20 Q0 d9 1 9 t\n20 Q0 dd 2 8 t\n20 Q0 a-very-long-document-name-of-more-than-64-bytes-which-\
                       takes-the-slow-path 3 7 t\n3 Q0 d1 1 1 t\n5 Q0 d1 1 1 t\n";

    fn expected() -> [f64; 3] {
        let gain = 2.0 / 4_f64.log2() + 1.0 / 5_f64.log2();
        let ideal = 3.0 / 2_f64.log2() + 2.0 / 3_f64.log2() + 1.0 / 4_f64.log2();
        [(5.0 / 18.0 + 1.0) / 3.0, (gain / ideal + 1.0) / 3.0, (1.0 / 3.0 + 1.0) / 3.0]
    }

    #[test]
    fn three_means_of_a_hand_made_run() {
        let files = Files::new("hand");
        let (qrels, run) = (files.write("qrels", QRELS), files.write("run", RUN));
        let options = Options { threads: 2, block: 1 << 18, only_read: false, qrels, runs: vec![run] };
        for (found, expected) in means(&options).iter().zip(expected()) {
            assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
        }
    }

    /// Wherever the blocks are cut, and with any number of threads, every topic is scored once.
    #[test]
    fn blocks_do_not_change_the_means() {
        let files = Files::new("blocks");
        let (qrels, run) = (files.write("qrels", QRELS), files.write("run", RUN));
        let whole = Options { threads: 1, block: 1 << 18, only_read: false, qrels, runs: vec![run] };
        for threads in 1..4 {
            for block in 1..RUN.len() {
                let cut = Options { threads, block, qrels: whole.qrels.clone(), runs: whole.runs.clone(), ..whole };
                assert_eq!(evaluate(&cut).unwrap()[0].rows, 8, "block of {block}");
                for (cut, whole) in means(&cut).iter().zip(means(&whole)) {
                    assert!((cut - whole).abs() < 1e-12, "block of {block}: {cut} is not {whole}");
                }
            }
        }
    }

    #[test]
    fn only_reading_counts_rows_and_adds_scores() {
        let files = Files::new("read");
        let (qrels, run) = (files.write("qrels", QRELS), files.write("run", RUN));
        let options = Options { threads: 2, block: 50, only_read: true, qrels, runs: vec![run] };
        let sums = evaluate(&options).unwrap()[0];
        // 2 + 4.5 + 3 + 2 + 9 + 8 + 7 + 1 + 1 = 37.5
        assert_eq!((sums.rows, sums.scores), (9, 37.5));
    }
}
