//! Measures of preferences: how many of the stated preferences a ranking agrees with.
//!
//! One file per measure; what they share is here: which preferences count (`Scope`) and how a judgement group's come out
//! (`Tally`). The order within a group is [`karat_data::preferences`].

pub mod counts;
pub mod equal_nonrelevant;
pub mod groups;
pub mod pairs;
pub mod ratio;

use karat_data::preferences::{Group, groups};
use karat_data::{JudgementKind, NO_DOCUMENT, TopicView};

use crate::info::{Legal, Parameter};
use crate::score::Undefined;
use crate::spec::{MeasureSpec, SpecError, Value};

/// Which preferences count, by what was retrieved of the two documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All; one between two documents that were not retrieved is not fulfilled.
    All,
    /// Those with at least one document retrieved.
    Implied,
    /// Those with both documents retrieved.
    Retrieved,
}

/// The parameter of measures that have a choice of all three.
pub(crate) const SCOPE: Parameter = Parameter {
    name: "scope",
    default: "all",
    legal: Legal::Words(&["all", "implied", "retrieved"]),
    meaning: "the preferences that count: all, those with at least one of the two documents retrieved, or with both",
};

impl Scope {
    pub(crate) fn of(spec: &MeasureSpec) -> Result<Scope, SpecError> {
        match spec.word("scope")? {
            None | Some("all") => Ok(Scope::All),
            Some("implied") => Ok(Scope::Implied),
            Some("retrieved") => Ok(Scope::Retrieved),
            Some(_) => Err(spec.illegal("scope", SCOPE.legal)),
        }
    }

    /// Written unless it is the default.
    pub(crate) fn write(self, spec: MeasureSpec) -> MeasureSpec {
        match self {
            Scope::All => spec,
            Scope::Implied => spec.with("scope", Value::Word("implied".into())),
            Scope::Retrieved => spec.with("scope", Value::Word("retrieved".into())),
        }
    }
}

/// What became of a preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Both documents retrieved; whether the preferred one comes first.
    Retrieved(bool),
    /// One of them retrieved; whether it is the preferred one.
    Implied(bool),
    /// Neither.
    Absent,
}

/// How the preferences of a judgement group came out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    retrieved: u64,
    fulfilled_retrieved: u64,
    implied: u64,
    fulfilled_implied: u64,
    absent: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Retrieved(fulfilled) => {
                self.retrieved += 1;
                self.fulfilled_retrieved += u64::from(fulfilled);
            }
            Outcome::Implied(fulfilled) => {
                self.implied += 1;
                self.fulfilled_implied += u64::from(fulfilled);
            }
            Outcome::Absent => self.absent += 1,
        }
    }

    pub(crate) fn fulfilled(&self, scope: Scope) -> u64 {
        match scope {
            Scope::All | Scope::Implied => self.fulfilled_retrieved + self.fulfilled_implied,
            Scope::Retrieved => self.fulfilled_retrieved,
        }
    }

    pub(crate) fn possible(&self, scope: Scope) -> u64 {
        match scope {
            Scope::All => self.retrieved + self.implied + self.absent,
            Scope::Implied => self.retrieved + self.implied,
            Scope::Retrieved => self.retrieved,
        }
    }
}

/// A topic's judgement groups and where its documents were retrieved.
pub(crate) struct Topic {
    pub(crate) groups: Vec<Group>,
    /// By document of the topic; [`NO_DOCUMENT`], which is larger than all, for those not retrieved.
    ranks: Vec<u32>,
}

impl Topic {
    /// # Errors
    /// The judgements are not preferences.
    pub(crate) fn of(view: &TopicView<'_>) -> Result<Topic, Undefined> {
        if view.details.kind != JudgementKind::Preferences {
            return Err(Undefined { reason: "the judgements are not preferences" });
        }
        let documents = view.details.marks.last().map_or(0, |mark| mark.document as usize + 1);
        let mut ranks = vec![NO_DOCUMENT; documents];
        for (rank, &document) in (0u32..).zip(view.details.documents) {
            if let Some(place) = ranks.get_mut(document as usize) {
                *place = rank;
            }
        }
        Ok(Topic { groups: groups(view.details.marks), ranks })
    }

    /// How many documents the judgements of the topic have.
    pub(crate) fn documents(&self) -> usize {
        self.ranks.len()
    }

    /// The rank of a document of a group.
    pub(crate) fn rank(&self, group: &Group, document: u32) -> Option<u32> {
        Some(self.ranks[group.documents()[document as usize] as usize]).filter(|&rank| rank != NO_DOCUMENT)
    }

    /// What became of a preference for one document of a group over another.
    pub(crate) fn outcome(&self, group: &Group, preferred: u32, other: u32) -> Outcome {
        match (self.rank(group, preferred), self.rank(group, other)) {
            (Some(preferred), Some(other)) => Outcome::Retrieved(preferred < other),
            (preferred @ Some(_), None) | (preferred @ None, Some(_)) => Outcome::Implied(preferred.is_some()),
            (None, None) => Outcome::Absent,
        }
    }

    /// All preferences of a group.
    pub(crate) fn tally(&self, group: &Group) -> Tally {
        let mut tally = Tally::default();
        self.each(group, |_, _, outcome| tally.add(outcome));
        tally
    }

    /// Every preference of a group: the preferred document, the other, and what became of it.
    pub(crate) fn each(&self, group: &Group, mut see: impl FnMut(u32, u32, Outcome)) {
        let mut walk = group.walk();
        for preferred in 0..group.documents().len() as u32 {
            for &other in walk.below(preferred) {
                see(preferred, other, self.outcome(group, preferred, other));
            }
        }
    }
}

/// The quotient, or 0 where nothing was possible.
pub(crate) fn share(fulfilled: u64, possible: u64) -> f64 {
    if possible == 0 { 0.0 } else { fulfilled as f64 / possible as f64 }
}
