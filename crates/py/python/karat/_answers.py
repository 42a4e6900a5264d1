"""The fields of every answer, for editors and type checkers. Written by generate.py from docs/schema; not to be edited.

A field that an answer does not have raises AttributeError; which fields are always there says the schema.
"""

from __future__ import annotations

from typing import Literal

from karat._result import Record, Result, Rows


class Provenance(Record):
    """What the numbers were computed from."""

    inputs: Rows[ProvenanceInput]
    """The files read."""

    options: Record
    """The options in effect, defaults included."""

    seed: int | None
    """The seed of everything random; null where nothing is."""


class ProvenanceInput(Record):
    """A file that was read."""

    path: str
    """Its name as given."""

    bytes: int
    """Its size as stored."""

    rows: int
    """The rows read from it."""

    format: str | None
    """Its format, unless it is TREC's."""


class OutcomeCounts(Record):
    """How many were won by whom."""

    over: str
    """What is counted: searches, or units such as users."""

    count: int
    """How many there are."""

    wins_a: int
    """Won by a."""

    wins_b: int
    """Won by b."""

    ties: int
    """With as many clicks on both."""

    without_clicks: int
    """Without any click."""

    margin: float
    """Wins of b minus wins of a, over all."""


class InterleavingTest(Record):
    """The result of one test."""

    test: Literal["sign", "t"]
    """The test."""

    over: str
    """What it is over: searches, or units such as users."""

    value: float | None
    """Sign test: share won by b of those decided. t: the margin per search."""

    interval: list[float] | None
    """Interval of the value."""

    p: float | None
    """p-value."""

    reason: str | None
    """Why the test could not be computed."""

    level: float
    """Confidence level."""


class AbInterleavingAnswer(Result):
    """An interleaving experiment."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["ab interleaving"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    verdict: Literal["a", "b", "undecided"]
    """The ranking that is preferred."""

    because: str
    """Why, in one sentence."""

    a: str
    """Name of ranking a."""

    b: str
    """Name of ranking b."""

    outcomes: Rows[OutcomeCounts]
    """Searches and units by who won."""

    tests: Rows[InterleavingTest]
    """The tests; the last that could be computed decides."""

    tests_equal_lengths: Rows[InterleavingTest] | None
    """The tests without searches in which one ranking was longer."""


class CountsAnswer(Record):
    """An A/B test by counts."""

    sample_ratio: SampleRatioCheck
    """Did each arm get the units that it should have?"""

    arms: Rows[CountsArm]
    """The arms, the control first."""

    comparisons: Rows[CountsComparison]
    """Each arm against the control."""

    power: Rows[CountsPower]
    """What the test can detect."""


class SampleRatioCheck(Record):
    """Chi-squared test of the units per arm against the planned split."""

    unit: str
    """What is counted, such as users."""

    chi_squared: float
    """Chi-squared statistic."""

    df: int
    """Its degrees of freedom."""

    p: float
    """Its p-value."""

    threshold: float
    """The check fails when p is below this."""

    holds: bool
    """Whether the check passed."""

    arms: Rows[ArmUnits]
    """Units per arm, the control first."""


class ArmUnits(Record):
    """The units of one arm."""

    arm: str
    """The arm."""

    units: int
    """Units observed."""

    planned_share: float
    """Share of the units that it should get."""

    expected: float
    """Units expected from that share."""


class CountsArm(Record):
    """The rate of one arm."""

    arm: str
    """The arm."""

    control: bool
    """Whether it is the control."""

    users: int | None
    """Users, where they are known."""

    numerator: int
    """Successes, such as clicks."""

    denominator: int
    """Trials, such as searches."""

    value: float
    """Numerator over denominator."""

    interval: list[float] | None
    """Wilson's interval of the value."""

    level: float
    """Confidence level."""


class CountsComparison(Record):
    """One arm against the control, by the naive z test."""

    metric: str
    """The metric."""

    control: str
    """The control."""

    arm: str
    """The arm compared with it."""

    control_value: float
    """Rate of the control."""

    arm_value: float
    """Rate of the arm."""

    difference: float
    """Rate of the arm minus rate of the control."""

    std_error: float | None
    """Standard error of the difference."""

    interval: list[float] | None
    """Newcombe's interval of the difference."""

    lift: float | None
    """Difference relative to the control."""

    lift_interval: list[float] | None
    """Fieller's interval of the lift."""

    lift_interval_delta: list[float] | None
    """Interval of the lift by the delta method."""

    z: float | None
    """Statistic of the z test."""

    p_naive: float | None
    """p-value of the z test, valid only if no user repeats."""

    p_adjusted: float | None
    """The p-value after Holm's correction."""

    design_effect_limit: float | None
    """Design effect above which the difference is no longer significant."""

    verdict: Literal["higher", "lower", "undecided"]
    """How the arm compares with the control."""

    because: str
    """Why, in one sentence."""

    level: float
    """Confidence level."""


class CountsPower(Record):
    """What a test by counts can detect, if no user repeats."""

    arm: str
    """The arm."""

    detectable_difference: float | None
    """Smallest difference that the test detects with this power."""

    detectable_lift: float | None
    """The same relative to the control."""

    lift: float | None
    """The lift given, or else the observed one."""

    units_needed: float | None
    """Trials of all arms needed to detect that lift."""

    power: float
    """Power."""


class UsersAnswer(Record):
    """An A/B test over units."""

    sample_ratio: SampleRatioCheck
    """Did each arm get the units that it should have?"""

    arms: Rows[UsersArm]
    """The arms, the control first, for each metric."""

    comparisons: Rows[UsersComparison]
    """Each arm against the control, for each metric."""

    power: Rows[UsersPower]
    """What the test can detect."""

    sequence: Rows[SequenceLook] | None
    """The comparisons at every time, where that was wanted."""


class UsersArm(Record):
    """The value of a metric in one arm."""

    metric: str
    """The metric."""

    arm: str
    """The arm."""

    control: bool
    """Whether it is the control."""

    units: int
    """Units in the arm."""

    effective_units: float
    """Units with equal denominators that would weigh as much: (sum of denominators)² over the sum of their squares.
    """

    numerator: float
    """Sum of the column above."""

    denominator: float
    """Sum of the column below."""

    value: float
    """Numerator over denominator."""

    std_error: float | None
    """Standard error by the jackknife over units."""

    interval: list[float] | None
    """Interval of the value; with `--peek` valid at all looks together, and null where fewer than 20 units carry
    the variance.
    """

    level: float
    """Confidence level."""


class UsersComparison(Record):
    """One metric of one arm against the control."""

    metric: str
    """The metric."""

    control: str
    """The control."""

    arm: str
    """The arm compared with it."""

    control_value: float
    """Value of the control."""

    arm_value: float
    """Value of the arm."""

    difference: float
    """Value of the arm minus value of the control."""

    std_error: float | None
    """Standard error of the difference."""

    interval: list[float] | None
    """Interval of the difference, by `test`; with `--peek` valid at all looks together."""

    interval_fixed: list[float] | None
    """With `--peek`: the interval by Welch's t, valid for one look at a planned time."""

    lift: float | None
    """Difference relative to the control."""

    lift_interval: list[float] | None
    """Interval of the lift, by `test` (Fieller's, where that is not resampling); with `--peek` valid at all looks
    together.
    """

    lift_interval_delta: list[float] | None
    """Interval of the lift by the delta method, for comparison."""

    t: float | None
    """Welch's t: the difference over its standard error."""

    df: float | None
    """Its degrees of freedom."""

    test: Literal["resampling", "t", "sequence"] | None
    """Where p and the intervals come from."""

    draws: int | None
    """Permutations, and changes of signs, where units were resampled."""

    p: float | None
    """p-value of `test`; with `--peek` valid at all looks together."""

    p_fixed: float | None
    """With `--peek`: p-value of Welch's t, valid for one look at a planned time."""

    p_sequence: float | None
    """p-value of the confidence sequence, valid at all looks together."""

    p_adjusted: float | None
    """The p-value that decides, after Holm's correction."""

    p_naive: float | None
    """p-value of the z test that ignores that users repeat."""

    design_effect: float | None
    """Variance of the difference over the variance that the naive test assumes."""

    verdict: Literal["higher", "lower", "undecided"]
    """How the arm compares with the control."""

    refused: Literal["few_effective_units", "few_events", "looks_contradict"] | None
    """Why no verdict may rest on the p-value, however small."""

    because: str
    """Why, in one sentence."""

    level: float
    """Confidence level."""


class UsersPower(Record):
    """What a test over units can detect."""

    metric: str
    """The metric."""

    arm: str
    """The arm."""

    detectable_difference: float | None
    """Smallest difference that the test detects with this power."""

    detectable_lift: float | None
    """The same relative to the control."""

    lift: float | None
    """The lift given, or else the observed one."""

    units_needed: float | None
    """Units of all arms needed to detect that lift."""

    days_needed: float | None
    """Days until there are so many."""

    power: float
    """Power."""


class SequenceLook(Record):
    """The comparison at one time."""

    metric: str
    """The metric."""

    arm: str
    """The arm."""

    time: str
    """Rows up to this time are in it."""

    control_units: int
    """Units of the control so far."""

    arm_units: int
    """Units of the arm so far."""

    control_value: float | None
    """Value of the control so far."""

    arm_value: float | None
    """Value of the arm so far."""

    difference: float | None
    """Value of the arm minus value of the control."""

    interval: list[float] | None
    """Interval that is valid at all looks together: what the sequence's intervals up to this look have in common.
    Null when there are too few units, or when two of them exclude each other.
    """

    interval_fixed: list[float] | None
    """Interval that is valid for one look at a planned time, by Welch's t."""

    p: float | None
    """p-value that is valid at all looks together: the smallest so far."""

    p_fixed: float | None
    """p-value that is valid for one look at a planned time, by Welch's t."""


class AbAnswer(Result):
    """An A/B test, from counts or from one row per user."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["ab"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""


class SourceRow(Record):
    """One source."""

    source: Literal[
        "topics",
        "unjudged",
        "judges",
        "judgement_sampling",
        "monte_carlo",
        "interaction",
    ]
    """The source."""

    variance: float
    """Its variance."""

    share: float | None
    """Its share of the total variance."""

    std_error: float
    """Square root of its variance."""

    unit: str | None
    """The next unit of effort that reduces it, in words; filled in when the answer is presented."""

    unit_buys: UnitBuys | None
    """What that unit leaves of the uncertainty."""


class UnitBuys(Record):
    """The uncertainty after one unit of effort."""

    std_error: float
    """Standard error of the value then."""

    half_width: float
    """Half the width of the confidence interval then."""


class AdviceRow(Record):
    """One way to reach the width wanted."""

    strategy: Literal["cheapest", "topics", "judgements", "gold"]
    """The cheapest mix, or one kind of effort alone."""

    topics: int | None
    """New topics, judged as deep as the present ones; null where the width is not reached."""

    judgements: int | None
    """More judgements on the present topics."""

    gold: int | None
    """More gold labels."""

    cost: float | None
    """Cost of all of it."""

    half_width: float
    """Half the width of the confidence interval then; where the width wanted is not reached, the smallest possible.
    """

    width: float
    """Width of the confidence interval then."""

    reaches: bool
    """Whether the width wanted is reached."""


class NextDocument(Record):
    """A document to judge."""

    topic: str
    """Its topic."""

    document: str
    """The document."""

    weight: float
    """What relevance adds to the topic's score, or to the difference."""

    variance_removed: float
    """What its judgement removes from the source `unjudged`."""


class BudgetAnswer(Result):
    """The uncertainty of a score, or of the difference of two runs, by source."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["budget"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    measure: str
    """The measure."""

    a: str
    """The run, or the first of two."""

    b: str | None
    """The second run; the budget is then that of the difference a - b."""

    topics: int
    """Number of topics."""

    value: float
    """Expected value: unjudged documents count with their estimated relevance, judges' errors are corrected."""

    observed: float
    """Value by the judgements alone."""

    std_error: float
    """Standard error of `value`, all sources together."""

    half_width: float
    """Half the width of the confidence interval."""

    width: float
    """Width of the confidence interval."""

    interval: list[float]
    """Confidence interval of `value`."""

    level: float
    """Confidence level."""

    target: float | None
    """The width wanted, if any."""

    budget: Rows[SourceRow]
    """Variance of `value` by source."""

    advice: Rows[AdviceRow] | None
    """Ways to reach the width wanted."""

    next: Rows[NextDocument] | None
    """The documents to judge first: as many as the cheapest advice has, and at least ten."""

    to_settle: int | None
    """Sampled judgements that `karat settle` would plan to find which of two runs is better, the number that `karat
    compare` gives for an undecided verdict; null for one run, or where there is no such number.
    """


class FileSummary(Record):
    """A file, and how many errors and warnings it has."""

    path: str
    """Its name as the user gave it."""

    kind: Literal["unknown", "qrels", "run", "labels"]
    """What it is."""

    format: str | None
    """Its format; null where it is not recognised."""

    bytes: int
    """Bytes after decompression."""

    rows: int
    """Rows that could be read."""

    topics: int
    """Topics in them."""

    problems: int
    """Errors, listed or not."""

    warnings: int
    """Warnings."""


class FindingRow(Record):
    """One finding."""

    severity: Literal["error", "warning", "note"]
    """How bad it is."""

    file: str
    """The file."""

    line: int | None
    """The line where it is, or is first seen."""

    row: int | None
    """The row, where the file has no lines."""

    field: str | None
    """The field, where it is about one."""

    what: str
    """What was found."""

    remedy: str
    """What to do."""


class GradeCount(Record):
    """How many documents of a file have a grade."""

    file: str
    """The judgements' file."""

    grade: float
    """The grade as written."""

    documents: int
    """Documents with it."""

    meaning: Literal["pooled, not judged", "not relevant", "relevant"]
    """What the grade means."""


class JudgedByRank(Record):
    """How much of a run is judged in some ranks, over all common topics."""

    qrels: str
    """The judgements' file."""

    run: str
    """The run's file."""

    ranks: str
    """The ranks, such as 11-100."""

    documents: int
    """Documents at these ranks."""

    judged: int
    """Documents with a grade."""

    share: float
    """Share of documents with a grade."""


class CheckAnswer(Result):
    """What was found in the files."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["check"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    files: Rows[FileSummary]
    """The files in the order given."""

    findings: Rows[FindingRow]
    """Findings by file, errors first."""

    grades: Rows[GradeCount]
    """Grades used, where judgements are among the files."""

    judged_by_rank: Rows[JudgedByRank]
    """Share of judged documents by rank, where runs and judgements are among the files."""


class ComparisonRow(Record):
    """One measure of one pair of runs."""

    measure: str
    """The measure."""

    a: str
    """The first run."""

    b: str
    """The second run."""

    topics: int
    """Topics that both have a score for."""

    value_a: float
    """Mean of the first run over these topics, expected and corrected where the difference is."""

    value_b: float
    """Mean of the second run over these topics, expected and corrected where the difference is."""

    difference: float
    """Mean difference, `a - b`."""

    low: float | None
    """Least difference over all judgements of the unjudged documents."""

    high: float | None
    """Greatest difference over all judgements of the unjudged documents."""

    interval: list[float] | None
    """Confidence interval with all sources of error."""

    level: float
    """Confidence level."""

    method: str | None
    """How the interval was made."""

    std_error: float | None
    """Standard error with all sources."""

    sources: VarianceSources
    """Variances by source, those that apply."""

    expected_difference: float | None
    """Mean difference under the relevance model of unjudged documents."""

    interval_topics: list[float] | None
    """Confidence interval over topics alone."""

    effect_size: float | None
    """Mean difference over the standard deviation of the differences."""

    wins: int
    """Topics on which `a` scores higher."""

    ties: int
    """Topics with equal scores."""

    losses: int
    """Topics on which `b` scores higher."""

    tests: Rows[TestRow]
    """What each test found."""

    verdict: str
    """The better run: `a`, `b` or `undecided`."""

    certain: bool
    """Whether the verdict holds however the unjudged documents are judged: interval and test decide with every
    topic at its worst case.
    """

    basis: str | None
    """What the verdict rests on: `certain`, `sampled` or `assumed`; null where it is undecided."""

    assumption: str | None
    """What an assumed verdict assumes: `unjudged_not_relevant` or `sparse_judgements`."""

    tipping_point: float | None
    """The smallest share of relevant documents, among unjudged ones that the other run ranks higher, at which the
    conclusion fails; with a margin, the conclusion that the candidate is not worse. Documents count by their weight
    in the measure. Null where no share does, and where topics do not decide.
    """

    assumes_equal_rates: bool | None
    """Whether the verdict assumes that the unjudged documents of both runs, which were both pooled, are relevant
    equally often; null without a verdict.
    """

    judged_rate: RatesRow | None
    """How often judged documents are relevant at the ranks of those unjudged ones, weighted as those."""

    judged_rate_upper: RatesRow | None
    """Upper 95% limits of these rates; 1 with fewer than five documents."""

    judged_rate_unique: bool | None
    """Whether these rates are of documents that one pooled run alone brought into the pool, all pooled runs
    together; else they are of the run's own judged documents.
    """

    interval_all: list[float] | None
    """Interval of the mean difference that full judgements of many such topics would show: the ends allow for every
    judgement of the unjudged documents. Null where differences have no spread, and for measures for which relevant
    documents that no run retrieved may take a difference further than any bound.
    """

    bounds_kind: str | None
    """Whether `low` and `high` hold whatever is judged (`complete`), or assume that every relevant document was
    retrieved or pooled (`retrieved`).
    """

    margin: float | None
    """The margin given."""

    not_worse: bool | None
    """Whether the run that is not the baseline is shown to be worse by no more than the margin; with a margin."""

    equivalent: bool | None
    """Whether the difference is shown to be within the margin; with a margin."""

    margin_evidence: MarginEvidenceRow | None
    """The limit, the p and the warning behind both, by run; with a margin."""

    to_settle: int | None
    """Sampled judgements that `karat settle` would plan for, of a pair that is undecided while documents are
    unjudged; null where no number is enough, or more than 20 comparisons are made.
    """

    sampled: CompareSampledRow | None
    """The judged sample that difference, interval and verdict rest on; null without one."""

    because: str
    """The reason, in words."""

    blocked_by: list[str]
    """What blocks a decision: `queries`, `unjudged`, `judges`, `bounds`."""

    detectable_difference: float | None
    """The smallest difference that these topics detect with the power set."""

    topics_needed: int | None
    """Topics needed to detect the observed difference with that power."""


class VarianceSources(Record):
    """Variances by source, those that apply."""

    topics: float | None
    """Sampling of topics."""

    unjudged: float | None
    """Unjudged documents, under the relevance model."""

    judges: float | None
    """Calibration of the judges."""

    judgement_sampling: float | None
    """Sampling of judgements."""

    monte_carlo: float | None
    """Random draws of karat itself."""


class TestRow(Record):
    """One test."""

    test: str
    """The test."""

    statistic: float | None
    """Its statistic."""

    p: float | None
    """Its p-value."""

    p_adjusted: float | None
    """The p-value adjusted for the number of pairs."""

    smallest_p: float | None
    """The smallest p-value possible on these topics."""

    calculation: str | None
    """How it was calculated."""

    rope: float
    """Half the width of the region."""

    above_rope: float
    """Above it."""

    within_rope: float
    """Within it."""

    below_rope: float
    """Below it."""

    reason: str | None
    """Why there is no result."""


class RatesRow(Record):
    """A rate by run."""

    a: float | None
    """Of the first run."""

    b: float | None
    """Of the second run."""

    best: float | None
    """Of the run with the highest rate."""


class MarginEvidenceRow(Record):
    """What speaks for each run's not being worse by more than the margin."""

    a: NotWorseRow
    """For the first run."""

    b: NotWorseRow
    """For the second run."""


class NotWorseRow(Record):
    """What speaks for one run's not being worse by more than the margin. Leads are positive where this run is
    ahead.
    """

    not_worse: bool
    """Whether it is shown."""

    limit: float | None
    """The lower limit of the run's mean lead, one-sided at the confidence level; null with too few topics."""

    p: float | None
    """The p-value of the one-sided randomisation test that the lead is above minus the margin; null where there is
    none.
    """

    missed_share: float
    """The share of topics, unlike all that were seen, that a sample of so many misses with a probability of 5%."""

    lead_with_missed: float | None
    """The run's mean lead if so many topics had the largest possible loss, and the others the lead seen; null where
    losses have no limit.
    """

    warning: bool
    """Whether that exceeds the margin: with fewer than 25 topics nothing is shown then, with more it is shown with
    this warning.
    """


class CompareSampledRow(Record):
    """A judged sample of the unjudged documents."""

    drawn: int
    """Documents that were drawn."""

    judged: int
    """Those with a label."""

    seed: int
    """Seed of the draws."""

    p: float | None
    """The p-value of the difference, over topics and the sample."""

    p_adjusted: float | None
    """The same adjusted for the number of pairs."""

    alpha: float
    """What it must be below at this look."""

    look: int | None
    """The number of this look, where several are planned or allowed."""


class SystemRow(Record):
    """Where a run stands by a measure."""

    measure: str
    """The measure."""

    run: str
    """The run."""

    value: float
    """Its mean."""

    rank: float | None
    """Its rank, 1 for the best."""

    rank_interval: list[float] | None
    """Best and worst rank that it may have, unjudged documents treated as not relevant. The intervals of all runs
    hold together.
    """

    rank_interval_all: list[float] | None
    """The same whatever the unjudged documents are, within the bounds; where all pairs were compared and have
    bounds.
    """

    groups: str | None
    """Letters: no verdict separates runs that share one."""


class DecompositionRow(Record):
    """One source of the variance of scores."""

    measure: str
    """The measure."""

    source: Literal["runs", "topics", "runs x topics, with error"]
    """The source."""

    sum_of_squares: float
    """Sum of squares."""

    df: float
    """Degrees of freedom."""

    share: float
    """Share of the total sum of squares."""

    variance: float
    """Variance component."""

    f: float | None
    """F statistic."""

    p: float | None
    """Its p-value."""


class CompareQueryRow(Record):
    """One topic of a comparison."""

    measure: str
    """The measure."""

    a: str
    """The first run."""

    b: str
    """The second run."""

    topic: str
    """The topic."""

    difference: float
    """The difference, `a - b`."""

    low: float | None
    """Least difference over all judgements of the unjudged documents."""

    high: float | None
    """Greatest difference over all judgements of the unjudged documents."""


class OrderRow(Record):
    """Two orders of the runs."""

    measure_a: str
    """The measure of the first order."""

    measure_b: str
    """The measure of the second order."""

    judgements_b: str
    """The judgements of the second order."""

    topics: int
    """Topics that both orders rest on."""

    tau_a: float | None
    """Kendall's tau_a."""

    tau_b: float | None
    """Kendall's tau_b."""

    tau_b_interval: list[float] | None
    """Confidence interval of tau_b over topics."""

    tau_ap: float | None
    """tau_AP, with the second order as the truth."""

    spearman: float | None
    """Spearman's correlation."""

    pearson: float | None
    """Pearson's correlation."""

    rms: float | None
    """Root mean square difference of the means."""

    rbo: float
    """Rank-biased overlap."""


class DifficultyRow(Record):
    """How hard a topic is."""

    measure: str
    """The measure."""

    topic: str
    """The topic."""

    mean: float
    """Mean over the runs."""

    sd: float | None
    """Standard deviation over the runs."""

    best_run: str
    """The run with the best score."""

    best: float
    """That score."""


class SensitivityRow(Record):
    """A comparison with another setting."""

    measure: str
    """The measure as given."""

    a: str
    """The first run."""

    b: str
    """The second run."""

    choice: Literal[
        "as given",
        "p",
        "cut-off",
        "gains",
        "relevance threshold",
        "ties",
        "missing topics",
    ]
    """What is changed."""

    setting: str
    """To what."""

    difference: float
    """Mean difference, `a - b`."""

    p: float | None
    """The adjusted p of the randomisation test."""

    winner: str
    """The better run, or `undecided`."""

    same: bool
    """Whether the verdict is the one with the settings as given."""


class CompareAnswer(Result):
    """Every comparison, and what was found beyond them."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["compare"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    comparisons: Rows[ComparisonRow]
    """One row per measure and pair of runs."""

    systems: Rows[SystemRow] | None
    """Where each run stands, best first; with three runs or more."""

    decomposition: Rows[DecompositionRow]
    """How much of the variance of scores is between runs, between topics, and neither."""

    by_query: Rows[CompareQueryRow] | None
    """One row per measure, pair and topic; with `-q`."""

    orders: Rows[OrderRow] | None
    """Whether measures, or other judgements, order the runs alike."""

    topics: Rows[DifficultyRow] | None
    """How hard each topic is for the runs together; with `-q`."""

    sensitivity: Rows[SensitivityRow] | None
    """The comparison with other settings; with `--sensitivity`."""


class ScoreRow(Record):
    """One measure of one run."""

    run: str
    """The run."""

    measure: str
    """The measure."""

    topics: int
    """Topics that the value summarises."""

    value: int | float | None
    """The value over these topics."""

    low: float | None
    """Least value over all judgements of the unjudged documents."""

    high: float | None
    """Greatest value over all judgements of the unjudged documents."""

    bounds_kind: str | None
    """"complete": the bounds hold whatever is judged; "retrieved": they assume that no relevant document is left
    unretrieved.
    """

    std_error: float | None
    """Standard error with all sources."""

    interval: list[float] | None
    """Confidence interval with all sources."""

    level: float
    """Confidence level."""

    method: str | None
    """How the interval was made."""

    sources: VarianceSources
    """Variances by source, those that apply."""

    ties_low: float | None
    """Least value over all orders."""

    ties_high: float | None
    """Greatest value over all orders."""

    ties_expected: float | None
    """Mean over all orders."""

    unjudged_interval: list[float] | None
    """Its interval for these topics."""

    unjudged_method: str | None
    """How that interval was made."""

    sampled: EvalSampledRow
    """The judged sample that value, error and interval are estimated from; with `--sample`."""


class EvalSampledRow(Record):
    """The judged sample that a score was estimated from."""

    drawn: int
    """Documents that were drawn."""

    judged: int
    """Those with a label."""

    seed: int
    """Seed of the draws."""

    alpha: float
    """The interval's error at this look: with several looks less than 1 - level, so that the intervals of all looks
    together keep the level.
    """

    look: int | None
    """The number of this look, where several are planned or allowed."""


class ModelComparison(Record):
    """How well one model predicts the judged documents."""

    model: str
    """The model."""

    log_loss: float
    """Cross-validated log loss: mean over judged documents of minus the logarithm of the probability of their
    judgement.
    """

    judged: int
    """Judged documents."""

    rank_1: float
    """Probability of relevance at rank 1, in a list with nothing judged."""

    rank_10: float
    """Probability of relevance at rank 10."""

    rank_100: float
    """Probability of relevance at rank 100."""

    parameters: str
    """The parameters, where there are some to tell; else empty."""

    used: bool
    """Whether it is the model in use."""


class EvalQueryRow(Record):
    """One topic of a run."""

    run: str
    """The run."""

    measure: str
    """The measure."""

    topic: str
    """The topic."""

    value: int | float | None
    """The value; `null` where the measure is undefined."""

    low: float | None
    """Least value over all judgements of the unjudged documents."""

    high: float | None
    """Greatest value over all judgements of the unjudged documents."""

    gold: float | None
    """The value; `null` where gold did not judge the topic."""

    std_error: float | None
    """Its standard error."""

    ties_low: float | None
    """Least value over all orders."""

    ties_high: float | None
    """Greatest value over all orders."""

    ties_expected: float | None
    """Mean over all orders."""


class ScoreCalibration(Record):
    """How well the scores of a run predict relevance."""

    run: str
    """The run."""

    judged: int
    """Judged documents that it retrieved for judged topics."""

    unjudged: int
    """Unjudged ones, which are left out."""

    log_loss: float | None
    """Log loss of the predictions (natural logarithm); `null` with fewer than two topics that have judged
    documents.
    """

    log_loss_of_share: float | None
    """Log loss of the share of relevant documents in other topics."""

    log_loss_of_scores: float | None
    """Log loss of the scores as probabilities, where all are from 0 to 1; `null` where it is infinite."""


class BandRow(Record):
    """Documents whose score, or length, is within one range."""

    run: str
    """The run."""

    to: float
    """The greatest."""

    judged: int
    """Judged documents."""

    relevant: int
    """Relevant ones among them."""

    predicted: float
    """Mean predicted probability of relevance."""

    observed: float
    """Share of relevant documents."""

    interval: list[float] | None
    """Confidence interval of that share; documents of one topic are not independent."""


class EvalAnswer(Result):
    """Scores of all runs, and what makes them uncertain."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["eval"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    scores: Rows[ScoreRow]
    """One row per measure and run."""

    models: Rows[ModelComparison] | None
    """The relevance models of unjudged documents and their fit; with `--unjudged band`, `fit` or `urn`."""

    by_query: Rows[EvalQueryRow] | None
    """One row per run, measure and topic; with `-q`."""

    score_calibration: Rows[ScoreCalibration]
    """One row per run; with `--score-bands`."""

    score_bands: Rows[BandRow]
    """One row per run and band of scores, lowest first."""

    length_bands: Rows[BandRow]
    """One row per run and band of document lengths, shortest first; with `--lengths`."""


class MeasurePage(Record):
    """The page of a measure."""

    name: str
    """Its name."""

    summary: str
    """What it tells you."""

    formula: str
    """Its formula."""

    reading: str
    """How to read it."""

    misleads: str
    """When it misleads."""

    range: str
    """Its range."""

    over_topics: str
    """How it is summarised over topics."""

    bounds: str
    """Its bounds over unjudged documents."""

    ties: str
    """Its range over the orders of ties."""

    nothing_judged: str
    """Its value where nothing is judged."""

    nothing_relevant: str
    """Its value where nothing is relevant."""

    nothing_retrieved: str
    """Its value where nothing is retrieved."""

    aliases: str
    """Other names."""

    source: str
    """Where it comes from."""

    bibtex: str
    """The same as BibTeX."""

    parameters: Rows[ParameterRow]
    """Its parameters, where it has any."""

    examples: Rows[ExampleRow]
    """Worked examples."""


class ParameterRow(Record):
    """A parameter of a measure."""

    name: str
    """Its name; the number after @ is named cutoff."""

    default: str
    """Its default; empty where it must be given or may be absent."""

    legal: str
    """The values it may take."""

    meaning: str
    """What it means."""


class ExampleRow(Record):
    """A worked example of a measure."""

    measure: str
    """The measure with its parameters."""

    ranking: str
    """The ranking, best first."""

    missed: str
    """Judged documents that are not retrieved."""

    value: float
    """Its value."""

    derivation: str
    """How the value comes about."""


class MethodPage(Record):
    """The page of a coefficient of agreement, a significance test, a correction or an interval."""

    name: str
    """Its name on the command line."""

    title: str
    """Its name in words."""

    statistic: str | None
    """What the statistic is, of a test."""

    formula: str
    """Its formula."""

    reading: str
    """How to read it."""

    misleads: str | None
    """When it misleads."""

    judges: str | None
    """How many judges it takes, of a coefficient."""

    bands: str | None
    """Usual labels of its values, of a coefficient."""

    source: str
    """Where it comes from."""

    example: str
    """A worked example."""

    value: float | None
    """The value of the example."""


class Term(Record):
    """A term of karat's output."""

    name: str
    """The term."""

    meaning: str
    """What it means."""

    commands: str
    """The commands that print it."""


class ExplainAnswer(Result):
    """The page of a measure, of a method or of a term."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["explain"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""


class Agreement(Record):
    """A coefficient over all judges."""

    coefficient: str
    """Its name."""

    value: float | None
    """Its value; null with a `reason`."""

    interval: list[float] | None
    """Its interval over queries; null with a `reason`."""

    band: str | None
    """`good` from 0.8, `fair` from 0.67, else `dubious`; null for a coefficient without correction for chance."""

    judges: int
    """Judges."""

    items: int
    """Documents with labels of two or more judges."""

    queries: int
    """Queries of these documents."""

    level: float
    """Confidence level of the interval."""

    reason: str | None
    """Why there is no value or no interval."""


class PairAgreement(Record):
    """A coefficient of two judges."""

    a: str
    """One judge."""

    b: str
    """The other."""

    coefficient: str
    """Name of the coefficient."""

    value: float | None
    """Its value; null with a `reason`."""

    band: str | None
    """`good` from 0.8, `fair` from 0.67, else `dubious`; null for a coefficient without correction for chance."""

    items: int
    """Documents that both judged."""

    queries: int
    """Queries of these documents."""

    reason: str | None
    """Why there is no value or no interval."""

    interval: list[float] | None
    """Its interval over queries."""


class GradePair(Record):
    """How often two judges give two grades to a document."""

    grade_a: float
    """Grade of one judge."""

    grade_b: float
    """Grade of the other."""

    pairs: int
    """Pairs of labels."""

    share: float | None
    """Share of all pairs of labels."""


class QueryAgreement(Record):
    """Documents of a query that several judged."""

    topic: str
    """The query."""

    judged: int
    """Documents judged by two or more."""

    disagreements: int
    """Those that got different grades."""


class JudgeScore(Record):
    """A system's score by one judge's labels."""

    measure: str
    """The measure."""

    judge: str
    """The judge."""

    run: str
    """The system."""

    value: float | None
    """Its mean over the judge's topics."""

    rank: int | None
    """Its rank under this judge."""

    topics: int
    """Topics."""


class OrderAgreement(Record):
    """The order of systems under two judges."""

    measure: str
    """The measure."""

    a: str
    """One judge."""

    b: str
    """The other."""

    tau: float | None
    """Kendall's tau of the two orders; null if all systems tie under one of the judges."""

    topics: int
    """Topics that both judged."""

    best_a: str | None
    """The best system under the first judge; null if several tie."""

    best_b: str | None
    """The best system under the second judge; null if several tie."""


class JudgeVerdict(Record):
    """The difference of the two systems that are best over all judges, under one judge."""

    measure: str
    """The measure."""

    judge: str
    """The judge."""

    a: str
    """The best system over all judges."""

    b: str
    """The second best."""

    difference: float | None
    """Score of a minus that of b."""

    interval: list[float] | None
    """Its interval."""

    verdict: str
    """The system that is significantly better, or `undecided`."""

    topics: int
    """Topics."""


class JudgesAgreeAnswer(Result):
    """How far judges agree."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["judges agree"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    agreement: Rows[Agreement]
    """Coefficients over all judges."""

    pairs: Rows[PairAgreement] | None
    """Coefficients of every pair of judges, if there are 3 to 20 judges."""

    confusion: Rows[GradePair]
    """How often two judges give two grades to a document: of two judges in their order, of more the lower grade
    first.
    """

    by_query: Rows[QueryAgreement]
    """Documents judged by several, by query."""

    scores: Rows[JudgeScore]
    """Scores by each judge's labels."""

    orders: Rows[OrderAgreement]
    """Whether two judges order the systems alike."""

    verdicts: Rows[JudgeVerdict]
    """The best two systems under each judge."""


class ErrorRate(Record):
    """How often bronze gives a grade when gold gives a grade."""

    gold: float
    """Gold's grade."""

    bronze: float
    """Bronze's grade."""

    count: int
    """Pairs with both."""

    of: int
    """Pairs with this gold grade."""

    rate: float
    """Their share."""

    interval: list[float]
    """Its interval."""

    method: str
    """Method of the interval."""


class RateCovariance(Record):
    """Covariance of two rates of one gold grade."""

    gold: float
    """Gold's grade."""

    bronze_a: float
    """Bronze's grade of one rate."""

    bronze_b: float
    """Bronze's grade of the other."""

    covariance: float
    """The covariance."""


class FactorTest(Record):
    """A test whether the error rate depends on a factor."""

    factor: str
    """The factor."""

    statistic: float | None
    """Chi-squared; null if the factor could not be tested."""

    df: float | None
    """Degrees of freedom."""

    p: float | None
    """p-value."""

    p_adjusted: float | None
    """p-value adjusted for the number of factors (Holm)."""

    method: str | None
    """The test."""


class FactorValue(Record):
    """Agreement at one value of a factor."""

    factor: str
    """The factor."""

    value: str
    """Its value."""

    agreed: int
    """Pairs with the same grade."""

    pairs: int
    """All pairs."""

    rate: float | None
    """Share that agrees."""


class JudgesCalibrateAnswer(Result):
    """Error rates of judges. As a file, this is what `--calibration` reads."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["judges calibrate"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    rates: Rows[ErrorRate]
    """How often bronze gives each grade when gold gives a grade."""

    grades: list[float]
    """The grades, ascending."""

    counts: list[list[int]]
    """Pairs by gold grade (row) and bronze grade (column)."""

    rates_matrix: list[list[float]]
    """Rates by gold grade (row) and bronze grade (column)."""

    m_relevant: float | None
    """Of two grades: the rate at which bronze finds relevant documents relevant."""

    m_nonrelevant: float | None
    """Of two grades: the rate at which bronze finds non-relevant documents not relevant."""

    d: float
    """How well bronze tells grades apart: determinant of the matrix of rates, m_R + m_N - 1 for two grades."""

    d_std_error: float
    """Its standard error."""

    d_interval: list[float]
    """Its interval."""

    condition: float | None
    """Condition number of the matrix of rates."""

    design_effects: list[float] | None
    """Per gold grade: how much larger the variance is than that of independent pairs. Null if topics are not known.
    """

    design_topics: list[int] | None
    """Per gold grade: topics of its pairs."""

    between_grades: list[list[float]] | None
    """Covariances of rates of different gold grades."""

    sampling: Literal["random", "gold", "bronze"] | None
    """How the pairs were chosen, if known."""

    depends_on: list[str]
    """Factors on which the error rate depends significantly."""

    level: float
    """Confidence level of intervals and tests."""

    covariances: Rows[RateCovariance]
    """Covariances of the rates of one gold grade."""

    tests: Rows[FactorTest]
    """One test per factor."""

    factors: Rows[FactorValue]
    """Agreement by value of each factor."""


class ComparisonTest(Record):
    """One test of the difference."""

    errors: Literal["naive", "independent", "shared"]
    """How it treats the judges' errors."""

    difference: float
    """Score of a minus that of b."""

    std_error: float
    """Its standard error."""

    t: float
    """Test statistic."""

    df: float
    """Degrees of freedom."""

    p: float
    """Two-tailed p-value by Student's t."""

    p_normal: float
    """Two-tailed p-value by the Normal distribution."""

    because: Literal[
        "bronze taken at its word; Welch, queries of each its own",
        "bronze taken at its word; paired over queries",
        "the calibration's error added once for each system",
        "one calibration: its error only stretches the difference",
    ]
    """What the standard error holds."""


class ComparedScore(Record):
    """One system's score."""

    run: Literal["a", "b"]
    """The system."""

    naive: float
    """The score by bronze labels."""

    value: float
    """The corrected score; not truncated to the valid range."""

    std_error: float
    """Its standard error."""

    nearest: float | None
    """The nearest possible score, if `value` is not a possible one."""


class JudgesCompareAnswer(Result):
    """The comparison, by the test that decides and by the others."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["judges compare"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    difference: float
    """Corrected score of a minus that of b."""

    std_error: float
    """Its standard error."""

    interval: list[float]
    """Its interval."""

    p: float
    """Two-tailed p-value."""

    calibration_errors: Literal["naive", "independent", "shared"]
    """Which test that is: `shared` (one calibration for both systems) or `independent` (one for each)."""

    p_naive: float
    """p-value of the uncorrected scores."""

    p_independent: float
    """p-value if each system had its own calibration."""

    p_shared: float | None
    """p-value if both systems share the calibration; null if they have one each."""

    level: float
    """Confidence level of the interval."""

    tests: Rows[ComparisonTest]
    """All tests."""

    scores: Rows[ComparedScore]
    """The two scores."""


class CorrectedScore(Record):
    """A score by bronze labels, and corrected."""

    naive: float
    """The score by bronze labels."""

    value: float
    """The corrected score; not truncated to the valid range."""

    std_error: float
    """Its standard error by the delta method: queries and calibration."""

    std_error_bootstrap: float | None
    """Its standard error by the bootstrap; null if too many replicates have no value."""

    interval: list[float]
    """Its interval, from `std_error`."""

    interval_bootstrap: list[float] | None
    """Percentile interval of the bootstrap; null if too many replicates have no value."""

    level: float
    """Confidence level of the intervals."""

    method: Literal["delta"]
    """Method of `std_error` and `interval`."""

    sources: CorrectionSources
    """Variance by source."""

    share_judges: float | None
    """Share of the variance that comes from the judges; null if the variance is 0."""

    nearest: float | None
    """The nearest possible score, if `value` is not a possible one."""

    d: float
    """How well the judges tell grades apart: determinant of the matrix of rates, m_R + m_N - 1 for two grades."""

    condition: float | None
    """Condition number of the matrix of rates."""


class CorrectionSources(Record):
    """Variance by source."""

    topics: float
    """Sampling of queries."""

    judges: float
    """Estimation of the judges' error rates."""


class JudgesCorrectAnswer(Result):
    """A score corrected for the judges' errors."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["judges correct"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    scores: Rows[CorrectedScore]
    """The score."""


class MergedGrade(Record):
    """Documents of one merged grade."""

    grade: float
    """The grade."""

    documents: int
    """Documents."""

    confidence: float | None
    """Mean confidence of their labels."""


class JudgeQuality(Record):
    """How good a judge is."""

    judge: str
    """The judge."""

    labels: int
    """Labels with a grade."""

    agreement: float | None
    """Share of labels that agree with the merged label."""

    accuracy: float | None
    """Probability that a label is right."""

    errors: list[list[float]]
    """Probability of each label (column) given the true grade (row)."""


class DocumentToLabel(Record):
    """A document for which one more label would help."""

    topic: str
    """The topic."""

    document: str
    """The document."""

    labels: int
    """Its labels."""

    confidence: float | None
    """Confidence of the merged label."""


class MergedLabel(Record):
    """A document's merged label."""

    topic: str
    """The topic."""

    document: str
    """The document."""

    grade: float | None
    """The grade; null if a tie was left open."""

    confidence: float | None
    """Share of labels that agree, or the model's probability; null for a single label."""

    labels: int
    """Labels it was made of."""


class JudgesMergeAnswer(Result):
    """One label from several."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["judges merge"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    grades: Rows[MergedGrade]
    """Documents by merged grade."""

    judges: Rows[JudgeQuality]
    """The judges, those with most labels first."""

    ask: Rows[DocumentToLabel]
    """Documents for which one more label would help most."""

    labels: Rows[MergedLabel]
    """The merged labels."""


class MeasureRow(Record):
    """A measure in the list."""

    name: str
    """Its name."""

    parameters: str
    """Its parameters with their defaults."""

    aliases: str
    """Other names."""

    summary: str
    """What it tells you."""


class MeasuresAnswer(Result):
    """Every measure."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["measures"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    measures: Rows[MeasureRow]
    """One row per measure."""


class NextAnswer(Result):
    """What to judge next, or with `--replay` how judging would have gone."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["next"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""


class NextJudgement(Record):
    """A document to judge."""

    place: int
    """Its place in the order, from 1."""

    topic: str
    """Its topic."""

    document: str
    """The document."""

    weight: float
    """Its priority by the strategy."""

    probability: float | None
    """The probability that it was to be in the list, 1 where it was chosen; null where nothing is drawn at random.
    """

    open_after: float | None
    """What is open once it is judged: the largest width of bounds; null where it depends on the grade (measures not
    linear in gain).
    """

    why: str
    """Its ranks, in words; filled in when the answer is presented."""


class RunResidual(Record):
    """A run, with the width of its score's bounds."""

    run: str
    """The run."""

    value: float
    """Its mean score; unjudged documents count as not relevant."""

    residual: float | None
    """Width of its bounds; null where the measure has none."""

    residual_after: float | None
    """Width of its bounds once these documents are judged; null where it depends on the grades."""

    residual_least: float | None
    """The part of the width that lies below the end of its lists; null for measures not linear in gain."""


class ReplayAnswer(Record):
    """How many judgements each strategy needs."""

    replay: Rows[ReplayedStrategy]
    """One row per strategy."""

    curve: Rows[CurvePoint]
    """Agreement with the full order after so many judgements."""


class ReplayedStrategy(Record):
    """What a strategy needs."""

    strategy: str
    """The strategy, `random` or `depth`."""

    about: Literal["scores", "differences", "top"] | None
    """Whose uncertainty it shrinks."""

    top_two: int | None
    """Judgements until the first two runs are as with all judgements, and stay so; the median over repetitions."""

    top_two_range: list[int] | None
    """Its range over repetitions."""

    tau: int | None
    """Judgements until Kendall's tau with the full order is reached, and stays so; the median over repetitions."""

    tau_range: list[int] | None
    """Its range over repetitions."""

    certain: int | None
    """Judgements until no outcome of the others could put the second run before the first."""

    judgements: int
    """Judged documents in all."""


class CurvePoint(Record):
    """Agreement with the full order after so many judgements."""

    strategy: str
    """The strategy, `random` or `depth`."""

    about: Literal["scores", "differences", "top"] | None
    """Whose uncertainty it shrinks."""

    judgements: int
    """Judgements."""

    tau: float | None
    """Kendall's tau, the mean over repetitions."""

    tau_ap: float | None
    """tau_AP, the mean over repetitions."""


class PlanMix(Record):
    """A mix of queries and gold labels that reaches the target."""

    queries: float
    """Queries per system."""

    gold_labels: float
    """Gold labels."""

    cost: float
    """What bronze and gold labels cost."""


class PlanJudgesAnswer(Result):
    """The cheapest mix of queries and gold labels that reaches the target, and others."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["plan judges"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    queries: float
    """Queries of the cheapest mix, per system."""

    bronze_labels: float
    """Bronze labels for these queries, over all systems."""

    gold_labels: float
    """Gold labels of the cheapest mix."""

    cost: float
    """Cost of the cheapest mix."""

    queries_at_least: float
    """Queries that would be needed if the error rates were known."""

    gold_labels_at_least: float
    """Gold labels that would be needed if queries were free."""

    mixes: Rows[PlanMix]
    """Other mixes that reach the target."""


class TopicPlan(Record):
    """One plan."""

    measure: str
    """The measure; "as given" for a given standard deviation."""

    run: str | None
    """The pilot run whose scores these are."""

    a: str | None
    """The first run of the pair."""

    b: str | None
    """The second run of the pair."""

    sd: float
    """Standard deviation over topics of the differences, or of the scores."""

    sd_interval: list[float] | None
    """Its confidence interval; null where it is treated as known."""

    topics: int | None
    """Topics needed, or given; null where more would be needed than can be planned."""

    topics_interval: list[float] | None
    """Topics needed at the ends of `sd_interval`; an end is null where too many would be needed."""

    difference: float | None
    """The difference that is found with the power of the plan."""

    difference_interval: list[float] | None
    """The same at the ends of `sd_interval`."""

    half_width: float | None
    """Expected half width of the confidence interval."""

    half_width_interval: list[float] | None
    """The same at the ends of `sd_interval`."""

    power: float | None
    """Power of the test; null for scores."""

    level: float
    """Confidence level of all comparisons together."""

    level_per_pair: float
    """Confidence level of each comparison."""


class PlanTopicsAnswer(Result):
    """How many topics are needed, or what they can show."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["plan topics"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    plans: Rows[TopicPlan]
    """One for each measure, or for each run and measure where the goal is about scores."""

    pairs: Rows[TopicPlan] | None
    """One for each pair of pilot runs, where there are several."""


class PooledDocument(Record):
    """One pooled document."""

    topic: str
    """Its topic."""

    document: str
    """The document."""

    rank: int
    """The best rank that a run gives it."""

    runs: int
    """Number of runs that contribute it."""

    by: list[str]
    """Names of these runs."""

    judged: bool | None
    """Whether it is judged, with `--qrels`."""


class PoolContribution(Record):
    """What a run contributed."""

    run: str
    """The run."""

    documents: int
    """Pooled documents that it has."""

    alone: int
    """Those that no other run has."""

    unjudged: int | None
    """Those without a judgement, with `--qrels`."""


class PoolAnswer(Result):
    """The pooled documents, and what each run contributed."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["pool"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    pool: Rows[PooledDocument]
    """The pooled documents, by topic and best rank."""

    contributions: Rows[PoolContribution]
    """What each run contributed."""


class PairVerdict(Record):
    """Two systems at one p."""

    a: str
    """The first system."""

    b: str
    """The second system."""

    at: float
    """The p they are compared at."""

    verdict: Literal["a", "b", "undecided"]
    """Which is higher."""

    of: Literal["a", "b"]
    """Whose range `low` and `high` are: the score whose own p is farther from `at`."""

    low: float
    """Least possible score of that system."""

    high: float
    """Greatest possible score of that system."""

    range_a: list[float]
    """Possible scores of a."""

    range_b: list[float]
    """Possible scores of b."""

    difference: list[float]
    """Possible values of a - b."""

    verdict_graded: Literal["a", "b", "undecided"]
    """The verdict for means, and for gains from 0 to 1."""

    verdict_binary: Literal["a", "b", "undecided"] | None
    """The verdict for one topic with binary relevance; null where no single ranking has such a score."""

    because: str
    """The reason for the verdict, in words."""


class OrderedSystem(Record):
    """A system's place in the order."""

    system: str
    """The system."""

    level: int
    """1 where no system is certainly above; else one more than the lowest level certainly above."""

    low: float
    """Least possible score."""

    high: float
    """Greatest possible score."""

    above: list[str]
    """Systems that are certainly lower."""

    next: list[str]
    """Those of them with no other system between."""


class PublishedCompareAnswer(Result):
    """Which published score is higher, pair by pair."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["published compare"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    a: str
    """The first system."""

    b: str
    """The second system."""

    at: float
    """The p they are compared at."""

    verdict: Literal["a", "b", "undecided"]
    """Which is higher."""

    of: Literal["a", "b"]
    """Whose range `low` and `high` are: the score whose own p is farther from `at`."""

    low: float
    """Least possible score of that system."""

    high: float
    """Greatest possible score of that system."""

    range_a: list[float]
    """Possible scores of a."""

    range_b: list[float]
    """Possible scores of b."""

    difference: list[float]
    """Possible values of a - b."""

    verdict_graded: Literal["a", "b", "undecided"]
    """The verdict for means, and for gains from 0 to 1."""

    verdict_binary: Literal["a", "b", "undecided"] | None
    """The verdict for one topic with binary relevance; null where no single ranking has such a score."""

    because: str
    """The reason for the verdict, in words."""

    comparisons: Rows[PairVerdict] | None
    """For every pair and p, where there are several."""

    order: Rows[OrderedSystem] | None
    """The partial order of all systems at one p, where there are more than two."""


class SignificantRanks(Record):
    """The significant ranks at one p and precision."""

    p: float
    """Persistence."""

    precision: float
    """Precision of the printed score."""

    depth: int
    """Number of significant ranks."""

    below: float
    """Weight of all ranks below them."""


class PublishedDepthContribution(Record):
    """What a relevant document adds to RBP."""

    rank: int
    """Rank, from 1."""

    p: float
    """Persistence."""

    contribution: float
    """What a relevant document at this rank adds."""


class PublishedDepthAnswer(Result):
    """How many ranks a printed score can show."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["published depth"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    p: float
    """Persistence."""

    precision: float
    """Precision of the printed score."""

    depth: int
    """Number of significant ranks."""

    below: float
    """Weight of all ranks below them."""

    depths: Rows[SignificantRanks] | None
    """For every p and precision, where there are several."""

    contributions: Rows[PublishedDepthContribution] | None
    """Contribution of each of the first ranks, with `--figure`."""


class ScoreRange(Record):
    """The possible scores at one other p."""

    p: float
    """Persistence of the printed score."""

    score: float
    """The printed score."""

    at: float
    """The other persistence."""

    low: float | None
    """Least score, for one topic with binary relevance; null with `--mean`."""

    high: float | None
    """Greatest score, for one topic with binary relevance; null with `--mean`."""

    low_is: Literal["exact", "sound"] | None
    """What is known of `low`."""

    high_is: Literal["exact", "sound"] | None
    """What is known of `high`."""

    low_graded: float
    """Least score, for gains from 0 to 1 and for means over topics."""

    high_graded: float
    """Greatest score, for gains from 0 to 1 and for means over topics."""

    graded_is: Literal["exact", "sound"]
    """What is known of the graded range."""

    low_paper: float | None
    """Least score by the paper's method; null with `--mean`."""

    high_paper: float | None
    """Greatest score by the paper's method; null with `--mean`."""


class PublishedRangeAnswer(Result):
    """The possible scores at another p."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["published range"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    p: float
    """Persistence of the printed score."""

    score: float
    """The printed score."""

    at: float
    """The other persistence."""

    low: float | None
    """Least score, for one topic with binary relevance; null with `--mean`."""

    high: float | None
    """Greatest score, for one topic with binary relevance; null with `--mean`."""

    low_is: Literal["exact", "sound"] | None
    """What is known of `low`."""

    high_is: Literal["exact", "sound"] | None
    """What is known of `high`."""

    low_graded: float
    """Least score, for gains from 0 to 1 and for means over topics."""

    high_graded: float
    """Greatest score, for gains from 0 to 1 and for means over topics."""

    graded_is: Literal["exact", "sound"]
    """What is known of the graded range."""

    low_paper: float | None
    """Least score by the paper's method; null with `--mean`."""

    high_paper: float | None
    """Greatest score by the paper's method; null with `--mean`."""

    ranges: Rows[ScoreRange] | None
    """For every p, score and other p, where there are several."""

    fan: Rows[ScoreRange] | None
    """The ranges over all p, with `--figure`."""


class StudyCell(Record):
    """All pairs of runs in one setting."""

    unit: Literal["topic", "mean"]
    """What is compared."""

    residuals: bool
    """Whether residuals are printed."""

    p_low: float
    """The lower p, at which they are compared."""

    p_high: float
    """The higher p."""

    digits: int
    """Digits printed after the point."""

    pairs: int
    """Pairs compared."""

    decided: int
    """Pairs with a verdict."""

    share: float | None
    """Share of pairs with a verdict; null without pairs."""

    wrong: int
    """Verdicts against the truth."""

    decided_paper: int
    """Verdicts by the paper's range."""

    wrong_paper: int
    """Of these, against the truth."""

    equal_paper: int
    """Of these, between scores that are equal in truth."""


class PublishedStudyAnswer(Result):
    """How often printed scores decide, and how often that is wrong."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["published study"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    cells: Rows[StudyCell]
    """One for each unit, pair of p and number of digits, without and with residuals."""


class ListedRanking(Record):
    """One ranking."""

    vector: str
    """Its ranks."""

    score: float
    """Its score."""

    score_unjudged_relevant: float | None
    """Its score if all unjudged documents are relevant, where a residual was given."""


class PublishedVectorsAnswer(Result):
    """The rankings behind a printed score: strings of 1 (relevant), 0 (not relevant) and ? (unjudged)."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["published vectors"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    depth: int
    """Number of significant ranks."""

    score_interval: list[float]
    """The scores that print so."""

    greatest: str
    """R_G, the lexicographically greatest ranking."""

    score_greatest: float
    """Its score."""

    least: str
    """R_L, the lexicographically least ranking."""

    score_least: float
    """Its score."""

    residual_interval: list[float]
    """The residuals that print so."""

    score_greatest_unjudged_relevant: float
    """Score of R_G if all its unjudged documents are relevant."""

    score_least_unjudged_relevant: float
    """Score of R_L if all its unjudged documents are relevant."""

    greatest_paper: str
    """R_G by the paper's rules."""

    least_paper: str
    """R_L by the paper's rules."""

    count: int | None
    """Number of rankings; null where there are too many to count."""

    log10_count_at_least: float | None
    """Base-10 logarithm of a lower bound of their number, where `count` is null; null for no bound."""

    log10_count_at_most: float | None
    """Base-10 logarithm of an upper bound of their number, where `count` is null."""

    vectors: Rows[ListedRanking]
    """Rankings, from the greatest down."""


class RunOverlap(Record):
    """Mean overlap of two runs."""

    a: str
    """The first run."""

    b: str
    """The second run."""

    p: float
    """Persistence."""

    value: float
    """Mean RBO, extrapolated from the agreement at the end of the lists."""

    min: float
    """Mean of the smallest possible RBO, however the lists continue."""

    max: float
    """Mean of the largest possible RBO, however the lists continue."""

    topics: int
    """Topics that both runs have."""


class TopicOverlap(Record):
    """Overlap of two runs for one topic."""

    a: str
    """The first run."""

    b: str
    """The second run."""

    topic: str
    """The topic."""

    value: float
    """RBO, extrapolated from the agreement at the end of the lists."""

    min: float
    """The smallest possible RBO, however the lists continue."""

    max: float
    """The largest possible RBO, however the lists continue."""


class RboAnswer(Result):
    """Rank-biased overlap of runs."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["rbo"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    rbo: Rows[RunOverlap]
    """Every pair of runs, averaged over topics."""

    by_query: Rows[TopicOverlap] | None
    """Every pair of runs by topic, where that was wanted."""


class PaperSummary(Record):
    """How many claims of a paper hold."""

    paper: str
    """The paper's name on the command line."""

    claims: int
    """All its claims."""

    hold: int
    """Those that hold."""

    do_not_hold: int
    """Those that do not."""

    unchecked: int
    """Those that cannot be checked."""


class PaperClaim(Record):
    """A claim and the paper it is from."""

    paper: str
    """The paper's name on the command line."""

    place: str
    """Section, table, figure or equation."""

    claim: str
    """What is claimed, in a few words."""

    printed: float | str | None
    """What the paper prints."""

    computed: float | str | None
    """What karat computes."""

    tolerance: float | None
    """How far `computed` may be from `printed`: half a unit of the last digit unless a note says otherwise."""

    holds: bool | None
    """Whether it holds; null if that cannot be checked."""

    note: str | None
    """Why it does not hold or cannot be checked, or what else a reader must know."""


class FigureEntry(Record):
    """A figure, in words."""

    paper: str
    """The paper's name on the command line."""

    figure: str
    """The figure's name; with `-o` its file is called so."""

    title: str
    """Its title."""

    reading: str
    """What it shows."""


class GridRow(Record):
    """Mean RBP uncertainty over 50 queries, for one q and w."""

    q: float
    """Expected share of relevant documents."""

    w: float
    """Relevance ratio: the smaller, the better the ranking."""

    mean: float
    """Simulated mean."""

    mean_exact: float
    """Exact mean."""

    std_dev: float
    """Simulated standard deviation."""

    std_dev_exact: float
    """Exact standard deviation."""


class LinearFit(Record):
    """A line in w fitted to one moment at one q."""

    of: str
    """The moment: "mean" or "standard deviation"."""

    q: float
    """Expected share of relevant documents."""

    at_w_1: float | None
    """The moment at w = 1."""

    at_least_w: float | None
    """The moment at the smallest w."""

    slope: float
    """Slope of the line."""

    r_squared: float
    """R squared of the line."""

    worst: float
    """Largest distance of a point from the line, as a share of the mean over w."""


class HiddenJudgements(Record):
    """How well a relevance model, fitted to the first ten ranks, predicts what is below."""

    model: str
    """The relevance model."""

    runs: int
    """Runs it could be fitted to."""

    actual: float | None
    """Mean RBP(p=0.8) of the hidden judgements; null where the model fits no run."""

    expected: float | None
    """What the model expects of them; null where the model fits no run."""

    error: float | None
    """Expected less actual; null where the model fits no run."""

    rms: float | None
    """Root mean square error over runs; null where the model fits no run."""

    bound: float
    """The largest possible value."""

    held: float | None
    """Share of runs whose 95% interval covers the actual value; null where the model fits no run."""


class ApVariance(Record):
    """A mean variance of AP."""

    of: str
    """Of what."""

    mean_variance: float
    """Mean of the variances."""


class JudgeOrder(Record):
    """The systems under one judge, a mixture of judges, or gold on other topics, compared with gold."""

    judge: str
    """Who judged."""

    topics: int | None
    """Topics compared."""

    labels: int | None
    """Labels given."""

    disagree: float | None
    """Share of them that differ from gold."""

    change: float | None
    """Root mean square change of MAP over systems."""

    tau: float | None
    """Kendall's tau with the order under gold."""

    tau_range: list[float] | None
    """What 95% of the draws lie between."""

    tau_ap: float | None
    """tau_AP with the order under gold."""

    chance: float
    """95% of the taus of unrelated orders are within this of 0."""

    best_two_gold: str | None
    """The best two systems under gold."""

    best_two: str | None
    """The best two systems here."""

    exchanged: float | None
    """Share of pairs of systems in another order."""

    exchanged_decided: float | None
    """The same of pairs that are significantly different under gold."""


class SeparablePairs(Record):
    """How often two means, printed with different p, decide which run is better."""

    p_low: float
    """The lower p."""

    p_high: float
    """The higher p."""

    digits: int
    """Digits printed."""

    pairs: int
    """Pairs of runs."""

    decided: float
    """Share of them decided."""

    wrong: int
    """Pairs decided wrongly."""


class TrecRun(Record):
    """A TREC run of table 2."""

    run: str
    """The run."""

    naive: float
    """P@20 under the bronze judges."""

    d: float
    """m_R + m_N - 1."""

    corrected: float
    """The corrected score."""

    topics_variance: float
    """Variance of one query's score, divided by D squared."""


class BronzeGold(Record):
    """Scores under bronze judges, uncorrected and corrected, compared with gold; over random halves of the labels.
    """

    calibrated_on: str
    """Which labels the error rates come from."""

    measure: str
    """The measure."""

    grades: int
    """Grades of the scale."""

    splits: int
    """Random halves."""

    runs: int
    """Systems."""

    naive_error: float | None
    """Mean absolute error over systems, uncorrected."""

    naive_range: list[float] | None
    """What 95% of the splits lie between."""

    corrected_error: float | None
    """Mean absolute error over systems, corrected."""

    corrected_range: list[float] | None
    """What 95% of the splits lie between."""

    naive_bias: float | None
    """Mean error, uncorrected."""

    corrected_bias: float | None
    """Mean error, corrected."""

    nearer: float | None
    """Share of scores that the correction brings nearer to gold."""

    d: float | None
    """How well bronze tells grades apart."""

    condition: float | None
    """Condition number of the error rates."""

    warned: float | None
    """Share of splits with a warning about the error rates."""

    depends_on_topic: float | None
    """Share of splits in which error rates depend on the topic."""

    depends_on_rank: float | None
    """Share of splits in which error rates depend on the rank."""

    harm: float | None
    """Share of scores for which karat warns that correcting does harm."""


class SamplingRate(Record):
    """An estimate from a share of the judgements, compared with MAP from all of them."""

    rate: int
    """Per cent of the pool judged."""

    estimate: str
    """The estimate."""

    samples: int
    """Samples drawn."""

    tau: float | None
    """Mean Kendall's tau with MAP; null where it is not defined."""

    tau_interval: list[float] | None
    """Its 95% interval."""

    correlation: float | None
    """Mean linear correlation with MAP; null where it is not defined."""

    correlation_interval: list[float] | None
    """Its 95% interval."""

    rms: float | None
    """Mean root mean square error; null where it is not defined."""

    rms_interval: list[float] | None
    """Its 95% interval."""


class ReproduceAnswer(Result):
    """Everything `karat reproduce` found."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["reproduce"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    papers: Rows[PaperSummary]
    """One row per paper."""

    claims: Rows[PaperClaim]
    """Every claim of every paper."""

    grid: Rows[GridRow] | None
    """rbp-uncertainty, section 3.2: Mean RBP uncertainty over 50 queries."""

    linear_fit: Rows[LinearFit] | None
    """rbp-uncertainty, section 3.2: lines fitted to the grid."""

    hidden: Rows[HiddenJudgements] | None
    """rbp-uncertainty: judgements hidden below rank 10, and what each relevance model expects of them."""

    ap_variance: Rows[ApVariance] | None
    """ranked-evaluation, section 4.13: variance of AP over topics and over systems."""

    judges_order: Rows[JudgeOrder] | None
    """ranked-evaluation, section 5.8: the systems under other judges, next to gold."""

    separable: Rows[SeparablePairs] | None
    """rbp-parameter-sensitivity, section 7: how often printed means decide which run is better."""

    trec_runs: Rows[TrecRun] | None
    """noisy-judgements, table 2: corrected scores outside 0 to 1."""

    bronze_gold: Rows[BronzeGold] | None
    """noisy-judgements, section 8: scores by bronze judges, uncorrected and corrected, next to gold."""

    rates: Rows[SamplingRate] | None
    """inferred-ap: estimates from a share of the judgements, compared with MAP from all of them."""


class SampledDocument(Record):
    """One document of the pool."""

    topic: str
    """Its topic."""

    document: str
    """The document."""

    stratum: int
    """Its stratum, from 1."""

    rank: int
    """The best rank that a run gives it."""

    probability: float
    """The probability that it is drawn."""

    drawn: bool
    """Whether it is drawn."""

    why: str
    """Why it has this probability, in words; filled in when the answer is presented."""


class Stratum(Record):
    """A stratum."""

    stratum: int
    """Its number, from 1."""

    ranks: str
    """Its best ranks, as first-last."""

    documents: int
    """Documents in it."""

    drawn: int
    """Documents drawn."""


class SampleAnswer(Result):
    """A sample of the pool."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["sample"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    sample: Rows[SampledDocument]
    """Every document of the pool, drawn or not."""

    strata: Rows[Stratum]
    """The strata."""

    estimators: list[str]
    """Measures that estimate from the form of such a sample; their pages have the bias and coverage that were
    measured.
    """


class SettleDocument(Record):
    """A document to judge."""

    query_id: str
    """The query."""

    doc_id: str
    """The document."""

    probability: float
    """The probability that it was drawn with."""

    weight: float
    """What its label can change, as a share of all that unjudged documents can change, added up over measures,
    pairs and scores.
    """

    batch: int
    """The batch."""


class Planned(Record):
    """What is planned."""

    count: int | None
    """Documents to judge, in all; null if no number is enough."""

    power: float
    """The power that they are for."""

    difference: float
    """The difference that is to be found."""

    blocked_by_topics: bool
    """Whether the spread over topics alone prevents a decision, however much is judged."""

    count_range: list[int] | None
    """Fewest and most documents if the odds of relevance are half or twice what judged documents suggest; null
    where no number is enough.
    """

    detectable_difference: float
    """The smallest difference that can be found with this power if everything is judged."""

    documents: int
    """Unjudged documents that can change the difference."""


class SettleComparison(Record):
    """The plan of a measure and a pair."""

    measure: str
    """The measure."""

    a: str
    """The first run."""

    b: str
    """The second run."""

    expected_difference: float
    """The difference that judged documents lead one to expect, `a - b`."""

    count: int | None
    """Documents to judge, in all; null if no number is enough."""

    power: float
    """The power that they are for."""

    difference: float
    """The difference that is to be found."""

    blocked_by_topics: bool
    """Whether the spread over topics alone prevents a decision, however much is judged."""

    count_range: list[int] | None
    """Fewest and most documents if the odds of relevance are half or twice what judged documents suggest; null
    where no number is enough.
    """

    detectable_difference: float
    """The smallest difference that can be found with this power if everything is judged."""

    documents: int
    """Unjudged documents that can change the difference."""


class SettleAnswer(Result):
    """Documents to judge, and the plan."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["settle"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    documents: Rows[SettleDocument]
    """Documents to judge."""

    planned: Planned | None
    """The plan that needs most; null where only scores are estimated, which nothing is planned for."""

    comparisons: Rows[SettleComparison]
    """The plan of every measure and pair that is to be settled."""


class SimulateJudgesAnswer(Result):
    """Scores by bronze judges and corrected scores, over many simulated runs."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["simulate judges"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    truth: float
    """The true P@k."""

    naive_expected: float
    """Expected P@k by bronze judges (equation 3)."""

    naive_mean: float
    """Mean P@k by bronze judges."""

    naive_std_dev: float
    """Its standard deviation over runs."""

    corrected_mean: float
    """Mean corrected P@k."""

    corrected_std_dev: float
    """Its standard deviation over runs."""

    std_error_told: float
    """Mean standard error that the correction reports (equation 7)."""

    naive_coverage: float
    """Share of runs whose uncorrected interval holds the truth."""

    naive_coverage_std_error: float
    """Standard error of that share."""

    corrected_coverage: float
    """Share of runs whose corrected interval holds the truth."""

    corrected_coverage_std_error: float
    """Standard error of that share."""

    level: float
    """Level of the intervals."""

    runs: float
    """Simulated runs."""

    without: float
    """Runs without a corrected score; they count as not covered."""

    impossible: float
    """Corrected scores outside 0 to 1."""


class RankingCell(Record):
    """What the unjudged ranks add to RBP, averaged over the queries, for one q and w."""

    q: float
    """Probability that a document is relevant."""

    w: float
    """Weight of a non-relevant document in the urn; 1 is a random ranking."""

    mean: float
    """Simulated mean."""

    mean_exact: float | None
    """Exact mean; null where it would take too long."""

    mean_closed_form: float
    """Mean if every unjudged rank is relevant with probability q."""

    std_dev: float | None
    """Simulated standard deviation; null with one replication."""

    std_dev_exact: float | None
    """Exact standard deviation; null where it would take too long."""

    std_dev_closed_form: float
    """Standard deviation if every unjudged rank is relevant with probability q."""

    mean_std_error: float | None
    """Monte Carlo standard error of the simulated mean; null with one replication."""

    std_dev_std_error: float | None
    """Monte Carlo standard error of the simulated standard deviation; null with one replication."""

    interval_closed_form: list[float] | None
    """Interval if every unjudged rank is relevant with probability q."""

    interval_method: str | None
    """Method of the interval."""

    level: float
    """Level of the interval."""

    coverage_closed_form: float | None
    """Share of the simulated means inside the interval."""

    list_std_dev: float
    """Simulated standard deviation of one ranking."""

    list_std_dev_exact: float | None
    """Exact standard deviation of one ranking; null where it would take too long."""

    list_std_dev_closed_form: float
    """Standard deviation of one ranking if every unjudged rank is relevant with probability q."""


class HistogramBin(Record):
    """One bin of a histogram."""

    of: Literal["list", "mean"]
    """What is counted."""

    q: float
    """Probability that a document is relevant."""

    w: float
    """Weight of a non-relevant document in the urn."""

    low: float
    """Lower edge, inside the bin."""

    high: float
    """Upper edge, outside the bin except in the last one."""

    count: int
    """Values in the bin."""

    share: float
    """Their share of all values."""

    share_closed_form: float | None
    """The share if every unjudged rank is relevant with probability q."""


class SimulateRankingAnswer(Result):
    """What unjudged ranks add to RBP, for each w and q."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["simulate ranking"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    cells: Rows[RankingCell]
    """One row per q and w."""

    histogram: Rows[HistogramBin] | None
    """Histograms (--histogram)."""


class TunedRun(Record):
    """One run."""

    run: str
    """The run."""

    parameters: Rows[Parameter] | None
    """Its parameters, with a manifest."""

    dev_value: float | None
    """Mean on development topics."""

    dev_interval: list[float] | None
    """Its confidence interval."""

    chosen_share: float
    """Share of folds that choose it."""

    test_value: float | None
    """Mean on test topics, for runs that are shown."""

    test_interval: list[float] | None
    """Its confidence interval."""

    chosen: bool
    """Whether it is the chosen run."""

    baseline: bool
    """Whether it is the baseline."""


class Parameter(Record):
    """A parameter of a run."""

    name: str
    """Its name."""

    value: str
    """Its value."""


class TestComparison(Record):
    """The chosen run (a) compared with the baseline (b) on test topics."""

    a: str
    """The chosen run."""

    b: str
    """The baseline."""

    topics: int
    """Number of topics."""

    difference: float
    """a - b."""

    interval: list[float] | None
    """Its confidence interval."""

    bounds: list[float] | None
    """Its bounds over all judgements of the unjudged documents."""

    p: float | None
    """p of the randomisation test."""

    p_t: float | None
    """p of the t test."""

    wins: str
    """Topics that a wins, ties and loses, as won/tied/lost."""

    better: str
    """The better run, or "undecided"."""

    verdict: str
    """"a", "b" or "undecided"."""

    because: str
    """The reason for the verdict, in words."""


class FoldResult(Record):
    """The choice made without one fold."""

    fold: int
    """Number of the fold, from 1."""

    topics: int
    """Number of topics in the fold."""

    chosen: str
    """The run chosen on the other folds."""

    elsewhere: float
    """Its mean on the other folds."""

    here: float
    """Its mean on this fold."""

    baseline: float
    """The baseline's mean on this fold."""

    names: list[str]
    """The topics of the fold."""


class TuneAnswer(Result):
    """The chosen run on development and test topics."""

    schema: Literal["karat/2"]
    """Name of the contract; changes when a field changes its meaning."""

    command: Literal["tune"]
    """The command that made the answer."""

    version: str
    """The version of karat that made it."""

    provenance: Provenance
    """What the numbers were computed from."""

    measure: str
    """The measure to choose by."""

    chosen: str
    """The chosen run."""

    baseline: str
    """The baseline."""

    candidates: int
    """Number of runs to choose from."""

    dev_topics: int
    """Number of development topics."""

    dev_value: float
    """Mean of the chosen run on development topics."""

    dev_interval: list[float] | None
    """Its confidence interval, which ignores the choosing."""

    fresh_value: float
    """Estimated mean of such a choice on new topics."""

    fresh_interval: list[float] | None
    """Its approximate confidence interval."""

    optimism: float
    """Estimated optimism: `dev_value` - `fresh_value`."""

    optimism_std_error: float | None
    """Standard error of the optimism."""

    stability: float
    """Share of folds that choose the same run."""

    test_topics: int | None
    """Number of test topics."""

    test_value: float | None
    """Mean of the chosen run on test topics."""

    test_interval: list[float] | None
    """Its confidence interval."""

    fall: float | None
    """`dev_value` - `test_value`."""

    fall_std_error: float | None
    """Standard error of the fall."""

    lead_fall: float | None
    """Lead over the baseline on development topics less that on test topics."""

    lead_fall_std_error: float | None
    """Standard error of `lead_fall`."""

    opened_before: int | None
    """How often exactly these test topics were opened before."""

    runs: Rows[TunedRun]
    """All runs, best on development topics first."""

    comparison: Rows[TestComparison] | None
    """The chosen run compared with the baseline on test topics."""

    folds: Rows[FoldResult]
    """The folds of the first split."""
