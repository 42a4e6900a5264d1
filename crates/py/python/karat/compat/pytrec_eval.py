"""pytrec_eval's interface on karat: `import karat.compat.pytrec_eval as pytrec_eval`.

Names, answers and numbers are those of pytrec_eval-terrier 0.5.11, that is, of trec_eval 9: scores are compared as
32-bit numbers, ties go by document name. What is different is said in docs/guide/coming-from-pytrec_eval.md; in
short: wrong values are refused with their place, where pytrec_eval stops the interpreter or goes on, numbers of NumPy
and mappings that are no dict are taken, threads may share an evaluator, and wherever a mapping is expected a path to
a file may be given.
"""
import math
import operator
import os
import re
import warnings
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import cast

from karat._karat import compat as _compat

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

Path = str | os.PathLike[str]

#: The names of all nicknames, with the measures they stand for.
supported_nicknames: dict[str, set[str]] = {
    nickname: set(members) for nickname, members in _compat.trec_eval_nicknames().items()
}
#: The names of all measures, without their parameters.
supported_measures: set[str] = set(supported_nicknames["all_trec"])

_PARAMETERS = re.compile(r"(?P<name>.+?)[._](?P<numbers>[0-9]+(?:\.[0-9]+)?(?:,[0-9]+(?:\.[0-9]+)?)*)")


class RelevanceEvaluator:
    """Scores runs against judgements.

    Args:
        query_relevance: `{topic: {document: grade}}`, or the path of a qrels file. Grades are whole numbers; one
            below 0 means that nobody judged the document.
        measures: Names (`map`), nicknames (`official`), names with cut-offs (`P_5`, `ndcg_cut.5,10`).
        relevance_level: The least grade that is relevant.
        judged_docs_only_flag: Whether documents without a grade are taken out of the lists.
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]] | Path,
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        try:
            level = operator.index(relevance_level)
        except TypeError:
            raise TypeError(f"relevance_level: expected a whole number from 1, found {relevance_level!r}") from None
        if level < 1:
            raise TypeError(f"relevance_level: expected a whole number from 1, found {level}")
        wanted = _combined(_expanded(measures))
        self._evaluator = _compat.Evaluator.trec_eval(query_relevance, wanted, level, bool(judged_docs_only_flag))
        for note in self._evaluator.notes:
            warnings.warn(note, UserWarning, stacklevel=2)

    def evaluate(self, scores: Mapping[str, Mapping[str, float]] | Path) -> dict[str, dict[str, float]]:
        """`{topic: {measure: value}}` for every topic that the run has and that was judged.

        Args:
            scores: `{topic: {document: score}}`, or the path of a run file.
        """
        if isinstance(scores, (str, os.PathLike)):
            return cast(dict[str, dict[str, float]], self._evaluator.evaluate_file(scores))
        if not scores:
            return {}
        return cast(dict[str, dict[str, float]], self._evaluator.evaluate(scores))


def _expanded(measures: Iterable[str]) -> list[str]:
    """Nicknames replaced by what they stand for."""
    if isinstance(measures, str):
        raise ValueError(f"measures: expected several names, found the string {measures!r}; write [{measures!r}]")
    found: dict[str, None] = {}
    for measure in measures:
        if not isinstance(measure, str):
            raise TypeError(f"measures: expected names (strings), found {measure!r}")
        found.update(dict.fromkeys(sorted(supported_nicknames.get(measure, {measure}))))
    return list(found)


def _combined(measures: Iterable[str]) -> list[str]:
    """`name.parameters`, each name once, with the parameters of all its mentions."""
    parameters: dict[str, set[str]] = {}
    for measure in measures:
        if measure in supported_measures:
            parameters.setdefault(measure, set())
            continue
        match = _PARAMETERS.fullmatch(measure)
        if match is None or match["name"] not in supported_measures:
            raise ValueError(f"unsupported measure {measure}")
        parameters.setdefault(match["name"], set()).update(match["numbers"].split(","))
    return [f"{name}.{','.join(sorted(own))}" if own else name for name, own in parameters.items()]


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """A run from lines `topic Q0 document rank score tag`, as `{topic: {document: score}}`.

    Raises:
        ValueError: A line that has not six fields, or a score that is no number.
        AssertionError: A document that a topic has twice.
    """
    run: dict[str, dict[str, float]] = defaultdict(dict)
    for number, line in enumerate(f_run, 1):
        fields = line.split()
        if len(fields) != 6:
            expected = "6 fields (topic Q0 document rank score tag)"
            raise ValueError(f"line {number}: expected {expected}, found {len(fields)}")
        topic, _, docno, _, text, _ = fields
        try:
            score = float(text)
        except ValueError:
            raise ValueError(f"line {number}, score (field 5): expected a number, found {text!r}") from None
        documents = run[topic]
        if docno in documents:
            raise AssertionError(f"line {number}: document {docno!r} of topic {topic!r} comes a second time")
        documents[docno] = score
    return run


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """Judgements from lines `topic 0 document grade`, as `{topic: {document: grade}}`.

    Raises:
        ValueError: A line that has not four fields, or a grade that is no whole number.
        AssertionError: A document that a topic has twice.
    """
    qrels: dict[str, dict[str, int]] = defaultdict(dict)
    for number, line in enumerate(f_qrel, 1):
        fields = line.split()
        if len(fields) != 4:
            raise ValueError(f"line {number}: expected 4 fields (topic 0 document grade), found {len(fields)}")
        topic, _, docno, text = fields
        try:
            grade = int(text)
        except ValueError:
            raise ValueError(f"line {number}, grade (field 4): expected a whole number, found {text!r}") from None
        documents = qrels[topic]
        if docno in documents:
            raise AssertionError(f"line {number}: document {docno!r} of topic {topic!r} comes a second time")
        documents[docno] = grade
    return qrels


def compute_aggregated_measure(measure: str, values: Iterable[float]) -> float:
    """One number from those of all topics: counts (`num_`) are added up, `gm_` is the geometric mean (of logarithms, as
    `evaluate` gives them), all others are averaged.

    Raises:
        ValueError: A mean of no values.
    """
    numbers = [float(value) for value in values]
    total = math.fsum(numbers)
    if measure.startswith("num_"):
        return total
    if not numbers:
        raise ValueError(f"{measure}: there is no mean of no values")
    return math.exp(total / len(numbers)) if measure.startswith("gm_") else total / len(numbers)
