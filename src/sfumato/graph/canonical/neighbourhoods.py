"""Neighbourhoods: the network among the neighbours of a node, and who has the same.

B. Zhou & J. Pei, "Preserving privacy in social networks against neighborhood attacks" (ICDE 2008). They write
the connected components of a neighbourhood as minimum depth-first codes; here components that are isomorphic
share a number, which says the same.

Two neighbourhoods are isomorphic if and only if their components can be paired so that each is isomorphic to
its partner, so it is enough to number components: see ``components``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.graph.canonical.bliss import igraph
from sfumato.graph.canonical.components import Row, network_of, numbered_components
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
    written: tuple[Row, ...] = field(repr=False)

    def components_of(self, at: int) -> NDArray[np.int64]:
        """Return the numbers of the components of the neighbourhood of the at-th node."""
        return self.components[self.starts[at] : self.starts[at + 1]]

    def example(self, component: int) -> Network:
        """Return a network that every component with this number is isomorphic to."""
        return network_of(self.written[component])


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
    its own: whoever knows the labels of all neighbours of a person knows that of the person. Nodes of a
    network without labels all have the same.

    >>> two = Network.of_edges(5, np.array([[0, 1], [1, 2], [2, 0], [2, 3], [3, 4]]))
    >>> found = neighbourhoods(two)
    >>> found.classes.tolist(), found.components_of(2).tolist(), found.sizes.tolist()
    ([0, 0, 1, 2, 3], [0, 1], [2, 1])
    """
    from sfumato.graph.canonical._kernels_neighbourhood import among
    from sfumato.graph.canonical._kernels_rows import number_rows

    igraph()
    chosen = np.arange(network.nodes) if nodes is None else np.array(nodes, np.int64)
    if len(chosen) and (chosen.min() < 0 or chosen.max() >= network.nodes):
        raise BadInput("a node is asked for that the network does not have", remedy="count nodes from 0")
    progress.step("neighbourhoods")
    starts, near_starts, near = among(network.offsets, network.neighbours, chosen)
    labels = np.zeros(len(near_starts) - 1, np.int64)
    own = np.zeros(len(chosen), np.int64)
    if labelled and network.labels is not None:
        places = np.repeat(network.offsets[chosen] - starts[:-1], np.diff(starts)) + np.arange(len(labels))
        labels = network.labels[network.neighbours[places]].astype(np.int64)
        own = network.labels[chosen].astype(np.int64)
    progress.update(0.3, "components")
    found = numbered_components(starts, near_starts, near, labels, labelled=labelled, progress=progress)
    owner = np.repeat(np.arange(len(chosen)), np.diff(found.first))
    codes = found.codes[np.lexsort((found.codes, owner))]
    # A row for each node: its own label, then its components.
    row_starts = found.first + np.arange(len(found.first))
    rows = np.empty(row_starts[-1], np.int64)
    rows[row_starts[:-1]] = own
    rows[np.arange(len(codes)) + owner + 1] = codes
    classes, _ = number_rows(row_starts, rows)
    return Neighbourhoods(chosen, classes, found.first, codes, found.sizes(), found.edges(), found.examples)


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
