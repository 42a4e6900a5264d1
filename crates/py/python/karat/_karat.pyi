"""The compiled part: what a command is called with, and what it answers."""

import os
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any, final

__all__ = [
    "Answer",
    "Run",
    "Table",
    "__version__",
    "call",
    "check_parts",
    "columns",
    "compat",
    "condense",
    "definition",
    "join_parts",
]

__version__: str
#: What the drop-ins stand on.
compat: ModuleType

@final
class Table:
    """A table, made for one call."""

    @staticmethod
    def from_map(mapping: dict[Any, Any]) -> Table: ...
    @staticmethod
    def from_columns(columns: dict[str, Any]) -> Table: ...
    @staticmethod
    def from_rows(rows: list[Any], names: Iterable[str]) -> Table: ...
    @staticmethod
    def from_arrow(table: Any) -> Table: ...
    def __len__(self) -> int: ...

@final
class Answer:
    """What a command answered."""

    def render(self, format: str, width: int | None = None) -> str: ...
    def figures(self) -> list[tuple[str, str]]: ...
    @property
    def title(self) -> str | None: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def page(self) -> bytes | None: ...
    @property
    def said(self) -> bytes: ...

@final
class Run:
    """One of the runs of joined parts, for a call."""

    @property
    def name(self) -> str: ...

def call(
    arguments: Iterable[str | os.PathLike[str]],
    inputs: dict[str, Table | bytes | Run],
    names: Mapping[str, str],
    figures: bool,
) -> Answer: ...
def check_parts(arguments: Iterable[str], inputs: dict[str, Table | bytes | Run], qrels: str) -> None: ...
def columns(names: Iterable[str], data: str, called: str) -> list[str | None]: ...
def condense(arguments: Iterable[str], judgements: Any, rows: Any) -> bytes: ...
def definition() -> str: ...
def join_parts(arguments: Iterable[str], parts: Iterable[bytes], names: Iterable[str] | None) -> list[Run]: ...
