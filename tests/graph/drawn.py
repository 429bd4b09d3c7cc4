"""Small networks for properties: drawn by hypothesis, and made from what was drawn."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import strategies as st

from sfumato.graph.network import Network

Drawn = tuple[int, list[tuple[int, int]]]


@st.composite
def drawn_networks(draw: st.DrawFn, most: int = 7, least: int = 0) -> Drawn:
    """Draw a number of nodes and edges among them."""
    nodes = draw(st.integers(least, most))
    pairs = list(itertools.combinations(range(nodes), 2))
    return nodes, [pair for pair in pairs if draw(st.booleans())]


def network_of(drawn: Drawn, labels: list[int] | None = None) -> Network:
    nodes, edges = drawn
    kept = None if labels is None else np.array(labels, np.int32)
    words = () if labels is None else tuple("abcdefgh")
    return Network.of_edges(nodes, np.array(edges, np.int64).reshape(-1, 2), kept, words)
