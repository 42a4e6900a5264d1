"""How answers look in a notebook: HTML whose styles stay within it, small tables, figures that show themselves.

A notebook puts the HTML of all cells into one page, so a rule for `table` or `body` in one of them would restyle all others.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from typing import Any

#: Rows of a table that a notebook shows; the others are counted.
SHOWN = 60
#: The element that an answer is in. Twice, to count for more than what a notebook says of all its tables.
OWN = ".karat.karat"
#: Beside the page's own rules: an answer is a part of a notebook's text, and no page.
MORE = f"{OWN} {{ font: inherit; }} {OWN} main {{ padding: 0; }} {OWN} h1, {OWN} h2 {{ font-size: 1.1em; margin: .5em 0; }}"


class Figure(str):
    """A figure: text of SVG that a notebook draws."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        title = re.search(r"<title>(.*?)</title>", self, flags=re.DOTALL)
        return f"<figure: {html.unescape(title[1])}>" if title else "<figure>"


class Figures(dict[str, Figure]):
    """Figures by name; a notebook draws all."""

    def _repr_html_(self) -> str:
        return "".join(f"<div>{figure}</div>" for figure in self.values())


def inside(page: str) -> str:
    """The inside of a page, with its styles kept to itself."""
    start, end = page.find("<body"), page.rfind("</body>")
    if start < 0 or end < 0:
        return page
    rules = "".join(re.findall(r"<style[^>]*>(.*?)</style>", page[:start], flags=re.DOTALL))
    body = page[page.index(">", start) + 1 : end]
    return f'<div class="karat"><style>{scoped(rules)}{MORE}</style>{body}</div>'


def scoped(rules: str) -> str:
    """Rules that hold within the class `karat` only; what was said of the page is said of that element.

    >>> scoped("body { margin: 0 } @media print { th, td { color: red } }")
    '.karat.karat { margin: 0 } @media print { .karat.karat th, .karat.karat td { color: red } }'
    """
    return re.sub(r"([^{};]+)\{", _within, re.sub(r"/\*.*?\*/", "", rules, flags=re.DOTALL))


def _within(found: re.Match[str]) -> str:
    selectors = found[1]
    if selectors.lstrip().startswith("@"):
        return found[0]
    kept = selectors[: len(selectors) - len(selectors.lstrip())]
    parts = (part.strip() for part in selectors.split(","))
    return kept + ", ".join(OWN if part in (":root", "html", "body") else f"{OWN} {part}" for part in parts) + " {"


def table(rows: Iterable[Mapping[str, Any]]) -> str:
    """Records as a table."""
    listed = list(rows)
    names = list(dict.fromkeys(name for row in listed for name in row))
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(_cell(row.get(name)))}</td>" for name in names) + "</tr>" for row in listed[:SHOWN]
    )
    more = f"<p>and {len(listed) - SHOWN} more rows</p>" if len(listed) > SHOWN else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(value: Any) -> str:
    """A value as a person reads it: four digits that count, nothing for what is missing."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_cell(inner)}" for name, inner in value.items())
    if isinstance(value, list):
        return "; ".join(_cell(inner) for inner in value)
    return str(value)
