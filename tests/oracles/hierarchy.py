"""Slow and obvious answers about hierarchies: one value at a time, with dictionaries and exact fractions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from sfumato.core.domain import Domain
from sfumato.hierarchy import Ladder

Path = tuple[str | None, ...]


def published(ladder: Ladder, domain: Domain) -> dict[Any, Path]:
    """What a ladder publishes for each value, level by level."""
    return {
        value: tuple(ladder.labels[level][ladder.rungs[level, code]] for level in range(ladder.height + 1))
        for code, value in enumerate(domain.values)
    }


def leaf_counts(ladder: Ladder) -> list[dict[str | None, float]]:
    """The leaves of each label, level by level."""
    return [
        dict(zip(labels, leaves.tolist(), strict=True))
        for labels, leaves in zip(ladder.labels, ladder.leaves, strict=True)
    ]


def counts_of_paths(paths: Sequence[Path], shown: Mapping[Any, Path]) -> list[dict[str | None, float]]:
    """How many of all paths pass through each label that some value shows."""
    height = len(paths[0])
    answer = []
    for level in range(height):
        labels = {path[level] for path in shown.values()}
        answer.append({label: float(sum(path[level] == label for path in paths)) for label in labels})
    return answer


def assert_sound(ladder: Ladder) -> None:
    """Everything that the contract of a ladder says, one group at a time."""
    for level in range(ladder.height + 1):
        rung = ladder.rungs[level].tolist()
        assert set(rung) == set(range(len(ladder.labels[level])))
        assert len(ladder.leaves[level]) == len(ladder.labels[level])
        assert len(set(ladder.labels[level])) == len(ladder.labels[level])
        assert sum(ladder.leaves[level]) <= ladder.size
        if level == 0:
            continue
        for group in set(ladder.rungs[level - 1].tolist()):
            codes = [code for code, below in enumerate(ladder.rungs[level - 1].tolist()) if below == group]
            assert len({rung[code] for code in codes}) == 1
        for group in set(rung):
            inside = {
                int(below)
                for code, below in enumerate(ladder.rungs[level - 1].tolist())
                if rung[code] == group
            }
            assert sum(ladder.leaves[level - 1][below] for below in inside) <= ladder.leaves[level][group]
    if ladder.labels[-1] == ("*",):
        assert ladder.leaves[-1].tolist() == [ladder.size]


def tree_paths(nodes: Any) -> list[Path]:
    """The paths of a nested mapping whose values are mappings or None, levelled at the leaves."""
    found: list[list[str]] = []

    def walk(inside: Mapping[str, Any], above: list[str]) -> None:
        for label, below in inside.items():
            if below:
                walk(below, [label, *above])
            else:
                found.append([label, *above])

    walk(nodes, [])
    if len({path[-1] for path in found}) > 1 or any(len(path) == 1 for path in found):
        found = [[*path, "*"] for path in found]
    longest = max(len(path) for path in found)
    return [tuple([path[0]] * (longest - len(path)) + path) for path in found]


def interval_of(number: str, width: str, origin: str) -> tuple[Fraction, Fraction]:
    """The interval of a decimal, by exact arithmetic."""
    index = (Fraction(number) - Fraction(origin)) // Fraction(width)
    low = Fraction(origin) + index * Fraction(width)
    return low, low + Fraction(width)


DATE_LABELS: dict[str, Callable[[dt.date], str]] = {
    "day": lambda day: day.strftime("%Y-%m-%d").rjust(10, "0"),
    "month": lambda day: day.isoformat()[:7],
    "quarter": lambda day: f"{day.isoformat()[:4]}-Q{(day.month + 2) // 3}",
    "year": lambda day: day.isoformat()[:4],
    "decade": lambda day: f"{day.isoformat()[:3]}0-{day.isoformat()[:3]}9",
}
