"""A function for every command. Written by generate.py from the command line's definition; not to be edited."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from karat._answers import (
    AbAnswer,
    AbInterleavingAnswer,
    BudgetAnswer,
    CheckAnswer,
    CompareAnswer,
    EvalAnswer,
    ExplainAnswer,
    JudgesAgreeAnswer,
    JudgesCalibrateAnswer,
    JudgesCompareAnswer,
    JudgesCorrectAnswer,
    JudgesMergeAnswer,
    MeasuresAnswer,
    NextAnswer,
    PlanJudgesAnswer,
    PlanTopicsAnswer,
    PoolAnswer,
    PublishedCompareAnswer,
    PublishedDepthAnswer,
    PublishedRangeAnswer,
    PublishedStudyAnswer,
    PublishedVectorsAnswer,
    RboAnswer,
    ReproduceAnswer,
    SampleAnswer,
    SettleAnswer,
    SimulateJudgesAnswer,
    SimulateRankingAnswer,
    TuneAnswer,
)
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
    """Evaluate a small built-in collection with known truth

    Parameters:
        output: Folder for the demo files; other files in it are not touched.
        seed: Seed of the random collection.
        no_report: Do not write the HTML page.
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


def check(
    *files: Input,
    limit: int = 1000,
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "label-studio", "beir",
        "csv", "tsv", "json", "jsonl", "parquet"
    ] = "auto",
    run_format: Literal["auto", "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet"] = "auto",
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> CheckAnswer:
    """Check files for problems

    Parameters:
        files: Judgements, runs and labels of judges in any order; kind and format are detected from the content.
        limit: List at most N errors per file.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (detected from the content); trec (topic Q0 docno rank score tag);
            msmarco (topic docno rank); csv (a header (query_id,doc_id,score) and one row per document); tsv (a
            header (query_id doc_id score) and one row per document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (one object {query_id, doc_id, score} per document); parquet
            (columns query_id, doc_id, score).
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
    """
    return run(
        CheckAnswer,
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
        "trec-jg", "trec-prefs", "beir", "label-studio", "quepid"
    ] | None = None,
    from_: Literal[
        "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet", "diversity", "sampled", "prels",
        "trec-prefs", "trec-jg", "label-studio", "beir", "quepid-book", "opensearch", "umbrela", "doccano",
        "quepid-book-csv", "records"
    ] | None = None,
    kind: Literal["run", "qrels", "labels"] | None = None,
    words: str | float | None = None,
    tag: str | float | None = None,
    lossy: bool = False,
    **others: Any,
) -> Text:
    """Convert a file to another format

    Parameters:
        input: A run or judgements, or `-` for standard input. Format and compression are detected.
        out: Output file [default: standard output]. The extensions .gz and .zst compress.
        output: The same as OUT.
        to: Output format [default: from the extension of OUT].
        from_: Input format [default: detected].
        kind: What IN contains, if it cannot be detected: run (Retrieved documents); qrels (Judgements); labels
            (Labels of several judges, one row each with the judge's name).
        words: For labels: the grade or state of each word, such as 'Relevant=1,Not relevant=0,Broken link=cannot'.
        tag: Run tag, if the output format needs one and IN has none [default: the name of IN].
        lossy: Write even if information is lost; the losses are listed.
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
) -> SimulateRankingAnswer:
    """How much can unjudged documents add to RBP? Rankings drawn from an urn (Park 2016)

    Parameters:
        documents: Documents of a ranking (N).
        q: Probabilities that a document is relevant, comma-separated (0.05, 0.1, 0.2, 0.3, 0.5 when not given).
        relevant: Exactly M relevant documents in every ranking, instead of q.
        w: Weights of a non-relevant document, comma-separated; 1 is a random ranking, smaller is better (0.05, 0.1,
            0.2, 0.5, 0.7, 1 when not given).
        p: Persistence of RBP's user.
        judged: Number of top ranks that are judged.
        queries: Queries per mean.
        replications: Simulated means for each w and q.
        histogram: Add histograms with this many bins.
        level: Confidence level of the interval under a constant q.
        seed: Seed.
        threads: Number of threads [default: all cores]; does not change results.
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
    """
    return run(
        SimulateRankingAnswer,
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
) -> SimulateJudgesAnswer:
    """How do judges' errors change P@k, and does the correction repair it?

    Parameters:
        truth: Probability of relevance at each rank, comma-separated; default: the paper's .49, .47, ..., .31.
        relevant: m_R: probability that bronze labels a relevant document relevant.
        nonrelevant: m_N: probability that bronze labels a non-relevant document non-relevant.
        relevant_pairs: n_R: relevant calibration pairs.
        nonrelevant_pairs: n_N: non-relevant calibration pairs.
        queries: Queries per run.
        runs: Simulated runs.
        level: Confidence level of the intervals.
        seed: Seed.
        threads: Number of threads [default: all cores]; does not change results.
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
    """
    return run(
        SimulateJudgesAnswer,
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
    form_format: Literal["trec", "sampled", "prels", "csv", "tsv", "jsonl", "label-studio"] | None = None,
    queries: Input | None = None,
    corpus: Input | None = None,
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "label-studio", "beir",
        "csv", "tsv", "json", "jsonl", "parquet"
    ] = "auto",
    run_format: Literal["auto", "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet"] = "auto",
    threads: int | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> PoolAnswer:
    """Pool the top k documents of every run for judging

    Parameters:
        runs: Runs, or `-` for standard input. Format and compression are detected.
        depth: Ranks of each run that are pooled, from the first.
        qrels: Judgements made already: shows which documents are still to judge.
        form: Also write a form for judges to complete. The extension sets the format: TREC (.qrels, .txt), CSV
            (.csv), JSON Lines (.jsonl) or Label Studio (.json); an additional .gz or .zst compresses it.
        form_format: Format of the form [default: from the extension of form]; sampled and prels are for karat
            sample: trec; sampled; prels; csv; tsv; jsonl; label-studio.
        queries: Texts of the queries for the form: lines of name, tab and text, CSV or TSV with a header, JSON
            objects, or TREC SGML.
        corpus: Texts of the documents for the form: JSON objects, CSV or TSV with a name (_id, doc_id, docno, ...)
            and title, text or contents.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (detected from the content); trec (topic Q0 docno rank score tag);
            msmarco (topic docno rank); csv (a header (query_id,doc_id,score) and one row per document); tsv (a
            header (query_id doc_id score) and one row per document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (one object {query_id, doc_id, score} per document); parquet
            (columns query_id, doc_id, score).
        threads: Number of threads [default: all cores]; does not change results.
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
    """
    return run(
        PoolAnswer,
        "pool",
        {"runs": several(runs)},
        {
            "depth": depth,
            "qrels": qrels,
            "form": form,
            "form_format": form_format,
            "queries": queries,
            "corpus": corpus,
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
    seed: int = 1,
    form: Path | None = None,
    form_format: Literal["trec", "sampled", "prels", "csv", "tsv", "jsonl", "label-studio"] | None = None,
    queries: Input | None = None,
    corpus: Input | None = None,
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "label-studio", "beir",
        "csv", "tsv", "json", "jsonl", "parquet"
    ] = "auto",
    run_format: Literal["auto", "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet"] = "auto",
    threads: int | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> SampleAnswer:
    """Sample documents of the pool for judging

    Parameters:
        runs: Runs, or `-` for standard input. Format and compression are detected.
        design: How documents are drawn: uniform (Every document of a topic's pool is as likely as any other);
            strata (By best rank, each stratum with its own share (--strata)); weighted (In proportion to the weight
            that the measure gives the document, summed over runs (-m)).
        rate: Share of each topic's pool that is drawn, above 0 and at most 1 (uniform, weighted).
        strata: Strata by best rank, each with the share drawn: 10:1,50:0.2,100:0.1 (strata).
        measure: The measure whose weights the probabilities are proportional to (weighted).
        depth: Ranks of each run that are sampled from; with strata, the deepest of them.
        qrels: Known judgements: the form gets their grades (simulates judging only the sample).
        judged_only: Sample from the judged documents only: shows what fewer judgements would have given.
        until_relevant: Redraw a topic until its sample has a relevant document, as Yilmaz and Aslam (2006) did;
            biases estimates.
        relevance_level: The lowest grade that is relevant.
        seed: Seed of the draws.
        form: Also write a form for judges to complete. The extension sets the format: TREC (.qrels, .txt), CSV
            (.csv), JSON Lines (.jsonl) or Label Studio (.json); an additional .gz or .zst compresses it.
        form_format: Format of the form [default: from the extension of form]; sampled and prels are for karat
            sample: trec; sampled; prels; csv; tsv; jsonl; label-studio.
        queries: Texts of the queries for the form: lines of name, tab and text, CSV or TSV with a header, JSON
            objects, or TREC SGML.
        corpus: Texts of the documents for the form: JSON objects, CSV or TSV with a name (_id, doc_id, docno, ...)
            and title, text or contents.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (detected from the content); trec (topic Q0 docno rank score tag);
            msmarco (topic docno rank); csv (a header (query_id,doc_id,score) and one row per document); tsv (a
            header (query_id doc_id score) and one row per document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (one object {query_id, doc_id, score} per document); parquet
            (columns query_id, doc_id, score).
        threads: Number of threads [default: all cores]; does not change results.
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
    """
    return run(
        SampleAnswer,
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
            "seed": seed,
            "form": form,
            "form_format": form_format,
            "queries": queries,
            "corpus": corpus,
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
    random_share: float | None = None,
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
    form_format: Literal["trec", "sampled", "prels", "csv", "tsv", "jsonl", "label-studio"] | None = None,
    queries: Input | None = None,
    corpus: Input | None = None,
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "label-studio", "beir",
        "csv", "tsv", "json", "jsonl", "parquet"
    ] = "auto",
    run_format: Literal["auto", "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet"] = "auto",
    threads: int | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> NextAnswer:
    """List the documents that are most useful to judge next

    Parameters:
        qrels: Judgements so far, or `-` for standard input. Format and compression are detected.
        runs: Runs.
        measure: A measure: RBP, P@k, nDCG@k, AP, RR, ... target, replay and the strategies A, B and C need one
            linear in gain (RBP, P@k, DCG, CG, SDCG, INSQ).
        strategy: How documents are ranked for judging: A (Sum over runs of the weight of the document's rank); B
            (A, with each weight times the run's residual); C (B, times the cube of the run's score at the middle of
            its bounds); variance (The variance that the judgement removes).
        about: What becomes more certain: scores (Every run's score); differences (The difference of every two
            runs); top (The difference of the two runs with the highest estimated scores).
        q: Probability that an unjudged document is relevant; default: estimated from the judged documents (for
            measures that are not linear by the relevance model of karat budget).
        count: At most N documents; default: 20, or no limit with target.
        random_share: Draw this share of the documents at random, from all others that can change a difference of
            two runs. The form is then a sample for karat compare sample.
        target: Add documents until the bounds are at most this wide.
        replay: Hide the judgements and count how many of them each strategy needs.
        repetitions: Repetitions of the random order (replay).
        tau: Kendall's tau with the full order that counts as settled (replay).
        relevance_level: The lowest grade that is relevant.
        depth: Use the first N ranks only.
        topics: Only these topics: a comma-separated list, or a file with one per line.
        max_grade: The largest grade a document can have; default: the largest in the judgements.
        seed: Seed of the random share, and of the random order (replay).
        figure: Save the figure as SVG in this file.
        figures: Save every figure as SVG and PNG in this folder (created if missing).
        form: Also write a form for judges to complete. The extension sets the format: TREC (.qrels, .txt), CSV
            (.csv), JSON Lines (.jsonl) or Label Studio (.json); an additional .gz or .zst compresses it.
        form_format: Format of the form [default: from the extension of form]; sampled and prels are for karat
            sample: trec; sampled; prels; csv; tsv; jsonl; label-studio.
        queries: Texts of the queries for the form: lines of name, tab and text, CSV or TSV with a header, JSON
            objects, or TREC SGML.
        corpus: Texts of the documents for the form: JSON objects, CSV or TSV with a name (_id, doc_id, docno, ...)
            and title, text or contents.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (detected from the content); trec (topic Q0 docno rank score tag);
            msmarco (topic docno rank); csv (a header (query_id,doc_id,score) and one row per document); tsv (a
            header (query_id doc_id score) and one row per document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (one object {query_id, doc_id, score} per document); parquet
            (columns query_id, doc_id, score).
        threads: Number of threads [default: all cores]; does not change results.
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
    """
    return run(
        NextAnswer,
        "next",
        {"qrels": qrels, "runs": several(runs)},
        {
            "measure": measure,
            "strategy": strategy,
            "about": about,
            "q": q,
            "count": count,
            "random_share": random_share,
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
            "form_format": form_format,
            "queries": queries,
            "corpus": corpus,
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
) -> PublishedDepthAnswer:
    """How many ranks matter at a given p and precision

    Parameters:
        p: Persistence p of RBP: a number, a list (0.5,0.8) or a sweep (0.1:0.9:0.1).
        precision: Precision of the printed score; one number or a list.
        figure: Save the figure as SVG in this file.
        figures: Save every figure as SVG and PNG in this folder (created if missing).
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.

    Example:
        >>> karat.published.depth(p=0.8, precision=1e-4).depth
        45
    """
    return run(
        PublishedDepthAnswer,
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
) -> PublishedVectorsAnswer:
    """Find the rankings that a printed score can come from

    Parameters:
        p: Persistence p of RBP.
        score: Printed score, with all its digits.
        residual: Printed residual: the most that unjudged documents could add.
        precision: Precision of score and residual [default: from their digits].
        all: List and count all rankings.
        limit: List at most this many rankings.
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
    """
    return run(
        PublishedVectorsAnswer,
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
) -> PublishedRangeAnswer:
    """Possible scores at another p

    Parameters:
        p: Persistence p of the printed score; a list gives a grid.
        score: Printed score, with all its digits; a list gives a grid.
        at: Other p: a number, a list (0.5,0.8) or a sweep (0.1:0.9:0.1).
        residual: Printed residual: the most that unjudged documents could add.
        precision: Precision of score and residual [default: from their digits].
        mean: The scores are means over topics: show only the graded range.
        figure: Save the figure as SVG in this file.
        figures: Save every figure as SVG and PNG in this folder (created if missing).
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
    """
    return run(
        PublishedRangeAnswer,
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
) -> PublishedCompareAnswer:
    """Decide which system scores higher, where the printed scores allow it

    Parameters:
        file: Table of published scores: columns system, p, score, and optionally residual and digits.
        a: First score: p=0.8,score=0.42, optionally ,residual=0.01 and ,name=bm25.
        b: Second score.
        at: Compare at this p, or several (0.5,0.8 or 0.1:0.9:0.1) [default: the lower p of each pair].
        precision: Precision of scores and residuals [default: from their digits].
        single_topic: The scores are of one topic with binary relevance, not means.
        figure: Save the figure as SVG in this file.
        figures: Save every figure as SVG and PNG in this folder (created if missing).
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
    """
    return run(
        PublishedCompareAnswer,
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
    unjudged: str | float | None = None,
    topics: Input | None = None,
    missing_topics: Literal["zero", "skip", "error"] = "zero",
    ties: Literal["docno", "file", "range"] = "docno",
    profile: Literal["9", "10"] = "10",
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "label-studio", "beir",
        "csv", "tsv", "json", "jsonl", "parquet"
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
) -> PublishedStudyAnswer:
    """Measure on real runs how often printed scores decide, and how often wrongly

    Parameters:
        qrels: Judgements file, or `-` for standard input. Format and compression are detected.
        runs: Two or more runs.
        p: Values of p; each pair of them is compared.
        digits: Digits printed after the decimal point (2, 3, 4 when not given).
        relevance_level: Minimum grade that counts as relevant in binary measures (unless set by rel=...).
        depth: Use only the first N ranks.
        judged_only: Remove unjudged documents from the ranking.
        unjudged: How to treat unjudged documents:
            - bounds: treat as not relevant; show bounds over all possible judgements
            - nonrelevant: treat as not relevant; no bounds
            - condensed: remove from the ranking (same as -J)
            - band: probability from judged documents at similar ranks
            - fit: probability from the best of three rank models
            - urn: probability from Park's urn model, given the judged documents of the list
            - q=0.1: relevant with this probability
            [default: bounds; nonrelevant where the judgements name relevant documents only].
        topics: Use only these topics: a comma-separated list, or a file with one topic per line.
        missing_topics: How to treat judged topics that are missing in a run: zero (Score them as empty result lists
            (0), as trec_eval -c does); skip (Exclude them from that run's mean, as trec_eval does without -c);
            error (Report an error).
        ties: Order of documents with equal scores: docno (By docno, descending, as trec_eval does); file (In the
            order of the file); range (By docno, plus the minimum, maximum and expected value over all tie orders).
        profile: Compare scores as trec_eval 9 does (float32) or as trec_eval 10 does (float64): 9; 10.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (detected from the content); trec (topic Q0 docno rank score tag);
            msmarco (topic docno rank); csv (a header (query_id,doc_id,score) and one row per document); tsv (a
            header (query_id doc_id score) and one row per document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (one object {query_id, doc_id, score} per document); parquet
            (columns query_id, doc_id, score).
        max_grade: Largest possible grade [default: the largest in the judgements].
        documents: Number of documents in the collection (required by Accuracy).
        memory: Memory for runs that are not grouped by topic (500M, 2G); beyond it, temporary files in TMPDIR are
            used [default: no limit].
        threads: Number of threads [default: all cores]; does not change results.
        figure: Save the figure as SVG in this file.
        figures: Save every figure as SVG and PNG in this folder (created if missing).
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
    """
    return run(
        PublishedStudyAnswer,
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
) -> JudgesAgreeAnswer:
    """Measure the agreement of judges and its effect on the scores

    Parameters:
        labels: Labels of several judges: one file, or one per judge; `-` for standard input. Formats are detected.
        runs: Runs to score by each judge's labels.
        measures: Measures for runs (nDCG@10 when not given).
        labels_format: Format of the labels [default: detected from the content]: label-studio; quepid-book;
            opensearch; umbrela; doccano; quepid-book-csv; records; trec.
        words: Grade or state of each word label, such as 'Relevant=1,Not relevant=0,Broken link=cannot'.
        judge: Use only the labels of this judge (repeatable); all gold labels are used.
        repeats: How to treat a second label by the same judge for the same document: refuse (Report an error);
            first (Keep the first); last (Keep the last).
        scale: Grades of the scale, ascending, such as 0,1,2,3 or -100..100 [default: whole numbers from 0 to the
            largest grade].
        binary: Replace grades from GRADE up by 1 and lower ones by 0.
        by_query: List every query too.
        level: Confidence level of intervals.
        resamples: Resamples of the queries.
        seed: Seed of the resamples.
        threads: Number of threads [default: all cores]; does not change results.
        figures: Save every figure as SVG and PNG in this folder (created if missing).
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
    """
    return run(
        JudgesAgreeAnswer,
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
) -> JudgesCalibrateAnswer:
    """Estimate the judges' error rates from pairs that gold judged too

    Parameters:
        relevant: Relevant pairs (by gold): those that bronze called relevant / all, such as 43/59.
        nonrelevant: Non-relevant pairs (by gold): those that bronze called non-relevant / all, such as 67/84.
        table: Counts of pairs by gold grade (rows, lowest first) and bronze grade, such as '67,17;16,43'.
        grades: Grades of table, ascending; default: 0,1,.
        calibration: File written by karat judges calibrate -o judges.json.
        bronze: Labels of the bronze judges, instead of counts.
        gold: Gold labels of some of the same documents.
        runs: Runs, to test whether the error rate depends on the system or the rank.
        labels_format: Format of the labels [default: detected from the content]: label-studio; quepid-book;
            opensearch; umbrela; doccano; quepid-book-csv; records; trec.
        words: Grade or state of each word label, such as 'Relevant=1,Not relevant=0,Broken link=cannot'.
        judge: Use only the labels of this judge (repeatable); all gold labels are used.
        repeats: How to treat a second label by the same judge for the same document: refuse (Report an error);
            first (Keep the first); last (Keep the last).
        scale: Grades of the scale, ascending, such as 0,1,2,3 or -100..100 [default: whole numbers from 0 to the
            largest grade].
        binary: Replace grades from GRADE up by 1 and lower ones by 0.
        sampling: How the pairs were chosen; rates of pairs chosen by the bronze label are biased: random (At random
            from the bronze labels); gold (By the gold label, such as until there were enough of each); bronze (By
            the bronze label).
        factor: Agreement by a factor, among pairs of one gold grade, such as 'system:bm25=25/30,dense=18/29'
            (repeatable).
        interval: Method of the intervals of rates: clopper-pearson (Covers at least the level); jeffreys (Shorter,
            covers the level on average).
        level: Confidence level of intervals and tests.
        seed: Seed of tests that draw tables.
        figures: Save every figure as SVG and PNG in this folder (created if missing).
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
    """
    return run(
        JudgesCalibrateAnswer,
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
) -> JudgesMergeAnswer:
    """Merge the labels of several judges into one

    Parameters:
        labels: Labels of several judges: one file, or one per judge; `-` for standard input. Formats are detected.
        rule: Rule: majority (ties get no grade), majority_low, majority_high, mean (fractions kept), median, min,
            max, dawid_skene: majority; majority_low; majority_high; mean; median; min; max; dawid_skene.
        gold: Gold labels: dawid_skene holds them fixed, other rules are compared with them.
        save: Save the merged labels to this file; its extension (qrels, csv, tsv, jsonl, json, parquet) sets the
            format.
        to: Format of save, if its extension does not set it: trec, beir, csv, tsv, json, jsonl, parquet.
        ask: Documents to list that need one more label.
        smoothing: dawid_skene: labels added to every cell of every judge's matrix.
        starts: dawid_skene: starts, the first from the judges' shares, others partly random.
        rounds: dawid_skene: maximum rounds.
        seed: Seed of random starts.
        labels_format: Format of the labels [default: detected from the content]: label-studio; quepid-book;
            opensearch; umbrela; doccano; quepid-book-csv; records; trec.
        words: Grade or state of each word label, such as 'Relevant=1,Not relevant=0,Broken link=cannot'.
        judge: Use only the labels of this judge (repeatable); all gold labels are used.
        repeats: How to treat a second label by the same judge for the same document: refuse (Report an error);
            first (Keep the first); last (Keep the last).
        scale: Grades of the scale, ascending, such as 0,1,2,3 or -100..100 [default: whole numbers from 0 to the
            largest grade].
        binary: Replace grades from GRADE up by 1 and lower ones by 0.
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
    """
    return run(
        JudgesMergeAnswer,
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
) -> JudgesCorrectAnswer:
    """Correct one score for the judges' errors

    Parameters:
        score: Mean score over queries by bronze labels.
        shares: Instead of score: share of each bronze grade (lowest first) at each rank, such as
            '0.5,0.5,0;0.5,0,0.5'.
        gains: Gain of each grade, for shares; default: the grades themselves.
        discount: Discount of each rank, for shares: log2 (1/log2(rank + 1): DCG); none (1: CG).
        sd: Standard deviation of the score over queries; not needed for P@1.
        n: Number of queries.
        weight: Sum of the weights of the judged ranks; below 1 for RBP of a finite list.
        relevant: Relevant pairs (by gold): those that bronze called relevant / all, such as 43/59.
        nonrelevant: Non-relevant pairs (by gold): those that bronze called non-relevant / all, such as 67/84.
        table: Counts of pairs by gold grade (rows, lowest first) and bronze grade, such as '67,17;16,43'.
        grades: Grades of table, ascending; default: 0,1,.
        calibration: File written by karat judges calibrate -o judges.json.
        level: Confidence level of intervals.
        resamples: Bootstrap replicates.
        seed: Seed of the bootstrap.
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
    """
    return run(
        JudgesCorrectAnswer,
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
) -> JudgesCompareAnswer:
    """Compare two systems, given the judges' errors

    Parameters:
        a: The first system, such as score=0.6260,sd=0.414,n=10278.
        b: The second system.
        paired_sd: Standard deviation of the difference over queries, if both systems had the same queries.
        relevant: Relevant pairs (by gold): those that bronze called relevant / all, such as 43/59.
        nonrelevant: Non-relevant pairs (by gold): those that bronze called non-relevant / all, such as 67/84.
        table: Counts of pairs by gold grade (rows, lowest first) and bronze grade, such as '67,17;16,43'.
        grades: Grades of table, ascending; default: 0,1,.
        calibration: File written by karat judges calibrate -o judges.json.
        b_relevant: Second system's own calibration: relevant pairs.
        b_nonrelevant: Second system's own calibration: non-relevant pairs.
        b_calibration: Second system's own calibration: a file.
        calibration_errors: Which test decides; default: shared with one calibration, independent with two: shared
            (One calibration serves both systems); independent (Each system has its own calibration).
        level: Confidence level of the interval.
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
    """
    return run(
        JudgesCompareAnswer,
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
    seed: int = 1,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> AbAnswer:
    """Analyse A/B tests and interleaving

    Parameters:
        file: Rows with user, arm and counts (CSV, TSV, JSON, JSON Lines or Parquet), or `-` for standard input.
            Format is detected.
        a: Counts of the control: clicks=1200,searches=10000, optionally ,users=4000 and ,name=old.
        b: Counts of another arm (repeatable).
        unit: Column of the unit that was assigned to an arm.
        arm: Column of the arm.
        metric: Metric: clicks/searches (column over column), clicks (per row) or clicks/user (per unit).
            Repeatable; default clicks/searches.
        control: Arm that others are compared with; default: the first by name.
        split: Planned split: 90:10 (control first, then by name) or A=90,B=10; default: equal.
        time: Column of the time: dates as 2026-11-15, times as 2026-11-15T08:30 (only the day is used) or numbers;
            one kind per file.
        peek: Intervals and p-values that are valid however often you look.
        tune: Number of units at which peek is most precise; choose it before seeing data.
        several: How to count several clicks on one search: refuse (A row with more clicks than searches is an
            error); once (Once; each row must be one search); all (Each; the metric is then a mean, not a rate).
        both_arms: How to handle units in two arms: error (Stop with an error); drop (Leave them out).
        lift: Relative lift to plan for, such as 0.02: how many units and days are needed?.
        power: Power: probability of detecting that lift.
        units_per_day: New units per day, all arms together.
        level: Confidence level; tests use 1 - level.
        seed: Random seed of the resampling (few or heavy-tailed users).
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
    """
    return run(
        AbAnswer,
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
            "seed": seed,
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
) -> AbInterleavingAnswer:
    """Compare two rankings that were shown in one interleaved list

    Parameters:
        file: Outcomes (CSV, TSV, JSON, JSON Lines or Parquet), or `-` for standard input. Format is detected.
        unit: Column of the unit that groups searches; default: `user` if there is such a column.
        winner: Column of the winner.
        clicks: Columns of the clicks on each ranking's documents.
        names: Names of the two rankings in the winner column.
        lengths: Columns of the lengths of the two rankings, to check whether they matter.
        scheme: How the rankings were interleaved: team-draft (The rankings draft documents in turns); balanced
            (Every prefix holds as many of the best of each).
        level: Confidence level; tests use 1 - level.
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
    """
    return run(
        AbInterleavingAnswer,
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


def rbo(
    *runs: Input,
    persistence: float = 0.9,
    by_query: bool = False,
    threads: int | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> RboAnswer:
    """Compute the rank-biased overlap of each pair of runs

    Parameters:
        runs: Two or more runs; each is compared with each. Formats are detected.
        persistence: Persistence: probability of reading on to the next rank, between 0 and 1.
        by_query: Also list every query.
        threads: Number of threads [default: all cores]; does not change results.
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
    """
    return run(
        RboAnswer,
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
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "label-studio", "beir",
        "csv", "tsv", "json", "jsonl", "parquet"
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
) -> ReproduceAnswer:
    """Reproduce numbers and figures of papers

    Parameters:
        paper: Paper to reproduce: rbp-uncertainty, ranked-evaluation, rbp-parameter-sensitivity, noisy-judgements,
            inferred-ap, or all.
        quick: Use fewer simulations, samples and runs; a note says how many.
        output: Write a page (index.html, index.md), the claims (claims.json) and the figures to this folder.
        qrels: Judgements for the experiments on systems; with runs.
        runs: Runs for the experiments on systems; with qrels.
        labels: Labels of other judges for documents of qrels (gold), to measure their effect on scores and
            rankings.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (detected from the content); trec (topic Q0 docno rank score tag);
            msmarco (topic docno rank); csv (a header (query_id,doc_id,score) and one row per document); tsv (a
            header (query_id doc_id score) and one row per document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (one object {query_id, doc_id, score} per document); parquet
            (columns query_id, doc_id, score).
        labels_format: Format of the labels [default: detected from the content]: label-studio; quepid-book;
            opensearch; umbrela; doccano; quepid-book-csv; records; trec.
        words: Grade or state of each word label, such as 'Relevant=1,Not relevant=0,Broken link=cannot'.
        judge: Use only the labels of this judge (repeatable); all gold labels are used.
        repeats: How to treat a second label by the same judge for the same document: refuse (Report an error);
            first (Keep the first); last (Keep the last).
        scale: Grades of the scale, ascending, such as 0,1,2,3 or -100..100 [default: whole numbers from 0 to the
            largest grade].
        binary: Replace grades from GRADE up by 1 and lower ones by 0.
        resume: Continue an interrupted run with the same options and -o folder.
        seed: Random seed.
        threads: Number of threads [default: all cores]; does not change results.
        format: Output format on standard output: terminal; json; jsonl; csv; tsv; markdown; latex; html.
    """
    return run(
        ReproduceAnswer,
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
) -> MeasuresAnswer:
    """List all measures

    Parameters:
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
    """
    return run(
        MeasuresAnswer,
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
) -> ExplainAnswer:
    """Explain a measure, a test or a term of the output

    Parameters:
        measure: A measure: AP, nDCG@10, recip_rank; a coefficient of agreement: cohen, krippendorff; a test: t,
            randomization, max_t; a correction: holm, benjamini_hochberg; an interval: auto, student_t,
            bounded_mean; or a term of the output: bounds, residual, interval, "adjusted p", undecided.
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
    """
    return run(
        ExplainAnswer,
        "explain",
        {"measure": measure},
        {
            "format": format,
            "output": output,
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
    unjudged: str | float | None = None,
    topics: Input | None = None,
    missing_topics: Literal["zero", "skip", "error"] = "zero",
    ties: Literal["docno", "file", "range"] = "docno",
    profile: Literal["9", "10"] = "10",
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "label-studio", "beir",
        "csv", "tsv", "json", "jsonl", "parquet"
    ] = "auto",
    run_format: Literal["auto", "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet"] = "auto",
    max_grade: float | None = None,
    documents: int | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    by_query: bool = False,
    level: float = 0.95,
    interval: Literal["auto", "t", "bca"] = "auto",
    resamples: int = 10000,
    draws: int = 200,
    calibration: Input | None = None,
    gold: Input | None = None,
    bronze_weight: str | float = "tuned",
    sample: str | float | Iterable[str | float] | None = None,
    partial: bool = False,
    score_bands: int | None = None,
    lengths: Input | None = None,
    seed: int = 1,
    figures: Path | bool | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    **others: Any,
) -> EvalAnswer:
    """Score runs, with confidence intervals and bounds

    Parameters:
        qrels: Judgements file, or `-` for standard input. Format and compression are detected.
        runs: One or more runs. Format and compression are detected.
        measures: Measures, comma-separated or repeated: AP, nDCG@10, 'P(rel=2)@5', 'RBP(p=0.8)'; names of trec_eval
            and ranx work too [default: AP, nDCG@10, P@10, RR, RBP(p=0.8), Judged@10].
        relevance_level: Minimum grade that counts as relevant in binary measures (unless set by rel=...).
        depth: Use only the first N ranks.
        judged_only: Remove unjudged documents from the ranking.
        unjudged: How to treat unjudged documents:
            - bounds: treat as not relevant; show bounds over all possible judgements
            - nonrelevant: treat as not relevant; no bounds
            - condensed: remove from the ranking (same as -J)
            - band: probability from judged documents at similar ranks
            - fit: probability from the best of three rank models
            - urn: probability from Park's urn model, given the judged documents of the list
            - q=0.1: relevant with this probability
            [default: bounds; nonrelevant where the judgements name relevant documents only].
        topics: Use only these topics: a comma-separated list, or a file with one topic per line.
        missing_topics: How to treat judged topics that are missing in a run: zero (Score them as empty result lists
            (0), as trec_eval -c does); skip (Exclude them from that run's mean, as trec_eval does without -c);
            error (Report an error).
        ties: Order of documents with equal scores: docno (By docno, descending, as trec_eval does); file (In the
            order of the file); range (By docno, plus the minimum, maximum and expected value over all tie orders).
        profile: Compare scores as trec_eval 9 does (float32) or as trec_eval 10 does (float64): 9; 10.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (detected from the content); trec (topic Q0 docno rank score tag);
            msmarco (topic docno rank); csv (a header (query_id,doc_id,score) and one row per document); tsv (a
            header (query_id doc_id score) and one row per document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (one object {query_id, doc_id, score} per document); parquet
            (columns query_id, doc_id, score).
        max_grade: Largest possible grade [default: the largest in the judgements].
        documents: Number of documents in the collection (required by Accuracy).
        memory: Memory for runs that are not grouped by topic (500M, 2G); beyond it, temporary files in TMPDIR are
            used [default: no limit].
        threads: Number of threads [default: all cores]; does not change results.
        by_query: Also list the score of every topic.
        level: Confidence level of intervals.
        interval: Method of the confidence intervals over topics: auto (Chosen from the scores and the range of the
            measure: exact for proportions, Student's t unless the scores speak against it, else bounded mean (see
            karat explain auto)); t (Student's t); bca (Bias-corrected and accelerated bootstrap over topics).
        resamples: Number of bootstrap resamples.
        draws: Number of random draws for measures without a closed form (with calibration, or unjudged q=0.1, band,
            fit, urn).
        calibration: Correct for the judges' errors with this file, written by karat judges calibrate -o FILE.
        gold: Gold judgements of a random sample of the topics. Scores are shifted by the mean difference between
            gold and QRELS.
        bronze_weight: With gold: weight of the bronze scores, from 0 (gold topics only) to 1, or `tuned` for
            minimum variance.
        sample: Judged form of a sample that karat settle drew (repeatable, one per batch): scores are estimated
            from it.
        partial: Allow rows of sample without a label: the interval allows for every label they may have.
        score_bands: Check whether scores are calibrated probabilities: predicted and observed relevance in N score
            bands, and log loss.
        lengths: With score_bands: the same by document length. One document and its length per line.
        seed: Seed of the random numbers (bootstrap, draws).
        figures: Save every figure as SVG and PNG in this folder (created if missing).
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.

    Example:
        >>> qrels = {"q1": {"d1": 1, "d2": 0, "d3": 1}, "q2": {"d1": 0, "d4": 1}}
        >>> run = {"q1": {"d1": 3.0, "d2": 2.0, "d9": 1.0}, "q2": {"d4": 9.5, "d1": 4.0}}
        >>> result = karat.evaluate(qrels, run, ["AP", "P@2"])
        >>> [(row.measure, row.value) for row in result.scores]
        [('AP', 0.75), ('P@2', 0.5)]
    """
    return run(
        EvalAnswer,
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
            "sample": sample,
            "partial": partial,
            "score_bands": score_bands,
            "lengths": lengths,
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
    relevance_level: float = 1.0,
    depth: int | None = None,
    judged_only: bool = False,
    unjudged: str | float | None = None,
    topics: Input | None = None,
    missing_topics: Literal["zero", "skip", "error"] = "zero",
    ties: Literal["docno", "file", "range"] = "docno",
    profile: Literal["9", "10"] = "10",
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "label-studio", "beir",
        "csv", "tsv", "json", "jsonl", "parquet"
    ] = "auto",
    run_format: Literal["auto", "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet"] = "auto",
    max_grade: float | None = None,
    documents: int | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    output: Path | None = None,
    baseline: str | float | None = None,
    level: float = 0.95,
    rankings_depth: int | None = None,
    queries: Input | None = None,
    corpus: Input | None = None,
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
    sample: str | float | Iterable[str | float] | None = None,
    partial: bool = False,
    draws: int = 200,
    seed: int = 1,
    figures: Path | bool | None = None,
    measures: str | float | Iterable[str | float] | None = None,
    **others: Any,
) -> Page:
    """Write one HTML page with scores, comparisons and figures

    Parameters:
        qrels: Judgements file, or `-` for standard input. Format and compression are detected.
        runs: One or more runs.
        relevance_level: Minimum grade that counts as relevant in binary measures (unless set by rel=...).
        depth: Use only the first N ranks.
        judged_only: Remove unjudged documents from the ranking.
        unjudged: How to treat unjudged documents:
            - bounds: treat as not relevant; show bounds over all possible judgements
            - nonrelevant: treat as not relevant; no bounds
            - condensed: remove from the ranking (same as -J)
            - band: probability from judged documents at similar ranks
            - fit: probability from the best of three rank models
            - urn: probability from Park's urn model, given the judged documents of the list
            - q=0.1: relevant with this probability
            [default: bounds; nonrelevant where the judgements name relevant documents only].
        topics: Use only these topics: a comma-separated list, or a file with one topic per line.
        missing_topics: How to treat judged topics that are missing in a run: zero (Score them as empty result lists
            (0), as trec_eval -c does); skip (Exclude them from that run's mean, as trec_eval does without -c);
            error (Report an error).
        ties: Order of documents with equal scores: docno (By docno, descending, as trec_eval does); file (In the
            order of the file); range (By docno, plus the minimum, maximum and expected value over all tie orders).
        profile: Compare scores as trec_eval 9 does (float32) or as trec_eval 10 does (float64): 9; 10.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (detected from the content); trec (topic Q0 docno rank score tag);
            msmarco (topic docno rank); csv (a header (query_id,doc_id,score) and one row per document); tsv (a
            header (query_id doc_id score) and one row per document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (one object {query_id, doc_id, score} per document); parquet
            (columns query_id, doc_id, score).
        max_grade: Largest possible grade [default: the largest in the judgements].
        documents: Number of documents in the collection (required by Accuracy).
        memory: Memory for runs that are not grouped by topic (500M, 2G); beyond it, temporary files in TMPDIR are
            used [default: no limit].
        threads: Number of threads [default: all cores]; does not change results.
        output: File to write the page to.
        baseline: Name of the run that the others are compared with [default: the first run].
        level: Confidence level.
        rankings_depth: Number of ranks per ranking that the page includes [default: 100, fewer with more than
            10,000 rankings].
        queries: Texts of the topics: TREC SGML (`<top>`), lines of name, tab and text, CSV or TSV with a header, or
            JSON objects.
        corpus: Texts of the documents: JSON objects, CSV or TSV with a name (docno, _id, id, ...) and title, text
            or contents.
        calibration: Correct measures for the judges' errors; FILE is written by karat judges calibrate -o.
        labels: Labels of several judges, to show their agreement (repeatable).
        labels_format: Format of the labels [default: detected from the content]: label-studio; quepid-book;
            opensearch; umbrela; doccano; quepid-book-csv; records; trec.
        words: Grade or state of each word label, such as 'Relevant=1,Not relevant=0,Broken link=cannot'.
        judge: Use only the labels of this judge (repeatable); all gold labels are used.
        repeats: How to treat a second label by the same judge for the same document: refuse (Report an error);
            first (Keep the first); last (Keep the last).
        scale: Grades of the scale, ascending, such as 0,1,2,3 or -100..100 [default: whole numbers from 0 to the
            largest grade].
        binary: Replace grades from GRADE up by 1 and lower ones by 0.
        published: Published RBP scores (system, p, score, residual), to convert to other values of p.
        sample: Judged form of a sample that karat settle drew (repeatable, one per batch): verdicts on its runs and
            measures rest on it.
        partial: Allow rows of sample without a label: the interval allows for every label they may have.
        draws: Maximum number of simulated judgement sets; stops early once the estimate is precise enough.
        seed: Random seed.
        figures: Save every figure as SVG and PNG in this folder (created if missing).
        measures: Measures, comma-separated or repeated: AP, nDCG@10, 'P(rel=2)@5', 'RBP(p=0.8)'; names of trec_eval
            and ranx work too [default: AP, nDCG@10, P@10, RBP(p=0.8)].
    """
    return run(
        Page,
        "report",
        {"qrels": qrels, "runs": several(runs)},
        {
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
            "corpus": corpus,
            "calibration": calibration,
            "labels": labels,
            "labels_format": labels_format,
            "words": words,
            "judge": judge,
            "repeats": repeats,
            "scale": scale,
            "binary": binary,
            "published": published,
            "sample": sample,
            "partial": partial,
            "draws": draws,
            "seed": seed,
            "figures": figures,
            "measures": measures,
        },
        others,
    )


def compare(
    qrels: Input,
    *runs: Input,
    relevance_level: float = 1.0,
    depth: int | None = None,
    judged_only: bool = False,
    unjudged: str | float | None = None,
    topics: Input | None = None,
    missing_topics: Literal["zero", "skip", "error"] = "zero",
    ties: Literal["docno", "file", "range"] = "docno",
    profile: Literal["9", "10"] = "10",
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "label-studio", "beir",
        "csv", "tsv", "json", "jsonl", "parquet"
    ] = "auto",
    run_format: Literal["auto", "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet"] = "auto",
    max_grade: float | None = None,
    documents: int | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    baseline: str | float | None = None,
    all_pairs: bool = False,
    test: Literal["t", "randomization", "bootstrap_shift", "bootstrap_t", "wilcoxon", "sign", "bounded", "bayes"] | Iterable[Literal[
        "t", "randomization", "bootstrap_shift", "bootstrap_t", "wilcoxon", "sign", "bounded", "bayes"]
    ] | None = None,
    correction: Literal["holm", "bonferroni", "benjamini_hochberg", "none", "max_t", "tukey"] | None = None,
    permutations: int = 100000,
    rope: float = 0.01,
    tie: float = 0.0,
    level: float = 0.95,
    interval: Literal["auto", "t", "bca"] = "auto",
    resamples: int = 10000,
    power: float = 0.8,
    strict: bool = False,
    margin: float | None = None,
    gate: Literal["better", "not-worse", "equivalent", "decided"] | None = None,
    sample: str | float | Iterable[str | float] | None = None,
    partial: bool = False,
    calibration: Input | None = None,
    draws: int = 200,
    by_query: bool = False,
    sensitivity: bool = False,
    other_qrels: Input | None = None,
    seed: int = 1,
    figures: Path | bool | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    measures: str | float | Iterable[str | float] | None = None,
    **others: Any,
) -> CompareAnswer:
    """Compare runs: significance, unjudged documents, judges

    Parameters:
        qrels: Judgements file, or `-` for standard input. Format and compression are detected.
        runs: Two or more runs; the first is the baseline (see baseline).
        relevance_level: Minimum grade that counts as relevant in binary measures (unless set by rel=...).
        depth: Use only the first N ranks.
        judged_only: Remove unjudged documents from the ranking.
        unjudged: How to treat unjudged documents:
            - bounds: treat as not relevant; show bounds over all possible judgements
            - nonrelevant: treat as not relevant; no bounds
            - condensed: remove from the ranking (same as -J)
            - band: probability from judged documents at similar ranks
            - fit: probability from the best of three rank models
            - urn: probability from Park's urn model, given the judged documents of the list
            - q=0.1: relevant with this probability
            [default: bounds; nonrelevant where the judgements name relevant documents only].
        topics: Use only these topics: a comma-separated list, or a file with one topic per line.
        missing_topics: How to treat judged topics that are missing in a run: zero (Score them as empty result lists
            (0), as trec_eval -c does); skip (Exclude them from that run's mean, as trec_eval does without -c);
            error (Report an error).
        ties: Order of documents with equal scores: docno (By docno, descending, as trec_eval does); file (In the
            order of the file); range (By docno, plus the minimum, maximum and expected value over all tie orders).
        profile: Compare scores as trec_eval 9 does (float32) or as trec_eval 10 does (float64): 9; 10.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (detected from the content); trec (topic Q0 docno rank score tag);
            msmarco (topic docno rank); csv (a header (query_id,doc_id,score) and one row per document); tsv (a
            header (query_id doc_id score) and one row per document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (one object {query_id, doc_id, score} per document); parquet
            (columns query_id, doc_id, score).
        max_grade: Largest possible grade [default: the largest in the judgements].
        documents: Number of documents in the collection (required by Accuracy).
        memory: Memory for runs that are not grouped by topic (500M, 2G); beyond it, temporary files in TMPDIR are
            used [default: no limit].
        threads: Number of threads [default: all cores]; does not change results.
        baseline: Name of the run that the others are compared with [default: the first run].
        all_pairs: Compare every pair, not only each run with the baseline.
        test: Tests, comma-separated (see karat explain TEST). The randomisation test is always included: verdicts
            use it: t; randomization; bootstrap_shift; bootstrap_t; wilcoxon; sign; bounded; bayes (t,randomization
            when not given).
        correction: Correction of p for the number of pairs per measure [default: holm, or max_t with all_pairs]:
            holm; bonferroni; benjamini_hochberg; none; max_t; tukey.
        permutations: Random permutations or resamples per test.
        rope: Half the width of the region of practical equivalence, for test bayes.
        tie: Differences up to this size are ties, for test sign.
        level: Confidence level; a verdict needs an adjusted p below 1 - level.
        interval: Method of the confidence intervals over topics: auto (Chosen from the scores and the range of the
            measure: exact for proportions, Student's t unless the scores speak against it, else bounded mean (see
            karat explain auto)); t (Student's t); bca (Bias-corrected and accelerated bootstrap over topics).
        resamples: Number of bootstrap resamples.
        power: Power for the smallest detectable difference and the number of topics needed.
        strict: Name a better run only if the verdict rests on no assumption about unjudged documents (certain, or
            sampled).
        margin: A difference that does not matter, for gate not-worse and equivalent.
        gate: Exit with status 1 unless this holds for every measure and every pair with the baseline: better (Every
            other run is better than the baseline); not-worse (No other run is worse than the baseline by more than
            the margin); equivalent (Every other run differs from the baseline by no more than the margin); decided
            (Every comparison has a verdict).
        sample: Judged form of a sample that karat settle drew (repeatable, one per batch): the verdict rests on it.
        partial: Allow rows of sample without a label: the interval allows for every label they may have.
        calibration: Correct linear measures (P, RBP, DCG, CG) for the judges' errors; FILE is written by karat
            judges calibrate -o.
        draws: Maximum number of simulated judgement sets; stops early once the estimate is precise enough.
        by_query: Also list every topic, with its difference and difficulty.
        sensitivity: Repeat the comparison with other values of p, cut-off, gains, relevance threshold, ties and
            missing topics, one at a time.
        other_qrels: Other judgements of the same topics: how far does the order of the runs change? Needs three or
            more runs.
        seed: Random seed.
        figures: Save every figure as SVG and PNG in this folder (created if missing).
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
        measures: Measures, comma-separated or repeated: AP, nDCG@10, 'P(rel=2)@5', 'RBP(p=0.8)'; names of trec_eval
            and ranx work too [default: AP, nDCG@10, RBP(p=0.8)].

    Example:
        >>> qrels = {f"q{n}": {"d1": 1, "d2": 0} for n in range(8)}
        >>> good = {topic: {"d1": 2.0, "d2": 1.0} for topic in qrels}
        >>> bad = {topic: {"d1": 3.0 if topic == "q0" else 1.0, "d2": 2.0} for topic in qrels}
        >>> result = karat.compare(qrels, {"good": good, "bad": bad}, measures="RR")
        >>> first = result.comparisons[0]
        >>> first.a, first.b, first.difference, first.verdict
        ('good', 'bad', 0.4375, 'a')
    """
    return run(
        CompareAnswer,
        "compare",
        {"qrels": qrels, "runs": several(runs)},
        {
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
            "margin": margin,
            "gate": gate,
            "sample": sample,
            "partial": partial,
            "calibration": calibration,
            "draws": draws,
            "by_query": by_query,
            "sensitivity": sensitivity,
            "other_qrels": other_qrels,
            "seed": seed,
            "figures": figures,
            "format": format,
            "output": output,
            "measures": measures,
        },
        others,
    )


def budget(
    qrels: Input,
    *runs: Input,
    relevance_level: float = 1.0,
    depth: int | None = None,
    judged_only: bool = False,
    unjudged: str | float | None = None,
    topics: Input | None = None,
    missing_topics: Literal["zero", "skip", "error"] = "zero",
    ties: Literal["docno", "file", "range"] = "docno",
    profile: Literal["9", "10"] = "10",
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "label-studio", "beir",
        "csv", "tsv", "json", "jsonl", "parquet"
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
    draws: int | None = None,
    seed: int = 1,
    figures: Path | bool | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    measures: str | float | Iterable[str | float] | None = None,
    **others: Any,
) -> BudgetAnswer:
    """Show the sources of uncertainty and the cheapest way to reduce it

    Parameters:
        qrels: Judgements file, or `-` for standard input. Format and compression are detected.
        runs: One run, or two for the budget of their difference.
        relevance_level: Minimum grade that counts as relevant in binary measures (unless set by rel=...).
        depth: Use only the first N ranks.
        judged_only: Remove unjudged documents from the ranking.
        unjudged: How to treat unjudged documents:
            - bounds: treat as not relevant; show bounds over all possible judgements
            - nonrelevant: treat as not relevant; no bounds
            - condensed: remove from the ranking (same as -J)
            - band: probability from judged documents at similar ranks
            - fit: probability from the best of three rank models
            - urn: probability from Park's urn model, given the judged documents of the list
            - q=0.1: relevant with this probability
            [default: bounds; nonrelevant where the judgements name relevant documents only].
        topics: Use only these topics: a comma-separated list, or a file with one topic per line.
        missing_topics: How to treat judged topics that are missing in a run: zero (Score them as empty result lists
            (0), as trec_eval -c does); skip (Exclude them from that run's mean, as trec_eval does without -c);
            error (Report an error).
        ties: Order of documents with equal scores: docno (By docno, descending, as trec_eval does); file (In the
            order of the file); range (By docno, plus the minimum, maximum and expected value over all tie orders).
        profile: Compare scores as trec_eval 9 does (float32) or as trec_eval 10 does (float64): 9; 10.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (detected from the content); trec (topic Q0 docno rank score tag);
            msmarco (topic docno rank); csv (a header (query_id,doc_id,score) and one row per document); tsv (a
            header (query_id doc_id score) and one row per document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (one object {query_id, doc_id, score} per document); parquet
            (columns query_id, doc_id, score).
        max_grade: Largest possible grade [default: the largest in the judgements].
        documents: Number of documents in the collection (required by Accuracy).
        memory: Memory for runs that are not grouped by topic (500M, 2G); beyond it, temporary files in TMPDIR are
            used [default: no limit].
        threads: Number of threads [default: all cores]; does not change results.
        calibration: Correct linear measures (P, RBP, DCG, CG) for the judges' errors, with a file from karat judges
            calibrate -o FILE.
        target_width: The width that the interval should have, from end to end: adds advice on the cheapest way to
            reach it.
        price: Prices, such as topic=30,judgement=1,gold=5; `none` for what is not available. Default of a topic:
            the price of as many judgements as the present topics have on average.
        level: Confidence level.
        draws: Random draws of unjudged relevance per topic, for measures without a closed form; default: 200, fewer
            for more than a million documents.
        seed: Seed of all random numbers.
        figures: Save every figure as SVG and PNG in this folder (created if missing).
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
        measures: Measures, comma-separated or repeated: AP, nDCG@10, 'P(rel=2)@5', 'RBP(p=0.8)'; names of trec_eval
            and ranx work too [default: RBP(p=0.8)].
    """
    return run(
        BudgetAnswer,
        "budget",
        {"qrels": qrels, "runs": several(runs)},
        {
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
            "measures": measures,
        },
        others,
    )


def settle(
    qrels: Input,
    *runs: Input,
    relevance_level: float = 1.0,
    depth: int | None = None,
    judged_only: bool = False,
    unjudged: str | float | None = None,
    topics: Input | None = None,
    missing_topics: Literal["zero", "skip", "error"] = "zero",
    ties: Literal["docno", "file", "range"] = "docno",
    profile: Literal["9", "10"] = "10",
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "label-studio", "beir",
        "csv", "tsv", "json", "jsonl", "parquet"
    ] = "auto",
    run_format: Literal["auto", "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet"] = "auto",
    max_grade: float | None = None,
    documents: int | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    baseline: str | float | None = None,
    for_: Literal["difference", "scores"] | Iterable[Literal["difference", "scores"]] | None = None,
    count: int | None = None,
    power: float = 0.8,
    difference: float | None = None,
    design: Literal["documents", "topics"] | None = None,
    batches: int | None = None,
    peek: bool = False,
    sample: str | float | Iterable[str | float] | None = None,
    form: Path | None = None,
    form_format: Literal["trec", "sampled", "prels", "csv", "tsv", "jsonl", "label-studio"] | None = None,
    queries: Input | None = None,
    corpus: Input | None = None,
    level: float = 0.95,
    seed: int = 1,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    measures: str | float | Iterable[str | float] | None = None,
    **others: Any,
) -> SettleAnswer:
    """Draw the documents whose judgement settles which run is better

    Parameters:
        qrels: Judgements so far, or `-` for standard input. Format and compression are detected.
        runs: Two or more runs, the first the baseline (see baseline); one is enough with for scores.
        relevance_level: Minimum grade that counts as relevant in binary measures (unless set by rel=...).
        depth: Use only the first N ranks.
        judged_only: Remove unjudged documents from the ranking.
        unjudged: How to treat unjudged documents:
            - bounds: treat as not relevant; show bounds over all possible judgements
            - nonrelevant: treat as not relevant; no bounds
            - condensed: remove from the ranking (same as -J)
            - band: probability from judged documents at similar ranks
            - fit: probability from the best of three rank models
            - urn: probability from Park's urn model, given the judged documents of the list
            - q=0.1: relevant with this probability
            [default: bounds; nonrelevant where the judgements name relevant documents only].
        topics: Use only these topics: a comma-separated list, or a file with one topic per line.
        missing_topics: How to treat judged topics that are missing in a run: zero (Score them as empty result lists
            (0), as trec_eval -c does); skip (Exclude them from that run's mean, as trec_eval does without -c);
            error (Report an error).
        ties: Order of documents with equal scores: docno (By docno, descending, as trec_eval does); file (In the
            order of the file); range (By docno, plus the minimum, maximum and expected value over all tie orders).
        profile: Compare scores as trec_eval 9 does (float32) or as trec_eval 10 does (float64): 9; 10.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (detected from the content); trec (topic Q0 docno rank score tag);
            msmarco (topic docno rank); csv (a header (query_id,doc_id,score) and one row per document); tsv (a
            header (query_id doc_id score) and one row per document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (one object {query_id, doc_id, score} per document); parquet
            (columns query_id, doc_id, score).
        max_grade: Largest possible grade [default: the largest in the judgements].
        documents: Number of documents in the collection (required by Accuracy).
        memory: Memory for runs that are not grouped by topic (500M, 2G); beyond it, temporary files in TMPDIR are
            used [default: no limit].
        threads: Number of threads [default: all cores]; does not change results.
        baseline: Name of the run that the others are compared with [default: the first run].
        for_: What is to be estimated, comma-separated: the difference of runs, or every run's own score (then give
            count) [default: difference]: difference (The difference of runs: which is better); scores (Every run's
            own score).
        count: Draw this many documents [default: as many as the plan says].
        power: Probability of a verdict that is planned for.
        difference: Difference to be found [default: the one that judged documents lead one to expect].
        design: Draw documents, or topics in which all documents that matter are judged [default: documents where
            the measures allow it]: documents (Documents, in proportion to what each can change); topics (Topics;
            all documents that matter in them are judged).
        batches: Plan this many batches, with a look after each.
        peek: Allow any number of batches, each with a stricter test.
        sample: Judged forms of earlier batches (repeatable): draw the next one.
        form: Also write a form for judges to complete. The extension sets the format: TREC (.qrels, .txt), CSV
            (.csv), JSON Lines (.jsonl) or Label Studio (.json); an additional .gz or .zst compresses it.
        form_format: Format of the form [default: from the extension of form]; sampled and prels are for karat
            sample: trec; sampled; prels; csv; tsv; jsonl; label-studio.
        queries: Texts of the queries for the form: lines of name, tab and text, CSV or TSV with a header, JSON
            objects, or TREC SGML.
        corpus: Texts of the documents for the form: JSON objects, CSV or TSV with a name (_id, doc_id, docno, ...)
            and title, text or contents.
        level: Confidence level of the verdict.
        seed: Seed of the draws.
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
        measures: Measures, comma-separated or repeated: AP, nDCG@10, 'P(rel=2)@5', 'RBP(p=0.8)'; names of trec_eval
            and ranx work too [default: nDCG@10].
    """
    return run(
        SettleAnswer,
        "settle",
        {"qrels": qrels, "runs": several(runs)},
        {
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
            "for_": for_,
            "count": count,
            "power": power,
            "difference": difference,
            "design": design,
            "batches": batches,
            "peek": peek,
            "sample": sample,
            "form": form,
            "form_format": form_format,
            "queries": queries,
            "corpus": corpus,
            "level": level,
            "seed": seed,
            "format": format,
            "output": output,
            "measures": measures,
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
    relevance_level: float = 1.0,
    depth: int | None = None,
    judged_only: bool = False,
    unjudged: str | float | None = None,
    topics: Input | None = None,
    missing_topics: Literal["zero", "skip", "error"] = "zero",
    ties: Literal["docno", "file", "range"] = "docno",
    profile: Literal["9", "10"] = "10",
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "label-studio", "beir",
        "csv", "tsv", "json", "jsonl", "parquet"
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
    measures: str | float | Iterable[str | float] | None = None,
    **others: Any,
) -> TuneAnswer:
    """Choose on development topics, evaluate on test topics

    Parameters:
        qrels: Judgements file of all topics. Format and compression are detected.
        runs: Two or more runs to choose from.
        manifest: Table of runs instead (CSV or TSV): column `run` with files relative to the table, other columns
            with parameters.
        dev: Development topics: a comma-separated list, or a file with one per line [default: all that are not test
            topics].
        test: Test topics; none may be a development topic.
        folds: Folds of the cross-validation; given, they are listed [default: 10, or the number of topics if
            fewer].
        repeats: Number of random splits into folds.
        baseline: Name of the run to compare with [default: the first run].
        reveal: Show test scores of every run.
        log: File that records looks at test topics [default: karat-tune.log next to -o, or in the current folder].
        level: Confidence level.
        relevance_level: Minimum grade that counts as relevant in binary measures (unless set by rel=...).
        depth: Use only the first N ranks.
        judged_only: Remove unjudged documents from the ranking.
        unjudged: How to treat unjudged documents:
            - bounds: treat as not relevant; show bounds over all possible judgements
            - nonrelevant: treat as not relevant; no bounds
            - condensed: remove from the ranking (same as -J)
            - band: probability from judged documents at similar ranks
            - fit: probability from the best of three rank models
            - urn: probability from Park's urn model, given the judged documents of the list
            - q=0.1: relevant with this probability
            [default: bounds; nonrelevant where the judgements name relevant documents only].
        topics: Use only these topics: a comma-separated list, or a file with one topic per line.
        missing_topics: How to treat judged topics that are missing in a run: zero (Score them as empty result lists
            (0), as trec_eval -c does); skip (Exclude them from that run's mean, as trec_eval does without -c);
            error (Report an error).
        ties: Order of documents with equal scores: docno (By docno, descending, as trec_eval does); file (In the
            order of the file); range (By docno, plus the minimum, maximum and expected value over all tie orders).
        profile: Compare scores as trec_eval 9 does (float32) or as trec_eval 10 does (float64): 9; 10.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (detected from the content); trec (topic Q0 docno rank score tag);
            msmarco (topic docno rank); csv (a header (query_id,doc_id,score) and one row per document); tsv (a
            header (query_id doc_id score) and one row per document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (one object {query_id, doc_id, score} per document); parquet
            (columns query_id, doc_id, score).
        max_grade: Largest possible grade [default: the largest in the judgements].
        documents: Number of documents in the collection (required by Accuracy).
        memory: Memory for runs that are not grouped by topic (500M, 2G); beyond it, temporary files in TMPDIR are
            used [default: no limit].
        threads: Number of threads [default: all cores]; does not change results.
        permutations: Number of permutations of the randomisation test.
        resamples: Resamples for the standard error of the optimism.
        draws: Number of simulated judgements of the unjudged documents.
        seed: Random seed.
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
        measures: Measures, comma-separated or repeated: AP, nDCG@10, 'P(rel=2)@5', 'RBP(p=0.8)'; names of trec_eval
            and ranx work too [default: nDCG@10].
    """
    return run(
        TuneAnswer,
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
            "measures": measures,
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
) -> PlanJudgesAnswer:
    """Number of queries, bronze labels and gold labels needed, and the cheapest mix

    Parameters:
        score: Current mean score over queries by bronze labels.
        sd: Standard deviation of the score over queries; not needed for P@1.
        relevant: Relevant pairs (by gold): those that bronze called relevant / all, such as 43/59.
        nonrelevant: Non-relevant pairs (by gold): those that bronze called non-relevant / all, such as 67/84.
        table: Counts of pairs by gold grade (rows, lowest first) and bronze grade, such as '67,17;16,43'.
        grades: Grades of table, ascending; default: 0,1,.
        calibration: File written by karat judges calibrate -o judges.json.
        difference: True difference between two systems to find.
        width: Largest width of the interval of the corrected score.
        power: Probability of finding the difference.
        paired_sd: Standard deviation of the difference over queries, if both systems get the same queries.
        calibration_errors: Whether both systems share one calibration: shared (One calibration serves both
            systems); independent (Each system has its own calibration).
        labels_per_query: Bronze labels per query and system, such as 10 for P@10.
        bronze_price: Price of a bronze label.
        gold_price: Price of a gold label.
        level: Confidence level of the test or interval.
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
    """
    return run(
        PlanJudgesAnswer,
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
    correction: Literal["max_t", "tukey", "bonferroni", "none"] | None = None,
    relevance_level: float = 1.0,
    depth: int | None = None,
    judged_only: bool = False,
    unjudged: str | float | None = None,
    missing_topics: Literal["zero", "skip", "error"] = "zero",
    ties: Literal["docno", "file", "range"] = "docno",
    profile: Literal["9", "10"] = "10",
    qrels_format: Literal[
        "auto", "trec", "diversity", "sampled", "prels", "trec-prefs", "trec-jg", "label-studio", "beir",
        "csv", "tsv", "json", "jsonl", "parquet"
    ] = "auto",
    run_format: Literal["auto", "trec", "msmarco", "csv", "tsv", "json", "jsonl", "parquet"] = "auto",
    max_grade: float | None = None,
    documents: int | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    format: Literal["terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"] | None = None,
    output: Path | None = None,
    only_topics: Input | None = None,
    measures: str | float | Iterable[str | float] | None = None,
    **others: Any,
) -> PlanTopicsAnswer:
    """Number of topics needed to detect a difference, or what a number of topics can show

    Parameters:
        qrels: Judgements of the pilot.
        runs: Pilot runs, to estimate how much differences vary between topics.
        sd: Standard deviation over topics of the difference of two systems (with of score: of a score).
        sd_topics: Number of topics from which sd was estimated.
        difference: Detect a true difference of this size.
        half_width: Reach an interval of at most this half width.
        topics: Show what this number of topics can detect.
        of: What the interval is for [default: difference; score with one pilot run]: difference (The difference of
            two systems); score (One system's mean score).
        power: Probability of detecting the difference.
        level: Confidence level of all tests or intervals together.
        systems: Systems in the planned experiment [default: the number of pilot runs, or 2].
        pairs: Which systems are compared: all (Every pair); baseline (Each system with a baseline).
        correction: Correction for several comparisons [default: max_t for all pairs, bonferroni with pairs
            baseline]: max_t (Max-T over all pairs, as the pilot runs vary); tukey (Tukey's test of all pairs, for
            systems that vary alike); bonferroni (Divide the error rate by the number of comparisons); none (No
            correction).
        relevance_level: Minimum grade that counts as relevant in binary measures (unless set by rel=...).
        depth: Use only the first N ranks.
        judged_only: Remove unjudged documents from the ranking.
        unjudged: How to treat unjudged documents:
            - bounds: treat as not relevant; show bounds over all possible judgements
            - nonrelevant: treat as not relevant; no bounds
            - condensed: remove from the ranking (same as -J)
            - band: probability from judged documents at similar ranks
            - fit: probability from the best of three rank models
            - urn: probability from Park's urn model, given the judged documents of the list
            - q=0.1: relevant with this probability
            [default: bounds; nonrelevant where the judgements name relevant documents only].
        missing_topics: How to treat judged topics that are missing in a run: zero (Score them as empty result lists
            (0), as trec_eval -c does); skip (Exclude them from that run's mean, as trec_eval does without -c);
            error (Report an error).
        ties: Order of documents with equal scores: docno (By docno, descending, as trec_eval does); file (In the
            order of the file); range (By docno, plus the minimum, maximum and expected value over all tie orders).
        profile: Compare scores as trec_eval 9 does (float32) or as trec_eval 10 does (float64): 9; 10.
        qrels_format: Format of the judgements.
        run_format: Format of the runs: auto (detected from the content); trec (topic Q0 docno rank score tag);
            msmarco (topic docno rank); csv (a header (query_id,doc_id,score) and one row per document); tsv (a
            header (query_id doc_id score) and one row per document, separated by tabs); json ({topic: {document:
            score}}, or an array of objects); jsonl (one object {query_id, doc_id, score} per document); parquet
            (columns query_id, doc_id, score).
        max_grade: Largest possible grade [default: the largest in the judgements].
        documents: Number of documents in the collection (required by Accuracy).
        memory: Memory for runs that are not grouped by topic (500M, 2G); beyond it, temporary files in TMPDIR are
            used [default: no limit].
        threads: Number of threads [default: all cores]; does not change results.
        format: Output format [default: from the extension of -o, else terminal]: terminal; json; jsonl; csv; tsv;
            markdown; latex; html.
        output: Write to this file instead of standard output.
        only_topics: Use only these topics: a comma-separated list, or a file with one topic per line.
        measures: Measures, comma-separated or repeated: AP, nDCG@10, 'P(rel=2)@5', 'RBP(p=0.8)'; names of trec_eval
            and ranx work too [default: AP, nDCG@10, RBP(p=0.8)].
    """
    return run(
        PlanTopicsAnswer,
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
            "measures": measures,
        },
        others,
    )
