//! A measure that says it is a weighted sum of gains is one.
#![allow(clippy::unwrap_used)]

use karat_data::CollectionFacts;
use karat_measures::example::Owned;
use karat_measures::registry::MEASURES;
use karat_measures::spec;

#[test]
fn the_form_gives_the_value() {
    let mut seen = Vec::new();
    for info in MEASURES {
        for example in info.examples {
            let collection = CollectionFacts { max_grade: 4.0, ..CollectionFacts::default() };
            let measure = spec::parse(example.measure, 1.0).unwrap().build().unwrap();
            for ranking in ["1 0 4 2 3", "0 1 - ? 2 4 - 1", "", "- ?"] {
                let topic = Owned::parse(ranking, "3", collection).unwrap();
                let view = topic.view();
                let Some(form) = measure.linear(&view) else { continue };
                seen.push(info.name);
                let depth = form.depth(view.ranks.len());
                let ranks = (1..).zip(&view.ranks[..depth]);
                let sum: f64 = ranks
                    .filter_map(|(rank, judgement)| Some((form.weight)(rank) * (form.gain)(judgement.grade()?)))
                    .sum();
                let value = measure.value(&view).unwrap();
                assert!((sum - value).abs() < 1e-12, "{} of {ranking}: {sum}, {value}", example.measure);
                // The weights add up to what is above and below any depth.
                let all = |depth: usize| (1..=depth).map(|rank| (form.weight)(rank)).sum::<f64>() + (form.tail)(depth);
                if form.last.is_none() && (form.tail)(1) > 0.0 {
                    assert!((all(1) - all(7)).abs() < 1e-12, "{}", example.measure);
                }
            }
        }
    }
    seen.dedup();
    assert_eq!(seen.len(), 6, "{seen:?}");
}
