//! Scores of several systems on the same topics: a table without holes, checked once.

use crate::summation;
use std::fmt;

/// At least two topics by at least two systems, every score finite.
#[derive(Clone, Debug, PartialEq)]
pub struct TwoWay {
    systems: usize,
    /// Topic by topic, within it system by system.
    scores: Vec<f64>,
}

/// Why scores are not a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NotTwoWay {
    /// Fewer than two systems.
    Systems {
        /// Systems given.
        have: usize,
    },
    /// Fewer than two topics.
    Topics {
        /// Topics given.
        have: usize,
    },
    /// A system has more or fewer scores than the first.
    Ragged {
        /// Its place from 0.
        system: usize,
        /// Scores it has.
        have: usize,
        /// Scores the first has.
        expected: usize,
    },
    /// A score is NaN, infinite or beyond 1e140.
    NotFinite {
        /// The system's place from 0.
        system: usize,
        /// The topic's place from 0.
        topic: usize,
        /// The score.
        value: f64,
    },
}

impl fmt::Display for NotTwoWay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotTwoWay::Systems { have } => write!(f, "{have} system(s); comparing needs at least 2"),
            NotTwoWay::Topics { have } => write!(f, "{have} topic(s) that all systems share; at least 2 needed"),
            NotTwoWay::Ragged { system, have, expected } => {
                write!(
                    f,
                    "system {system} (from 0) has {have} scores, the first has {expected}; give each the same topics"
                )
            }
            NotTwoWay::NotFinite { system, topic, value } => {
                write!(f, "the score of system {system} on topic {topic} (from 0) is {value}; expected a finite number")
            }
        }
    }
}

impl std::error::Error for NotTwoWay {}

impl TwoWay {
    /// The scores of each system, all over the same topics in the same order.
    ///
    /// # Errors
    /// Fewer than two systems or topics, systems of different lengths, a score that is not finite.
    pub fn new<S: AsRef<[f64]>>(systems: &[S]) -> Result<TwoWay, NotTwoWay> {
        let Some(first) = systems.first().filter(|_| systems.len() > 1) else {
            return Err(NotTwoWay::Systems { have: systems.len() });
        };
        let topics = first.as_ref().len();
        if topics < 2 {
            return Err(NotTwoWay::Topics { have: topics });
        }
        for (system, scores) in systems.iter().map(AsRef::as_ref).enumerate() {
            if scores.len() != topics {
                return Err(NotTwoWay::Ragged { system, have: scores.len(), expected: topics });
            }
            if let Some(topic) = scores.iter().position(|score| !matches!(score.abs(), size if size <= 1e140)) {
                return Err(NotTwoWay::NotFinite { system, topic, value: scores[topic] });
            }
        }
        let scores = (0..topics).flat_map(|topic| systems.iter().map(move |system| system.as_ref()[topic])).collect();
        Ok(TwoWay { systems: systems.len(), scores })
    }

    /// Number of systems, at least 2.
    pub fn systems(&self) -> usize {
        self.systems
    }

    /// Number of topics, at least 2.
    pub fn topics(&self) -> usize {
        self.scores.len() / self.systems
    }

    /// The scores of each topic, one for each system.
    pub fn by_topic(&self) -> impl Iterator<Item = &[f64]> {
        self.scores.chunks_exact(self.systems)
    }

    /// Each system's mean over topics.
    pub fn system_means(&self) -> Vec<f64> {
        let of = |system: usize| summation::compensated_sum(self.by_topic().map(|row| row[system]));
        (0..self.systems).map(|system| of(system) / self.topics() as f64).collect()
    }

    /// Each topic's mean over systems.
    pub fn topic_means(&self) -> Vec<f64> {
        self.by_topic().map(|row| summation::compensated_sum(row.iter().copied()) / self.systems as f64).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_by_hand_and_refusals() {
        let table = TwoWay::new(&[[1.0, 2.0, 6.0], [3.0, 2.0, 4.0]]).unwrap();
        assert_eq!((table.systems(), table.topics()), (2, 3));
        assert_eq!(table.system_means(), [3.0, 3.0]);
        assert_eq!(table.topic_means(), [2.0, 2.0, 5.0]);
        assert_eq!(TwoWay::new::<[f64; 2]>(&[]), Err(NotTwoWay::Systems { have: 0 }));
        assert_eq!(TwoWay::new(&[[1.0, 2.0]]), Err(NotTwoWay::Systems { have: 1 }));
        assert_eq!(TwoWay::new(&[[1.0], [2.0]]), Err(NotTwoWay::Topics { have: 1 }));
        let ragged = [vec![1.0, 2.0], vec![1.0]];
        assert_eq!(TwoWay::new(&ragged), Err(NotTwoWay::Ragged { system: 1, have: 1, expected: 2 }));
        assert!(matches!(TwoWay::new(&[[1.0, f64::NAN], [1.0, 2.0]]), Err(NotTwoWay::NotFinite { topic: 1, .. })));
    }
}
