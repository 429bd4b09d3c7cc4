"""The loop of rank swapping: partners are drawn among the ranks that are still free."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

# Numba compiles a kernel anew for each constant that it is called with; int() hides that it is one.
FREE, TAKEN = 1, -1

I64 = NDArray[np.int64]
F64 = NDArray[np.float64]


@kernel
def _add(tree: I64, rank: int, amount: int) -> None:
    at = rank + 1
    while at < tree.shape[0]:
        tree[at] += amount
        at += at & -at


@kernel
def _free_before(tree: I64, rank: int) -> int:
    total = 0
    at = rank
    while at > 0:
        total += tree[at]
        at -= at & -at
    return total


@kernel
def _free_at(tree: I64, number: int) -> int:
    """Return the rank of the free one that has ``number`` free ones before it."""
    step = 1
    while 2 * step < tree.shape[0]:
        step *= 2
    at = 0
    while step > 0:
        if at + step < tree.shape[0] and tree[at + step] <= number:
            at += step
            number -= tree[at]
        step //= 2
    return at


@kernel
def partners(draws: F64, window: int, partner: I64) -> None:
    """Give each rank, from the lowest, a free partner at most ``window`` ranks above, all equally likely.

    A rank for which none is left keeps itself. A Fenwick tree counts the free ranks.
    """
    n = partner.shape[0]
    tree = np.zeros(n + 1, np.int64)
    for rank in range(n):
        partner[rank] = rank
        _add(tree, rank, int(FREE))
    taken = np.zeros(n, np.int64)
    for rank in range(n):
        if taken[rank] == 1:
            continue
        taken[rank] = 1
        _add(tree, rank, int(TAKEN))
        # Every free rank lies above: those below were served before.
        choices = _free_before(tree, min(n, rank + window + 1))
        if choices == 0:
            continue
        # A draw is below 1, and its product with a whole number below 2^53 stays below that number.
        chosen = _free_at(tree, int(draws[rank] * choices))
        taken[chosen] = 1
        _add(tree, chosen, int(TAKEN))
        partner[rank] = chosen
        partner[chosen] = rank
