//! Files of labels on the command line, and how they are read.

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use karat_analysis::judges::ScaleChoice;
use karat_data::{JudgeLabels, Repeats};
use karat_formats::labels::{self, LABEL_FORMATS, Words};
use karat_report::Provenance;

use crate::environment::Environment;
use crate::failure::Failure;

/// How labels are read and counted.
#[derive(Debug, Clone, Args)]
pub struct LabelOptions {
    /// Format of the labels [default: detected from the content]
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(LABEL_FORMATS.iter().map(|format| format.name)))]
    labels_format: Option<String>,
    /// Grade or state of each word label, such as 'Relevant=1,Not relevant=0,Broken link=cannot'
    #[arg(long, value_name = "LIST")]
    words: Option<Words>,
    /// Use only the labels of this judge (repeatable); all gold labels are used
    #[arg(long = "judge", value_name = "NAME")]
    judges: Vec<String>,
    /// How to treat a second label by the same judge for the same document
    #[arg(long, value_enum, default_value = "refuse")]
    repeats: RepeatsOption,
    /// Grades of the scale, ascending, such as 0,1,2,3 or -100..100 [default: whole numbers from 0 to the largest grade]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    scale: Option<DeclaredScale>,
    /// Replace grades from GRADE up by 1 and lower ones by 0
    #[arg(long, value_name = "GRADE", conflicts_with = "scale", allow_negative_numbers = true)]
    binary: Option<f64>,
}

/// Grades as they are typed: a list of numbers and of ranges of whole numbers.
#[derive(Debug, Clone, PartialEq)]
struct DeclaredScale(Vec<f64>);

impl std::str::FromStr for DeclaredScale {
    type Err = String;

    fn from_str(text: &str) -> Result<DeclaredScale, String> {
        let mut grades = Vec::new();
        for part in text.split(',').map(str::trim) {
            let wrong =
                || format!("'{part}' is neither a number nor a range; expected grades such as 0,1,2,3 or -100..100");
            match part.split_once("..") {
                Some((first, last)) => {
                    let ends = (first.trim().parse::<i32>(), last.trim().parse::<i32>());
                    let (Ok(first), Ok(last)) = ends else { return Err(wrong()) };
                    if i64::from(last) - i64::from(first) > 100_000 {
                        return Err(format!("'{part}' has more than 100,000 grades"));
                    }
                    if last < first {
                        return Err(format!("'{part}' goes down; expected the lower end first, such as -100..100"));
                    }
                    grades.extend((first..=last).map(f64::from));
                }
                None => grades.push(part.parse().map_err(|_| wrong())?),
            }
        }
        Ok(DeclaredScale(grades))
    }
}

/// What becomes of a judge's second label.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum RepeatsOption {
    /// Report an error
    Refuse,
    /// Keep the first
    First,
    /// Keep the last
    Last,
}

/// Labels, and where they come from.
pub struct Given {
    /// The labels of all files.
    pub labels: JudgeLabels,
    files: Vec<(&'static str, String, u64, u64)>,
}

impl Given {
    /// The files as inputs of the provenance.
    pub fn provenance(&self, provenance: Provenance) -> Provenance {
        self.files.iter().fold(provenance, |provenance, (format, file, bytes, rows)| {
            provenance.input_in(format, file, *bytes, *rows)
        })
    }
}

impl LabelOptions {
    /// Whether judges were asked for by name.
    pub fn names_judges(&self) -> bool {
        !self.judges.is_empty()
    }

    /// Reads these files together; of the judges that were asked for, if any were.
    ///
    /// # Errors
    /// Everything wrong with them, or a judge who is not in them.
    pub fn read(&self, environment: &Environment, names: &[String]) -> Result<Given, Failure> {
        let given = self.read_judges(environment, names, &self.judges)?;
        let found = given.labels.judges();
        match self.judges.iter().find(|judge| !found.contains(&judge.as_bytes())) {
            Some(judge) => Err(Failure::usage(format!("--judge {judge}: no label is by this judge"))),
            None => Ok(given),
        }
    }

    /// Reads gold's files together.
    ///
    /// # Errors
    /// Everything wrong with them.
    pub fn read_gold(&self, environment: &Environment, names: &[String]) -> Result<Given, Failure> {
        self.read_judges(environment, names, &[])
    }

    fn read_judges(&self, environment: &Environment, names: &[String], judges: &[String]) -> Result<Given, Failure> {
        let format = self.labels_format.as_deref().and_then(labels::format);
        let words = self.words.clone().unwrap_or_default();
        let repeats = match self.repeats {
            RepeatsOption::Refuse => Repeats::Refuse,
            RepeatsOption::First => Repeats::First,
            RepeatsOption::Last => Repeats::Last,
        };
        let mut given = Given { labels: JudgeLabels::new(repeats), files: Vec::new() };
        for input in environment.inputs(names)? {
            let read = labels::read(&input, format, &words, self.declared())?;
            let wanted = |judge: &[u8]| judges.is_empty() || judges.iter().any(|name| name.as_bytes() == judge);
            labels::collect(input.name(), &read, wanted, &mut given.labels);
            given.files.push((read.format.name, input.name().to_owned(), read.bytes, read.table.len() as u64));
        }
        given.labels = given.labels.finish()?;
        Ok(given)
    }

    /// The scale that was asked for.
    ///
    /// # Errors
    /// It is none.
    pub fn scale(&self) -> Result<ScaleChoice, Failure> {
        let declared = self.declared();
        let ascending = declared.windows(2).all(|pair| pair[0] < pair[1]);
        if !ascending || declared.iter().any(|grade| !grade.is_finite()) || declared.len() == 1 {
            return Err(Failure::usage("--scale needs two grades or more, ascending, such as 0,1,2,3"));
        }
        if let Some(level) = self.binary.filter(|level| !(level.is_finite() && *level > 0.0)) {
            return Err(Failure::usage(format!("--binary needs a grade above 0, found {level}")));
        }
        Ok(ScaleChoice { declared: declared.to_vec(), binary: self.binary })
    }

    /// The grades that were declared.
    fn declared(&self) -> &[f64] {
        self.scale.as_ref().map_or(&[], |scale| &scale.0)
    }

    /// As options of the provenance.
    pub fn provenance(&self, mut provenance: Provenance) -> Provenance {
        if let Some(scale) = &self.scale {
            provenance = provenance.option("scale", scale.0.clone());
        }
        if !self.judges.is_empty() {
            provenance = provenance.option("judges", self.judges.join(", "));
        }
        if let Some(words) = &self.words {
            provenance = provenance.option("words", words.to_string());
        }
        match self.repeats {
            RepeatsOption::Refuse => {}
            RepeatsOption::First => provenance = provenance.option("repeats", "first"),
            RepeatsOption::Last => provenance = provenance.option("repeats", "last"),
        }
        if let Some(level) = self.binary {
            provenance = provenance.option("binary", level);
        }
        provenance
    }
}
