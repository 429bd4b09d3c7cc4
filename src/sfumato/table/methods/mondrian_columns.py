"""How Mondrian sees the quasi-identifiers: along an axis, as unordered values, along a hierarchy."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain
from sfumato.hierarchy.ladder import Ladder
from sfumato.table.methods._kernels_mondrian import ORDERED, TREE, UNORDERED
from sfumato.table.solution import Problem


@dataclass(frozen=True)
class Column:
    """One quasi-identifier. ``ladder`` is there when it is cut along its hierarchy.

    ``tree[level, code]`` is the first code of the group that a value has at a level; the last level
    is one group. ``shares[level, code]`` is the share of all leaves in it, 0 for a single leaf.
    """

    domain: Domain
    size: int
    """how many values there could be"""
    ladder: Ladder | None
    tree: NDArray[np.int32] = field(repr=False, compare=False)
    shares: NDArray[np.float64] = field(repr=False, compare=False)

    @classmethod
    def along_hierarchy(cls, domain: Domain, ladder: Ladder) -> Column:
        """See a column as the leaves of a tree. A ladder without one top gets one."""
        tree = []
        shares = []
        for rungs, leaves in zip(ladder.rungs, ladder.leaves, strict=True):
            _, first, group = np.unique(rungs, return_index=True, return_inverse=True)
            tree.append(first[group])
            shares.append(np.where(leaves[rungs] > 1, leaves[rungs] / ladder.size, 0.0))
        if tree[-1].any():
            tree.append(np.zeros(len(domain), np.int64))
            shares.append(np.ones(len(domain)))
        return cls(domain, ladder.size, ladder, np.array(tree, np.int32), np.array(shares, np.float64))

    @classmethod
    def plain(cls, domain: Domain, ladder: Ladder | None) -> Column:
        """See a column as an axis, or as values without an order; a ladder says how many there could be."""
        size = len(domain) if ladder is None or domain.positions is not None else ladder.size
        tree = np.arange(len(domain), dtype=np.int32)[None, :]
        return cls(domain, size, None, tree, np.zeros((1, len(domain))))

    @property
    def kind(self) -> int:
        """The kernels' word for the way in which the column is cut."""
        if self.ladder is not None:
            return TREE
        return UNORDERED if self.domain.positions is None else ORDERED

    @property
    def missing(self) -> int:
        """The code of missing, or -1."""
        return len(self.domain) - 1 if self.domain.has_missing else -1

    @cached_property
    def positions(self) -> NDArray[np.float64]:
        """Where the values lie on the axis, without missing."""
        if self.domain.positions is None:
            return np.empty(0)
        return self.domain.positions[: len(self.domain) - self.domain.has_missing]

    @property
    def span(self) -> float:
        """The length of the axis."""
        return float(self.positions[-1] - self.positions[0]) if len(self.positions) else 0.0

    @property
    def axis(self) -> NDArray[np.float64]:
        """Where each code lies, as a share of the span; 0 where there is no axis."""
        shares = np.zeros(len(self.domain))
        if self.span > 0:
            shares[: len(self.positions)] = (self.positions - self.positions[0]) / self.span
        return shares


class Shape(NamedTuple):
    """What is known of the columns. Values of column j lie at ``offset[j]`` + code in flat arrays."""

    kind: NDArray[np.int64]
    offset: NDArray[np.int64]
    values: NDArray[np.int64]
    """how many codes the column has"""
    missing: NDArray[np.int64]
    """the code of missing, or -1"""
    size: NDArray[np.float64]
    """how many values there could be"""
    tree_offset: NDArray[np.int64]
    axis: NDArray[np.float64]
    """where a value lies, as a share of the span"""
    tree: NDArray[np.int32]
    """the first code of the group of a value; at ``tree_offset[j]`` + level · ``values[j]`` + code"""
    shares: NDArray[np.float64]
    """the share of all leaves under that group; laid out as ``tree``"""


class Desk(NamedTuple):
    """What is noted about the box at hand; flat arrays as in ``Shape``."""

    counts: NDArray[np.int64]
    """persons of a value, -1 where it is absent"""
    present: NDArray[np.int64]
    """the distinct values of a column, from its offset on"""
    distinct: NDArray[np.int64]
    """how many these are"""
    sums: NDArray[np.int64]
    """persons of an atom; while a cut is judged, on which sides a value lies"""
    keys: NDArray[np.int64]
    """the atoms of the column at hand in order"""
    reach: NDArray[np.int64]
    """with which atom a sum of persons is reached first"""
    side: NDArray[np.int8]
    """0 left, 1 right, 2 divided between both"""
    quota: NDArray[np.int64]
    """persons of the divided atom that go left"""
    ends: NDArray[np.int64]
    """what is noted of both halves of a cut"""


def columns_of(problem: Problem, *, hierarchical: bool) -> tuple[Column, ...]:
    """Return how each quasi-identifier is seen; along hierarchies if asked, or if one hides values."""
    return tuple(
        Column.along_hierarchy(domain, ladder)
        if ladder is not None and (hierarchical or ladder.hides_values(domain))
        else Column.plain(domain, ladder)
        for domain, ladder in zip(problem.cells.domains, problem.ladders, strict=True)
    )


def shape_of(columns: tuple[Column, ...]) -> Shape:
    """Lay the columns out in flat arrays."""
    values = np.array([len(column.domain) for column in columns], np.int64)
    in_trees = np.array([column.tree.size for column in columns], np.int64)
    return Shape(
        kind=np.array([column.kind for column in columns], np.int64),
        offset=np.cumsum(values) - values,
        values=values,
        missing=np.array([column.missing for column in columns], np.int64),
        size=np.array([column.size for column in columns], np.float64),
        tree_offset=np.cumsum(in_trees) - in_trees,
        axis=np.concatenate([column.axis for column in columns]),
        tree=np.concatenate([column.tree.ravel() for column in columns]),
        shares=np.concatenate([column.shares.ravel() for column in columns]),
    )


def desk_for(shape: Shape, k: int, persons: int) -> Desk:
    """Make room for the notes on one box."""
    codes = int(shape.values.sum())
    columns = len(shape.kind)
    return Desk(
        counts=np.full(codes, -1, np.int64),
        present=np.zeros(codes, np.int64),
        distinct=np.zeros(columns, np.int64),
        sums=np.zeros(codes, np.int64),
        keys=np.zeros(codes, np.int64),
        reach=np.zeros(min(persons, 3 * k) // 2 + 2, np.int64),
        side=np.zeros(codes, np.int8),
        quota=np.zeros(columns, np.int64),
        ends=np.zeros((2, columns, 2), np.int64),
    )
