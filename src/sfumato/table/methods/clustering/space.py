"""The cells as points, clusters of them, and the hulls over clusters: what the kernels work on."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.table.cells import Cells
from sfumato.table.methods._kernels_mondrian import UNORDERED
from sfumato.table.methods.clustering._kernels_clusters import BITS, FAN, describe, raise_hulls
from sfumato.table.methods.clustering._kernels_hulls import END
from sfumato.table.methods.clustering._kernels_order import lay_in_order
from sfumato.table.methods.mondrian_columns import Column, Shape, shape_of


class Layout(NamedTuple):
    """Where a column has its words and what its values mean; row j of ``plan`` is about column j.

    Its fields: kind, first word, word after the last, code of missing, first place on ``axis``, first
    place in ``tree``, number of codes. ``scale`` is 1 / the values that there could be; the others are
    those of ``mondrian_columns.Shape``.
    """

    plan: NDArray[np.int64]
    scale: NDArray[np.float64]
    axis: NDArray[np.float64]
    tree: NDArray[np.int32]
    shares: NDArray[np.float64]


class Clusters(NamedTuple):
    """Clusters as the kernels see them."""

    words: NDArray[np.int64]
    """what is in the cluster, some words for each column"""
    rows: NDArray[np.int64]
    width: NDArray[np.float64]
    """the certainty penalties of the columns, summed"""


class Members(NamedTuple):
    """Who is in which cluster, as lists that can be changed: ``head[i]``, then ``following`` until -1."""

    head: NDArray[np.int64]
    following: NDArray[np.int64]
    owner: NDArray[np.int64]
    persons: NDArray[np.int64]
    cells: NDArray[np.int64]
    """persons and cells of each cluster"""


class Hulls(NamedTuple):
    """A tree of hulls over clusters; node i of a level stands at ``first[level]`` + i."""

    words: NDArray[np.int64]
    rows: NDArray[np.int64]
    """no cluster below has fewer; -1 where there is none"""
    first: NDArray[np.int64]


@dataclass(frozen=True)
class Partition:
    """Cells in the order of their clusters: number i holds ``order[starts[i]:starts[i + 1]]``."""

    order: NDArray[np.int64] = field(repr=False)
    starts: NDArray[np.int64] = field(repr=False)

    def __len__(self) -> int:
        return len(self.starts) - 1

    @classmethod
    def of_owners(cls, order: NDArray[np.int64], owners: NDArray[np.int64]) -> Partition:
        """Group cells by their owners; clusters stand in the order of these, cells keep theirs.

        >>> Partition.of_owners(np.array([5, 6, 7]), np.array([1, 0, 1])).order
        array([6, 5, 7])
        """
        turn = np.argsort(owners, kind="stable")
        begins = np.flatnonzero(np.diff(owners[turn], prepend=-1))
        return cls(order[turn], np.append(begins, len(order)).astype(np.int64))

    @property
    def owners(self) -> NDArray[np.int64]:
        """The cluster of each cell, by the number of the cell."""
        found = np.empty(len(self.order), np.int64)
        found[self.order] = np.repeat(np.arange(len(self)), np.diff(self.starts))
        return found

    def sums(self, of_cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """Add something up over the cells of each cluster."""
        found: NDArray[np.int64] = np.add.reduceat(of_cells[self.order], self.starts[:-1])
        return found


@dataclass(frozen=True)
class Space:
    """Some cells, and how their columns are described. Unordered values that occur are numbered anew."""

    shape: Shape
    codes: NDArray[np.int32] = field(repr=False)
    rows: NDArray[np.int64] = field(repr=False)
    persons: NDArray[np.int64] = field(repr=False)
    layout: Layout = field(repr=False)

    @classmethod
    def of(
        cls, cells: Cells, persons: NDArray[np.int64], columns: tuple[Column, ...], some: NDArray[np.int64]
    ) -> Space:
        """See some of the cells as points. Loss counts rows, size counts persons."""
        codes = np.ascontiguousarray(cells.codes[:, some])
        shape = shape_of(columns)
        words = np.full(len(columns), 2, np.int64)
        for j in np.flatnonzero(shape.kind == UNORDERED):
            present, again = np.unique(codes[j], return_inverse=True)
            codes[j] = again
            words[j] = (len(present) + BITS - 1) // BITS
        ends = np.cumsum(words)
        plan = np.stack(
            [shape.kind, ends - words, ends, shape.missing, shape.offset, shape.tree_offset, shape.values],
            axis=1,
        )
        layout = Layout(
            np.ascontiguousarray(plan, np.int64), 1.0 / shape.size, shape.axis, shape.tree, shape.shares
        )
        return cls(shape, codes, cells.rows[some], persons[some], layout)

    def __len__(self) -> int:
        return int(self.codes.shape[1])

    @property
    def words(self) -> int:
        """The length of a description."""
        return int(self.layout.plan[-1, END])

    @cached_property
    def points(self) -> Clusters:
        """Every cell as a cluster of its own."""
        return self.clusters(Partition(np.arange(len(self)), np.arange(len(self) + 1)))

    def in_order(self) -> NDArray[np.int64]:
        """Return the cells in an order in which neighbours are near."""
        order = np.arange(len(self))
        stack = np.zeros((len(self).bit_length() + 3, 2), np.int64)
        lay_in_order(self.codes, order, FAN, self.shape, stack)
        return order

    def clusters(self, partition: Partition) -> Clusters:
        """Describe the clusters of a partition."""
        count = len(partition)
        found = Clusters(np.zeros((count, self.words), np.int64), np.zeros(count, np.int64), np.zeros(count))
        describe(self.codes, partition.order, partition.starts, self.rows, self.layout, found)
        return found

    def members(self, partition: Partition) -> Members:
        """List the cells of each cluster."""
        following = np.append(partition.order[1:], -1)
        following[partition.starts[1:] - 1] = -1
        after = np.empty_like(following)
        after[partition.order] = following
        return Members(
            partition.order[partition.starts[:-1]],
            after,
            partition.owners,
            partition.sums(self.persons),
            np.diff(partition.starts),
        )

    def hulls(self, clusters: Clusters, candidate: NDArray[np.bool_]) -> Hulls:
        """Lay a tree of hulls over the candidates among some clusters."""
        sizes: list[int] = []
        below = len(clusters.rows)
        while not sizes or below > 1:
            below = (below + FAN - 1) // FAN
            sizes.append(below)
        nodes = sum(sizes)
        hulls = Hulls(
            np.zeros((nodes, self.words), np.int64),
            np.full(nodes, -1, np.int64),
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        )
        raise_hulls(candidate, self.layout, clusters, hulls)
        return hulls
