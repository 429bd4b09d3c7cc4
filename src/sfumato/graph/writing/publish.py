"""New numbers for nodes and groups before they are published: the old ones link to the source.

With a permutation π drawn uniformly, the published file is a function of π(G) alone. For every other
numbering σ(G) of the same network π∘σ is uniform too, so the file has the same distribution whichever
numbering, order of lines or spelling of names the source had: what it says is the network up to isomorphism,
and nothing of the source. This holds for edges in the order of their *new* numbers as well, so they are
sorted rather than shuffled. It protects from whoever would link by order or by number, and from nobody who
knows edges: see the attacks of this room.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.randomness import Random, SecretRandom
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network


@dataclass(frozen=True, eq=False)
class Renumbered:
    """A network with new numbers. ``node[v]`` is the new number of the old node v, from 0; files count from
    1. It is the truth for attacks and for the steward, and never published."""

    network: Network
    node: NDArray[np.int64] = field(repr=False)
    names: pa.StringArray | None = field(default=None, repr=False)
    """the old names, in the old order"""
    secret: bool = True
    """whether nobody can draw the same numbers again: else it must not be published"""

    def truth(self) -> pa.Table:
        """Return the published number of each name, for the steward alone."""
        names = self.names
        if names is None:
            names = pa.array(np.arange(1, len(self.node) + 1)).cast(pa.string())
        return pa.table({"name": names, "node": self.node + 1})


@dataclass(frozen=True, eq=False)
class Regrouped:
    """A grouping with new numbers. ``group[g]`` is the new number of the old group g, from 0."""

    grouped: Grouped
    group: NDArray[np.int64] = field(repr=False)
    secret: bool = True


def publish(
    network: Network, names: pa.StringArray | None = None, *, random: Random | None = None
) -> Renumbered:
    """Give nodes new numbers, drawn from the operating system. ``names`` are kept beside for the steward.

    >>> path = Network.of_edges(3, np.array([[0, 1], [1, 2]]))
    >>> new = publish(path)
    >>> new.network.edges, new.network.degrees()[new.node].tolist()
    (2, [1, 2, 1])
    """
    if names is not None and len(names) != network.nodes:
        raise AssertionError("each node has one name")
    random = random or SecretRandom()
    node = np.asarray(random.permutation(network.nodes), np.int64)
    return Renumbered(network.renumbered(node), node, names, random.secret)


def publish_grouped(grouped: Grouped, *, random: Random | None = None) -> Regrouped:
    """Give groups new numbers, drawn from the operating system; links come in the order of the new ones."""
    random = random or SecretRandom()
    group = np.asarray(random.permutation(len(grouped.sizes)), np.int64)
    sizes, inside = np.empty_like(grouped.sizes), np.empty_like(grouped.inside)
    sizes[group], inside[group] = grouped.sizes, grouped.inside
    links = np.sort(group[grouped.links].reshape(-1, 2), axis=1)
    order = np.lexsort((links[:, 1], links[:, 0]))
    return Regrouped(Grouped(sizes, inside, links[order], grouped.between[order]), group, random.secret)
