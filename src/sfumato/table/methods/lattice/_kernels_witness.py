"""How large the class of one cell is at every node of the lattice, in one pass over the classes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@kernel
def rarest_classes(
    keys: Ints,
    persons: Ints,
    smallest: int,
    words: int,
    word: Ints,
    shift: Ints,
    mask: Ints,
    rarity: Floats,
    start: Ints,
    chosen: Ints,
) -> int:
    """Write the too small classes with the least Σ_j rarity[start[j] + group_j]; returns how many."""
    columns = word.shape[0]
    wanted = chosen.shape[0]
    scores = np.full(wanted, np.inf)
    for w in range(wanted):
        chosen[w] = -1
    for i in range(persons.shape[0]):
        if persons[i] >= smallest:
            continue
        score = 0.0
        for j in range(columns):
            score += rarity[start[j] + ((keys[i * words + word[j]] >> shift[j]) & mask[j])]
        if score >= scores[wanted - 1]:
            continue
        w = wanted - 1
        while w > 0 and score < scores[w - 1]:
            scores[w] = scores[w - 1]
            chosen[w] = chosen[w - 1]
            w -= 1
        scores[w] = score
        chosen[w] = i
    found = 0
    while found < wanted and chosen[found] >= 0:
        found += 1
    return found


@kernel
def member_of(
    keys: Ints,
    count: int,
    words: int,
    word: Ints,
    shift: Ints,
    mask: Ints,
    offset: Ints,
    climb: Ints,
    telling: Ints,
    target_keys: Ints,
    target: int,
) -> int:
    """Return the first class of a lower node that lies in class ``target`` of a higher one.

    ``telling`` lists the columns, those that tell most classes apart first.
    """
    for i in range(count):
        inside = True
        for j in telling:
            group = (keys[i * words + word[j]] >> shift[j]) & mask[j]
            if offset[j] >= 0:
                group = climb[offset[j] + group] >> shift[j]
            if group != (target_keys[target * words + word[j]] >> shift[j]) & mask[j]:
                inside = False
                break
        if inside:
            return i
    return -1


@kernel
def sizes_everywhere(
    keys: Ints,
    persons: Ints,
    words: int,
    word: Ints,
    shift: Ints,
    mask: Ints,
    low: Ints,
    shape: Ints,
    strides: Ints,
    offset: Ints,
    climb: Ints,
    groups: Ints,
    member: int,
    step: Ints,
    size: Ints,
) -> None:
    """Write for every node x ≥ low the persons in the class of ``member`` there.

    Two cells share a class at x when they agree in every column j at level x_j. The levels at which
    they first agree are one node; a histogram over these nodes, added up along every axis, is the
    size. ``step[j, g]`` is scratch: the first level of agreement of group g, as a distance.
    """
    columns = word.shape[0]
    apart = np.int64(-1) << 48
    for j in range(columns):
        own = (keys[member * words + word[j]] >> shift[j]) & mask[j]
        for g in range(groups[j, low[j]]):
            step[j, g] = apart
            if g == own:
                step[j, g] = low[j] * strides[j]
                continue
            for level in range(low[j] + 1, shape[j]):
                start = offset[j, low[j], level]
                if climb[start + g] == climb[start + own]:
                    step[j, g] = level * strides[j]
                    break
    for x in range(size.shape[0]):
        size[x] = 0
    for i in range(persons.shape[0]):
        node = np.int64(0)
        for j in range(columns):
            node += step[j, (keys[i * words + word[j]] >> shift[j]) & mask[j]]
        if node >= 0:
            size[node] += persons[i]
    for j in range(columns):
        stride = strides[j]
        block = stride * shape[j]
        for begin in range(0, size.shape[0], block):
            for x in range(begin + stride, begin + block):
                size[x] += size[x - stride]


@kernel
def close_small(bounds: Floats, size: Ints, live: Ints, count: int, smallest: int) -> int:
    """Close the live nodes at which a class is too small; returns how many were open."""
    closed = 0
    for i in range(count):
        if size[live[i]] < smallest and bounds[live[i]] < np.inf:
            bounds[live[i]] = np.inf
            closed += 1
    return closed
