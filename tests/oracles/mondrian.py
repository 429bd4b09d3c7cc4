"""Boxes checked from the records alone: who is in them, what their labels cover, could they be cut."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

Record = tuple[Any, ...]


def covers(label: str | None, value: Any) -> bool:
    """Read a label the way its description says, and say whether it may stand for the value."""
    if label is None or label == "*":
        return label == "*" or value is None
    if not label.startswith(("[", "{")):
        if isinstance(value, (int, float)):
            return float(label) == value
        return value is not None and label == str(value)
    if label.endswith(" or missing"):
        if value is None:
            return True
        label = label.removesuffix(" or missing")
    if value is None:
        return False
    if label[0] == "{":
        return str(value) in members(label[1:-1])
    return in_interval(label, value)


def members(inside: str) -> list[str]:
    """Split a set at its commas, minding backslashes."""
    found = [""]
    letters = iter(inside)
    for letter in letters:
        if letter == "\\":
            found[-1] += next(letters)
        elif letter == ",":
            found.append("")
            assert next(letters) == " "
        else:
            found[-1] += letter
    return found


def in_interval(label: str, value: Any) -> bool:
    inside, close = label[1:-1], label[-1]
    if " - " in inside:
        low, high = inside.split(" - ")
    elif isinstance(value, dt.date) or inside.startswith("-") or "-" not in inside:
        low = high = inside
    else:
        low, high = inside.split("-")
    read = dt.date.fromisoformat if isinstance(value, dt.date) else float
    return bool(read(low) <= value) and bool(value <= read(high) if close == "]" else value < read(high))


def is_ordered(values: Sequence[Any]) -> bool:
    return any(isinstance(value, (int, float, dt.date)) for value in values)


def cuts(
    values: Sequence[Any], ordered: bool, parents: dict[Any, tuple[str, ...]] | None
) -> Iterator[set[Any]]:
    """Every allowable left half: values below a bound (missing is above all), or any of the values.

    With ``parents`` (the path of a value from the root down) only whole children of the lowest
    common node can be parted.
    """
    distinct = set(values)
    if ordered:
        line = sorted(distinct - {None}) + ([None] if None in distinct else [])
        yield from (set(line[:size]) for size in range(1, len(line)))
        return
    atoms = [{value} for value in distinct]
    if parents is not None:
        depth = 0
        while len({parents[value][: depth + 1] for value in distinct}) == 1 and len(distinct) > 1:
            depth += 1
        names = {parents[value][: depth + 1] for value in distinct}
        atoms = [{v for v in distinct if parents[v][: depth + 1] == name} for name in names]
    for size in range(1, len(atoms)):
        for chosen in combinations(atoms, size):
            yield set().union(*chosen)


def can_be_cut(
    box: Sequence[Record],
    k: int,
    ordered: Sequence[bool],
    parents: Sequence[dict[Any, tuple[str, ...]] | None],
) -> bool:
    """Whether some column parts the records of a box so that both sides keep k."""
    for j in range(len(ordered)):
        count = Counter(record[j] for record in box)
        for left in cuts(list(count), ordered[j], parents[j]):
            size = sum(count[value] for value in left)
            if size >= k and len(box) - size >= k:
                return True
    return False


def certainty_penalty(
    boxes: Sequence[Sequence[Record]], sizes: Sequence[int | float], ordered: Sequence[bool]
) -> float:
    """GCP: mean over records and columns of range/span, or of values/size where there is more than one."""
    total = 0.0
    records = 0
    for box in boxes:
        records += len(box)
        for j, size in enumerate(sizes):
            values = {record[j] for record in box}
            width = max(values) - min(values) if ordered[j] else len(values) * (len(values) > 1)
            total += len(box) * width / size
    return total / records / len(sizes)
