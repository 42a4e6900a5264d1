//! trec_eval's measures: one row each, in the order in which trec_eval prints them.
//!
//! A row says what parameters the name takes and which nicknames it belongs to; what the measure computes is karat's own
//! table of measures, found by the same name, so that no formula is written twice.

/// What stands after the name, and how it turns into lines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// The run's tag.
    RunId,
    /// The number of topics.
    Topics,
    /// The first grades as a string; the parameter is how many.
    RelString(f64),
    /// No parameter.
    Plain,
    /// Ranks, one line each.
    Ranks(&'static [f64]),
    /// Recall levels, one line each; how a level becomes a number of documents depends on the profile.
    Recalls(&'static [f64]),
    /// Multiples of R, one line each.
    Multiples(&'static [f64]),
    /// Recall levels averaged in one line.
    RecallAverage,
    /// The four prices of utility.
    Prices,
    /// The weight of recall in F.
    Weight,
    /// `grade=gain` pairs.
    Gains,
    /// `p=`persistence, RBP itself.
    Persistence,
    /// `p=`persistence, what unjudged documents could add to RBP.
    Residual,
}

impl Kind {
    /// Whether each parameter has a line, and a name, of its own.
    pub fn has_a_line_each(self) -> bool {
        matches!(self, Kind::Ranks(_) | Kind::Recalls(_) | Kind::Multiples(_))
    }
}

/// A measure as trec_eval names it.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub kind: Kind,
    /// The nicknames that ask for it.
    pub nicknames: &'static str,
    /// Whether trec_eval 9 lacks it.
    pub since_10: bool,
}

const fn row(name: &'static str, kind: Kind, nicknames: &'static str) -> Row {
    Row { name, kind, nicknames, since_10: false }
}

const fn new_in_10(name: &'static str, kind: Kind) -> Row {
    Row { name, kind, nicknames: ALL, since_10: true }
}

const CUTOFFS: &[f64] = &[5.0, 10.0, 15.0, 20.0, 30.0, 100.0, 200.0, 500.0, 1000.0];
const ELEVEN: &[f64] = &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
const MULTIPLES: &[f64] = &[0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0];

const OFFICIAL: &str = "official all_trec";
const EVERY: &str = "official all_trec set";
const EVERYWHERE: &str = "official all_trec set prefs all_prefs qrels_jg";
const SET: &str = "all_trec set";
const ALL: &str = "all_trec";
const PREFS: &str = "prefs all_prefs";
const ALL_PREFS: &str = "all_prefs";
const GROUPS: &str = "qrels_jg";

/// All rows, in the order of printing.
pub static ROWS: &[Row] = &[
    row("runid", Kind::RunId, EVERYWHERE),
    row("num_q", Kind::Topics, EVERYWHERE),
    row("num_ret", Kind::Plain, EVERY),
    row("num_rel", Kind::Plain, EVERY),
    row("num_rel_ret", Kind::Plain, EVERY),
    row("map", Kind::Plain, OFFICIAL),
    row("gm_map", Kind::Plain, OFFICIAL),
    row("Rprec", Kind::Plain, OFFICIAL),
    row("bpref", Kind::Plain, OFFICIAL),
    row("recip_rank", Kind::Plain, OFFICIAL),
    row("iprec_at_recall", Kind::Recalls(ELEVEN), OFFICIAL),
    row("P", Kind::Ranks(CUTOFFS), OFFICIAL),
    row("relstring", Kind::RelString(10.0), ALL),
    row("recall", Kind::Ranks(CUTOFFS), ALL),
    row("infAP", Kind::Plain, ALL),
    row("gm_bpref", Kind::Plain, ALL),
    row("Rprec_mult", Kind::Multiples(MULTIPLES), ALL),
    row("utility", Kind::Prices, SET),
    row("11pt_avg", Kind::RecallAverage, ALL),
    row("binG", Kind::Plain, ALL),
    row("G", Kind::Gains, ALL),
    row("ndcg", Kind::Gains, ALL),
    row("ndcg_rel", Kind::Gains, ALL),
    row("Rndcg", Kind::Gains, ALL),
    row("ndcg_cut", Kind::Ranks(CUTOFFS), ALL),
    row("map_cut", Kind::Ranks(CUTOFFS), ALL),
    row("relative_P", Kind::Ranks(CUTOFFS), ALL),
    row("success", Kind::Ranks(&[1.0, 5.0, 10.0]), ALL),
    row("set_P", Kind::Plain, SET),
    row("set_relative_P", Kind::Plain, SET),
    row("set_recall", Kind::Plain, SET),
    row("set_map", Kind::Plain, SET),
    row("set_F", Kind::Weight, SET),
    row("num_nonrel_judged_ret", Kind::Plain, ALL),
    row("prefs_num_prefs_poss", Kind::Plain, PREFS),
    row("prefs_num_prefs_ful", Kind::Plain, PREFS),
    row("prefs_num_prefs_ful_ret", Kind::Plain, PREFS),
    row("prefs_simp", Kind::Plain, PREFS),
    row("prefs_pair", Kind::Plain, PREFS),
    row("prefs_avgjg", Kind::Plain, PREFS),
    row("prefs_avgjg_Rnonrel", Kind::Plain, ALL_PREFS),
    row("prefs_simp_ret", Kind::Plain, ALL_PREFS),
    row("prefs_pair_ret", Kind::Plain, ALL_PREFS),
    row("prefs_avgjg_ret", Kind::Plain, ALL_PREFS),
    row("prefs_avgjg_Rnonrel_ret", Kind::Plain, ALL_PREFS),
    row("prefs_simp_imp", Kind::Plain, ALL_PREFS),
    row("prefs_pair_imp", Kind::Plain, ALL_PREFS),
    row("prefs_avgjg_imp", Kind::Plain, ALL_PREFS),
    row("map_avgjg", Kind::Plain, GROUPS),
    row("P_avgjg", Kind::Ranks(CUTOFFS), GROUPS),
    row("Rprec_mult_avgjg", Kind::Multiples(MULTIPLES), GROUPS),
    row("yaap", Kind::Plain, ""),
    new_in_10("rbp", Kind::Persistence),
    new_in_10("rbp_resid", Kind::Residual),
    new_in_10("unj", Kind::Ranks(&[5.0, 10.0, 20.0])),
];

/// Names of several measures.
pub static NICKNAMES: &[&str] = &["official", "all_trec", "set", "prefs", "all_prefs", "qrels_jg"];

impl Row {
    /// Whether a nickname asks for this row.
    pub fn belongs_to(&self, nickname: &str) -> bool {
        self.nicknames.split(' ').any(|own| own == nickname)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    #[test]
    fn every_row_is_a_measure_of_karat_and_no_name_comes_twice() {
        for (place, row) in ROWS.iter().enumerate() {
            assert!(ROWS[..place].iter().all(|other| other.name != row.name), "{}", row.name);
            let special = matches!(row.kind, Kind::RunId | Kind::Topics | Kind::RelString(_) | Kind::Residual);
            assert!(special || registry::find(row.name).is_some(), "{}", row.name);
            assert!(!NICKNAMES.contains(&row.name));
            assert!(row.nicknames.split(' ').all(|name| name.is_empty() || NICKNAMES.contains(&name)), "{}", row.name);
        }
    }
}
