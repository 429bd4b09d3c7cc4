"""From a network and the groups of its nodes to what is published of them (Hay et al. 2008)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network


def grouped_of(network: Network, group: NDArray[np.integer]) -> Grouped:
    """Count nodes and edges by group; ``group[v]`` is the group of node v.

    Numbers of groups may have gaps: the groups that hold somebody are numbered from 0, in the same order.

    >>> path = Network.of_edges(4, np.array([[0, 1], [1, 2], [2, 3]]))
    >>> found = grouped_of(path, np.array([0, 0, 7, 7]))
    >>> found.sizes.tolist(), found.inside.tolist(), found.links.tolist(), found.between.tolist()
    ([2, 2], [1, 1], [[0, 1]], [1])
    """
    group = np.asarray(group)
    if group.shape != (network.nodes,):
        raise AssertionError("every node has a group")
    number = np.searchsorted(np.unique(group), group).astype(np.int64)
    sizes = np.bincount(number).astype(np.int64)
    ends = number[network.pairs()]
    same = ends[:, 0] == ends[:, 1]
    inside = np.bincount(ends[same, 0], minlength=len(sizes)).astype(np.int64)
    apart = ends[~same]
    keys, between = np.unique(apart.min(axis=1) * len(sizes) + apart.max(axis=1), return_counts=True)
    links = np.column_stack([keys // max(len(sizes), 1), keys % max(len(sizes), 1)])
    return Grouped(sizes, inside, links, between.astype(np.int64))
