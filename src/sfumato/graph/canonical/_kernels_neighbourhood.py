"""The networks among the neighbours of each node: taken out, split into components, written as rows.

The neighbours of the i-th chosen node are the *places* ``starts[i]`` to ``starts[i + 1]``, in ascending order
of their numbers; ``near`` lists for each place, from ``near_starts``, the neighbours that are connected to
it, as numbers within the neighbourhood.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel
from sfumato.graph.canonical._kernels_rows import mixed

ROUNDS = 4
"""how often places look at those near them before they are ordered"""
SCANNED = 8
"""a list of neighbours that is longer than so many times the other's is searched, not read"""


@kernel
def among(
    offsets: NDArray[np.int64], neighbours: NDArray[np.int32], nodes: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
    """Return ``starts``, ``near_starts`` and ``near`` for the chosen nodes."""
    chosen = len(nodes)
    starts = np.zeros(chosen + 1, np.int64)
    for i in range(chosen):
        starts[i + 1] = starts[i] + offsets[nodes[i] + 1] - offsets[nodes[i]]
    near_starts = np.zeros(starts[chosen] + 1, np.int64)
    near = np.empty(0, np.int32)
    mark = np.full(len(offsets) - 1, -1, np.int32)
    # The first turn counts, the second writes.
    for turn in range(2):
        written = 0
        for i in range(chosen):
            low = offsets[nodes[i]]
            high = offsets[nodes[i] + 1]
            for at in range(low, high):
                mark[neighbours[at]] = at - low
            for at in range(low, high):
                place = starts[i] + at - low
                other = neighbours[at]
                left = offsets[other]
                right = offsets[other + 1]
                if right - left <= SCANNED * (high - low):
                    for step in range(left, right):
                        within = mark[neighbours[step]]
                        if within >= 0:
                            if turn:
                                near[written] = within
                            written += 1
                else:
                    for step in range(low, high):
                        wanted = neighbours[step]
                        below = left
                        above = right
                        while below < above:
                            middle = (below + above) // 2
                            if neighbours[middle] < wanted:
                                below = middle + 1
                            else:
                                above = middle
                        if below < right and neighbours[below] == wanted:
                            if turn:
                                near[written] = step - low
                            written += 1
                near_starts[place + 1] = written
            for at in range(low, high):
                mark[neighbours[at]] = -1
        if not turn:
            near = np.empty(written, np.int32)
    return starts, near_starts, near


@kernel
def components(
    starts: NDArray[np.int64], near_starts: NDArray[np.int64], near: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Split each neighbourhood into its connected components.

    Returns for each neighbourhood where its components start, for each component where its places start, and
    the places, those of a component together.
    """
    chosen = len(starts) - 1
    total = starts[chosen]
    first = np.zeros(chosen + 1, np.int64)
    bounds = np.zeros(total + 1, np.int64)
    members = np.empty(total, np.int64)
    seen = np.zeros(total, np.bool_)
    found = 0
    written = 0
    for i in range(chosen):
        base = starts[i]
        for place in range(base, starts[i + 1]):
            if seen[place]:
                continue
            seen[place] = True
            members[written] = place
            head = written
            written += 1
            while head < written:
                here = members[head]
                head += 1
                for at in range(near_starts[here], near_starts[here + 1]):
                    other = base + near[at]
                    if not seen[other]:
                        seen[other] = True
                        members[written] = other
                        written += 1
            found += 1
            bounds[found] = written
        first[i + 1] = found
    return first, bounds[: found + 1].copy(), members


@kernel
def looks(
    starts: NDArray[np.int64],
    near_starts: NDArray[np.int64],
    near: NDArray[np.int32],
    labels: NDArray[np.int64],
) -> NDArray[np.uint64]:
    """Return a number for each place that does not depend on how nodes are numbered.

    Places that an isomorphism of components maps to each other have the same number. The reverse is not
    said: these numbers order places and tell components apart, and nothing is held to be alike by them.
    """
    total = starts[len(starts) - 1]
    now = np.empty(total, np.uint64)
    after = np.empty(total, np.uint64)
    for place in range(total):
        now[place] = mixed(np.uint64(labels[place]) + np.uint64(0x9E3779B97F4A7C15))
    for _ in range(ROUNDS):
        for i in range(len(starts) - 1):
            base = starts[i]
            for place in range(base, starts[i + 1]):
                total_near = np.uint64(near_starts[place + 1] - near_starts[place])
                for at in range(near_starts[place], near_starts[place + 1]):
                    total_near += now[base + near[at]]
                after[place] = mixed(now[place] * np.uint64(3) + mixed(total_near))
        now, after = after, now
    return now


@kernel
def written_rows(
    starts: NDArray[np.int64],
    near_starts: NDArray[np.int64],
    near: NDArray[np.int32],
    labels: NDArray[np.int64],
    look: NDArray[np.uint64],
    first: NDArray[np.int64],
    bounds: NDArray[np.int64],
    members: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint64]]:
    """Write each component as a row: its number of places, their labels, and its edges, by order of ``look``.

    Returns where rows start, the rows, and a number for each component that isomorphic ones share. Edges are
    rank × size + greater rank, ascending: components with the same row are isomorphic.
    """
    found = len(bounds) - 1
    row_starts = np.zeros(found + 1, np.int64)
    for component in range(found):
        ends = 0
        for at in range(bounds[component], bounds[component + 1]):
            ends += near_starts[members[at] + 1] - near_starts[members[at]]
        size = bounds[component + 1] - bounds[component]
        row_starts[component + 1] = row_starts[component] + 1 + size + ends // 2
    rows = np.empty(row_starts[found], np.int64)
    sums = np.zeros(found, np.uint64)
    rank = np.zeros(len(members), np.int64)
    pointer = np.zeros(len(members) + 1, np.int64)
    for i in range(len(starts) - 1):
        base = starts[i]
        for component in range(first[i], first[i + 1]):
            low = bounds[component]
            size = bounds[component + 1] - low
            at = row_starts[component]
            rows[at] = size
            if size == 1:
                place = members[low]
                rows[at + 1] = labels[place]
                sums[component] = look[place]
                continue
            order = members[low : low + size]
            order = order[np.argsort(look[order])]
            at += 1
            for r in range(size):
                rank[order[r]] = r
                rows[at + r] = labels[order[r]]
                sums[component] += mixed(look[order[r]])
            at += size
            for r in range(size):
                pointer[r] = at
                place = order[r]
                for step in range(near_starts[place], near_starts[place + 1]):
                    if rank[base + near[step]] > r:
                        at += 1
            for s in range(size):
                place = order[s]
                for step in range(near_starts[place], near_starts[place + 1]):
                    r = rank[base + near[step]]
                    if r < s:
                        rows[pointer[r]] = r * size + s
                        pointer[r] += 1
    return row_starts, rows, sums
