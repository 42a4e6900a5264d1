//! The judging form, in words.

use karat_data::{FormGrade, FormRow};

use crate::words::count;

/// What a form has where a grade is to be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blank {
    /// -1.
    Minus,
    /// A question mark.
    Question,
    /// Nothing, in the column or under the key `grade`.
    Empty,
    /// A task without annotation.
    Task,
}

/// How many documents of the form are to be judged, and how many rows were unjudged before and are not asked for.
pub fn form_note(file: &str, rows: &[FormRow], blank: Blank) -> String {
    let asked = rows.iter().filter(|row| row.grade == FormGrade::Asked).count();
    let at_end =
        rows.iter().rev().take_while(|row| row.grade == FormGrade::Asked).count() == asked && asked < rows.len();
    let to_judge = format!("{file}: {} to judge{}", count(asked, "document"), if at_end { ", at the end" } else { "" });
    let how = match blank {
        Blank::Minus => "replace -1 with a grade",
        Blank::Question => "replace ? with a grade",
        Blank::Empty => "write their grades into the column grade, or cannot where a judge cannot say",
        Blank::Task => "import the file into Label Studio, and export JSON",
    };
    // In a sample the others were not drawn.
    let sampled = rows.iter().any(|row| row.stratum.is_some() || row.probability.is_some());
    let before = match rows.iter().filter(|row| row.grade == FormGrade::NotAsked && !sampled).count() {
        0 => String::new(),
        1 => " 1 other row with -1 was there before.".into(),
        rows => format!(" {rows} other rows with -1 were there before."),
    };
    if asked == 0 {
        return format!("{file}: no document to judge.{before}");
    }
    format!("{to_judge}: {how}.{before}")
}

/// That a file has no text for some of the queries or documents of the form; `what` is which of them, in the plural.
pub fn no_text_note(file: &str, what: &str, missing: usize, all: usize) -> String {
    let rows = if missing == all { format!("none of the {all} {what}") } else { format!("{missing} of {all} {what}") };
    let (has, hint) = match missing == all {
        true => ("the text of", "; check that it names them alike"),
        false => ("no text of", "; their cells are empty"),
    };
    format!("{file} has {has} {rows}{hint}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_were_unjudged_before_are_told_apart() {
        let row = |grade| FormRow::new(b"1", b"d", grade);
        let rows =
            [row(FormGrade::NotAsked), row(FormGrade::Grade(2.0)), row(FormGrade::NotAsked), row(FormGrade::Asked)];
        assert_eq!(
            form_note("f", &rows, Blank::Minus),
            "f: 1 document to judge, at the end: replace -1 with a grade. 2 other rows with -1 were there before."
        );
        let rows = [row(FormGrade::Asked), row(FormGrade::Grade(1.0))];
        assert_eq!(form_note("f", &rows, Blank::Minus), "f: 1 document to judge: replace -1 with a grade.");
        assert_eq!(form_note("f", &rows[1..], Blank::Minus), "f: no document to judge.");
        let sampled = [FormRow { stratum: Some(1), ..row(FormGrade::NotAsked) }, row(FormGrade::Asked)];
        assert_eq!(
            form_note("f", &sampled, Blank::Question),
            "f: 1 document to judge, at the end: replace ? with a grade."
        );
    }

    #[test]
    fn texts_that_are_not_there_are_counted() {
        assert_eq!(no_text_note("c", "documents", 2, 9), "c has no text of 2 of 9 documents; their cells are empty.");
        assert_eq!(
            no_text_note("c", "documents", 9, 9),
            "c has the text of none of the 9 documents; check that it names them alike."
        );
    }
}
