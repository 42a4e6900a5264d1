//! The uncertainty budget of the best two runs, or of the one there is.

use karat_analysis::budget::{Budget, BudgetError, BudgetOptions, Effort, Prices, budget};
use karat_analysis::scores::Setting;
use karat_analysis::unjudged::{ModelError, Treatment, fit_model};
use karat_data::{Problems, RunSource};
use karat_report::{NumberStyle, Report};

use super::evaluation::FEW;
use super::{PageOptions, Summary, seed};
use crate::Context;
use crate::budget::{problems, report};

/// What was found, and of what.
pub(super) struct Found {
    /// The report of the budget.
    pub report: Report,
    /// The runs' names.
    pub runs: Vec<String>,
    /// The measure's name.
    pub measure: String,
    /// The width that the advice is for.
    pub target: f64,
    /// Why that width.
    pub aim: &'static str,
    /// How its number compares with the comparison's; empty where they are the same.
    pub compared: String,
}

/// Documents that the page lists as the next to judge.
const LISTED: usize = 10;

/// The budget, or why there is none. `places` are those of the runs in the source.
pub(super) fn find_budget(
    setting: &Setting<'_>,
    page_options: &PageOptions<'_>,
    places: &[usize],
    summary: &mut Summary,
) -> Result<Result<Found, String>, Problems> {
    let first = summary.first();
    let Ok(measure) = setting.measures[first].spec().build() else { return Ok(Err("there is no measure".into())) };
    let pair = summary.pair();
    let chosen = if pair.0 == pair.1 { vec![places[pair.0]] } else { vec![places[pair.0], places[pair.1]] };
    if page_options.chances == Some(Treatment::Urn) {
        return Ok(Err("it needs independent documents; the urn model makes them dependent (--unjudged urn)".into()));
    }
    let measures = [measure];
    let setting = Setting { measures: &measures, bounds: false, relevance_model: None, ..*setting };
    // The model of the comparisons: fitted to all runs, unless those were too many for it.
    let fitted_to = if places.len() <= FEW { (page_options.choose)(places) } else { (page_options.choose)(&chosen) };
    let options = options(&setting, &fitted_to, page_options)?;
    let found = match budget(&setting, &(page_options.choose)(&chosen), &options) {
        // The runs were read before, so what is refused now are the options.
        Err(error) => return Ok(Err(reason(error))),
        Ok(found) => found,
    };
    let (target, aim) = aim(&found, chosen.len());
    let answer = found.answer(Some(target));
    let compared = compared(answer.value, summary, chosen.len());
    let listed = answer.next.iter().flatten().take(LISTED);
    summary.next = listed.map(|next| (next.topic.clone(), next.document.clone())).collect();
    let names = if chosen.len() == 1 { vec![pair.0] } else { vec![pair.0, pair.1] };
    let runs = names.into_iter().map(|run| summary.runs[run].clone()).collect();
    let context = Context { version: page_options.version, ..Context::default() };
    let report = report(answer, &[], page_options.no_bounds, context);
    Ok(Ok(Found { report, runs, measure: summary.measures[first].clone(), target, aim, compared }))
}

/// The options of the budget, with the relevance model.
fn options(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    page_options: &PageOptions<'_>,
) -> Result<BudgetOptions, Problems> {
    let model = match page_options.no_bounds {
        Some(_) => None,
        None => {
            let treatment = page_options.chances.unwrap_or(Treatment::Fit);
            match fit_model(
                &setting.model_data(),
                runs,
                treatment,
                page_options.relevance_level,
                page_options.draws,
                seed(page_options),
            ) {
                Err(ModelError::Runs(problems)) => return Err(problems),
                other => Some(other),
            }
        }
    };
    Ok(BudgetOptions {
        level: page_options.level,
        prices: Prices::default(),
        model,
        draws: None,
        seed: seed(page_options),
    })
}

/// Where unjudged documents move the difference, the budget is of another number than the verdict begins with.
fn compared(value: f64, summary: &Summary, runs: usize) -> String {
    if let Some((_, sampled)) = summary.sampled().find(|(measure, _)| runs == 2 && *measure == summary.first()) {
        let show = |value| NumberStyle::Score.show(value);
        let (leader, turned) = (summary.pair().0, sampled.pair.0 != summary.pair().0);
        let estimated = sampled.difference.observed;
        return format!(
            " This is about the difference under the relevance model, {}. The verdict above rests on sampled judgements, by which {} leads by {}; the budget does not use them.",
            show(value),
            summary.runs[leader],
            show(if turned { 0.0 - estimated } else { estimated })
        );
    }
    let observed = summary.difference().filter(|observed| runs == 2 && (observed - value).abs() >= 5e-5);
    observed.map_or_else(String::new, |observed| {
        let show = |value| NumberStyle::Score.show(value);
        format!(
            " This is about the difference under the relevance model, {}. The verdict above is about the one with unjudged documents as not \
             relevant, {}, and may need more effort than this.",
            show(value),
            show(observed)
        )
    })
}

/// A width worth having: one that would exclude 0 if the difference stayed; else half of what it is.
fn aim(found: &Budget<'_>, runs: usize) -> (f64, &'static str) {
    let (decisive, width) = (2.0 * found.value().abs(), 2.0 * found.outlook().half_width(Effort::default()));
    if runs == 2 && decisive < width && decisive > width / 20.0 {
        let rounded = (decisive * 1e4).floor() / 1e4;
        return (rounded.max(1e-4), "narrow enough to exclude 0 if the difference stays the same");
    }
    (((width / 2.0) * 1e4).round().max(1.0) / 1e4, "half the present width")
}

/// The reason why there is no budget.
fn reason(error: BudgetError) -> String {
    let all = problems(error);
    let all = all.kept().iter().map(|problem| format!("expected {}, found {}", problem.expected, problem.found_text()));
    all.collect::<Vec<_>>().join("; ")
}
