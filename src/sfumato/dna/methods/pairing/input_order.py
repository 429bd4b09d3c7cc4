"""Greedy in the order of the file, as published (Malin 2005): the next row and those nearest to it.

Kept as the yardstick that the literature uses. The pairs depend on the order of the rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.dna.methods._kernels_bits import Groups
from sfumato.dna.methods._kernels_pairing import in_given_order
from sfumato.dna.methods.pairing.distances import Bits
from sfumato.dna.methods.pairing.groups import grouped, merge_left_over


def input_order(bits: Bits, owner: NDArray[np.int64], k: int) -> Groups:
    """Group rows as they come; those that are left over join the group that they add least to."""
    group = in_given_order(bits.words, bits.plus, owner, k)
    alone = np.flatnonzero(group < 0)
    group[alone] = group.max(initial=-1) + 1 + np.arange(len(alone))
    groups = grouped(bits, owner, k, group)
    merge_left_over(groups)
    return groups
