"""A generalisation chosen by chance, so that the choice itself says little about anybody.

F. McSherry & K. Talwar, "Mechanism design via differential privacy" (FOCS 2007). Each vector of levels g
is chosen with probability proportional to e^(ε·u(g)), where

    u(g) = w(g) · Σ over classes E at g of  max(|E| − m + 1, 0),

w(g) is one minus the mean of level / height, and m the size that a class needs to outlive the sampling
on average. One person more adds at most 1 to u and never takes anything away, for every g alike: so the
choice is ε-differentially private without the usual factor of two. It looks at the whole table and is
independent of the sample that follows: what both spend adds up.

Weights are never computed: candidates are drawn evenly and accepted with probability e^(−ε(max u − u(g))),
thrown exactly from whole numbers as C. Canonne, G. Kamath & T. Steinke (NeurIPS 2020) do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.hierarchy.ladder import Ladder
from sfumato.table.cells import Cells

MOST_CANDIDATES = 100_000
_DENSE = 8
"""keys of so many times the cells are counted in an array, others are sorted"""


def chosen_levels(
    cells: Cells, ladders: Sequence[Ladder], epsilon: Fraction, needed: int, random: Random
) -> tuple[int, ...]:
    """Choose a level for every column; ``needed`` is the size m that a class should have."""
    heights = [ladder.height for ladder in ladders]
    if prod(height + 1 for height in heights) > MOST_CANDIDATES:
        raise BadInput(
            f"there are more than {MOST_CANDIDATES} generalisations to choose from",
            where="safepub",
            remedy="give 'levels', or hierarchies with fewer levels",
        )
    candidates = list(product(*(range(height + 1) for height in heights)))
    scores = list(scored(cells, ladders, candidates, needed))
    return candidates[drawn_by_score(scores, epsilon, random)]


def scored(
    cells: Cells, ladders: Sequence[Ladder], candidates: Sequence[tuple[int, ...]], needed: int
) -> Iterator[Fraction]:
    """Return u of every candidate."""
    groups = [
        [rung[cells.codes[j]].astype(np.int64) for rung in ladder.rungs] for j, ladder in enumerate(ladders)
    ]
    for levels in candidates:
        weight = worth(levels, [ladder.height for ladder in ladders])
        sizes = _class_sizes(
            [groups[j][level] for j, level in enumerate(levels)],
            [len(ladder.labels[level]) for ladder, level in zip(ladders, levels, strict=True)],
            cells.rows,
        )
        yield weight * int(np.maximum(sizes - needed + 1, 0).sum())


def worth(levels: Sequence[int], heights: Sequence[int]) -> Fraction:
    """Return what is left of the values at some levels: 1 at the bottom, 0 at the top.

    >>> worth((1, 0), (2, 1))
    Fraction(3, 4)
    """
    shares = [Fraction(level, height) for level, height in zip(levels, heights, strict=True) if height]
    return 1 - sum(shares, Fraction(0)) / len(shares) if shares else Fraction(1)


def drawn_by_score(scores: Sequence[Fraction], epsilon: Fraction, random: Random) -> int:
    """Draw a position with probability proportional to e^(ε · score), exactly."""
    best = max(scores)
    while True:
        position = int(random.integers(len(scores), 1)[0])
        if happens(epsilon * (best - scores[position]), random):
            return position


def happens(exponent: Fraction, random: Random) -> bool:
    """Return True with probability e^(−exponent), for any exponent of at least 0."""
    while exponent > 1:
        if not _happens(Fraction(1), random):
            return False
        exponent -= 1
    return _happens(exponent, random)


def _happens(exponent: Fraction, random: Random) -> bool:
    """The same up to 1: the first k that fails with probability exponent / k is odd with e^(−exponent)."""
    k = 1
    while _less_than(exponent / k, random):
        k += 1
    return k % 2 == 1


def _less_than(share: Fraction, random: Random) -> bool:
    """Return True with the probability of a fraction, digit by digit where it has many of them."""
    base = 2**62
    while share.denominator >= base:
        digit = int(random.integers(base, 1)[0])
        scaled = share * base
        whole = scaled.numerator // scaled.denominator
        if digit != whole:
            return digit < whole
        share = scaled - whole
    return int(random.integers(share.denominator, 1)[0]) < share.numerator


def _class_sizes(
    columns: Sequence[NDArray[np.int64]], sizes: Sequence[int], rows: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Add up the rows of cells that look alike."""
    key, many = np.zeros(len(rows), np.int64), 1
    for column, size in zip(columns, sizes, strict=True):
        if many * size > 2**62:
            found, key = np.unique(key, return_inverse=True)
            many = len(found)
        key = key * size + column
        many *= size
    if many > _DENSE * len(rows) + 1000:
        found, key = np.unique(key, return_inverse=True)
        many = len(found)
    counted = np.zeros(many, np.int64)
    np.add.at(counted, key, rows)
    return counted
