"""How many networks a grouping may stand for: W = ∏ C(C(|X|, 2), e_X) · ∏ C(|X|·|Y|, e_XY).

Hay, Miklau, Jensen, Towsley and Weis (2008). To whoever sees the grouping alone the original is one of W
equally likely networks: the fewer worlds, the more is kept.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sfumato.graph.grouped import Grouped


def cells_of(grouped: Grouped) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return pairs of nodes and edges among them: of each group, then of each link."""
    sizes, links = grouped.sizes, grouped.links
    pairs = np.concatenate([sizes * (sizes - 1) // 2, sizes[links[:, 0]] * sizes[links[:, 1]]])
    return pairs, np.concatenate([grouped.inside, grouped.between])


def number_of_worlds(grouped: Grouped) -> int:
    """Return W exactly: a number of very many digits unless the network is tiny.

    >>> from sfumato.graph.network import Network
    >>> from sfumato.graph.worlds.summary import grouped_of
    >>> path = Network.of_edges(4, np.array([[0, 1], [1, 2], [2, 3]]))
    >>> number_of_worlds(grouped_of(path, np.array([0, 0, 1, 1])))
    4
    """
    pairs, edges = cells_of(grouped)
    return math.prod(math.comb(p, e) for p, e in zip(pairs.tolist(), edges.tolist(), strict=True))


def log_worlds(grouped: Grouped) -> float:
    """Return log W, the natural logarithm.

    >>> from sfumato.graph.network import Network
    >>> from sfumato.graph.worlds.summary import grouped_of
    >>> path = Network.of_edges(4, np.array([[0, 1], [1, 2], [2, 3]]))
    >>> round(log_worlds(grouped_of(path, np.array([0, 0, 1, 1]))), 6) == round(math.log(4), 6)
    True
    """
    pairs, edges = cells_of(grouped)
    open_ = (edges > 0) & (edges < pairs)
    # Equal cells are many: each is computed once.
    known, kind = np.unique(pairs[open_], return_inverse=True)
    most = int(edges.max(initial=0)) + 1
    cells, times = np.unique(kind * most + edges[open_], return_counts=True)
    equal = zip(known[cells // most].tolist(), (cells % most).tolist(), times.tolist(), strict=True)
    return math.fsum(_log_choose(of, some) * alike for of, some, alike in equal)


def _log_choose(pairs: int, edges: int) -> float:
    """log C(pairs, edges). Differences of large log Γ lose digits: small cases are computed exactly."""
    if pairs <= 2**10:
        return math.log(math.comb(pairs, edges))
    return math.lgamma(pairs + 1) - math.lgamma(edges + 1) - math.lgamma(pairs - edges + 1)
