"""Candidates when a column is known, too: everybody is compared with everybody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Row = dict[str, Any]


def candidates(
    rows: Sequence[Row], quasi: Sequence[str], column: str, k: int, person: str | None = None
) -> tuple[int, int, int]:
    """Return all people, those with fewer than k candidates, and those of them whom the column narrowed."""
    who = [row[person] if person else place for place, row in enumerate(rows)]
    few, added = set(), set()
    for own, row in zip(who, rows, strict=True):
        alike = {
            other
            for other, one in zip(who, rows, strict=True)
            if all(one[name] == row[name] for name in quasi)
        }
        same = {
            other
            for other, one in zip(who, rows, strict=True)
            if all(one[name] == row[name] for name in (*quasi, column))
        }
        if len(same) < k:
            few.add(own)
            if same != alike:
                added.add(own)
    return len(set(who)), len(few), len(added)


def candidates_with_wildcards(
    rows: Sequence[Row], quasi: Sequence[str], column: str, k: int
) -> tuple[int, int, int]:
    """The same where a hidden quasi-identifier agrees with every value."""

    def agree(one: Row, other: Row) -> bool:
        return all(one[n] == other[n] or {one[n], other[n]} & {None, "*"} for n in quasi)

    few = added = 0
    for row in rows:
        alike = [one for one in rows if agree(one, row)]
        same = [one for one in alike if one[column] == row[column]]
        few += len(same) < k
        added += len(same) < k and len(same) < len(alike)
    return len(rows), few, added
