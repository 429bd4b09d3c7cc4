"""How many networks a grouping may stand for: W = ∏ C(C(|X|, 2), e_X) · ∏ C(|X|·|Y|, e_XY).

Hay, Miklau, Jensen, Towsley and Weis (2008). To whoever sees the grouping alone, and not how the groups were
chosen, the original is one of W equally likely networks: the fewer worlds, the more is kept.

Whoever knows that groups were chosen to make W small can rule worlds out for which other groups are better:
of all networks of six nodes, with the best groups of three, log W is 4.50 on average and what is left 4.25.
But no pair of nodes gets likelier to be connected than another of the same group, or of the same two groups:
exchanging members of a group turns a world into one for which the same groups are best.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sfumato.graph.grouped import Grouped

FEW = 64
"""edges, or pairs that are none, up to which ways to place them are counted as whole numbers"""


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
    """log C(pairs, edges), to all digits that a float has however large the numbers.

    A few edges are computed exactly. Else by Stirling's formula, log n! = n log n − n + ½ log 2πn + r(n), in
    which what is large is cancelled before it is rounded: log Γ(10¹²) alone is off by 0.002.
    """
    few = min(edges, pairs - edges)
    if few <= FEW:
        return math.log(math.comb(pairs, few))
    many = pairs - few
    likely = few * math.log(pairs / few) - many * math.log1p(-few / pairs)
    return likely + math.log(pairs / (math.tau * few * many)) / 2 + _rest(pairs) - _rest(few) - _rest(many)


def _rest(n: int) -> float:
    """r(n) of Stirling's formula: off by less than 1 / 1680n⁷, which for n > 64 is nothing."""
    return (1 - (1 / 30 - 1 / (105 * n * n)) / (n * n)) / (12 * n)
