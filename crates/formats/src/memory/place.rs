//! Where in a table in memory a problem is: readers count lines, people who have a table look for rows.

use karat_data::names::text;
use karat_data::problem::{FirstSeen, Place, Unit};
use karat_data::{Problems, align};

use super::{Called, Memory};
use crate::records::column::{Column, Data};

impl Memory {
    /// The problems that readers found, with lines made rows and columns called as the caller does.
    pub(crate) fn placed(&self, problems: Problems) -> Problems {
        problems.map(|problem| {
            let Some(line) = problem.line.take() else { return };
            let row = line.saturating_sub(1);
            let field = problem.field.take();
            problem.place = Some(match self.called {
                Called::ByKeys => self.keys(row, None),
                Called::ByKeysAndColumn => self.keys(row, field.map(|field| self.called(field))),
                Called::ByRow => Place::Row { row, column: field.map(|field| self.called(field)) },
            });
            let row = |first: FirstSeen| FirstSeen { number: first.number.saturating_sub(1), unit: Unit::Row, ..first };
            problem.first = problem.first.take().filter(|_| self.called == Called::ByRow).map(row);
        })
    }

    /// The problems that readers found in the table as text ([`Memory::text`]): below the header a line is a row.
    pub(crate) fn placed_as_text(&self, problems: Problems) -> Problems {
        problems.map(|problem| {
            let Some(line) = problem.line.take() else { return };
            let field = problem.field.take().unwrap_or_default();
            let named = |name: &&String| **name == field || Some(*name) == problem.column.as_ref();
            let column = self.columns.iter().map(|(name, _)| name).find(named).cloned();
            if let Some(row) = line.checked_sub(2) {
                problem.place = Some(Place::Row { row, column });
            }
        })
    }

    /// Topic and document of a row.
    fn keys(&self, row: u64, column: Option<String>) -> Place {
        let at = |column: usize| {
            let values = self.columns.get(column).map(|(_, values)| values);
            values.and_then(|values| values.text(row as usize)).map(text).unwrap_or_default()
        };
        Place::Keys { topic: at(0), document: at(1), column }
    }

    /// The caller's name of the column that readers call so.
    fn called(&self, field: &'static str) -> String {
        let field = if field == align::DOCNO { Column::Document.name() } else { field };
        let own = [Data::Run, Data::Judgements, Data::Labels].into_iter().find_map(|data| {
            let plan = self.plan(data).ok()?;
            let at = plan.columns.iter().position(|column| column.is_some_and(|column| column.name() == field))?;
            self.columns.get(at).map(|(name, _)| name.clone())
        });
        own.unwrap_or_else(|| field.to_owned())
    }
}
