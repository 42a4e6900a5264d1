//! Grades that are written as words ("Relevant"), and which grade each of them is.
//!
//! The one decision: nobody guesses. A word without a grade is a problem with its line, and the remedy shows what to say.

use std::collections::BTreeSet;
use std::fmt;

use karat_data::problem::quote;
use karat_data::{LineProblem, State};

use crate::records::column::Column;
use crate::records::refusal::Refusal;
use crate::records::table::Table;

/// What a word stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Meaning {
    Grade(f64),
    State(State),
}

/// Words and what they stand for: `Relevant=1,Not relevant=0,Broken link=cannot`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Words(Vec<(Vec<u8>, Meaning)>);

/// A list of words that is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordsError(String);

impl fmt::Display for WordsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}; expected words with a grade from 0, or with cannot, later, unjudged or junk, such as 'Relevant=1,Not relevant=0,Broken link=cannot'",
            self.0
        )
    }
}

impl std::error::Error for WordsError {}

impl std::str::FromStr for Words {
    type Err = WordsError;

    fn from_str(text: &str) -> Result<Words, WordsError> {
        let mut words: Vec<(Vec<u8>, Meaning)> = Vec::new();
        for part in text.split(',') {
            let (word, value) = part.rsplit_once('=').ok_or_else(|| WordsError(format!("'{part}' has no '='")))?;
            let (word, value) = (word.trim(), value.trim());
            let grade = value.parse::<f64>().ok().filter(|grade| (0.0..=1e9).contains(grade)).map(Meaning::Grade);
            let meaning = grade.or_else(|| State::from_name(value.as_bytes()).map(Meaning::State));
            let meaning = meaning.filter(|meaning| *meaning != Meaning::State(State::Judged));
            let meaning = meaning.ok_or_else(|| WordsError(format!("'{value}' is neither a grade nor a state")))?;
            if words.iter().any(|(known, _)| known == word.as_bytes()) {
                return Err(WordsError(format!("'{word}' comes twice")));
            }
            words.push((word.as_bytes().to_vec(), meaning));
        }
        // All to one grade is what a remedy copied without thought looks like, and it would agree perfectly with everybody.
        if let [(_, first @ Meaning::Grade(grade)), rest @ ..] = &words[..]
            && !rest.is_empty()
            && rest.iter().all(|(_, meaning)| meaning == first)
        {
            return Err(WordsError(format!("all {} words are grade {grade}, which tells nothing apart", words.len())));
        }
        Ok(Words(words))
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (word, meaning)) in self.0.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            write!(f, "{comma}{}=", String::from_utf8_lossy(word))?;
            match meaning {
                Meaning::Grade(grade) => write!(f, "{grade}")?,
                Meaning::State(state) => f.write_str(state.name())?,
            }
        }
        Ok(())
    }
}

impl Words {
    /// Puts grades and states where words are.
    ///
    /// # Errors
    /// A word that is not known.
    pub fn apply(&self, table: &mut Table) -> Result<(), Refusal> {
        if !table.has(Column::Word) {
            return Ok(());
        }
        let (grades, states) = self.meanings(table)?;
        table.set_numbers(Column::Grade, grades);
        table.set_names(Column::State, states.into_iter());
        table.remove(Column::Word);
        Ok(())
    }

    /// The grade and state of every row.
    fn meanings(&self, table: &Table) -> Result<(Vec<f64>, Vec<Vec<u8>>), Refusal> {
        let rows = table.len();
        let mut refusal = Refusal::default();
        let mut unknown: BTreeSet<Vec<u8>> = BTreeSet::new();
        let mut grades: Vec<f64> = (0..rows).map(|row| table.number(Column::Grade, row).unwrap_or(f64::NAN)).collect();
        let mut states: Vec<Vec<u8>> = (0..rows).map(|row| table.text(Column::State, row).to_vec()).collect();
        for row in 0..rows {
            let word = table.text(Column::Word, row);
            if word.is_empty() {
                continue;
            }
            match self.0.iter().find(|(known, _)| known == word).map(|(_, meaning)| *meaning) {
                Some(Meaning::Grade(grade)) => {
                    grades[row] = grade;
                    if states[row].is_empty() {
                        states[row] = State::Judged.name().into();
                    }
                }
                Some(Meaning::State(state)) => states[row] = state.name().into(),
                // A judge who could not say gave no grade, whatever the form has in its place.
                None if !states[row].is_empty() && states[row] != State::Judged.name().as_bytes() => {}
                None => {
                    unknown.insert(word.to_vec());
                    refusal.push(table.line(row), LineProblem::new("grade", "a number", quote(word), ""));
                }
            }
        }
        if !refusal.is_empty() {
            let say = unknown.iter().take(5).map(|word| format!("{}=...", String::from_utf8_lossy(word)));
            let say = say.collect::<Vec<_>>().join(",");
            let remedy = format!("say which grade (or state) each word is: --words '{say}'");
            refusal.lines.iter_mut().for_each(|problem| problem.remedy = remedy.as_str().into());
            return Err(refusal);
        }
        Ok((grades, states))
    }
}
