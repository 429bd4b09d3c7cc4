"""Who is looked for among whom: the records that are attacked, laid beside those that an adversary searches.

Four adversaries look for a person by some of their codes. Within the file itself (*prosecutor*: knows that
the person is in it); in a list of the population (*journalist*); in a release by codes as the person has them
(a *leaf match*: each known code lies under an item of the record); in a release by what it shows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from math import comb

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.published import Items, PublishedSets
from sfumato.codes.risk._kernels_subsets import holders, subset_supports
from sfumato.codes.risk._kernels_whole import whole_sets
from sfumato.codes.sets import CodeSets, read_only, slots_of
from sfumato.codes.utility.covering import Covering
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress

MOST_SLOTS = 60_000_000
"""codes of a release, written out for every record, that are still matched"""
_PREFIX = 3
"""codes by which records are grouped before they are compared as a whole"""
_SLICES = 64
"""parts of a walk, between which it can be interrupted"""
NOBODY = np.iinfo(np.int64).max
"""the least support of somebody of whom no set of codes was found"""


def ragged(owner: NDArray[np.int64], values: NDArray[np.int64], rows: int, number: int) -> CodeRows:
    """Gather pairs (row, value) into rows of distinct values that ascend."""
    keys = np.unique(owner * max(number, 1) + values)
    row = keys // max(number, 1)
    starts = np.zeros(rows + 1, np.int64)
    np.cumsum(np.bincount(row, minlength=rows), out=starts[1:])
    return CodeRows(starts, keys - row * max(number, 1))


@dataclass(frozen=True)
class CodeRows:
    """Rows of whole numbers in ragged arrays."""

    starts: NDArray[np.int64] = field(repr=False)
    values: NDArray[np.int64] = field(repr=False)


@dataclass(frozen=True)
class Subsets:
    """What is known of each attacked record's sets of so many codes.

    ``least`` people hold the rarest of them (``NOBODY`` where none was found); ``unique`` and ``below`` count
    the sets that one person, and fewer than k people hold.
    """

    size: int
    least: NDArray[np.int64] = field(repr=False)
    unique: NDArray[np.int64] = field(repr=False)
    below: NDArray[np.int64] = field(repr=False)


@dataclass(frozen=True)
class Matching:
    """Records in ragged arrays, over codes ranked from rare to frequent.

    The records before ``targets`` are attacked, those from ``members`` on are searched; within one file all
    are both.
    """

    starts: NDArray[np.int64] = field(repr=False)
    codes: NDArray[np.int32] = field(repr=False)
    targets: int
    members: int
    number: int
    """how many codes there are"""
    known: CodeRows | None = None
    """what may be known of each attacked record, when not just the codes that are matched: see ``leaves``"""

    @classmethod
    def of(
        cls, rows: CodeRows, targets: int, members: int, number: int, known: CodeRows | None = None
    ) -> Matching:
        """Rank the codes by how many records hold them, and sort each record by rank."""
        counts = np.bincount(rows.values, minlength=number)
        rank = np.empty(number, np.int64)
        rank[np.argsort(counts, kind="stable")] = np.arange(number)
        before = slots_of(rows.starts) * number
        ranked = np.sort(before + rank[rows.values]) - before
        if known is not None:
            known = CodeRows(known.starts, np.append(rank, -1)[known.values])
        return cls(
            read_only(rows.starts, np.int64),
            read_only(ranked, np.int32),
            targets,
            members,
            number,
            known,
        )

    @classmethod
    def within(cls, sets: CodeSets) -> Matching:
        """Look for people in their own file."""
        return cls.of(CodeRows(sets.starts, sets.codes.astype(np.int64)), len(sets), 0, len(sets.domain))

    @classmethod
    def among(cls, sets: CodeSets, population: CodeSets) -> Matching:
        """Look for people of a file, or for visits of theirs, in another collection of sets."""
        domain = sorted({*sets.domain, *population.domain})
        place = {code: position for position, code in enumerate(domain)}
        values = [
            np.array([place[code] for code in some.domain], np.int64)[some.codes]
            for some in (sets, population)
        ]
        starts = np.concatenate([sets.starts, population.starts[1:] + sets.starts[-1]])
        rows = ragged(slots_of(starts), np.concatenate(values), len(sets) + len(population), len(domain))
        return cls.of(rows, len(sets), len(sets), len(domain))

    @classmethod
    def shown(cls, published: PublishedSets) -> Matching:
        """Look for people in a release by what it shows of them."""
        rows = CodeRows(published.starts, published.shown.astype(np.int64))
        return cls.of(rows, len(published), 0, len(published.items))

    @classmethod
    def leaves(cls, original: CodeSets, published: PublishedSets) -> Matching:
        """Look for people in a release by their codes; codes that their record does not cover are no help.

        Codes that exactly the same items stand for match the same records: each such class is one code here,
        and ``known`` keeps for every code of a person its class, or −1 where the code is no help.
        """
        covering = Covering.of(original, published)
        kinds, number = code_classes(published)
        place = {code: position for position, code in enumerate(published.items.domain)}
        kind_of = np.array(
            [kinds[place[code]] if code in place else -1 for code in original.domain], np.int64
        )
        known = np.where(covering.suppressed, -1, kind_of[original.codes])
        seen = known >= 0
        mine = ragged(slots_of(original.starts)[seen], known[seen], len(original), number)
        written = _written_out(published, kinds, number)
        rows = CodeRows(
            np.concatenate([mine.starts, written.starts[1:] + mine.starts[-1]]),
            np.concatenate([mine.values, written.values]),
        )
        # When no two codes of a person fall together and none is lost, the classes are all there is to know.
        same = len(mine.values) == len(known)
        return cls.of(
            rows, len(original), len(original), number, None if same else CodeRows(original.starts, known)
        )

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """How many codes of each attacked record can be known."""
        return np.diff(self.starts)[: self.targets]

    @cached_property
    def record_of(self) -> NDArray[np.int32]:
        """The record of every slot."""
        found: NDArray[np.int32] = read_only(slots_of(self.starts), np.int32)
        return found

    @cached_property
    def turned(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For every code the slots where it stands."""
        order = np.argsort(self.codes, kind="stable")
        starts = np.zeros(self.number + 1, np.int64)
        np.cumsum(np.bincount(self.codes, minlength=self.number), out=starts[1:])
        return read_only(starts, np.int64), read_only(order, np.int64)

    def found_at_all(self) -> NDArray[np.bool_]:
        """Say which attacked records have a code that some member holds."""
        starts, slots = self.turned
        of_members = self.record_of[slots] >= self.members
        before = np.concatenate([[0], np.cumsum(of_members)])
        there = before[starts[1:]] > before[starts[:-1]]
        attacked = self.record_of < self.targets
        found = np.zeros(self.targets, np.bool_)
        found[self.record_of[attacked & there[self.codes]]] = True
        return found

    def work(self, size: int) -> int:
        """Return how many sets of so many codes the attacked records have together, at most."""
        lengths, times = np.unique(self.lengths, return_counts=True)
        return sum(
            comb(length, size) * many for length, many in zip(lengths.tolist(), times.tolist(), strict=True)
        )

    def subsets(self, size: int, k: int, progress: Progress = SILENT) -> Subsets:
        """Find how many people hold each set of ``size`` codes of every attacked record. Exact."""
        if self.lengths.size and comb(int(self.lengths.max()), size) >= 2**62:
            raise BadInput(
                f"the longest record has too many sets of {size} codes", remedy="ask for fewer known codes"
            )
        least = np.full(self.targets, NOBODY, np.int64)
        unique, below = np.zeros(self.targets, np.int64), np.zeros(self.targets, np.int64)
        holder_starts, holder_slots = self.turned
        scratch = self.scratch(size - 1)
        others = np.zeros(self.number, np.int64)
        for first, last in self.slices():
            subset_supports(
                self.starts,
                self.codes,
                self.record_of,
                holder_starts,
                holder_slots,
                self.targets,
                self.members,
                size,
                k,
                first,
                last,
                least,
                unique,
                below,
                scratch.places,
                scratch.bounds,
                scratch.counts,
                others,
                scratch.touched,
            )
            progress.update(last / self.number)
        return Subsets(size, least, unique, below)

    def slices(self) -> list[tuple[int, int]]:
        """Cut the codes into parts of about as many occurrences, for a walk that can be interrupted."""
        starts, _ = self.turned
        wanted = np.linspace(0, len(self.codes), _SLICES + 1)
        cuts = np.unique(np.concatenate([np.searchsorted(starts, wanted[:-1]), [self.number]]))
        return [(a, b) for a, b in pairwise(cuts.tolist())]

    def scratch(self, levels: int) -> Scratch:
        """Make room for a walk that keeps so many levels of prefixes."""
        levels = max(levels, 1)
        return Scratch(
            np.empty((levels, max(len(self.codes), 1)), np.int64),
            np.empty((levels, self.number + 2), np.int64),
            np.zeros(self.number, np.int64),
            np.empty(self.number + 1, np.int32),
        )

    def held(self, enough: int) -> NDArray[np.int64]:
        """Count, up to ``enough``, who holds all codes of each attacked record: see ``holding``."""
        attacked, found = self._whole(enough)
        return np.where(found > 0, np.minimum(np.maximum(attacked, found), enough), 0)

    def held_by_members(self, enough: int) -> NDArray[np.int64]:
        """Count, up to ``enough``, the members that hold all codes of each attacked record."""
        return np.minimum(self._whole(enough)[1], enough)

    def _whole(self, enough: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        # Whoever has no codes is held by everybody; the walk does not come to them.
        attacked = np.full(self.targets, self.targets, np.int64)
        found = np.full(self.targets, len(self.starts) - 1 - self.members, np.int64)
        holder_starts, holder_slots = self.turned
        scratch = self.scratch(_PREFIX)
        for first, last in self.slices():
            whole_sets(
                self.starts,
                self.codes,
                self.record_of,
                holder_starts,
                holder_slots,
                self.targets,
                self.members,
                enough,
                first,
                last,
                attacked,
                found,
                scratch.places,
                scratch.bounds,
                scratch.counts,
                scratch.touched,
            )
        return attacked, found

    def holding(self, queries: CodeRows, enough: int) -> NDArray[np.int64]:
        """Count, up to ``enough``, who holds all codes of each query: max(f, F), nobody when F is 0."""
        asked = read_only(queries.starts, np.int64), read_only(queries.values, np.int32)
        found = self._holders(asked, self.members, len(self.starts) - 1, enough)
        if self.members == 0:
            return found
        return np.where(found > 0, np.maximum(found, self._holders(asked, 0, self.targets, enough)), 0)

    def _holders(
        self, asked: tuple[NDArray[np.int64], NDArray[np.int32]], low: int, high: int, enough: int
    ) -> NDArray[np.int64]:
        holder_starts, holder_slots = self.turned
        found: NDArray[np.int64] = holders(
            *asked,
            self.starts,
            self.codes,
            self.record_of,
            holder_starts,
            holder_slots,
            low,
            high,
            enough,
        )
        return found


@dataclass(frozen=True)
class Scratch:
    """Arrays that a walk writes to."""

    places: NDArray[np.int64] = field(repr=False)
    bounds: NDArray[np.int64] = field(repr=False)
    counts: NDArray[np.int64] = field(repr=False)
    touched: NDArray[np.int32] = field(repr=False)


def code_classes(published: PublishedSets) -> tuple[NDArray[np.int64], int]:
    """Number the classes of codes that exactly the same shown items stand for; return how many there are.

    >>> code_classes(PublishedSets.of([[["a", "b"]], [["a", "b"], "c"], [["b", "c"]]]))
    (array([0, 1, 2]), 3)
    """
    items = published.items
    shown = published.supports > 0
    slots = slots_of(items.starts)
    inside = shown[slots]
    order = np.lexsort((slots[inside], items.codes[inside]))
    codes, covers = items.codes[inside][order], slots[inside][order]
    starts = np.searchsorted(codes, np.arange(len(items.domain) + 1))
    seen: dict[bytes, int] = {}
    kinds = np.empty(len(items.domain), np.int64)
    for code in range(len(items.domain)):
        by = covers[starts[code] : starts[code + 1]].tobytes()
        kinds[code] = seen.setdefault(by, len(seen))
    return kinds, len(seen)


def written_out_slots(published: PublishedSets) -> int:
    """Return how many classes of codes the records of a release stand for, written out: see ``leaves``."""
    items = _classes_of_items(published.items, *code_classes(published))
    return int(np.diff(items.starts)[published.shown].sum())


def _written_out(published: PublishedSets, kinds: NDArray[np.int64], number: int) -> CodeRows:
    """Write for every record of a release the classes of codes that it may hold."""
    items = _classes_of_items(published.items, kinds, number)
    many = np.diff(items.starts)[published.shown]
    inside = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
    values = items.values[np.repeat(items.starts[published.shown], many) + inside]
    return ragged(np.repeat(slots_of(published.starts), many), values, len(published), number)


def _classes_of_items(items: Items, kinds: NDArray[np.int64], number: int) -> CodeRows:
    return ragged(slots_of(items.starts), kinds[items.codes], len(items), number)
