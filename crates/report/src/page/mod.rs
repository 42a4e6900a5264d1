//! The report page: one HTML file with scores, figures and their uncertainty.
//!
//! A [`Page`] is plain data: the verdict in words, sections in reading order (tables, figures and words, or the reason why
//! there are none), and the [`Evidence`] that the page's own script works with. [`write()`] makes the file. The one decision: the
//! page is whole without its script. Everything that the script redraws is first drawn here, so that it prints, and
//! so that a reader without scripts sees every section.

pub mod evidence;
pub mod html;
mod pack;
mod parts;

pub use evidence::{Evidence, Judged, Pair, PairSample, Ranked, Standing, TopicEvidence};
pub use html::write;

use crate::figure::Figure;
use crate::report::Provenance;
use crate::table::Table;

/// Everything the page says.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// One line.
    pub title: String,
    /// The version of karat that made it.
    pub version: &'static str,
    /// What it comes to.
    pub verdict: Verdict,
    /// In reading order.
    pub sections: Vec<Section>,
    /// The measures, each with its page.
    pub definitions: Vec<Definition>,
    /// Warnings and assumptions, one sentence each.
    pub notes: Vec<String>,
    /// What the numbers were computed from.
    pub provenance: Provenance,
    /// What the script works with; nothing where there is nothing to choose or look into.
    pub evidence: Option<Evidence>,
}

impl Page {
    /// The figures of the first view, in reading order.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        let pieces = self.sections.iter().filter_map(|section| section.content.as_ref().ok()).flatten();
        pieces.filter_map(|piece| if let Piece::Figure(figure) = piece { Some(&**figure) } else { None })
    }
}

/// The answer in words.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// One sentence.
    pub headline: String,
    /// What goes with it: a heading, and sentences.
    pub points: Vec<(String, Vec<String>)>,
}

/// One section.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its anchor.
    pub id: &'static str,
    /// Its heading.
    pub title: String,
    /// What it shows and how to read it.
    pub lead: String,
    /// What it holds, or why it holds nothing.
    pub content: Result<Vec<Piece>, String>,
}

/// A piece of a section.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Words.
    Text(String),
    /// Sentences, one below the other.
    List(Vec<String>),
    /// A table, for people.
    Table(Table),
    /// A figure; the script redraws it where its name is one that the script knows.
    Figure(Box<Figure>),
    /// A table that is behind a figure: folded away.
    Behind(Table),
    /// A place that the script fills. The words are for readers without it.
    Widget {
        /// Which.
        name: &'static str,
        /// What stands there without the script.
        otherwise: String,
        /// The same as a table, where one can say it.
        table: Option<Table>,
    },
}

/// What a measure means and where it comes from.
#[derive(Clone, Debug, Default)]
pub struct Definition {
    /// As asked for.
    pub name: String,
    /// One line.
    pub summary: String,
    /// In plain text.
    pub formula: String,
    /// How to read a value.
    pub reading: String,
    /// When it misleads.
    pub misleads: String,
    /// What its bounds are.
    pub bounds: String,
    /// Where it comes from.
    pub citation: String,
    /// The same for a bibliography.
    pub bibtex: String,
}
