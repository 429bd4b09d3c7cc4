"""Loops that split classes by one more column, count who lies in each, and sum up the sizes.

Cells whose bit is set in ``known`` are passed over: whoever asks has done with them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

Bits = NDArray[np.uint8]
Ids = NDArray[np.int32]
Ints = NDArray[np.int64]

SPREAD = np.int64(-7046029254386353131)
"""the odd number nearest to 2^64 divided by the golden ratio: products spread over all high bits"""


@kernel
def split_by_table(
    parent: Ids, codes: Ids, values: int, counts: Ints, known: Bits, table: Ids, ids: Ids, sizes: Ints
) -> int:
    """Number the pairs (class, code) in the order of their first cell and add up the counts of each.

    ``table`` has one place for every possible pair, all -1. Cells that are passed over get the id -1.
    Return how many pairs there are.
    """
    found = 0
    for i in range(parent.shape[0]):
        if (known[i >> 3] >> (i & 7)) & 1:
            ids[i] = -1
            continue
        key = np.int64(parent[i]) * values + codes[i]
        at = table[key]
        if at < 0:
            at = found
            table[key] = at
            sizes[at] = 0
            found += 1
        ids[i] = at
        sizes[at] += counts[i]
    return found


@kernel
def split_by_hash(
    parent: Ids,
    codes: Ids,
    values: int,
    counts: Ints,
    known: Bits,
    keys: Ints,
    places: Ids,
    ids: Ids,
    sizes: Ints,
) -> int:
    """Do the same where most of the possible pairs do not occur: ``keys`` is a hash table, all -1.

    Its length is a power of two and exceeds the number of cells.
    """
    last = keys.shape[0] - 1
    bits = 0
    while (np.int64(1) << bits) <= last:
        bits += 1
    found = 0
    for i in range(parent.shape[0]):
        if (known[i >> 3] >> (i & 7)) & 1:
            ids[i] = -1
            continue
        key = np.int64(parent[i]) * values + codes[i]
        slot = ((key * SPREAD) >> (64 - bits)) & last
        while keys[slot] != key and keys[slot] >= 0:
            slot = (slot + 1) & last
        if keys[slot] < 0:
            keys[slot] = key
            places[slot] = found
            sizes[found] = 0
            found += 1
        at = places[slot]
        ids[i] = at
        sizes[at] += counts[i]
    return found


@kernel
def add_counts(ids: Ids, counts: Ints, sizes: Ints) -> None:
    """Add the count of every cell to its class; ``sizes`` begins as zeros."""
    for i in range(ids.shape[0]):
        sizes[ids[i]] += counts[i]


@kernel
def count_people_once(starts: Ints, cells: Ints, ids: Ids, seen: Ints, sizes: Ints) -> None:
    """Subtract from each class those who were counted there in several of its cells.

    ``seen[class]`` is scratch, filled with -1: the last person met in a class.
    """
    for person in range(starts.shape[0] - 1):
        for at in range(starts[person], starts[person + 1]):
            home = ids[cells[at]]
            if home >= 0:
                if seen[home] == person:
                    sizes[home] -= 1
                seen[home] = person


@kernel
def sum_up(persons: Ints, rows: Ints, most: int, found: Ints) -> None:
    """Put into ``found``: smallest class, classes of one, persons in classes up to ``most``, equal pairs."""
    smallest = persons[0]
    alone = 0
    risky = np.int64(0)
    pairs = np.int64(0)
    for c in range(persons.shape[0]):
        size = persons[c]
        smallest = min(smallest, size)
        if size == 1:
            alone += 1
        if size <= most:
            risky += size
        pairs += rows[c] * (rows[c] - 1) // 2
    found[0] = smallest
    found[1] = alone
    found[2] = risky
    found[3] = pairs
