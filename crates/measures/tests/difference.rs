//! Bounds of a difference: by hand, and against every way of judging the unjudged documents of two short lists.
#![allow(clippy::unwrap_used)]

use karat_data::{CollectionFacts, Grade, Judgement};
use karat_measures::difference::{OpenDocument, Pair, bounds};
use karat_measures::example::Owned;
use karat_measures::{BoundsKind, Measure, spec};

const GRADES: [f64; 3] = [0.0, 1.0, 2.0];

/// Documents by number, what is known of each, and two lists of them.
struct Case {
    known: Vec<Judgement>,
    a: Vec<usize>,
    b: Vec<usize>,
}

impl Case {
    fn side(&self, list: &[usize], known: &[Judgement]) -> Owned {
        let missed = (0..known.len()).filter(|document| !list.contains(document)).map(|document| known[document]);
        let collection = CollectionFacts { max_grade: 2.0, ..CollectionFacts::default() };
        Owned::new(list.iter().map(|&document| known[document]).collect(), missed.collect(), collection)
    }

    fn bounds(&self, measure: &dyn Measure) -> Option<(f64, f64)> {
        let (a, b) = (self.side(&self.a, &self.known), self.side(&self.b, &self.known));
        let rank =
            |list: &[usize], document: usize| list.iter().position(|&other| other == document).map(|i| i as u32 + 1);
        let open = (0..self.known.len())
            .filter(|&document| !self.known[document].is_judged())
            .map(|document| OpenDocument::new(rank(&self.a, document), rank(&self.b, document)))
            .filter(|open| open.a().is_some() || open.b().is_some());
        bounds(measure, &Pair::new(a.view(), b.view(), open.collect()))
    }

    /// Least and greatest difference by trying everything; where bounds are complete, with documents elsewhere too.
    fn tried(&self, measure: &dyn Measure) -> (f64, f64) {
        let collection = self.side(&[], &[]).view().collection;
        let most =
            if measure.counts_missed() && measure.bounds_kind(&collection) == BoundsKind::Complete { 3 } else { 0 };
        let elsewhere = choices(&GRADES, most);
        let open: Vec<usize> = (0..self.known.len())
            .filter(|&document| match self.known[document] {
                Judgement::Grade(_) => false,
                Judgement::PooledUnjudged => true,
                Judgement::Unpooled => self.a.contains(&document) || self.b.contains(&document),
            })
            .collect();
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for number in 0..GRADES.len().pow(open.len() as u32) {
            let (mut known, mut rest) = (self.known.clone(), number);
            for &document in &open {
                known[document] = Judgement::Grade(Grade::new(GRADES[rest % GRADES.len()]).unwrap());
                rest /= GRADES.len();
            }
            let documents = known.len();
            for more in &elsewhere {
                known.truncate(documents);
                known.extend(more.iter().map(|&grade| Judgement::Grade(Grade::new(grade).unwrap())));
                let value = |list: &[usize]| measure.value(&self.side(list, &known).view()).unwrap();
                let difference = value(&self.a) - value(&self.b);
                low = low.min(difference);
                high = high.max(difference);
            }
        }
        (low, high)
    }
}

/// Every choice of up to so many grades, whatever their order.
fn choices(grades: &[f64], most: usize) -> Vec<Vec<f64>> {
    let mut found = vec![Vec::new()];
    for (place, grade) in grades.iter().enumerate().filter(|_| most > 0) {
        found.extend(choices(&grades[place..], most - 1).into_iter().map(|rest| [vec![*grade], rest].concat()));
    }
    found
}

/// Numbers from 0 to n - 1 that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }

    fn list(&mut self, documents: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..documents).collect();
        (1..documents).rev().for_each(|place| all.swap(place, self.below(place + 1)));
        all.truncate(self.below(documents + 1));
        all
    }

    fn case(&mut self) -> Case {
        let documents = 3 + self.below(5);
        let mut open = 0;
        let known = (0..documents).map(|_| match self.below(5) {
            3 if open < 5 => {
                open += 1;
                Judgement::PooledUnjudged
            }
            4 if open < 5 => {
                open += 1;
                Judgement::Unpooled
            }
            other => Judgement::Grade(Grade::new((other % 3) as f64).unwrap()),
        });
        Case { known: known.collect(), a: self.list(documents), b: self.list(documents) }
    }
}

fn measure(name: &str) -> Box<dyn Measure> {
    spec::parse(name, 1.0).unwrap().build().unwrap()
}

#[test]
fn no_completion_lies_outside_and_exact_ends_are_reached() {
    let exact = [
        "P@3",
        "DCG@4",
        "CG@3",
        "nDCG",
        "nDCG@2",
        "nDCG(dcg=exp-log2)@3",
        "R@2",
        "R@5",
        "RR",
        "RR@2",
        "RR(rel=2)",
        "Success@2",
    ];
    // RBP of a list that ends leaves open what a longer list could have had, which is more than judging can do.
    let sound = [
        "AP",
        "AP@3",
        "AP(rel=2)",
        "ERR@3",
        "Rprec",
        "RBP(p=0.5)",
        "RBP(p=0.8)@4",
        "SetF",
        "IPrec@0.2",
        "GMAP",
        "NERR10",
    ];
    let mut dice = Dice(7);
    let mut narrower = 0;
    for _ in 0..400 {
        let case = dice.case();
        for name in exact.iter().chain(&sound) {
            let Ok(Ok(measure)) = spec::parse(name, 1.0).map(|spec| spec.build()) else { continue };
            let Some((low, high)) = case.bounds(measure.as_ref()) else { continue };
            let (least, greatest) = case.tried(measure.as_ref());
            let why =
                format!("{name}: {low} {high} for {least} {greatest}: {:?} {:?} {:?}", case.known, case.a, case.b);
            assert!(low <= least + 1e-12 && greatest <= high + 1e-12, "{why}");
            if exact.contains(name) {
                assert!((low - least).abs() < 1e-12 && (high - greatest).abs() < 1e-12, "not reached: {why}");
            }
            if *name == "AP" && high - low < 0.5 * (2.0 - 1e-9) && !case.a.is_empty() && !case.b.is_empty() {
                narrower += 1;
            }
        }
    }
    assert!(narrower > 50, "{narrower}");
}

#[test]
fn the_same_list_twice_differs_by_nothing_whatever_is_judged() {
    let mut dice = Dice(3);
    for _ in 0..100 {
        let case = dice.case();
        let same = Case { b: case.a.clone(), ..case };
        for name in ["P@3", "nDCG@4", "AP", "AP@3", "RR", "R@3", "Success@2", "DCG@5"] {
            let (low, high) = same.bounds(measure(name).as_ref()).unwrap();
            assert!(low.abs() < 1e-12 && high.abs() < 1e-12, "{name} {low} {high}");
        }
    }
}

#[test]
fn by_hand() {
    let grade = |value: f64| Judgement::Grade(Grade::new(value).unwrap());
    // Document 0 is relevant, 1 unjudged. a: 0 1, b: 1 0. As judged AP is 1 and 1/2; with 1 relevant both are 1: from 0 to 1/2.
    let swap = Case { known: vec![grade(1.0), Judgement::Unpooled], a: vec![0, 1], b: vec![1, 0] };
    assert_eq!(swap.bounds(measure("AP").as_ref()), Some((0.0, 0.5)));
    // RR the same; P@1: 1 - 0 or 1 - 1; P@2 always 0: the document is within both.
    assert_eq!(swap.bounds(measure("RR").as_ref()), Some((0.0, 0.5)));
    assert_eq!(swap.bounds(measure("P@1").as_ref()), Some((0.0, 1.0)));
    assert_eq!(swap.bounds(measure("P@2").as_ref()), Some((0.0, 0.0)));
    // a has the relevant document alone; b an unjudged one alone. AP of a is 1, and 1/2 once b's is relevant, when b's is 1/2.
    let apart = Case { known: vec![grade(1.0), Judgement::Unpooled], a: vec![0], b: vec![1] };
    assert_eq!(apart.bounds(measure("AP").as_ref()), Some((0.0, 1.0)));
}
