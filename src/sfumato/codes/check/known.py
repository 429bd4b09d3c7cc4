"""What an adversary may know of each record, laid out for counting."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.check._kernels_count import by_item, identical
from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import read_only, slots_of

FIRST_ROWS = 5
"""rows that a witness names"""
MOST_SLOTS = 100_000_000
"""how many known codes all records may have together when items are read as the codes under them"""


@dataclass(frozen=True)
class Seen:
    """Records as an adversary reads them; those that read the same stand once.

    Thing t stands for item (or code) ``names[t]`` of the release. Row r of the release reads like record
    ``record_of[r]``, which holds ``things[starts[i]:starts[i + 1]]``.
    """

    starts: NDArray[np.int64] = field(repr=False)
    things: NDArray[np.int32] = field(repr=False)
    names: NDArray[np.int64] = field(repr=False)
    sensitive: NDArray[np.bool_] = field(repr=False)
    record_of: NDArray[np.int64] = field(repr=False)

    def __len__(self) -> int:
        return len(self.record_of)

    @classmethod
    def merged(
        cls,
        starts: NDArray[np.int64],
        things: NDArray[np.int32],
        names: NDArray[np.int64],
        sensitive: NDArray[np.bool_],
        record_of: NDArray[np.int64],
    ) -> Seen:
        """Let records that hold the same things be one."""
        starts, things = read_only(starts, np.int64), read_only(things, np.int32)
        first = identical(starts, things)
        chosen = np.flatnonzero(first == np.arange(len(first)))
        number = np.zeros(len(first), np.int64)
        number[chosen] = np.arange(len(chosen))
        starts, things = _taken(starts, things, chosen)
        return cls(
            read_only(starts, np.int64),
            read_only(things, np.int32),
            read_only(names, np.int64),
            read_only(sensitive, np.bool_),
            read_only(number[first[record_of]], np.int64),
        )

    @cached_property
    def weights(self) -> NDArray[np.int64]:
        """How many rows read like each record."""
        return read_only(np.bincount(self.record_of, minlength=len(self.starts) - 1), np.int64)

    @cached_property
    def supports(self) -> NDArray[np.int64]:
        """How many rows hold each thing."""
        rows = self.weights[slots_of(self.starts)]
        return read_only(np.bincount(self.things, weights=rows, minlength=len(self.names)), np.int64)

    def public(self) -> Seen:
        """Leave sensitive things out of every record."""
        starts, things = _kept(self.starts, self.things, ~self.sensitive)
        return Seen.merged(starts, things, self.names, self.sensitive, self.record_of)

    def rows(self, things: tuple[int, ...]) -> NDArray[np.int64]:
        """Return the rows that hold all of some things, counted from 0."""
        wanted = np.zeros(len(self.names), np.bool_)
        wanted[list(things)] = True
        found = np.bincount(slots_of(self.starts)[wanted[self.things]], minlength=len(self.starts) - 1)
        return np.flatnonzero((found == len(things))[self.record_of])


def as_shown(published: PublishedSets) -> Seen:
    """Read items as they are shown."""
    return Seen.merged(
        published.starts,
        published.shown,
        np.arange(len(published.items)),
        published.items.sensitive,
        np.arange(len(published)),
    )


def by_leaves(published: PublishedSets) -> Seen | None:
    """Read a record as all codes under its items: an adversary who knows a code finds whoever may have it.

    Codes that lie under exactly the same items that are shown anywhere are matched by the same records and
    stand as one thing, named by the first of them. Returns nothing when that is too much to lay out.
    """
    items = published.items
    used = published.supports > 0
    inside = slots_of(items.starts)
    kept = used[inside]
    covers = np.zeros(len(items) + 1, np.int64)
    np.cumsum(np.bincount(inside[kept], minlength=len(items)), out=covers[1:])
    codes = read_only(items.codes[kept], np.int32)
    _, begins, _, above = by_item(read_only(covers, np.int64), codes, len(items.domain))
    alike = identical(read_only(begins, np.int64), read_only(above, np.int32))
    names = np.unique(alike[codes])
    thing_of = np.zeros(len(items.domain), np.int64)
    thing_of[names] = np.arange(len(names))
    keys = np.unique(inside[kept] * max(len(names), 1) + thing_of[alike[codes]])
    owner = keys // max(len(names), 1)
    things = keys - owner * max(len(names), 1)
    first = np.zeros(len(items) + 1, np.int64)
    np.cumsum(np.bincount(owner, minlength=len(items)), out=first[1:])
    shown = as_shown(published)
    many = np.diff(first)[shown.things]
    if int(many.sum()) > MOST_SLOTS:
        return None
    offset = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
    spread = things[np.repeat(first[shown.things], many) + offset]
    records = np.repeat(slots_of(shown.starts), many)
    pairs = np.unique(records * max(len(names), 1) + spread)
    records = pairs // max(len(names), 1)
    starts = np.zeros(len(shown.starts), np.int64)
    np.cumsum(np.bincount(records, minlength=len(starts) - 1), out=starts[1:])
    marked = np.zeros(len(names), np.bool_)
    marked[things[items.sensitive[owner]]] = True
    spread = pairs - records * max(len(names), 1)
    return Seen.merged(starts, spread.astype(np.int32), names, marked, shown.record_of)


@dataclass(frozen=True)
class Known:
    """Records as sets of numbers, the rarest thing first; those that read the same stand once, with a weight.

    The things that an adversary may know are numbered by ascending support: number i is thing ``thing[i]``.
    ``begins``, ``places`` and ``owners`` say where each number stands. ``told`` are the sensitive things of
    each record, in the numbers of ``Seen``.
    """

    starts: NDArray[np.int64] = field(repr=False)
    items: NDArray[np.int32] = field(repr=False)
    weights: NDArray[np.int64] = field(repr=False)
    begins: NDArray[np.int64] = field(repr=False)
    places: NDArray[np.int64] = field(repr=False)
    owners: NDArray[np.int32] = field(repr=False)
    supports: NDArray[np.int64] = field(repr=False)
    thing: NDArray[np.int64] = field(repr=False)
    told_starts: NDArray[np.int64] = field(repr=False)
    told: NDArray[np.int32] = field(repr=False)

    @classmethod
    def of(cls, seen: Seen, sensitive_known: bool) -> Known:
        """Number what may be known."""
        public = np.ones(len(seen.names), np.bool_) if sensitive_known else ~seen.sensitive
        supports = seen.supports
        order = np.argsort(supports, kind="stable")
        order = order[public[order] & (supports[order] > 0)]
        number = np.zeros(len(seen.names), np.int32)
        number[order] = np.arange(len(order))
        known_starts, known = _kept(seen.starts, seen.things, public)
        told_starts, told = _kept(seen.starts, seen.things, seen.sensitive)
        known_starts = read_only(known_starts, np.int64)
        items, begins, places, owners = by_item(known_starts, read_only(number[known], np.int32), len(order))
        return cls(
            known_starts,
            read_only(items, np.int32),
            seen.weights,
            read_only(begins, np.int64),
            read_only(places, np.int64),
            read_only(owners, np.int32),
            read_only(supports[order], np.int64),
            read_only(order, np.int64),
            read_only(told_starts, np.int64),
            read_only(told, np.int32),
        )

    @property
    def longest(self) -> int:
        """The most that can be known of one record."""
        return int(np.diff(self.starts).max(initial=0))

    @property
    def widest(self) -> int:
        """The most entries that any list of places can have when itemsets grow."""
        behind = self.starts[self.owners.astype(np.int64) + 1] - self.places - 1
        label = np.repeat(np.arange(len(self.supports)), np.diff(self.begins))
        lists = np.bincount(label, weights=behind, minlength=len(self.supports))
        return int(max(lists.max(initial=0), np.diff(self.begins).max(initial=0)))

    def things(self, items: NDArray[np.integer[Any]]) -> tuple[int, ...]:
        """Return what some numbers stand for, in the numbers of ``Seen``."""
        return tuple(sorted(self.thing[items].tolist()))


def _kept(
    starts: NDArray[np.int64], things: NDArray[np.int32], wanted: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Keep some things in every record."""
    kept = wanted[things]
    before = np.zeros(len(things) + 1, np.int64)
    np.cumsum(kept, out=before[1:])
    return before[starts], things[kept]


def _taken(
    starts: NDArray[np.int64], things: NDArray[np.int32], rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Take some of the records."""
    lengths = np.diff(starts)[rows]
    taken = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(lengths, out=taken[1:])
    inside = np.arange(taken[-1]) - np.repeat(taken[:-1], lengths)
    return taken, things[np.repeat(starts[rows], lengths) + inside]
