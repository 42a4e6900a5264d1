//! AP_IA, P_IA and StRecall: plain measures, averaged over the subtopics.

use karat_data::{CollectionFacts, Grade, Judgement, JudgementKind, TopicFacts, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::average_precision;
use crate::bounds::subtopics::Unfound;
use crate::info::{Citation, Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{CUTOFF, MeasureSpec, OPTIONAL_CUTOFF, RELEVANCE};
use crate::subtopics::Subtopics;

const AGRAWAL: Citation = Citation {
    text: "Agrawal, Gollapudi, Halverson and Ieong (2009), Diversifying search results, WSDM.",
    bibtex: "@inproceedings{agrawal2009, author={Rakesh Agrawal and Sreenivas Gollapudi and Alan Halverson and Samuel \
             Ieong}, title={Diversifying search results}, booktitle={WSDM}, pages={5--14}, year={2009}}",
};

/// The row of AP_IA.
pub static AVERAGE_PRECISION: MeasureInfo = MeasureInfo {
    name: "AP_IA",
    aliases: &["MAP_IA", "MAP-IA"],
    summary: "Average precision for each subtopic, averaged over the subtopics.",
    formula: "AP_IA = (1/S) * sum over subtopics s of AP with the documents relevant to s, S subtopics with a relevant document",
    reading: "The average precision for a user who wants one subtopic, chosen at random.",
    misleads: "Ignores repetition: a ranking that covers one subtopic first and the others late can score the same as \
               one that mixes them. Subtopics are equally likely.",
    citation: AGRAWAL,
    parameters: &[RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Subtopics,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new("AP_IA", "a - ab", "b", 0.5, "a: (1 + 2/3)/2 = 5/6; b: (1/3)/2 = 1/6; mean 1/2")
        .marked(JudgementKind::Subtopics)],
    build: |spec| Ok(Box::new(AveragePrecision { level: spec.level()? })),
};

/// The row of P_IA.
pub static PRECISION: MeasureInfo = MeasureInfo {
    name: "P_IA",
    aliases: &["P-IA"],
    summary: "Share of the first k documents relevant to a subtopic, averaged over the subtopics.",
    formula: "P_IA@k = (1 / (k * S)) * sum over ranks i <= k of subtopics document i is relevant to, S subtopics with a relevant \
              document",
    reading: "0.3 at k = 10: a user who wants one subtopic, chosen at random, finds three documents on average.",
    misleads: "Ten documents on one of five subtopics score the same as two on each: it counts documents and ignores \
               novelty.",
    citation: AGRAWAL,
    parameters: &[CUTOFF, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Subtopics,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new("P_IA@4", "a - ab", "b", 3.0 / 8.0, "a at ranks 1 and 3, b at rank 3: 3 / (4 * 2)")
        .marked(JudgementKind::Subtopics)],
    build: |spec| Ok(Box::new(Precision { cutoff: spec.required_cutoff()?, level: spec.level()? })),
};

/// The row of StRecall.
pub static SUBTOPIC_RECALL: MeasureInfo = MeasureInfo {
    name: "StRecall",
    aliases: &["strec", "subtopic_recall", "I-rec"],
    summary: "Share of the subtopics with a relevant document among the first k.",
    formula: "StRecall@k = subtopics with a relevant document among the first k / subtopics with a relevant document",
    reading: "0.75: three of four subtopics are covered.",
    misleads: "Only the first document of a subtopic counts, at any rank up to k. Subtopics without a known relevant \
               document are excluded.",
    citation: Citation {
        text: "Zhai, Cohen and Lafferty (2003), Beyond independent relevance: methods and evaluation metrics for subtopic \
               retrieval, SIGIR.",
        bibtex: "@inproceedings{zhai2003, author={ChengXiang Zhai and William W. Cohen and John Lafferty}, title={Beyond \
                 independent relevance: methods and evaluation metrics for subtopic retrieval}, booktitle={SIGIR}, \
                 pages={10--17}, year={2003}}",
    },
    parameters: &[OPTIONAL_CUTOFF, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Subtopics,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new("StRecall@2", "a a ab", "c0d", 1.0 / 3.0, "a of a, b and d; nothing is relevant to c: 1/3")
            .marked(JudgementKind::Subtopics),
        Example::new("StRecall(rel=2)", "a a2 ab", "b2", 0.5, "at grade 2: a of a and b")
            .marked(JudgementKind::Subtopics)
            .up_to(2.0),
    ],
    build: |spec| Ok(Box::new(SubtopicRecall { cutoff: spec.optional_cutoff()?, level: spec.level()? })),
};

#[derive(Debug, Clone, Copy)]
struct AveragePrecision {
    level: f64,
}

impl Measure for AveragePrecision {
    fn info(&self) -> &'static MeasureInfo {
        &AVERAGE_PRECISION
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(&AVERAGE_PRECISION).with_level(self.level)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let topic = Subtopics::of(view, self.level)?;
        // Documents found so far, and the sum of precisions at them, of each subtopic.
        let mut found = vec![(0.0, 0.0); topic.len()];
        for (index, places) in topic.by_rank().enumerate() {
            for place in places {
                let (count, sum) = &mut found[place];
                *count += 1.0;
                *sum += *count / (index + 1) as f64;
            }
        }
        let averages = found.iter().zip(topic.documents()).map(|((_, sum), relevant)| sum / f64::from(relevant));
        let sum: f64 = averages.sum();
        let value = if topic.is_empty() { 0.0 } else { sum / topic.len() as f64 };
        let Some(unfound) = Unfound::of(&topic, view, self.level, usize::MAX) else {
            return Ok(Score::exact(value));
        };
        let (mut low, mut high) = (0.0, 0.0);
        let mut of_place = OfSubtopic::of(&topic, view);
        for (place, documents) in topic.documents().enumerate() {
            let (least, most) = of_place.bounds(place, documents);
            low += least;
            high += most;
        }
        let (low, high) = unfound.mean(topic.len(), (low, high), of_place.new_one());
        Ok(Score::within(value, low.min(value), high.max(value)))
    }
}

/// The topic as one subtopic sees it: grade 1 for what is relevant to it, 0 for what else is judged.
struct OfSubtopic<'a> {
    topic: &'a Subtopics<'a>,
    view: TopicView<'a>,
    ranks: Vec<Judgement>,
}

impl<'a> OfSubtopic<'a> {
    fn of(topic: &'a Subtopics<'a>, view: &TopicView<'a>) -> OfSubtopic<'a> {
        let collection = CollectionFacts { max_grade: 1.0, ..view.collection };
        OfSubtopic { topic, view: TopicView { collection, ..*view }, ranks: view.ranks.to_vec() }
    }

    /// Least and greatest AP of a subtopic with so many relevant documents.
    fn bounds(&mut self, place: usize, documents: u32) -> (f64, f64) {
        for (judgement, mut places) in self.ranks.iter_mut().zip(self.topic.by_rank()) {
            if judgement.is_judged() {
                *judgement =
                    Judgement::Grade(if places.any(|other| other == place) { Grade::ONE } else { Grade::ZERO });
            }
        }
        let grades = [(Grade::ONE, documents)];
        let facts = TopicFacts { grades: &grades, ..self.view.facts };
        let view = TopicView { ranks: &self.ranks, facts, ..self.view };
        average_precision::ends(&view, None, 1.0, average_precision::quotient)
    }

    /// The same for one whose first relevant document is not known yet.
    fn new_one(&mut self) -> (f64, f64) {
        let judged = self.ranks.iter_mut().filter(|judgement| judgement.is_judged());
        judged.for_each(|judgement| *judgement = Judgement::Grade(Grade::ZERO));
        let view = TopicView { ranks: &self.ranks, facts: TopicFacts { grades: &[], ..self.view.facts }, ..self.view };
        // It has one: no relevant document is not among the ways to judge.
        let some = |sum: f64, relevant: f64| if relevant > 0.0 { sum / relevant } else { f64::INFINITY };
        let (least, _) = average_precision::ends(&view, None, 1.0, some);
        let (_, most) = average_precision::ends(&view, None, 1.0, average_precision::quotient);
        (least, most)
    }
}

#[derive(Debug, Clone, Copy)]
struct Precision {
    cutoff: usize,
    level: f64,
}

impl Measure for Precision {
    fn info(&self) -> &'static MeasureInfo {
        &PRECISION
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(&PRECISION).with_level(self.level).cutoff(self.cutoff)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let topic = Subtopics::of(view, self.level)?;
        let count = topic.by_rank().take(self.cutoff).map(Iterator::count).sum::<usize>() as f64;
        let (found, cutoff) = (topic.len() as f64, self.cutoff as f64);
        let value = if topic.is_empty() { 0.0 } else { count / (cutoff * found) };
        let Some(unfound) = Unfound::of(&topic, view, self.level, self.cutoff) else {
            return Ok(Score::exact(value));
        };
        let more = unfound.ranks.len() as f64;
        // A subtopic found anew has a document outside, or one of the first k, or all that are open.
        let new = (if unfound.outside { 0.0 } else { 1.0 }, more);
        let (low, high) = unfound.mean(topic.len(), (count, count + found * more), new);
        Ok(Score::within(value, (low / cutoff).min(value), (high / cutoff).max(value)))
    }
}

#[derive(Debug, Clone, Copy)]
struct SubtopicRecall {
    cutoff: Option<usize>,
    level: f64,
}

impl Measure for SubtopicRecall {
    fn info(&self) -> &'static MeasureInfo {
        &SUBTOPIC_RECALL
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(&SUBTOPIC_RECALL).with_level(self.level).optional(self.cutoff)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let topic = Subtopics::of(view, self.level)?;
        let mut seen = vec![false; topic.len()];
        for place in topic.by_rank().take(self.cutoff.unwrap_or(usize::MAX)).flatten() {
            seen[place] = true;
        }
        let covered = seen.iter().filter(|seen| **seen).count() as f64;
        let value = if topic.is_empty() { 0.0 } else { covered / topic.len() as f64 };
        let Some(unfound) = Unfound::of(&topic, view, self.level, self.cutoff.unwrap_or(usize::MAX)) else {
            return Ok(Score::exact(value));
        };
        // One document can cover all; a subtopic found anew is covered unless its document lies outside.
        let most = if unfound.ranks.is_empty() { covered } else { topic.len() as f64 };
        let new = (if unfound.outside { 0.0 } else { 1.0 }, if unfound.ranks.is_empty() { 0.0 } else { 1.0 });
        let (low, high) = unfound.mean(topic.len(), (covered, most), new);
        Ok(Score::within(value, low, high))
    }
}
