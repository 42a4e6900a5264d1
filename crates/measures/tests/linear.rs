//! A measure that says it is a weighted sum of gains is one.
#![allow(clippy::unwrap_used)]

use karat_data::CollectionFacts;
use karat_measures::example::Owned;
use karat_measures::registry::MEASURES;
use karat_measures::spec;

#[test]
fn the_form_gives_value_and_bounds() {
    let mut seen = Vec::new();
    for info in MEASURES {
        for example in info.examples {
            let collection = CollectionFacts { max_grade: 4.0, ..CollectionFacts::default() };
            let measure = spec::parse(example.measure, 1.0).unwrap().build().unwrap();
            for ranking in ["1 0 4 2 3", "0 1 - ? 2 4 - 1", "", "- ?"] {
                let topic = Owned::parse(ranking, "3", collection).unwrap();
                let view = topic.view();
                let Some(form) = measure.linear(&view.collection) else { continue };
                seen.push(info.name);
                let (mut value, mut open) = (0.0, form.tail(view.ranks.len()));
                for (rank, judgement) in (1..).zip(view.ranks) {
                    match judgement.grade() {
                        Some(grade) => value += form.weight(rank) * form.gain.of(grade),
                        None => open += form.weight(rank),
                    }
                }
                let score = measure.score(&view).unwrap();
                assert!((value - score.value).abs() < 1e-12, "{} of {ranking}: {value}, {score:?}", example.measure);
                // What is open times what it may be worth is the width of the bounds.
                let width = open * (form.gain.greatest(&collection) - form.gain.least(&collection));
                assert!(
                    (width - (score.high - score.low)).abs() < 1e-12,
                    "{} of {ranking}: {score:?}",
                    example.measure
                );
                // The weights add up to what is above and below any depth.
                let all = |depth: usize| (1..=depth).map(|rank| form.weight(rank)).sum::<f64>() + form.tail(depth);
                if form.last().is_none() && form.tail(1) > 0.0 {
                    assert!((all(1) - all(7)).abs() < 1e-12, "{}", example.measure);
                }
            }
        }
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, ["CG", "DCG", "INSQ", "P", "RBP", "SDCG"]);
}
