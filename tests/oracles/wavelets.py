"""Transforms of counts as matrices, estimates of least squares by linear algebra, neighbours by listing.

Also a way to see what noise is added to: the privacy loss of a whole run is computed from the numbers that
two neighbouring data sets hand to the mechanisms, not from what the method says of itself.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any
from unittest import mock

import numpy as np

from sfumato.dp.mechanisms.gaussian import DiscreteGaussian
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.dp.neighbours import Neighbours
from sfumato.query.methods.contract import Attribute, Coded


def haar_matrix(size: int) -> np.ndarray:
    """Return a row for the total and one for each pair of blocks, +1 left and −1 right, coarse ones first."""
    blocks = [[i] for i in range(size)]
    rows: list[list[np.ndarray]] = []
    while len(blocks) > 1:
        level, above = [], []
        for one, two in itertools.zip_longest(blocks[::2], blocks[1::2]):
            if two is not None:
                row = np.zeros(size, int)
                row[one], row[two] = 1, -1
                level.append(row)
            above.append(one + (two or []))
        rows.insert(0, level)
        blocks = above
    return np.array([np.ones(size, int), *(row for level in rows for row in level)])


def weighted_haar(cells: Sequence[Fraction]) -> list[tuple[int, Fraction]]:
    """Return the weights and coefficients of Xiao, Wang & Gehrke (2011), coarse ones first.

    The base coefficient is the mean, with the number of cells as its weight; that of an inner node is half
    the difference between the means of its halves, with the number of cells below as its weight.
    """
    found = [(len(cells), sum(cells) / len(cells))]
    length = len(cells)
    while length > 1:
        for start in range(0, len(cells), length):
            left = cells[start : start + length // 2]
            right = cells[start + length // 2 : start + length]
            found.append((length, (sum(left) / len(left) - sum(right) / len(right)) / 2))
        length //= 2
    return found


def tree_matrix(groups: Sequence[Sequence[int]]) -> np.ndarray:
    """Return one row for each group of each level: which positions are in it."""
    return np.array([[int(g == node) for g in level] for level in groups for node in sorted(set(level))])


def solve(matrix: np.ndarray, variances: np.ndarray, known_total: bool = False) -> np.ndarray:
    """Return the matrix that turns measurements (and, last, the total) into estimates of least squares."""
    weighted = matrix / variances[:, None]
    if not known_total:
        return np.linalg.pinv(matrix.T @ weighted) @ weighted.T
    ones = np.ones((1, matrix.shape[1]))
    left = np.block([[matrix.T @ weighted, ones.T], [ones, np.zeros((1, 1))]])
    right = np.block(
        [[weighted.T, np.zeros((matrix.shape[1], 1))], [np.zeros((1, len(matrix))), np.ones((1, 1))]]
    )
    return (np.linalg.pinv(left) @ right)[:-1]


def covariance(matrix: np.ndarray, variances: np.ndarray, known_total: bool = False) -> np.ndarray:
    """Return the covariance of the estimates."""
    estimate = solve(matrix, variances, known_total)[:, : len(matrix)]
    return (estimate * variances) @ estimate.T


def ranges(size: int) -> np.ndarray:
    """Return one row for each run of positions."""
    return np.array(
        [[int(i <= p < j) for p in range(size)] for i, j in itertools.combinations(range(size + 1), 2)]
    )


def marginal_matrix(sizes: Sequence[int], kept: Sequence[int]) -> np.ndarray:
    """Return the matrix that adds a whole table up to some of its attributes."""
    found = np.ones((1, 1), int)
    for a, size in enumerate(sizes):
        found = np.kron(found, np.eye(size, dtype=int) if a in kept else np.ones((1, size), int))
    return found


def neighbours_of(data: Coded, neighbours: Neighbours) -> Iterator[Coded]:
    """List every data set that is a neighbour: one person more or less, or one replaced by any other."""
    everybody = list(itertools.product(*(range(a.size) for a in data.attributes)))
    people = [tuple(row) for row in data.codes.tolist()]
    for i in range(len(people)):
        others = people[:i] + people[i + 1 :]
        if neighbours is Neighbours.SUBSTITUTION:
            yield from (coded(data.attributes, [*others, person]) for person in everybody)
        else:
            yield coded(data.attributes, others)
    if neighbours is Neighbours.ADD_REMOVE:
        yield from (coded(data.attributes, [*people, person]) for person in everybody)


def coded(attributes: Sequence[Attribute], people: Sequence[Sequence[int]]) -> Coded:
    """Return people as a method takes them."""
    codes = np.array(people, np.int32).reshape(-1, len(attributes))
    codes.setflags(write=False)
    return Coded(tuple(attributes), codes)


@dataclass
class Watched:
    """What was handed to mechanisms: their exact scales, and the numbers before and after noise."""

    scales: list[Fraction] = field(default_factory=list)
    values: list[np.ndarray] = field(default_factory=list)
    noisy: list[np.ndarray] = field(default_factory=list)

    def loss(self, other: Watched) -> Fraction:
        """Return the largest log-ratio of likelihoods, if all noise is discrete Laplace."""
        assert self.scales == other.scales
        pairs = zip(self.scales, self.values, other.values, strict=True)
        return sum((Fraction(int(np.abs(a - b).sum())) / scale for scale, a, b in pairs), Fraction(0))

    def rho(self, other: Watched) -> Fraction:
        """Return ρ, if all noise is discrete Gaussian."""
        assert self.scales == other.scales
        pairs = zip(self.scales, self.values, other.values, strict=True)
        return sum(
            (Fraction(int(((a - b) ** 2).sum())) / (2 * scale**2) for scale, a, b in pairs), Fraction(0)
        )


@contextlib.contextmanager
def watching(replies: Sequence[np.ndarray] | None = None) -> Iterator[Watched]:
    """Watch all noise that is added; with ``replies``, these are given instead of noisy numbers."""
    seen = Watched()
    told = iter(replies or ())
    originals = {kind: kind.add for kind in (DiscreteLaplace, DiscreteGaussian)}

    def watch(self: Any, values: np.ndarray, random: Any = None) -> np.ndarray:
        assert values.dtype == np.int64
        seen.scales.append(self.scale)
        seen.values.append(values.copy())
        noisy = originals[type(self)](self, values, random) if replies is None else next(told)
        seen.noisy.append(noisy)
        return noisy

    with mock.patch.object(DiscreteLaplace, "add", watch), mock.patch.object(DiscreteGaussian, "add", watch):
        yield seen
