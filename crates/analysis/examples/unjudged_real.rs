//! The second table of docs/guide/unjudged.md: real runs, judgements below rank 10 hidden, what each model says of the Mean RBP
//! that was hidden.
//!
//! `cargo run --release -p karat-analysis --example unjudged_real QRELS RUN...`
//!
//! Lists are taken without the documents nobody judged, so that what is hidden is known. Each run is looked at alone: its own
//! first ten ranks are all a model is fitted to.
#![allow(clippy::print_stdout, reason = "an example prints")]

use karat_analysis::unjudged::coverage::{Approach, replay};
use karat_analysis::unjudged::kind::EVERY;
use karat_data::rankings::each_topic;
use karat_data::{Policy, Ranking, TopicIndex};
use karat_formats::{Dialect, Input, RunFiles, detect, read_qrels};
use karat_measures::spec;

const JUDGED: usize = 10;
/// Lists are cut here: what RBP(p=0.8) has below weighs 2e-10.
const DEPTH: usize = 100;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let [qrels, runs @ ..] = names.as_slice() else { return Err("usage: unjudged_real QRELS RUN...".into()) };
    let input = |name: &String| {
        let path = name.clone();
        Input::new(name, move || Ok(Box::new(std::fs::File::open(&path)?)))
    };
    let (qrels, _) = read_qrels(&input(qrels), detect::QRELS, Dialect::Strict, 2).map_err(|error| error.to_string())?;
    let source = RunFiles::new(runs.iter().map(input).collect(), detect::RUN, Dialect::Strict);
    let policy = Policy { judged_only: true, ..Policy::default() };
    let ask = |_: TopicIndex, ranking: Ranking<'_>, lists: &mut Vec<Vec<bool>>| {
        lists.push(ranking.ranks.iter().take(DEPTH).map(|judgement| judgement.is_relevant(1.0)).collect());
    };
    let read = each_topic(&qrels, &source, &policy, 2, 1, ask).map_err(|error| error.to_string())?;
    let measure = spec::parse("RBP(p=0.8)", 1.0)?.build()?;
    println!(
        "| chances | runs | hidden, actual | hidden, expected | mean error | root mean square error | held (95%) |"
    );
    println!("|---|---|---|---|---|---|---|");
    for kind in EVERY {
        let (mut count, mut actual, mut predicted, mut squares, mut held) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for run in &read {
            // What is hidden must be there: lists with more than the judged ranks.
            let lists: Vec<Vec<bool>> =
                run.iter().map(|(_, lists)| lists[0].clone()).filter(|list| list.len() > JUDGED).collect();
            let Some(found) = replay(&lists, JUDGED, &Approach::Fitted(kind), measure.as_ref()) else { continue };
            count += 1.0;
            actual += found.truth - found.judged;
            predicted += found.point - found.judged;
            squares += (found.point - found.truth) * (found.point - found.truth);
            held += f64::from(u8::from(found.alone.0 <= found.truth && found.truth <= found.alone.1));
        }
        println!(
            "| {} | {count} | {:.4} | {:.4} | {:+.4} | {:.4} | {:.0}% |",
            kind.name,
            actual / count,
            predicted / count,
            (predicted - actual) / count,
            f64::sqrt(squares / count),
            100.0 * held / count
        );
    }
    Ok(())
}
