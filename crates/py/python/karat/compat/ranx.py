"""ranx's `evaluate` on karat: `from karat.compat.ranx import evaluate`.

Metric names (`ndcg@10`, `mrr`, `map@100-l2`, `rbp.80`), arguments and shapes of answers are ranx's; judgements and
runs are ranx's own objects, dicts, other mappings, or paths of TREC files. docs/guide/coming-from-ranx.md says which
numbers differ, and why.
"""
import math
import os
import re
from collections.abc import Mapping
from typing import Any, cast

from karat._karat import compat as _compat

__all__ = ["evaluate", "spec"]

# ranx's name: karat's measure at a cut-off, and without one.
_MEASURES = {
    "hits": ("NumRelRet", "NumRelRet"),
    "hit_rate": ("Success", None),
    "precision": ("P", "SetP"),
    "recall": ("R", "SetR"),
    "f1": ("F", "SetF"),
    "r-precision": (None, "Rprec"),
    "mrr": ("RR", "RR"),
    "map": ("AP", "AP"),
    "dcg": ("DCG", "DCG"),
    "dcg_burges": ("DCG(dcg=exp-log2)", "DCG(dcg=exp-log2)"),
    "ndcg": ("nDCG", "nDCG"),
    "ndcg_burges": ("nDCG(dcg=exp-log2)", "nDCG(dcg=exp-log2)"),
    "bpref": (None, "Bpref"),
}
_NAME = re.compile(r"(?P<name>[a-z_0-9-]+?)(?:@(?P<cutoff>[0-9]+))?(?:-l(?P<level>[0-9]+))?")
_RBP = re.compile(r"rbp[.@](?P<digits>[0-9]+)(?:-l(?P<level>[0-9]+))?")
# Success without a cut-off is success anywhere: no list is longer.
_ANYWHERE = 2**32 - 1


def spec(metric: str) -> str:
    """The text of a metric as karat writes it.

    Raises:
        ValueError: ranx has no such metric.
    """
    match = _RBP.fullmatch(metric)
    if match:
        return _with(f"RBP(p=0.{match['digits']})", match["level"])
    match = _NAME.fullmatch(metric)
    if match is None or match["name"] not in _MEASURES:
        names = ", ".join([*_MEASURES, "rbp.80"])
        raise ValueError(f"metric {metric!r}: expected one of {names}, with @cutoff and -l2 where wanted")
    at_cutoff, without = _MEASURES[match["name"]]
    cutoff, level = match["cutoff"], match["level"]
    if match["name"] == "hit_rate" and not int(cutoff or 0):
        at_cutoff, cutoff = "Success", str(_ANYWHERE)
    # ranx takes 0 for no cut-off, and passes over a cut-off that a metric does not use.
    base = at_cutoff if int(cutoff or 0) and at_cutoff else without
    if level and base and "DCG" in base:
        text = _without_gains(base, int(level))
    else:
        text = _with(cast(str, base), level)
    return f"{text}@{cutoff}" if int(cutoff or 0) and at_cutoff else text


def _with(text: str, level: str | None) -> str:
    """The measure at a relevance level."""
    if level is None:
        return text
    if int(level) < 1:
        raise ValueError(f"relevance level -l{level}: expected one from 1")
    return f"{text[:-1]},rel={level})" if text.endswith(")") else f"{text}(rel={level})"


def _without_gains(text: str, level: int) -> str:
    """ranx takes the gain from grades below the level; karat's level, as trec_eval's, does not touch gains."""
    if level > 1000:
        raise ValueError(f"relevance level -l{level}: expected one up to 1000")
    gains = ",".join(f"{grade}:0" for grade in range(1, level))
    if not gains:
        return text
    return f"{text[:-1]},gains={{{gains}}})" if text.endswith(")") else f"{text}(gains={{{gains}}})"


def evaluate(
    qrels: Any,
    run: Any,
    metrics: list[str] | str,
    return_mean: bool = True,
    return_std: bool = False,
    threads: int = 0,
    save_results_in_run: bool = True,
    make_comparable: bool = False,
) -> Any:
    """The metrics of a run, as ranx returns them.

    Args:
        qrels: A `ranx.Qrels`, `{topic: {document: grade}}`, or the path of a TREC file.
        run: A `ranx.Run`, `{topic: {document: score}}`, or the path of a TREC file.
        metrics: One name or several.
        return_mean: Whether to return means over the topics of the judgements, or an array with a value for each
            topic, in the order of their names.
        return_std: Whether to return `{"mean": ..., "std": ...}`.
        threads: Taken and not used: karat takes what the work is worth.
        save_results_in_run: Whether to keep the values in a `ranx.Run`, as ranx does.
        make_comparable: Whether topics without a list count as empty lists, and lists without judgements are left out.

    Raises:
        AssertionError: Topics of the two differ, and `make_comparable` is not asked for.
    """
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    texts = {name: spec(name) for name in names}
    evaluator = _compat.Evaluator.measures(_plain(qrels), list(dict.fromkeys(texts.values())))
    given = _plain(run)
    is_file = isinstance(given, (str, os.PathLike))
    answers = evaluator.evaluate_file(given) if is_file else evaluator.evaluate(given)
    missing = evaluator.missing(answers)
    if not make_comparable and (missing or (not is_file and len(answers) != len(given))):
        only_run = [] if is_file else [topic for topic in given if topic not in answers]
        raise AssertionError(
            f"topics of judgements and run differ (judged only: {_some(missing)}; in the run only: {_some(only_run)}); "
            "make_comparable=True scores the former as empty lists and leaves out the latter"
        )
    answers.update(missing)
    topics = sorted(answers)
    # Where a value is undefined ranx has 0.
    values = {name: [answers[topic][texts[name]] or 0.0 for topic in topics] for name in names}
    if save_results_in_run and hasattr(run, "mean_scores"):
        for name, column in values.items():
            run.mean_scores[name] = _mean(column)
            if return_std and return_mean:
                run.std_scores[name] = _deviation(column)
            run.scores[name].update(zip(topics, column, strict=True))
    results = {name: _shaped(column, return_mean, return_std) for name, column in values.items()}
    return results[names[0]] if len(names) == 1 else results


def _plain(given: Any) -> Any:
    """A mapping or a path; ranx's own objects become mappings."""
    if isinstance(given, (str, os.PathLike, Mapping)):
        return given
    return given.to_dict() if hasattr(given, "to_dict") else given


def _shaped(column: list[float], return_mean: bool, return_std: bool) -> Any:
    if not return_mean:
        return _array(column)
    return {"mean": _mean(column), "std": _deviation(column)} if return_std else _mean(column)


def _array(column: list[float]) -> Any:
    """A NumPy array, as ranx has it; a list where there is no NumPy."""
    try:
        import numpy
    except ImportError:
        return column
    return numpy.array(column)


def _mean(column: list[float]) -> float:
    if not column:
        raise ValueError("there is no judged topic: no mean")
    return math.fsum(column) / len(column)


def _deviation(column: list[float]) -> float:
    """With n in the denominator, as ranx has it."""
    mean = _mean(column)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in column) / len(column))


def _some(topics: Any) -> str:
    shown = ", ".join(map(repr, list(topics)[:3]))
    return (shown + ", ..." if len(topics) > 3 else shown) or "none"
