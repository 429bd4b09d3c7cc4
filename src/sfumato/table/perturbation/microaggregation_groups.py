"""Groups of at least k persons whose records are alike: MDAV, V-MDAV, and the optimum on one axis.

J. Domingo-Ferrer and V. Torra, "Ordinal, continuous and heterogeneous k-anonymity through
microaggregation" (2005); A. Solanas and A. Martínez-Ballesté, "V-MDAV: a multivariate
microaggregation with variable group size" (2006); S. L. Hansen and S. Mukherjee, "A polynomial
algorithm for optimal univariate microaggregation" (2003).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.table.perturbation import _kernels_microaggregation as kernels
from sfumato.table.perturbation._kernels_optimal import optimal_cuts
from sfumato.table.perturbation.microaggregation_tree import (
    Crowd,
    Found,
    Middle,
    Rings,
    Tree,
    halved,
    tree_of,
)

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

_ROUNDS = 500
"""rounds of a kernel between two reports of progress"""


@dataclass(frozen=True)
class Space:
    """Records as points: ``points[record, column]`` scaled for distances, how each column counts, whose.

    Numbers count squared (Euclid) or absolute (Gower); a category, coded from 0, counts 1 unless equal.
    """

    points: F64 = field(repr=False)
    kinds: I64
    owner: I64 = field(repr=False)

    @property
    def euclidean(self) -> bool:
        """Whether distances are squared ones of numbers alone."""
        return bool((self.kinds == kernels.SQUARED).all())

    def part(self, members: I64) -> Space:
        """Return some of the records, with persons numbered anew."""
        _, owner = np.unique(self.owner[members], return_inverse=True)
        return Space(np.ascontiguousarray(self.points[members]), self.kinds, owner.astype(np.int64))

    @property
    def persons(self) -> int:
        """How many persons there are."""
        return int(self.owner.max(initial=-1)) + 1

    def middle(self) -> Middle:
        """Return sums of numbers and counts of categories over all records."""
        sums = np.zeros(len(self.kinds))
        offsets = np.zeros(len(self.kinds) + 1, np.int64)
        counts: list[I64] = []
        for j, kind in enumerate(self.kinds):
            column = self.points[:, j]
            found = np.zeros(0, np.int64)
            if kind == kernels.CATEGORY:
                found = np.bincount(column.astype(np.int64)).astype(np.int64)
            else:
                sums[j] = column.sum()
            counts.append(found)
            offsets[j + 1] = offsets[j] + len(found)
        return Middle(sums, np.concatenate(counts), offsets)

    def centre(self) -> F64:
        """Return the mean of numbers and the most frequent category (of equals the lower code)."""
        middle = self.middle()
        found = middle.sums / len(self.points)
        for j in np.flatnonzero(self.kinds == kernels.CATEGORY):
            found[j] = int(np.argmax(middle.counts[middle.offsets[j] : middle.offsets[j + 1]]))
        return found


def distances(space: Space, points: F64, to: F64) -> F64:
    """Return how far points are from one point, the way the kernels measure it."""
    total = np.zeros(len(points))
    for j, kind in enumerate(space.kinds):
        gap = points[:, j] - to[j]
        total += gap * gap if kind == kernels.SQUARED else abs(gap) if kind == kernels.ABSOLUTE else gap != 0
    return total


def mdav(space: Space, k: int) -> I64:
    """Group records of at least k persons by MDAV; every record gets the number of its group.

    While 3k persons are left: the record r furthest from the centre of the remaining ones and the
    k − 1 nearest to it make a group, so do the record s furthest from r and the k − 1 nearest to s.
    From 2k persons one more group is made around r; the rest is the last group.
    """
    tree, crowd, found, group, state = _prepare(space, k)
    middle, rings = space.middle(), _rings(space)
    while state[kernels.PERSONS] >= 2 * k:
        kernels.mdav(tree, crowd, found, middle, rings, space.points, k, group, state, _ROUNDS)
    group[group == kernels.UNGROUPED] = state[kernels.GROUPS]
    return group


def v_mdav(space: Space, k: int, gamma: float) -> I64:
    """Group records of at least k persons by V-MDAV, where groups grow while neighbours are close.

    The record furthest from the centre of all makes a group with the k − 1 nearest. A record at
    distance d_in of the group joins it while d_in < γ · d_out, its distance from the other records
    that are left, up to k − 1 times. The last records, of fewer than k persons, join the group whose
    centre is nearest.
    """
    tree, crowd, found, group, state = _prepare(space, k)
    middle, rings, centre = space.middle(), _rings(space), space.centre()
    ratio = gamma * gamma if space.euclidean else gamma
    while state[kernels.PERSONS] >= k:
        kernels.v_mdav(
            tree, crowd, found, middle, rings, space.points, centre, k, ratio, group, state, _ROUNDS
        )
    rest = np.flatnonzero(group == kernels.UNGROUPED)
    if len(rest):
        centres = _centres(space, group, int(state[kernels.GROUPS]))
        for record in rest:
            group[record] = int(np.argmin(distances(space, centres, space.points[record])))
    return group


def _centres(space: Space, group: I64, groups: int) -> F64:
    centres = np.empty((groups, len(space.kinds)))
    order = np.argsort(group, kind="stable")
    order = order[group[order] != kernels.UNGROUPED]
    bounds = np.searchsorted(group[order], np.arange(groups + 1))
    for number in range(groups):
        centres[number] = space.part(order[bounds[number] : bounds[number + 1]]).centre()
    return centres


def _rings(space: Space) -> Rings:
    n, columns = space.points.shape
    # So much was spent on rings that are not there that the first look draws them.
    work = np.array([0, 0, 2**62, 0], np.int64)
    blocks = np.zeros((-(-n // kernels.LEAF), columns, kernels.LEAF))
    return Rings(
        np.zeros(columns),
        np.zeros(n, np.int64),
        np.zeros(n),
        blocks,
        work,
        np.zeros(3, np.int64),
    )


def _prepare(space: Space, k: int) -> tuple[Tree, Crowd, Found, I64, I64]:
    n = len(space.points)
    of_each = np.bincount(space.owner, minlength=space.persons).astype(np.int64)
    crowd = Crowd(space.owner, of_each, np.array([int(space.persons == n)], np.int64))
    found = Found(np.zeros(k), np.zeros(k, np.int64), np.zeros(n, np.int64))
    group = np.full(n, kernels.UNGROUPED, np.int64)
    state = np.array([n, space.persons, 0], np.int64)
    return tree_of(space.points, space.kinds), crowd, found, group, state


def in_blocks(space: Space, k: int, block: int, gamma: float | None) -> I64:
    """Part the records into blocks of neighbours (a k-d tree's) and group inside each.

    Blocks have at most ``block`` records, but are not made where a half would have fewer than k persons.
    """
    blocks = [np.arange(len(space.points), dtype=np.int64)]
    done: list[I64] = []
    while blocks:
        members = blocks.pop()
        halves = halved(space.points[members], 2) if len(members) > block else []
        if halves and min(len(np.unique(space.owner[members[half]])) for half in halves) >= k:
            blocks += [members[half] for half in halves]
        else:
            done.append(members)
    group = np.empty(len(space.points), np.int64)
    groups = 0
    for members in done:
        part = space.part(members)
        found = mdav(part, k) if gamma is None else v_mdav(part, k, gamma)
        group[members] = found + groups
        groups += int(found.max()) + 1
    return group


def optimal(values: F64, owner: I64, k: int) -> I64:
    """Group numbers on one axis at the least sum of squared deviations from the means of the groups.

    Groups are ranges of the sorted values, with k to 2k − 1 of them when every record is a person of
    its own: no partition is better then. With several records of a person it is the best of ranges.
    """
    order = np.lexsort((np.arange(len(values)), values))
    # Deviations do not change when everything is moved to the middle; rounding errors shrink.
    centred = np.ascontiguousarray(values[order] - values.mean())
    begins = np.empty(len(values), np.int64)
    counting = np.zeros(int(owner.max()) + 1, np.int64)
    optimal_cuts(centred, np.ascontiguousarray(owner[order]), counting, k, begins)
    group = np.empty(len(values), np.int64)
    end, number = len(values) - 1, 0
    while end >= 0:
        group[order[begins[end] : end + 1]] = number
        end, number = int(begins[end]) - 1, number + 1
    return group


def squared_share(points: F64, group: I64) -> float:
    """Return SSE / SST: what of the squared deviations is lost when groups show their means.

    >>> squared_share(np.array([[1.0], [3.0], [7.0], [9.0]]), np.array([0, 0, 1, 1]))
    0.1
    """
    sizes = np.bincount(group)
    lost = total = 0.0
    for column in points.T:
        means = np.bincount(group, column) / np.maximum(sizes, 1)
        lost += float(((column - means[group]) ** 2).sum())
        total += float(((column - column.mean()) ** 2).sum())
    return lost / total if total else 0.0
