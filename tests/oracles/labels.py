"""Does a published label cover a value? Read the label the way a person would."""

from __future__ import annotations

import re
from typing import Any

NUMBER = r"(-?\d+(?:\.\d+)?)"


def is_missing(value: Any) -> bool:
    return value is None or str(value) in ("<NA>", "nan")


def covers(label: Any, value: Any, groups: dict[str, set[str]] | None = None) -> bool:
    """Say whether the value could be meant by the label."""
    if is_missing(label):
        return is_missing(value)
    text = str(label)
    if text == "*":
        return True
    if is_missing(value):
        return "missing" in text
    text = re.sub(r"\s*(or|and) missing$", "", text)
    if groups and text in groups:
        return str(value) in groups[text]
    if text == str(value):
        return True
    if match := re.fullmatch(rf"\[?{NUMBER}\]?", text):
        return float(match[1]) == float(value)
    if match := re.fullmatch(rf"\[?{NUMBER}\s*-\s*{NUMBER}\]?", text):
        return float(match[1]) <= float(value) <= float(match[2])
    if match := re.fullmatch(r"\{(.*)\}", text):
        return str(value) in match[1].split(", ")
    return False
