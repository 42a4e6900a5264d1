//! Values of fields of answers that have a blank. Programs read them, so that they stay as they are; words for people are made elsewhere.

/// Judgements of the same file (`judgements_b` of `compare`).
pub const SAME_JUDGEMENTS: &str = "the same";
/// The measure of a standard deviation that was given (`measure` of `plan topics`).
pub const GIVEN: &str = "as given";
/// Ties in ascending order of docno (`setting` of `compare`).
pub const DOCNO_RISING: &str = "docno rising";
/// Relevant from a grade on (`setting` of `compare`).
pub const FROM_GRADE: &str = "from grade ";
/// The bands of ranks of a document (`value` of `judges calibrate`), each with its last rank.
pub const RANK_BANDS: &[(usize, &str)] = &[
    (5, "ranks 1-5"),
    (10, "ranks 6-10"),
    (20, "ranks 11-20"),
    (50, "ranks 21-50"),
    (100, "ranks 51-100"),
    (usize::MAX, "ranks beyond 100"),
];
/// The band of ranks as a factor (`factor` of `judges calibrate`).
pub const RANK_BAND: &str = "rank band";
/// The gold grade within which a factor is counted: between this and a closing bracket.
pub const GOLD: &str = " (gold ";
/// Several systems that retrieve a document at the same rank (`value` of `judges calibrate`).
pub const SEVERAL_ALIKE: &str = "several alike";
/// Why there is no interval (`reason` of `judges agree`).
pub const NO_INTERVAL: &str = "no interval: ";
/// Documents of the urn (`parameters` of `eval`).
pub const URN_DOCUMENTS: &str = "N = ";
/// Share of relevant documents in the urn.
pub const URN_SHARE: &str = ", q = ";
/// Weight of a document that is not relevant.
pub const URN_WEIGHT: &str = ", w = ";
