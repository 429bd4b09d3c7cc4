"""Merging clusters of records so that their codes lose less, within a bound on what is lost elsewhere.

Poulis et al. (ECML PKDD 2013) begin with clusters that are narrow in the quasi-identifiers. Small clusters
leave little of the codes: an item needs k holders inside each. So clusters are merged, as long as the loss of
the quasi-identifiers stays within a bound.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.sets import CodeSets, read_only, slots_of
from sfumato.core.progress import Progress
from sfumato.record.relational_codes._kernels_distance import widest_apart, widest_inside
from sfumato.record.relational_codes.boxes import Boxes, Floats, Ints

ROUNDING = 1e-12
"""sums of widths are floats: a loss that exceeds its bound by no more is taken as equal"""


Turn = tuple[bool, float, int, int]
"""what clusters wait by: whether codes can be shown, the loss, the cluster and its rows"""


class Bounding(StrEnum):
    """With whom a cluster is merged."""

    RMERGE = "rmerge"
    """the nearest in the quasi-identifiers"""
    TMERGE = "tmerge"
    """the most similar in the codes"""
    RTMERGE = "rtmerge"
    """the one whose ranks in both orders add up to least"""


@dataclass
class Merging:
    """Clusters that are being merged; number i is alive while it has rows."""

    boxes: Boxes
    sets: CodeSets
    cluster_of: Ints = field(repr=False)
    """the cluster of each record"""
    members: list[Ints] = field(repr=False)
    filled: Ints = field(repr=False)
    """how many records of each cluster have codes"""
    spread: Floats = field(repr=False)
    """the largest distance between the codes of two records of a cluster"""
    _holder_starts: Ints = field(repr=False)
    _holders: Ints = field(repr=False)
    _shared: Ints = field(repr=False)

    @classmethod
    def of(cls, boxes: Boxes, sets: CodeSets, cluster_of: Ints) -> Merging:
        """Look at clusters of records."""
        number = len(boxes)
        order = np.argsort(cluster_of, kind="stable")
        begins = np.searchsorted(cluster_of[order], np.arange(number + 1))
        members = [np.array(part, np.int64) for part in np.split(order, begins[1:-1])]
        spread = widest_inside(
            read_only(order, np.int64), read_only(begins, np.int64), sets.starts, sets.codes
        )
        filled = np.bincount(cluster_of[np.diff(sets.starts) > 0], minlength=number)
        by_code = np.argsort(sets.codes, kind="stable")
        holder_starts = np.concatenate([[0], np.cumsum(sets.supports)])
        return cls(
            boxes,
            sets,
            np.array(cluster_of, np.int64),
            members,
            filled.astype(np.int64),
            spread,
            read_only(holder_starts, np.int64),
            read_only(slots_of(sets.starts)[by_code], np.int64),
            np.zeros(len(sets), np.int64),
        )

    @property
    def alive(self) -> NDArray[np.bool_]:
        """Which clusters are still there."""
        return self.boxes.rows > 0

    def turn(self, one: int, k: int) -> Turn:
        """Say when a cluster is merged: the one of least loss next.

        Before all come those in which codes cannot be shown at all, because fewer than k people have any.
        """
        lost = 0 < self.filled[one] < k
        loss = float(self.boxes.rows[one] * self.boxes.width[one])
        return not lost, loss, one, int(self.boxes.rows[one])

    def in_turn(self, k: int) -> list[Turn]:
        """Return the turns of all clusters, as a heap."""
        waiting = [self.turn(one, k) for one in np.flatnonzero(self.alive).tolist()]
        heapq.heapify(waiting)
        return waiting

    def next_of(self, waiting: list[Turn]) -> int | None:
        """Take the next cluster whose turn is not out of date: it has changed since, or is gone."""
        while waiting:
            *_, one, rows = heapq.heappop(waiting)
            if rows == self.boxes.rows[one]:
                return one
        return None

    def unlike(self, one: int) -> Floats:
        """Return how unlike the codes of each cluster and of one of them are: the widest pair of both."""
        found: Floats = np.maximum(self.spread, self.spread[one])
        widest_apart(
            self.members[one],
            self.sets.starts,
            self.sets.codes,
            self._holder_starts,
            self._holders,
            self.cluster_of,
            self._shared,
            found,
        )
        return found

    def merge(self, one: int, other: int, together: float, unlike: float | None) -> None:
        """Let a cluster take in another."""
        self.boxes.absorb(one, other, together)
        self.cluster_of[self.members[other]] = one
        self.members[one] = np.concatenate([self.members[one], self.members[other]])
        self.members[other] = self.members[other][:0]
        self.filled[one] += self.filled[other]
        self.filled[other] = 0
        if unlike is not None:
            self.spread[one] = unlike

    def partner(
        self, one: int, bounding: Bounding, allowed: Callable[[Floats], NDArray[np.bool_]]
    ) -> tuple[int, float, float | None] | None:
        """Choose whom a cluster takes in: the best of those that are allowed, by their loss together.

        Returns the other cluster, the loss of both together, and how unlike their codes are.
        """
        candidates = self.alive.copy()
        candidates[one] = False
        together = self.boxes.with_all(one)
        growth = together - self.boxes.loss() - self.boxes.loss()[one]
        candidates &= allowed(growth)
        some = np.flatnonzero(candidates)
        if not len(some):
            return None
        if bounding is Bounding.RMERGE:
            best = int(some[np.argmin(together[some])])
            return best, float(together[best]), None
        unlike = self.unlike(one)
        if bounding is Bounding.TMERGE:
            chosen = np.lexsort((together[some], unlike[some]))[0]
        else:
            ranks = _ranks(together[some]) + _ranks(unlike[some])
            chosen = np.lexsort((together[some], ranks))[0]
        best = int(some[chosen])
        return best, float(together[best]), float(unlike[best])


def _ranks(values: Floats) -> Ints:
    """Number values by their order; equal ones share a rank.

    >>> _ranks(np.array([2.0, 1.0, 2.0])).tolist()
    [1, 0, 1]
    """
    return np.searchsorted(np.unique(values), values).astype(np.int64)


def merge_within(merging: Merging, bounding: Bounding, delta: float, k: int, progress: Progress) -> int:
    """Merge while the loss of the quasi-identifiers stays within ``delta``; return the number of merges.

    A cluster that fits with nobody is set aside.
    """
    boxes = merging.boxes
    total = float(boxes.loss().sum())
    merges, most = 0, boxes.most
    waiting = merging.in_turn(k)
    while (one := merging.next_of(waiting)) is not None:

        def allowed(growth: Floats, total: float = total) -> NDArray[np.bool_]:
            return (total + growth) / most <= delta + ROUNDING

        found = merging.partner(one, bounding, allowed)
        if found is None:
            continue
        other, together, unlike = found
        total += together - float(boxes.loss()[one] + boxes.loss()[other])
        merging.merge(one, other, together, unlike)
        merges += 1
        heapq.heappush(waiting, merging.turn(one, k))
        progress.update(min(total / most / max(delta, ROUNDING), 1.0), f"{merges} merges")
    return merges


def merge_until(
    merging: Merging,
    bounding: Bounding,
    k: int,
    enough: Callable[[], bool],
    merged: Callable[[int, int], None],
) -> int:
    """Merge until ``enough`` of the codes is kept, or one cluster is left; return the number of merges.

    ``merged`` is told which cluster took in which.
    """
    merges = 0
    waiting = merging.in_turn(k)
    while not enough() and (one := merging.next_of(waiting)) is not None:
        found = merging.partner(one, bounding, lambda growth: np.ones(len(growth), np.bool_))
        if found is None:
            break
        other, together, unlike = found
        merging.merge(one, other, together, unlike)
        merged(one, other)
        merges += 1
        heapq.heappush(waiting, merging.turn(one, k))
    return merges
