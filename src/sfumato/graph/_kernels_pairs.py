"""Kernels: a set of pairs of nodes, in a table with open places (linear probing; Knuth 1973, vol. 3, 6.4).

A pair is the whole number smaller · nodes + greater. The table has a power of two places, at least twice as
many as pairs, and −1 where nothing lies. Chance is SplitMix64 (Steele, Lea & Flood 2014) of a seed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

FREE = -1
Whole = int | np.int64


def table_for(pairs: int) -> NDArray[np.int64]:
    """Return an empty table with room for so many pairs."""
    places = 4
    while places < 2 * pairs:
        places *= 2
    return np.full(places, FREE, np.int64)


@kernel
def key_of(one: Whole, other: Whole, nodes: Whole) -> Whole:
    """Return a pair as a whole number, whichever node is named first."""
    return one * nodes + other if one < other else other * nodes + one


@kernel
def place_of(table: NDArray[np.int64], key: Whole) -> Whole:
    """Return where the table begins to look for a key."""
    mixed = np.uint64(key) * np.uint64(11400714819323198485)
    return np.int64((mixed >> np.uint64(24)) & np.uint64(len(table) - 1))


@kernel
def contains(table: NDArray[np.int64], key: Whole) -> bool:
    """Say whether a key is in the table."""
    last = len(table) - 1
    at = place_of(table, key)
    while table[at] != FREE:
        if table[at] == key:
            return True
        at = (at + 1) & last
    return False


@kernel
def insert(table: NDArray[np.int64], key: Whole) -> bool:
    """Put a key into the table; False where it was there."""
    last = len(table) - 1
    at = place_of(table, key)
    while table[at] != FREE:
        if table[at] == key:
            return False
        at = (at + 1) & last
    table[at] = key
    return True


@kernel
def remove(table: NDArray[np.int64], key: Whole) -> bool:
    """Take a key out of the table, and move up those that lay behind it; False where it was not there."""
    last = len(table) - 1
    at = place_of(table, key)
    while table[at] != key:
        if table[at] == FREE:
            return False
        at = (at + 1) & last
    gap = at
    while True:
        at = (at + 1) & last
        if table[at] == FREE:
            break
        # A key moves to the gap unless it begins to be looked for behind the gap.
        home = place_of(table, table[at])
        if ((at - home) & last) >= ((at - gap) & last):
            table[gap] = table[at]
            gap = at
    table[gap] = FREE
    return True


@kernel
def word(state: NDArray[np.uint64]) -> np.uint64:
    """Return 64 bits of chance, and move the state on."""
    state[0] += np.uint64(11400714819323198485)
    mixed: np.uint64 = state[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(13787848793156543929)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(10723151780598845931)
    return mixed ^ (mixed >> np.uint64(31))


@kernel
def below(state: NDArray[np.uint64], limit: Whole) -> Whole:
    """Draw from {0, …, limit − 1}; uneven by limit / 2⁶⁴ at most, which no simulation notices."""
    return np.int64(word(state) % np.uint64(limit))
