//! The door: a report is checked once, before the first byte is written.
//!
//! What is refused here would otherwise lose data silently: two columns of one key, a cell without a column. The
//! error is `InvalidInput` and names the table; it means a study was written wrongly, not that the user did wrong.

use crate::report::{Block, Report};
use crate::table::Table;
use std::io;

/// Refuses a report that could not be rendered without loss.
pub(crate) fn check(report: &Report) -> io::Result<()> {
    for block in &report.blocks {
        match block {
            Block::Table(table) => shape(table)?,
            Block::Record(table) => {
                shape(table)?;
                if table.rows.len() != 1 {
                    return Err(wrong(table.id, format!("a record has 1 row, this one has {}", table.rows.len())));
                }
            }
            Block::Figure(figure) => figure.table.iter().try_for_each(shape)?,
            Block::Text(_) => {}
        }
    }
    let mut names = Vec::new();
    report.provenance.options.iter().try_for_each(|(name, _)| claim(&mut names, name, "provenance.options"))
}

/// Every row as long as the columns, every key once.
fn shape(table: &Table) -> io::Result<()> {
    let mut keys = Vec::new();
    table.columns.iter().try_for_each(|column| claim(&mut keys, column.key, table.id))?;
    let columns = table.columns.len();
    match table.rows.iter().enumerate().find(|(_, row)| row.len() != columns) {
        Some((at, row)) => Err(wrong(table.id, format!("row {at} has {} cells for {columns} columns", row.len()))),
        None => Ok(()),
    }
}

/// Takes a name that must still be free.
fn claim<'a>(taken: &mut Vec<&'a str>, name: &'a str, table: &str) -> io::Result<()> {
    if taken.contains(&name) {
        return Err(wrong(table, format!("the name {name:?} is used twice")));
    }
    taken.push(name);
    Ok(())
}

/// The error, naming the table.
pub(crate) fn wrong(table: &str, what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("table {table:?}: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(report: Report) -> String {
        let error = check(&report).expect_err("must be refused");
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        error.to_string()
    }

    #[test]
    fn a_report_that_would_lose_data_is_refused_by_name() {
        let new = || Report::new("t", "eval", "0");
        let table = |id| Table::new(id, "").column("run", "run");
        assert!(check(&new().table(table("a")).table(table("a"))).is_ok());
        assert!(refused(new().table(table("a").column("run", "again"))).contains("\"run\""));
        assert!(refused(new().table(table("a").row([]))).contains("row 0 has 0 cells for 1 columns"));
        assert!(refused(new().block(Block::Record(table("a")))).contains("this one has 0"));
    }
}
