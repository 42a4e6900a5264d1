//! What is wrong with labels, as problems of their files and lines.

use karat_analysis::judges::{JudgesError, OffScaleLabels, Scale, ScaleOrigin};
use karat_data::{LineProblem, Problem, Problems};
use karat_stats::judge_error::CalibrationError;

const SEVERAL_JUDGES: &str = "labels of two or more judges";

/// Why labels give no answer, as problems.
pub fn problems(error: JudgesError) -> Problems {
    match error {
        JudgesError::Runs(error) => crate::score_error::problems(error),
        JudgesError::OffScale(labels) => off_scale(labels),
        JudgesError::OneJudge { file, judge } => {
            let remedy = "give the files of several judges, or a file with a column `judge`";
            Problem::of_file(&file, SEVERAL_JUDGES, format!("labels of one judge ({judge})"), remedy).into()
        }
        JudgesError::NothingToMerge { file, judge } => {
            let remedy = "give the files of several judges, or a file with a column `judge`; to save one judge's labels as judgements, \
                          name the judge with --judge";
            Problem::of_file(&file, SEVERAL_JUDGES, format!("labels of one judge ({judge})"), remedy).into()
        }
        JudgesError::Labels { file, error } => {
            Problem::of_file(&file, "valid labels", error.to_string(), "correct the labels or --scale").into()
        }
        JudgesError::NoGrade { file } => {
            Problem::of_file(&file, "labels with grades", "none", "check the file, or map words to grades with --words")
                .into()
        }
        JudgesError::Fit { file, error } => {
            let remedy = "choose another --rule, or change the options of dawid_skene";
            Problem::of_file(&file, "labels that dawid_skene can merge", error.to_string(), remedy).into()
        }
        JudgesError::NothingInCommon { file, gold } => {
            let remedy = "check that both files use the same names for queries and documents";
            Problem::of_file(&file, format!("documents that are also in {gold}"), "none", remedy).into()
        }
        JudgesError::GoldDiffers { file, line, topic, document } => {
            let found = format!("a second, different grade for {document} of topic {topic}");
            let remedy = "merge the gold judges first with karat judges merge";
            let problem = Problem::of_file(&file, "one gold grade per document", found, remedy);
            Problem { line: Some(line), ..problem }.into()
        }
        JudgesError::Calibration { file, error } => calibration(&file, &error),
    }
}

fn off_scale(error: OffScaleLabels) -> Problems {
    let expected = format!("a grade of the declared scale ({})", list(&error.scale));
    let mut problems = Problems::default();
    for (file, line, grade) in error.labels {
        let remedy = "correct the grade, or declare all grades with --scale";
        let problem = LineProblem::new("grade", expected.as_str(), grade.to_string(), remedy);
        problems.push(Problem::of_line(&file, line.saturating_sub(1), problem));
    }
    problems
}

fn calibration(file: &str, error: &CalibrationError) -> Problems {
    let remedy = match error {
        CalibrationError::NoPairs { .. } => "add gold labels, or merge grades with --binary GRADE",
        _ => "declare the scale with --scale",
    };
    Problem::of_file(file, "pairs of every gold grade", error.to_string(), remedy).into()
}

/// Where the scale comes from, if the user did not declare it.
pub fn scale_note(scale: &Scale) -> Option<String> {
    let grades = list(&scale.grades);
    match scale.origin {
        ScaleOrigin::Declared => None,
        ScaleOrigin::Binary(level) => {
            Some(format!("Two grades: labels of {level} or more count as 1, others as 0 (--binary)."))
        }
        ScaleOrigin::WholeNumbers => {
            Some(format!("Scale: {grades} (whole numbers up to the largest grade); set another with --scale."))
        }
        ScaleOrigin::Found => Some(format!("Scale: {grades} (the grades in the labels); set another with --scale.")),
    }
}

/// Labels that do not count because their judge labelled the document twice.
pub fn repeated_note(labels: u64) -> String {
    format!("{labels} labels are ignored because their judge labelled the same document twice (--repeats).")
}

fn list(grades: &[f64]) -> String {
    grades.iter().map(f64::to_string).collect::<Vec<_>>().join(", ")
}
