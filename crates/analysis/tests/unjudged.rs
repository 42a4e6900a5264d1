//! Expected values over unjudged documents: by hand, by the paper's numbers, closed form against draws, and coverage.
#![allow(clippy::unwrap_used)]

use karat_analysis::unjudged::complete::draws;
use karat_analysis::unjudged::coverage::{Approach, Coverage, World, coverage};
use karat_analysis::unjudged::expected::{Expected, expected};
use karat_analysis::unjudged::grades::Grades;
use karat_analysis::unjudged::kind::{FLAT, LOGISTIC};
use karat_analysis::unjudged::model::Model;
use karat_analysis::unjudged::spread::spread;
use karat_analysis::unjudged::{Fitted, Probable, RelevanceModel};
use karat_data::{CollectionFacts, Judgement, Qrels, QrelsBuilder};
use karat_measures::example::Owned;
use karat_measures::{Aggregate, Measure, spec};
use karat_stats::Seed;

fn measure(text: &str) -> Box<dyn Measure> {
    spec::parse(text, 1.0).unwrap().build().unwrap()
}

/// Grades 0 to 2: two of grade 0, three of grade 1, one of grade 2.
fn grades() -> Grades {
    let mut builder = QrelsBuilder::new();
    for (place, grade) in [0.0, 0.0, 1.0, 1.0, 1.0, 2.0].into_iter().enumerate() {
        builder.push(b"t", format!("d{place}").as_bytes(), Judgement::from_number(grade).unwrap());
    }
    Grades::of(&builder.finish().0, 1.0)
}

fn relevance_model(model: Model, draws: u32) -> RelevanceModel {
    RelevanceModel::new(Fitted { model, refits: Vec::new(), compared: Vec::new() }, grades(), 1.0, draws, Seed(3))
}

fn topic(ranking: &str) -> Owned {
    Owned::parse(ranking, "", CollectionFacts { max_grade: 2.0, ..CollectionFacts::default() }).unwrap()
}

/// What only gain 1 or 0 of one grade makes: so that the terms are kept.
fn binary(model: Model) -> RelevanceModel {
    let fitted = Fitted { model, refits: Vec::new(), compared: Vec::new() };
    RelevanceModel::new(fitted, Grades::of(&Qrels::default(), 1.0), 1.0, 0, Seed(3))
}

fn of(text: &str, ranking: &str, relevance_model: &RelevanceModel) -> Expected {
    let (measure, topic) = (measure(text), topic(ranking));
    let view = topic.view();
    expected(&measure.linear(&view.collection).unwrap(), &view, relevance_model, true)
}

#[test]
fn rank_biased_precision_by_hand() {
    // p = .5, weights .5 .25 .125: judged .5; rank 2 open with .25; below the list .125 in ranks of .0625, .03125, …
    // E = .5 + .2 (.25 + .125) = .575. Var = .2 · .8 (.0625 + .0625² / (1 - 1/4)) = .16 (.0625 + 1/192).
    let found = of("RBP(p=0.5)", "1 - 0", &binary(Model::Curve(vec![0.2])));
    assert!((found.mean - 0.575).abs() < 1e-9, "{found:?}");
    assert!((found.variance - 0.16 * (0.0625 + 1.0 / 192.0)).abs() < 1e-9);
    // Cut at 3 nothing is below: .55, and .16 · .0625 = .01.
    let found = of("RBP(p=0.5)@3", "1 - 0", &binary(Model::Curve(vec![0.2])));
    assert!((found.mean - 0.55).abs() < 1e-12 && (found.variance - 0.01).abs() < 1e-12);
    assert_eq!(found.terms.unwrap().len(), 1);
    // A chance for each rank, the last one going on: ranks 2 and 3 open with .4 and .1.
    let found = of("RBP(p=0.5)@3", "1 - -", &binary(Model::Curve(vec![0.9, 0.4, 0.1])));
    assert!((found.mean - (0.5 + 0.25 * 0.4 + 0.125 * 0.1)).abs() < 1e-12);
    // Nothing retrieved is nothing, not an average list.
    let found = of("RBP(p=0.5)", "", &binary(Model::Curve(vec![0.9])));
    assert_eq!((found.mean, found.variance), (0.0, 0.0));
}

#[test]
fn graded_gain_by_hand() {
    // CG@2: rank 2 open with 1/2. Relevant: grade 1 or 2 with 3/4 and 1/4, mean 5/4, variance 3/16; else 0. Mean 1 + 5/8; variance
    // 1/2 · 3/16 + 1/4 · 25/16 = 31/64.
    let found = of("CG@2", "1 -", &relevance_model(Model::Curve(vec![0.5]), 0));
    assert!((found.mean - 1.625).abs() < 1e-12 && (found.variance - 31.0 / 64.0).abs() < 1e-12, "{found:?}");
    // Not something or nothing, so no terms.
    assert!(found.terms.is_none());
    // Grade 2 and above is relevant to this one: 1/2 · 1/4.
    assert!((of("P(rel=2)@1", "-", &relevance_model(Model::Curve(vec![0.5]), 0)).mean - 0.125).abs() < 1e-12);
}

#[test]
fn park_2016() {
    // p = .8, ranks 11 to 100 unjudged: E[v] and sd(v) as the closed form has them; what is below rank 100 is under 3e-10.
    let ranking = ["0"; 10].into_iter().chain(["-"; 90]).collect::<Vec<_>>().join(" ");
    for (q, mean, sd) in [(0.05, 0.005369, 0.007801), (0.2, 0.021475, 0.014317), (0.5, 0.053687, 0.017896)] {
        let found = of("RBP(p=0.8)", &ranking, &binary(Model::Curve(vec![q])));
        assert!((found.mean - mean).abs() < 5e-7 && (found.variance.sqrt() - sd).abs() < 5e-7, "{q}");
    }
}

#[test]
fn closed_form_and_draws_agree() {
    const DRAWS: u32 = 20_000;
    let curve = Model::Curve(vec![0.6, 0.5, 0.4, 0.3, 0.2]);
    let urn = Model::Urn { documents: 100, share: 0.2, weight: 0.3 };
    for model in [curve, urn] {
        let relevance_model = relevance_model(model, DRAWS);
        let topic = topic("1 0 - 2 - ? - - 0 - - -");
        let view = topic.view();
        for text in ["P@8", "P(rel=2)@8", "RBP(p=0.7)@12", "RBP(p=0.7,gain=linear)@12", "DCG", "CG@7", "SDCG@10"] {
            let measure = measure(text);
            let closed = expected(&measure.linear(&view.collection).unwrap(), &view, &relevance_model, false);
            let drawn =
                draws(&[measure.as_ref()], &view, &relevance_model, Seed(9).streams("t")).pop().unwrap().unwrap();
            let count = f64::from(DRAWS);
            let mean = drawn.iter().sum::<f64>() / count;
            let variance = drawn.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
            // Five standard errors of the mean; a variance of 20 000 draws is known to some 5 √(2/20000) = 5%.
            assert!((mean - closed.mean).abs() < 5.0 * (variance / count).sqrt(), "{text}: {mean} {}", closed.mean);
            assert!((variance / closed.variance - 1.0).abs() < 0.06, "{text}: {variance} {}", closed.variance);
        }
    }
}

#[test]
fn closed_form_and_draws_agree_with_the_error_of_a_fit_in_them() {
    const DRAWS: u32 = 20_000;
    let curve = |at: &[f64]| Model::Curve(at.to_vec());
    let refits = vec![curve(&[0.5, 0.2, 0.1]), curve(&[0.6, 0.3, 0.15]), curve(&[0.4, 0.25, 0.11])];
    let fitted = Fitted { model: curve(&[0.5, 0.25, 0.12]), refits, compared: Vec::new() };
    let relevance_model = RelevanceModel::new(fitted, Grades::of(&Qrels::default(), 1.0), 1.0, DRAWS, Seed(4));
    let topic = topic("- 0 - 1 - -");
    let view = topic.view();
    let measure = measure("P@6");
    let closed = expected(&measure.linear(&view.collection).unwrap(), &view, &relevance_model, false);
    let spread = spread(Aggregate::Mean, &[&Probable::Expected(closed.clone())], 0.95).unwrap();
    let drawn = draws(&[measure.as_ref()], &view, &relevance_model, Seed(9).streams("t")).pop().unwrap().unwrap();
    let count = f64::from(DRAWS);
    let mean = drawn.iter().sum::<f64>() / count;
    let variance = drawn.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    assert!((mean - closed.mean).abs() < 5.0 * (variance / count).sqrt(), "{mean} {}", closed.mean);
    assert!((variance / spread.variance - 1.0).abs() < 0.06, "{variance} {}", spread.variance);
    assert!(spread.of_fit > 0.05 * spread.variance, "the error of the fit is to be seen here");
}

#[test]
fn certain_chances_are_completions() {
    // q = 0: the value with unjudged not relevant. q = 1 with one grade: the value when all are relevant.
    let topic = Owned::parse("1 - ? 0 -", "1 ?", CollectionFacts::default()).unwrap();
    let view = topic.view();
    let grades = Grades::of(&Qrels::default(), 1.0);
    for (q, completed, missed) in [(0.0, "1 0 0 0 0", "1 0"), (1.0, "1 1 1 0 1", "1 1")] {
        let fitted = Fitted::given(q).unwrap();
        let relevance_model = RelevanceModel::new(fitted, grades.clone(), 1.0, 3, Seed(1));
        let whole = Owned::parse(completed, missed, CollectionFacts::default()).unwrap();
        for text in ["AP", "nDCG", "RR", "Rprec", "R@3", "ERR", "P@3"] {
            let measure = measure(text);
            let drawn =
                draws(&[measure.as_ref()], &view, &relevance_model, Seed(2).streams("t")).pop().unwrap().unwrap();
            let value = measure.value(&whole.view()).unwrap();
            assert!(drawn.iter().all(|draw| (draw - value).abs() < 1e-12), "{text} q={q}: {drawn:?} {value}");
        }
    }
}

fn held(weight: f64, queries: usize, approach: &Approach, replications: u32) -> Coverage {
    let world = World { documents: 100, share: 0.2, weight, judged: 10, persistence: 0.8 };
    coverage(world, queries, approach, measure("RBP(p=0.8)").as_ref(), replications, Seed(5)).unwrap()
}

#[test]
fn intervals_hold_the_truth_when_the_model_is_right() {
    // 600 replications: a share of .95 has standard error .0089, three of them .027. No bias: sd(Υ) is .0143/√30, with
    // the error of the fit not twice that.
    for approach in [Approach::Known(Model::Curve(vec![0.2])), Approach::Fitted(&FLAT)] {
        let found = held(1.0, 30, &approach, 600);
        assert!((found.these - 0.95).abs() < 0.027, "{approach:?} {found:?}");
        assert!(found.bias.abs() < 3.0 * 2.0 * 0.0143 / 30f64.sqrt() / 600f64.sqrt(), "{approach:?} {found:?}");
        assert!(found.all > 0.95 - 0.027, "{approach:?} {found:?}");
    }
}

#[test]
fn a_flat_chance_is_wrong_where_rankings_are_good() {
    // w = .2: a fitted flat chance is the judged ranks', too high below them; one that falls with the rank is nearer.
    let flat = held(0.2, 50, &Approach::Fitted(&FLAT), 60);
    let falling = held(0.2, 50, &Approach::Fitted(&LOGISTIC), 60);
    // 60 replications: two standard errors of the difference are at most 2 √(.5/60) = .18.
    assert!(flat.bias > 1.5 * falling.bias.abs(), "{flat:?} {falling:?}");
    assert!(flat.these + 0.18 < falling.these, "{flat:?} {falling:?}");
}
