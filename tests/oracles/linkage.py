"""Linkage, record by record: who may be whom, and how often a random pick among the candidates is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from tests.oracles.labels import covers, is_missing

Row = Sequence[Any]


def agrees(record: Row, known: Row, *, anybody: bool = True) -> bool:
    """Say whether a record may be about somebody; with ``anybody`` nothing unknown speaks against it."""
    return all(
        (anybody and (is_missing(label) or is_missing(value))) or covers(label, value)
        for label, value in zip(record, known, strict=True)
    )


def candidate_records(records: Sequence[Row], known: Row, *, anybody: bool = True) -> list[int]:
    """Number the records that may be somebody's."""
    return [i for i, record in enumerate(records) if agrees(record, known, anybody=anybody)]


def _fitting(records: Sequence[Row], people: Sequence[Row], *, anybody: bool) -> list[int]:
    """Count for each record the people of the list who are known to fit it, but at least one."""
    known = [other for other in people if not (anybody and any(map(is_missing, other)))]
    return [max(1, sum(agrees(record, other, anybody=anybody) for other in known)) for record in records]


def measured(records: Sequence[Row], owners: Sequence[Any], people: Sequence[tuple[Any, Row]]) -> Fraction:
    """Return how often a pick among the most precise agreeing records is right, for people in the data."""
    each_once = {(who, tuple(known)) for who, known in people}
    told = [(who, known) for who, known in each_once if not any(map(is_missing, known))]
    fitting = []
    for record in records:
        fit = [who for who, known in told if agrees(record, known)]
        # The fewest people; among as many of them, those of whom the fewest things are said.
        fitting.append((max(1, len(set(fit))), max(1, len(fit))))
    best: dict[Any, Fraction] = {}
    for who, known in people:
        if who not in owners:
            continue
        found = candidate_records(records, known)
        precise = [i for i in found if fitting[i] == min(fitting[i] for i in found)]
        own = sum(owners[i] == who for i in precise)
        best[who] = max(best.get(who, Fraction(0)), Fraction(own, len(precise)) if found else Fraction(0))
    return sum(best.values(), Fraction(0)) / len(best)


def chances(
    records: Sequence[Row], people: Sequence[Row], *, inside: bool, anybody: bool = True
) -> list[Fraction]:
    """Return for each of the people how likely the best record is theirs.

    A record that F people fit is each one's with chance 1 / F. Who is ``inside`` the release for sure has one
    of those that agree; else these chances are scaled only where they add up to more than one.
    """
    fitting = _fitting(records, people, anybody=anybody)
    found = []
    for known in people:
        each = [Fraction(1, fitting[i]) for i in candidate_records(records, known, anybody=anybody)]
        total = sum(each, Fraction(0)) if inside else max(Fraction(1), sum(each, Fraction(0)))
        found.append(max(each) / total if each else Fraction(0))
    return found


def _claim(chances: Mapping[Any, Fraction], truth: Any) -> Fraction:
    """Return the chance to be right with the likeliest value; equal ones are a coin."""
    likeliest = [value for value, chance in chances.items() if chance == max(chances.values())]
    return Fraction(truth in likeliest, len(likeliest)) if likeliest else Fraction(0)


def composed(
    releases: Sequence[Sequence[tuple[Row, Any]]], people: Sequence[tuple[Row, Any]]
) -> tuple[Fraction, Fraction, int]:
    """Return how often the intersection of releases is right, the best of one alone, and who is sure.

    Records and people are quasi-identifiers with a sensitive value; the first release is the target.
    """
    whole = [value for _, value in releases[0]]
    right, sure = Fraction(0), 0
    alone = [Fraction(0) for _ in releases]
    for known, truth in people:
        shares: list[dict[Any, Fraction]] = []
        for i, records in enumerate(releases):
            found = [value for labels, value in records if agrees(labels, known)]
            shares.append({value: Fraction(found.count(value), len(found)) for value in found})
            alone[i] += _claim(shares[-1], truth)
        left = set(shares[0]).intersection(*shares[1:])
        chances = {}
        for value in left:
            base = Fraction(whole.count(value), len(whole))
            chances[value] = base
            for share in shares:
                chances[value] *= share[value] / base
        right += _claim(chances, truth) if left else _claim(shares[0], truth)
        sure += left == {truth}
    return right / len(people), max(alone) / len(people), sure
