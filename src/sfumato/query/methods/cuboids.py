"""Which cuboids of a data cube to measure, and how all of them are estimated from those, by least squares.

B. Ding, M. Winslett, J. Han & Z. Li, "Differentially private data cubes: optimizing noise sources and
consistency" (2011), choose greedily what to measure. That least squares over tables of counts falls apart
into one small problem for each set of attributes is the analysis of variance (R. A. Fisher 1925).

A table over the attributes C is a sum of interactions, one for each T ⊆ C: what T's attributes have to do
with each other beyond all smaller sets. The interaction of T is the same whichever measured table S ⊇ T it is
computed from, but for noise: n_S / n_T cells were added up for each of its own, so its variance is
σ_S² · n_S / n_T. The noise of different interactions is independent. So the best estimate of each is the mean
over all S ⊇ T weighed by precision, and tables put together from the same interactions agree in every sum.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.query.methods.range_error import Floats

Cuboid = tuple[int, ...]
"""positions of attributes, in ascending order"""
_NOTHING = 1e-9
"""a precision below is rounding: cuboids have far fewer than 10⁹ cells"""
_FEW = 15
"""up to so many candidates all sets of them are tried"""
_STARTS = 3
"""from how many sets the search starts"""
_HOPEFUL = 3
"""starts that cost so many times as much as the best one are not followed"""
_ROUNDS = 60
"""changes that are made at most from each start"""
_HIGH = 8
Flags = NDArray[np.bool_]


def cuboids_up_to(dimensions: int, attributes: int) -> list[Cuboid]:
    """Return all sets of 1, …, ``dimensions`` attributes."""
    return [c for k in range(1, dimensions + 1) for c in itertools.combinations(range(attributes), k)]


def subsets(cuboid: Cuboid) -> Iterator[Cuboid]:
    """Return all subsets, the empty one first."""
    return itertools.chain.from_iterable(itertools.combinations(cuboid, k) for k in range(len(cuboid) + 1))


@dataclass(frozen=True)
class Lattice:
    """The cuboids that are published, over attributes of these sizes."""

    sizes: tuple[int, ...]
    published: tuple[Cuboid, ...]
    known_total: bool = False
    """whether the number of people is public"""

    def cells(self, cuboid: Cuboid) -> int:
        """How many cells a cuboid has."""
        return math.prod(self.sizes[a] for a in cuboid)

    @cached_property
    def interactions(self) -> list[Cuboid]:
        """All sets within a published one."""
        return sorted({t for c in self.published for t in subsets(c)}, key=lambda t: (len(t), t))

    @cached_property
    def _weights(self) -> Floats:
        """For each published C and interaction T: the variance of a cell of C per variance of T's.

        An interaction is spread over n_C / n_T cells, and of the noise in a cell of T the share
        Π (1 − 1/mᵢ) lies in T's interaction, the rest in those of smaller sets.
        """
        found = np.zeros((len(self.published), len(self.interactions)))
        place = {t: i for i, t in enumerate(self.interactions)}
        for c, cuboid in enumerate(self.published):
            for t in subsets(cuboid):
                within = math.prod(1.0 - 1.0 / self.sizes[a] for a in t)
                found[c, place[t]] = (self.cells(t) / self.cells(cuboid)) ** 2 * within
        return found

    def precision(self, cuboid: Cuboid) -> Floats:
        """Return what measuring a cuboid with variance 1 adds to the precision of each interaction."""
        inside = set(cuboid)
        return np.array(
            [self.cells(t) / self.cells(cuboid) if inside.issuperset(t) else 0.0 for t in self.interactions]
        )

    def variances(self, precision: Floats) -> Floats:
        """Return the variance of a cell of each published cuboid; a huge one where something is not measured.

        ``precision`` may have several rows, for several choices.
        """
        of_interaction = 1.0 / np.where(precision > _NOTHING, precision, 1e-30)
        if self.known_total:
            of_interaction[..., 0] = 0.0
        # A set with an attribute of one value has no interaction, and weight 0: nothing need be known of it.
        found: Floats = of_interaction @ self._weights.T
        return found


@dataclass(frozen=True)
class Choice:
    """Which cuboids are measured, and the variance of a cell of each published one per variance of noise."""

    measured: tuple[Cuboid, ...]
    variances: Floats


def choose(lattice: Lattice, candidates: Sequence[Cuboid], *, worst: bool, pure: bool) -> Choice:
    """Choose what to measure: what makes the mean (or largest) variance of the published cuboids small.

    Each of s cuboids is measured with a share of 1/s: the variance of the noise grows with s² (with s where
    ρ is shared). Of few candidates the best set is found by trying all. Of many, it is sought greedily: from
    several starts (all that is published, and covers of it by cuboids of each number of dimensions) cuboids
    are added, taken away, or put in the place of their parts, as long as that helps. Sizes alone decide, no
    data.
    """
    search = _Search(lattice, tuple(candidates), worst, 2 if pure else 1)
    best = search.best_of_all() if len(candidates) <= _FEW else _best_found(search)
    measured = tuple(candidates[i] for i in np.flatnonzero(best).tolist())
    return Choice(measured, lattice.variances(search.gains[best].sum(axis=0)))


def _best_found(search: _Search) -> Flags:
    published, candidates = search.lattice.published, search.candidates
    largest = [c for c in published if not any(set(c) < set(other) for other in published)]
    dimensions = range(len(largest[0]), max(len(c) for c in candidates) + 1)
    covers = [_cover(largest, [c for c in candidates if len(c) == k]) for k in dimensions]
    starts = [search.chosen(start) for start in (list(published), *covers) if start]
    starts = sorted(starts, key=search.cost)[:_STARTS]
    hopeful = [start for start in starts if search.cost(start) <= _HOPEFUL * search.cost(starts[0])]
    return min([*hopeful, *(search.improved(start) for start in hopeful)], key=search.cost)


@dataclass(frozen=True)
class _Search:
    lattice: Lattice
    candidates: tuple[Cuboid, ...]
    worst: bool
    power: int

    @cached_property
    def gains(self) -> Floats:
        """What each candidate adds to the precision of each interaction."""
        return np.array([self.lattice.precision(c) for c in self.candidates])

    @cached_property
    def _parts(self) -> Flags:
        """Whether candidate j is a part of candidate i, or it itself."""
        sets = [frozenset(c) for c in self.candidates]
        return np.array([[other <= one for other in sets] for one in sets])

    def chosen(self, cuboids: Sequence[Cuboid]) -> Flags:
        """Say of each candidate whether it is among some cuboids."""
        members = set(cuboids)
        return np.array([c in members for c in self.candidates])

    def cost(self, chosen: Flags) -> float:
        """Return what is to be made small."""
        variances = self.lattice.variances(self.gains[chosen].sum(axis=0))
        found = variances.max() if self.worst else variances.mean()
        return float(found) * float(chosen.sum()) ** self.power

    def best_of_all(self) -> Flags:
        """Try every set of candidates."""
        number = len(self.candidates)
        sets = (np.arange(1, 2**number)[:, None] >> np.arange(number) & 1).astype(bool)
        variances = self.lattice.variances(sets.astype(np.float64) @ self.gains)
        costs = (variances.max(axis=1) if self.worst else variances.mean(axis=1)) * sets.sum(
            axis=1
        ) ** self.power
        best: Flags = sets[int(np.argmin(costs))]
        return best

    def improved(self, chosen: Flags) -> Flags:
        """Change one thing at a time, always what helps most."""
        now = float(self._soft_costs(self.gains[chosen].sum(axis=0)[None, :], chosen.sum()[None])[0])
        for _ in range(_ROUNDS):
            precision, number = self.gains[chosen].sum(axis=0), int(chosen.sum())
            sign = np.where(chosen, -1, 1)
            inside = self._parts & chosen
            freed = inside[:, chosen].astype(np.float64) @ self.gains[chosen]
            costs = self._soft_costs(
                np.concatenate([precision + sign[:, None] * self.gains, precision - freed + self.gains]),
                np.concatenate([number + sign, number + 1 - inside.sum(axis=1)]),
            )
            best = int(np.argmin(costs))
            if costs[best] >= now * (1 - 1e-9):
                break
            now, which = float(costs[best]), best % len(chosen)
            chosen = chosen.copy() if best == which else chosen & ~inside[which]
            chosen[which] = best != which or not chosen[which]
        return chosen

    def _soft_costs(self, precision: Floats, number: NDArray[np.int64]) -> Floats:
        """Return costs of many choices; for the largest variance a high mean, which steps can change."""
        variances = self.lattice.variances(precision)
        mean = (variances**_HIGH).mean(axis=1) ** (1 / _HIGH) if self.worst else variances.mean(axis=1)
        found: Floats = np.where(number > 0, mean * number**self.power, math.inf)
        return found


def _cover(needed: Sequence[Cuboid], candidates: Sequence[Cuboid]) -> list[Cuboid]:
    """Cover sets by candidates, each time by the one with most sets that are not covered; [] if none can."""
    holds = np.array([[set(one) <= set(c) for one in needed] for c in candidates]).reshape(-1, len(needed))
    if not len(holds) or not holds.any(axis=0).all():
        return []
    left, found = np.ones(len(needed), bool), []
    while left.any():
        best = int(np.argmax(holds[:, left].sum(axis=1)))
        left &= ~holds[best]
        found.append(candidates[best])
    return found


def agreeing(
    lattice: Lattice, noisy: Mapping[Cuboid, Floats], variance: Mapping[Cuboid, float], total: float | None
) -> dict[Cuboid, Floats]:
    """Return the published tables: the estimate of least squares from the measured ones, which all agree.

    ``total`` is the number of people, where it is public.
    """
    interactions: dict[Cuboid, Floats] = {}
    for t in lattice.interactions:
        sums, weight = np.zeros([lattice.sizes[a] for a in t]), 0.0
        for s, table in noisy.items():
            if set(t) <= set(s):
                precision = lattice.cells(t) / lattice.cells(s) / variance[s]
                away = tuple(i for i, a in enumerate(s) if a not in t)
                sums = sums + precision * table.sum(axis=away)
                weight += precision
        estimate = sums / weight if weight else sums
        interactions[t] = _interaction(estimate)
    if total is not None:
        interactions[()] = np.array(total)
    return {c: _together(lattice, c, interactions) for c in lattice.published}


def _interaction(table: Floats) -> Floats:
    """Take the means along every axis away."""
    for axis in range(table.ndim):
        table = table - table.mean(axis=axis, keepdims=True)
    return table


def _together(lattice: Lattice, cuboid: Cuboid, interactions: Mapping[Cuboid, Floats]) -> Floats:
    found = np.zeros([lattice.sizes[a] for a in cuboid])
    for t in subsets(cuboid):
        shape = [lattice.sizes[a] if a in t else 1 for a in cuboid]
        found = found + interactions[t].reshape(shape) * (lattice.cells(t) / lattice.cells(cuboid))
    return found
