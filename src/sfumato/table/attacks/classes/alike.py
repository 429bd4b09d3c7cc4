"""What most of a class have in common: one group of values, or one narrow range of numbers.

N. Li, T. Li & S. Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and l-diversity" (2007); for
ranges J. Li, Y. Tao & X. Xiao, "Preservation of proximity privacy in publishing numerical sensitive data"
(2008).
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain
from sfumato.table.attacks.classes.class_view import Counts, Flags
from sfumato.table.models.numbers import number


@dataclass(frozen=True)
class Claims:
    """What is claimed of the class of every entry (class, value), and whether it is true of the entry."""

    right: Flags = field(repr=False)
    right_without: Flags = field(repr=False)
    """the same, for what is claimed of the class without somebody of the entry"""
    backing: Counts = field(repr=False)
    """how many of the class the claim is true of; one less without them"""
    among: Counts = field(repr=False)
    """how many of all people it is true of; one less without them"""


@dataclass(frozen=True)
class Grouped:
    """Values are alike when they are of one group. At most one group can have more than half of a class."""

    group: Counts
    base: Counts
    """the people of every value"""

    def claims(self, starts: Counts, codes: Counts, persons: Counts) -> Claims:
        """Count the people of every entry's group; entries ``starts[i]`` to ``starts[i + 1]`` are a class."""
        own = self.group[codes]
        width = int(self.group.max()) + 1
        part = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        _, place = np.unique(part * width + own, return_inverse=True)
        together = np.bincount(place, weights=persons).astype(np.int64)[place]
        yes = np.ones(len(codes), np.bool_)
        return Claims(yes, yes, together, self._everybody[own])

    def best_guess(self, most: Fraction) -> int:
        """Return how many people share what most of them share, of what at most so many do."""
        return int(self._everybody[self._everybody <= floor(most)].max(initial=0))

    @property
    def _everybody(self) -> Counts:
        return np.bincount(self.group, weights=self.base).astype(np.int64)


@dataclass(frozen=True)
class Ranges:
    """Values are alike when they lie in a range of a certain width; missing is alike to missing alone.

    Of a class the range is claimed that most of it lie in, the lowest of several, from the least to the
    greatest value in it.
    """

    reach: Counts
    """for every value the last one that is in the range which begins with it"""
    base: Counts

    @classmethod
    def of(cls, domain: Domain, base: Counts, width: Fraction) -> Ranges:
        """Lay ranges of a width over the values."""
        places = [number(value) for value in domain.values if value is not None]
        last = [bisect_right(places, place + width) - 1 for place in places]
        return cls(np.array([*last, len(places)] if domain.has_missing else last, np.int64), base)

    def claims(self, starts: Counts, codes: Counts, persons: Counts) -> Claims:
        """Slide a range over the values of every class.

        Without somebody of entry e, all ranges that contain e lose one of them. The range that was claimed
        is still the best if every best range contained e, and if none of one person less lies lower.
        """
        size, entry = len(self.reach), np.arange(len(codes))
        part = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        place = part * size + codes
        end = np.searchsorted(place, part * size + self.reach[codes], side="right") - 1
        low = np.searchsorted(place, part * size + np.searchsorted(self.reach, codes))
        counted = np.concatenate([[0], np.cumsum(persons)])
        inside = counted[end + 1] - counted[entry]
        most = np.maximum.reduceat(inside, starts[:-1])[part]
        first, last = _first(inside == most, starts)[part], _last(inside == most, starts)[part]
        right = (entry >= first) & (entry <= end[first])
        outdone = (first < low) | (last > entry) | (_first(inside == most - 1, starts)[part] < low)
        left_out = (persons == 1) & ((entry == first) | (entry == end[first]))
        everybody = np.concatenate([[0], np.cumsum(self.base)])
        among = everybody[codes[end[first]] + 1] - everybody[codes[first]]
        return Claims(right, right & ~outdone & ~left_out, most, among)

    def best_guess(self, most: Fraction) -> int:
        """Return how many people lie in the range that most of them lie in, of those with at most so many."""
        counted = np.concatenate([[0], np.cumsum(self.base)])
        start = counted[:-1]
        end = np.searchsorted(counted, start + floor(most), side="right") - 1
        return int((counted[np.minimum(self.reach + 1, end)] - start).max())


def _first(some: Flags, starts: Counts) -> NDArray[np.int64]:
    """Return the first of some entries in every class, or the number of all entries if there is none."""
    where = np.where(some, np.arange(len(some)), len(some))
    return np.minimum.reduceat(where, starts[:-1])


def _last(some: Flags, starts: Counts) -> NDArray[np.int64]:
    """Return the last of some entries in every class, or −1 if there is none."""
    return np.maximum.reduceat(np.where(some, np.arange(len(some)), -1), starts[:-1])
