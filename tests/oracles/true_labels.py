"""Whether a published label is true of a value: read the label character by character, know no method.

Slow and obvious; shares no code with hierarchies, methods or masks.
"""

from __future__ import annotations

import re


def true_of_zip3(label: str | None, zip3: str, hidden: bool) -> bool:
    """Whether somebody whose ZIP code begins with ``zip3`` may be shown with a label."""
    if label is None or label == "*":
        return True
    if label == "000":
        return hidden
    label = label.removesuffix(" or missing")
    if label.startswith("{"):
        return zip3 in [part.strip() for part in label.strip("{}").split(",")]
    between = re.fullmatch(r"\[?(\d+)(?:-(\d+))?\]?", label)
    if between is not None:
        low, high = between[1], between[2] or between[1]
        return int(low) <= int(zip3) <= int(high)
    assert len(label) == 3, label
    return all(shown in ("*", digit) for shown, digit in zip(label, zip3, strict=True))


def true_of_age(label: str | None, age: int) -> bool:
    """Whether somebody of an age may be shown with a label."""
    return label is None or _true_of_number(label, age, 200)


def true_of_birth(label: str | None, year: int) -> bool:
    """Whether somebody who was born in a year may be shown with a label."""
    if label is None:
        return True
    earlier = re.fullmatch(r"(\d+) or earlier", label)
    return year <= int(earlier[1]) if earlier else _true_of_number(label, year, 3000)


def _true_of_number(label: str, number: int, last: int) -> bool:
    label = label.removesuffix(" or missing")
    if label == "*":
        return True
    if label.startswith("{"):
        return any(_true_of_number(part.strip(), number, last) for part in label.strip("{}").split(","))
    if label.startswith("<"):
        return number < int(label[1:])
    between = re.fullmatch(r"\[?(≤?)(\d+)(?:-(\d+))?(\+?)\]?", label)
    assert between is not None, label
    low = 0 if between[1] else int(between[2])
    high = last if between[4] else int(between[3] or between[2])
    return low <= number <= high
