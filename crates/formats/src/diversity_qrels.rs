//! Judgements by subtopic, as the Web track's diversity task had them: `topic subtopic docno grade`.
//!
//! The layout is that of plain qrels. What tells them apart is that a document comes again in its topic under another
//! second field; one that never does (an iteration, a round, a judge's name) leaves the file plain.

use std::collections::HashMap;

use karat_data::{JudgementKind, LineProblem, MarkedRow};

use crate::columns::{columns, grade, is_whole, judgement};
use crate::registry::{QrelsFormat, QrelsReader};
use crate::sample::Sample;

/// The row of the table.
pub static FORMAT: QrelsFormat = QrelsFormat {
    name: "diversity",
    about: "Judgements by subtopic (diversity task of the Web track). A document listed once, with subtopic 0 and grade 0, is not relevant to any subtopic.",
    layout: LAYOUT,
    kind: JudgementKind::Subtopics,
    docno: "docno (field 3)",
    recognise,
    reader: QrelsReader::Marked(parse_line),
};

const LAYOUT: &str = "topic subtopic docno grade";

/// The least share of documents, in percent, that come again under another second field. Web 2009, where only relevant
/// lines are by subtopic, has 8 in its first block; a plain file has a stray one at most.
const LEAST_SHARE: usize = 2;

fn recognise(sample: &Sample<'_>) -> bool {
    sample.has_fields(4) && by_subtopic(sample)
}

/// Whether four fields are judgements by subtopic.
pub fn by_subtopic(sample: &Sample<'_>) -> bool {
    let Some(first) = sample.rows::<4>().next().map(|row| row[1]) else { return false };
    if sample.rows::<4>().all(|row| row[1] == first) || !sample.most::<4>(|row| is_whole(row[1])) {
        return false;
    }
    let mut documents = HashMap::new();
    for [topic, subtopic, docno, _] in sample.rows() {
        let (known, again): &mut (&[u8], bool) = documents.entry((topic, docno)).or_insert((subtopic, false));
        *again |= *known != subtopic;
    }
    let again = documents.values().filter(|(_, again)| *again).count();
    again > 0 && again * 100 >= documents.len() * LEAST_SHARE
}

/// Any line.
fn parse_line(line: &[u8]) -> Result<MarkedRow<'_>, LineProblem> {
    let [topic, subtopic, docno, number] = columns(line, LAYOUT, super::trec_qrels::if_not_four)?;
    let value = grade(number, "grade (field 4)", LAYOUT)?;
    Ok(MarkedRow { topic, docno, judgement: judgement(value), group: subtopic, subgroup: b"", value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_diversity(text: &str) -> bool {
        recognise(&Sample::new(text.as_bytes(), true))
    }

    #[test]
    fn a_document_under_two_subtopics_tells() {
        assert!(is_diversity("1 1 a 1\n1 2 a 0\n1 1 b 0\n"));
        assert!(is_diversity("1 0 a 0\n1 1 b 1\n1 2 b 1\n"));
        // Iterations, rounds (TREC-COVID), the same number everywhere, judges' names.
        assert!(!is_diversity("1 0 a 1\n1 0 b 0\n"));
        assert!(!is_diversity("1 4.5 a 1\n1 4 b 0\n1 5 c 0\n"));
        assert!(!is_diversity("1 1 a 1\n1 2 b 0\n2 1 a 0\n"));
        assert!(!is_diversity("1 ann a 1\n1 bob a 0\n1 ann b 1\n"));
        // A stray document of another round among many is a mistake in plain qrels.
        let plain: String = (0..60).map(|row| format!("1 {} d{row} 1\n", row % 2)).collect();
        assert!(!is_diversity(&format!("{plain}1 1 d0 0\n")));
    }
}
