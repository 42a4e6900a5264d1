//! The grades that labels are counted by: declared, not collected from what occurs.

use karat_data::{JudgeLabels, LineProblem, Problem, Problems};

/// What the user said of the scale.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScaleChoice {
    /// Its grades; where nobody says, the whole numbers from 0 to the largest grade.
    pub declared: Vec<f64>,
    /// Grades from here on count as 1, others as 0.
    pub binary: Option<f64>,
}

/// A scale, and where each grade of a file stands in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// Its grades, ascending.
    pub grades: Vec<f64>,
    binary: Option<f64>,
    /// How it came about, for a note.
    pub note: String,
}

/// The largest grade up to which a scale of whole numbers is made up.
const LARGEST: f64 = 100.0;

impl Scale {
    /// The grade as it is counted.
    pub fn counted(&self, grade: f64) -> f64 {
        self.binary.map_or(grade, |level| f64::from(u8::from(grade >= level)))
    }

    /// The place of a grade in the scale.
    pub fn place(&self, grade: f64) -> Option<usize> {
        self.grades.iter().position(|&known| known == self.counted(grade))
    }

    /// The scale of these labels.
    ///
    /// # Errors
    /// A grade that is not on a declared scale, with its file and line.
    pub fn of(choice: &ScaleChoice, all: &[&JudgeLabels]) -> Result<Scale, Problems> {
        let shown = |grades: &[f64]| grades.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
        if let Some(level) = choice.binary {
            let note = format!("two grades: labels from {level} on count as 1, others as 0 (--binary)");
            return Ok(Scale { grades: vec![0.0, 1.0], binary: choice.binary, note });
        }
        let mut found: Vec<f64> = all.iter().flat_map(|labels| labels.grades()).collect();
        found.sort_unstable_by(f64::total_cmp);
        found.dedup();
        if choice.declared.is_empty() {
            let largest = found.last().copied().unwrap_or(0.0);
            let whole = found.iter().all(|grade| grade.fract() == 0.0) && largest <= LARGEST;
            let grades = if whole { (0..=largest as u32).map(f64::from).collect() } else { found };
            let why = if whole { "the whole numbers to the largest grade given" } else { "the grades that were given" };
            let note = format!("the scale is {} ({why}); declare another with --scale", shown(&grades));
            return Ok(Scale { grades, binary: None, note });
        }
        let scale = Scale { grades: choice.declared.clone(), binary: None, note: String::new() };
        let mut problems = Problems::default();
        for labels in all {
            for label in labels.labels() {
                let Some(grade) = label.grade.filter(|&grade| scale.place(grade).is_none()) else { continue };
                let (file, line) = labels.place(label);
                let expected = format!("a grade of the declared scale ({})", shown(&scale.grades));
                let remedy = "correct the grade, or declare all grades with --scale";
                let problem = LineProblem::new("grade", expected, grade.to_string(), remedy);
                problems.push(Problem::of_line(file, line.saturating_sub(1), problem));
            }
        }
        problems.into_result()?;
        Ok(scale)
    }
}
