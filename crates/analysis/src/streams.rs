//! Names of random streams. Random numbers depend on them, so that they stay as they are: a new name gives new numbers.

/// Labels of one topic, by its name.
pub const LABELS_OF: &str = "labels of ";
/// Calibrations drawn again.
pub const CALIBRATION_AGAIN: &str = "calibration drawn again";
/// Topics drawn again.
pub const TOPICS_AGAIN: &str = "topics drawn again";
/// Judgements of the unjudged documents of one topic, by its name.
pub const UNJUDGED_OF: &str = "unjudged documents of ";
/// Models within the error of the fit.
pub const ERROR_OF_FIT: &str = "error of the fit";
/// Gold labels of further documents.
pub const GOLD_LABELS: &str = "gold labels";
/// The order of documents in a replay that judges at random.
pub const REPLAY_RANDOM: &str = "replay random";
/// The sample of one topic, by its name.
pub const SAMPLE_OF: &str = "sample ";
/// The test whether pairs were chosen by the bronze label.
pub const SAMPLED_BY_BRONZE: &str = "sampled by bronze";
/// Unjudged documents of one topic at a rate of relevance, by its name.
pub const TIPPING_OF: &str = "tipping point of ";
/// Draws of labels of one topic for what is to be settled, by its name.
pub const SETTLE_OF: &str = "settle ";
/// Which documents or topics are drawn to settle a comparison, by batch.
pub const SETTLE_DRAW: &str = "drawn to settle";
