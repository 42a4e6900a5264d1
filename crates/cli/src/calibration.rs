//! A calibration from the command line: counts, a table, or a file written by `karat judges calibrate`.

use clap::Args;
use karat_analysis::judges::{self, Sampling};
use karat_data::Problem;
use karat_present::judges::calibrate::caution;
use karat_report::Provenance;
use karat_stats::judge_error::{Calibration, Clustering};
use serde_json::Value;

use crate::environment::Environment;
use crate::failure::Failure;

/// Agreements and pairs, written 43/59.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agreed(pub u64, pub u64);

impl std::str::FromStr for Agreed {
    type Err = String;

    fn from_str(text: &str) -> Result<Agreed, String> {
        let parts = text.split_once('/').map(|(agreed, pairs)| (agreed.trim().parse(), pairs.trim().parse()));
        match parts {
            Some((Ok(agreed), Ok(pairs))) => Ok(Agreed(agreed, pairs)),
            _ => Err("expected agreements/pairs in whole numbers, such as 43/59".into()),
        }
    }
}

/// The answer's provenance with a calibration file, where one was given.
pub fn provenance(environment: &Environment, provenance: Provenance, file: Option<&str>) -> Provenance {
    let Some(file) = file else { return provenance };
    provenance.option("calibration", file).input(file, environment.size(file), 1)
}

/// Where the error rates come from.
#[derive(Debug, Clone, Default, Args)]
pub struct CalibrationOptions {
    /// Relevant pairs (by gold): those that bronze called relevant / all, such as 43/59
    #[arg(long, value_name = "AGREED/PAIRS", requires = "nonrelevant", conflicts_with_all = ["table", "calibration"])]
    relevant: Option<Agreed>,
    /// Non-relevant pairs (by gold): those that bronze called non-relevant / all, such as 67/84
    #[arg(long, value_name = "AGREED/PAIRS", requires = "relevant", conflicts_with_all = ["table", "calibration"])]
    nonrelevant: Option<Agreed>,
    /// Counts of pairs by gold grade (rows, lowest first) and bronze grade, such as '67,17;16,43'
    #[arg(long, value_name = "ROWS", conflicts_with = "calibration")]
    table: Option<String>,
    /// Grades of --table, ascending; default: 0,1,...
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "table", allow_negative_numbers = true)]
    grades: Vec<f64>,
    /// File written by karat judges calibrate -o judges.json
    #[arg(long, value_name = "FILE")]
    calibration: Option<String>,
}

impl CalibrationOptions {
    /// The calibration.
    ///
    /// # Errors
    /// None is given, or it is wrong.
    pub fn read(&self, environment: &Environment) -> Result<Calibration, Failure> {
        if let (Some(relevant), Some(nonrelevant)) = (self.relevant, self.nonrelevant) {
            let made = Calibration::binary((relevant.0, relevant.1), (nonrelevant.0, nonrelevant.1));
            return made.map_err(Failure::usage);
        }
        if let Some(table) = &self.table {
            let counts = rows(table)?;
            let grades = if self.grades.is_empty() {
                (0..counts.len()).map(|grade| grade as f64).collect()
            } else {
                self.grades.clone()
            };
            return Calibration::new(&grades, counts).map_err(|error| Failure::usage(format!("--table: {error}")));
        }
        match &self.calibration {
            Some(name) => from_file(environment, name),
            None => Err(Failure::usage(
                "error rates of the judges are needed: --relevant 43/59 --nonrelevant 67/84, --table '67,17;16,43', or --calibration FILE",
            )),
        }
    }

    /// How the pairs of the calibration file were chosen, where there is one that says so.
    pub fn sampling(&self, environment: &Environment) -> Option<Sampling> {
        sampling(environment, self.calibration.as_deref())
    }

    /// What goes with these rates wherever they are used.
    pub fn cautions(&self, environment: &Environment) -> Vec<String> {
        cautions(environment, self.calibration.as_deref())
    }

    /// The files it reads.
    pub fn files(&self) -> Vec<String> {
        self.calibration.iter().cloned().collect()
    }

    /// As options of the provenance.
    pub fn provenance(
        &self,
        environment: &Environment,
        provenance: karat_report::Provenance,
        calibration: &Calibration,
    ) -> karat_report::Provenance {
        let provenance = provenance.option("grades", calibration.grades().to_vec()).option("table", table(calibration));
        self.calibration
            .iter()
            .fold(provenance, |provenance, file| provenance.input(file.clone(), environment.size(file), 1))
    }
}

/// The counts as --table takes them.
pub fn table(calibration: &Calibration) -> String {
    let row = |row: &Vec<u64>| row.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    calibration.counts().iter().map(row).collect::<Vec<_>>().join(";")
}

fn rows(text: &str) -> Result<Vec<Vec<u64>>, Failure> {
    let wrong = |cell: &str| {
        Failure::usage(format!(
            "--table: '{cell}' is not a count; expected whole numbers, with commas between columns and semicolons between rows"
        ))
    };
    let row = |row: &str| row.split(',').map(|cell| cell.trim().parse().map_err(|_| wrong(cell.trim()))).collect();
    text.split(';').map(row).collect()
}

/// The calibration in a file.
///
/// # Errors
/// It cannot be read, or holds none.
pub fn from_file(environment: &Environment, name: &str) -> Result<Calibration, Failure> {
    let bytes = environment
        .read(name)
        .map_err(|error| Failure::from(Problem::unreadable(name, "a calibration", &error, REMEDY)))?;
    from_bytes(&bytes).map_err(|Malformed { field, expected, found }| {
        Failure::from(Problem { field, ..Problem::of_file(name, expected, found, REMEDY) })
    })
}

const REMEDY: &str = "write it with karat judges calibrate ... -o judges.json";

/// What is wrong with a file of a calibration.
struct Malformed {
    field: Option<&'static str>,
    expected: String,
    found: String,
}

fn malformed(field: &'static str, expected: impl Into<String>, found: impl ToString) -> Malformed {
    Malformed { field: Some(field), expected: expected.into(), found: found.to_string() }
}

fn from_bytes(bytes: &[u8]) -> Result<Calibration, Malformed> {
    let answer: Value = serde_json::from_slice(bytes).map_err(|error| Malformed {
        field: None,
        expected: "one JSON object".into(),
        found: error.to_string(),
    })?;
    check_command(&answer)?;
    let grades: Option<Vec<f64>> = answer["grades"].as_array().and_then(|all| all.iter().map(Value::as_f64).collect());
    let row = |row: &Value| row.as_array()?.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>();
    let counts: Option<Vec<Vec<u64>>> = answer["counts"].as_array().and_then(|rows| rows.iter().map(row).collect());
    let grades = grades.ok_or_else(|| malformed("grades", "a list of numbers", &answer["grades"]))?;
    let counts = counts.ok_or_else(|| malformed("counts", "a list of lists of whole numbers", &answer["counts"]))?;
    let made = Calibration::new(&grades, counts).map_err(|error| malformed("counts", "a calibration", error))?;
    let made = match clustering(&answer) {
        Some(known) => known.and_then(|(known, between)| made.clustered(known, between).ok()).ok_or_else(|| {
            let expected =
                "for each grade a number from 1 to its pairs, its topics in design_topics, and covariances in between_grades";
            malformed("design_effects", expected, &answer["design_effects"])
        })?,
        None => made,
    };
    check_rates(&answer, &made)?;
    Ok(made)
}

/// Whether the file is the answer that holds a calibration.
fn check_command(answer: &Value) -> Result<(), Malformed> {
    if answer["command"] != "judges calibrate" {
        let command = answer["command"].as_str();
        let found = command.map_or("another object".into(), |command| format!("an answer of karat {command}"));
        return Err(malformed("command", "\"judges calibrate\"", found));
    }
    // Calibrations have the same fields in both.
    if answer["schema"] != "karat/2" && answer["schema"] != "karat/1" {
        return Err(malformed("schema", "\"karat/2\"", &answer["schema"]));
    }
    Ok(())
}

/// Whether the rates follow from the counts: a file whose rates somebody edited would else be read as if nothing had been.
fn check_rates(answer: &Value, calibration: &Calibration) -> Result<(), Malformed> {
    let rates = calibration.rates();
    for gold in 0..rates.size() {
        for (bronze, &rate) in rates.row(gold).iter().enumerate() {
            let told = &answer["rates_matrix"][gold][bronze];
            if !told.is_null() && told.as_f64().is_none_or(|told| (told - rate).abs() > 1e-6) {
                let expected =
                    format!("rates that follow from counts, {rate} in row {} column {}", gold + 1, bronze + 1);
                return Err(malformed("rates_matrix", expected, told));
            }
        }
    }
    Ok(())
}

/// Design effects by gold grade, and covariances between grades.
type Clusterings = (Vec<Clustering>, Vec<Vec<f64>>);

/// The design effects of a file that has any; within, `None` where they are malformed.
fn clustering(answer: &Value) -> Option<Option<Clusterings>> {
    let (effects, topics) = (&answer["design_effects"], &answer["design_topics"]);
    if effects.is_null() && topics.is_null() {
        return None;
    }
    let both = effects.as_array().zip(topics.as_array()).filter(|(effects, topics)| effects.len() == topics.len());
    let one =
        |(effect, topics): (&Value, &Value)| Some(Clustering { topics: topics.as_u64()?, effect: effect.as_f64()? });
    let block = |block: &Value| block.as_array()?.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>();
    let between = answer["between_grades"].as_array().and_then(|blocks| blocks.iter().map(block).collect());
    let effects = both.and_then(|(effects, topics)| effects.iter().zip(topics).map(one).collect());
    Some(Option::zip(effects, between))
}

/// A file that was read as a calibration, again.
fn again(environment: &Environment, file: Option<&str>) -> Option<Value> {
    serde_json::from_slice(&environment.read(file?).ok()?).ok()
}

/// How the pairs of a calibration file were chosen, where it says so; of a file that was read as a calibration.
fn sampling(environment: &Environment, file: Option<&str>) -> Option<Sampling> {
    again(environment, file)?["sampling"].as_str().and_then(Sampling::from_name)
}

/// What goes with the rates of a file that was read as a calibration, wherever they are used.
pub fn cautions(environment: &Environment, file: Option<&str>) -> Vec<String> {
    let depends_on: Vec<String> = again(environment, file)
        .and_then(|answer| {
            Some(answer["depends_on"].as_array()?.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        })
        .unwrap_or_default();
    judges::cautions(sampling(environment, file), depends_on).iter().map(caution).collect()
}
