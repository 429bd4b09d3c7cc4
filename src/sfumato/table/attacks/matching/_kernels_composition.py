"""What several releases say of a value together: loops over the classes that somebody may be in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

I64 = NDArray[np.int64]
F64 = NDArray[np.float64]

_EQUAL = 1e-12
"""relative difference up to which two figures are a tie"""


@kernel
def _best(scores: F64, truth: int, found: F64) -> None:
    """Write the chance of the best value, the chance to be right with it, and how many values are left."""
    total, best, left = 0.0, 0.0, 0
    for v in range(scores.shape[0]):
        total += scores[v]
        best = max(best, scores[v])
        left += 1 if scores[v] > 0.0 else 0
    found[0], found[1], found[2] = 0.0, 0.0, left
    if left == 0:
        return
    ties, right = 0, 0
    for v in range(scores.shape[0]):
        if scores[v] >= best * (1.0 - _EQUAL):
            ties += 1
            right += 1 if v == truth else 0
    found[0] = best / total
    found[1] = right / ties


@kernel
def compose(
    combinations: I64,
    truths: I64,
    list_starts: I64,
    listed: I64,
    value_starts: I64,
    values: I64,
    persons: I64,
    base: F64,
    single: F64,
    joint: F64,
) -> None:
    """For each unit, claim the likeliest value by every release alone and by all of them.

    Unit i has in release r the combination ``combinations[i, r]``, whose classes are
    ``listed[list_starts[c]:list_starts[c + 1]]``; class k has ``persons`` people with each of its ``values``.
    ``base`` is how frequent values are. ``single[i, r]`` and ``joint[i]`` get the chance of the best value,
    the chance to be right with it, and the number of values left.
    """
    width = combinations.shape[1]
    together, alone = np.zeros(base.shape[0]), np.zeros(base.shape[0])
    for i in range(combinations.shape[0]):
        for v in range(base.shape[0]):
            together[v] = base[v]
        for r in range(width):
            alone[:] = 0.0
            size = 0.0
            c = combinations[i, r]
            for k in listed[list_starts[c] : list_starts[c + 1]]:
                for entry in range(value_starts[k], value_starts[k + 1]):
                    alone[values[entry]] += persons[entry]
                    size += persons[entry]
            _best(alone, truths[i], single[i, r])
            for v in range(base.shape[0]):
                # Given the value, releases are independent: each multiplies the odds by its own share over
                # the share in the whole.
                together[v] *= alone[v] / (size * base[v]) if size > 0.0 and base[v] > 0.0 else 0.0
        _best(together, truths[i], joint[i])
