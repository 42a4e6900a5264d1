"""Evaluate search results, with intervals and bounds for every score.

Every function is a command of the command line, with the same names, defaults and numbers. Inputs are paths, dicts,
pandas, polars or Arrow tables, arrays, or lists of rows; answers are small objects with the names of the command line's
JSON as attributes.
"""

from karat import judges, published, simulate
from karat._commands import (
    ab,
    ab_interleaving,
    budget,
    check,
    compare,
    convert,
    demo,
    evaluate,
    explain,
    measures,
    next,
    plan,
    plan_judges,
    pool,
    rbo,
    report,
    reproduce,
    sample,
    tune,
)
from karat._errors import FileError, GateError, InputError, KaratError, UsageError
from karat._karat import __version__
from karat._result import Page, Record, Result, Rows, Text

__all__ = [
    "FileError",
    "GateError",
    "InputError",
    "KaratError",
    "Page",
    "Record",
    "Result",
    "Rows",
    "Text",
    "UsageError",
    "__version__",
    "ab",
    "ab_interleaving",
    "budget",
    "check",
    "compare",
    "convert",
    "demo",
    "evaluate",
    "explain",
    "judges",
    "measures",
    "next",
    "plan",
    "plan_judges",
    "pool",
    "published",
    "rbo",
    "report",
    "reproduce",
    "sample",
    "simulate",
    "tune",
]
