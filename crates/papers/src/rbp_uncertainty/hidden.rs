//! The question the paper leaves open: how to choose q. On the collection's runs judgements below rank 10 are hidden, and what each
//! model expects of them is compared with what they were.
//!
//! One model with all its runs is a cell, kept against interruptions as those of inferred AP are.

use karat_data::NO_DOCUMENT;
use karat_report::{Axis, Figure, Mark, Panel, Table};
use karat_runtime::jobs::in_order;

use crate::answer::HiddenJudgements;
use crate::collection::{LEVEL, measure};
use crate::{Desk, Outcome, QUICK_RUNS, Work};
use karat_analysis::unjudged::coverage::{Approach, Replayed, replay};
use karat_analysis::unjudged::kind::EVERY;

/// Ranks that stay judged.
const JUDGED: usize = 10;
/// Lists are cut here: what RBP(p=0.8) has below weighs 2e-10.
const DEPTH: usize = 100;

/// Adds the table and the figure.
pub(super) fn hidden(work: &Work<'_>, desk: &mut dyn Desk, outcome: &mut Outcome) {
    let Some(rbp) = measure("RBP(p=0.8)") else { return };
    let runs = work.effort(work.collection.runs.len(), QUICK_RUNS.min(work.collection.runs.len()));
    let print = work.collection.fingerprint();
    let mut found = Vec::new();
    for (done, kind) in EVERY.iter().enumerate() {
        desk.progress(done, EVERY.len());
        let name = format!("hidden-{print:016x}-{}-{runs}", kind.name);
        let kept = desk.find(&name).and_then(|text| read(&text, runs));
        let replayed = kept.unwrap_or_else(|| {
            let replayed = in_order(runs, work.threads, |run| {
                replay(&lists(work, run), JUDGED, &Approach::Fitted(kind), rbp.as_ref())
            });
            desk.keep(&name, &written(&replayed));
            replayed
        });
        let fitted = replayed.into_iter().zip(&work.collection.runs);
        let fitted = fitted.filter_map(|(replayed, run)| Some((run.as_str(), replayed?))).collect();
        found.push(Prediction { model: kind.name, runs: fitted });
    }
    desk.progress(EVERY.len(), EVERY.len());
    outcome.experiments.hidden = Some(found.iter().map(Prediction::row).collect());
    outcome.figures.push(figure(&found));
    outcome.notes.push(
        "hidden: unjudged documents are removed from the lists first, so that the hidden relevance is known. Each model is fitted to the first ten ranks of the run only".into(),
    );
}

/// What a model expects below rank 10 of the runs it can be fitted to.
struct Prediction<'a> {
    model: &'static str,
    runs: Vec<(&'a str, Replayed)>,
}

impl Prediction<'_> {
    fn row(&self) -> HiddenJudgements {
        let count = self.runs.len() as f64;
        let mean = |of: &dyn Fn(&Replayed) -> f64| self.runs.iter().map(|(_, found)| of(found)).sum::<f64>() / count;
        let (actual, expected) = (mean(&|found| found.truth - found.judged), mean(&|found| found.point - found.judged));
        HiddenJudgements {
            model: self.model,
            runs: self.runs.len(),
            actual,
            expected,
            error: expected - actual,
            rms: mean(&|found| (found.point - found.truth).powi(2)).sqrt(),
            bound: bound(),
            held: mean(&|found| f64::from(u8::from(found.alone.0 <= found.truth && found.truth <= found.alone.1))),
        }
    }
}

/// What ranks below 10 can add to RBP at most: p^10.
fn bound() -> f64 {
    0.8f64.powi(JUDGED as i32)
}

/// One panel per model, one point per run.
fn figure(found: &[Prediction<'_>]) -> Figure {
    let mut figure = Figure::new("rbp-uncertainty-hidden", "Hidden relevance, actual and expected", 3)
        .subtitle("one point per run; on the diagonal the model is exact")
        .reading("Horizontal: Mean RBP of the judgements hidden below rank 10. Vertical: its expected value under a model fitted to the first ten ranks. One panel per model.");
    let mut rows = Table::new("hidden_points", "")
        .column("model", "model")
        .column("run", "run")
        .column("actual", "actual")
        .column("expected", "expected");
    let bound = bound();
    for Prediction { model, runs } in found {
        let mut panel = Panel::new(*model, Axis::new("actual", 0.0, bound), Axis::new("expected", 0.0, bound));
        panel = panel.line(karat_report::figure::GREY, "", true, vec![(0.0, 0.0), (bound, bound)]);
        for (run, found) in runs {
            let at = (found.truth - found.judged, found.point - found.judged);
            panel = panel.mark(Mark::point(0, at).named(*run));
            rows.push([(*model).into(), (*run).into(), at.0.into(), at.1.into()]);
        }
        figure = figure.panel(panel);
    }
    figure.rows(rows)
}

/// A run's lists of judged documents, relevant or not, where there is something to hide.
fn lists(work: &Work<'_>, run: usize) -> Vec<Vec<bool>> {
    let topics = work.collection.topics.iter();
    let list = |topic: &crate::collection::Topic| -> Vec<bool> {
        let judged = topic.lists[run].iter().filter(|&&document| document != NO_DOCUMENT).take(DEPTH);
        judged.map(|&document| topic.grades[document as usize].value() >= LEVEL).collect()
    };
    topics.map(list).filter(|list| list.len() > JUDGED).collect()
}

/// A cell as text: a line for each run, empty where a model could not be fitted. Numbers are written so that they read back as they were.
fn written(found: &[Option<Replayed>]) -> String {
    let line = |found: &Option<Replayed>| {
        let numbers = found.map(|Replayed { judged, point, truth, alone, whole }| {
            [judged, point, truth, alone.0, alone.1, whole.0, whole.1].map(|number| number.to_string()).join(" ")
        });
        numbers.unwrap_or_default() + "\n"
    };
    found.iter().map(line).collect()
}

/// The cell of a text; `None` where it is no whole one.
fn read(text: &str, runs: usize) -> Option<Vec<Option<Replayed>>> {
    let line = |line: &str| {
        if line.is_empty() {
            return Some(None);
        }
        let finite = |number: &str| number.parse().ok().filter(|n: &f64| n.is_finite());
        let numbers: Vec<f64> = line.split(' ').map(finite).collect::<Option<_>>()?;
        let [judged, point, truth, low, high, whole_low, whole_high] = numbers[..] else { return None };
        Some(Some(Replayed { judged, point, truth, alone: (low, high), whole: (whole_low, whole_high) }))
    };
    let found: Vec<Option<Replayed>> = text.lines().map(line).collect::<Option<_>>()?;
    (found.len() == runs && text.ends_with('\n')).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_read_back_as_they_were() {
        let one = Replayed { judged: 0.1, point: 1.0 / 3.0, truth: 2e-17, alone: (0.0, 1.0), whole: (-0.5, 0.5) };
        let found = vec![Some(one), None, Some(one)];
        let text = written(&found);
        assert_eq!(read(&text, 3), Some(found));
        assert_eq!((read(&text, 2), read(&text[..text.len() - 5], 3), read("0.1 x\n", 1)), (None, None, None));
    }
}
