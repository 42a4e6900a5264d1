//! Agreement and Dawid-Skene from standard input, for the conformance scripts: lines `item judge grade`, numbers from 0 for items
//! and judges, separated by blanks.
//!
//! `judges agreement GRADE,GRADE,...` prints `coefficient<TAB>value`; `judges merge ROUNDS GRADE,GRADE,...` prints the seconds of the
//! fit on the first line, then for every item the probability of each grade.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;
use std::io::{Read, Write};

use karat_stats::agreement::{COEFFICIENTS, Counted, Labels};
use karat_stats::dawid_skene::{Options, fit};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["agreement", scale] => {
            let counted = Counted::new(&read(scale)?);
            for row in COEFFICIENTS {
                match counted.value(row) {
                    Ok(value) => println!("{}\t{value:?}", row.name),
                    Err(reason) => println!("{}\t{reason}", row.name),
                }
            }
            Ok(())
        }
        ["merge", rounds, scale] => {
            let labels = read(scale)?;
            let rounds = rounds.parse()?;
            let plain =
                Options { smoothing: 0.0, starts: 1, rounds, tolerance: f64::NEG_INFINITY, ..Options::default() };
            let start = std::time::Instant::now();
            let fitted = fit(&labels, &[], &plain)?;
            let mut out = std::io::BufWriter::new(std::io::stdout().lock());
            writeln!(out, "{}", start.elapsed().as_secs_f64())?;
            for item in 0..labels.items() {
                let line: Vec<String> = fitted.probabilities(item).iter().map(|p| format!("{p:?}")).collect();
                writeln!(out, "{}", line.join(" "))?;
            }
            Ok(out.flush()?)
        }
        _ => Err("expected: judges agreement GRADES, or judges merge ROUNDS GRADES".into()),
    }
}

fn read(scale: &str) -> Result<Labels, Box<dyn Error>> {
    let scale: Vec<f64> = scale.split(',').map(str::parse).collect::<Result<_, _>>()?;
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let mut items: Vec<Vec<(usize, f64)>> = Vec::new();
    let mut judges = 0;
    for line in text.lines() {
        let mut fields = line.split_ascii_whitespace();
        let mut next = || fields.next().ok_or_else(|| format!("line {line:?}: expected item, judge and grade"));
        let (item, judge, grade): (usize, usize, f64) = (next()?.parse()?, next()?.parse()?, next()?.parse()?);
        if item >= items.len() {
            items.resize_with(item + 1, Vec::new);
        }
        items[item].push((judge, grade));
        judges = judges.max(judge + 1);
    }
    let mut labels = Labels::new(&scale, judges)?;
    items.into_iter().try_for_each(|given| labels.push(given))?;
    Ok(labels)
}
