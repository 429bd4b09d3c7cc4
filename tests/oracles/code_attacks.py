"""Adversaries who know codes, the slow way: every set of codes is written down and every record is asked.

A published record is a set of items, an item is a set of codes. Nothing here is shared with the package.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations

Item = frozenset[str]
Record = frozenset[Item]


def covers(record: Record, code: str) -> bool:
    """Say whether a record shows an item that may be this code."""
    return any(code in item for item in record)


def agreeing(records: list[Record], known: Iterable[str]) -> list[int]:
    """Return the records that may hold all known codes."""
    codes = list(known)
    return [r for r, record in enumerate(records) if all(covers(record, code) for code in codes)]


def _choices(codes: Iterable[str], m: int) -> list[tuple[str, ...]]:
    listed = sorted(codes)
    return [some for size in range(min(m, len(listed)) + 1) for some in combinations(listed, size)]


def fewest_candidates(people: list[set[str]], records: list[Record], m: int, hidden: set[str]) -> list[int]:
    """Return for every person how many records agree with the worst choice of codes that keeps their own."""
    return [
        min(
            len(found) for known in _choices(person - hidden, m) if own in (found := agreeing(records, known))
        )
        for own, person in enumerate(people)
    ]


def whole_set(people: list[set[str]], records: list[Record]) -> list[int]:
    """Return for every person how many records account for most of their codes and show nothing else.

    It is 0 where the person's own record is not one of them.
    """
    found = []
    for own, person in enumerate(people):
        possible = [r for r, record in enumerate(records) if all(item & person for item in record)]
        covered = {r: sum(covers(records[r], code) for code in person) for r in possible}
        taken = [r for r in possible if covered[r] == max(covered.values())]
        found.append(len(taken) if own in taken else 0)
    return found


def greatest_confidence(
    people: list[set[str]], records: list[Record], sensitive: set[str], m: int, *, public: bool
) -> Fraction:
    """Return how sure the surest claim about anybody is, over all choices of codes that keep their own."""
    best = Fraction(0)
    items = {item for record in records for item in record if item <= sensitive}
    for own, person in enumerate(people):
        for known in _choices(person - sensitive if public else person, m):
            found = agreeing(records, known)
            if own not in found:
                continue
            for item in items:
                if item.isdisjoint(known):
                    joint = sum(item in records[r] for r in found)
                    best = max(best, Fraction(joint, len(found)))
    return best
