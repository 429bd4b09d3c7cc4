"""The patterns that are looked for among the questions of one data set, from metadata and the log alone.

Trackers, one-person conditions and near-identical questions: D. Denning, "Cryptography and data security"
(1982), chapter 6. Differential privacy holds whatever is asked; who asks so is wasting the budget or trying
to break something, and the owner should know.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from sfumato.query.metadata import Metadata
from sfumato.query.watch.conditions import Conjunct, Looked, differing, joint_share

FLOOD = 50
"""near-identical questions of one analyst"""
AGAIN = 5
"""payments for one question, at several prices or by several analysts"""
FEW = 5
"""people by which two questions may differ before the pair is of no interest"""
MANY_COLUMNS = 3
"""columns that are pinned to one value, where nothing is known of how many there are"""
_MOST_BESIDE = 50
"""questions that are alike but for one condition, and are compared with each other"""


@dataclass(frozen=True)
class Entry:
    """A question of the log, with what it looked at."""

    spend: int
    analyst: str
    question: str
    looked: Looked | None


@dataclass(frozen=True)
class Pair:
    """Two questions whose conditions describe nearly the same people."""

    first: Entry
    second: Entry
    people: Fraction | None
    """by how many they differ at most, expected; None when it cannot be told"""


def expected_people(share: Fraction | None, metadata: Metadata | None) -> Fraction | None:
    """Return how many people a part of the domain has, if there are as many as were declared at most."""
    if share is None or metadata is None:
        return None
    return share * max(table.max_rows for table in metadata.tables.values())


def differencing_pairs(entries: Sequence[Entry], metadata: Metadata | None) -> Iterator[Pair]:
    """Yield pairs that differ by one condition, or by one value or bound, and so by few people."""
    asked: dict[tuple[object, frozenset[Conjunct]], Entry] = {}
    beside: dict[tuple[object, frozenset[Conjunct], str], list[tuple[Entry, Conjunct]]] = defaultdict(list)
    for entry in entries:
        if entry.looked is not None:
            asked.setdefault((entry.looked.rest, entry.looked.conjuncts), entry)
    for (rest, conjuncts), entry in asked.items():
        for conjunct in conjuncts:
            others = conjuncts - {conjunct}
            wider = asked.get((rest, others))
            if wider is not None:
                yield Pair(wider, entry, _left_out(others, conjunct, metadata))
            if conjunct.subject is not None:
                beside[rest, others, conjunct.subject].append((entry, conjunct))
    for (_, others, _), alike in beside.items():
        for (one, its), (other, others_own) in combinations(alike[:_MOST_BESIDE], 2):
            people = _between(others, its, others_own, metadata)
            if people is not None:
                first, second = sorted((one, other), key=lambda entry: entry.spend)
                yield Pair(first, second, people)


def _left_out(others: frozenset[Conjunct], conjunct: Conjunct, metadata: Metadata | None) -> Fraction | None:
    """Return how many people one more condition leaves out, expected."""
    if metadata is None:
        return None
    wide, narrow = joint_share(others, metadata), joint_share(others | {conjunct}, metadata)
    return (
        None if wide is None or narrow is None else expected_people(max(wide - narrow, Fraction(0)), metadata)
    )


def _between(
    others: frozenset[Conjunct], one: Conjunct, other: Conjunct, metadata: Metadata | None
) -> Fraction | None:
    if metadata is None:
        return None
    wide, apart = joint_share(others, metadata), differing(one, other, metadata)
    return None if wide is None or apart is None else expected_people(wide * apart, metadata)


def about_one_person(entry: Entry, metadata: Metadata | None) -> bool:
    """Say whether a condition describes less than one person expected, or all but less than one."""
    if entry.looked is None or not entry.looked.conjuncts:
        return False
    if metadata is None:
        pinned = {
            conjunct.subject
            for conjunct in entry.looked.conjuncts
            if conjunct.subject is not None and conjunct.tree.key == "eq"
        }
        return len(pinned) >= MANY_COLUMNS
    share = joint_share(entry.looked.conjuncts, metadata)
    inside = expected_people(share, metadata)
    outside = None if share is None else expected_people(1 - share, metadata)
    if inside is None or outside is None:
        return False
    return 0 < inside < 1 or 0 < outside < 1


def floods(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Yield questions of one analyst that are the same but for constants, where they are many."""
    alike: dict[tuple[str, object], list[Entry]] = defaultdict(list)
    for entry in entries:
        if entry.looked is not None:
            alike[entry.analyst, entry.looked.shape].append(entry)
    yield from (those for those in alike.values() if len(those) >= FLOOD)


def paid_again(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Yield payments for the very same question, where they are many: fresh noise each time."""
    same: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        same[entry.question].append(entry)
    yield from (those for those in same.values() if len(those) >= AGAIN)
