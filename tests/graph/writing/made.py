"""Networks drawn for the tests."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import strategies as st

from sfumato.graph.network import Network
from tests.graph.reading.made import said

WORDS = ("", "cook", 'a "b" & <c>', "Größe, 7", "two\nlines")


@st.composite
def networks(draw: st.DrawFn, *, most: int = 7, labelled: bool = True, connected: bool = False) -> Network:
    """Any network of some nodes, also without edges, with labels or without."""
    nodes = draw(st.integers(1, most))
    pairs = list(itertools.combinations(range(nodes), 2))
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    if connected:
        nodes = max(nodes, 2)
        edges = list({*edges, *itertools.pairwise(range(nodes))})
    some = st.lists(st.integers(0, len(WORDS) - 1), min_size=nodes, max_size=nodes)
    labels = draw(st.none() | some) if labelled else None
    given = None if labels is None else np.array(labels, np.int32)
    return Network.of_edges(nodes, np.array(edges).reshape(-1, 2), given, () if labels is None else WORDS)


def same(one: Network, other: Network) -> bool:
    """Say whether two networks are equal node by node, with the words of their labels."""
    if one.pairs().tolist() != other.pairs().tolist() or one.nodes != other.nodes:
        return False
    if one.labels is None or other.labels is None:
        return one.labels is other.labels
    return said(one) == said(other)
