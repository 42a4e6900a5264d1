"""karat as a provider of ir_measures: `import karat.compat.ir_measures`, and ir_measures asks karat first.

Every measure that karat has then comes from one program with one order of tied documents (by name, downwards) and
scores compared as 64-bit numbers, so that `RR` and `RR@10` of a run agree. The numbers of each topic are those of
`karat eval`.
Measures that karat does not have go to the other providers as before. docs/guide/coming-from-ir_measures.md says
which numbers change, and why.

Judgements and runs may also be paths (`pathlib.Path`), which karat reads itself, as long as every measure is karat's.
"""
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from typing import Any, cast

import ir_measures
from ir_measures import CalcResults, Metric, providers
from ir_measures.measures import Measure
from ir_measures.util import QrelsConverter, RunConverter

from karat._karat import compat as _compat
from karat._measures import spec

__all__ = ["KaratProvider", "install", "spec", "uninstall"]

class KaratProvider(providers.Provider):
    """karat's measures."""

    NAME = "karat"

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[str, bool] = {}

    def supports(self, measure: Measure) -> bool:
        """Whether karat has the measure with these parameters."""
        measure.validate_params()
        key = repr(measure)
        if key not in self._known:
            self._known[key] = _needs(measure) in ("grades", "subtopics")
        return self._known[key]

    def _evaluator(self, measures: Iterable[Measure], qrels: Any) -> "KaratEvaluator":
        return KaratEvaluator(list(measures), qrels)


def _needs(measure: Measure) -> str | None:
    text = spec(measure)
    try:
        return None if text is None else cast(str, _compat.needs(text))
    except ValueError:
        return None


class KaratEvaluator(providers.Evaluator):
    """Measures and judgements, ready for runs."""

    def __init__(self, measures: list[Measure], qrels: Any) -> None:
        unknown = [measure for measure in measures if _needs(measure) not in ("grades", "subtopics")]
        if unknown:
            raise ValueError(f"karat has no {', '.join(map(repr, unknown))}")
        groups: dict[tuple[str | None, bool, float | None], list[Measure]] = {}
        for measure in measures:
            params = measure.params
            key = (_needs(measure), bool(params.get("judged_only", False)), params.get("max_rel"))
            groups.setdefault(key, []).append(measure)
        self._path = isinstance(qrels, os.PathLike)
        if self._path and any(kind == "subtopics" for kind, _, _ in groups):
            raise ValueError(f"{qrels}: measures by subtopic need rows (ir_measures.read_trec_qrels), not a path")
        rows = None if self._path or all(kind == "grades" for kind, _, _ in groups) else _rows(qrels)
        judged = qrels if self._path else _grades(rows if rows is not None else qrels)
        self._groups = []
        for (kind, judged_only, max_grade), own in groups.items():
            # ir_measures takes an iteration 0 for a subtopic as any other.
            source = [(row.query_id, str(row.iteration), row.doc_id, row.relevance) for row in rows or ()]
            texts = [cast(str, spec(measure)) for measure in own]
            evaluator = _compat.Evaluator.measures(
                judged if kind == "grades" else source, texts, judged_only=judged_only, max_grade=max_grade
            )
            self._groups.append((own, evaluator))
        topics = self._groups[0][1].topics() if self._path and self._groups else list(judged)
        super().__init__(measures, set(topics))

    def _columns(self, run: Any) -> Iterator[tuple[Measure, list[str], list[float]]]:
        """Every measure with the topics and their values. A topic of the judgements that the run lacks has the
        measure's value for an empty list; what is undefined has ir_measures' default."""
        if not isinstance(run, os.PathLike):
            run = RunConverter(run).as_dict_of_dict()
        for own, evaluator in self._groups:
            answers = evaluator.evaluate_file(run) if isinstance(run, os.PathLike) else evaluator.evaluate(run)
            answers.update(evaluator.missing(answers))
            # A topic whose judgements are an empty mapping is a topic to ir_measures.
            lacking = [topic for topic in sorted(self.qrel_qids) if topic not in answers] if not self._path else []
            topics = [*answers, *lacking]
            rows = [values.values() for values in answers.values()]
            columns = zip(*rows, strict=True) if rows else [()] * len(own)
            for measure, column in zip(own, columns, strict=True):
                default = measure.DEFAULT
                values = [default if value is None else value for value in column]
                yield measure, topics, values + [default] * len(lacking)

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """The value of every measure for every judged topic."""
        for measure, topics, values in self._columns(run):
            # Without a step of Python's own for each of them.
            yield from map(Metric, topics, repeat(measure), values)

    _iter_calc = iter_calc

    def calc_aggregate(self, run: Any) -> dict[Measure, float]:
        """The value of every measure over all judged topics."""
        return {measure: _aggregate(measure, values) for measure, _, values in self._columns(run)}

    def calc(self, run: Any) -> CalcResults:
        """Both."""
        aggregated, metrics = {}, []
        for measure, topics, values in self._columns(run):
            aggregated[measure] = _aggregate(measure, values)
            metrics += [Metric(topic, measure, value) for topic, value in zip(topics, values, strict=True)]
        return CalcResults(aggregated, metrics)


def _aggregate(measure: Measure, values: list[float]) -> float:
    """By the measure's own rule; sums are rounded once, so that the order of topics does not matter."""
    aggregator = measure.aggregator()
    if not values:
        return aggregator.result()
    total = math.fsum(values)
    return total / len(values) if isinstance(aggregator, ir_measures.MeanAgg) else total


def _rows(qrels: Any) -> list[Any]:
    return list(QrelsConverter(qrels).as_namedtuple_iter())


def _grades(qrels: Any) -> Mapping[str, Mapping[str, float]]:
    return cast(Mapping[str, Mapping[str, float]], QrelsConverter(qrels).as_dict_of_dict())


def install() -> None:
    """Puts karat first in ir_measures' default pipeline. Done when this module is imported."""
    providers.registry["karat"] = _PROVIDER
    if _PROVIDER not in ir_measures.DefaultPipeline.providers:
        ir_measures.DefaultPipeline.providers.insert(0, _PROVIDER)


def uninstall() -> None:
    """Takes karat out of the default pipeline again."""
    if _PROVIDER in ir_measures.DefaultPipeline.providers:
        ir_measures.DefaultPipeline.providers.remove(_PROVIDER)


_PROVIDER = KaratProvider()
install()
