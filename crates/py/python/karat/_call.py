"""A call of a command: keywords to the arguments that the command line would get."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from karat import _karat
from karat._errors import UsageError
from karat._inputs import Inputs
from karat._options import COMMANDS, Option
from karat._result import Result

R = TypeVar("R", bound=Result)


def run(
    kind: type[R], command: str, positional: Mapping[str, Any], options: Mapping[str, Any], others: Mapping[str, Any]
) -> R:
    """Runs a command with these values of its arguments; `others` are keywords that it does not have."""
    inputs = Inputs()
    typed, listed, draw = arguments(command, positional, options, others, inputs)
    answer = _karat.call([*typed, "--", *listed], inputs.tables, inputs.names, draw)
    return kind(answer)


def arguments(
    command: str,
    positional: Mapping[str, Any],
    options: Mapping[str, Any],
    others: Mapping[str, Any],
    inputs: Inputs,
) -> tuple[list[str], list[str], bool]:
    """Command and options as they would be typed, what would be listed after them, and whether figures are wanted."""
    known = COMMANDS[command]
    if others:
        refuse(command, next(iter(others)), [option.keyword for option in known if option.long])
    typed = command.split()
    listed: list[str] = []
    draw = False
    for option in known:
        value = positional.get(option.keyword) if option.long is None else options.get(option.keyword)
        if option.keyword == "figures" and isinstance(value, bool):
            draw, value = value, None
        if value is None or (value is False and option.kind == "flag"):
            continue
        # Types first: a data frame cannot be compared with a default.
        if option.long is not None and type(value) is type(option.default) and value == option.default:
            continue
        texts = list(_texts(option, value, inputs))
        if option.long is None:
            listed.extend(texts)
        elif option.kind == "flag":
            typed.append(f"--{option.long}")
        elif option.delimiter and texts:
            typed.append(f"--{option.long}={option.delimiter.join(texts)}")
        else:
            typed.extend(f"--{option.long}={text}" for text in texts)
    if command == "report" and options.get("output") is None:
        typed.append("--output=-")
    return typed, listed, draw


#: What other tools call an option.
ELSEWHERE = {"metric": "measures", "metrics": "measures", "measure": "measures", "per_query": "by_query"}


def refuse(command: str, keyword: str, known: list[str]) -> None:
    """Says that there is no such keyword, and which one is like it."""
    close = [ELSEWHERE[keyword]] if ELSEWHERE.get(keyword) in known else difflib.get_close_matches(keyword, known, 1)
    hint = f"; did you mean '{close[0]}'?" if close else f"; there are {', '.join(known)}"
    raise UsageError(f"{function(command)} has no option '{keyword}'{hint}")


def function(command: str) -> str:
    """What a command is called here.

    >>> function("eval"), function("judges agree"), function("plan judges")
    ('evaluate', 'judges.agree', 'plan_judges')
    """
    named = {"eval": "evaluate", "plan topics": "plan"}.get(command, command)
    return named.replace(" ", "." if named.startswith(("judges ", "published ", "simulate ")) else "_")


def _texts(option: Option, value: Any, inputs: Inputs) -> Iterable[str]:
    if option.kind == "flag":
        if value is not True:
            raise UsageError(f"{option.keyword} is yes or no: expected True or False, found {value!r}")
        return [""]
    if option.input:
        return _of_inputs(option, value, inputs)
    if option.several and not isinstance(value, (str, bytes, os.PathLike, Mapping)) and isinstance(value, Iterable):
        return [_text(option, item) for item in value]
    return [_text(option, value)]


def _text(option: Option, value: Any) -> str:
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if isinstance(value, (bool, bytes, Mapping)):
        raise UsageError(f"{option.keyword}: expected {option.kind}, found {value!r}")
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ",".join(_text(option, item) for item in value)
    if hasattr(value, "item") and hasattr(value, "dtype"):
        value = value.item()
    return repr(value) if isinstance(value, float) else str(value)


def _of_inputs(option: Option, value: Any, inputs: Inputs) -> list[str]:
    called = option.called
    if not option.several:
        return [inputs.add(value, option.input, called)]
    if option.input == "run" and _is_named(value):
        return [inputs.add(one, "run", f"run '{name}'", str(name)) for name, one in value.items()]
    several = list(value) if _are_several(value) else [value]
    if len(several) == 1:
        return [inputs.add(several[0], option.input, called, called if option.input == "run" else None)]
    names = [f"{called}{number}" for number in range(1, len(several) + 1)]
    named = zip(several, names, strict=True)
    return [inputs.add(one, option.input, name, name if option.input == "run" else None) for one, name in named]


def _is_named(value: Any) -> bool:
    """Whether this is a mapping of names to runs, and not one run {topic: {document: score}}."""
    if not isinstance(value, Mapping) or not value:
        return False
    first = next(iter(value.values()))
    if isinstance(first, Mapping):
        inner = next(iter(first.values()), None)
        return isinstance(inner, Mapping) or (inner is not None and not _is_number(inner))
    return (
        isinstance(first, (str, os.PathLike))
        or hasattr(first, "columns")
        or hasattr(first, "__arrow_c_stream__")
        or (isinstance(first, list) and bool(first) and isinstance(first[0], (tuple, list, Mapping)))
        or bool(getattr(getattr(first, "dtype", None), "names", None))
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) or hasattr(value, "__float__")


def _are_several(value: Any) -> bool:
    """Whether this is a list of inputs, and not a list of rows."""
    if not isinstance(value, (list, tuple)) or not value:
        return False
    first = value[0]
    if hasattr(first, "_fields"):
        return False
    if isinstance(first, Mapping):
        # A row is {column: value}; an input is {topic: {document: number}} or {column: values}.
        inner = next(iter(first.values()), None)
        return isinstance(inner, (Mapping, list)) or (hasattr(inner, "dtype") and getattr(inner, "ndim", 0) > 0)
    if isinstance(first, (tuple, list)):
        return (
            (bool(first)
            and isinstance(first[0], (tuple, list, Mapping)))
            or hasattr(first[0] if first else None, "_fields")
        )
    return True
