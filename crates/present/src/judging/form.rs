//! The file for the judges, in words.

use karat_analysis::judging::FormRow;

use crate::words::count;

/// How many documents of the form are to be judged, and how many rows were unjudged before and are not asked for.
pub fn form_note(file: &str, rows: &[FormRow]) -> String {
    let asked = rows.iter().filter(|row| row.grade.is_none()).count();
    let unjudged = rows.iter().filter(|row| row.grade.is_some_and(|grade| grade < 0.0)).count();
    let at_end = rows.iter().rev().take_while(|row| row.grade.is_none()).count() == asked;
    let to_judge = format!("{file}: {} to judge{}", count(asked, "document"), if at_end { ", at the end" } else { "" });
    let before = match unjudged {
        0 => String::new(),
        1 => " 1 other row with -1 was there before.".into(),
        rows => format!(" {rows} other rows with -1 were there before."),
    };
    format!("{to_judge}: replace -1 with a grade.{before}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_were_unjudged_before_are_told_apart() {
        let row = |grade| FormRow { topic: b"1".to_vec(), docno: b"d".to_vec(), grade, stratum: 1, probability: 1.0 };
        let rows = [row(Some(-1.0)), row(Some(2.0)), row(Some(-1.0)), row(None)];
        assert_eq!(
            form_note("f", &rows),
            "f: 1 document to judge, at the end: replace -1 with a grade. 2 other rows with -1 were there before."
        );
        let rows = [row(None), row(Some(1.0))];
        assert_eq!(form_note("f", &rows), "f: 1 document to judge: replace -1 with a grade.");
    }
}
