"""Slow, obvious answers about how exposed rows of sequences are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

from tests.oracles.dna_models import may_be, people_alike


def people_below(rows: Sequence[str], persons: Sequence[int], k: int) -> int:
    """Persons with a row that fewer than k persons have."""
    counts = people_alike(rows, persons, range(len(rows[0])))
    return len({who for who, count in zip(persons, counts, strict=True) if count < k})


def entropy(column: Sequence[str]) -> float:
    return -sum(n / len(column) * math.log2(n / len(column)) for n in Counter(column).values())


def single(letter: str) -> bool:
    return len(may_be(letter)) == 1


def steps(
    rows: Sequence[str],
    persons: Sequence[int],
    row: int,
    order: Sequence[int],
    truth: Sequence[str] | None = None,
) -> int | None:
    """How many positions of an order, of those where the row is a single value, leave only its owner."""
    mine = (truth or rows)[row]
    others = [other for other in range(len(rows)) if persons[other] != persons[row]]
    known = [at for at in order if single(mine[at])]
    for taken in range(len(known) + 1):
        fits = [o for o in others if all(may_be(mine[at]) <= may_be(rows[o][at]) for at in known[:taken])]
        if not fits:
            return taken
    return None


def needed(
    rows: Sequence[str],
    persons: Sequence[int],
    order_of: Callable[[int], Sequence[int]],
    truth: Sequence[str] | None = None,
) -> dict[int, int | None]:
    """For each person the fewest steps over their rows; None where all positions do not suffice."""
    found: dict[int, int | None] = {}
    for row, who in enumerate(persons):
        one, before = steps(rows, persons, row, order_of(row), truth), found.get(who)
        found[who] = before if one is None else one if before is None else min(one, before)
    return found


def rarest_first(rows: Sequence[str], row: int) -> list[int]:
    """Positions by how many rows may have what this row has; the first of equals first."""
    known = [at for at in range(len(rows[0])) if single(rows[row][at])]
    return sorted(known, key=lambda at: sum(may_be(rows[row][at]) <= may_be(other[at]) for other in rows))


def told(rows: Sequence[str], persons: Sequence[int], phenotype: Sequence[object]) -> tuple[int, int]:
    """Persons all of whose likes have one phenotype: all of them, and those in company."""
    sure, together = set(), set()
    for row, who in zip(rows, persons, strict=True):
        likes = [at for at, other in enumerate(rows) if other == row]
        if len({phenotype[at] for at in likes}) == 1:
            sure.add(who)
            if len({persons[at] for at in likes}) > 1:
                together.add(who)
    return len(sure), len(together)
