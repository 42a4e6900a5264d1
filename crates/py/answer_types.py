"""Classes for the answers of all commands, from the schemas in docs/schema: what editors and type checkers know of their fields."""

from __future__ import annotations

import json
import keyword
import re
import textwrap
from pathlib import Path
from typing import Any

SCHEMAS = Path(__file__).parent.parent.parent / "docs" / "schema"
WIDTH = 116
#: What `Result` has itself.
OWN = ("notes", "figures")
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}

HEADER = '''"""The fields of every answer, for editors and type checkers. Written by generate.py from docs/schema; not to be edited.

A field that an answer does not have raises AttributeError; which fields are always there says the schema.
"""

from __future__ import annotations

from typing import Literal

from karat._result import Record, Result, Rows
'''


def class_name(command: str) -> str:
    """The class of a command's answer: EvalAnswer of "eval"."""
    return "".join(word.capitalize() for word in re.split(r"[ -]", command)) + "Answer"


def commands() -> set[str]:
    """The commands that have a schema."""
    return {path.stem for path in SCHEMAS.glob("*.json")}


class Types:
    """The classes of one schema; names that mean different things in different schemas begin with the command's."""

    def __init__(self, prefix: str, schema: dict[str, Any], ambiguous: set[str]) -> None:
        self.prefix, self.schema, self.ambiguous = prefix, schema, ambiguous

    def name(self, definition: str) -> str:
        return self.prefix + definition if definition in self.ambiguous else definition

    def is_object(self, kind: dict[str, Any]) -> bool:
        if "$ref" in kind:
            return self.is_object(self.schema["$defs"][kind["$ref"].split("/")[-1]])
        return kind.get("type") == "object"

    def annotation(self, kind: dict[str, Any]) -> str:
        """A type in Python, as `json` and `Record` give it."""
        if "$ref" in kind:
            definition = kind["$ref"].split("/")[-1]
            inner = self.schema["$defs"][definition]
            return self.name(definition) if "properties" in inner else self.annotation(inner)
        if "const" in kind:
            return f'Literal["{kind["const"]}"]'
        for several in ("anyOf", "oneOf"):
            if several in kind and "properties" not in kind:
                return self.union([self.annotation(option) for option in kind[several]])
        given = kind.get("type", [])
        return self.union([self.plain(name, kind) for name in ([given] if isinstance(given, str) else given)])

    def plain(self, name: str, kind: dict[str, Any]) -> str:
        if name == "array":
            items = kind.get("items") or {"anyOf": kind.get("prefixItems", [])}
            return f"Rows[{self.annotation(items)}]" if self.is_object(items) else f"list[{self.annotation(items)}]"
        return "Record" if name == "object" else PLAIN[name]

    def union(self, options: list[str]) -> str:
        """Each option once, literals in one, None last."""
        literals = [option[len("Literal[") : -1] for option in options if option.startswith("Literal[")]
        others = [option for option in dict.fromkeys(options) if not option.startswith("Literal[") and option != "None"]
        whole = ([f"Literal[{', '.join(dict.fromkeys(literals))}]"] if literals else []) + others
        return " | ".join(whole + (["None"] if "None" in options else []))

    def body(self, name: str, base: str, kind: dict[str, Any]) -> str:
        lines = [f"class {name}({base}):", documented(kind.get("description") or "An answer.")]
        for field, of in kind.get("properties", {}).items():
            # A keyword of Python can only be had as record["from"].
            if keyword.iskeyword(field) or (base == "Result" and field in OWN):
                continue
            annotation = self.annotation(of)
            lines += ["", f"    {field}: {annotation}"] if len(annotation) < 90 else ["", folded(field, annotation)]
            if of.get("description"):
                lines.append(documented(of["description"]))
        return "\n".join(lines)


def folded(field: str, annotation: str) -> str:
    """A long union, with one line for each literal."""
    text = annotation.replace("Literal[", "Literal[\n        ").replace('", "', '",\n        "').replace("]", ",\n    ]")
    return f"    {field}: {text}"


def documented(text: str) -> str:
    text = text.replace("\\", "\\\\").strip()
    end = "\n    " if len(text) > WIDTH - 10 else ""
    return textwrap.fill(f'"""{text}', WIDTH, initial_indent="    ", subsequent_indent="    ") + f'{end}"""'


def definitions(schemas: dict[str, dict[str, Any]]) -> tuple[set[str], set[str]]:
    """The names of all classes, and those that are not the same everywhere."""
    seen: dict[str, str] = {}
    ambiguous = set()
    for schema in schemas.values():
        for name, kind in schema.get("$defs", {}).items():
            text = json.dumps(kind, sort_keys=True)
            if seen.setdefault(name, text) != text:
                ambiguous.add(name)
    return set(seen), ambiguous


def written() -> str:
    """The module."""
    schemas = {path.stem: json.loads(path.read_text()) for path in sorted(SCHEMAS.glob("*.json"))}
    _, ambiguous = definitions(schemas)
    parts: dict[str, str] = {}
    for command, schema in schemas.items():
        answer = class_name(command)
        types = Types(answer.removesuffix("Answer"), schema, ambiguous)
        for name, kind in schema.get("$defs", {}).items():
            if "properties" in kind:
                parts.setdefault(types.name(name), types.body(types.name(name), "Record", kind))
        parts[answer] = types.body(answer, "Result", schema)
    return HEADER + "".join(f"\n\n{part}\n" for part in parts.values())
