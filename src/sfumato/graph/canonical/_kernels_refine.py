"""Classes of nodes by what their neighbours are: one round, and the coarsest that no round splits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def rows_of_round(
    offsets: NDArray[np.int64], neighbours: NDArray[np.int32], classes: NDArray[np.int64], number: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Write for each node a row: its class, and the classes of its neighbours, ascending.

    Nodes hand out their class to their neighbours in the order of classes, so no row needs sorting.
    """
    nodes = len(offsets) - 1
    ends = np.zeros(number + 1, np.int64)
    for node in range(nodes):
        ends[classes[node] + 1] += 1
    for one in range(number):
        ends[one + 1] += ends[one]
    order = np.empty(nodes, np.int64)
    for node in range(nodes):
        order[ends[classes[node]]] = node
        ends[classes[node]] += 1
    starts = np.empty(nodes + 1, np.int64)
    written = np.empty(nodes, np.int64)
    values = np.empty(nodes + len(neighbours), np.int64)
    for node in range(nodes):
        starts[node] = offsets[node] + node
        values[starts[node]] = classes[node]
        written[node] = starts[node] + 1
    starts[nodes] = len(values)
    for giver in order:
        for at in range(offsets[giver], offsets[giver + 1]):
            other = neighbours[at]
            values[written[other]] = classes[giver]
            written[other] += 1
    return starts, values


@kernel
def stable_classes(
    offsets: NDArray[np.int64], neighbours: NDArray[np.int32], classes: NDArray[np.int64], number: int
) -> NDArray[np.int64]:
    """Refine classes until two nodes of a class have as many neighbours in every class: the coarsest such.

    Classes wait to split others; of a class that falls into parts, all but the largest wait (Hopcroft's
    rule), so that a node is looked at a logarithmic number of times.
    """
    nodes = len(offsets) - 1
    of = classes.copy()
    low = np.zeros(nodes + 1, np.int64)
    size = np.zeros(nodes + 1, np.int64)
    for node in range(nodes):
        size[of[node]] += 1
    for one in range(1, number):
        low[one] = low[one - 1] + size[one - 1]
    order = np.empty(nodes, np.int64)
    place = np.empty(nodes, np.int64)
    filled = low.copy()
    for node in range(nodes):
        place[node] = filled[of[node]]
        order[place[node]] = node
        filled[of[node]] += 1
    waiting = np.empty(nodes + 1, np.int64)
    waits = np.zeros(nodes + 1, np.bool_)
    length = 0
    for one in range(number):
        waiting[length] = one
        waits[one] = True
        length += 1
    count = np.zeros(nodes, np.int64)
    touched = np.empty(nodes, np.int64)
    moved = np.zeros(nodes + 1, np.int64)
    hit = np.empty(nodes + 1, np.int64)
    while length:
        length -= 1
        splitter = waiting[length]
        waits[splitter] = False
        reached = 0
        for at in range(low[splitter], low[splitter] + size[splitter]):
            node = order[at]
            for step in range(offsets[node], offsets[node + 1]):
                other = neighbours[step]
                if count[other] == 0:
                    touched[reached] = other
                    reached += 1
                count[other] += 1
        # Those reached move to the end of their class.
        hits = 0
        for at in range(reached):
            node = touched[at]
            one = of[node]
            if moved[one] == 0:
                hit[hits] = one
                hits += 1
            moved[one] += 1
            end = low[one] + size[one] - moved[one]
            other = order[end]
            order[place[node]] = other
            place[other] = place[node]
            order[end] = node
            place[node] = end
        for at in range(hits):
            one = hit[at]
            high = low[one] + size[one]
            begin = high - moved[one]
            moved[one] = 0
            part = order[begin:high]
            counts = count[part]
            if counts.min() != counts.max():
                part = part[np.argsort(counts)]
                for step in range(len(part)):
                    order[begin + step] = part[step]
                    place[part[step]] = begin + step
            # The parts: those not reached, then runs of equal counts; the first keeps the number.
            first_new = number
            cut = low[one]
            at_end = begin
            if begin == low[one]:
                at_end = begin + 1
                while at_end < high and count[order[at_end]] == count[order[begin]]:
                    at_end += 1
            size[one] = at_end - cut
            largest = one
            while at_end < high:
                cut = at_end
                while at_end < high and count[order[at_end]] == count[order[cut]]:
                    of[order[at_end]] = number
                    at_end += 1
                low[number] = cut
                size[number] = at_end - cut
                if size[number] > size[largest]:
                    largest = number
                number += 1
            if number > first_new:
                already = waits[one]
                for new in range(first_new, number):
                    if already or new != largest:
                        waits[new] = True
                        waiting[length] = new
                        length += 1
                if not already and largest != one:
                    waits[one] = True
                    waiting[length] = one
                    length += 1
        for at in range(reached):
            count[touched[at]] = 0
    return of
