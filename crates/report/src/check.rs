//! The door: a report is checked once, before the first byte is written.
//!
//! What is refused here would otherwise lose data silently: two JSON fields of one name, a cell without a column. The
//! error is `InvalidInput` and names the table; it means a study was written wrongly, not that the user did wrong.

use crate::report::{Block, Report};
use crate::table::Table;
use std::io;

/// The fields of the JSON object that every command has.
const RESERVED: [&str; 5] = ["schema", "command", "version", "provenance", "notes"];

/// Refuses a report that could not be rendered without loss.
pub(crate) fn check(report: &Report) -> io::Result<()> {
    let mut top: Vec<&str> = RESERVED.to_vec();
    for block in &report.blocks {
        match block {
            Block::Table(table) => {
                shape(table)?;
                if table.audience.data() {
                    claim(&mut top, table.id, table.id)?;
                }
            }
            Block::Record(table) => {
                shape(table)?;
                if table.rows.len() != 1 {
                    return Err(wrong(table.id, format!("a record has 1 row, this one has {}", table.rows.len())));
                }
                if table.audience.data() {
                    for column in table.columns.iter().filter(|column| column.audience.data()) {
                        claim(&mut top, column.key, table.id)?;
                    }
                }
            }
            Block::Figure(figure) => figure.table.iter().try_for_each(shape)?,
            Block::Text(_) => {}
        }
    }
    let mut names = Vec::new();
    report.provenance.options.iter().try_for_each(|(name, _)| claim(&mut names, name, "provenance.options"))
}

/// Every row as long as the columns, every data key once.
fn shape(table: &Table) -> io::Result<()> {
    // `table` is the field that says which table a JSON line or a CSV row belongs to.
    let mut keys = vec!["table"];
    for column in table.columns.iter().filter(|column| column.audience.data()) {
        claim(&mut keys, column.key, table.id)?;
    }
    let columns = table.columns.len();
    match table.rows.iter().enumerate().find(|(_, row)| row.len() != columns) {
        Some((at, row)) => Err(wrong(table.id, format!("row {at} has {} cells for {columns} columns", row.len()))),
        None => Ok(()),
    }
}

/// Takes a name that must still be free.
fn claim<'a>(taken: &mut Vec<&'a str>, name: &'a str, table: &str) -> io::Result<()> {
    if taken.contains(&name) {
        return Err(wrong(table, format!("the name {name:?} is used twice or reserved")));
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
        assert!(check(&new().table(table("a")).table(table("b"))).is_ok());
        assert!(refused(new().table(table("a")).table(table("a"))).contains("\"a\""));
        assert!(refused(new().table(table("notes"))).contains("\"notes\""));
        assert!(refused(new().table(table("a").column("run", "again"))).contains("\"run\""));
        assert!(refused(new().table(table("a").column("table", "table"))).contains("\"table\""));
        assert!(refused(new().table(table("a").row([]))).contains("row 0 has 0 cells for 1 columns"));
        assert!(refused(new().block(Block::Record(table("a")))).contains("this one has 0"));
        let record = Block::Record(table("x").row(["r".into()]));
        assert!(refused(new().table(table("run")).block(record)).contains("\"run\""));
    }

    #[test]
    fn people_may_see_one_id_twice() {
        let table = || Table::new("a", "").audience(crate::Audience::People);
        assert!(check(&Report::new("t", "eval", "0").table(table()).table(table())).is_ok());
    }
}
