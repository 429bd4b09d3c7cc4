"""Attacks on classes, record by record: who is right about whom, with their record and without it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

Row = tuple[Hashable, Any]
"""a class and a sensitive value"""
Adversary = Callable[[list[Any], list[Any], Any], Fraction]
"""from the values of a class, those of the whole table and the person's own: how likely a right claim is"""


def with_and_without(rows: Sequence[Row], adversary: Adversary) -> tuple[Fraction, Fraction]:
    """Attack everybody: with all records, and with all but their own (the whole table, if alone)."""
    success, baseline = Fraction(0), Fraction(0)
    for i, (name, own) in enumerate(rows):
        others = [row for j, row in enumerate(rows) if j != i]
        success += adversary([v for c, v in rows if c == name], [v for _, v in rows], own)
        rest = [v for _, v in others]
        left = [v for c, v in others if c == name] or rest
        if left:
            baseline += adversary(left, rest, own)
    return success / len(rows), baseline / len(rows)


def one_value(inside: list[Any], everybody: list[Any], own: Any) -> Fraction:
    """Claim a value when it is the only one."""
    return Fraction(set(inside) == {own})


def one_group(group: dict[Any, Any], least: Fraction, common: Fraction) -> Adversary:
    """Claim a group when enough are of it, and not nearly everybody."""

    def adversary(inside: list[Any], everybody: list[Any], own: Any) -> Fraction:
        kinds = [group[value] for value in inside]
        shared = sum(group[value] == group[own] for value in everybody)
        enough = kinds.count(group[own]) >= least * len(kinds) and kinds.count(group[own]) > 0
        return Fraction(enough and shared <= common * len(everybody))

    return adversary


def one_range(width: Fraction, least: Fraction, common: Fraction) -> Adversary:
    """Claim the narrow range that most are in (the lowest of several) if enough are, and not nearly all."""

    def adversary(inside: list[Any], everybody: list[Any], own: Any) -> Fraction:
        most, low, high = 0, 0, 0
        for start in sorted(set(inside)):
            covered = [value for value in inside if start <= value <= start + width]
            if len(covered) > most:
                most, low, high = len(covered), start, max(covered)
        shared = sum(low <= value <= high for value in everybody)
        claimed = most >= least * len(inside) and shared <= common * len(everybody)
        return Fraction(claimed and low <= own <= high)

    return adversary


def far_likelier(factor: Fraction, confidence: Fraction) -> Adversary:
    """Believe what is so many times as frequent in the class as everywhere, and so frequent."""

    def adversary(inside: list[Any], everybody: list[Any], own: Any) -> Fraction:
        posterior = Fraction(inside.count(own), len(inside))
        prior = Fraction(everybody.count(own), len(everybody))
        return Fraction(posterior > 0 and posterior >= factor * prior and posterior >= confidence)

    return adversary


def most_frequent(inside: list[Any], everybody: list[Any], own: Any) -> Fraction:
    """Claim the most frequent value; of several, one at random."""
    counted = Counter(inside)
    best = [value for value, number in counted.items() if number == max(counted.values())]
    return Fraction(own in best, len(best))


def corrupting(
    rows: Sequence[Row], corrupted: Callable[[int], int], worst: bool
) -> tuple[Fraction, Fraction]:
    """Know the values of some others in the class: every choice of them, or the one that helps most."""
    success, baseline = Fraction(0), Fraction(0)
    for i, (name, own) in enumerate(rows):
        inside = [j for j, (c, _) in enumerate(rows) if c == name and j != i]
        number = corrupted(len(inside))
        sizes = range(number + 1) if worst else [number]
        with_them, without = [], []
        for size in sizes:
            for known in combinations(inside, size):
                left = [rows[j][1] for j in inside if j not in known]
                with_them.append(set(left) | {own} == {own})
                seen = left or [rows[j][1] for j in range(len(rows)) if j != i and j not in known]
                without.append(bool(seen) and set(seen) == {own})
        if worst:
            success += any(with_them)
            baseline += any(without)
        else:
            success += Fraction(sum(with_them), len(with_them))
            baseline += Fraction(sum(without), len(without))
    return success / len(rows), baseline / len(rows)


Record = tuple[str, str, str, Any]
"""what is known (a code such as ``a1`` and a sex), the label of the code in the release, a value"""


def never_together(records: Sequence[Record], expected: Fraction) -> set[tuple[int, str, Any]]:
    """Mine what nobody has although so many would be expected to; column 0 is the code, 1 the sex."""
    found = set()
    for column in (0, 1):
        for known in {record[column] for record in records}:
            for value in {record[3] for record in records}:
                have = sum(record[column] == known for record in records)
                ill = sum(record[3] == value for record in records)
                both = sum(record[column] == known and record[3] == value for record in records)
                if both == 0 and Fraction(have * ill, len(records)) >= expected:
                    found.add((column, known, value))
    return found


def agrees(label: str, code: str) -> bool:
    """Say whether a label may stand for a code: the code itself, its first letter and a star, or a star."""
    return label in (code, code[0] + "*", "*")


def crossing_out(
    records: Sequence[Record], never: set[tuple[int, str, Any]]
) -> tuple[Fraction, Fraction, int]:
    """Claim the most frequent value that a person may have: how often is it right, and without them?"""
    success, baseline, sure = Fraction(0), Fraction(0), 0
    for i, (code, sex, _, own) in enumerate(records):
        out = {value for column, known, value in never if (code, sex)[column] == known}
        inside = [r[3] for r in records if agrees(r[2], code) and r[3] not in out]
        success += most_frequent(inside, [], own) if inside else 0
        sure += len(set(inside)) == 1
        others = [r for j, r in enumerate(records) if j != i]
        left = [r[3] for r in others if agrees(r[2], code) and r[3] not in out]
        if own not in out:
            left = left or [r[3] for r in others if r[3] not in out]
        baseline += most_frequent(left, [], own) if left else 0
    return success / len(records), baseline / len(records), sure
