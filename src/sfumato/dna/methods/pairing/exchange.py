"""Local search after closest-first: rows move and are swapped until nothing helps, then the search is shaken.

For pairs a swap is 2-opt (Croes 1958). A row may also move to another group, rows that can be spared may
found a group, and a group may be dissolved, so that groups have from k to about 2k − 1 persons: on real
sequences this is better than any perfect pairing. Then, again and again, one place is disturbed by chance,
the search settles there, and what did not help is undone (iterated local search: Lourenço, Martin and
Stützle 2003).
"""

from __future__ import annotations

import numpy as np

from sfumato.core.progress import SILENT, Progress
from sfumato.dna.methods._kernels_bits import Groups
from sfumato.dna.methods._kernels_exchange import Desk, exchange, shake
from sfumato.dna.methods.pairing.neighbours import Points

LOG = 4096
"""moves after which a disturbance is left as it is"""
SHAKES_AT_ONCE = 2048


def improve(
    groups: Groups, points: Points, shakes: int, chance: np.random.Generator, progress: Progress = SILENT
) -> None:
    """Lower the loss of groups in place: until no move helps, and then by so many disturbances."""
    desk = _desk_of(groups, points)
    exchange(groups, desk)
    for first in range(0, shakes, SHAKES_AT_ONCE):
        number = min(SHAKES_AT_ONCE, shakes - first)
        shake(groups, desk, chance.integers(0, 2**62, (number, 3)))
        progress.update((first + number) / shakes, f"{first + number:,} of {shakes:,} disturbances")


def _desk_of(groups: Groups, points: Points) -> Desk:
    n, words = groups.bits.shape
    starts, near = points.candidates()
    return Desk(
        starts,
        near,
        np.empty(words, np.uint64),
        np.empty(words, np.uint64),
        np.empty(groups.enough + 1, np.int64),
        np.empty(max(64, 4 * groups.enough), np.int64),
        np.empty((LOG + 16 * groups.enough, 2), np.int64),
        np.empty(n, np.int64),
        np.zeros(n, np.bool_),
        np.zeros(4, np.int64),
    )
