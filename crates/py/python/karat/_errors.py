"""What can go wrong, one class for each kind."""

from __future__ import annotations

import re
from typing import Any, TypedDict


class Problem(TypedDict):
    """One thing wrong with one input: where it is, what was expected, what was found, what to do."""

    file: str
    line: int | None
    row: int | None
    column: str | None
    topic: str | None
    document: str | None
    expected: str
    found: str
    remedy: str


class KaratError(Exception):
    """Whatever keeps karat from answering."""


class UsageError(KaratError, ValueError):
    """The arguments make no sense."""

    def __init__(self, message: str, _: None = None) -> None:
        super().__init__(_as_keywords(message))


class _OfInputs(KaratError):
    def __init__(self, message: str, problems: list[Problem] | None = None) -> None:
        super().__init__(_as_keywords(message))
        self.problems: list[Problem] = problems or []
        first: dict[str, Any] = dict(self.problems[0]) if self.problems else {}
        self.file: str | None = first.get("file")
        self.line: int | None = first.get("line")
        self.row: int | None = first.get("row")
        self.column: str | None = first.get("column")
        self.topic: str | None = first.get("topic")
        self.document: str | None = first.get("document")


class InputError(_OfInputs, ValueError):
    """Inputs are wrong. The attributes are those of the first of `problems`; lines count from 1, rows from 0."""


class FileError(_OfInputs, OSError):
    """A file cannot be read or written."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class GateError(KaratError):
    """The answer was given, and is not the one a gate wants; `result` is the answer."""

    def __init__(self, message: str, answer: Any) -> None:
        super().__init__(_as_keywords(message))
        from karat._result import Result

        self.result = Result(answer)

    def __reduce__(self) -> tuple[Any, ...]:
        from karat._result import stored

        return GateError, (str(self), stored(self.result._answer))


def _as_keywords(message: str) -> str:
    """The command line's words with its options as the keywords they are here."""
    message = re.sub(r"^error: ", "", message)
    message = re.sub(r"\n+(Usage:.*|For more information, try '--help'\.)", "", message, flags=re.S)

    def keyword(found: re.Match[str]) -> str:
        return found.group(1).replace("-", "_")

    return re.sub(r"(?<![\w-])--([a-z][a-z-]*[a-z]|[a-z])", keyword, message).strip()


# As people import them: a traceback shows these names.
for _public in (KaratError, UsageError, InputError, FileError, GateError):
    _public.__module__ = "karat"
