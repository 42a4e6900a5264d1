//! Which grade an unjudged document has, once it is known whether it is relevant: as the judged documents have them.

use karat_data::Qrels;

/// Grades of relevant documents and of the others, with their shares.
#[derive(Debug, Clone, PartialEq)]
pub struct Grades {
    relevant: Vec<(f64, f64)>,
    others: Vec<(f64, f64)>,
}

/// Mean and variance of a gain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GainMoments {
    /// Mean.
    pub mean: f64,
    /// Variance.
    pub variance: f64,
}

impl Grades {
    /// The grades of all judged documents; a relevant one has `level` where none was judged, another one 0.
    pub fn of(qrels: &Qrels, level: f64) -> Grades {
        let mut counted: Vec<(f64, f64)> = Vec::new();
        for (grade, count) in qrels.all_facts().flat_map(|facts| facts.grades) {
            match counted.iter_mut().find(|(known, _)| *known == grade.value()) {
                Some((_, sum)) => *sum += f64::from(*count),
                None => counted.push((grade.value(), f64::from(*count))),
            }
        }
        counted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (relevant, others) = counted.into_iter().partition(|(grade, _)| *grade >= level);
        Grades { relevant: shares(relevant, level), others: shares(others, 0.0) }
    }

    /// Every grade that can be drawn: those of relevant documents, then the others.
    pub fn all(&self) -> impl Iterator<Item = f64> + '_ {
        self.relevant.iter().chain(&self.others).map(|(grade, _)| *grade)
    }

    /// The place among [`Grades::all`] that a number from 0 to 1, even over them, stands for when relevance has this chance.
    #[inline]
    pub fn place(&self, unit: f64, chance: f64) -> usize {
        if unit < chance {
            self.among(&self.relevant, unit / chance)
        } else {
            self.relevant.len() + self.among(&self.others, (unit - chance) / (1.0 - chance))
        }
    }

    /// The grade at that place.
    pub fn draw(&self, unit: f64, chance: f64) -> f64 {
        self.all().nth(self.place(unit, chance)).unwrap_or(0.0)
    }

    /// The grade of a document that is relevant, or is not.
    pub fn given(&self, unit: f64, relevant: bool) -> f64 {
        let grades = if relevant { &self.relevant } else { &self.others };
        grades.get(self.among(grades, unit)).map_or(0.0, |(grade, _)| *grade)
    }

    #[inline]
    fn among(&self, grades: &[(f64, f64)], mut unit: f64) -> usize {
        if grades.len() == 1 {
            return 0;
        }
        let found = grades.iter().position(|(_, share)| {
            unit -= share;
            unit < 0.0
        });
        found.unwrap_or(grades.len().saturating_sub(1))
    }

    /// Mean and variance of the gain of a relevant document, and of another one.
    pub fn gains(&self, gain: &dyn Fn(f64) -> f64) -> (GainMoments, GainMoments) {
        (moments(&self.relevant, gain), moments(&self.others, gain))
    }
}

fn moments(grades: &[(f64, f64)], gain: &dyn Fn(f64) -> f64) -> GainMoments {
    let mean: f64 = grades.iter().map(|(grade, share)| share * gain(*grade)).sum();
    let variance = grades.iter().map(|(grade, share)| share * (gain(*grade) - mean) * (gain(*grade) - mean)).sum();
    GainMoments { mean, variance }
}

fn shares(counted: Vec<(f64, f64)>, otherwise: f64) -> Vec<(f64, f64)> {
    let total: f64 = counted.iter().map(|(_, count)| count).sum();
    if total > 0.0 {
        counted.into_iter().map(|(grade, count)| (grade, count / total)).collect()
    } else {
        vec![(otherwise, 1.0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_data::{Judgement, QrelsBuilder};

    #[test]
    fn shares_and_moments_by_hand() {
        let mut builder = QrelsBuilder::new();
        for (place, grade) in [0.0, 0.0, 1.0, 3.0, 3.0, 3.0, -1.0].into_iter().enumerate() {
            builder.push(b"t", format!("d{place}").as_bytes(), Judgement::from_number(grade).unwrap());
        }
        let qrels = builder.finish().0;
        let grades = Grades::of(&qrels, 1.0);
        // One of grade 1 and three of grade 3: mean 2.5, variance .25 · 2.25 + .75 · .25 = .75.
        let (relevant, others) = grades.gains(&|grade| grade);
        assert_eq!(relevant, GainMoments { mean: 2.5, variance: 0.75 });
        assert_eq!(others, GainMoments { mean: 0.0, variance: 0.0 });
        // Half relevant: the first eighth of the unit is grade 1, then grade 3 up to 1/2.
        assert_eq!([0.1, 0.2, 0.49, 0.5].map(|unit| grades.draw(unit, 0.5)), [1.0, 3.0, 3.0, 0.0]);
        // From level 4 on nothing is judged: a relevant one would have grade 4.
        assert_eq!(Grades::of(&qrels, 4.0).draw(0.0, 0.5), 4.0);
        assert_eq!(grades.draw(0.999, 1.0), 3.0);
    }
}
