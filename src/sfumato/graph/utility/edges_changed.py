"""How many edges were added and removed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.core.measure import Measured
from sfumato.graph.contract import Publishable
from sfumato.graph.network import Network


@dataclass(frozen=True)
class EdgesChanged:
    """How many edges were added or removed, for each edge of the original.

        (|E' ∖ E| + |E ∖ E'|) / |E|

    Liu & Terzi (2008) count this as the cost of k-degree anonymity. None for a grouping, which does not say
    which pairs are connected (``possible-worlds`` says how much is open), and for an original without edges.

    >>> path = Network.of_edges(3, np.array([[0, 1], [1, 2]]))
    >>> EdgesChanged().of(path, Network.of_edges(3, np.array([[0, 1], [0, 2]]))).value
    1.0
    """

    name: ClassVar[str] = "edges-changed"
    title: ClassVar[str] = "edges added and removed"
    range: ClassVar[str] = "0 … ∞"
    meaning: ClassVar[str] = "how many edges were added or removed, for each edge of the original"

    def of(self, original: Network, published: Publishable) -> Measured | None:
        """Compare the edges."""
        if not isinstance(published, Network) or not original.edges:
            return None
        before, after = aligned_keys(original, published)
        kept = len(np.intersect1d(before, after, assume_unique=True))
        added, removed = len(after) - kept, len(before) - kept
        return Measured(
            (added + removed) / original.edges,
            {
                "edges": original.edges,
                "added": added,
                "removed": removed,
                "share of the original's edges kept": kept / original.edges,
            },
        )


def aligned_keys(original: Network, published: Network) -> tuple[np.ndarray, np.ndarray]:
    """Return the edges of both as numbers, equal where they connect the same nodes."""
    if published.nodes < original.nodes:
        raise AssertionError("node v of what is published is node v of the original")
    before, after = original.pairs(), published.pairs()
    beyond = np.int64(published.nodes)
    return before[:, 0] * beyond + before[:, 1], after[:, 0] * beyond + after[:, 1]
