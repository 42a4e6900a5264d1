//! Tests, corrections, associations and intervals from standard input, for the conformance scripts and the bench: one request a line,
//! one answer a line, in the same order.
//!
//! ```text
//! test NAME ALTERNATIVE DRAWS THREADS d d ...       statistic p
//! welch ALTERNATIVE N a a ... b b ...               statistic p
//! correct NAME p p ...                              adjusted ...
//! associate NAME N a a ... b b ...                  value
//! bca RESAMPLES LEVEL x x ...                       low high
//! tukey SYSTEMS DRAWS THREADS scores by system ...  p of each pair (1,0), (2,0), (2,1), (3,0) ...
//! max_t SYSTEMS DRAWS THREADS scores by system ...  the same
//! power N D ALPHA                                   power
//! effect LEVEL d d ...                              d low high
//! ```
//! What cannot be said is answered `- reason`. With the argument `seconds` each answer is preceded by the seconds it took.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;
use std::io::{Read, Write};

use karat_stats::association::{kendall_tau, pearson, root_mean_square, spearman, tau_a};
use karat_stats::interval::Bootstrap;
use karat_stats::max_t::MaxT;
use karat_stats::test::{self, Alternative, Settings};
use karat_stats::tukey::RandomisedTukey;
use karat_stats::two_way::TwoWay;
use karat_stats::{Sample, Seed, correction, effect, power};

type Answer = Result<Vec<f64>, Box<dyn Error>>;
type Request<'a> = (Vec<&'a str>, Vec<f64>);

fn main() -> Result<(), Box<dyn Error>> {
    let with_seconds = std::env::args().nth(1).is_some_and(|argument| argument == "seconds");
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in text.lines() {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let (request, numbers) = parse(&words)?;
        let start = std::time::Instant::now();
        let answer = answer(&request, &numbers);
        let seconds = start.elapsed().as_secs_f64();
        if with_seconds {
            write!(out, "{seconds:?} ")?;
        }
        match answer {
            Ok(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(|number| format!("{number:?}")).collect();
                writeln!(out, "{}", numbers.join(" "))?;
            }
            Err(reason) => writeln!(out, "- {reason}")?,
        }
    }
    Ok(out.flush()?)
}

/// Words up to the first number, then numbers.
fn parse<'a>(words: &[&'a str]) -> Result<Request<'a>, Box<dyn Error>> {
    let names = words.iter().take_while(|word| word.parse::<f64>().is_err()).count();
    let numbers = words[names..].iter().map(|word| word.parse()).collect::<Result<_, _>>()?;
    Ok((words[..names].to_vec(), numbers))
}

fn answer(request: &[&str], numbers: &[f64]) -> Answer {
    let few = || -> Box<dyn Error> { "too few numbers in the request".into() };
    match request {
        ["test", name, alternative] => {
            let row = test::find(name).ok_or("no such test")?;
            let [draws, threads, differences @ ..] = numbers else { return Err(few()) };
            let settings = Settings { permutations: *draws as u32, threads: *threads as usize, ..Settings::default() };
            let found = row.run(&Sample::new(differences)?, side(alternative)?, &settings)?;
            Ok(vec![found.statistic, found.p])
        }
        ["welch", alternative] => {
            let (first, second) = halves(numbers).ok_or_else(few)?;
            let row = test::find("welch").ok_or("no such test")?;
            let found = row.run_unpaired(&Sample::new(first)?, &Sample::new(second)?, side(alternative)?)?;
            Ok(vec![found.statistic, found.p])
        }
        ["correct", name] => Ok(correction::find(name).ok_or("no such correction")?.adjust(numbers)?),
        ["associate", name] => {
            let (a, b) = halves(numbers).ok_or_else(few)?;
            let value = match *name {
                "tau_b" => kendall_tau(a, b),
                "tau_a" => tau_a(a, b),
                "pearson" => pearson(a, b),
                "spearman" => spearman(a, b),
                "rms" => root_mean_square(a, b),
                _ => return Err("no such association".into()),
            };
            Ok(vec![value.ok_or("undefined")?])
        }
        ["bca"] => {
            let [resamples, level, values @ ..] = numbers else { return Err(few()) };
            let found = Bootstrap::new(&Sample::new(values)?, *resamples as u32, Seed(42))?.bca(*level)?;
            Ok(vec![found.low, found.high])
        }
        ["tukey"] => {
            let [systems, draws, threads, scores @ ..] = numbers else { return Err(few()) };
            let rows: Vec<&[f64]> = scores.chunks((scores.len() / (*systems as usize).max(1)).max(1)).collect();
            let table = TwoWay::new(&rows)?;
            let tukey = RandomisedTukey::new(&table, *draws as u32, Seed(42), *threads as usize)?;
            Ok((0..table.systems()).flat_map(|a| (0..a).map(move |b| (a, b))).map(|(a, b)| tukey.p(a, b)).collect())
        }
        ["max_t"] => {
            let [systems, draws, threads, scores @ ..] = numbers else { return Err(few()) };
            let rows: Vec<&[f64]> = scores.chunks((scores.len() / (*systems as usize).max(1)).max(1)).collect();
            let table = TwoWay::new(&rows)?;
            let pairs: Vec<(usize, usize)> = (0..table.systems()).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
            let test = MaxT::new(&table, &pairs, *draws as u32, Seed(42), *threads as usize)?;
            (0..pairs.len()).map(|place| Ok(test.p(place)?)).collect()
        }
        ["power"] => {
            let [n, d, alpha] = numbers else { return Err(few()) };
            Ok(vec![power::power(*n as u64, *d, *alpha)?])
        }
        ["effect"] => {
            let [level, differences @ ..] = numbers else { return Err(few()) };
            let found = effect::paired_d(&Sample::new(differences)?, *level)?;
            let interval = found.interval.ok_or("no interval")?;
            Ok(vec![found.d, interval.low, interval.high])
        }
        _ => Err("no such request".into()),
    }
}

fn side(name: &str) -> Result<Alternative, Box<dyn Error>> {
    let all = [Alternative::TwoSided, Alternative::Greater, Alternative::Less];
    Ok(all.into_iter().find(|side| side.name() == name).ok_or("no such alternative")?)
}

/// A count, so many numbers, and the others.
fn halves(numbers: &[f64]) -> Option<(&[f64], &[f64])> {
    let (count, numbers) = numbers.split_first()?;
    numbers.split_at_checked(*count as usize)
}
