"""What synthesisers over marginals share: single attributes, pairs, and how far a model is from the data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.query.methods.curator import Cells, Codes, Curator, NoisyCounts, split
from sfumato.query.methods.graphical_model import GraphicalModel, Measurement
from sfumato.query.methods.grouping import Grouping

Pair = tuple[int, int]
"""positions of two attributes, in ascending order"""


def singles(curator: Curator, share: Fraction) -> tuple[list[NoisyCounts], float]:
    """Measure every attribute on its own with equal parts; return the counts and how many people there are.

    Where the number of people is not public, each attribute's sum is an estimate of it, and those with few
    values are the best: they are averaged with weights 1/size, as their variances are size · σ².
    """
    noisy = []
    for a, part in enumerate(split(share, [1] * len(curator.attributes))):
        attribute = curator.attributes[a]
        noisy.append(curator.count(_column(a), attribute.size, part, f"counts of {attribute.name}"))
    if curator.people is not None:
        return noisy, max(1.0, float(curator.people))
    weights = np.array([1.0 / len(n.counts) for n in noisy])
    sums = np.array([float(n.counts.sum()) for n in noisy])
    return noisy, max(1.0, float(weights @ sums / weights.sum()))


def _column(a: int) -> Cells:
    return lambda codes: codes[:, a].astype(np.int64)


@dataclass(frozen=True)
class Pairs:
    """The pairs of attributes over their groups: how each is counted, and how a model is compared."""

    groupings: Sequence[Grouping]
    _kept: dict[Pair, tuple[Codes, NDArray[np.int64]]] = field(default_factory=dict, init=False, repr=False)
    """exact counts and whose they are, for the next choice; read by scores inside the curator only"""

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many groups each attribute has."""
        return tuple(grouping.size for grouping in self.groupings)

    @property
    def all(self) -> list[Pair]:
        """All pairs, in order."""
        many = len(self.groupings)
        return [(a, b) for a in range(many) for b in range(a + 1, many)]

    def size(self, pair: Pair) -> int:
        """How many cells a pair has."""
        return math.prod(self.groupings[a].size for a in pair)

    def starting(self) -> list[Measurement]:
        """Return what is known of single attributes."""
        return [Measurement((a,), g.counts, g.deviation) for a, g in enumerate(self.groupings)]

    def cells(self, codes: Codes, pair: Pair) -> NDArray[np.int64]:
        """Return the cell of each person."""
        first, second = (self.groupings[a].group[codes[:, a]] for a in pair)
        return first * self.groupings[pair[1]].size + second

    def measure(self, curator: Curator, pair: Pair, share: Fraction) -> Measurement:
        """Count a pair, with noise."""
        names = " and ".join(curator.attributes[a].name for a in pair)
        noisy = curator.count(
            lambda codes: self.cells(codes, pair), self.size(pair), share, f"counts of {names}"
        )
        shape = [self.groupings[a].size for a in pair]
        return Measurement(pair, noisy.counts.reshape(shape).astype(np.float64), noisy.deviation)

    def distances(self, codes: Codes, pairs: Sequence[Pair], model: GraphicalModel) -> NDArray[np.int64]:
        """Return the L1 distance of each pair's counts from what a model expects, rounded to whole people.

        One person more or less changes one cell by 1, and so each distance by at most 1.
        """
        expected = estimates(model, pairs)
        found = []
        for pair in pairs:
            found.append(int(np.abs(self._counts(codes, pair) - expected[pair].ravel()).sum()))
        return np.array(found, np.int64)

    def _counts(self, codes: Codes, pair: Pair) -> NDArray[np.int64]:
        whose, counts = self._kept.get(pair, (None, None))
        if counts is None or whose is not codes:
            counts = np.bincount(self.cells(codes, pair), minlength=self.size(pair))
            self._kept[pair] = codes, counts
        return counts


def estimates(model: GraphicalModel, pairs: Sequence[Pair]) -> dict[Pair, NDArray[np.int64]]:
    """Return what a model expects of pairs, rounded to whole people."""
    found: dict[Pair, NDArray[np.int64]] = {}
    for first in sorted({pair[0] for pair in pairs}):
        tables = model.pairs(first)
        for pair in pairs:
            if pair[0] == first:
                found[pair] = np.rint(tables[pair[1]]).astype(np.int64)
    return found
