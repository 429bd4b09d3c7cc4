"""How far the sensitive values of a part lie from those of the whole table: earth mover's distances.

N. Li, T. Li & S. Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and l-diversity" (2007).
Each distance is there twice: for all parts at once with rounding, and for one part without.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain
from sfumato.hierarchy.ladder import Ladder
from sfumato.table.models.numbers import number
from sfumato.table.models.sensitive import parts_of_entries
from sfumato.table.published import ClassValues

Counts = dict[int, int]
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class EqualDistance:
    """Every value is as far from every other: ½ Σ |f_v/n − p_v|."""

    base: NDArray[np.int64]

    def of_all(self, values: ClassValues) -> Numbers:
        """Return the distance of every part: what its values have too much, which others have too little."""
        shares = values.persons / values.totals[parts_of_entries(values)]
        surplus = np.maximum(shares - (self.base / self.base.sum())[values.codes], 0.0)
        return np.add.reduceat(surplus, values.starts[:-1])

    def of(self, counts: Counts) -> Fraction:
        """Return the distance of one part."""
        n, total = sum(counts.values()), int(self.base.sum())
        apart = sum(abs(counts.get(v, 0) * total - int(p) * n) for v, p in enumerate(self.base))
        return Fraction(apart, 2 * n * total)


@dataclass(frozen=True)
class LineDistance:
    """Values lie on a line, ``gaps[i]`` from value i to the next: Σ_i gap_i · |f_≤i/n − p_≤i|."""

    base: NDArray[np.int64]
    gaps: tuple[Fraction, ...]

    def of_all(self, values: ClassValues) -> Numbers:
        """Return the distance of every part.

        Between two of its values a part's cumulative share c stays the same, while the table's P rises:
        the sum of gap · |c − P_i| is c·gap − P·gap up to where P passes c, and the opposite from there.
        """
        last = len(self.gaps)
        if not last:
            return np.zeros(len(values))
        table = (np.cumsum(self.base) / self.base.sum())[:last]
        gaps = np.array([float(gap) for gap in self.gaps])
        length = np.concatenate([[0.0], np.cumsum(gaps)])
        area = np.concatenate([[0.0], np.cumsum(table * gaps)])

        def stretch(start: NDArray[np.int64], end: NDArray[np.int64], share: Numbers) -> Numbers:
            passed = np.clip(np.searchsorted(table, share, side="right"), start, end)
            below = share * (length[passed] - length[start]) - (area[passed] - area[start])
            above = (area[end] - area[passed]) - share * (length[end] - length[passed])
            found: Numbers = below + above
            return found

        part = parts_of_entries(values)
        counted = np.cumsum(values.persons)
        before = np.concatenate([[0], counted])[values.starts[:-1]]
        share = (counted - before[part]) / values.totals[part]
        start = np.minimum(values.codes, last)
        end = np.full(len(part), last, np.int64)
        inner = part[1:] == part[:-1]
        end[:-1][inner] = np.minimum(values.codes[1:][inner], last)
        moved = np.add.reduceat(stretch(start, end, share), values.starts[:-1])
        first = np.minimum(values.codes[values.starts[:-1]], last)
        moved += stretch(np.zeros(len(first), np.int64), first, np.zeros(len(first)))
        return np.asarray(moved)

    def of(self, counts: Counts) -> Fraction:
        """Return the distance of one part."""
        n, total = sum(counts.values()), int(self.base.sum())
        ahead = accumulate(counts.get(v, 0) * total - int(p) * n for v, p in enumerate(self.base))
        moved = sum((abs(part) * gap for part, gap in zip(ahead, self.gaps, strict=False)), Fraction(0))
        return moved / (n * total)


@dataclass(frozen=True)
class TreeDistance:
    """Two values are (level of their lowest common node) / height apart.

    At a node of level h the children with too much serve those with too little: what is moved there
    costs h / height, and only the difference goes on to the parent.
    """

    base: NDArray[np.int64]
    ladder: Ladder

    def of_all(self, values: ClassValues) -> Numbers:
        """Return the distance of every part. Nodes without values of the part have too little everywhere."""
        moved = np.zeros(len(values))
        height = self.ladder.height
        part = parts_of_entries(values)
        wanted = np.zeros(len(self.base))
        np.add.at(wanted, self.ladder.rungs[0], self.base / self.base.sum())
        child, had = _sum_by(part, self.ladder.rungs[0][values.codes], values.persons / values.totals[part])
        for level in range(1, height + 1):
            owner, group = child
            net = had - wanted[group]
            parent = _parents(self.ladder, level)
            above = np.zeros(len(wanted))
            np.add.at(above, parent, wanted[: len(parent)])
            parents, surplus = _sum_by(owner, parent[group], np.maximum(net, 0.0))
            _, had = _sum_by(owner, parent[group], had)
            short = surplus - (had - above[parents[1]])
            np.add.at(moved, parents[0], (level / height) * np.minimum(surplus, short))
            child, wanted = parents, above
        return moved

    def of(self, counts: Counts) -> Fraction:
        """Return the distance of one part."""
        n, total = sum(counts.values()), int(self.base.sum())
        height = self.ladder.height
        net: dict[int, int] = defaultdict(int)
        for v, p in enumerate(self.base):
            net[int(self.ladder.rungs[0, v])] += counts.get(v, 0) * total - int(p) * n
        moved = 0
        for level in range(1, height + 1):
            parent = _parents(self.ladder, level)
            sides: dict[int, list[int]] = defaultdict(lambda: [0, 0])
            for group, extra in net.items():
                sides[int(parent[group])][extra < 0] += abs(extra)
            moved += level * sum(map(min, sides.values()))
            net = defaultdict(int, {group: more - less for group, (more, less) in sides.items()})
        return Fraction(moved, n * total * height) if height else Fraction(0)


def ordered_gaps(domain: Domain) -> tuple[Fraction, ...]:
    """Put neighbours 1/(m − 1) apart, so that the first and the last of m values are 1 apart."""
    steps = len(domain) - 1
    return (Fraction(1, steps),) * steps if steps > 0 else ()


def numeric_gaps(domain: Domain) -> tuple[Fraction, ...]:
    """Put neighbours as far apart as their numbers, as a share of the range."""
    places = [number(value) for value in domain.values]
    span = places[-1] - places[0]
    return tuple((high - low) / span for low, high in pairwise(places)) if span else ()


def _parents(ladder: Ladder, level: int) -> NDArray[np.int64]:
    """Return for every group of the level below the group that it lies in."""
    parents = np.zeros(int(ladder.rungs[level - 1].max()) + 1, np.int64)
    parents[ladder.rungs[level - 1]] = ladder.rungs[level]
    return parents


def _sum_by(
    part: NDArray[np.int64], group: NDArray[np.integer], amounts: Numbers
) -> tuple[tuple[NDArray[np.int64], NDArray[np.int64]], Numbers]:
    """Add amounts up by part and group; return the pairs that occur and their sums."""
    width = int(group.max()) + 1
    keys, place = np.unique(part * width + group, return_inverse=True)
    sums: Numbers = np.bincount(place, weights=amounts).astype(np.float64)
    return (keys // width, keys % width), sums
