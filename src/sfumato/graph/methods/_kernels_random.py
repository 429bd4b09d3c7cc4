"""Kernels: edges that exchange their ends."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel
from sfumato.graph._kernels_pairs import contains, insert, key_of, remove


@kernel
def fill(table: NDArray[np.int64], pairs: NDArray[np.int64], nodes: int) -> None:
    """Put all pairs into the table."""
    for at in range(len(pairs)):
        insert(table, key_of(pairs[at, 0], pairs[at, 1], nodes))


@kernel
def switch(
    pairs: NDArray[np.int64],
    table: NDArray[np.int64],
    nodes: int,
    drawn: NDArray[np.int64],
    wanted: int,
) -> int:
    """Exchange ends of the pairs that each row of ``drawn`` names, where no loop or second edge comes of it;
    return how many did, ``wanted`` at most.

    A row has the numbers of two pairs, and 0 or 1: which end of the second goes to the first.
    """
    done = 0
    for at in range(len(drawn)):
        if done == wanted:
            break
        first, second = drawn[at, 0], drawn[at, 1]
        one, other = pairs[first, 0], pairs[first, 1]
        third, fourth = pairs[second, drawn[at, 2]], pairs[second, 1 - drawn[at, 2]]
        # (one, other), (third, fourth) become (one, fourth), (third, other).
        if one == fourth or third == other:
            continue
        new, newer = key_of(one, fourth, nodes), key_of(third, other, nodes)
        if contains(table, new) or contains(table, newer):
            continue
        remove(table, key_of(one, other, nodes))
        remove(table, key_of(third, fourth, nodes))
        insert(table, new)
        insert(table, newer)
        pairs[first, 0], pairs[first, 1] = one, fourth
        pairs[second, 0], pairs[second, 1] = third, other
        done += 1
    return done
