//! Finds what a reader of the scores must know: undefined topics, missing intervals and bounds.

use karat_data::Ties;
use karat_measures::{BoundsKind, Measure, Tightness};
use karat_stats::interval::NoInterval;

use super::notes::{EvalNote, ModelNote, OutOfRangeReason};
use super::row::Row;
use super::{EvalOptions, IntervalMethod};
use crate::scores::{RunScores, Setting};
use crate::settle::estimate::NoSample;
use crate::topic_notes::RunGroup;
use crate::unjudged::RelevanceModel;

/// All that the rows show, by run and measure.
pub(super) struct Observed<'a> {
    pub(super) setting: &'a Setting<'a>,
    pub(super) options: &'a EvalOptions<'a>,
    pub(super) scored: &'a [RunScores],
    pub(super) rows: &'a [Vec<Row>],
}

impl Observed<'_> {
    /// The names of measures for which this holds.
    pub(super) fn measures(&self, holds: impl Fn(usize, &dyn Measure) -> bool) -> Vec<String> {
        let all = self.setting.measures.iter().map(AsRef::as_ref).enumerate();
        all.filter(|(index, measure)| holds(*index, *measure)).map(|(_, measure)| measure.spec().to_string()).collect()
    }

    /// The same for some row of a measure.
    fn measures_with(&self, holds: impl Fn(&Row) -> bool) -> Vec<String> {
        self.measures(|index, _| self.rows.iter().any(|run| holds(&run[index])))
    }

    /// Rows by measure, then by run.
    pub(super) fn by_measure(&self) -> impl Iterator<Item = &Row> {
        (0..self.setting.measures.len()).flat_map(|index| self.rows.iter().map(move |run| &run[index]))
    }

    /// Topics on which measures are undefined.
    pub(super) fn undefined(&self) -> Vec<EvalNote> {
        let note = |row: &Row| {
            let (_, reason) = row.undefined.first()?;
            let (measure, run) = (row.score.measure.clone(), row.score.run.clone());
            Some(EvalNote::Undefined { measure, run, topics: row.undefined.len(), reason })
        };
        self.by_measure().filter_map(note).collect()
    }

    /// One note for each reason, with the measures it holds for.
    pub(super) fn no_intervals(&self) -> Vec<EvalNote> {
        let mut found: Vec<(NoInterval, Vec<String>)> = Vec::new();
        for row in self.by_measure() {
            let Some(why) = row.no_interval else { continue };
            // All topics having the same score is one reason, whatever the score.
            let same = |other: &NoInterval| match (other, why) {
                (NoInterval::Constant { .. }, NoInterval::Constant { .. }) => true,
                _ => *other == why,
            };
            let place = found.iter().position(|(other, _)| same(other)).unwrap_or(found.len());
            if place == found.len() {
                found.push((why, Vec::new()));
            }
            let measures = &mut found[place].1;
            if !measures.contains(&row.score.measure) {
                measures.push(row.score.measure.clone());
            }
        }
        found.into_iter().map(|(why, measures)| EvalNote::NoInterval { measures, why }).collect()
    }

    /// Why a judged sample gives no interval; reasons of topics are among [`Observed::no_intervals`].
    pub(super) fn no_samples(&self) -> Vec<EvalNote> {
        let why = |index: usize| {
            let mut found = self.rows.iter().filter_map(move |run| run[index].no_sample);
            found.find(|why| !matches!(why, NoSample::Interval(_)))
        };
        let measures = self.setting.measures.iter().map(AsRef::as_ref).enumerate();
        let note = |(index, measure): (usize, &dyn Measure)| {
            let measures = vec![measure.spec().to_string()];
            Some(EvalNote::NoSample { measures, why: why(index)? })
        };
        measures.filter_map(note).collect()
    }

    /// Why bounds are missing, and what they assume, once per kind of measure.
    pub(super) fn bounds(&self) -> Vec<EvalNote> {
        let scale = self.setting.scale_from_1().map(|(low, high)| EvalNote::ScaleFrom1(low, high));
        if !self.setting.bounds {
            return scale.into_iter().collect();
        }
        let without = |kinds: &[Tightness]| {
            let missing = |index: usize| self.rows.iter().any(|run| run[index].score.low.is_none());
            let kept =
                |measure: &dyn Measure| kinds.contains(&measure.info().bounds) && !self.setting.is_sparse(measure);
            self.measures(|index, measure| kept(measure) && missing(index))
        };
        let named = [
            (EvalNote::Estimators as fn(_) -> _, self.measures(|_, one| one.info().bounds == Tightness::Estimator)),
            (EvalNote::NoBoundsYet, without(&[Tightness::Estimator])),
            (EvalNote::NoBounds, without(&[Tightness::Exact, Tightness::Sound])),
            (EvalNote::Sparse, self.setting.sparse_measures()),
            (EvalNote::RetrievedBounds, self.measures_with(|row| row.score.bounds_kind == Some(BoundsKind::Retrieved))),
        ];
        let named = named.into_iter().filter(|(_, measures)| !measures.is_empty());
        named.map(|(note, measures)| note(measures)).chain(scale).collect()
    }

    /// Measures inferred from sampled judgements, and topics whose sampling error cannot be estimated.
    pub(super) fn sampling(&self) -> Vec<EvalNote> {
        let is_inferred = |row: &Row| row.score.sampled.is_none();
        let sampled = self
            .measures_with(|row| is_inferred(row) && row.score.sources.judgement_sampling.is_some_and(|one| one > 0.0));
        let mut notes = Vec::new();
        if !sampled.is_empty() {
            notes.push(EvalNote::Sampled(sampled));
        }
        for (index, measure) in self.setting.measures.iter().enumerate() {
            let unknown = |row: &Row| if row.sampled > 0 { row.score.topics - row.sampled } else { 0 };
            let most = self.rows.iter().map(|run| unknown(&run[index])).max();
            notes.extend(
                most.filter(|topics| *topics > 0)
                    .map(|topics| EvalNote::SamplingErrorUnknown { measure: measure.spec().to_string(), topics }),
            );
        }
        notes
    }

    /// Intervals that exceed the valid range.
    pub(super) fn ranges(&self) -> Option<EvalNote> {
        let outside = |ends: Option<(f64, f64)>, (least, greatest): (f64, f64)| {
            ends.is_some_and(|(low, high)| low < least || high > greatest)
        };
        let any = |index: usize, holds: &dyn Fn(&Row) -> bool| self.rows.iter().any(|run| holds(&run[index]));
        let measures =
            self.measures(|index, measure| any(index, &|row| outside(row.score.interval, measure.info().range)));
        if measures.is_empty() {
            return None;
        }
        let value = |row: &Row| match row.score.value {
            Some(super::ScoreValue::Number(value)) => Some((value, value)),
            _ => None,
        };
        let beyond = self.measures(|index, measure| any(index, &|row| outside(value(row), measure.info().range)));
        let student =
            self.options.inference.method == IntervalMethod::StudentT && self.setting.relevance_model.is_none();
        let why = if !beyond.is_empty() {
            OutOfRangeReason::Value
        } else if self.setting.calibration.is_some() {
            OutOfRangeReason::Calibration
        } else if student {
            OutOfRangeReason::StudentT
        } else {
            OutOfRangeReason::Symmetric
        };
        Some(EvalNote::OutOfRange { measures, why })
    }

    /// How expected values are made, and where they may be wrong.
    pub(super) fn model(&self) -> Vec<EvalNote> {
        let Some(relevance_model) = self.setting.relevance_model else { return Vec::new() };
        let affected = |measure: &dyn Measure| RelevanceModel::concerns(measure);
        if !self.setting.measures.iter().any(|measure| affected(measure.as_ref())) {
            return vec![EvalNote::Model(ModelNote::NotUsed)];
        }
        let used = relevance_model.compared.iter().find(|model| model.used).map(|model| model.name);
        let mut notes = vec![ModelNote::ExpectedValues(used)];
        notes.extend(used.map(|_| ModelNote::Fitted));
        let named = |names: &[&str]| self.measures(|_, measure| names.contains(&measure.info().name));
        let lists = [
            (ModelNote::BelowEndUnjudged as fn(_) -> _, named(&["RBP", "INSQ"])),
            (ModelNote::BelowEndNotRelevant, named(&["INST", "NERR10", "NERR11"])),
            (ModelNote::NotAffected, self.measures(|_, measure| !affected(measure))),
        ];
        if let Some(depth) = self.setting.policy.depth {
            let measures = self.measures(|_, measure| affected(measure) && measure.counts_missed());
            notes.extend((!measures.is_empty()).then_some(ModelNote::BelowDepth { measures, depth }));
        }
        let filled = lists.into_iter().filter(|(_, measures)| !measures.is_empty());
        notes.extend(filled.map(|(note, measures)| note(measures)));
        notes.into_iter().map(EvalNote::Model).collect()
    }

    /// Why ranges or expected values over the orders of ties are missing.
    pub(super) fn ties(&self) -> Vec<EvalNote> {
        if self.setting.policy.ties != Ties::Range {
            return Vec::new();
        }
        let mut notes = Vec::new();
        for (index, measure) in self.setting.measures.iter().enumerate() {
            let missing = |place: usize| {
                let ties = self.rows[place][index].score.tie_summary;
                ties.why.map(|why| (ties.ends.is_some(), why))
            };
            for ((only_expected, why), runs) in RunGroup::by_finding(self.scored, missing) {
                notes.push(EvalNote::NoTieRange { measure: measure.spec().to_string(), runs, only_expected, why });
            }
        }
        notes
    }
}
