//! The grades that labels are counted by: declared by the user, or derived from the labels.

use karat_data::JudgeLabels;

use super::error::OffScaleLabels;

/// The scale that the user chose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScaleChoice {
    /// Its grades; if empty, the whole numbers from 0 to the largest grade.
    pub declared: Vec<f64>,
    /// Grades from here on count as 1, others as 0.
    pub binary: Option<f64>,
}

/// A scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// Its grades, ascending.
    pub grades: Vec<f64>,
    /// Where it comes from.
    pub origin: ScaleOrigin,
}

/// Where a scale comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScaleOrigin {
    /// The user declared it.
    Declared,
    /// Two grades: those from this one on count as 1.
    Binary(f64),
    /// The whole numbers up to the largest grade in the labels.
    WholeNumbers,
    /// The grades in the labels.
    Found,
}

/// The largest grade up to which the scale is all whole numbers.
const LARGEST_WHOLE: f64 = 100.0;

impl Scale {
    /// The grade as it is counted.
    pub fn counted(&self, grade: f64) -> f64 {
        match self.origin {
            ScaleOrigin::Binary(level) => f64::from(u8::from(grade >= level)),
            _ => grade,
        }
    }

    /// The place of a grade in the scale.
    pub fn place(&self, grade: f64) -> Option<usize> {
        self.grades.iter().position(|&known| known == self.counted(grade))
    }

    /// The scale of these labels.
    ///
    /// # Errors
    /// Grades that are not on a declared scale.
    pub fn new(choice: &ScaleChoice, all: &[&JudgeLabels]) -> Result<Scale, OffScaleLabels> {
        if let Some(level) = choice.binary {
            return Ok(Scale { grades: vec![0.0, 1.0], origin: ScaleOrigin::Binary(level) });
        }
        if choice.declared.is_empty() {
            return Ok(Scale::derive(all));
        }
        let scale = Scale { grades: choice.declared.clone(), origin: ScaleOrigin::Declared };
        let mut off = Vec::new();
        for labels in all {
            for label in labels.labels() {
                if let Some(grade) = label.grade.filter(|&grade| scale.place(grade).is_none()) {
                    let (file, line) = labels.place(label);
                    off.push((file.to_owned(), line, grade));
                }
            }
        }
        if off.is_empty() { Ok(scale) } else { Err(OffScaleLabels { scale: scale.grades, labels: off }) }
    }

    fn derive(all: &[&JudgeLabels]) -> Scale {
        let mut found: Vec<f64> = all.iter().flat_map(|labels| labels.grades()).collect();
        found.sort_unstable_by(f64::total_cmp);
        found.dedup();
        let largest = found.last().copied().unwrap_or(0.0);
        if found.iter().all(|grade| grade.fract() == 0.0) && largest <= LARGEST_WHOLE {
            let grades = (0..=largest as u32).map(f64::from).collect();
            return Scale { grades, origin: ScaleOrigin::WholeNumbers };
        }
        Scale { grades: found, origin: ScaleOrigin::Found }
    }
}
