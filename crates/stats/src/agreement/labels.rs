//! The labels themselves: items, judges, and which of a declared scale's grades each judge gave each item.
//!
//! The one decision: the scale is declared, not collected from what occurs (a grade nobody gave still counts for chance), and
//! a missing label is missing, not the lowest grade.

use std::fmt;

/// Labels of some judges for some items, on a declared scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Labels {
    scale: Vec<f64>,
    judges: usize,
    /// Where each item's labels start in `given`; one more at the end.
    starts: Vec<usize>,
    /// Judge and place in the scale, by item, judges ascending.
    given: Vec<(u32, u16)>,
}

/// Labels that cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LabelError {
    /// The scale is empty, out of order, not finite, or has more than 1000 grades.
    Scale,
    /// A grade that the scale does not have.
    OffScale {
        /// Item from 0.
        item: usize,
        /// Judge from 0.
        judge: usize,
        /// The grade.
        grade: f64,
    },
    /// A judge beyond those declared, or one who labelled an item twice.
    Judge {
        /// Item from 0.
        item: usize,
        /// Judge from 0.
        judge: usize,
    },
}

impl fmt::Display for LabelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabelError::Scale => {
                f.write_str("expected a scale of 1 to 1000 finite grades in ascending order, each once")
            }
            LabelError::OffScale { item, judge, grade } => {
                write!(
                    f,
                    "item {item}, judge {judge} (both from 0): grade {grade}; expected a grade of the declared scale"
                )
            }
            LabelError::Judge { item, judge } => {
                write!(
                    f,
                    "item {item}: label of judge {judge} (both from 0); expected at most one of each declared judge"
                )
            }
        }
    }
}

impl std::error::Error for LabelError {}

impl Labels {
    /// No items yet, on this scale (grades ascending), by so many judges.
    ///
    /// # Errors
    /// The scale is no scale.
    pub fn new(scale: &[f64], judges: usize) -> Result<Labels, LabelError> {
        let ascending = scale.windows(2).all(|pair| pair[0] < pair[1]) && scale.iter().all(|grade| grade.is_finite());
        if scale.is_empty() || scale.len() > 1000 || !ascending {
            return Err(LabelError::Scale);
        }
        Ok(Labels { scale: scale.to_vec(), judges, starts: vec![0], given: Vec::new() })
    }

    /// One more item with the labels it has: judge (from 0) and grade.
    ///
    /// # Errors
    /// A grade is not on the scale, a judge is not one of those declared or comes twice; the item is then not added.
    pub fn push(&mut self, labels: impl IntoIterator<Item = (usize, f64)>) -> Result<(), LabelError> {
        let item = self.items();
        let from = self.given.len();
        let taken = labels.into_iter().try_for_each(|(judge, grade)| {
            let place = self.scale.iter().position(|&known| known == grade);
            let category = place.ok_or(LabelError::OffScale { item, judge, grade })? as u16;
            let number = u32::try_from(judge).ok().filter(|_| judge < self.judges);
            self.given.push((number.ok_or(LabelError::Judge { item, judge })?, category));
            Ok(())
        });
        self.given[from..].sort_unstable();
        let twice = self.given[from..].windows(2).find(|pair| pair[0].0 == pair[1].0);
        let twice = twice.map_or(Ok(()), |pair| Err(LabelError::Judge { item, judge: pair[0].0 as usize }));
        if let Err(error) = taken.and(twice) {
            self.given.truncate(from);
            return Err(error);
        }
        self.starts.push(self.given.len());
        Ok(())
    }

    /// Two judges' labels from a table of counts: row the first judge's grade, column the second's, grades 0, 1, ...
    ///
    /// # Errors
    /// The table is empty or not square.
    pub fn from_table(table: &[&[u64]]) -> Result<Labels, LabelError> {
        let scale: Vec<f64> = (0..table.len()).map(|grade| grade as f64).collect();
        let mut labels = Labels::new(&scale, 2)?;
        for (first, row) in table.iter().enumerate() {
            if row.len() != table.len() {
                return Err(LabelError::Scale);
            }
            for (second, &count) in row.iter().enumerate() {
                for _ in 0..count {
                    labels.push([(0, first as f64), (1, second as f64)])?;
                }
            }
        }
        Ok(labels)
    }

    /// The scale's grades, ascending.
    pub fn scale(&self) -> &[f64] {
        &self.scale
    }

    /// Number of judges, those without a label included.
    pub fn judges(&self) -> usize {
        self.judges
    }

    /// Number of items.
    pub fn items(&self) -> usize {
        self.starts.len() - 1
    }

    /// An item's labels: judge and place in the scale, judges ascending.
    pub fn of(&self, item: usize) -> &[(u32, u16)] {
        &self.given[self.starts[item]..self.starts[item + 1]]
    }

    /// The same items with the labels of two judges only, as judges 0 and 1.
    pub fn pair(&self, first: usize, second: usize) -> Labels {
        let mut pair = Labels { scale: self.scale.clone(), judges: 2, starts: vec![0], given: Vec::new() };
        for item in 0..self.items() {
            let label = |judge: usize| self.of(item).iter().find(|label| label.0 as usize == judge);
            pair.given.extend(label(first).map(|label| (0, label.1)));
            pair.given.extend(label(second).map(|label| (1, label.1)));
            pair.starts.push(pair.given.len());
        }
        pair
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_and_what_is_not() {
        let mut labels = Labels::new(&[0.0, 1.0, 3.0], 3).unwrap();
        labels.push([(2, 3.0), (0, 1.0)]).unwrap();
        labels.push([]).unwrap();
        assert_eq!(labels.of(0), [(0, 1), (2, 2)]);
        assert_eq!(labels.push([(1, 2.0)]), Err(LabelError::OffScale { item: 2, judge: 1, grade: 2.0 }));
        assert_eq!(labels.push([(3, 1.0)]), Err(LabelError::Judge { item: 2, judge: 3 }));
        assert_eq!(labels.push([(1, 1.0), (1, 1.0)]), Err(LabelError::Judge { item: 2, judge: 1 }));
        assert!(labels.push([(0, f64::NAN)]).is_err());
        assert_eq!((labels.items(), labels.of(1)), (2, &[][..]));
        assert_eq!(labels.pair(2, 0).of(0), [(0, 2), (1, 1)]);
        for scale in [&[][..], &[1.0, 1.0], &[1.0, 0.0], &[f64::NAN], &[f64::INFINITY]] {
            assert_eq!(Labels::new(scale, 2), Err(LabelError::Scale));
        }
        assert!(Labels::from_table(&[&[1, 2]]).is_err());
    }
}
