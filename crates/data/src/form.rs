//! Rows of a judging form: which documents judges are asked for, and what came back.
//!
//! The one decision: a row that a judge left open, a row that nobody was asked for and a document that could not be judged stay three
//! different things, because a sample is estimated differently from each.

/// A row of a judging form.
#[derive(Debug, Clone, PartialEq)]
pub struct FormRow {
    /// The query (topic).
    pub query_id: Vec<u8>,
    /// The document.
    pub doc_id: Vec<u8>,
    /// The probability with which the document was drawn, where it was drawn with one.
    pub probability: Option<f64>,
    /// The batch in which the document was drawn, from 1, where there are batches.
    pub batch: Option<u32>,
    /// The stratum that the document is in, from 1, where there are strata.
    pub stratum: Option<u32>,
    /// What is known of its grade.
    pub grade: FormGrade,
    /// Its line in the file that it was read from, from 1; 0 where it was read from none.
    pub line: u64,
}

/// What a row of a form says in place of a grade, or the grade.
#[derive(Debug, Clone, PartialEq)]
pub enum FormGrade {
    /// A judge is asked for the grade and has not given it.
    Asked,
    /// Nobody is asked: in a sample the document was not drawn, elsewhere it was pooled and not judged before.
    NotAsked,
    /// The grade, from 0.
    Grade(f64),
    /// A judge could not say; the label is what was written.
    Cannot(String),
}

impl FormRow {
    /// A row without probability, batch or stratum.
    pub fn new(query_id: &[u8], doc_id: &[u8], grade: FormGrade) -> FormRow {
        FormRow {
            query_id: query_id.to_vec(),
            doc_id: doc_id.to_vec(),
            probability: None,
            batch: None,
            stratum: None,
            grade,
            line: 0,
        }
    }
}

impl FormGrade {
    /// The grade, where there is one.
    pub fn grade(&self) -> Option<f64> {
        match self {
            FormGrade::Grade(grade) => Some(*grade),
            FormGrade::Asked | FormGrade::NotAsked | FormGrade::Cannot(_) => None,
        }
    }
}
