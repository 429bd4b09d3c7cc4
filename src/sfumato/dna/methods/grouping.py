"""Groups of people whose rows are joined: a search for the least weighted level.

For groups g of rows with the joins z(g), each of k persons or more, and a weight for each column,

    cost = Σ_g |g| · Σ_j weight_j · level(z_j(g))

is made smaller, from groups that are given: rows move to the group of a near row or change places with one of
its members while that helps; and a few neighbouring groups are dissolved and built anew (large neighbourhood
search: Shaw 1998), kept where cheaper. So the cost is never more than that of the groups given. Columns that
split the rows in the same way cost the same in every group, so they are searched as one: linked SNPs make the
search faster.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import Progress
from sfumato.dna.aligned import Aligned
from sfumato.dna.methods.asked import numbered_persons
from sfumato.dna.methods.linked import dosages
from sfumato.hierarchy.iupac import SIZE, Lattice

NEAR = 32
SWEEPS = 30
MOST_DISSOLVED = 4
SCALE = 10**6
"""weights are whole millionths, so that costs are exact and ties the same everywhere"""
ROWS_AT_ONCE = 1024


@dataclass(frozen=True)
class Grouping:
    """How hard to search: ``rounds`` of dissolving, each with two tries for each row."""

    rounds: int
    seed: int

    def groups(
        self,
        rows: Aligned,
        weights: NDArray[np.float64],
        k: int,
        given: NDArray[np.int64],
        progress: Progress,
    ) -> tuple[NDArray[np.int64], int]:
        """Return the group of each row, and how many different columns were searched; ``given`` numbers the
        groups to begin with, of k persons or more, from 0."""
        from sfumato.dna.methods import _kernels_haplotype as kernels
        from sfumato.dna.methods._kernels_regroup import regroup

        whole = np.maximum(np.rint(weights * SCALE), 1).astype(np.int64)
        progress.step("looking for near rows")
        near = _near(rows, whole, k)
        cells, weight = _distinct(rows, whole)
        level = np.ascontiguousarray(rows.lattice.levels[rows.lattice.closed], np.int64)
        persons, _ = numbered_persons(rows.owners)
        n = len(rows)
        first, after, group_of = (np.full(n, -1, np.int64) for _ in range(3))
        sizes, costs = np.zeros(n, np.int64), np.zeros(n, np.int64)
        number = int(given.max()) + 1
        for row, group in enumerate(given.tolist()):
            kernels.link(row, group, first, after, sizes, group_of)
        join = np.empty(len(weight), np.uint8)
        for group in range(number):
            kernels.join_without(cells, group, -1, first, after, join)
            costs[group] = kernels.cost_of(join, weight, level)
        chance = np.random.default_rng(self.seed)
        progress.step("improving groups")
        for turn in range(self.rounds + 1):
            for _ in range(SWEEPS):
                won = kernels.improve(
                    cells, weight, level, persons, k, near, first, after, sizes, group_of, costs
                )
                if not won:
                    break
            progress.update(turn / (self.rounds + 1))
            if turn == self.rounds or number < 2:
                break
            tries = np.stack(
                [
                    chance.integers(0, n, 2 * n),
                    chance.integers(2, MOST_DISSOLVED + 1, 2 * n),
                    chance.integers(0, 1 << 30, 2 * n),
                ],
                axis=1,
            )
            regroup(cells, weight, level, persons, k, near, tries, first, after, sizes, group_of, costs)
        return group_of, len(weight)


def _near(rows: Aligned, weights: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """The nearest rows of each row, by weighted dosages."""
    x = (dosages(rows) * np.sqrt(weights)).astype(np.float32)
    square = (x * x).sum(axis=1)
    many = min(max(NEAR, 2 * k), len(rows) - 1)
    near = np.empty((len(rows), many), np.int64)
    for begin in range(0, len(rows), ROWS_AT_ONCE):
        some = np.arange(begin, min(begin + ROWS_AT_ONCE, len(rows)))
        far = square[some][:, None] + square[None, :] - 2 * x[some] @ x.T
        far[np.arange(len(some)), some] = np.inf
        near[some] = np.argsort(far, axis=1, kind="stable")[:, :many]
    return near


def _distinct(rows: Aligned, weights: NDArray[np.int64]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Columns that differ in how they split the rows, and the summed weights of those alike."""
    columns = rows.cells.T.copy()
    for column in columns:
        column[:] = _renamed(column, rows.lattice)
    kept, of_column = np.unique(columns, axis=0, return_inverse=True)
    weight = np.zeros(len(kept), np.int64)
    np.add.at(weight, of_column.reshape(-1), weights)
    return np.ascontiguousarray(kept.T), weight


def _renamed(column: NDArray[np.uint8], lattice: Lattice) -> NDArray[np.uint8]:
    """Name values in a way that other columns with the same split share; levels of all joins stay.

    Bases may be exchanged with each other, and 0/0 with 1/1. Sets of several bases and gaps are left alone.
    """
    if lattice.name == "genotypes":
        flipped = np.array([0, 4, 2, 6, 1, 5, 3, 7], np.uint8)[column]
        return flipped if flipped.tobytes() < column.tobytes() else column
    values, begins = np.unique(column, return_index=True)
    if (np.bitwise_count(values) > 1).any() or (values == lattice.gap).any():
        return column
    names = np.zeros(SIZE, np.uint8)
    names[values[np.argsort(begins)]] = [1 << number for number in range(len(values))]
    return names[column]
