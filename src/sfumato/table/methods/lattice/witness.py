"""Witnesses: when nothing may be suppressed, one rare cell refutes every node that leaves it alone.

A node fails as soon as one class is too small. For one cell the size of its class at *every* node
costs a single pass: see ``sizes_everywhere``. The rarest classes of a node that failed make good
witnesses, because they stay small the longest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.table.methods.lattice._kernels_witness import (
    close_small,
    member_of,
    rarest_classes,
    sizes_everywhere,
)
from sfumato.table.methods.lattice.coding import Coding
from sfumato.table.methods.lattice.grouping import Classes
from sfumato.table.methods.lattice.shape import Lattice

WITNESSES = 4
"""how many cells are followed at most after a node has failed"""
WORTHWHILE = 0.25
"""share of the live nodes that a witness must close to be followed by another"""


class Witnesses:
    """Refutes nodes by rare cells. ``marginals[j][level][group]`` are the rows of each group."""

    def __init__(
        self, marginals: list[list[NDArray[np.int64]]], lattice: Lattice, coding: Coding, smallest: int
    ) -> None:
        self.used = 0
        self._lattice, self._coding, self._smallest = lattice, coding, smallest
        rarities = []
        self._start = np.zeros((len(marginals), int(lattice.shape.max())), np.int64)
        begin = 0
        for j, levels in enumerate(marginals):
            for level, counts in enumerate(levels):
                self._start[j, level] = begin
                rarities.append(np.log(np.maximum(counts, 1).astype(np.float64)))
                begin += len(counts)
        self._rarities = np.concatenate(rarities)
        self._step = np.zeros((len(marginals), int(coding.groups.max())), np.int64)
        self._size = np.zeros(lattice.size, np.int64)
        self._chosen = np.zeros(WITNESSES, np.int64)

    def refute(
        self,
        failed: Classes,
        below: Classes,
        bounds: NDArray[np.float64],
        live: NDArray[np.int64],
        count: int,
    ) -> None:
        """Close live nodes at which the rarest classes of ``failed`` are too small.

        ``below`` are the classes of a node below all live ones; witnesses are taken from it.
        """
        code, lattice = self._coding, self._lattice
        columns = np.arange(len(lattice.heights))
        found = rarest_classes(
            failed.keys,
            failed.persons,
            self._smallest,
            code.words,
            code.word,
            code.shift,
            code.mask,
            self._rarities,
            self._start[columns, failed.levels],
            self._chosen,
        )
        offset = code.offset[columns, below.levels, failed.levels]
        telling = np.argsort(-code.groups[columns, failed.levels], kind="stable")
        for target in self._chosen[:found]:
            member = member_of(
                below.keys,
                len(below),
                code.words,
                code.word,
                code.shift,
                code.mask,
                offset,
                code.climb,
                telling,
                failed.keys,
                target,
            )
            sizes_everywhere(
                below.keys,
                below.persons,
                code.words,
                code.word,
                code.shift,
                code.mask,
                below.levels,
                lattice.shape,
                lattice.strides,
                code.offset,
                code.climb,
                code.groups,
                member,
                self._step,
                self._size,
            )
            closed = int(close_small(bounds, self._size, live, count, self._smallest))
            self.used += 1
            if closed < WORTHWHILE * count:
                return
