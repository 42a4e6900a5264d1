"""Writes the functions of the Python package from the command line's own definition.

    python crates/py/generate.py           write python/karat/_options.py, _commands.py and _answers.py
    python crates/py/generate.py --check   say whether they are as they would be written

Needs an installed karat: the definition is what `karat._karat.definition()` says. So a name, a default or a sentence of
help cannot differ between the two.
"""

from __future__ import annotations

import importlib.util
import json
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

import answer_types

FOLDER = Path(__file__).parent / "python" / "karat"
WIDTH = 116

#: What Python calls a command that has another name here.
NAMES = {"eval": "evaluate", "plan topics": "plan"}
#: Commands that are programs: with an exit status of their own.
LEFT_OUT = ("schema", "trec_eval")
#: Options of a terminal.
TERMINAL = ("color", "no_progress")
#: What an input holds, by the name of its argument; texts and tables of other kinds are read as they are.
KINDS = {
    "runs": "run",
    "qrels": "qrels",
    "gold": "qrels",
    "other_qrels": "qrels",
    "labels": "labels",
    "bronze": "labels",
    "calibration": "answer",
    "b_calibration": "answer",
    "topics": "topics",
    "only_topics": "topics",
    "dev": "topics",
    "test": "topics",
    "queries": "texts",
    "corpus": "texts",
}
#: Of these commands, gold is judges' labels.
LABELLED = ("judges calibrate", "judges merge")
#: The names of values that are inputs.
VALUES = ("FILE", "QRELS", "RUN", "LIST|FILE", "IN", "LABELS", "FILES")

EXAMPLES = {
    "evaluate": """\
>>> qrels = {"q1": {"d1": 1, "d2": 0, "d3": 1}, "q2": {"d1": 0, "d4": 1}}
>>> run = {"q1": {"d1": 3.0, "d2": 2.0, "d9": 1.0}, "q2": {"d4": 9.5, "d1": 4.0}}
>>> result = karat.evaluate(qrels, run, ["AP", "P@2"])
>>> [(row.measure, row.value) for row in result.scores]
[('AP', 0.75), ('P@2', 0.5)]
""",
    "compare": """\
>>> qrels = {f"q{n}": {"d1": 1, "d2": 0} for n in range(8)}
>>> good = {topic: {"d1": 2.0, "d2": 1.0} for topic in qrels}
>>> bad = {topic: {"d1": 3.0 if topic == "q0" else 1.0, "d2": 2.0} for topic in qrels}
>>> result = karat.compare(qrels, {"good": good, "bad": bad}, measures="RR")
>>> first = result.comparisons[0]
>>> first.a, first.b, first.difference, first.verdict
('good', 'bad', 0.4375, 'a')
""",
    "published_depth": """\
>>> karat.published.depth(p=0.8, precision=1e-4).depth
45
""",
}


def keyword(option: dict[str, Any]) -> str:
    name = option["id"] if option["long"] is None or option["id"] == "measures" else option["long"]
    name = name.replace("-", "_")
    return name + "_" if name in ("from", "for", "with", "in", "global", "lambda", "class") else name


def source(command: str, option: dict[str, Any]) -> str:
    """What kind of input an argument names; empty where it names none."""
    value = (option["value"] or option["id"].upper()).upper()
    if option["kind"] != "text" or not any(value == known for known in VALUES) or option["values"]:
        return ""
    name = keyword(option)
    if name == "gold" and command in LABELLED:
        return "labels"
    return KINDS.get(name, "table")


def default(option: dict[str, Any]) -> Any:
    found = option["defaults"]
    if option["kind"] == "flag":
        return False
    if not found or option["several"]:
        return None
    return {"int": int, "float": float}.get(option["kind"], str)(found[0])


def annotation(option: dict[str, Any], command: str) -> str:
    if source(command, option):
        return "Input"
    kinds = {"flag": "bool", "int": "int", "float": "float", "path": "Path", "text": "str"}
    kind = "int | str" if (option["value"], option["kind"]) == ("SIZE", "int") else kinds[option["kind"]]
    if option["values"] and len(option["values"]) <= 24:
        kind = "Literal[" + ", ".join(json.dumps(value["name"]) for value in option["values"]) + "]"
    elif option["kind"] == "text":
        kind = "str | float"
    if option["long"] == "figures":
        return "Path | bool"
    return f"{kind} | Iterable[{kind}]" if option["several"] else kind


def folded(parameter: str) -> str:
    """A parameter whose choices do not fit on a line."""
    if len(parameter) <= WIDTH:
        return parameter
    start, choices, end = re.fullmatch(r"(.*Literal\[)(.*)(\].*)", parameter, flags=re.S).groups()
    lines = textwrap.fill(choices, WIDTH - 8, initial_indent=" " * 8, subsequent_indent=" " * 8, break_on_hyphens=False)
    return f"{start}\n{lines}\n    {end}"


def told(text: str) -> str:
    """Help with options as the keywords they are in Python."""
    text = re.sub(r"(?<![\w-])--([a-z][a-z-]*[a-z]|[a-z])", lambda found: found.group(1).replace("-", "_"), text)
    return text.replace("\\", "\\\\")


def wrapped(text: str, indent: str, more: str = "") -> str:
    lines = []
    for paragraph in text.split("\n"):
        lines.append(textwrap.fill(paragraph, WIDTH, initial_indent=indent, subsequent_indent=indent + more))
    return "\n".join(line.rstrip() for line in lines)


def document(option: dict[str, Any]) -> str:
    text = told(option["help"]).strip().rstrip(".")
    values = [value["name"] + (f" ({value['help']})" if value["help"] else "") for value in option["values"]]
    if values and len(values) <= 12:
        text += ": " + "; ".join(values)
    if option["several"] and option["defaults"]:
        text += f" ({', '.join(option['defaults'])} when not given)"
    first, *others = f"{keyword(option)}: {text}.".split("\n")
    return "\n".join([wrapped(first, "        ", "    "), *(wrapped(other, "            ", "  ") for other in others)])


def function(path: list[str], command: dict[str, Any]) -> tuple[str, str]:
    """The row of options and the function of one command."""
    full = " ".join(path)
    name = NAMES.get(full, full.replace(" ", "_"))
    arguments = [option for option in command["arguments"] if keyword(option) not in TERMINAL]
    for option in arguments:
        # A caller without a file has the page in its hands.
        if full == "report" and keyword(option) == "output":
            option["defaults"] = []
    positional = [option for option in arguments if option["long"] is None]
    options = [option for option in arguments if option["long"] is not None]
    if name == "evaluate":
        options.sort(key=lambda option: option["id"] != "measures")
    signature, inside = [], []
    starred = False
    for option in positional:
        word = keyword(option)
        if option["several"] and name != "evaluate":
            signature.append(f"*{word}: {annotation(option, full)}")
            starred = True
        else:
            missing = "" if option["required"] else " | None = None"
            signature.append(f"{word}: {annotation(option, full)}{missing}")
        inside.append(word)
    if name == "evaluate":
        measures = options[0]
        signature.append(f"measures: {annotation(measures, full)} | None = None")
    if not starred and options:
        signature.append("*")
    for option in options:
        if name == "evaluate" and option["id"] == "measures":
            continue
        given, kind = default(option), annotation(option, full)
        needed = option["required"] and not option["defaults"]
        shown = "" if needed else f" | None = {given!r}" if given is None else f" = {given!r}"
        signature.append(folded(f"{keyword(option)}: {kind}{shown}".replace("'", '"')))
    signature.append("**others: Any")
    answer = {"report": "Page", "convert": "Text"}.get(full, "Result")
    if full.replace(" ", "-") in answer_types.commands():
        answer = answer_types.class_name(full)
    body = [f"def {name}("]
    body += [f"    {part}," for part in signature[:-1]] + [f"    {signature[-1]},", f") -> {answer}:"]
    about = told(command["about"]).strip()
    body.append(wrapped('"""' + about, "    ") if "\n" not in about else '    """' + wrapped(about, "    ").lstrip())
    body.append("")
    if positional or options:
        body.append("    Parameters:")
        body += [document(option) for option in [*positional, *options]]
    if name in EXAMPLES:
        body += ["", "    Example:", textwrap.indent(EXAMPLES[name].rstrip(), "        ")]
    body.append('    """')

    def passed(option: dict[str, Any]) -> str:
        word = keyword(option)
        return (
            f'"{word}": several({word})'
            if option["long"] is None and option["several"] and starred
            else f'"{word}": {word}'
        )

    body.append("    return run(")
    body.append(f"        {answer},")
    body.append(f'        "{full}",')
    body.append("        {" + ", ".join(passed(option) for option in positional) + "},")
    body.append("        {")
    body += [f"            {passed(option)}," for option in options]
    body.append("        },")
    body.append("        others,")
    body.append("    )")
    rows = [f'    "{full}": (']
    for option in arguments:
        row = (
            f"        Option({keyword(option)!r}, {option['long']!r}, {option['kind']!r}, {option['several']},"
            f" {option['delimiter']!r}, {default(option)!r}, {source(full, option)!r}),"
        )
        rows.append(row.replace("'", '"'))
    rows.append("    ),")
    return "\n".join(rows), "\n".join(body)


def commands(found: list[dict[str, Any]], path: list[str]) -> list[tuple[list[str], dict[str, Any]]]:
    flat = []
    for command in found:
        own = [*path, command["name"]]
        if command["name"] in LEFT_OUT:
            continue
        # One that only leads to others is no function; every command has the options of a terminal.
        if not command["commands"] or any(keyword(option) not in TERMINAL for option in command["arguments"]):
            flat.append((own, command))
        flat += commands(command["commands"], own)
    return flat


def defined() -> list[dict[str, Any]]:
    """The definition, from the compiled module alone: the package around it may be what is about to be written."""
    found = importlib.util.find_spec("karat")
    (library,) = Path(next(iter(found.submodule_search_locations))).glob("_karat*.so")
    module = importlib.util.spec_from_file_location("_karat", library)
    compiled = importlib.util.module_from_spec(module)
    module.loader.exec_module(compiled)
    commands: list[dict[str, Any]] = json.loads(compiled.definition())
    return commands


def written() -> dict[str, str]:
    both = [function(path, command) for path, command in commands(defined(), [])]
    options = '''"""The options of every command. Written by generate.py from the command line's definition; not to be edited."""

from __future__ import annotations

from typing import Any, NamedTuple


class Option(NamedTuple):
    """An argument of a command: its name here and there, and what values it takes."""

    keyword: str
    long: str | None
    kind: str
    several: bool
    delimiter: str | None
    default: Any
    input: str

    @property
    def called(self) -> str:
        """What messages call its input."""
        return {"runs": "run"}.get(self.keyword, self.keyword)


COMMANDS: dict[str, tuple[Option, ...]] = {
'''
    options += "\n".join(row for row, _ in both) + "\n}\n"
    functions = '''"""A function for every command. Written by generate.py from the command line's definition; not to be edited."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from karat._answers import (
{answers}
)
from karat._call import run
from karat._result import Page, Result, Text

Path: TypeAlias = str | os.PathLike[str]
#: A path, a dict, a data frame (pandas, polars), an Arrow table, arrays, a list of rows.
Input: TypeAlias = Any


def several(given: tuple[Any, ...]) -> Any:
    """One argument may be a list or a mapping of several."""
    return given[0] if len(given) == 1 else list(given)


'''
    used = sorted(answer_types.class_name(command) for command in answer_types.commands())
    functions = functions.replace("{answers}", "\n".join(f"    {name}," for name in used))
    functions += "\n\n\n".join(body for _, body in both) + "\n"
    return {"_options.py": options, "_commands.py": functions, "_answers.py": answer_types.written()}


def main() -> int:
    stale = 0
    for name, text in written().items():
        path = FOLDER / name
        if "--check" in sys.argv:
            if not path.exists() or path.read_text() != text:
                print(f"{path}: not as the command line defines it; run crates/py/generate.py", file=sys.stderr)
                stale = 1
        else:
            path.write_text(text)
    return stale


if __name__ == "__main__":
    sys.exit(main())
