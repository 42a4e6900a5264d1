//! What was found in one file.
//!
//! A file may have an error in every one of its million lines: of the errors only the first by line are kept, as many as
//! will be listed, and the others are counted.

use super::finding::{Finding, FindingKind, Severity};

/// Errors of a file that are listed when nobody says how many.
pub const LISTED: usize = 1000;

/// Errors are put in order and cut when this many more than needed have come.
const SPARE: usize = 1000;

/// What was found in one file.
#[derive(Debug, Clone)]
pub struct Findings {
    limit: usize,
    errors: Vec<Finding>,
    error_count: u64,
    others: Vec<Finding>,
}

impl Default for Findings {
    fn default() -> Self {
        Findings::listing(LISTED)
    }
}

impl Findings {
    /// None yet; at most `limit` errors will be listed.
    pub fn listing(limit: usize) -> Findings {
        Findings { limit, errors: Vec::new(), error_count: 0, others: Vec::new() }
    }

    /// One more, in any order.
    pub fn push(&mut self, finding: Finding) {
        if finding.severity != Severity::Error {
            self.others.push(finding);
            return;
        }
        self.error_count += 1;
        self.errors.push(finding);
        if self.errors.len() >= self.limit.saturating_add(SPARE) {
            self.cut();
        }
    }

    fn cut(&mut self) {
        self.errors.sort_by_key(|finding| finding.line);
        self.errors.truncate(self.limit);
    }

    /// How many were found of a severity.
    pub fn count(&self, severity: Severity) -> u64 {
        match severity {
            Severity::Error => self.error_count,
            other => self.others.iter().filter(|finding| finding.severity == other).count() as u64,
        }
    }

    /// Those to list, the worst first, then by line.
    pub(super) fn listed(mut self, file: &str) -> Vec<Finding> {
        self.cut();
        let Findings { errors: mut listed, error_count, mut others, .. } = self;
        let more = error_count - listed.len() as u64;
        if more > 0 {
            listed.push(Finding::error(file, FindingKind::MoreErrors(more)));
        }
        others.sort_by_key(|finding| (finding.severity, finding.line));
        listed.extend(others);
        listed
    }
}

#[cfg(test)]
mod tests {
    use super::super::Field;
    use super::*;

    #[test]
    fn of_many_errors_the_first_by_line_are_kept_and_all_counted() {
        let mut findings = Findings::listing(3);
        findings.push(Finding::note("f", FindingKind::CarriageReturns(1)));
        // 1, 3, 5, ... and then 2, 4, 6, ...: 5000 errors, of which lines 1, 2, 3 come first.
        for line in (1..=5000).step_by(2).chain((2..=5000).step_by(2)) {
            findings.push(Finding::error("f", FindingKind::EmptyFolder).on(line, Field::Rank));
            assert!(findings.errors.len() < 3 + SPARE);
        }
        assert_eq!((findings.count(Severity::Error), findings.count(Severity::Note)), (5000, 1));
        let listed = findings.listed("f");
        let lines: Vec<Option<u64>> = listed.iter().map(|finding| finding.line).collect();
        assert_eq!(lines, [Some(1), Some(2), Some(3), None, None]);
        let last: Vec<&FindingKind> = listed[3..].iter().map(|finding| &finding.kind).collect();
        assert_eq!(last, [&FindingKind::MoreErrors(4997), &FindingKind::CarriageReturns(1)]);
    }
}
