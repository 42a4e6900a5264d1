"""The compiled part: what a command is called with, and what it answers."""

import os
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any, final

__all__ = ["Answer", "Table", "__version__", "call", "compat", "definition"]

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

def call(
    arguments: Iterable[str | os.PathLike[str]],
    inputs: dict[str, Table | bytes],
    names: Mapping[str, str],
    figures: bool,
) -> Answer: ...
def definition() -> str: ...
