"""Possible worlds of a grouping, drawn with equal probability (Hay et al. 2008).

A world is fixed by which pairs of each group, and of each link, are edges; the choices are independent. So it
is enough to draw the counted number of distinct pairs in each: every world comes with probability 1 / W.
Worlds hold nothing that is not in the grouping: drawing them needs no secret, and takes a seed.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network
from sfumato.graph.worlds.counts import cells_of


def group_of_world(grouped: Grouped) -> NDArray[np.int64]:
    """Return the group of each node of a world: nodes are numbered group by group."""
    return np.repeat(np.arange(len(grouped.sizes), dtype=np.int64), grouped.sizes)


def sample(grouped: Grouped, seed: int = 0) -> Network:
    """Draw a possible world. Its nodes are numbered group by group: see ``group_of_world``.

    >>> pair_of_pairs = Grouped(np.array([2, 2]), np.array([1, 1]), np.array([[0, 1]]), np.array([4]))
    >>> sample(pair_of_pairs).pairs().tolist()
    [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    """
    return _drawn(grouped, np.random.default_rng(_checked(seed, "seed", 0)))


def worlds(grouped: Grouped, count: int, seed: int = 0) -> Iterator[Network]:
    """Draw possible worlds one after the other, independently.

    >>> pair = Grouped(np.array([3]), np.array([1]), np.empty((0, 2), int), np.empty(0, int))
    >>> [world.edges for world in worlds(pair, 3)]
    [1, 1, 1]
    """
    _checked(count, "count", 1)
    chance = np.random.default_rng(_checked(seed, "seed", 0))
    return (_drawn(grouped, chance) for _ in range(count))


def _checked(value: int, what: str, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise BadInput(f"{what} must be a whole number of at least {least}", where=f"possible worlds, {what}")
    return value


def _drawn(grouped: Grouped, chance: np.random.Generator) -> Network:
    # Here and not above: kernels take time to load.
    from sfumato.graph.worlds._kernels_sampling import distinct, ends_of

    pairs, edges = (np.ascontiguousarray(array, np.int64) for array in cells_of(grouped))
    if not edges.sum():
        return Network.of_edges(grouped.nodes, np.empty((0, 2), np.int64))
    within = np.arange(edges.sum()) - np.repeat(np.cumsum(edges) - edges, edges)
    drawn = chance.integers(0, np.repeat(pairs - edges, edges) + within + 1)
    room = 1 << int(2 * edges.max()).bit_length()
    chosen = distinct(pairs, edges, drawn, room)
    sizes, links = (np.array(array, np.int64, order="C") for array in (grouped.sizes, grouped.links))
    return Network.of_edges(grouped.nodes, ends_of(sizes, links, edges, chosen))
