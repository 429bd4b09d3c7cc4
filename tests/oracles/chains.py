"""Chains by the book: every person, every row, one after the other, with exact fractions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

Row = dict[str, Any]
Link = tuple[list[Row], dict[str, str], dict[str, str]]
"""the rows of a file, on what it is joined (column, fact), what it tells (fact, column)"""
Belief = dict[tuple[int, ...], Fraction]
"""how much is believed of each way through the files"""


def ways(people: Sequence[Row], links: Sequence[Link]) -> list[list[Belief]]:
    """Return after every link what is believed of everybody."""
    after = []
    now: list[tuple[Belief, dict[tuple[int, ...], Row]]] = [
        ({(i,): Fraction(1)}, {(i,): person}) for i, person in enumerate(people)
    ]
    for rows, on, learn in links:
        following = []
        for belief, facts in now:
            new: Belief = {}
            known: dict[tuple[int, ...], Row] = {}
            for way, share in belief.items():
                fits = [
                    number
                    for number, row in enumerate(rows)
                    if all(row[column] == facts[way][fact] for column, fact in on.items())
                ]
                for number in fits:
                    new[*way, number] = share / len(fits)
                    told = {fact: rows[number][column] for fact, column in learn.items()}
                    known[*way, number] = {**facts[way], **told}
            total = sum(new.values())
            following.append(({way: share / total for way, share in new.items()}, known))
        now = following
        after.append([belief for belief, _ in now])
    return after


def last_records(belief: Belief) -> dict[int, Fraction]:
    """Add up what is believed of the records of the last file."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for way, share in belief.items():
        found[way[-1]] += share
    return dict(found)


def expected_success(after: Sequence[Belief]) -> Fraction:
    """The share of people who are found, if everybody is in the file and the best candidate is claimed."""
    best = [max(last_records(belief).values(), default=Fraction(0)) for belief in after]
    return sum(best, Fraction(0)) / len(after)


def measured_success(after: Sequence[Belief], own: dict[int, int]) -> Fraction:
    """The share of people whose own record is claimed; among equals the adversary picks by chance."""
    total = Fraction(0)
    for person, record in own.items():
        believed = last_records(after[person])
        top = [number for number, share in believed.items() if share == max(believed.values())]
        total += Fraction(record in top, max(len(top), 1))
    return total / len(own)


def expected_values(after: Sequence[Belief], values: Sequence[Any]) -> tuple[Fraction, Fraction]:
    """The chance to name a value of the last file rightly, with and without the person's own record."""
    common = min(Counter(values).items(), key=lambda pair: (-pair[1], values.index(pair[0])))
    share = Fraction(common[1], len(values))
    hits = without = Fraction(0)
    for belief in after:
        if not belief:
            hits, without = hits + share, without + share
            continue
        hits += max(_by_value(belief, values).values())
        for way, own in belief.items():
            left = _by_value({other: some for other, some in belief.items() if other != way}, values)
            top = [value for value, some in left.items() if some == max(left.values())] or [common[0]]
            without += own * Fraction(values[way[-1]] in top, len(top))
    return hits / len(after), without / len(after)


def _by_value(belief: Belief, values: Sequence[Any]) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = defaultdict(Fraction)
    for way, share in belief.items():
        found[values[way[-1]]] += share
    return dict(found)


def agrees(match: str, known: set[str], released: set[str], covers: dict[str, set[str]]) -> bool:
    """Whether a set of released labels may be that of somebody of whom some items are known.

    ``covers`` says for each label which items it may stand for.
    """
    contains = all(any(item in covers[label] for label in released) for item in known)
    within = bool(released) and all(any(item in covers[label] for item in known) for label in released)
    if match == "contains":
        return contains
    if match == "within":
        return within
    return contains and (within or (not known and not released))


def success_by_sets(
    people: Sequence[tuple[Any, set[str], int | None]],
    records: Sequence[tuple[Any, set[str]]],
    match: str,
    covers: dict[str, set[str]],
) -> Fraction:
    """The share of people found who pick at random among the records that agree in a value and a set.

    Of each person: the value, the items, and the place of their own record (None: they have none).
    """
    total = Fraction(0)
    for value, known, own in people:
        fits = [
            place
            for place, (other, released) in enumerate(records)
            if value == other and agrees(match, known, released, covers)
        ]
        total += Fraction(int(own in fits), max(len(fits), 1))
    return total / len(people)
