"""Partitions of public codes into items, and which of them keep all rules.

Joining codes is not monotone for rules: it raises sup(I), and may raise sup(I ∪ J) faster. Five people {a},
{a}, {b, s}, {b, s}, {b, s} keep a → s at k = 2 and c = 0.5 as they are, and not with (a,b) as one item. So
neither end of the search, all codes apart or all in one item, decides whether a release exists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.question import Question

Group = frozenset[int]
Partition = tuple[Group, ...]

MOST_CODES = 8
"""public codes up to which all partitions are looked at: there are 4,140 of eight"""
_MOST_LOOKS = 2_000_000
"""partitions times rules where all partitions are looked at"""
_MOST_TRIES = 300_000
"""partitions times rules, about, where they are not"""
_MOST_PARTNERS = 40
"""items of broken rules, and partners for each of them, that are tried in one step"""
_MOST_MERGES = 300
_MOST_REMEMBERED = 500
_WHOLE_SPLITS = 10
"""codes of an item up to which all ways to split it in two are tried"""


@dataclass(frozen=True)
class Rule:
    """What must hold of one listed itemset; codes that never occur make it one that nobody matches."""

    known: tuple[int, ...]
    told: tuple[int, ...] | None
    occurs: bool
    question: Question

    def holds(self, support: Callable[[tuple[int, ...]], int]) -> bool:
        """Whether the rule is protected, given how many records match some codes."""
        question = self.question
        matched = support(self.known) if self.occurs and self.known else 0
        if not matched:
            return not question.all_or_subsets or self._parts_hold(support)
        if matched < question.support:
            return False
        share = question.confidence
        if share is None or self.told is None:
            return True
        joint = support((*self.known, *self.told))
        bound = share * matched
        return joint < bound if question.below else Fraction(joint) <= bound

    def _parts_hold(self, support: Callable[[tuple[int, ...]], int]) -> bool:
        largest = len(self.known) - 1 if self.occurs else len(self.known)
        return all(
            not 0 < support(part) < self.question.support
            for size in range(1, largest + 1)
            for part in combinations(self.known, size)
        )

    def lacks(self, support: Callable[[tuple[int, ...]], int]) -> Fraction:
        """Return how far a broken rule is from being kept: what is missing of k, and what is above c."""
        matched = support(self.known) if self.occurs and self.known else 0
        missing = Fraction(max(self.question.support - matched, 0), self.question.support)
        if not matched or self.question.confidence is None or self.told is None:
            return missing
        joint = Fraction(support((*self.known, *self.told)), matched)
        return missing + max(joint - self.question.confidence, Fraction(0))


@dataclass
class Partitions:
    """The rules over the records of some codes; ``public`` codes may be joined, others stay as they are."""

    bits: NDArray[np.uint64]
    """the records of each code"""
    public: tuple[int, ...]
    rules: Sequence[Rule]
    looked_at: int = 0
    """partitions that were tried"""
    _held: dict[Group, NDArray[np.uint64]] = field(default_factory=dict)
    _supports: dict[frozenset[Group], int] = field(default_factory=dict)

    @property
    def apart(self) -> Partition:
        """Every public code by itself."""
        return tuple(frozenset({code}) for code in self.public)

    def keeps(self, partition: Partition) -> bool:
        """Whether all rules hold with these items."""
        self.looked_at += 1
        support = self._support(partition)
        return all(rule.holds(support) for rule in self.rules)

    def broken(self, partition: Partition) -> list[Rule]:
        """Return the rules that do not hold with these items."""
        self.looked_at += 1
        support = self._support(partition)
        return [rule for rule in self.rules if not rule.holds(support)]

    def loss(self, partition: Partition) -> int:
        """Add up what items lose by UL: an item of n codes that s records hold loses (2^n − 1) · s."""
        return sum((2 ** len(group) - 1) * self._matched((group,)) for group in partition if len(group) > 1)

    def _matched(self, groups: Sequence[Group]) -> int:
        key = frozenset(groups)
        if key not in self._supports:
            held = [self._records(group) for group in key]
            self._supports[key] = int(np.bitwise_count(np.bitwise_and.reduce(held)).sum())
        return self._supports[key]

    def _records(self, group: Group) -> NDArray[np.uint64]:
        if len(self._held) > _MOST_REMEMBERED:
            # An entry is as long as the data: those of joins that were not taken would fill the memory.
            self._held.clear()
        if group not in self._held:
            self._held[group] = np.bitwise_or.reduce(self.bits[sorted(group)], axis=0)
        return self._held[group]

    def _support(self, partition: Partition) -> Callable[[tuple[int, ...]], int]:
        group_of = {code: group for group in partition for code in group}

        def support(codes: tuple[int, ...]) -> int:
            return self._matched([group_of.get(code, frozenset({code})) for code in codes])

        return support

    def all_can_be_tried(self) -> bool:
        """Whether there are few enough partitions to look at each."""
        many = _bell(len(self.public)) if len(self.public) <= MOST_CODES else _MOST_LOOKS
        return many * max(len(self.rules), 1) < _MOST_LOOKS

    def best(self) -> Partition | None:
        """Return the feasible partition that loses least, of all that there are; None if there is none."""
        found = (one for one in _partitions(self.public) if self.keeps(one))
        return min(found, key=lambda one: (self.loss(one), _ordered(one)), default=None)

    def joined(self) -> Partition | None:
        """Join items from single codes on, where that brings rules nearest to being kept; None if stuck."""
        now = self.apart
        for _ in range(min(len(self.public), _MOST_MERGES)):
            wrong = self.broken(now)
            if not wrong:
                return now
            if self._spent():
                return None
            involved = {code for rule in wrong for code in (*rule.known, *(rule.told or ()))}
            touched = [group for group in now if group & involved][:_MOST_PARTNERS]
            partners = sorted(now, key=lambda group: (-self._matched((group,)), min(group)))[:_MOST_PARTNERS]
            merged = [_merged(now, one, other) for one in touched for other in partners if one != other]
            if not merged:
                return None
            now = min(merged, key=lambda one: (*self._lacking(one), self.loss(one), _ordered(one)))
        return now if self.keeps(now) else None

    def _spent(self) -> bool:
        return self.looked_at * max(len(self.rules), 1) > _MOST_TRIES

    def _lacking(self, partition: Partition) -> tuple[int, Fraction]:
        support, wrong = self._support(partition), self.broken(partition)
        return len(wrong), sum((rule.lacks(support) for rule in wrong), Fraction(0))

    def finer(self, partition: Partition) -> Partition:
        """Split items in two as long as all rules hold, each time the split that takes off most loss."""
        now = partition
        while not self._spent():
            ways = (
                tuple(one for one in now if one != group) + sides for group in now for sides in _splits(group)
            )
            feasible = [one for one in ways if self.keeps(one)]
            if not feasible:
                return now
            now = min(feasible, key=lambda one: (self.loss(one), _ordered(one)))
        return now


def _merged(partition: Partition, one: Group, other: Group) -> Partition:
    return (*(group for group in partition if group not in (one, other)), one | other)


def _ordered(partition: Partition) -> list[list[int]]:
    """Write a partition in one order, so that equals are decided in the same way in every run."""
    return sorted(sorted(group) for group in partition)


def _splits(group: Group) -> Iterator[tuple[Group, Group]]:
    """Go through the ways to split an item in two: all of a small one, single codes of a large one."""
    codes = sorted(group)
    if len(codes) < 2:
        return
    if len(codes) > _WHOLE_SPLITS:
        for code in codes:
            yield frozenset({code}), group - {code}
        return
    first, rest = codes[0], codes[1:]
    for size in range(len(rest)):
        for beside in combinations(rest, size):
            side = frozenset({first, *beside})
            yield side, group - side


def _partitions(codes: Sequence[int]) -> Iterator[Partition]:
    """Go through all partitions of some codes."""
    if not codes:
        yield ()
        return
    first, rest = codes[0], codes[1:]
    for partition in _partitions(rest):
        yield (frozenset({first}), *partition)
        for place, group in enumerate(partition):
            yield (*partition[:place], group | {first}, *partition[place + 1 :])


def _bell(number: int) -> int:
    """Return how many partitions so many codes have.

    >>> [_bell(number) for number in range(5)], _bell(8)
    ([1, 1, 2, 5, 15], 4140)
    """
    row = [1]
    for _ in range(number):
        following = [row[-1]]
        for value in row:
            following.append(following[-1] + value)
        row = following
    return row[0]
