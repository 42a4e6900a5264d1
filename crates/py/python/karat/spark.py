"""Evaluation of runs that lie on a Spark cluster.

`evaluate` and `compare` are those of the package, with data frames of Spark in the place of tables. Rows go to where their
topic is; there karat aligns them with the topic's judgements, and what a measure sees of each list (judgements in rank
order, ties) comes back in a few bytes. The driver has every list and computes as if it had the files: no number depends on
partitions, executors, or one of them being lost.

Executors need the same karat as the driver, and pyarrow. The driver holds the judgements, and for `compare` which documents
the runs have in common; a task holds the rows of its partition.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from karat import _karat
from karat._call import arguments as typed_arguments
from karat._errors import InputError, KaratError, Problem, UsageError
from karat._inputs import Inputs
from karat._karat import Table
from karat._result import Result

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import Column, DataFrame

__all__ = ["compare", "evaluate"]

#: Parts of a shuffle; Spark keeps a record of each for every task.
MOST = 100_000
#: Types of columns, as Spark calls them, that hold names or numbers.
_WHOLE = ("tinyint", "smallint", "int", "bigint")
_NAMES = ("string", *_WHOLE)
_NUMBERS = ("float", "double", *_WHOLE)


def evaluate(
    run: DataFrame | Mapping[str, DataFrame] | Iterable[DataFrame],
    qrels: DataFrame,
    measures: str | Iterable[str] | None = None,
    *,
    partitions: int | None = None,
    **options: Any,
) -> Result:
    """How good is each run, and how sure is that?

    Parameters:
        run: A data frame with a row for each retrieved document (query_id, doc_id, score, and run where it holds several
            runs), or data frames by the runs' names.
        qrels: A data frame with a row for each judgement (query_id, doc_id, grade).
        measures: As for `karat.evaluate`.
        partitions: Parts that the topics are shuffled into; Spark's own choice when not given. A task holds the rows
            of one.
        options: The keywords of `karat.evaluate`, but for those that read the runs a second time in another way (gold,
            score_bands) and those of files.

    Runs of one data frame are in the order of their names, those of a mapping in its order.
    """
    return _ask("eval", run, qrels, measures, partitions, options)


def compare(
    runs: DataFrame | Mapping[str, DataFrame] | Iterable[DataFrame],
    qrels: DataFrame,
    measures: str | Iterable[str] | None = None,
    *,
    partitions: int | None = None,
    **options: Any,
) -> Result:
    """Which run is better, and does that survive queries, unjudged documents and judges?

    Parameters:
        runs: As for `evaluate`; at least two.
        qrels: As for `evaluate`.
        measures: As for `karat.compare`.
        partitions: As for `evaluate`.
        options: The keywords of `karat.compare`, but for those that read the runs a second time in another way
            (sensitivity, other_qrels) and those of files.
    """
    return _ask("compare", runs, qrels, measures, partitions, options)


def _ask(command: str, runs: Any, qrels: Any, measures: Any, partitions: int | None, options: dict[str, Any]) -> Result:
    if partitions is not None and (isinstance(partitions, bool) or not isinstance(partitions, int) or partitions < 1):
        raise UsageError(f"partitions: expected a whole number from 1 on, found {partitions!r}")
    if partitions is not None and partitions > MOST:
        raise UsageError(f"partitions: expected at most {MOST}, found {partitions}: each is a task")
    inputs = Inputs()
    typed, _, draw = typed_arguments(command, {}, {"measures": measures, **options}, _unknown(command, options), inputs)
    rows, judged = _Rows(runs), _Judgements(qrels)
    table = judged.gathered()
    anywhere = [*typed, "--", "qrels", "run", "run"]
    _karat.check_parts(anywhere, {**inputs.tables, "qrels": Table.from_arrow(table)}, "qrels")
    shuffled = rows.beside(judged)
    by_topic = shuffled.repartition("topic") if partitions is None else shuffled.repartition(partitions, "topic")
    work = partial(_part, anywhere, judged.names, rows.names)
    try:
        parts = [bytes(row["part"]) for row in by_topic.mapInArrow(work, "part binary").collect()]
    except Exception as error:
        if re.search(r"No module named '(karat|pyarrow)", str(error)):
            remedy = "install karat and pyarrow there, and name that Python: PYSPARK_PYTHON, before the session is made"
            raise KaratError(f"the executors' Python has no karat, or no pyarrow\nhelp: {remedy}") from error
        raise
    found = _karat.join_parts(anywhere, parts, rows.order)
    inputs.tables.update({run.name: run for run in found})
    inputs.tables["qrels"] = Table.from_arrow(table)
    answer = _karat.call([*typed, "--", "qrels", *(run.name for run in found)], inputs.tables, inputs.names, draw)
    return Result(answer)


def _unknown(command: str, options: dict[str, Any]) -> dict[str, Any]:
    from karat._options import COMMANDS

    known = {option.keyword for option in COMMANDS[command] if option.long is not None}
    return {name: options[name] for name in options if name not in known}


def _part(
    arguments: list[str], judged: list[str], rows: list[str], batches: Iterator[pyarrow.RecordBatch]
) -> Iterator[pyarrow.RecordBatch]:
    """Runs on executors: the rows of some topics as one part of the answer."""
    import pyarrow
    import pyarrow.compute

    given = list(batches)
    if not given:
        return
    table = pyarrow.Table.from_batches(given).combine_chunks()
    is_row = table.column("is_row")
    judgements = table.filter(pyarrow.compute.invert(is_row)).select(["topic", "document", "grade"])
    retrieved = table.filter(is_row).select(["topic", "document", "score", "run"])
    made = _karat.condense(arguments, judgements.rename_columns(judged), retrieved.rename_columns([*rows, "run"]))
    yield pyarrow.RecordBatch.from_arrays([pyarrow.array([made], pyarrow.binary())], ["part"])


class _Frame:
    """A data frame of Spark whose columns are understood by their names, as those of files are."""

    def __init__(self, frame: Any, data: str, called: str, numbers: tuple[str, ...]) -> None:
        if not hasattr(frame, "mapInArrow"):
            raise _problem(
                called,
                "a data frame of Spark",
                type(frame).__name__,
                "make one with spark.createDataFrame(...) or spark.read; tables at hand need no cluster: karat.evaluate",
            )
        self.frame: DataFrame = frame
        self.called = called
        types = dict(frame.dtypes)
        meanings = _karat.columns(list(frame.columns), data, called)
        #: The name of the column with a meaning.
        self.column = {meaning: name for name, meaning in zip(frame.columns, meanings, strict=True) if meaning}
        number = next((meaning for meaning in reversed(numbers) if meaning in self.column), None)
        if number is None:
            remedy = "give judgements by document and grade, or gather the rows and ask without a cluster"
            raise _problem(called, f"a column {numbers[-1]}", f"the columns {', '.join(frame.columns)}", remedy)
        for meaning, wanted in (("query_id", _NAMES), ("doc_id", _NAMES), (number, _NUMBERS)):
            found = types[self.column[meaning]]
            if found not in wanted:
                what = "text or whole numbers" if wanted is _NAMES else "numbers (float, double or whole)"
                remedy = "cast the column, for example .withColumn(name, col(name).cast('double')) or 'string'"
                raise _problem(called, what, found, remedy, self.column[meaning])
        if "tag" in self.column and data == "run" and types[self.column["tag"]] not in _NAMES:
            found, remedy = types[self.column["tag"]], "cast the column to string"
            raise _problem(called, "names of runs that are text or whole numbers", found, remedy, self.column["tag"])
        self.number = number

    def one_run(self) -> None:
        """Refuses rows of several runs where the caller says that they are one's."""
        from pyspark.sql.functions import col, max, min

        if "tag" not in self.column:
            return
        tag = col(_quoted(self.column["tag"])).cast("string")
        least, greatest = self.frame.agg(min(tag), max(tag)).first() or (None, None)
        if least != greatest:
            found = f"those of {least!r} and of {greatest!r}"
            remedy = "give the frame alone, as one that holds several runs, or the rows of one run under each name"
            raise _problem(self.called, "the rows of one run", found, remedy, self.column["tag"])

    def selected(self, **more: Column) -> DataFrame:
        from pyspark.sql.functions import col

        columns = {
            "topic": col(_quoted(self.column["query_id"])).cast("string"),
            "document": col(_quoted(self.column["doc_id"])).cast("string"),
            **more,
        }
        return self.frame.select([column.alias(name) for name, column in columns.items()])

    def value(self) -> Column:
        from pyspark.sql.functions import col

        return col(_quoted(self.column[self.number])).cast("double")

    @property
    def names(self) -> list[str]:
        """The names of topic, document and number, for messages."""
        return [self.column[meaning] for meaning in ("query_id", "doc_id", self.number)]


class _Judgements(_Frame):
    def __init__(self, frame: Any) -> None:
        super().__init__(frame, "judgements", "qrels", ("grade",))

    def gathered(self) -> pyarrow.Table:
        """All of them on the driver. From here they go to the executors too: a frame that is computed twice need not be the same twice."""
        wanted = self.frame.select([_quoted(name) for name in self.column.values()])
        table = wanted.toArrow()
        self.frame = self.frame.sparkSession.createDataFrame(table, wanted.schema)
        return table

    def shuffled(self) -> DataFrame:
        from pyspark.sql.functions import lit

        nothing = {"score": lit(None).cast("double"), "run": lit(None).cast("string")}
        return self.selected(is_row=lit(False), grade=self.value(), **nothing)


class _Rows:
    """The rows of all runs."""

    def __init__(self, runs: Any) -> None:
        from pyspark.sql.functions import coalesce, col, lit

        self.order: list[str] | None = None
        if isinstance(runs, Mapping):
            named = {str(name): frame for name, frame in runs.items()}
            if len(named) < len(runs) or "" in named:
                found = ", ".join(repr(name) for name in runs)
                raise _problem("the runs", "names that differ and are not empty", found, "give every run a name of its own")
        elif hasattr(runs, "mapInArrow"):
            named = {"run": runs}
        elif isinstance(runs, Iterable) and not isinstance(runs, (str, bytes)):
            named = {f"run{number}": frame for number, frame in enumerate(runs, 1)}
        else:
            named = {"run": runs}
        frames = {name: _Frame(frame, "run", f"run '{name}'", ("rank", "score")) for name, frame in named.items()}
        if not frames:
            raise _problem("run", "at least one data frame", "none", "give a data frame of Spark with the rows of a run")
        first = next(iter(frames.values()))
        # Ranks are scores upside down; karat turns them itself where no run has scores.
        mixed = len({frame.number for frame in frames.values()}) > 1
        self.names = [*first.names[:2], "score"] if mixed else first.names
        own = None if isinstance(runs, Mapping) or len(frames) > 1 else first.column.get("tag")
        if not own:
            for frame in frames.values():
                frame.one_run()
        self.order = None if own else list(frames)
        self.parts = []
        for name, frame in frames.items():
            run = coalesce(col(_quoted(own)).cast("string"), lit("")) if own else lit(name)
            score = -frame.value() if mixed and frame.number == "rank" else frame.value()
            grade = lit(None).cast("double")
            self.parts.append(frame.selected(is_row=lit(True), grade=grade, score=score, run=run))

    def beside(self, judged: _Judgements) -> DataFrame:
        """All rows, of runs and of judgements."""
        together = judged.shuffled()
        for part in self.parts:
            together = together.unionByName(part)
        return together


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _problem(called: str, expected: str, found: str, remedy: str, column: str | None = None) -> InputError:
    told: Problem = {
        "file": called,
        "line": None,
        "row": None,
        "column": column,
        "topic": None,
        "document": None,
        "expected": expected,
        "found": found,
        "remedy": remedy,
    }
    where = f"{called}, column '{column}'" if column else called
    return InputError(f"{where}: expected {expected}, found {found}\nhelp: {remedy}", [told])
