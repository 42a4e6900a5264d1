"""A function for every command. Written by generate.py from the command line's definition; not to be edited."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from karat._call import run
from karat._result import Page, Result, Text

Path: TypeAlias = str | os.PathLike[str]
#: A path, a dict, a data frame (pandas, polars), an Arrow table, arrays, a list of rows.
Input: TypeAlias = Any


def several(given: tuple[Any, ...]) -> Any:
    """One argument may be a list or a mapping of several."""
    return given[0] if len(given) == 1 else list(given)


def demo(
    *,
    output: Path = "karat-demo",
    seed: int = 1,
    no_report: bool = False,
    **others: Any,
) -> Result:
    """What does karat do? Evaluates a small built-in collection whose truth is known

    Parameters:
        output: Folder for the demo's files; other files in it are left alone.
        seed: Seed of the collection; another seed, another collection.
        no_report: Leave out the HTML page.
    """
    return run(
        Result,
        "demo",
        {},
        {
            "output": output,
            "seed": seed,
            "no_report": no_report,
        },
        others,
    )


def evaluate(
    qrels: Input,
    runs: Input,
    measures: str | float | Iterable[str | float] | None = None,
    *,
    relevance_level: float = 1.0,
    depth: int | None = None,
    judged_only: bool = False,
    unjudged: str | float = "bounds",
    topics: Input | None = None,
    missing_topics: Literal["zero", "skip", "error"] = "zero",
    ties: Literal["docno", "file", "range"] = "docno",
    profile: Literal["9", "10"] = "10",
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "beir", "csv", "tsv",
        "json", "jsonl", "parquet"
    ] = "auto",
    run_format: Literal["auto", "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet"] = "auto",
    max_grade: float | None = None,
    documents: int | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    by_query: bool = False,
    level: float = 0.95,
    interval: Literal["t", "bca"] = "t",
    resamples: int = 10000,
    draws: int = 200,
    calibration: Input | None = None,
    gold: Input | None = None,
    bronze_weight: str | float = "tuned",
    score_bands: int | None = None,
    lengths: Input | None = None,
    seed: int = 1,
    figures: Path | bool | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """How good is each run, and how sure is that?

    Parameters:
        qrels: Judgements (their format, and gz, zst, bz2, xz, are told from content; `-` is standard input).
        runs: Runs (likewise).
        measures: Measures, comma-separated or repeated: AP, nDCG@10, 'P(rel=2)@5', 'RBP(p=0.8)'; trec_eval's and
            ranx's names too. A few common ones when not given; the answer names them.
        relevance_level: The least grade that is relevant, for binary measures that do not say (rel=...).
        depth: Look at the first N ranks only.
        judged_only: Take unjudged documents out of the ranking.
        unjudged: What to take unjudged documents for:
            - bounds: not relevant in the value; what they could do to it is in the bounds
            - nonrelevant: not relevant, and that is believed: no bounds
            - condensed: taken out of the ranking (as -J)
            - band: as likely relevant as judged documents of about the same rank
            - fit: as likely as the best of three models of the judged ranks has it
            - urn: as likely as Park's urn has it after the judged ranks of the list
            - q=0.1: relevant with this probability.
        topics: Only these topics: a comma-separated list, or a file with one a line.
        missing_topics: Judged topics that a run does not have: zero (Score the run there as if it had retrieved
            nothing); skip (Leave the topic out of that run's mean); error (Stop).
        ties: Order of documents with equal scores: docno (By docno, largest first, as trec_eval does); file (As
            they stand in the file); range (By docno, and what every other order would give: least, greatest,
            expected).
        profile: Compare scores as trec_eval 9 (float32) or 10 (float64): 9; 10.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (told from the content); trec (topic Q0 docno rank score tag); msmarco
            (topic docno rank); csv (a header (query_id,doc_id,score) and a row for each document); tsv (a header
            (query_id doc_id score) and a row for each document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (an object {query_id, doc_id, score} for each document); parquet
            (columns query_id, doc_id, score).
        max_grade: The largest grade a document can have; the largest in the qrels when not given.
        documents: Documents in the collection (needed by Accuracy).
        memory: Memory for rows that must be held (500M, 2G): those of runs not grouped by topic, and of formats
            read whole. Beyond it they go to temporary files (TMPDIR). No limit when not given; runs grouped by
            topic need none.
        threads: Threads; all cores when not given. They do not change the answer.
        by_query: List every query too.
        level: Confidence level of intervals.
        interval: How intervals over the topics are made: t (Student's t); bca (Bias-corrected and accelerated
            bootstrap over topics).
        resamples: Resamples of the bootstrap; more make its ends steadier from seed to seed.
        draws: Draws of judgements for measures without a closed form: of unjudged documents (unjudged q=0.1, band,
            fit, urn), or of what gold would have said (calibration).
        calibration: Correct measures for the judges' errors, as karat judges calibrate -o FILE found them: P, RBP,
            DCG and CG in closed form, others by draws.
        gold: Gold judgements of some of the queries, a random sample: every measure is moved by what bronze (QRELS)
            is off there.
        bronze_weight: With gold: how much bronze scores count, from 0 (gold's queries alone) to 1, or `tuned` to
            the least variance.
        score_bands: Do scores say how likely a document is relevant? Predicted and observed relevance in so many
            bands of score, and log loss.
        lengths: With score_bands: a document and its length on each line, for the same by length.
        seed: Seed of everything random (the bootstrap, draws of unjudged documents).
        figures: Draw it too: every figure as SVG and as PNG into this folder, which is made where there is none.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.

    Example:
        >>> qrels = {"q1": {"d1": 1, "d2": 0, "d3": 1}, "q2": {"d1": 0, "d4": 1}}
        >>> run = {"q1": {"d1": 3.0, "d2": 2.0, "d9": 1.0}, "q2": {"d4": 9.5, "d1": 4.0}}
        >>> result = karat.evaluate(qrels, run, ["AP", "P@2"])
        >>> [(row.measure, row.value) for row in result.scores]
        [('AP', 0.75), ('P@2', 0.5)]
    """
    return run(
        Result,
        "eval",
        {"qrels": qrels, "runs": runs},
        {
            "measures": measures,
            "relevance_level": relevance_level,
            "depth": depth,
            "judged_only": judged_only,
            "unjudged": unjudged,
            "topics": topics,
            "missing_topics": missing_topics,
            "ties": ties,
            "profile": profile,
            "qrels_format": qrels_format,
            "run_format": run_format,
            "max_grade": max_grade,
            "documents": documents,
            "memory": memory,
            "threads": threads,
            "by_query": by_query,
            "level": level,
            "interval": interval,
            "resamples": resamples,
            "draws": draws,
            "calibration": calibration,
            "gold": gold,
            "bronze_weight": bronze_weight,
            "score_bands": score_bands,
            "lengths": lengths,
            "seed": seed,
            "figures": figures,
            "format": format,
            "output": output,
        },
        others,
    )


def compare(
    qrels: Input,
    *runs: Input,
    measures: str | float | Iterable[str | float] | None = None,
    relevance_level: float = 1.0,
    depth: int | None = None,
    judged_only: bool = False,
    unjudged: str | float = "bounds",
    topics: Input | None = None,
    missing_topics: Literal["zero", "skip", "error"] = "zero",
    ties: Literal["docno", "file", "range"] = "docno",
    profile: Literal["9", "10"] = "10",
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "beir", "csv", "tsv",
        "json", "jsonl", "parquet"
    ] = "auto",
    run_format: Literal["auto", "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet"] = "auto",
    max_grade: float | None = None,
    documents: int | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    baseline: str | float | None = None,
    all_pairs: bool = False,
    test: Literal["t", "randomization", "bootstrap_shift", "bootstrap_t", "wilcoxon", "sign", "bayes"] | Iterable[Literal[
        "t", "randomization", "bootstrap_shift", "bootstrap_t", "wilcoxon", "sign", "bayes"]
    ] | None = None,
    correction: Literal["holm", "bonferroni", "benjamini_hochberg", "none", "tukey"] | None = None,
    permutations: int = 100000,
    rope: float = 0.01,
    tie: float = 0.0,
    level: float = 0.95,
    interval: Literal["t", "bca"] = "t",
    resamples: int = 10000,
    power: float = 0.8,
    strict: bool = False,
    gate: Literal["better", "not-worse", "decided"] | None = None,
    calibration: Input | None = None,
    draws: int = 200,
    by_query: bool = False,
    sensitivity: bool = False,
    other_qrels: Input | None = None,
    seed: int = 1,
    figures: Path | bool | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """Which run is better, and does that survive queries, unjudged documents and judges?

    Parameters:
        qrels: Judgements (their format, and gz, zst, bz2, xz, are told from content; `-` is standard input).
        runs: Two runs or more (likewise); the first is the baseline unless baseline says otherwise.
        measures: Measures, comma-separated or repeated: AP, nDCG@10, 'P(rel=2)@5', 'RBP(p=0.8)'; trec_eval's and
            ranx's names too. A few common ones when not given; the answer names them.
        relevance_level: The least grade that is relevant, for binary measures that do not say (rel=...).
        depth: Look at the first N ranks only.
        judged_only: Take unjudged documents out of the ranking.
        unjudged: What to take unjudged documents for:
            - bounds: not relevant in the value; what they could do to it is in the bounds
            - nonrelevant: not relevant, and that is believed: no bounds
            - condensed: taken out of the ranking (as -J)
            - band: as likely relevant as judged documents of about the same rank
            - fit: as likely as the best of three models of the judged ranks has it
            - urn: as likely as Park's urn has it after the judged ranks of the list
            - q=0.1: relevant with this probability.
        topics: Only these topics: a comma-separated list, or a file with one a line.
        missing_topics: Judged topics that a run does not have: zero (Score the run there as if it had retrieved
            nothing); skip (Leave the topic out of that run's mean); error (Stop).
        ties: Order of documents with equal scores: docno (By docno, largest first, as trec_eval does); file (As
            they stand in the file); range (By docno, and what every other order would give: least, greatest,
            expected).
        profile: Compare scores as trec_eval 9 (float32) or 10 (float64): 9; 10.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (told from the content); trec (topic Q0 docno rank score tag); msmarco
            (topic docno rank); csv (a header (query_id,doc_id,score) and a row for each document); tsv (a header
            (query_id doc_id score) and a row for each document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (an object {query_id, doc_id, score} for each document); parquet
            (columns query_id, doc_id, score).
        max_grade: The largest grade a document can have; the largest in the qrels when not given.
        documents: Documents in the collection (needed by Accuracy).
        memory: Memory for rows that must be held (500M, 2G): those of runs not grouped by topic, and of formats
            read whole. Beyond it they go to temporary files (TMPDIR). No limit when not given; runs grouped by
            topic need none.
        threads: Threads; all cores when not given. They do not change the answer.
        baseline: The run that the others are compared with, by name.
        all_pairs: Compare every pair, not only each run with the baseline.
        test: Tests, comma-separated (karat explain TEST); the randomisation test is always among them, because
            verdicts rest on it: t; randomization; bootstrap_shift; bootstrap_t; wilcoxon; sign; bayes
            (t,randomization when not given).
        correction: Correction of p for the number of pairs, measure by measure; holm when not given, tukey with
            all_pairs: holm; bonferroni; benjamini_hochberg; none; tukey.
        permutations: Random draws of tests by resampling.
        rope: Half the width of the region of practical equivalence, for test bayes.
        tie: Differences up to this size are ties, for test sign.
        level: Confidence level; a verdict needs an adjusted p below 1 - level.
        interval: How the interval over topics is made: t (Student's t); bca (Bias-corrected and accelerated
            bootstrap over topics).
        resamples: Resamples of the bootstrap interval.
        power: The power that detectable differences and topics needed are for.
        strict: Give a verdict only where no way of judging the unjudged documents could turn it.
        gate: Exit with status 1 unless, for every pair with the baseline and every measure, this holds: better
            (Every other run is better than the baseline); not-worse (No other run is worse than the baseline);
            decided (Every comparison has a verdict).
        calibration: Correct linear measures (P, RBP, DCG, CG) for the judges' errors, as karat judges calibrate -o
            FILE found them.
        draws: Draws of the unjudged documents' judgements.
        by_query: List every query too, and how hard it is for the runs together.
        sensitivity: Make the comparison anew for other values of p, cut-off, gains, relevance threshold, ties and
            missing topics, one at a time: does the winner change?.
        other_qrels: Other judgements of the same topics, such as another judge's: do they put at least three runs
            into the same order?.
        seed: Seed of everything random.
        figures: Draw it too: every figure as SVG and as PNG into this folder, which is made where there is none.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.

    Example:
        >>> qrels = {f"q{n}": {"d1": 1, "d2": 0} for n in range(8)}
        >>> good = {topic: {"d1": 2.0, "d2": 1.0} for topic in qrels}
        >>> bad = {topic: {"d1": 1.0, "d2": 2.0} for topic in qrels}
        >>> result = karat.compare(qrels, {"good": good, "bad": bad}, measures="RR")
        >>> first = result.comparisons[0]
        >>> first.a, first.b, first.difference, first.verdict
        ('good', 'bad', 0.5, 'a')
    """
    return run(
        Result,
        "compare",
        {"qrels": qrels, "runs": several(runs)},
        {
            "measures": measures,
            "relevance_level": relevance_level,
            "depth": depth,
            "judged_only": judged_only,
            "unjudged": unjudged,
            "topics": topics,
            "missing_topics": missing_topics,
            "ties": ties,
            "profile": profile,
            "qrels_format": qrels_format,
            "run_format": run_format,
            "max_grade": max_grade,
            "documents": documents,
            "memory": memory,
            "threads": threads,
            "baseline": baseline,
            "all_pairs": all_pairs,
            "test": test,
            "correction": correction,
            "permutations": permutations,
            "rope": rope,
            "tie": tie,
            "level": level,
            "interval": interval,
            "resamples": resamples,
            "power": power,
            "strict": strict,
            "gate": gate,
            "calibration": calibration,
            "draws": draws,
            "by_query": by_query,
            "sensitivity": sensitivity,
            "other_qrels": other_qrels,
            "seed": seed,
            "figures": figures,
            "format": format,
            "output": output,
        },
        others,
    )


def budget(
    qrels: Input,
    *runs: Input,
    measures: str | float | Iterable[str | float] | None = None,
    relevance_level: float = 1.0,
    depth: int | None = None,
    judged_only: bool = False,
    unjudged: str | float = "bounds",
    topics: Input | None = None,
    missing_topics: Literal["zero", "skip", "error"] = "zero",
    ties: Literal["docno", "file", "range"] = "docno",
    profile: Literal["9", "10"] = "10",
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "beir", "csv", "tsv",
        "json", "jsonl", "parquet"
    ] = "auto",
    run_format: Literal["auto", "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet"] = "auto",
    max_grade: float | None = None,
    documents: int | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    calibration: Input | None = None,
    target_width: float | None = None,
    price: str | float = "judgement=1,gold=1",
    level: float = 0.95,
    draws: int = 200,
    seed: int = 1,
    figures: Path | bool | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """Where does the uncertainty come from, and what is the cheapest way to shrink it?

    Parameters:
        qrels: Judgements (their format, and gz, zst, bz2, xz, are told from content; `-` is standard input).
        runs: A run, or two for the budget of their difference (likewise).
        measures: Measures, comma-separated or repeated: AP, nDCG@10, 'P(rel=2)@5', 'RBP(p=0.8)'; trec_eval's and
            ranx's names too. A few common ones when not given; the answer names them.
        relevance_level: The least grade that is relevant, for binary measures that do not say (rel=...).
        depth: Look at the first N ranks only.
        judged_only: Take unjudged documents out of the ranking.
        unjudged: What to take unjudged documents for:
            - bounds: not relevant in the value; what they could do to it is in the bounds
            - nonrelevant: not relevant, and that is believed: no bounds
            - condensed: taken out of the ranking (as -J)
            - band: as likely relevant as judged documents of about the same rank
            - fit: as likely as the best of three models of the judged ranks has it
            - urn: as likely as Park's urn has it after the judged ranks of the list
            - q=0.1: relevant with this probability.
        topics: Only these topics: a comma-separated list, or a file with one a line.
        missing_topics: Judged topics that a run does not have: zero (Score the run there as if it had retrieved
            nothing); skip (Leave the topic out of that run's mean); error (Stop).
        ties: Order of documents with equal scores: docno (By docno, largest first, as trec_eval does); file (As
            they stand in the file); range (By docno, and what every other order would give: least, greatest,
            expected).
        profile: Compare scores as trec_eval 9 (float32) or 10 (float64): 9; 10.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (told from the content); trec (topic Q0 docno rank score tag); msmarco
            (topic docno rank); csv (a header (query_id,doc_id,score) and a row for each document); tsv (a header
            (query_id doc_id score) and a row for each document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (an object {query_id, doc_id, score} for each document); parquet
            (columns query_id, doc_id, score).
        max_grade: The largest grade a document can have; the largest in the qrels when not given.
        documents: Documents in the collection (needed by Accuracy).
        memory: Memory for rows that must be held (500M, 2G): those of runs not grouped by topic, and of formats
            read whole. Beyond it they go to temporary files (TMPDIR). No limit when not given; runs grouped by
            topic need none.
        threads: Threads; all cores when not given. They do not change the answer.
        calibration: Correct linear measures (P, RBP, DCG, CG) for the judges' errors, as karat judges calibrate -o
            FILE found them.
        target_width: How wide the interval may be, from end to end: asks for the cheapest way there.
        price: Prices, such as topic=30,judgement=1,gold=5; `none` for what is not to be had. A judgement and a gold
            label cost 1, a topic what judging it as deep as the present ones costs, when not given.
        level: Confidence level.
        draws: Draws of the unjudged documents' judgements, for measures without a closed form.
        seed: Seed of everything random.
        figures: Draw it too: every figure as SVG and as PNG into this folder, which is made where there is none.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "budget",
        {"qrels": qrels, "runs": several(runs)},
        {
            "measures": measures,
            "relevance_level": relevance_level,
            "depth": depth,
            "judged_only": judged_only,
            "unjudged": unjudged,
            "topics": topics,
            "missing_topics": missing_topics,
            "ties": ties,
            "profile": profile,
            "qrels_format": qrels_format,
            "run_format": run_format,
            "max_grade": max_grade,
            "documents": documents,
            "memory": memory,
            "threads": threads,
            "calibration": calibration,
            "target_width": target_width,
            "price": price,
            "level": level,
            "draws": draws,
            "seed": seed,
            "figures": figures,
            "format": format,
            "output": output,
        },
        others,
    )


def report(
    qrels: Input,
    *runs: Input,
    measures: str | float | Iterable[str | float] | None = None,
    relevance_level: float = 1.0,
    depth: int | None = None,
    judged_only: bool = False,
    unjudged: str | float = "bounds",
    topics: Input | None = None,
    missing_topics: Literal["zero", "skip", "error"] = "zero",
    ties: Literal["docno", "file", "range"] = "docno",
    profile: Literal["9", "10"] = "10",
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "beir", "csv", "tsv",
        "json", "jsonl", "parquet"
    ] = "auto",
    run_format: Literal["auto", "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet"] = "auto",
    max_grade: float | None = None,
    documents: int | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    output: Path | None = None,
    baseline: str | float | None = None,
    level: float = 0.95,
    rankings_depth: int = 100,
    queries: Input | None = None,
    docs: Input | None = None,
    calibration: Input | None = None,
    labels: Input | None = None,
    labels_format: Literal[
        "label-studio", "quepid-book", "opensearch", "umbrela", "doccano", "quepid-book-csv", "records",
        "trec"
    ] | None = None,
    words: str | float | None = None,
    judge: str | float | Iterable[str | float] | None = None,
    repeats: Literal["refuse", "first", "last"] = "refuse",
    scale: str | float | None = None,
    binary: float | None = None,
    published: Input | None = None,
    draws: int = 200,
    seed: int = 1,
    figures: Path | bool | None = None,
    **others: Any,
) -> Page:
    """Everything above that applies, on one page for a browser

    Parameters:
        qrels: Judgements (their format, and gz, zst, bz2, xz, are told from content; `-` is standard input).
        runs: Runs (likewise).
        measures: Measures, comma-separated or repeated: AP, nDCG@10, 'P(rel=2)@5', 'RBP(p=0.8)'; trec_eval's and
            ranx's names too. A few common ones when not given; the answer names them.
        relevance_level: The least grade that is relevant, for binary measures that do not say (rel=...).
        depth: Look at the first N ranks only.
        judged_only: Take unjudged documents out of the ranking.
        unjudged: What to take unjudged documents for:
            - bounds: not relevant in the value; what they could do to it is in the bounds
            - nonrelevant: not relevant, and that is believed: no bounds
            - condensed: taken out of the ranking (as -J)
            - band: as likely relevant as judged documents of about the same rank
            - fit: as likely as the best of three models of the judged ranks has it
            - urn: as likely as Park's urn has it after the judged ranks of the list
            - q=0.1: relevant with this probability.
        topics: Only these topics: a comma-separated list, or a file with one a line.
        missing_topics: Judged topics that a run does not have: zero (Score the run there as if it had retrieved
            nothing); skip (Leave the topic out of that run's mean); error (Stop).
        ties: Order of documents with equal scores: docno (By docno, largest first, as trec_eval does); file (As
            they stand in the file); range (By docno, and what every other order would give: least, greatest,
            expected).
        profile: Compare scores as trec_eval 9 (float32) or 10 (float64): 9; 10.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (told from the content); trec (topic Q0 docno rank score tag); msmarco
            (topic docno rank); csv (a header (query_id,doc_id,score) and a row for each document); tsv (a header
            (query_id doc_id score) and a row for each document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (an object {query_id, doc_id, score} for each document); parquet
            (columns query_id, doc_id, score).
        max_grade: The largest grade a document can have; the largest in the qrels when not given.
        documents: Documents in the collection (needed by Accuracy).
        memory: Memory for rows that must be held (500M, 2G): those of runs not grouped by topic, and of formats
            read whole. Beyond it they go to temporary files (TMPDIR). No limit when not given; runs grouped by
            topic need none.
        threads: Threads; all cores when not given. They do not change the answer.
        output: The page (whole or not at all).
        baseline: The run that the others are compared with, by name.
        level: Confidence level.
        rankings_depth: Ranks of each ranking that the page carries.
        queries: Topics' texts: TREC's SGML (`<top>`), lines of name, tab and text, or JSON objects.
        docs: Documents' texts: JSON objects with a name (docno, _id, id, ...) and title, text, contents.
        calibration: Correct measures for the judges' errors, as karat judges calibrate -o FILE found them.
        labels: Labels of several judges: their agreement is shown (repeatable).
        labels_format: Format of the labels; told from their content when not given: label-studio; quepid-book;
            opensearch; umbrela; doccano; quepid-book-csv; records; trec.
        words: Which grade, or state, a word is, such as 'Relevant=1,Not relevant=0,Broken link=cannot'.
        judge: Keep the labels of this judge only (repeatable); gold's are all kept.
        repeats: What to do where a judge labelled a document twice: refuse (Say so, and stop); first (Keep the
            first); last (Keep the last).
        scale: The grades of the scale, ascending, such as 0,1,2,3 or -100..100 (whole numbers); 0 to the largest
            grade given when not said.
        binary: Count grades from this one on as 1 and others as 0.
        published: Published RBP scores (system, p, score, residual): what they say at another p.
        draws: Draws of the unjudged documents' judgements.
        seed: Seed of everything random.
        figures: Draw it too: every figure as SVG and as PNG into this folder, which is made where there is none.
    """
    return run(
        Page,
        "report",
        {"qrels": qrels, "runs": several(runs)},
        {
            "measures": measures,
            "relevance_level": relevance_level,
            "depth": depth,
            "judged_only": judged_only,
            "unjudged": unjudged,
            "topics": topics,
            "missing_topics": missing_topics,
            "ties": ties,
            "profile": profile,
            "qrels_format": qrels_format,
            "run_format": run_format,
            "max_grade": max_grade,
            "documents": documents,
            "memory": memory,
            "threads": threads,
            "output": output,
            "baseline": baseline,
            "level": level,
            "rankings_depth": rankings_depth,
            "queries": queries,
            "docs": docs,
            "calibration": calibration,
            "labels": labels,
            "labels_format": labels_format,
            "words": words,
            "judge": judge,
            "repeats": repeats,
            "scale": scale,
            "binary": binary,
            "published": published,
            "draws": draws,
            "seed": seed,
            "figures": figures,
        },
        others,
    )


def check(
    *files: Input,
    limit: int = 1000,
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "beir", "csv", "tsv",
        "json", "jsonl", "parquet"
    ] = "auto",
    run_format: Literal["auto", "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet"] = "auto",
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """What is wrong with these files?

    Parameters:
        files: Judgements, runs and labels of judges in any order; which is which, and in what format, is told from
            the content.
        limit: List at most N errors of each file.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (told from the content); trec (topic Q0 docno rank score tag); msmarco
            (topic docno rank); csv (a header (query_id,doc_id,score) and a row for each document); tsv (a header
            (query_id doc_id score) and a row for each document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (an object {query_id, doc_id, score} for each document); parquet
            (columns query_id, doc_id, score).
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "check",
        {"files": several(files)},
        {
            "limit": limit,
            "qrels_format": qrels_format,
            "run_format": run_format,
            "format": format,
            "output": output,
        },
        others,
    )


def convert(
    input: Input,
    out: Path | None = None,
    *,
    output: Path | None = None,
    to: Literal[
        "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet", "sampled", "prels", "diversity",
        "trec-jg", "trec-prefs", "beir", "quepid"
    ] | None = None,
    from_: Literal[
        "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet", "diversity", "sampled", "prels",
        "trec-prefs", "trec-jg", "beir", "label-studio", "quepid-book", "opensearch", "umbrela", "doccano",
        "quepid-book-csv", "records"
    ] | None = None,
    kind: Literal["run", "qrels", "labels"] | None = None,
    words: str | float | None = None,
    tag: str | float | None = None,
    lossy: bool = False,
    **others: Any,
) -> Text:
    """The same data in another format

    Parameters:
        input: A run or judgements (format and compression are told from content; `-` is standard input).
        out: Where to write (whole or not at all); standard output when not given. An ending .gz or .zst compresses.
        output: The same as OUT.
        to: Format to write; told from OUT's ending when not given.
        from_: Format of IN.
        kind: What IN holds, where its content leaves it open: run (Retrieved documents); qrels (Judgements); labels
            (Labels of several judges, one row each with the judge's name).
        words: Of labels: which grade, or state, a word is, such as 'Relevant=1,Not relevant=0,Broken link=cannot'.
        tag: The run's tag, where the format needs one and IN has none; IN's name when not given.
        lossy: Write it even if something is lost, and say what.
    """
    return run(
        Text,
        "convert",
        {"input": input, "out": out},
        {
            "output": output,
            "to": to,
            "from_": from_,
            "kind": kind,
            "words": words,
            "tag": tag,
            "lossy": lossy,
        },
        others,
    )


def simulate_ranking(
    *,
    documents: int = 100,
    q: float | Iterable[float] | None = None,
    relevant: int | Iterable[int] | None = None,
    w: float | Iterable[float] | None = None,
    p: float = 0.8,
    judged: int = 10,
    queries: int = 50,
    replications: int = 10000,
    histogram: int | None = None,
    level: float = 0.95,
    seed: int = 1,
    threads: int | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """What do unjudged documents hide from RBP? Rankings drawn from an urn (Park 2016)

    Parameters:
        documents: Documents of a ranking (N).
        q: Chances that a document is relevant, comma-separated or repeated (0.05, 0.1, 0.2, 0.3, 0.5 when not
            given).
        relevant: So many relevant documents in every ranking, instead of q.
        w: Weights of a document that is not relevant, comma-separated or repeated: 1 is a random ranking, the
            smaller the better (0.05, 0.1, 0.2, 0.5, 0.7, 1 when not given).
        p: Persistence of RBP's user.
        judged: Ranks that are judged, from the first.
        queries: Queries in a mean.
        replications: Means drawn for each w and q.
        histogram: Also give histograms with so many bins.
        level: Level of the interval under constant q.
        seed: Seed of the rankings.
        threads: Threads; all cores when not given. They do not change the answer.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "simulate ranking",
        {},
        {
            "documents": documents,
            "q": q,
            "relevant": relevant,
            "w": w,
            "p": p,
            "judged": judged,
            "queries": queries,
            "replications": replications,
            "histogram": histogram,
            "level": level,
            "seed": seed,
            "threads": threads,
            "format": format,
            "output": output,
        },
        others,
    )


def simulate_judges(
    *,
    truth: float | Iterable[float] | None = None,
    relevant: float = 0.9,
    nonrelevant: float = 0.8,
    relevant_pairs: int = 250,
    nonrelevant_pairs: int = 250,
    queries: int = 50,
    runs: int = 10000,
    level: float = 0.95,
    seed: int = 1,
    threads: int | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """What do judges' errors do to P@k, and does the correction repair it?

    Parameters:
        truth: Chance that the document at each rank is relevant, comma-separated; the paper's .49, .47, ..., .31
            when not given.
        relevant: m_R: chance that bronze calls a relevant document relevant.
        nonrelevant: m_N: chance that bronze calls another document non-relevant.
        relevant_pairs: n_R: relevant pairs of the calibration.
        nonrelevant_pairs: n_N: non-relevant pairs of the calibration.
        queries: Queries of a run.
        runs: Runs.
        level: Level of the intervals.
        seed: Seed.
        threads: Threads; all cores when not given. They do not change the answer.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "simulate judges",
        {},
        {
            "truth": truth,
            "relevant": relevant,
            "nonrelevant": nonrelevant,
            "relevant_pairs": relevant_pairs,
            "nonrelevant_pairs": nonrelevant_pairs,
            "queries": queries,
            "runs": runs,
            "level": level,
            "seed": seed,
            "threads": threads,
            "format": format,
            "output": output,
        },
        others,
    )


def pool(
    *runs: Input,
    depth: int = 10,
    qrels: Input | None = None,
    form: Path | None = None,
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "beir", "csv", "tsv",
        "json", "jsonl", "parquet"
    ] = "auto",
    run_format: Literal["auto", "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet"] = "auto",
    threads: int | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """Which documents to judge: the first k of every run, and who brought them

    Parameters:
        runs: Runs (their format, and gz, zst, bz2, xz, are told from content; `-` is standard input).
        depth: Ranks of each run that are pooled, from the first.
        qrels: Judgements made already: what is left to judge is told apart.
        form: Also write a judgement file for the judges to complete (gz, zst by its ending); `karat eval` reads it.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (told from the content); trec (topic Q0 docno rank score tag); msmarco
            (topic docno rank); csv (a header (query_id,doc_id,score) and a row for each document); tsv (a header
            (query_id doc_id score) and a row for each document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (an object {query_id, doc_id, score} for each document); parquet
            (columns query_id, doc_id, score).
        threads: Threads; all cores when not given. They do not change the answer.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "pool",
        {"runs": several(runs)},
        {
            "depth": depth,
            "qrels": qrels,
            "form": form,
            "qrels_format": qrels_format,
            "run_format": run_format,
            "threads": threads,
            "format": format,
            "output": output,
        },
        others,
    )


def sample(
    *runs: Input,
    design: Literal["uniform", "strata", "weighted"] = "uniform",
    rate: float = 0.2,
    strata: str | float | Iterable[str | float] | None = None,
    measure: str | float = "RBP(p=0.8)",
    depth: int | None = None,
    qrels: Input | None = None,
    judged_only: bool = False,
    until_relevant: bool = False,
    relevance_level: float = 1.0,
    form_format: Literal["trec", "sampled", "prels"] | None = None,
    seed: int = 1,
    form: Path | None = None,
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "beir", "csv", "tsv",
        "json", "jsonl", "parquet"
    ] = "auto",
    run_format: Literal["auto", "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet"] = "auto",
    threads: int | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """Which documents to judge: a sample of the pool, with the probability of each

    Parameters:
        runs: Runs (their format, and gz, zst, bz2, xz, are told from content; `-` is standard input).
        design: How documents are drawn: uniform (Every document of a topic's pool is as likely as any other);
            strata (By best rank, each stratum with a share of its own (--strata)); weighted (The more likely the
            more weight the measure gives the document, summed over runs (-m)).
        rate: Share of each topic's pool that is drawn, above 0 and at most 1 (uniform, weighted).
        strata: Strata by best rank, each with the share drawn: 10:1,50:0.2,100:0.1 (strata).
        measure: The measure whose weights are the chances (weighted).
        depth: Ranks of each run that are sampled from; with strata, the deepest of them.
        qrels: Judgements known already: the form gets their grades (a simulation of judging only the sample).
        judged_only: Sample from the judged documents only: what would judging less have said?.
        until_relevant: Draw a topic again until a relevant document is in its sample, as Yilmaz and Aslam (2006)
            did; biases estimates.
        relevance_level: The least grade that is relevant.
        form_format: Format of the form: trec, sampled (five columns) or prels; prels for weighted samples, else
            sampled: trec; sampled; prels.
        seed: Seed of the draws.
        form: Also write a judgement file for the judges to complete (gz, zst by its ending); `karat eval` reads it.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (told from the content); trec (topic Q0 docno rank score tag); msmarco
            (topic docno rank); csv (a header (query_id,doc_id,score) and a row for each document); tsv (a header
            (query_id doc_id score) and a row for each document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (an object {query_id, doc_id, score} for each document); parquet
            (columns query_id, doc_id, score).
        threads: Threads; all cores when not given. They do not change the answer.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "sample",
        {"runs": several(runs)},
        {
            "design": design,
            "rate": rate,
            "strata": strata,
            "measure": measure,
            "depth": depth,
            "qrels": qrels,
            "judged_only": judged_only,
            "until_relevant": until_relevant,
            "relevance_level": relevance_level,
            "form_format": form_format,
            "seed": seed,
            "form": form,
            "qrels_format": qrels_format,
            "run_format": run_format,
            "threads": threads,
            "format": format,
            "output": output,
        },
        others,
    )


def next(
    qrels: Input,
    *runs: Input,
    measure: str | float = "RBP(p=0.8)",
    strategy: Literal["A", "B", "C", "variance"] = "variance",
    about: Literal["scores", "differences", "top"] = "scores",
    q: float | None = None,
    count: int | None = None,
    target: float | None = None,
    replay: bool = False,
    repetitions: int = 20,
    tau: float = 0.9,
    relevance_level: float = 1.0,
    depth: int | None = None,
    topics: Input | None = None,
    max_grade: float | None = None,
    seed: int = 1,
    figure: Path | None = None,
    figures: Path | bool | None = None,
    form: Path | None = None,
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "beir", "csv", "tsv",
        "json", "jsonl", "parquet"
    ] = "auto",
    run_format: Literal["auto", "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet"] = "auto",
    threads: int | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """Which documents to judge next: those that shrink the uncertainty most

    Parameters:
        qrels: Judgements so far (their format, and gz, zst, bz2, xz, are told from content; `-` is standard input).
        runs: Runs (likewise).
        measure: The measure, one linear in gain: RBP, P@k, DCG, CG, SDCG, INSQ.
        strategy: How documents are put in order: A (The weight that runs give the document); B (That times the
            run's residual); C (That times how good the run can still turn out, cubed); variance (The variance that
            the judgement takes away).
        about: Whose uncertainty is to shrink: scores (Every run's score); differences (The difference of every two
            runs); top (The difference of the two runs that are probably the best).
        q: The chance that an unjudged document is relevant; told from the judged ones when not given.
        count: So many documents at most; 20 when there is no target.
        target: As many documents as it takes until no more than this is open.
        replay: Take the judgements away, and see how many of them each strategy needs.
        repetitions: Repetitions of the random order (replay).
        tau: Kendall's tau with the full order that is enough (replay).
        relevance_level: The least grade that is relevant.
        depth: Look at the first N ranks only.
        topics: Only these topics: a comma-separated list, or a file with one a line.
        max_grade: The largest grade a document can have; the largest in the qrels when not given.
        seed: Seed of the random order (replay).
        figure: Draw it too, as SVG, into this file.
        figures: Draw it too: every figure as SVG and as PNG into this folder, which is made where there is none.
        form: Also write a judgement file for the judges to complete (gz, zst by its ending); `karat eval` reads it.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (told from the content); trec (topic Q0 docno rank score tag); msmarco
            (topic docno rank); csv (a header (query_id,doc_id,score) and a row for each document); tsv (a header
            (query_id doc_id score) and a row for each document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (an object {query_id, doc_id, score} for each document); parquet
            (columns query_id, doc_id, score).
        threads: Threads; all cores when not given. They do not change the answer.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "next",
        {"qrels": qrels, "runs": several(runs)},
        {
            "measure": measure,
            "strategy": strategy,
            "about": about,
            "q": q,
            "count": count,
            "target": target,
            "replay": replay,
            "repetitions": repetitions,
            "tau": tau,
            "relevance_level": relevance_level,
            "depth": depth,
            "topics": topics,
            "max_grade": max_grade,
            "seed": seed,
            "figure": figure,
            "figures": figures,
            "form": form,
            "qrels_format": qrels_format,
            "run_format": run_format,
            "threads": threads,
            "format": format,
            "output": output,
        },
        others,
    )


def published_depth(
    *,
    p: str | float,
    precision: str | float = "1e-4",
    figure: Path | None = None,
    figures: Path | bool | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """How many ranks count at a p and a precision?

    Parameters:
        p: Persistence of RBP's user; a list for a table.
        precision: Precision; a list for a table.
        figure: Draw it too, as SVG, into this file.
        figures: Draw it too: every figure as SVG and as PNG into this folder, which is made where there is none.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.

    Example:
        >>> karat.published.depth(p=0.8, precision=1e-4).depth
        45
    """
    return run(
        Result,
        "published depth",
        {},
        {
            "p": p,
            "precision": precision,
            "figure": figure,
            "figures": figures,
            "format": format,
            "output": output,
        },
        others,
    )


def published_vectors(
    *,
    p: str | float,
    score: str | float,
    residual: str | float | None = None,
    precision: str | float | None = None,
    all: bool = False,
    limit: int = 1000,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """Which rankings can a printed score come from?

    Parameters:
        p: Persistence of RBP's user.
        score: The printed score, with all its digits.
        residual: The printed residual: what unjudged documents could still add.
        precision: Precision of score and residual, instead of their digits.
        all: List all rankings, and say how many there are.
        limit: List at most so many.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "published vectors",
        {},
        {
            "p": p,
            "score": score,
            "residual": residual,
            "precision": precision,
            "all": all,
            "limit": limit,
            "format": format,
            "output": output,
        },
        others,
    )


def published_range(
    *,
    p: str | float,
    score: str | float,
    at: str | float | None = None,
    residual: str | float | None = None,
    precision: str | float | None = None,
    mean: bool = False,
    figure: Path | None = None,
    figures: Path | bool | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """What might the score be at another p?

    Parameters:
        p: Persistence of RBP's user; a list for a grid.
        score: The printed score, with all its digits; a list for a grid.
        at: The other p: a number, a list (0.5,0.8) or a sweep (0.1:0.9:0.1).
        residual: The printed residual: what unjudged documents could still add.
        precision: Precision of score and residual, instead of their digits.
        mean: The scores are means over topics: only the graded range is given.
        figure: Draw it too, as SVG, into this file.
        figures: Draw it too: every figure as SVG and as PNG into this folder, which is made where there is none.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "published range",
        {},
        {
            "p": p,
            "score": score,
            "at": at,
            "residual": residual,
            "precision": precision,
            "mean": mean,
            "figure": figure,
            "figures": figures,
            "format": format,
            "output": output,
        },
        others,
    )


def published_compare(
    file: Input | None = None,
    *,
    a: str | float | None = None,
    b: str | float | None = None,
    at: str | float | None = None,
    precision: str | float | None = None,
    single_topic: bool = False,
    figure: Path | None = None,
    figures: Path | bool | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """Which of the systems scores higher, where that can be told?

    Parameters:
        file: A table of published scores: system, p, score, and residual and digits where there are any.
        a: A published score: p=0.8,score=0.42 (then also ,residual=0.01 and ,name=bm25).
        b: Another.
        at: Compare at this p, or these (0.5,0.8 or 0.1:0.9:0.1), instead of the lower one of each pair.
        precision: Precision of scores and residuals, instead of their digits.
        single_topic: The scores are of one topic with binary relevance, and not means.
        figure: Draw it too, as SVG, into this file.
        figures: Draw it too: every figure as SVG and as PNG into this folder, which is made where there is none.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "published compare",
        {"file": file},
        {
            "a": a,
            "b": b,
            "at": at,
            "precision": precision,
            "single_topic": single_topic,
            "figure": figure,
            "figures": figures,
            "format": format,
            "output": output,
        },
        others,
    )


def published_study(
    qrels: Input,
    *runs: Input,
    p: str | float = "0.5,0.8,0.95",
    digits: int | Iterable[int] | None = None,
    relevance_level: float = 1.0,
    depth: int | None = None,
    judged_only: bool = False,
    unjudged: str | float = "bounds",
    topics: Input | None = None,
    missing_topics: Literal["zero", "skip", "error"] = "zero",
    ties: Literal["docno", "file", "range"] = "docno",
    profile: Literal["9", "10"] = "10",
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "beir", "csv", "tsv",
        "json", "jsonl", "parquet"
    ] = "auto",
    run_format: Literal["auto", "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet"] = "auto",
    max_grade: float | None = None,
    documents: int | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    figure: Path | None = None,
    figures: Path | bool | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """How often would that decide between real runs, and is it ever wrong?

    Parameters:
        qrels: Judgements (formats and compression are told from content; `-` is standard input).
        runs: Runs, at least two (likewise).
        p: Persistences; each lower one is compared with each higher one.
        digits: Digits printed after the point (2, 3, 4 when not given).
        relevance_level: The least grade that is relevant, for binary measures that do not say (rel=...).
        depth: Look at the first N ranks only.
        judged_only: Take unjudged documents out of the ranking.
        unjudged: What to take unjudged documents for:
            - bounds: not relevant in the value; what they could do to it is in the bounds
            - nonrelevant: not relevant, and that is believed: no bounds
            - condensed: taken out of the ranking (as -J)
            - band: as likely relevant as judged documents of about the same rank
            - fit: as likely as the best of three models of the judged ranks has it
            - urn: as likely as Park's urn has it after the judged ranks of the list
            - q=0.1: relevant with this probability.
        topics: Only these topics: a comma-separated list, or a file with one a line.
        missing_topics: Judged topics that a run does not have: zero (Score the run there as if it had retrieved
            nothing); skip (Leave the topic out of that run's mean); error (Stop).
        ties: Order of documents with equal scores: docno (By docno, largest first, as trec_eval does); file (As
            they stand in the file); range (By docno, and what every other order would give: least, greatest,
            expected).
        profile: Compare scores as trec_eval 9 (float32) or 10 (float64): 9; 10.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (told from the content); trec (topic Q0 docno rank score tag); msmarco
            (topic docno rank); csv (a header (query_id,doc_id,score) and a row for each document); tsv (a header
            (query_id doc_id score) and a row for each document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (an object {query_id, doc_id, score} for each document); parquet
            (columns query_id, doc_id, score).
        max_grade: The largest grade a document can have; the largest in the qrels when not given.
        documents: Documents in the collection (needed by Accuracy).
        memory: Memory for rows that must be held (500M, 2G): those of runs not grouped by topic, and of formats
            read whole. Beyond it they go to temporary files (TMPDIR). No limit when not given; runs grouped by
            topic need none.
        threads: Threads; all cores when not given. They do not change the answer.
        figure: Draw it too, as SVG, into this file.
        figures: Draw it too: every figure as SVG and as PNG into this folder, which is made where there is none.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "published study",
        {"qrels": qrels, "runs": several(runs)},
        {
            "p": p,
            "digits": digits,
            "relevance_level": relevance_level,
            "depth": depth,
            "judged_only": judged_only,
            "unjudged": unjudged,
            "topics": topics,
            "missing_topics": missing_topics,
            "ties": ties,
            "profile": profile,
            "qrels_format": qrels_format,
            "run_format": run_format,
            "max_grade": max_grade,
            "documents": documents,
            "memory": memory,
            "threads": threads,
            "figure": figure,
            "figures": figures,
            "format": format,
            "output": output,
        },
        others,
    )


def judges_agree(
    *labels: Input,
    runs: Input | None = None,
    measures: str | float | Iterable[str | float] | None = None,
    labels_format: Literal[
        "label-studio", "quepid-book", "opensearch", "umbrela", "doccano", "quepid-book-csv", "records",
        "trec"
    ] | None = None,
    words: str | float | None = None,
    judge: str | float | Iterable[str | float] | None = None,
    repeats: Literal["refuse", "first", "last"] = "refuse",
    scale: str | float | None = None,
    binary: float | None = None,
    by_query: bool = False,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 1,
    threads: int | None = None,
    figures: Path | bool | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """Do the judges agree, and what does that mean for the systems?

    Parameters:
        labels: Labels, of several judges in one file or one file for each (formats are told from content; `-` is
            standard input).
        runs: Runs to score by each judge's labels.
        measures: Measures for runs (nDCG@10 when not given).
        labels_format: Format of the labels; told from their content when not given: label-studio; quepid-book;
            opensearch; umbrela; doccano; quepid-book-csv; records; trec.
        words: Which grade, or state, a word is, such as 'Relevant=1,Not relevant=0,Broken link=cannot'.
        judge: Keep the labels of this judge only (repeatable); gold's are all kept.
        repeats: What to do where a judge labelled a document twice: refuse (Say so, and stop); first (Keep the
            first); last (Keep the last).
        scale: The grades of the scale, ascending, such as 0,1,2,3 or -100..100 (whole numbers); 0 to the largest
            grade given when not said.
        binary: Count grades from this one on as 1 and others as 0.
        by_query: List every query too.
        level: Level of intervals.
        resamples: Resamples of the queries.
        seed: Seed of the resamples.
        threads: Threads; all cores when not given. They do not change the answer.
        figures: Draw it too: every figure as SVG and as PNG into this folder, which is made where there is none.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "judges agree",
        {"labels": several(labels)},
        {
            "runs": runs,
            "measures": measures,
            "labels_format": labels_format,
            "words": words,
            "judge": judge,
            "repeats": repeats,
            "scale": scale,
            "binary": binary,
            "by_query": by_query,
            "level": level,
            "resamples": resamples,
            "seed": seed,
            "threads": threads,
            "figures": figures,
            "format": format,
            "output": output,
        },
        others,
    )


def judges_calibrate(
    *,
    relevant: str | float | None = None,
    nonrelevant: str | float | None = None,
    table: str | float | None = None,
    grades: float | Iterable[float] | None = None,
    calibration: Input | None = None,
    bronze: Input | None = None,
    gold: Input | None = None,
    runs: Input | None = None,
    labels_format: Literal[
        "label-studio", "quepid-book", "opensearch", "umbrela", "doccano", "quepid-book-csv", "records",
        "trec"
    ] | None = None,
    words: str | float | None = None,
    judge: str | float | Iterable[str | float] | None = None,
    repeats: Literal["refuse", "first", "last"] = "refuse",
    scale: str | float | None = None,
    binary: float | None = None,
    sampling: Literal["random", "gold", "bronze"] | None = None,
    factor: str | float | Iterable[str | float] | None = None,
    interval: Literal["clopper-pearson", "jeffreys"] = "clopper-pearson",
    level: float = 0.95,
    seed: int = 1,
    figures: Path | bool | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """How wrong are the judges? Error rates from pairs that gold judged too

    Parameters:
        relevant: Of the pairs gold called relevant: how many bronze did too / how many there are, such as 43/59.
        nonrelevant: Of the pairs gold called non-relevant: how many bronze did too / how many there are, such as
            67/84.
        table: Pairs by gold grade (rows, lowest first) and bronze grade, such as '67,17;16,43'.
        grades: The grades of table, ascending; 0,1,... when not given.
        calibration: A file that karat judges calibrate wrote (-o judges.json).
        bronze: Labels of the judges in question, in place of counts.
        gold: Gold's labels of some of the same documents.
        runs: Runs: whether the error rate depends on the system or the rank is tested too.
        labels_format: Format of the labels; told from their content when not given: label-studio; quepid-book;
            opensearch; umbrela; doccano; quepid-book-csv; records; trec.
        words: Which grade, or state, a word is, such as 'Relevant=1,Not relevant=0,Broken link=cannot'.
        judge: Keep the labels of this judge only (repeatable); gold's are all kept.
        repeats: What to do where a judge labelled a document twice: refuse (Say so, and stop); first (Keep the
            first); last (Keep the last).
        scale: The grades of the scale, ascending, such as 0,1,2,3 or -100..100 (whole numbers); 0 to the largest
            grade given when not said.
        binary: Count grades from this one on as 1 and others as 0.
        sampling: How the pairs were chosen; rates from a sample chosen by the bronze label are biased: random (At
            random from what bronze judged); gold (By gold's label, such as until there were enough of each); bronze
            (By the bronze label).
        factor: Agreement by something on which it should not depend, among pairs of one gold grade:
            'system:bm25=25/30,dense=18/29' (repeatable).
        interval: How intervals of rates are made: clopper-pearson (Covers at least the level); jeffreys (Shorter,
            covers the level in the mean).
        level: Level of intervals and tests.
        seed: Seed of tests that draw tables.
        figures: Draw it too: every figure as SVG and as PNG into this folder, which is made where there is none.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "judges calibrate",
        {},
        {
            "relevant": relevant,
            "nonrelevant": nonrelevant,
            "table": table,
            "grades": grades,
            "calibration": calibration,
            "bronze": bronze,
            "gold": gold,
            "runs": runs,
            "labels_format": labels_format,
            "words": words,
            "judge": judge,
            "repeats": repeats,
            "scale": scale,
            "binary": binary,
            "sampling": sampling,
            "factor": factor,
            "interval": interval,
            "level": level,
            "seed": seed,
            "figures": figures,
            "format": format,
            "output": output,
        },
        others,
    )


def judges_merge(
    *labels: Input,
    rule: Literal[
        "majority", "majority_low", "majority_high", "mean", "median", "min", "max", "dawid_skene"
    ] = "majority",
    gold: Input | None = None,
    save: Path | None = None,
    to: str | float | None = None,
    ask: int = 10,
    smoothing: float = 0.01,
    starts: int = 5,
    rounds: int = 500,
    seed: int = 1,
    labels_format: Literal[
        "label-studio", "quepid-book", "opensearch", "umbrela", "doccano", "quepid-book-csv", "records",
        "trec"
    ] | None = None,
    words: str | float | None = None,
    judge: str | float | Iterable[str | float] | None = None,
    repeats: Literal["refuse", "first", "last"] = "refuse",
    scale: str | float | None = None,
    binary: float | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """One label from several judges'

    Parameters:
        labels: Labels, of several judges in one file or one file for each (formats are told from content; `-` is
            standard input).
        rule: How: majority (no grade where two are tied), majority_low, majority_high, mean (fractions kept),
            median, min, max, dawid_skene: majority; majority_low; majority_high; mean; median; min; max;
            dawid_skene.
        gold: Known labels: dawid_skene holds to them, other rules are compared with them.
        save: Write the merged labels to this file; its ending (qrels, csv, tsv, jsonl, json, parquet) names the
            format.
        to: Format of save, where its ending does not name it: trec, beir, csv, tsv, json, jsonl, parquet.
        ask: Documents to list for one more judge.
        smoothing: Of dawid_skene: so many labels are added to every cell of every judge's matrix.
        starts: Of dawid_skene: starts, the first from the judges' shares, others partly random.
        rounds: Of dawid_skene: rounds at most.
        seed: Seed of random starts.
        labels_format: Format of the labels; told from their content when not given: label-studio; quepid-book;
            opensearch; umbrela; doccano; quepid-book-csv; records; trec.
        words: Which grade, or state, a word is, such as 'Relevant=1,Not relevant=0,Broken link=cannot'.
        judge: Keep the labels of this judge only (repeatable); gold's are all kept.
        repeats: What to do where a judge labelled a document twice: refuse (Say so, and stop); first (Keep the
            first); last (Keep the last).
        scale: The grades of the scale, ascending, such as 0,1,2,3 or -100..100 (whole numbers); 0 to the largest
            grade given when not said.
        binary: Count grades from this one on as 1 and others as 0.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "judges merge",
        {"labels": several(labels)},
        {
            "rule": rule,
            "gold": gold,
            "save": save,
            "to": to,
            "ask": ask,
            "smoothing": smoothing,
            "starts": starts,
            "rounds": rounds,
            "seed": seed,
            "labels_format": labels_format,
            "words": words,
            "judge": judge,
            "repeats": repeats,
            "scale": scale,
            "binary": binary,
            "format": format,
            "output": output,
        },
        others,
    )


def judges_correct(
    *,
    score: float | None = None,
    shares: str | float | None = None,
    gains: float | Iterable[float] | None = None,
    discount: Literal["log2", "none"] = "log2",
    sd: float | None = None,
    n: int,
    weight: float = 1.0,
    relevant: str | float | None = None,
    nonrelevant: str | float | None = None,
    table: str | float | None = None,
    grades: float | Iterable[float] | None = None,
    calibration: Input | None = None,
    level: float = 0.95,
    resamples: int = 10000,
    seed: int = 1,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """What would gold judges have said? One score, corrected for the judges' errors

    Parameters:
        score: Mean score over queries by bronze labels.
        shares: In place of score: how often bronze gave each grade (lowest first) at each rank, such as
            '0.5,0.5,0;0.5,0,0.5'.
        gains: What each grade is worth, for shares; the grades themselves when not given.
        discount: What each rank is worth, for shares: log2 (1/log2(rank + 1): DCG); none (1: CG).
        sd: Standard deviation of the score over queries; for P@1 it follows from the score.
        n: Queries.
        weight: What the weights of the judged ranks add up to; below 1 for RBP of a finite list.
        relevant: Of the pairs gold called relevant: how many bronze did too / how many there are, such as 43/59.
        nonrelevant: Of the pairs gold called non-relevant: how many bronze did too / how many there are, such as
            67/84.
        table: Pairs by gold grade (rows, lowest first) and bronze grade, such as '67,17;16,43'.
        grades: The grades of table, ascending; 0,1,... when not given.
        calibration: A file that karat judges calibrate wrote (-o judges.json).
        level: Level of intervals.
        resamples: Replicates of the bootstrap.
        seed: Seed of the bootstrap.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "judges correct",
        {},
        {
            "score": score,
            "shares": shares,
            "gains": gains,
            "discount": discount,
            "sd": sd,
            "n": n,
            "weight": weight,
            "relevant": relevant,
            "nonrelevant": nonrelevant,
            "table": table,
            "grades": grades,
            "calibration": calibration,
            "level": level,
            "resamples": resamples,
            "seed": seed,
            "format": format,
            "output": output,
        },
        others,
    )


def judges_compare(
    *,
    a: str | float,
    b: str | float,
    paired_sd: float | None = None,
    relevant: str | float | None = None,
    nonrelevant: str | float | None = None,
    table: str | float | None = None,
    grades: float | Iterable[float] | None = None,
    calibration: Input | None = None,
    b_relevant: str | float | None = None,
    b_nonrelevant: str | float | None = None,
    b_calibration: Input | None = None,
    calibration_errors: Literal["shared", "independent"] | None = None,
    level: float = 0.95,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """Is one system better, and does that survive the judges' errors?

    Parameters:
        a: The first system, such as score=0.6260,sd=0.414,n=10278.
        b: The second system.
        paired_sd: Both had the same queries: standard deviation over them of the difference.
        relevant: Of the pairs gold called relevant: how many bronze did too / how many there are, such as 43/59.
        nonrelevant: Of the pairs gold called non-relevant: how many bronze did too / how many there are, such as
            67/84.
        table: Pairs by gold grade (rows, lowest first) and bronze grade, such as '67,17;16,43'.
        grades: The grades of table, ascending; 0,1,... when not given.
        calibration: A file that karat judges calibrate wrote (-o judges.json).
        b_relevant: The second system's own calibration: relevant pairs.
        b_nonrelevant: The second system's own calibration: non-relevant pairs.
        b_calibration: The second system's own calibration: a file.
        calibration_errors: Which p is the answer; by default the number of calibrations decides: shared (One
            calibration serves both systems); independent (Each system has a calibration of its own).
        level: Level of the interval.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "judges compare",
        {},
        {
            "a": a,
            "b": b,
            "paired_sd": paired_sd,
            "relevant": relevant,
            "nonrelevant": nonrelevant,
            "table": table,
            "grades": grades,
            "calibration": calibration,
            "b_relevant": b_relevant,
            "b_nonrelevant": b_nonrelevant,
            "b_calibration": b_calibration,
            "calibration_errors": calibration_errors,
            "level": level,
            "format": format,
            "output": output,
        },
        others,
    )


def plan_judges(
    *,
    score: float,
    sd: float | None = None,
    relevant: str | float | None = None,
    nonrelevant: str | float | None = None,
    table: str | float | None = None,
    grades: float | Iterable[float] | None = None,
    calibration: Input | None = None,
    difference: float | None = None,
    width: float | None = None,
    power: float = 0.8,
    paired_sd: float | None = None,
    calibration_errors: Literal["shared", "independent"] = "shared",
    labels_per_query: float = 10.0,
    bronze_price: float = 1.0,
    gold_price: float = 20.0,
    level: float = 0.95,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """How many queries, bronze and gold labels, and the cheapest mix of them?

    Parameters:
        score: Mean score over queries by bronze labels, as it is now.
        sd: Standard deviation of the score over queries; for P@1 it follows from the score.
        relevant: Of the pairs gold called relevant: how many bronze did too / how many there are, such as 43/59.
        nonrelevant: Of the pairs gold called non-relevant: how many bronze did too / how many there are, such as
            67/84.
        table: Pairs by gold grade (rows, lowest first) and bronze grade, such as '67,17;16,43'.
        grades: The grades of table, ascending; 0,1,... when not given.
        calibration: A file that karat judges calibrate wrote (-o judges.json).
        difference: Find a true difference of this size between two systems.
        width: Make the interval of the corrected score no wider than this.
        power: The probability with which the difference is found.
        paired_sd: Both systems get the same queries: standard deviation over them of the difference.
        calibration_errors: Whether one calibration serves both systems: shared (One calibration serves both
            systems); independent (Each system has a calibration of its own).
        labels_per_query: Bronze labels that a query needs for one system, such as 10 for P@10.
        bronze_price: Price of a bronze label.
        gold_price: Price of a gold label.
        level: Level of the test or interval.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "plan judges",
        {},
        {
            "score": score,
            "sd": sd,
            "relevant": relevant,
            "nonrelevant": nonrelevant,
            "table": table,
            "grades": grades,
            "calibration": calibration,
            "difference": difference,
            "width": width,
            "power": power,
            "paired_sd": paired_sd,
            "calibration_errors": calibration_errors,
            "labels_per_query": labels_per_query,
            "bronze_price": bronze_price,
            "gold_price": gold_price,
            "level": level,
            "format": format,
            "output": output,
        },
        others,
    )


def plan(
    *,
    qrels: Input | None = None,
    runs: Input | None = None,
    sd: float | None = None,
    sd_topics: int | None = None,
    difference: float | None = None,
    half_width: float | None = None,
    topics: int | None = None,
    of: Literal["difference", "score"] | None = None,
    power: float = 0.8,
    level: float = 0.95,
    systems: int | None = None,
    pairs: Literal["all", "baseline"] = "all",
    correction: Literal["tukey", "bonferroni", "none"] | None = None,
    measures: str | float | Iterable[str | float] | None = None,
    relevance_level: float = 1.0,
    depth: int | None = None,
    judged_only: bool = False,
    unjudged: str | float = "bounds",
    missing_topics: Literal["zero", "skip", "error"] = "zero",
    ties: Literal["docno", "file", "range"] = "docno",
    profile: Literal["9", "10"] = "10",
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "beir", "csv", "tsv",
        "json", "jsonl", "parquet"
    ] = "auto",
    run_format: Literal["auto", "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet"] = "auto",
    max_grade: float | None = None,
    documents: int | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    only_topics: Input | None = None,
    **others: Any,
) -> Result:
    """How many topics would show a difference, or what can so many topics show?

    Parameters:
        qrels: Judgements of the pilot.
        runs: Pilot runs: their differences say how much differences spread.
        sd: Standard deviation over topics of the difference of two systems (of a score with of score).
        sd_topics: Topics from which sd was estimated.
        difference: Find a true difference of this size.
        half_width: Make the interval at most so wide to either side.
        topics: The reverse: what so many topics can show.
        of: What the interval is of; score when there is one pilot run: difference (Of the difference of two
            systems); score (Of one system's mean score).
        power: The probability with which the difference is found.
        level: Level of the tests or intervals, all of them together.
        systems: Systems in the experiment that is planned; as many as there are pilot runs, or 2.
        pairs: Which of them are compared: all (Every pair); baseline (Each with a baseline).
        correction: How the level is divided among pairs; tukey for all pairs, bonferroni with pairs baseline: tukey
            (Tukey's test of all pairs); bonferroni (The level over the number of pairs); none (None: each at the
            whole level).
        measures: Measures, comma-separated or repeated: AP, nDCG@10, 'P(rel=2)@5', 'RBP(p=0.8)'; trec_eval's and
            ranx's names too. A few common ones when not given; the answer names them.
        relevance_level: The least grade that is relevant, for binary measures that do not say (rel=...).
        depth: Look at the first N ranks only.
        judged_only: Take unjudged documents out of the ranking.
        unjudged: What to take unjudged documents for:
            - bounds: not relevant in the value; what they could do to it is in the bounds
            - nonrelevant: not relevant, and that is believed: no bounds
            - condensed: taken out of the ranking (as -J)
            - band: as likely relevant as judged documents of about the same rank
            - fit: as likely as the best of three models of the judged ranks has it
            - urn: as likely as Park's urn has it after the judged ranks of the list
            - q=0.1: relevant with this probability.
        missing_topics: Judged topics that a run does not have: zero (Score the run there as if it had retrieved
            nothing); skip (Leave the topic out of that run's mean); error (Stop).
        ties: Order of documents with equal scores: docno (By docno, largest first, as trec_eval does); file (As
            they stand in the file); range (By docno, and what every other order would give: least, greatest,
            expected).
        profile: Compare scores as trec_eval 9 (float32) or 10 (float64): 9; 10.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (told from the content); trec (topic Q0 docno rank score tag); msmarco
            (topic docno rank); csv (a header (query_id,doc_id,score) and a row for each document); tsv (a header
            (query_id doc_id score) and a row for each document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (an object {query_id, doc_id, score} for each document); parquet
            (columns query_id, doc_id, score).
        max_grade: The largest grade a document can have; the largest in the qrels when not given.
        documents: Documents in the collection (needed by Accuracy).
        memory: Memory for rows that must be held (500M, 2G): those of runs not grouped by topic, and of formats
            read whole. Beyond it they go to temporary files (TMPDIR). No limit when not given; runs grouped by
            topic need none.
        threads: Threads; all cores when not given. They do not change the answer.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
        only_topics: Only these topics: a comma-separated list, or a file with one a line.
    """
    return run(
        Result,
        "plan topics",
        {},
        {
            "qrels": qrels,
            "runs": runs,
            "sd": sd,
            "sd_topics": sd_topics,
            "difference": difference,
            "half_width": half_width,
            "topics": topics,
            "of": of,
            "power": power,
            "level": level,
            "systems": systems,
            "pairs": pairs,
            "correction": correction,
            "measures": measures,
            "relevance_level": relevance_level,
            "depth": depth,
            "judged_only": judged_only,
            "unjudged": unjudged,
            "missing_topics": missing_topics,
            "ties": ties,
            "profile": profile,
            "qrels_format": qrels_format,
            "run_format": run_format,
            "max_grade": max_grade,
            "documents": documents,
            "memory": memory,
            "threads": threads,
            "format": format,
            "output": output,
            "only_topics": only_topics,
        },
        others,
    )


def ab(
    file: Input | None = None,
    *,
    a: str | float | None = None,
    b: str | float | Iterable[str | float] | None = None,
    unit: str | float = "user",
    arm: str | float = "arm",
    metric: str | float | Iterable[str | float] | None = None,
    control: str | float | None = None,
    split: str | float | None = None,
    time: str | float | None = None,
    peek: bool = False,
    tune: int = 5000,
    several: Literal["refuse", "once", "all"] = "refuse",
    both_arms: Literal["error", "drop"] = "error",
    lift: float | None = None,
    power: float = 0.8,
    units_per_day: float | None = None,
    level: float = 0.95,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """Did click-through change? A/B tests by counts or by users, and interleaving

    Parameters:
        file: Rows with a user, an arm and counts (CSV, TSV, JSON, JSON Lines or Parquet, told from content; `-` is
            standard input).
        a: Counts of the control, such as clicks=1200,searches=10000 (then also ,users=4000 and ,name=old).
        b: Counts of another arm; may be repeated.
        unit: The column of the unit that was assigned to an arm.
        arm: The column of the arm.
        metric: A rate: two columns as clicks/searches; one column alone is over rows, and over the unit's column it
            is over units. May be repeated; clicks/searches when not given.
        control: The arm that others are compared with; the first in the order of names when not given.
        split: How units were to be split: 90:10 (the control first, then the others in the order of names), or
            A=90,B=10; equal when not given.
        time: The column of the time: rows are looked at time by time. Dates as 2026-11-15, times as
            2026-11-15T08:30 (the day counts) or numbers, and one of these in the whole file.
        peek: Intervals and p that hold at every look, however often one looks.
        tune: Units of both arms at which peek is tightest; choose it before the data.
        several: What several clicks on one search count: refuse (A row with more clicks than searches is refused);
            once (Once: each row is one search); all (All: the metric is a mean and no rate).
        both_arms: What is done with units that are in two arms: error (Stop); drop (Leave them out of all arms).
        lift: A relative lift that is to be found, such as 0.02: how many units, and days, does that take?.
        power: The chance to find it.
        units_per_day: New units a day, all arms together, for the days that it takes.
        level: Level of intervals, and 1 - level of the tests.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "ab",
        {"file": file},
        {
            "a": a,
            "b": b,
            "unit": unit,
            "arm": arm,
            "metric": metric,
            "control": control,
            "split": split,
            "time": time,
            "peek": peek,
            "tune": tune,
            "several": several,
            "both_arms": both_arms,
            "lift": lift,
            "power": power,
            "units_per_day": units_per_day,
            "level": level,
            "format": format,
            "output": output,
        },
        others,
    )


def ab_interleaving(
    file: Input,
    *,
    unit: str | float | None = None,
    winner: str | float = "winner",
    clicks: str | float = "clicks_a,clicks_b",
    names: str | float = "a,b",
    lengths: str | float | None = None,
    scheme: Literal["team-draft", "balanced"] = "team-draft",
    level: float = 0.95,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """Whose results are clicked, when two rankings are shown in one list?

    Parameters:
        file: Outcomes (CSV, TSV, JSON, JSON Lines or Parquet, told from content; `-` is standard input).
        unit: The column of the unit whose searches belong together; `user` when the file has it.
        winner: The column of the winner.
        clicks: The columns of the clicks on each ranking's documents.
        names: The names of the two rankings, as the column of the winner has them.
        lengths: The columns of the lengths of the two rankings, to see whether they matter.
        scheme: How the rankings were interleaved: team-draft (The rankings draft documents in turns); balanced
            (Every prefix holds as many of the best of each).
        level: Level of intervals, and 1 - level of the tests.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "ab interleaving",
        {"file": file},
        {
            "unit": unit,
            "winner": winner,
            "clicks": clicks,
            "names": names,
            "lengths": lengths,
            "scheme": scheme,
            "level": level,
            "format": format,
            "output": output,
        },
        others,
    )


def tune(
    qrels: Input,
    *runs: Input,
    manifest: Input | None = None,
    dev: Input | None = None,
    test: Input | None = None,
    folds: int | None = None,
    repeats: int = 20,
    baseline: str | float | None = None,
    reveal: bool = False,
    log: Path | None = None,
    level: float = 0.95,
    measures: str | float | Iterable[str | float] | None = None,
    relevance_level: float = 1.0,
    depth: int | None = None,
    judged_only: bool = False,
    unjudged: str | float = "bounds",
    topics: Input | None = None,
    missing_topics: Literal["zero", "skip", "error"] = "zero",
    ties: Literal["docno", "file", "range"] = "docno",
    profile: Literal["9", "10"] = "10",
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "beir", "csv", "tsv",
        "json", "jsonl", "parquet"
    ] = "auto",
    run_format: Literal["auto", "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet"] = "auto",
    max_grade: float | None = None,
    documents: int | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    permutations: int = 100000,
    resamples: int = 200,
    draws: int = 200,
    seed: int = 1,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """Choose on development topics, report on test topics

    Parameters:
        qrels: Judgements of all topics (their format, and gz, zst, bz2, xz, are told from content).
        runs: Runs to choose from, at least two.
        manifest: A table of runs instead (CSV or TSV): a column `run` with files, beside the table or absolute,
            other columns with their parameters.
        dev: Topics to choose by: a comma-separated list, or a file with one a line; all that are not test topics
            when not given.
        test: Topics to report on, none of which may be a development topic.
        folds: Folds in which the choice is cross-validated, and list them; ten, or as many as topics, when not
            given.
        repeats: How often topics are split into folds anew.
        baseline: The run that the chosen one is compared with, by name; the first when not given.
        reveal: Show test scores of every run.
        log: Where looks at test topics are recorded; karat-tune.log beside -o, or in the current folder.
        level: Confidence level.
        measures: Measures, comma-separated or repeated: AP, nDCG@10, 'P(rel=2)@5', 'RBP(p=0.8)'; trec_eval's and
            ranx's names too. A few common ones when not given; the answer names them.
        relevance_level: The least grade that is relevant, for binary measures that do not say (rel=...).
        depth: Look at the first N ranks only.
        judged_only: Take unjudged documents out of the ranking.
        unjudged: What to take unjudged documents for:
            - bounds: not relevant in the value; what they could do to it is in the bounds
            - nonrelevant: not relevant, and that is believed: no bounds
            - condensed: taken out of the ranking (as -J)
            - band: as likely relevant as judged documents of about the same rank
            - fit: as likely as the best of three models of the judged ranks has it
            - urn: as likely as Park's urn has it after the judged ranks of the list
            - q=0.1: relevant with this probability.
        topics: Only these topics: a comma-separated list, or a file with one a line.
        missing_topics: Judged topics that a run does not have: zero (Score the run there as if it had retrieved
            nothing); skip (Leave the topic out of that run's mean); error (Stop).
        ties: Order of documents with equal scores: docno (By docno, largest first, as trec_eval does); file (As
            they stand in the file); range (By docno, and what every other order would give: least, greatest,
            expected).
        profile: Compare scores as trec_eval 9 (float32) or 10 (float64): 9; 10.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (told from the content); trec (topic Q0 docno rank score tag); msmarco
            (topic docno rank); csv (a header (query_id,doc_id,score) and a row for each document); tsv (a header
            (query_id doc_id score) and a row for each document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (an object {query_id, doc_id, score} for each document); parquet
            (columns query_id, doc_id, score).
        max_grade: The largest grade a document can have; the largest in the qrels when not given.
        documents: Documents in the collection (needed by Accuracy).
        memory: Memory for rows that must be held (500M, 2G): those of runs not grouped by topic, and of formats
            read whole. Beyond it they go to temporary files (TMPDIR). No limit when not given; runs grouped by
            topic need none.
        threads: Threads; all cores when not given. They do not change the answer.
        permutations: Random draws of the randomisation test.
        resamples: Resamples behind the standard error of the optimism.
        draws: Draws of the unjudged documents' judgements.
        seed: Seed of everything random.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "tune",
        {"qrels": qrels, "runs": several(runs)},
        {
            "manifest": manifest,
            "dev": dev,
            "test": test,
            "folds": folds,
            "repeats": repeats,
            "baseline": baseline,
            "reveal": reveal,
            "log": log,
            "level": level,
            "measures": measures,
            "relevance_level": relevance_level,
            "depth": depth,
            "judged_only": judged_only,
            "unjudged": unjudged,
            "topics": topics,
            "missing_topics": missing_topics,
            "ties": ties,
            "profile": profile,
            "qrels_format": qrels_format,
            "run_format": run_format,
            "max_grade": max_grade,
            "documents": documents,
            "memory": memory,
            "threads": threads,
            "permutations": permutations,
            "resamples": resamples,
            "draws": draws,
            "seed": seed,
            "format": format,
            "output": output,
        },
        others,
    )


def rbo(
    *runs: Input,
    persistence: float = 0.9,
    by_query: bool = False,
    threads: int | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """How alike are these runs, whatever was judged? Rank-biased overlap of each pair

    Parameters:
        runs: Runs, at least two; each is compared with each (formats are told from content).
        persistence: Persistence: the probability of going on to the next rank, between 0 and 1.
        by_query: List every query too.
        threads: Threads; all cores when not given. They do not change the answer.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "rbo",
        {"runs": several(runs)},
        {
            "persistence": persistence,
            "by_query": by_query,
            "threads": threads,
            "format": format,
            "output": output,
        },
        others,
    )


def reproduce(
    paper: str | float | None = None,
    *,
    quick: bool = False,
    output: Path | None = None,
    qrels: Input | None = None,
    runs: Input | None = None,
    labels: Input | None = None,
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "beir", "csv", "tsv",
        "json", "jsonl", "parquet"
    ] = "auto",
    run_format: Literal["auto", "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet"] = "auto",
    labels_format: Literal[
        "label-studio", "quepid-book", "opensearch", "umbrela", "doccano", "quepid-book-csv", "records",
        "trec"
    ] | None = None,
    words: str | float | None = None,
    judge: str | float | Iterable[str | float] | None = None,
    repeats: Literal["refuse", "first", "last"] = "refuse",
    scale: str | float | None = None,
    binary: float | None = None,
    resume: bool = False,
    seed: int = 1,
    threads: int | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    **others: Any,
) -> Result:
    """The papers' numbers and figures, ours beside theirs

    Parameters:
        paper: rbp-uncertainty, ranked-evaluation, rbp-parameter-sensitivity, noisy-judgements, inferred-ap, or all.
        quick: Fewer replications, rates, samples and runs; the answer says how many.
        output: Write a page (index.html, index.md), the claims (claims.json) and the figures into this folder.
        qrels: Judgements for the experiments on systems; with runs.
        runs: Runs for the experiments on systems; with qrels.
        labels: Labels of other judges for the documents of qrels, which are gold: what judges do to scores and to
            the order of systems is measured with them.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (told from the content); trec (topic Q0 docno rank score tag); msmarco
            (topic docno rank); csv (a header (query_id,doc_id,score) and a row for each document); tsv (a header
            (query_id doc_id score) and a row for each document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (an object {query_id, doc_id, score} for each document); parquet
            (columns query_id, doc_id, score).
        labels_format: Format of the labels; told from their content when not given: label-studio; quepid-book;
            opensearch; umbrela; doccano; quepid-book-csv; records; trec.
        words: Which grade, or state, a word is, such as 'Relevant=1,Not relevant=0,Broken link=cannot'.
        judge: Keep the labels of this judge only (repeatable); gold's are all kept.
        repeats: What to do where a judge labelled a document twice: refuse (Say so, and stop); first (Keep the
            first); last (Keep the last).
        scale: The grades of the scale, ascending, such as 0,1,2,3 or -100..100 (whole numbers); 0 to the largest
            grade given when not said.
        binary: Count grades from this one on as 1 and others as 0.
        resume: Go on with what an interrupted run with the same options left in the folder of -o.
        seed: Seed of everything drawn.
        threads: Threads; all cores when not given. They do not change the answer.
        format: Form of the answer on standard output: terminal; json; jsonl; csv; tsv; markdown; latex; html.
    """
    return run(
        Result,
        "reproduce",
        {"paper": paper},
        {
            "quick": quick,
            "output": output,
            "qrels": qrels,
            "runs": runs,
            "labels": labels,
            "qrels_format": qrels_format,
            "run_format": run_format,
            "labels_format": labels_format,
            "words": words,
            "judge": judge,
            "repeats": repeats,
            "scale": scale,
            "binary": binary,
            "resume": resume,
            "seed": seed,
            "threads": threads,
            "format": format,
        },
        others,
    )


def measures(
    *,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """Every measure karat has

    Parameters:
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "measures",
        {},
        {
            "format": format,
            "output": output,
        },
        others,
    )


def explain(
    measure: str | float,
    *,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> Result:
    """What a measure means, where it comes from, when it misleads

    Parameters:
        measure: A measure: AP, nDCG@10, recip_rank; a coefficient of agreement: cohen, krippendorff; a test: t,
            randomization, tukey; or a correction: holm, benjamini_hochberg.
        format: Form of the answer; told from the ending of -o when not given: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write the answer to this file (whole or not at all) instead of standard output.
    """
    return run(
        Result,
        "explain",
        {"measure": measure},
        {
            "format": format,
            "output": output,
        },
        others,
    )
