//! From `-m` to the lines of the output: which rows of the table, with which parameters, under which names.
//!
//! Parameters given replace the defaults; given for one measure in several `-m` they add up (deviation
//! `repeated-measure`).

use karat_data::JudgementKind;
use karat_measures::spec::Value;
use karat_measures::{Aggregate, Measure, MeasureSpec, SpecError};

use super::Stop;
use super::arguments::{Arguments, Profile};
use super::deviations;
use super::table::{Kind, NICKNAMES, ROWS, Row};

/// One line of the output for every topic or for all of them.
pub struct Line {
    /// The name, with its parameter.
    pub label: String,
    /// What is computed.
    pub quantity: Quantity,
}

/// What a line shows.
pub enum Quantity {
    /// The run's tag.
    RunId,
    /// The number of topics.
    Topics,
    /// So many grades as a string.
    RelString(usize),
    /// A measure of karat's.
    Measure(Box<dyn Measure>),
    /// RBP with gains scaled by the topic's largest grade.
    Rbp(Box<dyn Measure>),
    /// What the unjudged could add to it.
    Residual(Box<dyn Measure>),
}

impl Quantity {
    /// How topics become one number; `None` where they do not.
    pub fn aggregate(&self) -> Option<Aggregate> {
        match self {
            Quantity::RunId | Quantity::RelString(_) => None,
            Quantity::Topics => Some(Aggregate::Sum),
            Quantity::Rbp(_) | Quantity::Residual(_) => Some(Aggregate::Mean),
            Quantity::Measure(measure) => Some(measure.info().aggregate),
        }
    }

    /// Whether there is a line for every topic.
    pub fn by_query(&self) -> bool {
        match self {
            Quantity::RunId | Quantity::Topics => false,
            Quantity::RelString(_) | Quantity::Rbp(_) | Quantity::Residual(_) => true,
            Quantity::Measure(measure) => !matches!(measure.info().aggregate, Aggregate::GeometricMean { .. }),
        }
    }

    /// What the judgements must be; `None` where it does not matter.
    pub fn needs(&self) -> Option<JudgementKind> {
        match self {
            Quantity::RunId | Quantity::Topics => None,
            Quantity::RelString(_) | Quantity::Rbp(_) | Quantity::Residual(_) => Some(JudgementKind::Grades),
            Quantity::Measure(measure) => Some(measure.info().needs),
        }
    }

    /// Whether it depends on recall levels, which trec_eval cannot compute for an empty list.
    pub fn interpolates(&self) -> bool {
        matches!(self, Quantity::Measure(measure) if measure.info().name.starts_with("IPrec"))
    }
}

/// What was selected.
pub struct Selection {
    /// The lines in the order of printing.
    pub lines: Vec<Line>,
    /// What the user should know.
    pub notes: Vec<String>,
    /// Gains given by the user, for each measure that has some.
    pub gains: Vec<Vec<(f64, f64)>>,
    /// Whether a price of utility needs the size of the collection.
    pub needs_collection: bool,
}

/// The lines these texts ask for; the official ones where there is none.
///
/// # Errors
/// A text is not a measure (status 1), or its parameters are wrong (status 2).
pub fn select(asked: &Arguments) -> Result<Selection, Stop> {
    let (texts, profile) = (asked.measures.as_slice(), asked.profile);
    let mut selection = Selection { lines: Vec::new(), notes: Vec::new(), gains: Vec::new(), needs_collection: false };
    let mut marked: Vec<Option<Vec<&str>>> = vec![None; ROWS.len()];
    let official = [String::from("official")];
    for text in if texts.is_empty() { &official } else { texts } {
        let (name, parameters) = match text.split_once('.') {
            Some((_, "")) => {
                return Err(Stop::usage(format!("illegal measure '{text}': nothing follows the point")));
            }
            Some((name, parameters)) => (name, Some(parameters)),
            None => (text.as_str(), None),
        };
        let nickname = NICKNAMES.contains(&name);
        if nickname && parameters.is_some() {
            selection.notes.push(ignored(text, name));
        }
        let known = |row: &Row| !(row.since_10 && profile == Profile::Nine);
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
            Adding { row, asked, to: &mut selection }.lines(parameters)?;
        }
    }
    Ok(selection)
}

fn illegal(text: &str, name: &str) -> Stop {
    match ROWS.iter().find(|row| row.name == name) {
        Some(_) => Stop::usage(format!("illegal measure '{text}': trec_eval 9 has no {name}; leave out --profile 9")),
        None => {
            Stop::usage(format!("illegal measure '{text}'; -h lists trec_eval's, `karat measures` lists karat's own"))
        }
    }
}

fn ignored(text: &str, name: &str) -> String {
    deviations::note("ignored-parameters", &format!("'{text}' is computed as {name}, which takes no parameters"))
}

/// One row being turned into lines.
struct Adding<'a> {
    row: &'static Row,
    asked: &'a Arguments,
    to: &'a mut Selection,
}

impl Adding<'_> {
    fn lines(&mut self, given: &[&str]) -> Result<(), Stop> {
        let name = self.row.name;
        if given.len() > 1 && !matches!(self.row.kind, Kind::Plain | Kind::RunId | Kind::Topics) {
            let what = format!("{name} is given {} times; trec_eval would keep {name}.{} only", given.len(), given[0]);
            self.to.notes.push(deviations::note("repeated-measure", &what));
        }
        match self.row.kind {
            Kind::RunId => self.plain(given, Quantity::RunId),
            Kind::Topics => self.plain(given, Quantity::Topics),
            Kind::Plain => {
                let measure = self.build(self.spec())?;
                self.plain(given, Quantity::Measure(measure));
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

    fn push(&mut self, label: String, quantity: Quantity) {
        self.to.lines.push(Line { label, quantity });
    }

    fn plain(&mut self, given: &[&str], quantity: Quantity) {
        let name = self.row.name;
        self.to.notes.extend(given.iter().map(|text| ignored(&format!("{name}.{text}"), name)));
        self.push(name.to_owned(), quantity);
    }

    /// The measures that print one line whatever their parameters.
    fn single(&mut self, given: Option<&str>) -> Result<Quantity, Stop> {
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
            (Kind::Prices, Some(text)) => {
                let prices = self.numbers(text)?;
                if prices.len() != 4 {
                    return Err(Stop { status: 4, message: self.wrong(text, "four prices, utility.1,-1,0,0") });
                }
                self.to.needs_collection |= prices[3] != 0.0;
                let names = ["a", "b", "c", "d"].into_iter().zip(prices);
                names.fold(self.spec(), |spec, (name, price)| spec.with(name, Value::Number(price)))
            }
            (Kind::Gains, Some(text)) => {
                let gains = self.pairs(text)?;
                self.to.gains.push(gains.clone());
                self.spec().with("gains", Value::Map(gains))
            }
            _ => self.spec(),
        };
        Ok(Quantity::Measure(self.build(spec)?))
    }

    /// The measure of karat's by the same name.
    fn spec(&self) -> MeasureSpec {
        let name = if self.row.kind == Kind::Residual { "rbp" } else { self.row.name };
        // A test over the table finds every name.
        let spec = MeasureSpec::named(name)
            .unwrap_or_else(|| MeasureSpec::new(&karat_measures::average_precision::INFO))
            .with_default_level(self.asked.level);
        let takes = |name: &str| spec.info().parameters.iter().any(|parameter| parameter.name == name);
        let word = |word: &str| Value::Word(word.to_owned());
        match () {
            () if takes("counting") => spec.with("counting", word("trec_eval")),
            // A document that one group judged may be unjudged to another, so -J is theirs to apply.
            () if takes("judged_only") && self.asked.judged_only => spec.with("judged_only", word("true")),
            () => spec,
        }
    }

    fn rounded(&self, spec: MeasureSpec) -> MeasureSpec {
        let rounding = match self.asked.profile {
            Profile::Nine => "trec_eval9",
            Profile::Ten => "trec_eval10",
        };
        spec.with("rounding", Value::Word(rounding.into()))
    }

    fn build(&self, spec: MeasureSpec) -> Result<Box<dyn Measure>, Stop> {
        spec.build().map_err(|SpecError { message }| deviations::stop("illegal-parameters", 2, message))
    }

    fn persistence(&self, given: Option<&str>) -> Result<MeasureSpec, Stop> {
        let mut p = 0.9;
        for part in given.into_iter().flat_map(|text| text.split(',')) {
            let number = part.strip_prefix("p=").map(|value| value.parse::<f64>());
            let Some(Ok(number)) = number else {
                return Err(deviations::stop("rbp-gains", 2, self.wrong(part, "p=0.8")));
            };
            p = number;
        }
        Ok(self.spec().with("p", Value::Number(p)).with("gain", Value::Word("linear".into())))
    }

    /// Cut-offs in ascending order; each text has its own twice never, several texts may share some.
    fn cutoffs(&self, given: &[&str], defaults: &[f64], ranks: bool) -> Result<Vec<f64>, Stop> {
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
                return Err(Stop::input(self.wrong(text, "ranks from 1")));
            }
            if own.windows(2).any(|pair| pair[0] == pair[1]) {
                return Err(Stop::input(self.wrong(text, "every cut-off once")));
            }
            all.extend(own);
        }
        all.sort_by(f64::total_cmp);
        all.dedup();
        Ok(all)
    }

    fn numbers(&self, text: &str) -> Result<Vec<f64>, Stop> {
        let number = |part: &str| part.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        text.split(',')
            .map(number)
            .collect::<Option<Vec<f64>>>()
            .ok_or_else(|| deviations::stop("words-as-numbers", 2, self.wrong(text, "numbers separated by commas")))
    }

    fn pairs(&self, text: &str) -> Result<Vec<(f64, f64)>, Stop> {
        let pair = |part: &str| {
            let (grade, gain) = part.split_once('=')?;
            let gain = gain.trim().parse::<f64>().ok().filter(|gain| gain.is_finite())?;
            Some((f64::from(grade.trim().parse::<i32>().ok()?), gain))
        };
        text.split(',')
            .map(pair)
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| Stop::input(self.wrong(text, "grade=gain pairs, 1=3,2=9")))
    }

    fn wrong(&self, found: &str, expected: &str) -> String {
        format!("measure '{}' expects {expected} after its point, found '{found}'", self.row.name)
    }
}
