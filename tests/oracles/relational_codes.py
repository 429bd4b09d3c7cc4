"""Records of two kinds, the slow and obvious way: every class, every itemset, every pair, every candidate."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

Row = tuple[str | None, ...]
Item = frozenset[str]
"""the codes that a published item stands for"""


def fewest(rows: Sequence[Row], sets: Sequence[Collection[str]], m: int) -> int | None:
    """Return the fewest records that share a class and up to m items some record shows; None without rows."""
    found = []
    for row, items in zip(rows, sets, strict=True):
        for size in range(m + 1):
            for known in combinations(sorted(items), size):
                found.append(
                    sum(
                        row == other and set(known) <= set(shown)
                        for other, shown in zip(rows, sets, strict=True)
                    )
                )
    return min(found, default=None)


def matches(label: str | None, value: str | None) -> bool:
    """Say whether a published label may stand for a value: itself, a range, a set, ``*``, or missing."""
    if label is None or value is None:
        return label == value or (value is None and label is not None and label.endswith(" or missing"))
    label = label.removesuffix(" or missing")
    if label in ("*", value):
        return True
    if interval := re.fullmatch(r"\[(\d+)(?:-(\d+))?\]", label):
        return int(interval[1]) <= int(value) <= int(interval[2] or interval[1])
    return label.startswith("{") and value in label.strip("{}").split(", ")


def candidates(
    rows: Sequence[Row], sets: Sequence[Iterable[Item]], person: Row, codes: Iterable[str]
) -> list[int]:
    """Return the records that may be those of a person of whom quasi-identifiers and some codes are known."""
    found = []
    for number, (row, items) in enumerate(zip(rows, sets, strict=True)):
        fits = all(matches(label, value) for label, value in zip(row, person, strict=True))
        covered = set().union(*items)
        if fits and set(codes) <= covered:
            found.append(number)
    return found


def unlike(one: Collection[str], other: Collection[str]) -> float:
    """Return (codes of one alone + 1) / (codes of both + 1)."""
    return (len(set(one) ^ set(other)) + 1) / (len(set(one) & set(other)) + 1)


def widest(clusters: Iterable[Collection[Collection[str]]]) -> float:
    """Return how unlike the two most unlike records of some clusters are."""
    records = [record for cluster in clusters for record in cluster]
    return max((unlike(one, other) for one, other in combinations(records, 2)), default=0.0)


def penalty(values: Sequence[str | None], domain: Sequence[str | None], *, numbers: bool) -> float:
    """Return the certainty penalty of showing some values as one label, out of all values of a column."""
    there = [value for value in values if value is not None]
    if numbers:
        axis = [int(value) for value in domain if value is not None]
        span = max(axis) - min(axis) if axis else 0
        if not span or not there:
            return 0.0
        if None in values:
            return 1.0
        return (max(map(int, there)) - min(map(int, there))) / span
    held = len(set(values))
    return held / len(set(domain)) if held > 1 else 0.0
