"""Frequencies under both readings of missing values, record by record, and the least that can be hidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

Record = tuple[Any, ...]


def agree(a: Record, b: Record) -> bool:
    """Two records agree when each pair of values is equal or has a missing one in it."""
    return all(x == y or x is None or y is None for x, y in zip(a, b, strict=True))


def wildcard_frequencies(records: Sequence[Record], weights: Sequence[int] | None = None) -> list[int]:
    """Compare every record with every record."""
    counted = [1] * len(records) if weights is None else weights
    return [sum(w for b, w in zip(records, counted, strict=True) if agree(a, b)) for a in records]


def own_frequencies(records: Sequence[Record]) -> list[int]:
    """Count equal records; missing equals missing."""
    found = Counter(records)
    return [found[record] for record in records]


def projections(records: Sequence[Record], together: int) -> list[list[Record]]:
    """Return the table in every choice of so many columns."""
    width = len(records[0])
    return [
        [tuple(record[j] for j in chosen) for record in records]
        for chosen in combinations(range(width), together)
    ]


def fewest_hidden(records: Sequence[Record], k: int, *, own: bool) -> int:
    """Try every way to hide values, equal records alike; return how few hidden values will do."""
    distinct = sorted(set(records), key=repr)
    width = len(records[0])
    ways = list(product([False, True], repeat=width))
    fewest = len(records) * width
    for choice in product(ways, repeat=len(distinct)):
        hidden = dict(zip(distinct, choice, strict=True))
        shown = [
            tuple(None if hide else value for value, hide in zip(record, hidden[record], strict=True))
            for record in records
        ]
        cost = sum(sum(hidden[record]) for record in records)
        if cost < fewest and min(own_frequencies(shown) if own else wildcard_frequencies(shown)) >= k:
            fewest = cost
    return fewest
