"""k-anonymity the obvious way: count equal rows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

Row = dict[str, Any]


def smallest_class(rows: Sequence[Row], quasi: Sequence[str], person: str | None = None) -> int:
    """Return the persons of the smallest class (0 for no rows)."""
    if person is None:
        return min(Counter(tuple(row[q] for q in quasi) for row in rows).values(), default=0)
    people: dict[tuple[Any, ...], set[Any]] = defaultdict(set)
    for row in rows:
        people[tuple(row[q] for q in quasi)].add(row[person])
    return min((len(who) for who in people.values()), default=0)
