//! From `-m` to the lines of the output: which rows of the table, with which parameters, under which names.
//!
//! Parameters given replace the defaults; given for one measure in several `-m` they add up (deviation
//! `repeated-measure`).

use super::table::{Kind, NICKNAMES, ROWS, Row};
use super::{Line, Profile, Quantity};
use crate::measure::Measure;
use crate::spec::{MeasureSpec, SpecError, Value};

/// What holds for all measures asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choices {
    /// Which trec_eval.
    pub profile: Profile,
    /// -l: the least grade that is relevant.
    pub level: f64,
    /// -J: only judged documents.
    pub judged_only: bool,
}

/// A difference from trec_eval that the choice of measures brings about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Its name in the command's table of deviations.
    pub deviation: &'static str,
    /// What happened.
    pub what: String,
}

/// Why the measures cannot be computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// trec_eval's exit status for it.
    pub status: u8,
    /// Where trec_eval would go on, the name of that deviation.
    pub deviation: Option<&'static str>,
    /// The sentence for the user.
    pub message: String,
}

impl Refusal {
    /// The name of a measure.
    fn name(message: String) -> Refusal {
        Refusal { status: 1, deviation: None, message }
    }

    /// The parameters of a measure.
    fn parameters(message: String) -> Refusal {
        Refusal { status: 2, deviation: None, message }
    }

    /// What trec_eval would take.
    fn deviating(deviation: &'static str, message: String) -> Refusal {
        Refusal { status: 2, deviation: Some(deviation), message }
    }
}

/// What was selected.
pub struct Selection {
    /// The lines in the order of printing.
    pub lines: Vec<Line>,
    /// What the user should know.
    pub notes: Vec<Note>,
    /// Gains given by the user, for each measure that has some.
    pub gains: Vec<Vec<(f64, f64)>>,
    /// Whether a price of utility needs the size of the collection.
    pub needs_collection: bool,
}

/// The lines these texts ask for, in the order of the table.
///
/// # Errors
/// A text is not a measure (status 1), or its parameters are wrong (status 2 or 4).
pub fn select(texts: &[String], choices: Choices) -> Result<Selection, Refusal> {
    let mut selection = Selection { lines: Vec::new(), notes: Vec::new(), gains: Vec::new(), needs_collection: false };
    let mut marked: Vec<Option<Vec<&str>>> = vec![None; ROWS.len()];
    for text in texts {
        let (name, parameters) = match text.split_once('.') {
            Some((_, "")) => {
                return Err(Refusal::name(format!("illegal measure '{text}': nothing follows the point")));
            }
            Some((name, parameters)) => (name, Some(parameters)),
            None => (text.as_str(), None),
        };
        let nickname = NICKNAMES.contains(&name);
        if nickname && parameters.is_some() {
            selection.notes.push(ignored(text, name));
        }
        let known = |row: &Row| !(row.since_10 && choices.profile == Profile::Nine);
        let mut found = false;
        for (place, row) in ROWS.iter().enumerate().filter(|(_, row)| known(row)) {
            if row.name == name || nickname && row.belongs_to(name) {
                found = true;
                marked[place].get_or_insert_default().extend(parameters.filter(|_| !nickname));
            }
        }
        if !found {
            return Err(illegal(text, name));
        }
    }
    for (row, parameters) in ROWS.iter().zip(&marked) {
        if let Some(parameters) = parameters {
            let mut adding = Adding { row, choices, to: &mut selection };
            adding.note_repeated(parameters);
            adding.lines(parameters)?;
        }
    }
    Ok(selection)
}

fn illegal(text: &str, name: &str) -> Refusal {
    match ROWS.iter().find(|row| row.name == name) {
        Some(_) => Refusal::name(format!("illegal measure '{text}': trec_eval 9 has no {name}; leave out --profile 9")),
        None => {
            Refusal::name(format!("illegal measure '{text}'; -h lists trec_eval's, `karat measures` lists karat's own"))
        }
    }
}

fn ignored(text: &str, name: &str) -> Note {
    let what = format!("'{text}' is computed as {name}, which takes no parameters");
    Note { deviation: "ignored-parameters", what }
}

/// One row being turned into lines.
struct Adding<'a> {
    row: &'static Row,
    choices: Choices,
    to: &'a mut Selection,
}

impl Adding<'_> {
    fn lines(&mut self, given: &[&str]) -> Result<(), Refusal> {
        let name = self.row.name;
        match self.row.kind {
            Kind::RunId => self.plain(given, Quantity::RunId),
            Kind::Topics => self.plain(given, Quantity::Topics),
            Kind::Plain => {
                let quantity = Quantity::Measure(self.build(self.spec())?);
                self.plain(given, quantity);
            }
            Kind::Ranks(defaults) => {
                for rank in self.cutoffs(given, defaults, true)? {
                    let measure = self.build(self.spec().real_cutoff(rank))?;
                    self.push(format!("{name}_{rank}"), Quantity::Measure(measure));
                }
            }
            Kind::Recalls(defaults) => {
                for recall in self.cutoffs(given, defaults, false)? {
                    let measure = self.build(self.rounded(self.spec()).real_cutoff(recall))?;
                    self.push(format!("{name}_{recall:.2}"), Quantity::Measure(measure));
                }
            }
            Kind::Multiples(defaults) => {
                for multiple in self.cutoffs(given, defaults, false)? {
                    let measure = self.build(self.spec().real_cutoff(multiple))?;
                    self.push(format!("{name}_{multiple:.2}"), Quantity::Measure(measure));
                }
            }
            _ if given.is_empty() => {
                let quantity = self.single(None)?;
                self.push(name.to_owned(), quantity);
            }
            _ => {
                for text in given {
                    let quantity = self.single(Some(text))?;
                    self.push(format!("{name}_{text}"), quantity);
                }
            }
        }
        Ok(())
    }

    fn note_repeated(&mut self, given: &[&str]) {
        let name = self.row.name;
        if given.len() > 1 && !matches!(self.row.kind, Kind::Plain | Kind::RunId | Kind::Topics) {
            let what = format!("{name} is given {} times; trec_eval would keep {name}.{} only", given.len(), given[0]);
            self.to.notes.push(Note { deviation: "repeated-measure", what });
        }
    }

    fn push(&mut self, label: String, quantity: Quantity) {
        self.to.lines.push(Line { name: self.row.name, label, quantity });
    }

    fn plain(&mut self, given: &[&str], quantity: Quantity) {
        let name = self.row.name;
        self.to.notes.extend(given.iter().map(|text| ignored(&format!("{name}.{text}"), name)));
        self.push(name.to_owned(), quantity);
    }

    /// The measures that print one line whatever their parameters.
    fn single(&mut self, given: Option<&str>) -> Result<Quantity, Refusal> {
        let spec = match (self.row.kind, given) {
            (Kind::RelString(default), None) => return Ok(Quantity::RelString(default as usize)),
            (Kind::RelString(_), Some(text)) => {
                // As trec_eval: the first number counts, and a negative one is none at all (`as` saturates).
                return Ok(Quantity::RelString(self.numbers(text)?.first().map_or(0, |length| *length as usize)));
            }
            (Kind::Persistence | Kind::Residual, _) => {
                let measure = self.build(self.persistence(given)?)?;
                return Ok(match self.row.kind {
                    Kind::Persistence => Quantity::Rbp(measure),
                    _ => Quantity::Residual(measure),
                });
            }
            (Kind::RecallAverage, None) => self.rounded(self.spec()),
            (Kind::RecallAverage, Some(text)) => {
                self.rounded(self.spec().with("levels", Value::List(self.numbers(text)?)))
            }
            (Kind::Weight, Some(text)) => {
                let x = self.numbers(text)?.first().copied().unwrap_or(1.0);
                self.spec().with("x", Value::Number(x))
            }
            (Kind::Prices, Some(text)) => self.prices(text)?,
            (Kind::Gains, Some(text)) => {
                let gains = self.pairs(text)?;
                self.to.gains.push(gains.clone());
                self.spec().with("gains", Value::Map(gains))
            }
            _ => self.spec(),
        };
        Ok(Quantity::Measure(self.build(spec)?))
    }

    fn prices(&mut self, text: &str) -> Result<MeasureSpec, Refusal> {
        let prices = self.numbers(text)?;
        if prices.len() != 4 {
            let message = self.wrong(text, "four prices, utility.1,-1,0,0");
            return Err(Refusal { status: 4, deviation: None, message });
        }
        self.to.needs_collection |= prices[3] != 0.0;
        let names = ["a", "b", "c", "d"].into_iter().zip(prices);
        Ok(names.fold(self.spec(), |spec, (name, price)| spec.with(name, Value::Number(price))))
    }

    /// The measure of karat's by the same name.
    fn spec(&self) -> MeasureSpec {
        let name = if self.row.kind == Kind::Residual { "rbp" } else { self.row.name };
        // A test over the table finds every name.
        let spec = MeasureSpec::named(name)
            .unwrap_or_else(|| MeasureSpec::new(&crate::average_precision::INFO))
            .with_default_level(self.choices.level);
        let takes = |name: &str| spec.info().parameters.iter().any(|parameter| parameter.name == name);
        let word = |word: &str| Value::Word(word.to_owned());
        match () {
            () if takes("counting") => spec.with("counting", word("trec_eval")),
            // A document that one group judged may be unjudged to another, so -J is theirs to apply.
            () if takes("judged_only") && self.choices.judged_only => spec.with("judged_only", word("true")),
            () => spec,
        }
    }

    fn rounded(&self, spec: MeasureSpec) -> MeasureSpec {
        let rounding = match self.choices.profile {
            Profile::Nine => "trec_eval9",
            Profile::Ten => "trec_eval10",
        };
        spec.with("rounding", Value::Word(rounding.into()))
    }

    fn build(&self, spec: MeasureSpec) -> Result<Box<dyn Measure>, Refusal> {
        spec.build().map_err(|SpecError { message }| Refusal::deviating("illegal-parameters", message))
    }

    fn persistence(&self, given: Option<&str>) -> Result<MeasureSpec, Refusal> {
        let mut p = 0.9;
        for part in given.into_iter().flat_map(|text| text.split(',')) {
            let number = part.strip_prefix("p=").map(|value| value.parse::<f64>());
            let Some(Ok(number)) = number else {
                return Err(Refusal::deviating("rbp-gains", self.wrong(part, "p=0.8")));
            };
            p = number;
        }
        Ok(self.spec().with("p", Value::Number(p)).with("gain", Value::Word("linear".into())))
    }

    /// Cut-offs in ascending order; each text has its own twice never, several texts may share some.
    fn cutoffs(&self, given: &[&str], defaults: &[f64], ranks: bool) -> Result<Vec<f64>, Refusal> {
        if given.is_empty() {
            return Ok(defaults.to_vec());
        }
        let mut all = Vec::new();
        for text in given {
            let mut own = self.numbers(text)?;
            if ranks {
                own.iter_mut().for_each(|number| *number = number.trunc());
            }
            own.sort_by(f64::total_cmp);
            if ranks && own.first().is_some_and(|least| *least < 1.0) {
                return Err(Refusal::parameters(self.wrong(text, "ranks from 1")));
            }
            if own.windows(2).any(|pair| pair[0] == pair[1]) {
                return Err(Refusal::parameters(self.wrong(text, "every cut-off once")));
            }
            all.extend(own);
        }
        all.sort_by(f64::total_cmp);
        all.dedup();
        Ok(all)
    }

    fn numbers(&self, text: &str) -> Result<Vec<f64>, Refusal> {
        let number = |part: &str| part.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        text.split(',')
            .map(number)
            .collect::<Option<Vec<f64>>>()
            .ok_or_else(|| Refusal::deviating("words-as-numbers", self.wrong(text, "numbers separated by commas")))
    }

    fn pairs(&self, text: &str) -> Result<Vec<(f64, f64)>, Refusal> {
        let pair = |part: &str| {
            let (grade, gain) = part.split_once('=')?;
            let gain = gain.trim().parse::<f64>().ok().filter(|gain| gain.is_finite())?;
            Some((f64::from(grade.trim().parse::<i32>().ok()?), gain))
        };
        text.split(',')
            .map(pair)
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| Refusal::parameters(self.wrong(text, "grade=gain pairs, 1=3,2=9")))
    }

    fn wrong(&self, found: &str, expected: &str) -> String {
        format!("measure '{}' expects {expected} after its point, found '{found}'", self.row.name)
    }
}
