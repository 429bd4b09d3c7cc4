"""Which pairs are weighed: those that agree on a key, for several keys; never every pair of many.

A *key* is a set of columns whose values must be equal. Where values were changed, equal ones bring nobody
together; there the nearest records of each person are weighed besides (``distance_linkage.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.table.attacks.matching.candidates import dense
from sfumato.table.attacks.matching.compatible import Ints

ALL_PAIRS = 400_000
"""so few pairs are compared without any blocking"""
MOST_PAIRS = 30_000_000
"""pairs that are compared at most"""
_PER_RECORD = 20
EVERY = "all pairs"


@dataclass(frozen=True)
class Keys:
    """One column: keys of known and released values that are equal where they agree, −1 where unknown.

    ``places`` are the positions of both on an axis, where there is one.
    """

    column: str
    known: Ints = field(repr=False)
    released: Ints = field(repr=False)
    places: tuple[NDArray[np.float64], NDArray[np.float64]] | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Pass:
    """The pairs that one key brings together, and the columns that it holds equal."""

    columns: tuple[str, ...]
    left: Ints = field(repr=False)
    right: Ints = field(repr=False)
    without: str = "nearness"
    """what brings them together if no column does"""

    @property
    def title(self) -> str:
        """The key in words."""
        return " + ".join(self.columns) or self.without


def all_pairs(known: int, released: int) -> bool:
    """Whether the files are so small that every pair is weighed."""
    return known * released <= ALL_PAIRS


def passes(keys: Sequence[Keys], wanted: Sequence[Sequence[str]] | None) -> list[Pass]:
    """Find the pairs to weigh: by the keys that are wanted, or by all that keep blocks small, if any do."""
    known, released = len(keys[0].known), len(keys[0].released)
    if wanted is not None:
        return _wanted(keys, wanted)
    if all_pairs(known, released):
        left, right = np.divmod(np.arange(known * released, dtype=np.int64), released)
        return [Pass((), left, right, EVERY)]
    limit = _PER_RECORD * (known + released)
    found: list[Pass] = []
    used = 0
    for size in (1, 2, 3):
        for some in combinations(keys, size):
            names = {key.column for key in some}
            if any(names >= set(block.columns) for block in found):
                continue
            number = _number_of_pairs(*_joint(some))
            if 0 < number <= limit and used + number <= MOST_PAIRS:
                found.append(Pass(tuple(key.column for key in some), *_pairs(*_joint(some))))
                used += number
    return found


def _wanted(keys: Sequence[Keys], wanted: Sequence[Sequence[str]]) -> list[Pass]:
    by_name = {key.column: key for key in keys}
    found = []
    for names in wanted:
        for name in names:
            if name not in by_name:
                raise BadInput(
                    f"'{name}' is not a common column",
                    where="fuzzy-linkage, blocking",
                    remedy="check the name",
                )
        left, right = _joint([by_name[name] for name in names])
        number = _number_of_pairs(left, right)
        if number > MOST_PAIRS:
            raise BadInput(
                f"the key {' + '.join(names)} leaves {number:,} pairs to compare",
                where="fuzzy-linkage, blocking",
                remedy=f"add columns to the key until there are at most {MOST_PAIRS:,}",
            )
        found.append(Pass(tuple(names), *_pairs(left, right)))
    return found


def _joint(some: Sequence[Keys]) -> tuple[Ints, Ints]:
    """Number combinations of keys alike on both sides; −1 where some part is unknown."""
    size = len(some[0].known)
    number = np.zeros(size + len(some[0].released), np.int64)
    unknown = np.zeros(len(number), np.bool_)
    for key in some:
        both = np.concatenate([key.known, key.released])
        unknown |= both < 0
        number = dense(number) * (int(both.max(initial=0)) + 1) + np.maximum(both, 0)
    number = np.unique(number, return_inverse=True)[1].astype(np.int64)
    number[unknown] = -1
    return number[:size], number[size:]


def _number_of_pairs(left: Ints, right: Ints) -> int:
    size = int(max(left.max(initial=-1), right.max(initial=-1))) + 1
    ours, theirs = (np.bincount(side[side >= 0], minlength=size) for side in (left, right))
    return int(ours.astype(np.int64) @ theirs.astype(np.int64))


def _pairs(left: Ints, right: Ints) -> tuple[Ints, Ints]:
    """Join on equal keys."""
    order = np.argsort(right, kind="stable")
    ordered = right[order]
    first, last = (np.searchsorted(ordered, left, side) for side in ("left", "right"))
    many = np.where(left >= 0, last - first, 0)
    who = np.repeat(np.arange(len(left), dtype=np.int64), many)
    offset = np.arange(len(who)) - np.repeat(np.cumsum(many) - many, many)
    return who, order[first[who] + offset].astype(np.int64)
