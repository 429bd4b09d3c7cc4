"""Noisy counts of every node of a public tree, made to agree: the estimate of least squares in two passes.

M. Hay, V. Rastogi, G. Miklau & D. Suciu, "Boosting the accuracy of differentially private histograms through
consistency" (2010). Of all counts in which every node is the sum of its children, those nearest to what was
measured, each node weighed by how precisely it was: the best linear unbiased estimate. It works on noisy
counts alone, so it costs nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.query.methods.axes import Overlap
from sfumato.query.methods.contract import Attribute
from sfumato.query.methods.range_error import Descent, Floats, Integers


@dataclass(frozen=True)
class Tree:
    """A public tree over the positions of a domain; every leaf at the same depth.

    ``order`` lists the positions in the order of the leaves, ``parents`` the levels from the children of the
    root down to the leaves: for each node the one above. The root is not measured: its children's sum tells
    it, and one level less shares the budget.

    >>> tree = Tree.even(4, branching=2)
    >>> [level.tolist() for level in tree.parents]
    [[0, 0], [0, 0, 1, 1]]
    >>> halves, quarters = np.array([[6.0], [4.0]]), np.array([[2.0], [2.0], [2.0], [2.0]])
    >>> tree.estimate([halves, quarters], [1.0, 1.0]).ravel().round(2).tolist()
    [2.67, 2.67, 2.0, 2.0]
    """

    order: Integers = field(repr=False)
    parents: tuple[Integers, ...] = field(repr=False)

    @classmethod
    def even(cls, size: int, branching: int) -> Tree:
        """Build a tree over an order: nodes have at most ``branching`` children, as evenly as can be."""
        sizes = [size]
        while sizes[0] > branching:
            sizes.insert(0, -(-sizes[0] // branching))
        levels = [np.zeros(sizes[0], np.int64)]
        levels += [np.arange(down) * up // down for up, down in itertools.pairwise(sizes)]
        return cls(np.arange(size), tuple(levels))

    @classmethod
    def flat(cls, size: int) -> Tree:
        """Return the tree of the leaves alone: a plain histogram."""
        return cls(np.arange(size), (np.zeros(size, np.int64),))

    @classmethod
    def of_hierarchy(cls, attribute: Attribute) -> Tree:
        """Take an attribute's own hierarchy, without levels that tell no more than the next finer one."""
        groups = [np.asarray(level, np.int64) for level in reversed(attribute.parents)]
        if any(level.shape != (attribute.size,) for level in groups):
            raise _bad_hierarchy(attribute)
        keys = [level for level in groups if len(np.unique(level)) > 1]
        order = np.lexsort([np.arange(attribute.size), *reversed(keys)])
        paths = [np.zeros(attribute.size, np.int64)]
        for level in [*keys, np.arange(attribute.size)]:
            here = level[order]
            nodes = np.concatenate([[0], np.cumsum((np.diff(here) != 0) | (np.diff(paths[-1]) != 0))])
            if len(np.unique(here)) != nodes[-1] + 1:
                raise _bad_hierarchy(attribute)
            if nodes[-1] > paths[-1][-1]:
                paths.append(nodes)
        levels = [up[np.flatnonzero(np.diff(down, prepend=-1))] for up, down in itertools.pairwise(paths)]
        return cls(order, tuple(levels) or (np.zeros(1, np.int64),))

    @property
    def size(self) -> int:
        """How many positions there are."""
        return len(self.order)

    @property
    def levels(self) -> int:
        """How many levels are measured."""
        return len(self.parents)

    @property
    def touched(self) -> int:
        """How many nodes one person is counted in: one on each level."""
        return self.levels

    @property
    def coefficients(self) -> int:
        """How many nodes are measured."""
        return sum(len(level) for level in self.parents)

    @cached_property
    def nodes(self) -> tuple[Integers, ...]:
        """For each level, the node that each position is in."""
        of_leaf = [np.arange(self.size)]
        for level in self.parents[:0:-1]:
            of_leaf.insert(0, level[of_leaf[0]])
        found = []
        for leaves in of_leaf:
            node = np.empty(self.size, np.int64)
            node[self.order] = leaves
            found.append(node)
        return tuple(found)

    def overlaps(self) -> list[Overlap]:
        """Return what two people may have in common, by the level at which their ways part."""
        parted = [level for level, parents in enumerate(self.parents) if len(parents) > parents[-1] + 1]
        return [Overlap(self.levels, self.levels, level) for level in [*parted, self.levels]]

    def forward(self, cells: Integers) -> Integers:
        """Return the counts of all nodes, level after level; further axes are kept."""
        found = [cells[self.order]]
        for level in self.parents[:0:-1]:
            found.insert(0, np.add.reduceat(found[0], _starts(level), axis=0))
        return np.concatenate(found)

    def inverse(self, noisy: Floats) -> Floats:
        """Return cells from the noisy counts of all nodes, each measured as precisely as the others."""
        ends = np.cumsum([len(level) for level in self.parents])[:-1]
        return self.estimate(np.split(noisy, ends), [1.0] * self.levels)

    def descent(self, variances: Sequence[float] | None = None) -> Descent:
        """Return how estimates go down, when levels were measured with these variances (or all with 1)."""
        before = self._precision([1.0] * self.levels if variances is None else variances)
        return Descent(self.parents, before, float(before[0].sum()))

    def shares(self) -> Floats:
        """Return for each position its share of what the whole is corrected by."""
        found = np.empty(self.size)
        found[self.order] = self.descent().shares
        return found

    def estimate(
        self, noisy: Sequence[Floats], variances: Sequence[float], total: float | None = None
    ) -> Floats:
        """Return the cells, in the order of positions, from the noisy counts of each level.

        Upwards, each node's own count is averaged with the sum of its children, by precision. Downwards,
        what the children lack to their parent's estimate is shared out among them, by variance. Where the
        ``total`` is public, it is the root's.
        """
        before = self._precision(variances)
        ways: list[Floats] = [np.asarray(noisy[-1], np.float64)]
        for k in range(self.levels - 2, -1, -1):
            sums = np.add.reduceat(ways[0], _starts(self.parents[k + 1]), axis=0)
            own = _column(before[k] / variances[k], sums)
            ways.insert(0, own * noisy[k] + (1.0 - own) * sums)
        above = ways[0].sum(axis=0, keepdims=True)
        if total is not None:
            above = np.full_like(above, total)
        for level, way, variance in zip(self.parents, ways, before, strict=True):
            starts = _starts(level)
            share = variance / np.add.reduceat(variance, starts)[level]
            lacking = above - np.add.reduceat(way, starts, axis=0)
            above = way + _column(share, way) * lacking[level]
        cells: Floats = np.empty_like(above)
        cells[self.order] = above
        return cells

    def _precision(self, variances: Sequence[float]) -> tuple[Floats, ...]:
        """Return each node's variance on the way up: 1/v = 1/own + 1/Σ children."""
        found = [np.full(self.size, float(variances[-1]))]
        for k in range(self.levels - 2, -1, -1):
            sums = np.add.reduceat(found[0], _starts(self.parents[k + 1]))
            found.insert(0, 1.0 / (1.0 / float(variances[k]) + 1.0 / sums))
        return tuple(found)


def _starts(level: Integers) -> Integers:
    """Return the first child of each parent; every parent has one."""
    return np.searchsorted(level, np.arange(level[-1] + 1)).astype(np.int64)


def _column(values: Floats, like: NDArray[np.float64]) -> Floats:
    return values.reshape(-1, *[1] * (like.ndim - 1))


def _bad_hierarchy(attribute: Attribute) -> BadInput:
    return BadInput(
        "the hierarchy's levels are not made of whole groups of the finer ones, for each position one",
        where=f"attribute '{attribute.name}'",
        remedy="mend the hierarchy",
    )
