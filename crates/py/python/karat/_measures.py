"""Measures as ir_measures has them, objects with parameters, as the texts that karat reads."""

from __future__ import annotations

from typing import Any

# What belongs to a whole evaluation in karat, or names another measure, and is not part of the text of one.
_APART = {"judged_only", "min_rel", "max_rel", "relative"}
# ir_measures' Accuracy is the share of (relevant, other) pairs in the right order; karat gives the name to something
# else.
_OTHER_MEANING = {"Accuracy"}


def spec(measure: Any) -> str | None:
    """The text of a measure as karat writes it; None where karat has no such measure."""
    if measure.NAME in _OTHER_MEANING or not type(measure).__module__.startswith("ir_measures.measures"):
        return None
    given = {name: value for name, value in measure.params.items() if value != measure.SUPPORTED_PARAMS[name].default}
    if given.get("min_rel", 0) != 0:
        return None
    name = "SetRelativeP" if given.get("relative") else measure.NAME
    at = given.pop(measure.AT_PARAM, None)
    parameters = [f"{key}={_text(value)}" for key, value in given.items() if key not in _APART]
    if name == "RBP" and "rel" not in given:
        # "NOT_PROVIDED to use graded relevance", as ir_measures describes it.
        parameters.append("gain=linear")
    text = f"{name}({','.join(parameters)})" if parameters else str(name)
    return text if at is None else f"{text}@{at}"


def _text(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{own}" for key, own in sorted(value.items())) + "}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def asked(measure: Any) -> str:
    """The text of a measure for a call of a command, in which what belongs to a whole evaluation has a keyword of its own.

    Raises:
        ValueError: There is no text that means the same.
    """
    text = spec(measure)
    apart = [name for name in ("judged_only", "max_rel") if name in measure.params]
    if apart:
        name = {"judged_only": "judged_only=True", "max_rel": f"max_grade={measure.params.get('max_rel')}"}[apart[0]]
        raise ValueError(f"{measure!r}: {apart[0]} is a choice for all measures of a call: write {name} beside measures")
    if text is None:
        raise ValueError(f"{measure!r}: karat has no measure that means this; see karat.measures()")
    return text
