//! Problems with rows, as they travel.

use super::wire::{Reader, Writer};
use crate::problem::{Place, Problem, ProblemKind, Problems};

/// Writes them; lines and fields have become places by now, or are forgotten.
pub fn write(out: &mut Writer, problems: &Problems) {
    out.whole(problems.total());
    out.count(problems.kept().len());
    for problem in problems.kept() {
        let (topic, document, column) = match &problem.place {
            Some(Place::Keys { topic, document, column }) => (topic.as_str(), document.as_str(), column.as_deref()),
            _ => ("", "", None),
        };
        out.whole(u64::from(problem.kind == ProblemKind::Unreadable));
        out.whole(u64::from(matches!(problem.place, Some(Place::Keys { .. }))));
        out.whole(problem.stands_for);
        for text in [&problem.file, &problem.expected, &problem.found_text(), &problem.remedy] {
            out.bytes(text.as_bytes());
        }
        for text in [topic, document, column.unwrap_or_default()] {
            out.bytes(text.as_bytes());
        }
    }
}

/// Reads them.
pub fn read(from: &mut Reader<'_>) -> Option<Problems> {
    let total = from.whole()?;
    let (mut problems, mut told) = (Problems::default(), 0);
    for _ in 0..from.things()? {
        let (unreadable, placed, stands_for) = (from.whole()? == 1, from.whole()? == 1, from.whole()?);
        let (file, expected, found, remedy) = (from.text()?, from.text()?, from.text()?, from.text()?);
        let (topic, document, column) = (from.text()?, from.text()?, from.text()?);
        let place = Place::Keys { topic, document, column: Some(column).filter(|column| !column.is_empty()) };
        problems.push(Problem {
            kind: if unreadable { ProblemKind::Unreadable } else { ProblemKind::Malformed },
            stands_for,
            place: placed.then_some(place),
            ..Problem::of_file(&file, expected, found, remedy)
        });
        told += 1;
    }
    problems.count_more(total.checked_sub(told)?);
    Some(problems)
}
