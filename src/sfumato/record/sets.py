"""Sets along a chain: which records agree with the codes that are known of somebody.

With K the items known of a person and R those of a record, where an item of R may be a label that stands for
several items (``(401.0,401.1)``, ``401*``, ``*``, a label of the column's hierarchy):

- *contains*: every item of K is covered by an item of R; K may be one visit, or one diagnosis, of many
- *within*: every item of R covers an item of K, and R is not empty; R may be one visit of a history
- *whole*: both, so that nothing is in one and not in the other

Every record contains the nothing that is known of somebody without items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import reduce
from itertools import pairwise

import numpy as np

from sfumato.codes.spelling import Misspelt, read_element
from sfumato.core.domain import as_text
from sfumato.hierarchy.ladder import ROOT, Hierarchy
from sfumato.record.records import Ints, Records
from sfumato.table.attacks.matching.candidates import encoded
from sfumato.table.attacks.matching.compatible import compatible
from sfumato.table.utility.labels import members_of


class Match(StrEnum):
    """How sets of items are compared."""

    CONTAINS = "contains"
    WITHIN = "within"
    WHOLE = "whole"


@dataclass(frozen=True)
class Items:
    """One column as sets: record r has the items ``codes[starts[r]:starts[r + 1]]`` of ``values``."""

    starts: Ints = field(repr=False)
    codes: Ints = field(repr=False)
    values: tuple[str, ...] = field(repr=False)

    @classmethod
    def of(cls, records: Records, column: str) -> Items:
        """Read a column as sets; a single value is a set of one, a missing one is empty."""
        if column in records.sets:
            number, values = records.sets[column]
        else:
            values, code = encoded(records.columns[column])
            number = np.stack([np.arange(len(code)), code])
        texts = [None if value is None else as_text(value) for value in values]
        words = sorted({text for text in texts if text is not None})
        place = {text: i for i, text in enumerate(words)}
        codes = np.array([-1 if text is None else place[text] for text in texts], np.int64)[number[1]]
        pairs = np.unique(np.stack([number[0], codes])[:, codes >= 0], axis=1)
        starts = np.searchsorted(pairs[0], np.arange(len(records) + 1)).astype(np.int64)
        return cls(starts, pairs[1].astype(np.int64), tuple(words))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def set_of(self, record: int) -> Ints:
        """Return the items of one record."""
        return self.codes[self.starts[record] : self.starts[record + 1]]


@dataclass(frozen=True)
class SetIndex:
    """The records of a file by the known items that they cover."""

    released: Items
    match: Match
    covering: tuple[Ints, ...] = field(repr=False)
    """for each known item the released items that may stand for it"""
    listed: tuple[Ints, ...] = field(repr=False)
    """for each known item the records that have one of these, in order"""

    @classmethod
    def of(
        cls, known: Items, released: Items, match: Match, column: str, hierarchy: Hierarchy | None
    ) -> SetIndex:
        """Find out which released items may stand for which known ones, and list the records of each."""
        covering = _covering(column, known.values, released.values, hierarchy)
        record_of = np.repeat(np.arange(len(released), dtype=np.int64), np.diff(released.starts))
        order = np.argsort(released.codes, kind="stable")
        ends = np.searchsorted(released.codes[order], np.arange(len(released.values) + 1))
        with_item = [record_of[order[a:b]] for a, b in pairwise(ends.tolist())]
        nobody = np.zeros(0, np.int64)
        listed = tuple(
            np.unique(np.concatenate([nobody, *(with_item[item] for item in some.tolist())]))
            for some in covering
        )
        return cls(released, match, covering, listed)

    def at_most(self, items: Ints) -> int:
        """Return a bound on how many records agree with a set, without looking at each."""
        if self.match is Match.WITHIN:
            return min(len(self.released), sum(len(self.listed[item]) for item in items.tolist()))
        return min((len(self.listed[item]) for item in items.tolist()), default=len(self.released))

    def agreeing(self, items: Ints) -> Ints:
        """Return the records that agree with a set of known items, in order."""
        if self.match is Match.WITHIN:
            return self._nothing_else(reduce(np.union1d, self._lists(items), np.zeros(0, np.int64)), items)
        if not len(items):
            every = np.arange(len(self.released), dtype=np.int64)
            return every if self.match is Match.CONTAINS else every[np.diff(self.released.starts) == 0]
        found = reduce(intersected, sorted(self._lists(items), key=len))
        return found if self.match is Match.CONTAINS else self._nothing_else(found, items)

    def _lists(self, items: Ints) -> list[Ints]:
        return [self.listed[item] for item in items.tolist()]

    def _nothing_else(self, records: Ints, items: Ints) -> Ints:
        """Keep the records of which every item covers one of the known."""
        fits = np.zeros(len(self.released.values), np.bool_)
        for item in items.tolist():
            fits[self.covering[item]] = True
        kept = [record for record in records.tolist() if fits[self.released.set_of(record)].all()]
        return np.array(kept, np.int64)


def intersected(one: Ints, other: Ints) -> Ints:
    """Return what two lists of different records share."""
    return np.intersect1d(one, other, assume_unique=True)


def _covering(
    column: str, known: Sequence[str], released: Sequence[str], hierarchy: Hierarchy | None
) -> tuple[Ints, ...]:
    """Return for each known item the released ones that may stand for it."""
    found: list[set[int]] = [set() for _ in known]
    place = {item: i for i, item in enumerate(known)}
    for number, label in enumerate(released):
        for item in _members(label):
            if item in place:
                found[place[item]].add(number)
        if label.endswith(ROOT):
            for item, i in place.items():
                if item.startswith(label.rstrip(ROOT)):
                    found[i].add(number)
    if hierarchy is not None and known and released:
        told = compatible(column, list(known), list(released), hierarchy)
        every = np.arange(len(released), dtype=np.int64)
        for i, code in enumerate(told.codes.tolist()):
            if code >= 0:
                found[i] |= set(every[told.test(every, np.full(len(every), code))].tolist())
    return tuple(np.array(sorted(some), np.int64) for some in found)


def _members(label: str) -> list[str]:
    """Return the items that a label names: itself, or those of a set."""
    if label.startswith("{") and label.endswith("}"):
        return [label, *members_of(label[1:-1])]
    try:
        codes = read_element(label).codes
    except Misspelt:
        return [label]
    return [label, *(codes or ())]
