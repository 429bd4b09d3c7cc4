"""A network of which every degree occurs k times, by added edges alone (Liu and Terzi 2008, Supergraph).

The cheapest anonymous degrees are often those of no network that holds the original: their sum is odd, or
hubs want more partners than lack edges too. So edges are given in rounds, from the degrees as they are to
those that the search asks for:

1. nodes that lack edges are connected with each other, who lacks most first: one edge for two lacks;
2. two that lack edges and are neighbours already take an added edge between others apart;
3. others help out: a node of degree d may have one more where more than k have d and k or more have d + 1;
4. what is still lacking is borrowed from anybody, and another round mends the classes that this broke.

After a round every node has the degree that was asked for, or more. A round that asks for anything adds an
edge, and where all pairs are connected all degrees are equal and nothing is asked for: so rounds come to an
end, for every network and every k ≤ n.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import PromiseNotMet
from sfumato.core.progress import SILENT, Progress
from sfumato.graph.methods.degree_sequence import Search, anonymous_degrees
from sfumato.graph.network import Network

_EDGES_AT_ONCE = 2**29
_LOOKS, _FEW_LOOKS, _LOOKS_EACH = 200_000_000, 1_000_000, 20
_PATIENT_ROUNDS = 12
_WORK = 400_000
_ATTEMPTS = 256
_CHANCE_EDGES = 4


@dataclass(frozen=True, eq=False)
class Added:
    """Edges to add to a network, one row each."""

    pairs: NDArray[np.int64] = field(repr=False)
    asked: int
    """how much higher the degrees must be at least, by the search: Σ (anonymous degree − degree)"""
    rounds: int
    attempt: int
    """which of the attempts found them, from 1"""


def edges_to_add(
    network: Network,
    k: int,
    *,
    search: Search = "exact",
    seed: int = 0,
    most: int = _ATTEMPTS,
    progress: Progress = SILENT,
) -> Added:
    """Find edges that make every degree occur k times or more. Small networks are tried ``most`` times.

    >>> path = Network.of_edges(4, np.array([[0, 1], [1, 2], [2, 3]]))
    >>> edges_to_add(path, 3).pairs.tolist()
    [[0, 3]]
    """
    asked = anonymous_degrees(network.degrees(), k, search=search).cost
    attempts = int(np.clip(_WORK // (network.nodes + network.edges + asked + 1), 1, most))
    best = None
    for number in range(attempts):
        pairs, rounds = _attempt(network, k, search, seed, number, progress)
        if best is None or len(pairs) < len(best.pairs):
            best = Added(pairs, asked, rounds, number + 1)
        if 2 * len(best.pairs) <= asked + 1:
            break
        progress.update((number + 1) / attempts)
    assert best is not None
    return best


class _Growing:
    """A network and the edges that were added to it so far."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.edges = 0
        self.end = np.empty(0, np.int64)
        self.after = np.empty(0, np.int64)
        self.before = np.empty(0, np.int64)
        self.head = np.full(network.nodes, -1, np.int64)

    def room_for(self, more: int) -> None:
        """Make room for more edges."""
        if self.edges + more > _EDGES_AT_ONCE:
            raise PromiseNotMet(
                f"about {self.edges + more:,} edges would be added to {self.network.edges:,}",
                where="k-degree",
                remedy="ask for a smaller k, or take realise: swap",
            )
        for name in ("end", "after", "before"):
            longer = np.empty(2 * (self.edges + more), np.int64)
            longer[: 2 * self.edges] = getattr(self, name)[: 2 * self.edges]
            setattr(self, name, longer)

    def pairs(self) -> NDArray[np.int64]:
        """Return the added edges, one row each."""
        return self.end[: 2 * self.edges].reshape(-1, 2)

    def degrees(self) -> NDArray[np.int64]:
        """Return the degrees with the added edges."""
        return self.network.degrees() + np.bincount(self.end[: 2 * self.edges], minlength=self.network.nodes)


def _attempt(
    network: Network, k: int, search: Search, seed: int, number: int, progress: Progress
) -> tuple[NDArray[np.int64], int]:
    from sfumato.graph.methods._kernels_degree_pairing import (
        ask_for_help,
        borrow,
        pair_lacking,
        switch_in,
    )

    n = network.nodes
    chance = np.random.default_rng((seed, number))
    growing = _Growing(network)
    rows = (network.offsets, network.neighbours)
    rounds = 0
    if number:
        # The cheapest degrees may be those of no network while others, a little dearer, are.
        _by_chance(growing, number % _CHANCE_EDGES, chance)
    while True:
        order = chance.permutation(n).astype(np.int64)
        degrees = growing.degrees()
        # Larger classes than asked for leave more nodes that can help.
        generous = min(n, k << max(0, rounds - _PATIENT_ROUNDS))
        target = anonymous_degrees(degrees, generous, search=search, order=order)
        if target.cost == 0:
            break
        rounds += 1
        progress.update(0.0, f"round {rounds}: {target.cost:,} more ends of edges are asked for")
        lacking = target.degrees - degrees
        growing.room_for(target.cost)
        lists = (growing.end, growing.head, growing.after, growing.before)
        edges = growing.edges
        edges = pair_lacking(*rows, order, lacking, edges, *lists)
        looks = min(_LOOKS, _FEW_LOOKS + _LOOKS_EACH * (network.edges + target.cost))
        edges = switch_in(*rows, lacking, edges, *lists, looks)
        sizes = np.bincount(target.degrees, minlength=n + 1).astype(np.int64)
        helped = target.degrees.copy()
        edges = ask_for_help(*rows, order, k, lacking, helped, sizes, edges, *lists)
        lenders = order
        if number % 2 == 0:
            lenders = order[np.argsort(-sizes[helped[order]], kind="stable")]
        growing.edges = int(borrow(*rows, lenders, lacking, edges, *lists))
    return growing.pairs()[_needed(growing, k, chance)], rounds


def _by_chance(growing: _Growing, edges: int, chance: np.random.Generator) -> None:
    """Add a few edges between any nodes."""
    from sfumato.graph.methods._kernels_degree_pairing import borrow

    network = growing.network
    for _ in range(edges):
        free = np.flatnonzero(growing.degrees() < network.nodes - 1)
        if not len(free):
            return
        lacking = np.zeros(network.nodes, np.int64)
        lacking[chance.choice(free)] = 1
        order = chance.permutation(network.nodes).astype(np.int64)
        growing.room_for(1)
        lists = (growing.end, growing.head, growing.after, growing.before)
        found = borrow(network.offsets, network.neighbours, order, lacking, growing.edges, *lists)
        growing.edges = int(found)


def _needed(growing: _Growing, k: int, chance: np.random.Generator) -> NDArray[np.bool_]:
    """Say which of the added edges cannot be taken back."""
    from sfumato.graph.methods._kernels_degree_pairing import drop_needless

    degrees = growing.degrees()
    sizes = np.bincount(degrees, minlength=growing.network.nodes + 1).astype(np.int64)
    kept = np.ones(growing.edges, np.bool_)
    turn = chance.permutation(growing.edges).astype(np.int64)
    drop_needless(turn, k, degrees, sizes, growing.edges, growing.end, kept)
    return kept
