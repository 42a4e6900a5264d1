"""A call of a command: keywords to the arguments that the command line would get."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from karat import _karat
from karat._errors import UsageError
from karat._inputs import Inputs, _is_column
from karat._measures import asked
from karat._options import COMMANDS, Option
from karat._result import Result

R = TypeVar("R", bound=Result)

#: Keywords by their earlier names, by command.
RENAMED = {"report": {"docs": "corpus"}}


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
    listable = [option.keyword for option in known if option.long is None]
    # `def f(*runs)` takes no keyword `runs`, and people write one.
    named = {name: others[name] for name in listable if name in others and _is_nothing(positional.get(name))}
    positional, others = {**positional, **named}, {name: value for name, value in others.items() if name not in named}
    renamed = {new: others[old] for old, new in RENAMED.get(command, {}).items() if old in others}
    options = {**options, **renamed}
    others = {name: value for name, value in others.items() if name not in RENAMED.get(command, {})}
    if others:
        refuse(command, next(iter(others)), [option.keyword for option in known if option.long])
    given = [name for name in listable if positional.get(name) is not None]
    for name in listable[: listable.index(given[-1])] if given else []:
        # What is missing would be taken for what comes after it.
        if name not in given and name in positional:
            raise UsageError(f"{function(command)}: {name} is missing")
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


def _is_nothing(value: Any) -> bool:
    return value is None or (isinstance(value, (list, tuple)) and not value)


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
    if option.kind == "path" and not isinstance(value, str):
        raise UsageError(f"{option.keyword}: expected a path, found {value!r}")
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        value = value.item()
    if isinstance(value, (bool, bytes, Mapping)):
        raise UsageError(f"{option.keyword}: expected {option.kind}, found {value!r}")
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ",".join(_text(option, item) for item in value)
    if hasattr(value, "item") and hasattr(value, "dtype"):
        value = value.item()
    if option.keyword in ("measures", "measure") and type(value).__module__.partition(".")[0] == "ir_measures":
        try:
            return asked(value)
        except ValueError as error:
            raise UsageError(f"{option.keyword}: {error}") from None
    return repr(value) if isinstance(value, float) else str(value)


def _of_inputs(option: Option, value: Any, inputs: Inputs) -> list[str]:
    called = option.called
    if hasattr(value, "read") and hasattr(value, "close"):
        return [inputs.add(value, option.input, called)]
    if isinstance(value, Iterator):
        value = list(value)
    if not option.several:
        return [inputs.add(value, option.input, called)]
    if option.input == "run" and _is_named(value):
        names = [str(name) for name in value]
        if len(set(names)) < len(names) or "" in names:
            found = ", ".join(repr(name) for name in value)
            raise UsageError(f"runs: expected names that differ and are not empty, found {found}")
        return [inputs.add(one, "run", f"run '{name}'", str(name)) for name, one in value.items()]
    several = list(value) if _are_several(value) else [value]
    # compare(qrels, [one, two], "AP"): lists of files among files.
    several = [one for each in several for one in (each if _are_paths(each) else [each])]
    measure = next((one for one in several if isinstance(one, str) and _is_measure(one)), None)
    if measure is not None and option.input == "run":
        raise UsageError(f"{measure!r} is a measure and no file: write measures={measure!r}")
    if len(several) == 1:
        return [inputs.add(several[0], option.input, called)]
    names = [f"{called}{number}" for number in range(1, len(several) + 1)]
    return [inputs.add(one, option.input, name) for one, name in zip(several, names, strict=True)]


def _is_measure(text: str) -> bool:
    """Whether this is the name of a measure, and of no file."""
    if os.path.exists(text):
        return False
    try:
        _karat.compat.needs(text)
    except ValueError:
        return False
    return True


def _are_paths(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and all(isinstance(one, (str, os.PathLike)) for one in value)


def _is_named(value: Any) -> bool:
    """Whether this is a mapping of names to runs, and not one run {topic: {document: score}}."""
    if not isinstance(value, Mapping) or not value:
        return False
    first = next((one for one in value.values() if not isinstance(one, Mapping) or one), {})
    if isinstance(first, Mapping):
        inner = next(iter(first.values()), None)
        return isinstance(inner, (Mapping, list, tuple)) or getattr(inner, "ndim", 0) > 0
    return (
        isinstance(first, (str, os.PathLike))
        or hasattr(first, "columns")
        or (hasattr(first, "__arrow_c_stream__") and not _is_column(first))
        or (isinstance(first, list) and bool(first) and isinstance(first[0], (tuple, list, Mapping)))
        or bool(getattr(getattr(first, "dtype", None), "names", None))
    )


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
        inside = first[0] if first else None
        # A row of three texts is no list of files: its score would be one.
        return isinstance(inside, (tuple, list, Mapping)) or hasattr(inside, "_fields") or (
            _are_paths(first) and any(not isinstance(one, (tuple, list)) for one in value)
        )
    return True
