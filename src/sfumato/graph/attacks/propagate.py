"""Propagation: from a few people who are known in two networks, find the others, wave by wave.

A. Narayanan and V. Shmatikov, "De-anonymizing social networks", IEEE Symposium on Security and Privacy, 2009.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.graph.network import Network

_WHERE = "seed-and-propagate"
_STILL = 3
"""rounds in a row that may pass without a new greatest number of counterparts"""


@dataclass(frozen=True, eq=False)
class Matching:
    """Which node of a published network is taken for which node of a network with names."""

    mate: NDArray[np.int64] = field(repr=False)
    """for each node of the network with names its published node, −1 for none; seeds among them"""
    rounds: int
    settled: bool
    """whether another round would have changed nothing"""

    @property
    def claims(self) -> int:
        """How many nodes have a counterpart, seeds among them."""
        return int(np.count_nonzero(self.mate >= 0))


def propagate(
    published: Network,
    other: Network,
    seeds: NDArray[np.int64],
    *,
    threshold: float = 0.5,
    witnesses: int = 2,
    rounds: int = 40,
    progress: Progress = SILENT,
) -> Matching:
    """Find the published node of as many nodes of ``other`` as can be told, starting from pairs ``seeds``.

    Let μ be the counterparts so far and K the nodes that have one. Nodes u and v are alike as far as their
    neighbours with counterparts are the same people and their degrees are alike:

        s(u, v) = |μ(N(u) ∩ K) ∩ N(v)| / √(|N(u) ∩ K| · |N(v) ∩ μ(K)|) · min(d(u), d(v)) / max(d(u), d(v))

    u and v become counterparts where each is the best for the other, with at least ``witnesses`` common
    neighbours, and both *stand out*: (s₁ − s₂) / σ ≥ ``threshold``, the first candidate's distance from the
    second in standard deviations of all candidates (one candidate with nothing is added, so that a single
    one is not judged by nobody). All pairs but the seeds are judged anew in every round, so early errors are
    mended, and a round takes all its counterparts at once, so the numbering of nodes plays no part.

    Narayanan and Shmatikov divide by √d(v) alone. While few are known that favours nodes with few neighbours,
    and from fifty seeds nothing spreads in the network of Enron's mail; the cosine over those who are known,
    and likeness of degrees, are what makes it spread.

    >>> kite = Network.of_edges(5, np.array([[0, 1], [0, 2], [1, 2], [0, 3], [1, 3], [3, 4]]))
    >>> propagate(kite, kite, np.array([[0, 0], [1, 1], [4, 4]])).mate.tolist()
    [0, 1, 2, 3, 4]
    """
    from sfumato.graph.attacks._kernels_propagate import known_neighbours, matched

    seeds = _checked(published, other, seeds)
    mate = np.full(other.nodes, -1, np.int64)
    mate[seeds[:, 0]] = seeds[:, 1]
    most, still, done, settled = len(seeds), 0, 0, False
    progress.step("looking for counterparts")
    while done < rounds and not settled and still < _STILL:
        found = matched(
            other.offsets,
            other.neighbours,
            published.offsets,
            published.neighbours,
            mate,
            known_neighbours(other.offsets, other.neighbours, mate),
            known_neighbours(published.offsets, published.neighbours, _inverted(mate, published.nodes)),
            float(threshold),
            np.int64(witnesses),
        )
        found[np.isin(found, seeds[:, 1])] = -1
        found[seeds[:, 0]] = seeds[:, 1]
        settled = bool((found == mate).all())
        mate = found
        claims = int(np.count_nonzero(mate >= 0))
        still = 0 if claims > most + most // 1000 else still + 1
        most = max(most, claims)
        done += 1
        progress.update(done / rounds, f"{claims:,} counterparts")
    return Matching(mate, done, settled)


def _inverted(mate: NDArray[np.int64], nodes: int) -> NDArray[np.int64]:
    image = np.full(nodes, -1, np.int64)
    there = np.flatnonzero(mate >= 0)
    image[mate[there]] = there
    return image


def _checked(published: Network, other: Network, seeds: NDArray[np.int64]) -> NDArray[np.int64]:
    pairs = np.asarray(seeds, np.int64)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not len(pairs):
        raise BadInput(
            "there are no seeds to start from",
            where=_WHERE,
            remedy="give pairs of a node with a name and its published node",
        )
    for column, network, what in ((0, other, "network with names"), (1, published, "published network")):
        if pairs[:, column].min() < 0 or pairs[:, column].max() >= network.nodes:
            raise BadInput(
                f"a seed names a node that the {what} does not have",
                where=_WHERE,
                remedy=f"number nodes from 0 to {network.nodes - 1:,}",
            )
        if len(np.unique(pairs[:, column])) != len(pairs):
            raise BadInput(
                f"a node of the {what} is in two seeds", where=_WHERE, remedy="give each person once"
            )
    return pairs
