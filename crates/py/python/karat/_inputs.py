"""Inputs as Python has them: paths, mappings, data frames, arrays, lists of rows; each becomes what karat reads."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from karat._karat import Run, Table

#: The columns of rows that are plain tuples.
ROWS = {
    "run": ("query_id", "doc_id", "score"),
    "qrels": ("query_id", "doc_id", "grade"),
    "labels": ("query_id", "doc_id", "judge", "grade"),
}


class Inputs:
    """The inputs of one call, by the names they have among its arguments."""

    def __init__(self) -> None:
        self.tables: dict[str, Table | bytes | Run] = {}
        self.names: dict[str, str] = {}
        #: Files, which a table must not be taken for.
        self.paths: set[str] = set()

    def add(self, value: Any, kind: str, called: str, run: str | None = None) -> str:
        """The argument that stands for this input. `called` is its name in messages, `run` the run's own."""
        if isinstance(value, (str, os.PathLike)):
            path = os.fspath(value)
            path = path.decode() if isinstance(path, bytes) else path
            # Another spelling, where a table has this name, or where one file is given as two runs.
            while path in self.tables or (run is not None and path in self.names):
                path = os.path.join(".", path)
            self.paths.add(path)
            if run is not None:
                self.names[path] = run
            return path
        listed = _listed(value) if kind == "topics" else None
        if listed is not None:
            return listed
        name = called
        number = 2
        while name in self.tables or name in self.paths:
            name, number = f"{called} ({number})", number + 1
        try:
            self.tables[name] = of(value, kind)
        except Exception as error:
            # Whatever a frame, an array or a number of somebody else's says, with the input's name.
            raise _wrong(error, called) from error
        if kind == "run" and name != called:
            # Its own name, and not the one it has among the arguments.
            run = run or called
        if run is not None:
            self.names[name] = run
        return name


def _wrong(error: Exception, called: str) -> Exception:
    from karat._errors import InputError, KaratError

    if isinstance(error, KaratError):
        return error
    said = str(error) or type(error).__name__
    row, column = re.match(r"row (\d+): ", said), re.match(r"column '(.*?)': ", said)
    problem: Any = {"file": called, "expected": "", "found": said, "remedy": ""}
    for key in ("line", "topic", "document"):
        problem[key] = None
    problem["row"], problem["column"] = int(row[1]) if row else None, column[1] if column else None
    return InputError(f"{called}: {said}", [problem])


def of(value: Any, kind: str) -> Table | bytes:
    """A table or bytes of a value that is no path."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    if hasattr(value, "read") and hasattr(value, "close"):
        raise TypeError("expected a path, a dict, a data frame or rows, found an open file: give its name, or what it holds as bytes")
    if kind == "answer":
        return _answer(value)
    if kind == "topics":
        value = [value] if isinstance(value, int) else value
        return "\n".join(_topic(topic) for topic in value).encode()
    if kind == "texts" and isinstance(value, Mapping):
        rows = ({"id": str(name), "text": str(text)} for name, text in value.items())
        return "\n".join(json.dumps(row) for row in rows).encode()
    if isinstance(value, Mapping):
        return _mapping(value, kind)
    if hasattr(value, "collect_schema") and hasattr(value, "collect"):
        # A query of polars that was not run yet.
        value = value.collect()
    if hasattr(value, "columns") and hasattr(value, "to_numpy"):
        return _frame(value)
    if hasattr(value, "__arrow_c_stream__"):
        return _stream(value)
    if getattr(getattr(value, "dtype", None), "names", None):
        return Table.from_columns({name: _column(value[name], name) for name in value.dtype.names})
    if isinstance(value, Iterable):
        return _rows(list(value), kind)
    raise TypeError(
        f"expected a path, a dict, a data frame, an Arrow table, arrays or a list of rows, found {type(value).__name__}"
    )


def _listed(topics: Any) -> str | None:
    """A few topics as the list that would be typed, which answers then say; nothing where that could be read in another way."""
    if not isinstance(topics, (list, tuple, set, frozenset)) or not 1 <= len(topics) <= 100:
        return None
    names = [topic if isinstance(topic, str) else str(topic) for topic in topics]
    plain = all(name and name == name.strip() and not set(name) & set(",\n\r@-") for name in names)
    text = ",".join(names)
    return text if plain and not os.path.exists(text) else None


def _topic(topic: Any) -> str:
    name = str(topic)
    if "\n" in name:
        raise ValueError(f"a topic's name cannot have a line break: {name!r}")
    return name


def _answer(value: Any) -> bytes:
    """An answer of another command, as its JSON."""
    told = value.to_dict() if hasattr(value, "to_dict") else value
    if not isinstance(told, Mapping):
        raise TypeError(f"expected a path, a dict or a result, found {type(value).__name__}")
    return json.dumps(told).encode()


def _mapping(value: Mapping[Any, Any], kind: str) -> Table:
    first = next(iter(value.values()), None)
    if value and not isinstance(first, (Mapping, str)) and _is_column(first):
        return Table.from_columns({str(name): _column(values, str(name)) for name, values in value.items()})
    if not value:
        return Table.from_rows([], list(ROWS.get(kind, ROWS["run"])))
    return Table.from_map(value if isinstance(value, dict) else dict(value))


def _is_column(value: Any) -> bool:
    """Whether this is one column: of a frame, of Arrow, or a list of values."""
    is_table = hasattr(value, "columns") or hasattr(value, "schema")
    if hasattr(value, "dtype") or (not is_table and (hasattr(value, "__arrow_c_array__") or hasattr(value, "__arrow_c_stream__"))):
        return True
    return isinstance(value, (Sequence, memoryview)) and not isinstance(value, (str, bytes))


def _frame(frame: Any) -> Table:
    """A pandas frame (or one that looks like it): through Arrow where that can be had, else column by column."""
    if hasattr(frame, "__arrow_c_stream__"):
        # Without pyarrow, or with columns that Arrow has no type for, it goes row by row, which can name the row.
        with contextlib.suppress(Exception):
            return Table.from_arrow(frame)
    columns: dict[str, Any] = {}
    for place, name in enumerate(frame.columns):
        if str(name) in columns:
            raise ValueError(f"two columns are called '{name}': rename one, or leave it out")
        values = frame.iloc[:, place] if hasattr(frame, "iloc") else frame[name]
        cells = _column(values.to_numpy(), str(name))
        # To pandas what is NaN is missing, through Arrow and without it.
        gaps = values.isna().tolist() if hasattr(values, "isna") else []
        if any(gaps):
            cells = [None if gap else cell for cell, gap in zip(list(cells), gaps, strict=True)]
        columns[str(name)] = cells
    return Table.from_columns(columns)


def _stream(value: Any) -> Table:
    try:
        return Table.from_arrow(value)
    except ValueError as error:
        if hasattr(value, "to_frame"):
            found = type(value).__name__
            raise TypeError(f"expected a table with columns, found a {found}: reset_index() or to_frame() makes one") from error
        raise


def _column(values: Any, name: str) -> Any:
    """A list of objects, or an array of float64 or int64."""
    dtype = getattr(values, "dtype", None)
    kind = getattr(dtype, "kind", "")
    if isinstance(values, (str, bytes)):
        raise TypeError(f"column '{name}': expected a value for each row, found the text {values!r}")
    if getattr(values, "ndim", 1) != 1:
        raise TypeError(f"column '{name}': expected one value for each row, found an array of {values.ndim} dimensions")
    if kind in ("m", "M"):
        raise TypeError(f"column '{name}': expected text or numbers, found {dtype}; convert it to the number that is meant")
    if hasattr(values, "mask") and hasattr(values, "tolist"):
        # What is masked is missing.
        return values.tolist()
    if kind == "f":
        return memoryview(_contiguous(values.astype("float64")))
    if dtype is not None and kind in ("i", "u") and not (kind == "u" and dtype.itemsize == 8):
        return memoryview(_contiguous(values.astype("int64")))
    for listed in ("to_pylist", "tolist"):
        if hasattr(values, listed):
            return getattr(values, listed)()
    return list(values)


def _contiguous(array: Any) -> Any:
    return array if array.flags["C_CONTIGUOUS"] else array.copy()


def _rows(rows: list[Any], kind: str) -> Table:
    first = rows[0] if rows else None
    if isinstance(first, Mapping):
        other = next((at for at, row in enumerate(rows) if not isinstance(row, Mapping)), None)
        if other is not None:
            raise TypeError(f"row {other}: expected a mapping as in row 0, found {type(rows[other]).__name__}")
        names = list(dict.fromkeys(str(name) for row in rows for name in row))
        return Table.from_rows([[row.get(name) for name in names] for row in rows], names)
    fields = getattr(first, "_fields", None)
    names = list(fields or ROWS.get(kind, ROWS["run"]))
    if first is not None and isinstance(first, str):
        raise TypeError(
            "expected rows, found text; several files are a list for `runs`, one file is a path,"
            " and measures have a keyword: measures=[...]"
        )
    return Table.from_rows(rows, names)
