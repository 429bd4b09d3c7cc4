"""The classes of a node, rolled up from the smallest node below it that is known."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from sfumato.hierarchy.ladder import Ladder
from sfumato.table._kernels_classes import count_once
from sfumato.table.cells import Cells, Spans
from sfumato.table.methods.lattice._kernels_grouping import (
    added_up,
    class_of_each,
    plan_climb,
    sizes,
    smallest_below,
    suppressed_rows,
)
from sfumato.table.methods.lattice.coding import Coding
from sfumato.table.methods.lattice.shape import Levels

_SLOT_LIMIT = 2**31 - 1


@dataclass(frozen=True)
class Classes:
    """The classes of one node: their keys, rows and persons (one array when rows are persons)."""

    levels: Levels
    keys: NDArray[np.int64] = field(repr=False)
    rows: NDArray[np.int64] = field(repr=False)
    persons: NDArray[np.int64] = field(repr=False)

    def __len__(self) -> int:
        return len(self.rows)

    def copy(self) -> Classes:
        """Return the same classes in arrays of their own."""
        rows = self.rows.copy()
        persons = rows if self.persons is self.rows else self.persons.copy()
        return Classes(self.levels.copy(), self.keys.copy(), rows, persons)


@dataclass(frozen=True)
class NodeSurvey:
    """Sizes of the classes of one node under a smallest class; see ``utility.contract.Survey``.

    Its histogram is valid until the next node is grouped. A class that is too small here is so in every
    part of it: the suppressed rows are those that are suppressed below, at least.
    """

    levels: Levels
    rows: int
    smallest: int
    suppressed: int
    kept: int
    classes: int
    squares_kept: int
    squares: int
    _grouper: Grouper = field(repr=False)
    _classes: Classes = field(repr=False)

    @property
    def surely(self) -> int:
        """Rows that are suppressed here and below."""
        return self.suppressed

    @property
    def hopeless(self) -> bool:
        """Whether nothing here or below is allowed, whatever the limit."""
        return False

    @property
    def proved(self) -> bool:
        """Whether nothing else that could be left out would be better: every class is judged alone."""
        return True

    def histogram(self) -> NDArray[np.int64]:
        """Suppressed rows by column and group."""
        return self._grouper.histogram(self._classes, self.smallest)

    def histogram_below(self) -> NDArray[np.int64]:
        """The same rows."""
        return self.histogram()

    def class_rows(self) -> NDArray[np.int64]:
        """Size of every class."""
        return self._classes.rows

    def class_kept(self) -> NDArray[np.bool_]:
        """Whether a class is published."""
        kept: NDArray[np.bool_] = self._classes.persons >= self.smallest
        return kept


class Grouper:
    """Groups the cells of one table at any node of the lattice.

    Classes of a node are merged from those of a node below it, which are usually far fewer than the
    cells. Groupings that shrank well are remembered, up to ``memory`` classes in all; past that the
    memory starts afresh. Persons who lie in several cells cannot be merged from counts, so then every
    node is grouped from the cells.
    """

    def __init__(self, cells: Cells, ladders: tuple[Ladder, ...], memory: int | None = None) -> None:
        self.coding = Coding.of(ladders)
        self.total_rows = cells.total_rows
        self.work = 0
        """cells and classes that were merged so far"""
        self._twins = cells.rows_are_persons
        self._spans: Spans | None = cells.spans
        columns = len(ladders)
        rows = _own(cells.rows)
        bottom = np.zeros(columns, np.int64)
        self._bottom = Classes(
            bottom, self.coding.keys(cells, ladders), rows, rows if self._twins else _own(cells.persons)
        )
        count = len(cells)
        self._most_bits = max(4, int(2 * count - 1).bit_length())
        self._slots = np.full(1 << self._most_bits, -1, np.int32)
        self._base = 0
        self._keys = np.empty(count * self.coding.words, np.int64)
        self._owner = np.empty(count, np.int64)
        self._keep = np.empty(self.coding.words, np.int64)
        self._word, self._shift, self._mask, self._offset = np.empty((4, columns), np.int64)
        self._totals = np.zeros(5, np.int64)
        self._histogram = np.zeros((columns, int(self.coding.groups.max())), np.int64)
        self._columns = np.arange(columns)
        self._memory = max(4 * count, 4_000_000) if memory is None else memory
        self._forget()

    def group(self, levels: Levels, *, remember: bool = False) -> Classes:
        """Return the classes of a node. They are valid until the next call unless remembered."""
        if self._spans is not None:
            return self._group_spanning(levels)
        best = int(smallest_below(self._known_levels, self._known_sizes, len(self._known), levels))
        source = self._known[best]
        if source.levels.tobytes() == levels.tobytes():
            return source
        classes = self._merge(source, levels)
        if remember or 2 * len(classes) < len(source):
            classes = self._remember(classes)
        return classes

    def survey(self, classes: Classes, smallest: int) -> NodeSurvey:
        """Count what lies in classes of fewer than ``smallest`` persons."""
        sizes(classes.rows, classes.persons, smallest, self._totals)
        suppressed, kept, count, squares_kept, squares = self._totals.tolist()
        return NodeSurvey(
            classes.levels,
            self.total_rows,
            smallest,
            suppressed,
            kept,
            count,
            squares_kept,
            squares,
            self,
            classes,
        )

    def histogram(self, classes: Classes, smallest: int) -> NDArray[np.int64]:
        """Return the suppressed rows by column and by group at the node's level."""
        code = self.coding
        widths = code.groups[self._columns, classes.levels]
        suppressed_rows(
            classes.keys,
            classes.rows,
            classes.persons,
            smallest,
            code.words,
            code.word,
            code.shift,
            code.mask,
            widths,
            self._histogram,
        )
        return self._histogram

    def owners(self, levels: Levels) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the class of every cell at a node, and the first cell of every class."""
        owner = np.empty(len(self._bottom), np.int64)
        self._climb(self._bottom, levels, owner)
        first = np.flatnonzero(np.diff(np.maximum.accumulate(owner), prepend=-1))
        return owner, first

    def persons_of(self, owner: NDArray[np.int64], count: int) -> NDArray[np.int64]:
        """Return the distinct persons of each of ``count`` classes, given the class of every cell."""
        persons = np.zeros(count, np.int64)
        np.add.at(persons, owner, self._bottom.persons)
        if self._spans is not None:
            taken_once(self._spans, owner, persons)
        return persons

    def total_persons(self) -> int:
        """Return how many persons there are in all."""
        return int(self.persons_of(np.zeros(len(self._bottom), np.int64), 1)[0])

    def _group_spanning(self, levels: Levels) -> Classes:
        """Merge from the cells, but count persons who lie in several of them once."""
        owner, first = self.owners(levels)
        persons = self.persons_of(owner, len(first))
        return replace(self._merge(self._bottom, levels), persons=persons)

    def _merge(self, source: Classes, levels: Levels) -> Classes:
        owner = self._owner[: len(source)]
        found = self._climb(source, levels, owner)
        rows = added_up(owner, source.rows, found)
        persons = rows if self._twins else added_up(owner, source.persons, found)
        return Classes(levels, self._keys[: found * self.coding.words], rows, persons)

    def _climb(self, source: Classes, levels: Levels, owner: NDArray[np.int64]) -> int:
        """Write the keys of a node, and which of them every key of a node below becomes; return how many."""
        code, count = self.coding, len(source)
        self.work += count
        changes, possible = plan_climb(
            source.levels,
            levels,
            code.groups,
            code.word,
            code.shift,
            code.mask,
            code.offset,
            self._keep,
            self._word,
            self._shift,
            self._mask,
            self._offset,
        )
        bits = min(self._most_bits, max(4, int(2 * min(count, possible)).bit_length()))
        found = class_of_each(
            source.keys,
            code.words,
            self._keep,
            self._word,
            self._shift,
            self._mask,
            self._offset,
            changes,
            code.climb,
            self._slots,
            self._free_slots(count),
            bits,
            self._keys,
            owner,
        )
        self._base += found
        return int(found)

    def _free_slots(self, count: int) -> int:
        """Return the number from which entries of the hash table count as used."""
        if self._base + count > _SLOT_LIMIT:
            self._slots.fill(-1)
            self._base = 0
        return self._base

    def _remember(self, classes: Classes) -> Classes:
        if self._held + len(classes) > self._memory or len(self._known) == len(self._known_sizes):
            self._forget()
        own = classes.copy()
        at = len(self._known)
        self._known_levels[at] = own.levels
        self._known_sizes[at] = len(own)
        self._known.append(own)
        self._held += len(own)
        return own

    def _forget(self) -> None:
        self._known = [self._bottom]
        self._known_levels = np.zeros((4096, len(self._columns)), np.int64)
        self._known_sizes = np.zeros(4096, np.int64)
        self._known_sizes[0] = len(self._bottom)
        self._held = 0


def taken_once(spans: Spans, owner: NDArray[np.int64], persons: NDArray[np.int64]) -> None:
    """Subtract from the ``persons`` of each class, in place, those who lie in several of its cells."""
    seen = np.full(len(persons), -1, np.int64)
    count_once(_own(spans.starts), _own(spans.cells), owner, seen, persons)


def _own(array: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the array as writable contiguous int64: kernels know one type only."""
    return np.array(array, np.int64)
