//! Judgements that name relevant documents only: MS MARCO, much of BEIR, judgements derived from clicks.
//!
//! The one decision: users of such judgements take every other document as not relevant, and so does karat; a model fitted to judged documents would
//! take nearly every document as relevant. Which documents are relevant depends on the measure: with its level, those from that grade on. A measure of
//! grades takes every grade above 0 as relevant; but where there are three such grades or more and none at 0 or below, the scale probably starts at 1,
//! and the lowest grade stands for documents that are not relevant.

use karat_data::{CollectionFacts, JudgementKind, Qrels};
use karat_measures::Measure;

/// Fewer judgements say nothing about how they were made.
const FEWEST: u32 = 20;
/// Up to this share of the judgements may be of documents that are not relevant.
const MOST_NONRELEVANT: f64 = 0.01;
/// From so many distinct grades, all above 0, a scale probably starts at 1.
const GRADES_OF_A_SCALE: usize = 3;

/// Whether the judgements name documents relevant to a measure only, or next to only.
pub fn is_sparse(qrels: &Qrels, measure: &dyn Measure, collection: &CollectionFacts) -> bool {
    let level = level_of(measure, collection);
    let relevant = |grade: f64| level.map_or(grade > 0.0, |level| grade >= level);
    let (mut judged, mut nonrelevant) = (0u32, 0u32);
    for facts in qrels.all_facts() {
        judged += facts.judged();
        nonrelevant +=
            facts.grades.iter().filter(|(grade, _)| !relevant(grade.value())).map(|(_, count)| count).sum::<u32>();
    }
    let few = judged >= FEWEST && f64::from(nonrelevant) <= MOST_NONRELEVANT * f64::from(judged);
    few && (level.is_some() || scale_from_1(qrels).is_none())
}

/// The lowest and the highest grade, where three or more are used, all above 0: the scale probably starts at 1.
pub fn scale_from_1(qrels: &Qrels) -> Option<(f64, f64)> {
    if qrels.kind() != JudgementKind::Grades {
        return None;
    }
    let mut grades: Vec<f64> = Vec::new();
    for facts in qrels.all_facts() {
        for grade in facts.grades.iter().filter(|(_, count)| *count > 0).map(|(grade, _)| grade.value()) {
            if !grades.contains(&grade) {
                grades.push(grade);
            }
        }
    }
    let ends =
        grades.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &grade| (low.min(grade), high.max(grade)));
    (grades.len() >= GRADES_OF_A_SCALE && ends.0 > 0.0).then_some(ends)
}

/// The grade from which documents are relevant to a measure; none where grades above it count for more.
fn level_of(measure: &dyn Measure, collection: &CollectionFacts) -> Option<f64> {
    let level = measure.level()?;
    let more = CollectionFacts { max_grade: level + 1.0, ..*collection };
    let is_graded = measure.linear(&more).is_some_and(|form| form.gain.of(level) != form.gain.of(level + 1.0));
    (!is_graded).then_some(level)
}

#[cfg(test)]
mod tests {
    use karat_formats::{Dialect, Input, detect, read_qrels};
    use karat_measures::spec;

    use super::*;

    /// Twenty-five topics with a document of each of these grades, so many times.
    fn judgements(grades: &[(i32, usize)]) -> Qrels {
        let mut text = String::new();
        for topic in 0..25 {
            let documents = grades.iter().flat_map(|&(grade, count)| std::iter::repeat_n(grade, count)).enumerate();
            documents.for_each(|(at, grade)| text.push_str(&format!("{topic} 0 d{at} {grade}\n")));
        }
        let input = Input::bytes("qrels", text.into_bytes());
        read_qrels(&input, detect::QRELS, Dialect::Strict, 1).map_err(|problems| problems.to_string()).unwrap().0
    }

    #[track_caller]
    fn check(grades: &[(i32, usize)], sparse: &str, others: &str) {
        let qrels = judgements(grades);
        let collection = CollectionFacts::new(&qrels, None, None).unwrap();
        for (names, expected) in [(sparse, true), (others, false)] {
            for name in names.split_whitespace() {
                let measure = spec::parse(name, 1.0).and_then(|spec| spec.build()).unwrap();
                assert_eq!(is_sparse(&qrels, measure.as_ref(), &collection), expected, "{grades:?} {name}");
            }
        }
    }

    #[test]
    fn by_the_level_of_each_measure() {
        // Relevant documents only, of one grade or two: MS MARCO, NFCorpus.
        check(&[(1, 1)], "P@10 AP nDCG@10 RBP(p=0.8)", "P(rel=2)@10");
        check(&[(1, 3), (2, 1)], "P@10 AP nDCG@10 ERR@10", "P(rel=2)@10 AP(rel=2)");
        // 1 of 100 is 1%, 1 of 50 is 2%.
        check(&[(0, 1), (1, 99)], "P@10 nDCG@10", "");
        check(&[(0, 1), (1, 49)], "", "P@10 nDCG@10");
        // Grades 1 to 4: all are relevant from grade 1 on; half of them from grade 3 on; and a measure of grades knows no level.
        check(&[(1, 1), (2, 1), (3, 1), (4, 1)], "P@10 AP", "P(rel=3)@10 nDCG@10 ERR@10 CG@5 RBP(p=0.8,gain=linear)");
        check(&[(0, 1), (1, 1), (2, 1), (3, 1)], "", "P@10 P(rel=2)@10 nDCG@10");
    }

    #[test]
    fn scales() {
        assert_eq!(scale_from_1(&judgements(&[(1, 1), (2, 1), (4, 1)])), Some((1.0, 4.0)));
        for none in [&[(1, 5), (2, 5)][..], &[(0, 1), (1, 1), (2, 1), (3, 1)], &[(-1, 1), (1, 1), (2, 1)]] {
            assert_eq!(scale_from_1(&judgements(none)), None);
        }
    }
}
