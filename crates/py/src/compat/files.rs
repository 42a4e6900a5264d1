//! The same from files: judgements and runs as trec_eval reads them, compressed or not.

use std::path::Path;

use karat_data::rankings::each_topic;
use karat_data::{Problems, Qrels, TopicIndex};
use karat_formats::{Dialect, Input, RUN_FORMATS, RunFiles, read_qrels, trec_qrels};

use super::kernel::Kernel;

/// A file on disk.
pub fn input(path: &Path) -> Input {
    let file = path.to_owned();
    Input::new(path.display().to_string(), move || Ok(Box::new(std::fs::File::open(&file)?)))
}

/// Judgements from a file.
///
/// # Errors
/// Everything wrong with it.
pub fn judgements(path: &Path, threads: usize) -> Result<Qrels, Problems> {
    Ok(read_qrels(&input(path), &trec_qrels::FORMAT, Dialect::TrecEval, threads)?.0)
}

/// The answers for a run from a file, by topic in byte order of their names.
///
/// # Errors
/// Everything wrong with it.
pub fn answers(kernel: &Kernel, path: &Path, threads: usize) -> Result<Vec<(TopicIndex, Vec<f64>)>, Problems> {
    let run = RunFiles::new(vec![input(path)], RUN_FORMATS[0], Dialect::TrecEval);
    let width = kernel.question.width();
    let found =
        each_topic(&kernel.qrels, &run, &kernel.policy, threads, width, |topic, ranking, out: &mut Vec<f64>| {
            let start = out.len();
            out.resize(start + width, 0.0);
            kernel.ask(topic, ranking, &mut out[start..]);
        })?;
    let topics = found.first().map(|run| run.iter().map(|(topic, values)| (topic, values.to_vec())).collect());
    Ok(topics.unwrap_or_default())
}
