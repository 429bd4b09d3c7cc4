"""Values that are too rare to be told apart from noise are taken together before pairs are measured.

R. McKenna, G. Miklau & D. Sheldon, "Winning the NIST contest" (2021), merge all values whose noisy count is
below 3σ. Here numbers are merged with their neighbours, into groups of about the same size. A pair is then
measured over groups; how the people of a group fall on its values is taken from the noisy counts of the
single attribute. All of it looks at noisy counts alone and costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.query.methods.contract import Attribute
from sfumato.query.methods.curator import NoisyCounts
from sfumato.query.methods.simplex import nonnegative


@dataclass(frozen=True)
class Grouping:
    """Which group each value of an attribute is in, and how the people of a group fall on its values."""

    group: NDArray[np.int64] = field(repr=False)
    shares: NDArray[np.float64] = field(repr=False)
    """the expected number of people with each value"""
    counts: NDArray[np.float64] = field(repr=False)
    """of each group, as measured"""
    deviation: NDArray[np.float64] = field(repr=False)
    """of each group's count"""

    @property
    def size(self) -> int:
        """How many groups there are."""
        return len(self.counts)


def grouped(
    attribute: Attribute, noisy: NoisyCounts, total: float, *, rare: float = 3.0, most: int = 32
) -> Grouping:
    """Group the values of an attribute by their noisy counts.

    ``rare``: how many standard deviations of noise a group should hold at least. ``most``: into how many
    groups of neighbours the people of a number are cut at most, beside values that are as frequent alone.
    """
    shares = nonnegative(noisy.counts, total)
    least = rare * noisy.deviation
    if attribute.edges is None:
        small = noisy.counts < least
        group = np.where(small, 0, np.cumsum(~small) - (0 if small.any() else 1))
    else:
        group = _neighbours(shares, least, total / most)
    size = int(group.max()) + 1
    counts = np.bincount(group, weights=noisy.counts, minlength=size).astype(np.float64)
    members = np.bincount(group, minlength=size)
    return Grouping(group.astype(np.int64), shares, counts, noisy.deviation * np.sqrt(members))


def _neighbours(shares: NDArray[np.float64], least: float, frequent: float) -> NDArray[np.int64]:
    """Cut a row of counts, from the left, into groups of neighbours.

    A value that is frequent alone (no capital gain) is a group of its own where what comes before it is
    enough for one; the others share what is left evenly. A rest that is too small joins the last group.
    """
    alone = shares >= max(frequent, least)
    light = float(shares[~alone].sum())
    enough = max(least, light * frequent / max(float(shares.sum()), 1.0))
    group = np.zeros(len(shares), np.int64)
    current, held = 0, 0.0
    for i, share in enumerate(shares):
        if alone[i] and held >= least:
            current, held = current + 1, 0.0
        group[i] = current
        held += share
        if held >= enough:
            current, held = current + 1, 0.0
    if held < least:
        group[group == current] = max(current - 1, 0)
    return group
