//! Terms that karat prints, and what they mean.

use karat_report::{Block, Columns, Report};
use schemars::JsonSchema;
use serde::Serialize;

use super::ExplainAnswer;
use crate::Context;

/// A term of karat's output.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct Term {
    /// The term.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// The commands that print it.
    pub commands: &'static str,
    /// Other words for it.
    #[serde(skip)]
    aliases: &'static [&'static str],
}

/// Every term.
pub static TERMS: &[Term] = &[
    Term {
        name: "bounds",
        meaning: "Least and greatest value over all possible judgements of the unjudged documents. No assumption and no \
                  model; topics are as they are. For measures that divide by the number of relevant documents (AP, nDCG, \
                  recall), more judgements can also lower the value, so the lower bound can be below the value. See \
                  bounds_kind for what they allow for.",
        commands: "eval, compare, report",
        aliases: &["bound", "low", "high"],
    },
    Term {
        name: "bounds_kind",
        meaning: "complete: the bounds hold whatever is judged, also if relevant documents exist that no run retrieved and \
                  nobody pooled (P, RBP, DCG, nDCG@k, RR, ERR, Success). retrieved: they assume that every relevant \
                  document was judged, pooled or retrieved (AP, recall, Rprec, Bpref, nDCG without cut-off). A measure's \
                  page says which.",
        commands: "eval",
        aliases: &["complete", "retrieved", "kind of bounds"],
    },
    Term {
        name: "residual",
        meaning: "Width of the bounds: the greatest possible value minus the least. For RBP, the weight of unjudged ranks \
                  and of all ranks below the end of the list.",
        commands: "next, report",
        aliases: &["width", "width after", "after these"],
    },
    Term {
        name: "interval",
        meaning: "Confidence interval. The heading names the sources of error that it includes: topics (another sample of \
                  topics gives another mean), unjudged documents (under the relevance model), judge errors (with \
                  --calibration). How it is made: karat explain auto.",
        commands: "eval, compare, report, budget",
        aliases: &["95% interval", "confidence interval", "95% interval, topics"],
    },
    Term {
        name: "relevance model",
        meaning: "Probability that an unjudged document is relevant, by rank, fitted to the judged documents of the given \
                  runs (the best of flat, isotonic and logistic by log loss). It may overestimate, because pooling \
                  selects documents that are more often relevant.",
        commands: "eval --unjudged fit, compare, report, budget, next",
        aliases: &["model", "fit", "expected value", "expected"],
    },
    Term {
        name: "isotonic",
        meaning: "Relevance model: the probability of relevance never increases with rank and is otherwise free.",
        commands: "eval --unjudged fit, compare, budget",
        aliases: &["isotonic model"],
    },
    Term {
        name: "p-value",
        meaning: "Probability of a difference at least this large between two runs that are equal on average. The \
                  randomisation test decides; `karat explain randomization` describes it.",
        commands: "compare, report, tune",
        aliases: &["p"],
    },
    Term {
        name: "adjusted p",
        meaning: "p corrected for the number of pairs compared by the same measure: Holm's correction, or max-T for all \
                  pairs (`karat explain max_t`). It is never below p. With one pair it equals p.",
        commands: "compare, report",
        aliases: &["adj. p", "p_adjusted"],
    },
    Term {
        name: "better",
        meaning: "Verdict on two runs: adjusted p is below 1 - level (0.05), the interval of the difference excludes 0, and \
                  the verdict has a basis (karat explain basis). With --strict it must be certain.",
        commands: "compare, report, tune",
        aliases: &["verdict", "winner"],
    },
    Term {
        name: "basis",
        meaning: "What a verdict rests on. certain: it holds however the unjudged documents are judged. sampled: a random \
                  sample of the unjudged documents was judged (karat settle), and difference, interval and p are estimated \
                  from it, without an assumption about the others. assumed: unjudged documents are treated as not relevant, and the tipping point lies above the rates seen; or the \
                  judgements name relevant documents only; or --unjudged nonrelevant says so.",
        commands: "compare, report",
        aliases: &["assumed", "assumption", "sampled"],
    },
    Term {
        name: "certain",
        meaning: "The verdict holds however the unjudged documents are judged: interval and p still decide when every topic \
                  has its worst-case difference. Only for measures whose bounds are complete, such as P, RBP, RR and \
                  nDCG with a cut-off.",
        commands: "compare, report",
        aliases: &["worst case"],
    },
    Term {
        name: "tipping point",
        meaning: "The smallest share of relevant documents, among the unjudged documents that the losing run ranks higher, \
                  at which the verdict fails. Documents count by their weight in the measure, so those at the top count \
                  more. A verdict needs a tipping point above the rates of relevance among judged documents at the same \
                  ranks (upper 95% limits). For two pooled runs it is enough that the verdict holds at these rates if the \
                  unjudged documents of both runs are relevant equally often; the verdict then says so.",
        commands: "compare -f json",
        aliases: &["tipping_point", "judged_rate", "judged_rate_upper", "upper limit", "limit"],
    },
    Term {
        name: "interval_all",
        meaning: "Interval of the mean difference that full judgements of many such topics would show. Its lower end is the \
                  lower limit of the mean of the smallest possible differences, its upper end the upper limit of the mean \
                  of the largest ones. None for measures for which relevant documents that no run retrieved can take the \
                  difference further, such as Rprec, Bpref and Q.",
        commands: "compare -f json",
        aliases: &[],
    },
    Term {
        name: "undecided",
        meaning: "It is not shown which run is better. blocked_by in JSON names the cause: queries (too few topics), unjudged, judges, \
                  or bounds (--strict).",
        commands: "compare, report, tune",
        aliases: &["blocked_by", "blocked by", "not significant"],
    },
    Term {
        name: "margin",
        meaning: "A difference that does not matter. not_worse: a run is shown to be worse by at most the margin (limit and \
                  randomisation test, one-sided). equivalent: that holds of both runs. A sample of n topics may lack a share \
                  1 - 0.05^(1/n) of topics that are unlike those seen. If the largest possible loss on so many exceeds the \
                  margin, fewer than 25 topics show nothing, and more carry a warning (margin_evidence).",
        commands: "compare --margin",
        aliases: &["not_worse", "equivalent", "margin_evidence"],
    },
    Term {
        name: "rank interval",
        meaning: "Best and worst rank of a run. The best rank is 1 + the number of runs that are significantly better, the \
                  worst rank leaves out those that are significantly worse, by simultaneous intervals of all differences \
                  (max-T). All rank intervals together are meant to be right with 95% probability (--level), if unjudged \
                  documents are not relevant and differences are about symmetric over topics (else less often: \
                  docs/many-runs-measured.md). `with bounds` (rank_interval_all) also holds however they are judged.",
        commands: "compare, report",
        aliases: &["rank", "rank_interval", "rank_interval_all", "with bounds", "rank set"],
    },
    Term {
        name: "groups",
        meaning: "Letters of runs: no verdict separates two runs that share a letter.",
        commands: "compare --all-pairs, report",
        aliases: &["letters"],
    },
    Term {
        name: "tau",
        meaning: "Agreement of two orders of runs. tau_b is Kendall's tau, corrected for ties: 1 is the same order, -1 the \
                  reverse. tau_AP gives more weight to the top ranks.",
        commands: "compare, judges agree",
        aliases: &["tau_b", "tau_AP"],
    },
    Term {
        name: "lift",
        meaning: "Difference of two arms relative to the control: 0.05 is 5% more.",
        commands: "ab",
        aliases: &["as lift", "observed lift"],
    },
    Term {
        name: "design effect",
        meaning: "How many times larger the variance is because users search more than once, compared with the naive \
                  variance that treats every search as independent.",
        commands: "ab",
        aliases: &["naive p", "design effect limit"],
    },
    Term {
        name: "effective",
        meaning: "Effective number of users: users of equal weight that would give the same variance. A few users with most \
                  of the searches count as few.",
        commands: "ab",
        aliases: &["effective_units"],
    },
    Term {
        name: "half width",
        meaning: "Half of the width of a confidence interval: the \u{b1} of a value.",
        commands: "budget, plan topics",
        aliases: &["half_width"],
    },
    Term {
        name: "interaction",
        meaning: "Upper limit of the covariance between topic error and model error. It is part of the variance of an \
                  expected value.",
        commands: "budget",
        aliases: &[],
    },
    Term {
        name: "priority",
        meaning: "Order of judging: by default the variance that the judgement of the document removes; --strategy has \
                  others.",
        commands: "next",
        aliases: &["weight"],
    },
    Term {
        name: "value",
        meaning: "Score of a run: the mean over topics (or what the measure aggregates). Unjudged documents are treated as \
                  not relevant, as in trec_eval.",
        commands: "eval, report, next",
        aliases: &["mean", "mean a", "mean b", "score"],
    },
    Term {
        name: "topics",
        meaning: "Number of topics that the value is a mean of. As a source of error: another sample of topics gives \
                  another mean.",
        commands: "eval, compare, budget",
        aliases: &["topic"],
    },
    Term {
        name: "statistic",
        meaning: "Test statistic of a significance test: t for the t-test, the mean difference for the randomisation test. \
                  `karat explain` describes each test.",
        commands: "compare",
        aliases: &["test statistic"],
    },
    Term {
        name: "sum of squares",
        meaning: "Sum of squares of a source (runs, topics, residual) in the two-way analysis of variance of \
                  the scores.",
        commands: "compare",
        aliases: &["SS"],
    },
    Term {
        name: "F statistic",
        meaning: "Mean square of a source divided by the mean square of residual, in the two-way analysis of \
                  variance.",
        commands: "compare",
        aliases: &["F", "F value"],
    },
    Term {
        name: "share",
        meaning: "Part of the total that a source has: of the sum of squares in compare, of the variance of the value in \
                  budget.",
        commands: "compare, budget",
        aliases: &[],
    },
    Term {
        name: "if all judged",
        meaning: "Width of the bounds that remains once every retrieved document is judged: the weight of the ranks below \
                  the end of the lists.",
        commands: "next",
        aliases: &["below list ends", "residual_least"],
    },
    Term {
        name: "rank in runs",
        meaning: "Rank of the document in each run that retrieves it: 1 newcomer is rank 1 in newcomer. `+2` counts further \
                  runs.",
        commands: "next",
        aliases: &["why"],
    },
    Term {
        name: "standard error",
        meaning: "Standard deviation of the mean over samples of topics (and over the other sources of error, where \
                  they are included).",
        commands: "eval -f json, budget",
        aliases: &["SE", "std_error", "std. error"],
    },
    Term {
        name: "unjudged documents",
        meaning: "Documents that are retrieved but have no judgement. Values treat them as not relevant, as in \
                  trec_eval; bounds allow every judgement.",
        commands: "all",
        aliases: &[],
    },
];

/// The term of that name; case, hyphens and underscores do not matter.
pub fn find_term(name: &str) -> Option<&'static Term> {
    let plain = |text: &str| text.to_lowercase().replace(['_', '-'], " ");
    let wanted = plain(name);
    TERMS.iter().find(|term| {
        let mut names = std::iter::once(&term.name).chain(term.aliases);
        names.any(|other| plain(other) == wanted)
    })
}

/// That a name of a measure is also a term of the output.
pub fn also_term(name: &str) -> Option<String> {
    let term = find_term(name)?;
    let quoted = if term.name.contains(' ') { format!("\"{}\"", term.name) } else { term.name.to_owned() };
    Some(format!("A column {name} in {} is the {}: karat explain {quoted}", term.commands, term.name))
}

/// The page of a term.
pub fn term_report(term: &'static Term, context: Context) -> Report {
    let table = Columns::new()
        .column("name", "term", |term: &Term| term.name.into())
        .column("meaning", "meaning", |term| term.meaning.into())
        .column("commands", "printed by", |term| term.commands.into())
        .table("term", "", [term]);
    context.report(term.name, "explain").block(Block::Record(table)).answering(ExplainAnswer::Term(*term))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_has_one_page() {
        let names = || TERMS.iter().flat_map(|term| std::iter::once(&term.name).chain(term.aliases));
        for name in names() {
            let same = names().filter(|other| other.eq_ignore_ascii_case(name)).count();
            assert_eq!(same, 1, "{name}");
        }
        assert_eq!(find_term("Adjusted-P").map(|term| term.name), Some("adjusted p"));
        assert!(find_term("AP").is_none());
    }
}
