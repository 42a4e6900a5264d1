//! How many documents must be judged to decide with a given power.
