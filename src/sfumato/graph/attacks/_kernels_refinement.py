"""Classes of nodes by the classes of their neighbours, told apart exactly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def gather_sorted(
    offsets: NDArray[np.int64],
    neighbours: NDArray[np.int32],
    colour: NDArray[np.int64],
    gathered: NDArray[np.int64],
    sketch: NDArray[np.uint64],
) -> None:
    """Write the colours of each node's neighbours, ascending, and a sketch of them with its own colour."""
    for node in range(len(offsets) - 1):
        start = offsets[node]
        stop = offsets[node + 1]
        for place in range(start, stop):
            gathered[place] = colour[neighbours[place]]
        gathered[start:stop].sort()
        mixed = np.uint64(colour[node]) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(stop - start)
        for place in range(start, stop):
            mixed ^= np.uint64(gathered[place]) + np.uint64(0x9E3779B97F4A7C15)
            mixed *= np.uint64(0xBF58476D1CE4E5B9)
            mixed ^= mixed >> np.uint64(29)
        sketch[node] = mixed


@kernel
def split_exactly(
    offsets: NDArray[np.int64],
    colour: NDArray[np.int64],
    gathered: NDArray[np.int64],
    sketch: NDArray[np.uint64],
    order: NDArray[np.int64],
    refined: NDArray[np.int64],
) -> None:
    """Number the nodes, ``order``ed by sketch, by what the sketch stands for.

    Equal sketches may be chance: a node joins a class only if its own colour and all the colours gathered
    are those of the first node of that class.
    """
    nodes = len(order)
    first_of = np.empty(nodes, np.int64)
    classes = 0
    begin = 0
    while begin < nodes:
        end = begin
        from_class = classes
        while end < nodes and sketch[order[end]] == sketch[order[begin]]:
            node = order[end]
            size = offsets[node + 1] - offsets[node]
            found = -1
            for number in range(from_class, classes):
                first = first_of[number]
                if colour[first] != colour[node] or offsets[first + 1] - offsets[first] != size:
                    continue
                same = True
                for step in range(size):
                    if gathered[offsets[first] + step] != gathered[offsets[node] + step]:
                        same = False
                        break
                if same:
                    found = number
                    break
            if found < 0:
                found = classes
                first_of[classes] = node
                classes += 1
            refined[node] = found
            end += 1
        begin = end
