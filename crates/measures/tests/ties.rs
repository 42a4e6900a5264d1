//! Least, greatest and expected value over the orders of tied documents: against every permutation, for every measure
//! of the table; and by hand.
#![allow(clippy::unwrap_used, clippy::panic)]

use karat_data::ties::TieBuffer;
use karat_data::{CollectionFacts, Details, Grade, Judgement, JudgementKind, TopicView};
use karat_measures::example::Owned;
use karat_measures::registry::MEASURES;
use karat_measures::ties::{MOST_ORDERS, TieRange, TieRule, Tied, ends, range};
use karat_measures::{Measure, MeasureInfo, MeasureSpec, Score, Undefined, spec};
use proptest::prelude::*;

fn build(text: &str, level: f64) -> Box<dyn Measure> {
    spec::parse(text, level).and_then(|spec| spec.build()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Every measure of the worked examples, and what they leave out: cut-offs, gains below 0 and of unjudged documents.
fn all(level: f64) -> Vec<(String, Box<dyn Measure>)> {
    let more = [
        "P@1",
        "P@3",
        "P@100",
        "R@2",
        "F@4",
        "F(beta=2)@3",
        "Success@1",
        "RR@2",
        "AP@3",
        "RelativeP@2",
        "Accuracy@2",
        "Judged@3",
        "Judged",
        "Unjudged@2",
        "NumRelRet@2",
        "NumRelRet",
        "RBP(p=0.3)@3",
        "RBP(gain=linear)",
        "RBP(gain=topic)@4",
        "ERR@3",
        "ERR",
        "nDCG",
        "nDCG@2",
        "nDCG(dcg=exp-log2)@4",
        "nDCG(gains={0:-1,1:2,2:0.5,-1:0.25,-2:1})",
        "DCG@3",
        "DCG(gains={0:-1,1:3})",
        "CG@3",
        "CG(gains={1:-2})@2",
        "G",
        "G(gains={0:-1,1:2,2:0.5,-1:0.25})",
        "G(gains={0:0.3,1:5,2:1.5})",
        "nDCGrel(gains={0:-1,1:2,-1:0.5})",
        "nDCGrel(gains={1:3,-1:0.5,-2:0.25})",
        "Rndcg(gains={0:-1,1:2,-1:0.5})",
        "IPrec@0",
        "IPrec@0.3",
        "IPrec@1",
        "IPrec(rounding=trec_eval10)@0.4",
        "IPrecAvg(levels=[0.1,0.9])",
        "Utility(a=-2,b=1,c=3,d=0)",
        "Utility(a=1,b=-1,c=0,d=0.01)",
        "RprecMult@0.4",
        "RprecMult@1.7",
        "SetF(beta=0)",
        "SetF(x=3)",
    ];
    let examples = MEASURES.iter().flat_map(|info| info.examples).map(|example| example.measure);
    examples.chain(more).map(|text| (text.to_owned(), build(text, level))).collect()
}

fn grade(value: f64) -> Judgement {
    Judgement::Grade(Grade::new(value).unwrap())
}

/// A topic whose ranks come in groups of tied documents, cut at a depth.
#[derive(Debug, Clone)]
struct Groups {
    owned: Owned,
    /// Start and end of every group in the whole list.
    spans: Vec<(usize, usize)>,
    depth: usize,
}

impl Groups {
    fn new(groups: &[Vec<Judgement>], missed: Vec<Judgement>, depth: usize, collection: CollectionFacts) -> Groups {
        let mut start = 0;
        let spans = groups.iter().map(|group| {
            start += group.len();
            (start - group.len(), start)
        });
        let spans = spans.collect();
        let owned = Owned::new(groups.concat(), missed, collection);
        Groups { depth: depth.min(owned.ranks().len()), owned, spans }
    }

    fn view<'a>(&'a self, ranks: &'a [Judgement]) -> TopicView<'a> {
        TopicView { ranks: &ranks[..self.depth], ..self.owned.view() }
    }

    fn buffer(&self) -> TieBuffer {
        let mut buffer = TieBuffer::default();
        for &(start, end) in self.spans.iter().filter(|(start, end)| end - start > 1 && *start < self.depth) {
            buffer.push(
                start,
                end.min(self.depth) - start,
                self.owned.ranks()[start..end].iter().copied(),
                std::iter::empty(),
            );
        }
        buffer
    }

    fn tied<'a>(&'a self, buffer: &'a TieBuffer) -> Tied<'a> {
        Tied { view: self.view(self.owned.ranks()), groups: buffer.groups(), most_orders: MOST_ORDERS }
    }

    /// Every permutation within every group, one of the same judgements as another counted again.
    fn permutations(&self, each: &mut dyn FnMut(&[Judgement])) {
        fn group(spans: &[(usize, usize)], at: usize, ranks: &mut [Judgement], each: &mut dyn FnMut(&[Judgement])) {
            let Some(&(_, end)) = spans.first() else { return each(ranks) };
            if at + 1 >= end {
                let next = spans.get(1).map_or(end, |(start, _)| *start);
                return group(&spans[1..], next, ranks, each);
            }
            for other in at..end {
                ranks.swap(at, other);
                group(spans, at + 1, ranks, each);
                ranks.swap(at, other);
            }
        }
        let mut ranks = self.owned.ranks().to_vec();
        group(&self.spans, 0, &mut ranks, each);
    }
}

fn judgement(max: u32) -> impl Strategy<Value = Judgement> {
    prop_oneof![
        3 => (0..=max).prop_map(|value| grade(f64::from(value))),
        1 => Just(grade(0.5)),
        1 => Just(Judgement::PooledUnjudged),
        1 => Just(Judgement::Unpooled),
    ]
}

/// Groups of 1 to `largest` documents with at most `most` permutations in all.
fn topic(largest: usize, most: usize) -> impl Strategy<Value = Groups> {
    let groups = prop::collection::vec(prop::collection::vec(judgement(2), 1..=largest), 1..6);
    let missed = prop::collection::vec(judgement(2), 0..4).prop_map(|mut missed| {
        missed.retain(|judgement| *judgement != Judgement::Unpooled);
        missed
    });
    let documents = prop_oneof![Just(None), Just(Some(6)), Just(Some(1000))];
    let depth = prop_oneof![2 => Just(usize::MAX), 3 => 1usize..12];
    (groups, missed, documents, depth).prop_map(move |(mut groups, missed, documents, depth)| {
        let mut orders = 1;
        for group in &mut groups {
            let own: usize = (1..=group.len()).product();
            if orders * own > most {
                group.truncate(1);
            } else {
                orders *= own;
            }
        }
        Groups::new(&groups, missed, depth, CollectionFacts { max_grade: 2.0, documents, whole_grades: false })
    })
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * b.abs().max(1.0)
}

/// Every measure's range against every permutation.
fn check(topic: &Groups, level: f64) -> Result<(), TestCaseError> {
    let buffer = topic.buffer();
    let tied = topic.tied(&buffer);
    for (text, measure) in all(level) {
        let (mut low, mut high, mut sum, mut count) = (f64::INFINITY, f64::NEG_INFINITY, 0.0, 0.0);
        let mut undefined = false;
        topic.permutations(&mut |ranks| match measure.score(&topic.view(ranks)) {
            Ok(score) => {
                low = low.min(score.value);
                high = high.max(score.value);
                sum += score.value;
                count += 1.0;
            }
            Err(_) => undefined = true,
        });
        let got = range(measure.as_ref(), &tied);
        if undefined {
            prop_assert!(got.is_err(), "{text}: {got:?} though some order has no value");
            continue;
        }
        let got = got.unwrap();
        prop_assert!(near(got.low, low) && near(got.high, high), "{text}: {got:?}, found {low} to {high}");
        prop_assert!(got.expected.is_ok_and(|mean| near(mean, sum / count)), "{text}: {got:?}, found {}", sum / count);
        prop_assert_eq!(ends(measure.as_ref(), &tied), Ok((got.low, got.high)));
    }
    Ok(())
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn several_groups_equal_all_permutations(topic in topic(4, 150), level in prop::sample::select(vec![0.5, 1.0, 2.0])) {
        check(&topic, level)?;
    }
}

proptest! {
    #![proptest_config(config(8))]

    #[test]
    fn seven_tied_documents_equal_all_permutations(topic in topic(7, 5040)) {
        check(&topic, 1.0)?;
    }
}

/// One topic: groups separated by `|`, all judgements in them.
fn worked(measure: &str, groups: &str, missed: &str, max_grade: f64) -> TieRange {
    let collection = CollectionFacts { max_grade, ..CollectionFacts::default() };
    let parse = |text: &str| Owned::parse(text, "", collection).unwrap().ranks().to_vec();
    let groups: Vec<Vec<Judgement>> = groups.split('|').map(parse).collect();
    let topic = Groups::new(&groups, parse(missed), usize::MAX, collection);
    range(build(measure, 1.0).as_ref(), &topic.tied(&topic.buffer())).unwrap()
}

fn is(range: TieRange, low: f64, high: f64, expected: f64) -> bool {
    near(range.low, low) && near(range.high, high) && range.expected.is_ok_and(|mean| near(mean, expected))
}

#[test]
fn by_hand() {
    // One relevant of three tied: at rank 1, 2 or 3: (1 + 1/2 + 1/3)/3 = 11/18.
    assert!(is(worked("RR", "0 0 1", "", 1.0), 1.0 / 3.0, 1.0, 11.0 / 18.0));
    assert!(is(worked("AP", "0 0 1", "", 1.0), 1.0 / 3.0, 1.0, 11.0 / 18.0));
    assert!(is(worked("Success@2", "0 0 1", "", 1.0), 0.0, 1.0, 2.0 / 3.0));
    // Two relevant of three: 110, 101, 011: AP 1, (1 + 2/3)/2 = 5/6, (1/2 + 2/3)/2 = 7/12; mean 29/36.
    assert!(is(worked("AP", "1 0 1", "", 1.0), 7.0 / 12.0, 1.0, 29.0 / 36.0));
    // P@2 of the same: 1, 1/2, 1/2.
    assert!(is(worked("P@2", "1 0 1", "", 1.0), 0.5, 1.0, 2.0 / 3.0));
    // IPrec@0 of the same: 1, 1, 2/3.
    assert!(is(worked("IPrec@0", "1 0 1", "", 1.0), 2.0 / 3.0, 1.0, 8.0 / 9.0));
    // A relevant document first, then 1 and 0 tied: nDCG with IDCG 1 + 1/log2(3), rank 2 or 3 worth 1/log2(3) or 1/2.
    let (second, third) = (1.0 / 3.0f64.log2(), 0.5);
    let ideal = 1.0 + second;
    assert!(is(worked("nDCG", "1|0 1", "", 1.0), (1.0 + third) / ideal, 1.0, (1.0 + (second + third) / 2.0) / ideal));
    // ERR, grades 2 and 1 of 2 tied: S = 3/4 and 1/4. 21: 3/4 + 1/4 * 1/4 / 2 = 25/32; 12: 1/4 + 3/4 * 3/4 / 2 = 17/32.
    assert!(is(worked("ERR", "1 2", "", 2.0), 17.0 / 32.0, 25.0 / 32.0, 21.0 / 32.0));
    // Bpref, 1 and 0 and an unjudged one tied, R = 1, N = 1: 1 where the relevant one is above the other, else 0.
    assert!(is(worked("Bpref", "1 - 0", "", 1.0), 0.0, 1.0, 0.5));
    assert!(is(worked("ROCArea", "1 - 0", "", 1.0), 0.0, 1.0, 0.5));
    // infAP, R = 1: alone at the top 1; below one outside the pool 1/2 + 1/2 * 0 = 1/2. Mean 3/4.
    assert!(is(worked("infAP", "- 1", "", 1.0), 0.5, 1.0, 0.75));
    // Below a pooled but unjudged one: 1/2 + 1/2 * 1 * 1/2 = 3/4.
    assert!(is(worked("infAP", "? 1", "", 1.0), 0.75, 1.0, 0.875));
    // RBP 0.5 of 0|1 0|: the relevant one at rank 2 or 3: 1/4 or 1/8.
    assert!(is(worked("RBP(p=0.5)", "0|1 0", "", 1.0), 0.125, 0.25, 0.1875));
    // Nothing that matters is tied.
    assert!(is(worked("AP", "0 0|1 1", "", 1.0), 5.0 / 12.0, 5.0 / 12.0, 5.0 / 12.0));
}

#[test]
fn a_document_below_the_depth_may_come_in() {
    let collection = CollectionFacts::default();
    let topic = Groups::new(&[vec![grade(0.0), grade(0.0), grade(1.0)]], vec![], 2, collection);
    let buffer = topic.buffer();
    // The first 2 of 3 are looked at: rank 1, 2 or below: (1 + 1/2 + 0)/3.
    assert!(is(range(build("RR", 1.0).as_ref(), &topic.tied(&buffer)).unwrap(), 0.0, 1.0, 0.5));
    // SetAP = count^2 / (2 * 1): 1/2 in two of three.
    assert!(is(range(build("SetAP", 1.0).as_ref(), &topic.tied(&buffer)).unwrap(), 0.0, 0.5, 1.0 / 3.0));
}

#[test]
fn large_groups_are_exact_and_quick_or_say_why_not() {
    // 1000 tied documents with 10 relevant. The first of them is at (1000 + 1)/(10 + 1) = 91 on average, and P@10 is 1/100.
    let ranks: Vec<Judgement> = (0..1000).map(|rank| grade(if rank % 100 == 7 { 1.0 } else { 0.0 })).collect();
    let topic = Groups::new(&[ranks], vec![], usize::MAX, CollectionFacts::default());
    let buffer = topic.buffer();
    let tied = topic.tied(&buffer);
    assert!(is(range(build("P@10", 1.0).as_ref(), &tied).unwrap(), 0.0, 1.0, 0.01));
    // ROC area: half, by symmetry.
    assert!(is(range(build("ROCArea", 1.0).as_ref(), &tied).unwrap(), 0.0, 1.0, 0.5));
    for (text, measure) in all(1.0) {
        let Ok(got) = range(measure.as_ref(), &tied) else { continue };
        match got.expected {
            Ok(mean) => assert!(got.low <= mean && mean <= got.high, "{text}"),
            // Yaap's mean has no closed form, and that of a maximum may be too much work.
            Err(why) => assert!(text == "Yaap" || text.starts_with("IPrec"), "{text}: {why}"),
        }
    }
}

#[test]
fn every_measure_of_the_table_says_how() {
    let topic = Owned::parse(
        "1 0 2 - ?",
        "1 0",
        CollectionFacts { max_grade: 2.0, documents: Some(99), ..CollectionFacts::default() },
    );
    let topic = topic.unwrap();
    let tied = Tied { view: topic.view(), groups: karat_data::TieGroups::default(), most_orders: MOST_ORDERS };
    for info in MEASURES {
        let measure = build(info.examples[0].measure, 1.0);
        assert!(!measure.tie_rule(&tied).sentence().is_empty(), "{}", info.name);
        let constant = matches!(measure.tie_rule(&tied), TieRule::Constant);
        assert_eq!(constant, ["NumQ", "NumRet", "NumRel"].contains(&info.name), "{}", info.name);
    }
}

/// 1 / rank of the document 7, whatever its judgement: what a measure of marks may see.
struct SeventhDocument(&'static MeasureInfo);

impl Measure for SeventhDocument {
    fn info(&self) -> &'static MeasureInfo {
        self.0
    }

    fn spec(&self) -> MeasureSpec {
        MeasureSpec::new(self.0)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let rank = view.details.documents.iter().position(|document| *document == 7);
        Ok(Score::exact(rank.map_or(0.0, |index| 1.0 / (index + 1) as f64)))
    }
}

#[test]
fn documents_move_with_their_judgements() {
    let info = MeasureInfo { needs: JudgementKind::Subtopics, ..karat_measures::precision::INFO };
    let seventh = SeventhDocument(Box::leak(Box::new(info)));
    let topic = Owned::parse("1 1 1", "", CollectionFacts::default()).unwrap();
    let mut buffer = TieBuffer::default();
    buffer.push(0, 3, topic.ranks().iter().copied(), [5, 7, 6].into_iter());
    let details = Details { documents: &[5, 7, 6], ..Details::default() };
    let view = TopicView { details, ..topic.view() };
    let tied = Tied { view, groups: buffer.groups(), most_orders: MOST_ORDERS };
    // The same judgement thrice, but three documents: rank 1, 2 or 3.
    let got = range(&seventh, &tied).unwrap();
    assert!(is(got, 1.0 / 3.0, 1.0, 11.0 / 18.0), "{got:?}");
    // A measure of grades sees three times the same.
    assert!(is(range(build("RR", 1.0).as_ref(), &tied).unwrap(), 1.0, 1.0, 1.0));
    // Too many orders are told, and no number is made up.
    assert!(range(&seventh, &Tied { most_orders: 5.0, ..tied }).is_err());
}
