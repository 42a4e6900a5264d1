//! Gains of grades for nDCG, DCG, CG and their kin: the grade itself, 2^grade - 1, or what the user says, and the ideal
//! order of gains that a topic's judgements allow.

use karat_data::{CollectionFacts, Grade, Judgement, TopicFacts};

use crate::info::{Legal, Parameter};
use crate::linear::Gain;
use crate::score::Undefined;
use crate::spec::{MeasureSpec, SpecError, Value};

/// The parameter `dcg`.
pub const DCG: Parameter = Parameter {
    name: "dcg",
    default: "log2",
    legal: Legal::Words(&["log2", "exp-log2"]),
    meaning: "log2: the gain is the grade; exp-log2: 2^grade - 1. Both are discounted by log2(rank + 1)",
};

/// The parameter `gains`.
pub const GAINS: Parameter = Parameter {
    name: "gains",
    default: "",
    legal: Legal::Described("a map {grade:gain,...} with gains within 1e9"),
    meaning: "gains of some grades, {1:3,2:9}; other grades keep their gain",
};

/// The parameter `gains` where unjudged documents may have one too.
pub const GAINS_WITH_UNJUDGED: Parameter = Parameter {
    name: "gains",
    default: "",
    legal: Legal::Described(
        "a map {grade:gain,...} with gains within 1e9, -1 for documents outside the pool, -2 for pooled but unjudged ones",
    ),
    meaning: "gains of some grades, {1:3,2:9}; other grades keep their gain, unjudged documents have 0 (values may then exceed 1)",
};

/// The largest gain that can be given, either way: sums of larger ones are no longer exact, or overflow.
const GREATEST_GIVEN: f64 = 1e9;

/// Why there is no value where gains leave the range of floats: 2^grade from grade 1024 on, and sums of them before.
pub const TOO_LARGE: Undefined = Undefined { reason: "gains too large to compute" };

/// What a document is worth by its judgement.
#[derive(Debug, Clone, PartialEq)]
pub struct Gains {
    exponential: bool,
    given: Vec<(f64, f64)>,
}

impl Gains {
    /// From the parameters `dcg` and `gains`; `unjudged` says whether the keys -1 and -2 are allowed.
    ///
    /// # Errors
    /// A parameter is not what it should be.
    pub fn of_spec(spec: &MeasureSpec, unjudged: bool) -> Result<Gains, SpecError> {
        let exponential = match spec.word("dcg")? {
            None | Some("log2") => false,
            Some("exp-log2") => true,
            Some(_) => return Err(spec.illegal("dcg", DCG.legal)),
        };
        let given = spec.map("gains")?.unwrap_or(&[]).to_vec();
        let legal = |grade: f64| grade >= 0.0 || (unjudged && (grade == -1.0 || grade == -2.0));
        let twice = |at: usize| given[..at].iter().any(|(other, _)| *other == given[at].0);
        if !given.iter().all(|&(grade, gain)| legal(grade) && gain.abs() <= GREATEST_GIVEN)
            || (0..given.len()).any(twice)
        {
            return Err(spec.illegal("gains", if unjudged { GAINS_WITH_UNJUDGED.legal } else { GAINS.legal }));
        }
        Ok(Gains { exponential, given })
    }

    /// The specification with these gains.
    #[must_use]
    pub fn print(&self, spec: MeasureSpec) -> MeasureSpec {
        let spec = if self.exponential { spec.with("dcg", Value::Word("exp-log2".into())) } else { spec };
        if self.given.is_empty() { spec } else { spec.with("gains", Value::Map(self.given.clone())) }
    }

    /// The gain of a retrieved document.
    #[inline]
    pub fn of_judgement(&self, judgement: Judgement) -> f64 {
        match judgement {
            Judgement::Grade(grade) => self.of(grade.value()),
            Judgement::Unpooled => self.given(-1.0).unwrap_or(0.0),
            Judgement::PooledUnjudged => self.given(-2.0).unwrap_or(0.0),
        }
    }

    /// Whether no judged document has a gain below 0, and no unjudged one any: then no DCG is above an ideal of 0.
    pub fn are_never_below_zero(&self) -> bool {
        self.given.iter().all(|&(grade, gain)| grade >= 0.0 && gain >= 0.0)
    }

    /// Whether unjudged documents were given gains of their own.
    pub fn of_unjudged(&self) -> bool {
        self.given.iter().any(|(grade, _)| *grade < 0.0)
    }

    #[inline]
    fn given(&self, grade: f64) -> Option<f64> {
        self.given.iter().find(|(other, _)| *other == grade).map(|(_, gain)| *gain)
    }

    #[inline]
    fn own(&self, grade: f64) -> f64 {
        if self.exponential { libm::exp2(grade) - 1.0 } else { grade }
    }

    /// The topic's judged documents in groups of equal gain, the greatest first, positive gains only: the ideal
    /// ranking, without a list of it. Own gains ascend with the grades, so the groups are the grades from the end; with
    /// gains given they are sorted.
    pub fn ideal<'a>(&'a self, facts: TopicFacts<'a>) -> impl Iterator<Item = Group> + 'a {
        let group = |&(grade, count): &(Grade, u32)| Group { gain: self.of(grade.value()), count: count as usize };
        let mut sorted: Vec<Group> = Vec::new();
        if !self.given.is_empty() {
            sorted.extend(facts.grades.iter().map(group));
            sorted.sort_by(|a, b| a.gain.total_cmp(&b.gain));
            sorted.dedup_by(|next, kept| {
                let same = next.gain == kept.gain;
                kept.count += if same { next.count } else { 0 };
                same
            });
        }
        let mut ascending = facts.grades.iter();
        let next = move || if self.given.is_empty() { ascending.next_back().map(group) } else { sorted.pop() };
        std::iter::from_fn(next).take_while(|group| group.gain > 0.0)
    }

    /// Gains a document could have: of every grade given, and of the least and greatest grade that keeps its own gain.
    /// Where grades have fractions, any number up to the largest is a grade, and 0 and the largest are at least approached.
    fn extremes(&self, collection: &CollectionFacts) -> impl Iterator<Item = f64> + '_ {
        let max_grade = collection.max_grade;
        let given =
            self.given.iter().filter(move |(grade, _)| (0.0..=max_grade).contains(grade)).map(|(_, gain)| *gain);
        let kept = |grade: &f64| (0.0..=max_grade).contains(grade) && self.given(*grade).is_none();
        let steps = self.given.len() + 1;
        let whole = collection.whole_grades;
        let least = if whole { (0..=steps).map(|step| step as f64).find(kept) } else { Some(0.0) };
        // The largest grade itself, then the whole grades below it.
        let top = max_grade.floor();
        let below = (0..=steps).map(|step| top - step as f64);
        let greatest = if whole { std::iter::once(max_grade).chain(below).find(kept) } else { Some(max_grade) };
        given.chain(least.map(|grade| self.own(grade))).chain(greatest.map(|grade| self.own(grade)))
    }
}

/// Judged documents of one gain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Group {
    /// Their gain.
    pub gain: f64,
    /// How many they are.
    pub count: usize,
}

impl Gain for Gains {
    #[inline]
    fn of(&self, grade: f64) -> f64 {
        if self.given.is_empty() { self.own(grade) } else { self.given(grade).unwrap_or_else(|| self.own(grade)) }
    }

    fn greatest(&self, collection: &CollectionFacts) -> f64 {
        if self.given.is_empty() {
            return self.own(collection.max_grade.max(0.0));
        }
        self.extremes(collection).reduce(f64::max).unwrap_or(0.0)
    }

    fn least(&self, collection: &CollectionFacts) -> f64 {
        if self.given.is_empty() {
            return self.own(0.0);
        }
        self.extremes(collection).reduce(f64::min).unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn up_to(max_grade: f64) -> CollectionFacts {
        CollectionFacts { max_grade, ..CollectionFacts::default() }
    }

    #[test]
    fn the_ideal_order_is_by_gain_and_not_by_grade() {
        let gains = Gains { exponential: false, given: vec![(1.0, 3.0), (2.0, 0.5), (4.0, 3.0)] };
        let grade = |value| Grade::new(value).unwrap();
        let grades = [(grade(0.0), 9), (grade(1.0), 2), (grade(2.0), 1), (grade(4.0), 5)];
        let groups: Vec<_> = gains.ideal(TopicFacts { grades: &grades, pooled_unjudged: 0 }).collect();
        assert_eq!(groups, [Group { gain: 3.0, count: 7 }, Group { gain: 0.5, count: 1 }]);
    }

    #[test]
    fn gains_an_unjudged_document_could_have() {
        let plain = Gains { exponential: true, given: vec![] };
        assert_eq!((plain.least(&up_to(3.0)), plain.greatest(&up_to(3.0))), (0.0, 7.0));
        // Grades 0..=2 are worth -1, 5 and 2; grade 4 does not occur.
        let given = Gains { exponential: false, given: vec![(0.0, -1.0), (1.0, 5.0), (4.0, 9.0)] };
        assert_eq!((given.least(&up_to(2.0)), given.greatest(&up_to(2.0))), (-1.0, 5.0));
        // All grades given.
        let all = Gains { exponential: false, given: vec![(0.0, 0.5), (1.0, 0.9)] };
        assert_eq!((all.least(&up_to(1.0)), all.greatest(&up_to(1.0))), (0.5, 0.9));
    }

    #[test]
    fn with_fractions_between_the_grades_every_number_is_a_grade() {
        let given = Gains { exponential: false, given: vec![(0.0, 1.0), (1.0, 1.0), (2.0, 1.0)] };
        // Whole grades: all three have gain 1. With fractions a grade near 0 has a gain near 0, one near 2 a gain near 2.
        assert_eq!((given.least(&up_to(2.0)), given.greatest(&up_to(2.0))), (1.0, 1.0));
        let fractions = CollectionFacts { whole_grades: false, ..up_to(2.0) };
        assert_eq!((given.least(&fractions), given.greatest(&fractions)), (0.0, 2.0));
    }
}
