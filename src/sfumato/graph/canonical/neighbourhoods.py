"""Neighbourhoods: the network among the neighbours of a node, and who has the same.

B. Zhou & J. Pei, "Preserving privacy in social networks against neighborhood attacks" (ICDE 2008). They write
the connected components of a neighbourhood as minimum depth-first codes; here components that are isomorphic
share a number, which says the same.

Two neighbourhoods are isomorphic if and only if their components can be paired so that each is isomorphic to
its partner, so it is enough to number components. Each is written as its edges in an order that looks at the
structure alone. Components written alike *are* isomorphic; components that differ in something that does not
depend on numbers (size, edges, how places look after some rounds of refinement) are not. Only where neither
settles it, canonical forms by BLISS do.
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


@dataclass(frozen=True, eq=False)
class Neighbourhoods:
    """What the neighbourhoods of some nodes look like, by numbers that isomorphic ones share.

    Numbers count from 0 in the order in which they first appear. They mean something within one call only:
    to compare two networks ask for their neighbourhoods ``together``.
    """

    nodes: NDArray[np.int64] = field(repr=False)
    """the nodes that were asked for"""
    classes: NDArray[np.int64] = field(repr=False)
    """the number of each one's neighbourhood"""
    starts: NDArray[np.int64] = field(repr=False)
    """where the components of each one start in ``components``"""
    components: NDArray[np.int64] = field(repr=False)
    """numbers of components, ascending for each node, once for each component"""
    sizes: NDArray[np.int64] = field(repr=False)
    """how many nodes the components with each number have"""
    edges: NDArray[np.int64] = field(repr=False)
    """how many edges they have"""
    _rows: tuple[NDArray[np.int64], ...] = field(repr=False)

    def components_of(self, at: int) -> NDArray[np.int64]:
        """Return the numbers of the components of the neighbourhood of the at-th node."""
        return self.components[self.starts[at] : self.starts[at + 1]]

    def example(self, component: int) -> Network:
        """Return a network that every component with this number is isomorphic to."""
        nodes, labels, pairs = _read(self._rows[component])
        return Network.of_edges(nodes, pairs, labels.astype(np.int32))


def neighbourhoods(
    network: Network,
    *,
    labelled: bool = False,
    nodes: NDArray[np.integer] | None = None,
    progress: Progress = SILENT,
) -> Neighbourhoods:
    """Number the neighbourhoods of nodes (of all, if none are named), and their components.

    The neighbourhood of v is the network induced on the neighbours of v, without v. ``labelled``: an
    isomorphism keeps the labels of neighbours, and v has the same label as those whose neighbourhood is like
    its own: whoever knows the labels of all neighbours of a person knows that of the person.

    >>> two = Network.of_edges(5, np.array([[0, 1], [1, 2], [2, 0], [2, 3], [3, 4]]))
    >>> found = neighbourhoods(two)
    >>> found.classes.tolist(), found.components_of(2).tolist(), found.sizes.tolist()
    ([0, 0, 1, 2, 3], [0, 1], [2, 1])
    """
    from sfumato.graph.canonical import _kernels_neighbourhood as kernels
    from sfumato.graph.canonical._kernels_rows import number_rows

    igraph()
    chosen = np.arange(network.nodes) if nodes is None else np.array(nodes, np.int64)
    progress.step("neighbourhoods")
    starts, near_starts, near = kernels.among(network.offsets, network.neighbours, chosen)
    labels = np.zeros(len(near_starts) - 1, np.int64)
    own = np.zeros(len(chosen), np.int64)
    if labelled and network.labels is not None:
        places = np.repeat(network.offsets[chosen] - starts[:-1], np.diff(starts)) + np.arange(len(labels))
        labels = network.labels[network.neighbours[places]].astype(np.int64)
        own = network.labels[chosen].astype(np.int64)
    progress.update(0.3, "components")
    first, bounds, members = kernels.components(starts, near_starts, near)
    look = kernels.looks(starts, near_starts, near, labels)
    row_starts, rows, sums = kernels.written_rows(
        starts, near_starts, near, labels, look, first, bounds, members
    )
    written, examples = number_rows(row_starts, rows)
    progress.update(0.6, "isomorphic components")
    kept = tuple(rows[row_starts[one] : row_starts[one + 1]].copy() for one in examples.tolist())
    code_of, of_code = _merged(kept, sums[examples], labelled, progress)
    codes = code_of[written]
    numbers = np.repeat(np.arange(len(chosen)), np.diff(first))
    codes = codes[np.lexsort((codes, numbers))]
    # The label of the node itself leads the row of its components.
    row_ends = first + np.arange(len(first))
    lead = np.zeros(row_ends[-1], np.int64)
    lead[row_ends[:-1]] = own
    inside = np.ones(len(lead), np.bool_)
    inside[row_ends[:-1]] = False
    lead[inside] = codes
    classes, _ = number_rows(row_ends, lead)
    samples = tuple(kept[one] for one in of_code)
    sizes = np.array([row[0] for row in samples], np.int64)
    edges = np.array([len(row) - 1 - row[0] for row in samples], np.int64)
    return Neighbourhoods(chosen, classes, first, codes, sizes, edges, samples)


def neighbourhood_forms(
    network: Network,
    *,
    labelled: bool = False,
    nodes: NDArray[np.integer] | None = None,
    progress: Progress = SILENT,
) -> NDArray[np.int64]:
    """Return for each node the number of its neighbourhood: the same if and only if they are isomorphic.

    >>> star = Network.of_edges(4, np.array([[0, 1], [0, 2], [0, 3]]))
    >>> neighbourhood_forms(star).tolist()
    [0, 1, 1, 1]
    """
    return neighbourhoods(network, labelled=labelled, nodes=nodes, progress=progress).classes


def _merged(
    rows: tuple[NDArray[np.int64], ...], sums: NDArray[np.uint64], labelled: bool, progress: Progress
) -> tuple[NDArray[np.int64], list[int]]:
    """Give different rows one number where they are isomorphic; return these, and a row for each number."""
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
    of_code = np.flatnonzero(same_as == np.arange(len(rows)))
    code = np.empty(len(rows), np.int64)
    code[of_code] = np.arange(len(of_code))
    return code[same_as], of_code.tolist()


def _read(row: NDArray[np.int64]) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
    """Return the nodes, the labels and the edges of a component that was written as a row."""
    nodes = int(row[0])
    edges = row[1 + nodes :]
    return nodes, row[1 : 1 + nodes], np.column_stack([edges // nodes, edges % nodes])
