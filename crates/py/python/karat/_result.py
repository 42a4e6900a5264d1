"""Results: small objects whose attributes are the names of the command line's JSON."""

from __future__ import annotations

import json
import os
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from karat import _notebook
from karat._errors import FileError, UsageError
from karat._karat import Answer
from karat._notebook import Figure, Figures


class Record:
    """One row of an answer: its fields are attributes."""

    __slots__ = ("_fields",)

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields

    def __getattr__(self, name: str) -> Any:
        try:
            return _opened(object.__getattribute__(self, "_fields")[name])
        except KeyError:
            known = ", ".join(self._fields)
            raise AttributeError(f"there is no field '{name}'; there are {known}") from None

    def __getitem__(self, name: str) -> Any:
        return _opened(self._fields[name])

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._fields})

    def __repr__(self) -> str:
        return "Record(" + ", ".join(f"{name}={value!r}" for name, value in self._fields.items()) + ")"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self._fields == other._fields

    def to_dict(self) -> dict[str, Any]:
        """The fields."""
        return dict(self._fields)

    def _repr_html_(self) -> str:
        return _notebook.table({"": name, "value": value} for name, value in self._fields.items())


R = TypeVar("R", bound=Record)


class Rows(list[R]):
    """The rows of one table of an answer."""

    def to_pandas(self) -> Any:
        """As a pandas DataFrame."""
        import pandas  # type: ignore[import-untyped, unused-ignore]

        return pandas.DataFrame(self.to_dicts())

    def to_polars(self) -> Any:
        """As a polars DataFrame."""
        import polars

        return polars.DataFrame(self.to_dicts(), infer_schema_length=None)

    def to_arrow(self) -> Any:
        """As a pyarrow Table."""
        import pyarrow  # type: ignore[import-untyped, unused-ignore]

        return pyarrow.Table.from_pylist(self.to_dicts())

    def to_dicts(self) -> list[dict[str, Any]]:
        """As a list of dicts."""
        return [record.to_dict() for record in self]

    def _repr_html_(self) -> str:
        return _notebook.table(self.to_dicts())


def _opened(value: Any) -> Any:
    if isinstance(value, dict):
        return Record(value)
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return Rows(Record(item) for item in value)
    return value


class Stored:
    """An answer that came from another process: what it shows, as text."""

    def __init__(self, shown: dict[str, str], figures: list[tuple[str, str]], rest: dict[str, Any]) -> None:
        self._shown, self._figures = shown, figures
        self.title, self.notes, self.page, self.said = rest["title"], rest["notes"], rest["page"], rest["said"]

    def render(self, format: str, width: int | None = None) -> str:
        """The answer in one of the command line's formats."""
        return self._shown[format]

    def figures(self) -> list[tuple[str, str]]:
        """The figures as SVG, each with its name."""
        return self._figures


def stored(answer: Answer | Stored) -> Stored:
    """An answer that can be sent to another process."""
    if isinstance(answer, Stored):
        return answer
    rest = {name: getattr(answer, name) for name in ("title", "notes", "page", "said")}
    return Stored({name: answer.render(name) for name in _FORMATS}, answer.figures(), rest)


#: What an answer can be rendered as.
_FORMATS = ("terminal", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html")


class Result:
    """What a command answered.

    The attributes are the names of the command line's JSON (`scores`, `comparisons`, ...); a table is a list of records
    whose fields are attributes. `print(result)` is the table that the command line shows.
    """

    def __init__(self, answer: Answer | Stored) -> None:
        self._answer = answer

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (stored(self._answer),)

    @cached_property
    def _told(self) -> dict[str, Any]:
        text = self._answer.render("json")
        return json.loads(text) if text else {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        told = self._told
        if name not in told:
            raise AttributeError(f"there is no '{name}' in this answer; there are {', '.join(told)}")
        value = told[name]
        return Rows(Record(item) for item in value) if value == [] else _opened(value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._told})

    @property
    def notes(self) -> list[str]:
        """Warnings and assumptions."""
        return self._answer.notes

    @property
    def figures(self) -> Figures:
        """The figures as SVG by name, where the call asked for them (`figures=True`); a notebook draws them."""
        return Figures((name, Figure(svg)) for name, svg in self._answer.figures())

    def _rendered(self, format: str) -> str:
        text = self._answer.render(format)
        if not text:
            raise UsageError(self._NO_TABLES)
        return text

    _NO_TABLES = "this answer is text and has no tables: print it"

    def to_dict(self) -> dict[str, Any]:
        """The answer as the command line's JSON has it."""
        self._rendered("json")
        return dict(self._told)

    def to_json(self) -> str:
        """The command line's JSON."""
        return self._rendered("json")

    def _rows(self, table: str | None) -> Rows[Record]:
        self._rendered("json")
        tables = {name: value for name, value in self._told.items() if _is_table(name, value)}
        if table is None:
            if not tables:
                own = {name: value for name, value in self._told.items() if name not in _FRAME}
                return Rows([Record(own)])
            table = "by_query" if "by_query" in tables else next(iter(tables))
        if table not in tables:
            raise KeyError(f"there is no table '{table}'; there are {', '.join(tables)}")
        return Rows(Record(row) for row in tables[table])

    def to_pandas(self, table: str | None = None) -> Any:
        """A table of the answer as a pandas DataFrame: the scores by query where there are some, else its first."""
        return self._rows(table).to_pandas()

    def to_polars(self, table: str | None = None) -> Any:
        """The same as a polars DataFrame."""
        return self._rows(table).to_polars()

    def to_arrow(self, table: str | None = None) -> Any:
        """The same as a pyarrow Table."""
        return self._rows(table).to_arrow()

    def to_latex(self) -> str:
        """The tables for LaTeX."""
        return self._rendered("latex")

    def to_markdown(self) -> str:
        """The tables in Markdown."""
        return self._rendered("markdown")

    def to_html(self) -> str:
        """A page with tables and figures."""
        return self._rendered("html")

    def to_csv(self) -> str:
        """The first table as CSV."""
        return self._rendered("csv")

    def _repr_html_(self) -> str | None:
        # An answer that is text alone (`demo`) is shown as text.
        return _notebook.inside(self._answer.render("html")) or None

    def __str__(self) -> str:
        return self._answer.render("terminal").rstrip("\n") or self._answer.said.decode(errors="replace")

    __repr__ = __str__


#: What every answer has and no table is.
_FRAME = ("schema", "command", "version", "provenance", "notes")


def _is_table(name: str, value: Any) -> bool:
    return name not in _FRAME and isinstance(value, list) and all(isinstance(row, dict) for row in value)


class Page(Result):
    """The page of `report`: a file for a browser, and the sentence at its top."""

    _NO_TABLES = "a report is a page (`html`, `save`): evaluate and compare give its numbers as tables"

    @property
    def html(self) -> str:
        """The page."""
        return (self._answer.page or b"").decode()

    @property
    def headline(self) -> str:
        """What it says first."""
        return self._answer.said.decode().partition("\n")[0]

    def save(self, path: str | Path) -> None:
        """Writes the page to a file, whole or not at all."""
        part = Path(f"{os.fspath(path)}.part")
        try:
            part.write_text(self.html, encoding="utf-8")
            part.replace(path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise FileError(f"{path}: expected a file that can be written, found {error}", []) from error

    def _repr_html_(self) -> str:
        import html

        return f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="700" style="border:0"></iframe>'

    def __str__(self) -> str:
        return self.headline

    __repr__ = __str__


class Text(Result):
    """An answer that is bytes: a file in another format."""

    _NO_TABLES = "this is a file (`content`), and no answer with tables"

    @property
    def content(self) -> bytes:
        """The bytes; empty where they were written to a file."""
        return self._answer.said

    def __str__(self) -> str:
        return self.content.decode(errors="replace")

    __repr__ = __str__
