"""The classes of a node, rolled up from the smallest node below it that is known."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.hierarchy.ladder import Ladder
from sfumato.table._kernels_classes import count_once
from sfumato.table.cells import Cells, Spans
from sfumato.table.methods.lattice._kernels_grouping import (
    class_of_each,
    roll_up,
    roll_up_wide,
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
        self._rows = np.empty(count, np.int64)
        self._persons = self._rows if self._twins else np.empty(count, np.int64)
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
        if np.array_equal(source.levels, levels):
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
        keys, count = self._bottom.keys, len(self._bottom)
        keep, word, shift, mask, offset, changes = self._climbing(self._bottom.levels, levels)
        first, owner = np.empty(count, np.int64), np.empty(count, np.int64)
        bits = self._most_bits
        found = class_of_each(
            keys,
            count,
            self.coding.words,
            keep,
            word,
            shift,
            mask,
            offset,
            changes,
            self.coding.climb,
            self._slots,
            self._free_slots(count),
            bits,
            first,
            owner,
        )
        self._base += int(found)
        return owner, first[:found].copy()

    def persons_of(self, owner: NDArray[np.int64], count: int) -> NDArray[np.int64]:
        """Return the distinct persons of each of ``count`` classes, given the class of every cell."""
        persons = np.zeros(count, np.int64)
        np.add.at(persons, owner, self._bottom.persons)
        if self._spans is not None:
            starts, cells = _own(self._spans.starts), _own(self._spans.cells)
            count_once(starts, cells, owner, np.full(count, -1, np.int64), persons)
        return persons

    def total_persons(self) -> int:
        """Return how many persons there are in all."""
        return int(self.persons_of(np.zeros(len(self._bottom), np.int64), 1)[0])

    def _group_spanning(self, levels: Levels) -> Classes:
        owner, first = self.owners(levels)
        count = len(first)
        rows = np.zeros(count, np.int64)
        np.add.at(rows, owner, self._bottom.rows)
        persons = self.persons_of(owner, count)
        self.work += len(owner)
        words = self.coding.words
        keys = self._bottom.keys.reshape(-1, words)[first]
        keep, word, shift, mask, offset, changes = self._climbing(self._bottom.levels, levels)
        climbed = keys & keep
        for c in range(changes):
            old = (keys[:, word[c]] >> shift[c]) & mask[c]
            climbed[:, word[c]] |= self.coding.climb[offset[c] + old]
        return Classes(levels, climbed.reshape(-1), rows, persons)

    def _merge(self, source: Classes, levels: Levels) -> Classes:
        keep, word, shift, mask, offset, changes = self._climbing(source.levels, levels)
        count = len(source)
        self.work += count
        possible = float(np.prod(self.coding.groups[self._columns, levels].astype(np.float64)))
        bits = min(self._most_bits, max(4, int(2 * min(count, possible)).bit_length()))
        base, code = self._free_slots(count), self.coding
        if code.words == 1:
            found = roll_up(
                source.keys,
                source.rows,
                source.persons,
                self._twins,
                keep,
                shift,
                mask,
                offset,
                changes,
                code.climb,
                self._slots,
                base,
                bits,
                self._keys,
                self._rows,
                self._persons,
            )
        else:
            found = roll_up_wide(
                source.keys,
                source.rows,
                source.persons,
                self._twins,
                code.words,
                keep,
                word,
                shift,
                mask,
                offset,
                changes,
                code.climb,
                self._slots,
                base,
                bits,
                self._keys,
                self._rows,
                self._persons,
            )
        self._base += int(found)
        rows = self._rows[:found]
        persons = rows if self._twins else self._persons[:found]
        return Classes(levels, self._keys[: found * code.words], rows, persons)

    def _climbing(
        self, low: Levels, high: Levels
    ) -> tuple[
        NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], int
    ]:
        """Return the mask of what stays, and where the columns lie that climb from one node to another."""
        code = self.coding
        climbing = np.flatnonzero(low != high)
        keep = np.full(code.words, -1, np.int64)
        np.bitwise_and.at(keep, code.word[climbing], ~(code.mask[climbing] << code.shift[climbing]))
        looked_up = climbing[code.groups[climbing, high[climbing]] > 1]
        offset = code.offset[looked_up, low[looked_up], high[looked_up]]
        return keep, code.word[looked_up], code.shift[looked_up], code.mask[looked_up], offset, len(looked_up)

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


def _own(array: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the array as writable contiguous int64: kernels know one type only."""
    return np.array(array, np.int64)
