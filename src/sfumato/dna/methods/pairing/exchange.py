"""x"""

from __future__ import annotations

import numpy as np

from sfumato.dna.methods._kernels_bits import Groups
from sfumato.dna.methods._kernels_exchange import Desk
from sfumato.dna.methods.pairing.neighbours import Points
LOG=4096
def desk_of(groups: Groups, points: Points) -> Desk:
    n, words = groups.bits.shape
    return Desk(
        *points.candidates(),
        np.empty(words, np.uint64),
        np.empty(words, np.uint64),
        np.empty(groups.enough + 1, np.int64),
        np.empty(max(64, 4 * groups.enough), np.int64),
        np.empty((LOG + 16 * groups.enough, 2), np.int64),
        np.empty(n, np.int64),
        np.zeros(n, np.bool_),
        np.zeros(4, np.int64),
    )
