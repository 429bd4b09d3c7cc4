"""Connected components, numbered so that isomorphic ones share a number.

Each component is written as its edges in an order that looks at the structure alone. Components written alike
*are* isomorphic; components that differ in something that does not depend on how nodes are numbered (size,
edges, how nodes look after some rounds of refinement) are not. Only where neither settles it, canonical forms
by BLISS do. So no hash decides that two are alike.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import SILENT, Progress
from sfumato.graph.canonical.bliss import igraph
from sfumato.graph.canonical.form import form_of_pairs
from sfumato.graph.network import Network

Row = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Components:
    """The connected components of one or several networks.

    The networks lie side by side on *places*: those of the i-th have components ``first[i]`` to
    ``first[i + 1]``, and component c has the places ``members[bounds[c]:bounds[c + 1]]``.
    """

    first: NDArray[np.int64] = field(repr=False)
    bounds: NDArray[np.int64] = field(repr=False)
    members: NDArray[np.int64] = field(repr=False)
    codes: NDArray[np.int64] = field(repr=False)
    """the number of each component, from 0 in the order in which they first appear"""
    examples: tuple[Row, ...] = field(repr=False)
    """for each number a component that was written down: see ``network_of``"""

    def sizes(self) -> NDArray[np.int64]:
        """Return how many nodes the components with each number have."""
        return np.array([row[0] for row in self.examples], np.int64)

    def edges(self) -> NDArray[np.int64]:
        """Return how many edges the components with each number have."""
        return np.array([len(row) - 1 - row[0] for row in self.examples], np.int64)


def connected_components(
    network: Network, *, labelled: bool = False, progress: Progress = SILENT
) -> Components:
    """Number the connected components of a network; places are its nodes.

    >>> two = Network.of_edges(6, np.array([[0, 1], [2, 3], [3, 4]]))
    >>> found = connected_components(two)
    >>> found.codes.tolist(), found.sizes().tolist()
    ([0, 1, 2], [2, 3, 1])
    """
    labels = np.zeros(network.nodes, np.int64)
    if labelled and network.labels is not None:
        labels = network.labels.astype(np.int64)
    starts = np.array([0, network.nodes], np.int64)
    # Copies: what kernels read here may be written elsewhere, and they know one type of array.
    return numbered_components(
        starts,
        network.offsets.copy(),
        network.neighbours.copy(),
        labels,
        labelled=labelled,
        progress=progress,
    )


def numbered_components(
    starts: NDArray[np.int64],
    near_starts: NDArray[np.int64],
    near: NDArray[np.int32],
    labels: NDArray[np.int64],
    *,
    labelled: bool,
    progress: Progress = SILENT,
) -> Components:
    """Number the components of networks side by side: see ``_kernels_neighbourhood`` for the arrays."""
    from sfumato.graph.canonical import _kernels_neighbourhood as kernels
    from sfumato.graph.canonical._kernels_rows import number_rows

    igraph()
    first, bounds, members = kernels.components(starts, near_starts, near)
    look = kernels.looks(starts, near_starts, near, labels)
    row_starts, rows, sums = kernels.written_rows(
        starts, near_starts, near, labels, look, first, bounds, members
    )
    written, examples = number_rows(row_starts, rows)
    progress.update(0.6, "isomorphic components")
    kept = tuple(rows[row_starts[one] : row_starts[one + 1]].copy() for one in examples.tolist())
    same_as = _merged(kept, sums[examples], labelled, progress)
    of_code = np.flatnonzero(same_as == np.arange(len(kept)))
    code = np.empty(len(kept), np.int64)
    code[of_code] = np.arange(len(of_code))
    return Components(
        first, bounds, members, code[same_as][written], tuple(kept[one] for one in of_code.tolist())
    )


def network_of(row: Row) -> Network:
    """Return the network that a component was written down as, with its labels as numbers."""
    nodes, labels, pairs = _read(row)
    return Network.of_edges(nodes, pairs, labels.astype(np.int32))


def _merged(
    rows: tuple[Row, ...], sums: NDArray[np.uint64], labelled: bool, progress: Progress
) -> NDArray[np.int64]:
    """Return for each of different rows the first that is isomorphic to it."""
    alike = defaultdict[tuple[int, int, int], list[int]](list)
    for at, (row, look) in enumerate(zip(rows, sums.tolist(), strict=True)):
        alike[int(row[0]), len(row), look].append(at)
    same_as = np.arange(len(rows))
    for done, group in enumerate(alike.values()):
        if len(group) == 1:
            continue
        progress.update(0.6 + 0.4 * done / len(alike), "canonical forms")
        seen: dict[bytes, int] = {}
        for at in group:
            nodes, labels, pairs = _read(rows[at])
            same_as[at] = seen.setdefault(form_of_pairs(nodes, pairs, labels if labelled else None), at)
    return same_as


def _read(row: Row) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
    """Return the nodes, the labels and the edges of a component that was written as a row."""
    nodes = int(row[0])
    edges = row[1 + nodes :]
    return nodes, row[1 : 1 + nodes], np.column_stack([edges // nodes, edges % nodes])
