//! The uncertainty budget of the best two runs, or of the one there is.

use karat_data::Problems;
use karat_data::names::text;
use karat_report::{NumberStyle, Report};

use super::asked::FEW;
use super::{Question, Seen, seed};
use karat_analysis::budget::{self, Effort, Prices, budget};
use karat_analysis::scores::Setting;
use karat_analysis::unjudged::{NoBelief, Treatment, believe};

/// What was found, and of what.
pub(super) struct Found {
    /// The report of the study.
    pub report: Report,
    /// The runs' names.
    pub runs: Vec<String>,
    /// The measure's name.
    pub measure: String,
    /// The width that the advice is for.
    pub target: f64,
    /// Why that width.
    pub aim: String,
    /// How its number stands beside the comparison's; empty where they are one.
    pub beside: String,
}

/// Documents that the page lists as the next to judge.
const LISTED: usize = 10;

/// Asks; where the study refuses, says why. `places` are those of the runs in the source.
pub(super) fn ask(
    setting: &Setting<'_>,
    question: &Question<'_>,
    places: &[usize],
    seen: &mut Seen,
) -> Result<Result<Found, String>, Problems> {
    let first = seen.first();
    let Ok(measure) = setting.measures[first].spec().build() else { return Ok(Err("there is no measure".into())) };
    let pair = seen.pair();
    let chosen = if pair.0 == pair.1 { vec![places[pair.0]] } else { vec![places[pair.0], places[pair.1]] };
    if question.chances == Some(Treatment::Urn) {
        return Ok(Err(
            "a budget goes document by document, and the urn's documents hang together (--unjudged urn)".into()
        ));
    }
    let runs = (question.choose)(&chosen);
    let measures = [measure];
    let setting = Setting { measures: &measures, bounds: false, belief: None, ..*setting };
    // The model of the comparisons: fitted to all runs, unless those were too many for it.
    let all = if places.len() <= FEW { (question.choose)(places) } else { (question.choose)(&chosen) };
    let belief = || match question.no_bounds {
        Some(_) => Ok(None),
        None => {
            let treatment = question.chances.unwrap_or(Treatment::Fit);
            match believe(&setting, &*all, treatment, question.relevance_level, question.draws, seed(question)) {
                Err(NoBelief::Runs(problems)) => Err(problems),
                other => Ok(Some(other)),
            }
        }
    };
    let asked = |target: Option<f64>| -> Result<_, Problems> {
        let asked = budget::Question {
            level: question.level,
            target,
            prices: Prices::default(),
            belief: belief()?,
            no_bounds: question.no_bounds,
            provenance: karat_report::Provenance::default(),
            version: question.version,
            notes: Vec::new(),
        };
        // The runs were read before, so what is refused now is the question.
        Ok(budget(&setting, &*runs, asked))
    };
    let width = match asked(None)? {
        Err(problems) => return Ok(Err(reason(&problems))),
        Ok((_, found)) => (found.value, 2.0 * found.outlook.half_width(Effort::default())),
    };
    let (target, aim) = aim(width, chosen.len());
    let (report, budget) = match asked(Some(target))? {
        Err(problems) => return Ok(Err(reason(&problems))),
        Ok(found) => found,
    };
    let beside = beside(&budget, seen, chosen.len());
    let listed = budget.next.iter().take(LISTED);
    seen.next = listed.map(|next| (text(setting.qrels.name(next.topic)), text(&next.docno))).collect();
    let names = if chosen.len() == 1 { vec![pair.0] } else { vec![pair.0, pair.1] };
    let runs = names.into_iter().map(|run| seen.runs[run].clone()).collect();
    Ok(Ok(Found { report, runs, measure: seen.measures[first].clone(), target, aim, beside }))
}

/// Where unjudged documents move the difference, the budget is of another number than the verdict begins with.
fn beside(budget: &budget::Budget, seen: &Seen, runs: usize) -> String {
    let observed = seen.difference().filter(|observed| runs == 2 && (observed - budget.value).abs() >= 5e-5);
    observed.map_or_else(String::new, |observed| {
        let show = |value| NumberStyle::Score.show(value);
        format!(
            " It is of the difference with unjudged documents taken for what they probably are, {}, and of chance around that. As observed, with unjudged documents not \
             relevant, the difference is {}, and the verdict above wants both to agree: its interval holds both, and it may want more than this.",
            show(budget.value),
            show(observed)
        )
    })
}

/// A width worth having: one that would leave 0 out, were the difference to stay; else half of what it is.
fn aim((value, width): (f64, f64), runs: usize) -> (f64, String) {
    let decisive = 2.0 * value.abs();
    if runs == 2 && decisive < width && decisive > width / 20.0 {
        let rounded = (decisive * 1e4).floor() / 1e4;
        return (rounded.max(1e-4), "narrow enough to leave 0 out, were the difference to stay as it is".into());
    }
    (((width / 2.0) * 1e4).round().max(1.0) / 1e4, "half as wide as it is".into())
}

/// The reason in the words of the study.
fn reason(problems: &Problems) -> String {
    let all =
        problems.kept().iter().map(|problem| format!("expected {}, found {}", problem.expected, problem.found_text()));
    all.collect::<Vec<_>>().join("; ")
}
