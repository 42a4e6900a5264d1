//! A run in no order is given up in the first pass once that is known, and whole in the second.
#![allow(clippy::unwrap_used)] // a test may stop

use std::collections::BTreeMap;
use std::sync::Mutex;

use karat_data::{LineProblem, RunSource, TopicRows, Visitor, Worker};
use karat_formats::{Dialect, Input, RUN_FORMATS, RunFiles};

/// Rows by attempt, and of the second pass by topic.
#[derive(Default)]
struct Counted {
    rows: [usize; 2],
    topics: BTreeMap<Vec<u8>, usize>,
}

struct Counts(Mutex<Counted>);

impl Visitor for Counts {
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Counter(self))
    }
}

struct Counter<'a>(&'a Counts);

impl Worker for Counter<'_> {
    fn topic(&mut self, rows: &TopicRows<'_, '_>) -> Vec<LineProblem> {
        let mut counted = self.0.0.lock().unwrap();
        counted.rows[rows.attempt as usize] += rows.rows.len();
        if rows.attempt == 1 {
            assert!(counted.topics.insert(rows.topic.to_vec(), rows.rows.len()).is_none(), "a topic comes once");
        }
        Vec::new()
    }
}

/// Rows of 1000 topics in turn.
fn rows(name: &str, range: std::ops::Range<usize>) -> Input {
    let line = |row: usize| format!("{} Q0 d{row} 1 {}.5 t\n", row % 1000, row % 97);
    Input::bytes(name, range.map(line).collect::<String>().into_bytes())
}

fn visited(input: Input, threads: usize) -> (Counted, u64) {
    let counts = Counts(Mutex::default());
    let facts = RunFiles::new(vec![input], RUN_FORMATS[0], Dialect::Strict).visit(threads, &counts).unwrap();
    assert_eq!((facts[0].attempt, facts[0].topics), (1, 1000));
    (counts.0.into_inner().unwrap(), facts[0].rows)
}

#[test]
fn a_file_is_not_read_to_its_end_for_nothing() {
    for threads in [1, 3] {
        let (counted, rows) = visited(rows("run", 0..400_000), threads);
        assert!(counted.rows[0] < 200_000, "{} rows in the first pass", counted.rows[0]);
        assert_eq!((rows, counted.rows[1]), (400_000, 400_000));
        assert!(counted.topics.values().all(|&rows| rows == 400));
    }
}

#[test]
fn later_files_of_a_folder_are_read_all_the_same() {
    for threads in [1, 3] {
        let parts = (0..4).map(|part| rows(&format!("part {part}"), part * 100_000..(part + 1) * 100_000)).collect();
        let (counted, rows) = visited(Input::folder("run", parts), threads);
        assert!(counted.rows[0] < 200_000, "{} rows in the first pass", counted.rows[0]);
        assert_eq!((rows, counted.rows[1]), (400_000, 400_000));
        assert!(counted.topics.values().all(|&rows| rows == 400));
    }
}
