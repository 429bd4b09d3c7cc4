"""Networks made up: for tests, benchmarks, and to see what an attack does before it does it to people.

P. Erdős & A. Rényi (1959); D. Watts & S. Strogatz (1998); A.-L. Barabási & R. Albert (1999); M. Newman,
S. Strogatz & D. Watts (2001) for given degrees; A. Condon & R. Karp (2001) for planted communities; two
copies of a network as in A. Narayanan & V. Shmatikov (2009). The same seed gives the same network: nothing
here protects anybody.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.graph.network import Network

_WHERE = "simulated network"
_SEEDS = 2**63 - 1
_TRIES = 30


def erdos_renyi(nodes: int, edges: int, seed: int = 1) -> Network:
    """Return G(n, m): every network with so many nodes and edges is equally likely.

    >>> erdos_renyi(10, 15).edges, erdos_renyi(4, 6).degrees().tolist()
    (15, [3, 3, 3, 3])
    """
    chance = _chance(seed)
    _whole("nodes", nodes, 0)
    _whole("edges", edges, 0)
    there = nodes * (nodes - 1) // 2
    if edges > there:
        raise BadInput(
            f"{edges:,} edges were asked for and {nodes:,} nodes have {there:,} pairs",
            where=_WHERE,
            remedy="ask for fewer edges, or more nodes",
        )
    return Network.of_edges(nodes, _pair(_subset(there, edges, chance)))


def barabasi_albert(nodes: int, each: int, seed: int = 1) -> Network:
    """Return a network that grew: each new node chooses ``each`` others, hubs more often.

    A node is chosen in proportion to its neighbours so far; the first ``each`` + 1 nodes are all connected.
    So nobody has fewer than ``each`` neighbours, and the numbers of neighbours follow a power law with
    exponent 3. Node numbers tell age: hubs come first.

    >>> barabasi_albert(100, 2).edges
    197
    """
    chance = _chance(seed)
    _whole("neighbours of a new node", each, 1)
    if nodes <= each:
        raise BadInput(
            "there are no more nodes than neighbours of a new node", where=_WHERE, remedy="ask for more nodes"
        )
    from sfumato.graph._kernels_simulate import preferential

    edges = each * (each + 1) // 2 + (nodes - each - 1) * each
    ends = np.empty(2 * edges, np.int64)
    preferential(ends, each, _state(chance))
    return Network.of_edges(nodes, ends.reshape(-1, 2))


def watts_strogatz(nodes: int, near: int, rewired: float, seed: int = 1) -> Network:
    """Return a small world: a ring in which everybody knows the ``near`` nearest, with shortcuts.

    Each edge keeps one end and is led, with probability ``rewired``, to any node that is not connected with
    that end; where none is found it stays.

    >>> watts_strogatz(20, 4, 0.0).degrees().tolist() == [4] * 20
    True
    """
    chance = _chance(seed)
    if near < 2 or near % 2:
        raise BadInput("the nearest on a ring are an even number, at least 2", where=_WHERE, remedy="try 4")
    if nodes <= near:
        raise BadInput("there are no more nodes than nearest ones", where=_WHERE, remedy="ask for more nodes")
    if not 0 <= rewired <= 1:
        raise BadInput("a probability lies between 0 and 1", where=_WHERE)
    from sfumato.graph._kernels_pairs import table_for
    from sfumato.graph._kernels_simulate import small_world

    pairs = np.empty((nodes * near // 2, 2), np.int64)
    small_world(pairs, table_for(len(pairs)), nodes, float(rewired), _state(chance))
    return Network.of_edges(nodes, pairs)


def power_law(
    nodes: int, exponent: float = 2.5, *, least: int = 1, most: int | None = None, seed: int = 1
) -> Network:
    """Return a network whose numbers of neighbours follow a power law: Pr[d] ∝ d^(−exponent).

    They lie between ``least`` and ``most`` (√nodes unless given). Where their sum is odd, one node gets one
    neighbour more.

    >>> made = power_law(200, 2.0, least=2, most=20)
    >>> int(made.degrees().min()), bool(made.degrees().max() <= 20)
    (2, True)
    """
    chance = _chance(seed)
    top = max(least, math.isqrt(max(nodes, 0))) if most is None else most
    if not 0 < exponent < math.inf:
        raise BadInput("an exponent is greater than 0", where=_WHERE, remedy="try 2.5")
    if not 1 <= least <= top < nodes:
        raise BadInput(
            "the fewest neighbours are at least 1, the most no fewer than that and fewer than the nodes",
            where=_WHERE,
        )
    steps = np.arange(least, top + 1)
    likely = steps.astype(np.float64) ** -exponent
    degrees = chance.choice(steps, nodes, p=likely / likely.sum()).astype(np.int64)
    if degrees.sum() % 2:
        low = np.flatnonzero(degrees < top)
        if len(low):
            degrees[chance.choice(low)] += 1
        else:
            degrees[chance.integers(nodes)] -= 1
    return with_degrees(degrees, int(chance.integers(_SEEDS)))


def with_degrees(degrees: NDArray[np.int64], seed: int = 1) -> Network:
    """Return a network in which node v has ``degrees[v]`` neighbours, wired by chance.

    Ends of edges are paired by chance; where that makes a loop or a second edge, ends are exchanged with
    another edge by chance, and all is begun anew where that leads nowhere. All networks with these degrees
    can come out, though not all equally likely. Degrees near the number of nodes may leave no room to
    exchange: that is an error.

    >>> with_degrees(np.array([3, 1, 1, 1])).pairs().tolist()
    [[0, 1], [0, 2], [0, 3]]
    """
    chance = _chance(seed)
    wanted = np.asarray(degrees, np.int64)
    nodes = len(wanted)
    if (wanted < 0).any() or (wanted >= max(nodes, 1)).any() or wanted.sum() % 2:
        raise BadInput(
            "numbers of neighbours lie between 0 and one less than the nodes, and their sum is even",
            where=_WHERE,
        )
    from sfumato.graph._kernels_pairs import table_for
    from sfumato.graph._kernels_simulate import mended

    ends = np.repeat(np.arange(nodes, dtype=np.int64), wanted)
    for _ in range(_TRIES):
        pairs = chance.permutation(ends).reshape(-1, 2)
        if not mended(pairs, table_for(len(pairs)), nodes, _state(chance)):
            return Network.of_edges(nodes, pairs)
    raise BadInput(
        "no network with these numbers of neighbours was found",
        where=_WHERE,
        remedy="lower the greatest of them",
    )


@dataclass(frozen=True, eq=False)
class Planted:
    """A network with communities, and which node lies in which."""

    network: Network
    community: NDArray[np.int64] = field(repr=False)


def planted_communities(
    nodes: int, communities: int, *, inside: float = 8, between: float = 2, seed: int = 1
) -> Planted:
    """Return a network of communities of equal size (up to one node), which know each other better.

    A node has on average ``inside`` neighbours of its community and ``between`` of others; which ones is
    chance alone.

    >>> made = planted_communities(60, 3, inside=6, between=1)
    >>> made.network.edges, np.bincount(made.community).tolist()
    (210, [20, 20, 20])
    """
    chance = _chance(seed)
    _whole("communities", communities, 1)
    _whole("nodes", nodes, communities)
    community = np.sort(np.arange(nodes, dtype=np.int64) % communities)
    sizes = np.bincount(community, minlength=communities).astype(np.int64)
    first = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    rooms = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes * (sizes - 1) // 2)])
    across = nodes * (nodes - 1) // 2 - int(rooms[-1])
    wanted = [round(nodes * share / 2) if 0 <= share < math.inf else -1 for share in (inside, between)]
    if not (0 <= wanted[0] <= rooms[-1] and 0 <= wanted[1] <= across // 2):
        raise BadInput(
            "there are not so many pairs inside of communities, or twice as many between them",
            where=_WHERE,
            remedy="ask for fewer neighbours",
        )
    near = _subset(int(rooms[-1]), wanted[0], chance)
    home = np.searchsorted(rooms, near, "right") - 1
    pairs = _pair(near - rooms[home]) + first[home][:, None]
    found = np.empty(0, np.int64)
    while len(found) < wanted[1]:
        drawn = chance.integers(0, nodes, (wanted[1] - len(found), 2))
        drawn = drawn[community[drawn[:, 0]] != community[drawn[:, 1]]]
        found = _joined(found, drawn.min(axis=1) * nodes + drawn.max(axis=1))
    far = np.column_stack([found // nodes, found % nodes])
    return Planted(Network.of_edges(nodes, np.concatenate([pairs, far])), community)


@dataclass(frozen=True, eq=False)
class Copies:
    """Two networks that share people, and who is who. Nodes of both are numbered by chance."""

    one: Network
    other: Network
    same: NDArray[np.int64] = field(repr=False)
    """for each node of ``other`` the node of ``one`` that is the same person, −1 for nobody"""
    people_of_one: NDArray[np.int64] = field(repr=False)
    """for each node of ``one`` the node of the network that was copied"""
    people_of_other: NDArray[np.int64] = field(repr=False)
    """for each node of ``other`` the node of the network that was copied"""


def two_copies(
    network: Network,
    overlap: float = 0.8,
    seed: int = 1,
    *,
    nodes: float | None = None,
    edges: float | None = None,
) -> Copies:
    """Return two noisy parts of a network, which overlap as two services with common members do.

    *Overlap* is Jaccard's (Narayanan & Shmatikov 2009). Of nodes: the people are split by chance into those
    of the first copy alone, of both, and of the second alone, so that

        |V₁ ∩ V₂| / |V₁ ∪ V₂| = α,    |V₁ ∩ V₂| = round(α n),    the others halved.

    Of edges: each copy keeps each edge among its people with probability s, by itself, so that among the
    people of both an edge of either is in both with probability

        s² / (2s − s²) = s / (2 − s) = β,    s = 2β / (1 + β).

    ``overlap`` is both α and β unless ``nodes`` or ``edges`` say otherwise. People who lose their last edge
    stay, with no neighbours.

    >>> copies = two_copies(barabasi_albert(1000, 3), 0.8)
    >>> copies.one.nodes, copies.other.nodes, int((copies.same >= 0).sum())
    (900, 900, 800)
    """
    chance = _chance(seed)
    given = [overlap if share is None else share for share in (nodes, edges)]
    if not all(0 < share <= 1 for share in given):
        raise BadInput("an overlap is greater than 0 and at most 1", where="two copies", remedy="try 0.8")
    shares = [Fraction(str(share)) for share in given]
    order = chance.permutation(network.nodes)
    both = round(shares[0] * network.nodes)
    alone = (network.nodes - both) // 2
    kept = float(2 * shares[1] / (1 + shares[1]))
    pairs = network.pairs()
    made = []
    for people in (order[: both + alone], np.concatenate([order[:both], order[both + alone :]])):
        people = chance.permutation(people)
        number = np.full(network.nodes, -1, np.int64)
        number[people] = np.arange(len(people))
        among = number[pairs]
        among = among[(among >= 0).all(axis=1) & (chance.random(len(among)) < kept)]
        labels = None if network.labels is None else network.labels[people]
        made.append((Network.of_edges(len(people), among, labels, network.words), people, number))
    (one, who, number), (other, others, _) = made
    return Copies(one, other, number[others], who, others)


def _subset(there: int, wanted: int, chance: np.random.Generator) -> NDArray[np.int64]:
    """Draw a set of so many of {0, …, there − 1}, each set equally likely; ascending."""
    if 2 * wanted > there:
        left_out = _subset(there, there - wanted, chance)
        return np.delete(np.arange(there, dtype=np.int64), left_out)
    found = np.empty(0, np.int64)
    # Never more is drawn than is missing, so that nothing has to be thrown away by its size.
    while len(found) < wanted:
        found = _joined(found, chance.integers(0, there, wanted - len(found)))
    return found


def _joined(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what is in either, ascending; sorting is many times faster here than ``np.union1d``."""
    both = np.sort(np.concatenate([one, other]))
    return both[np.diff(both, prepend=-1) > 0]


def _pair(index: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the index-th pair of (1, 0), (2, 0), (2, 1), (3, 0), …: row r begins at r(r − 1)/2."""
    row = ((1 + np.sqrt(8.0 * index + 1)) / 2).astype(np.int64)
    # The root of a large number may be rounded across a row's beginning.
    row -= row * (row - 1) // 2 > index
    row += row * (row + 1) // 2 <= index
    return np.column_stack([row, index - row * (row - 1) // 2])


def _chance(seed: int) -> np.random.Generator:
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise BadInput("a seed is a whole number of at least 0", where=_WHERE)
    return np.random.default_rng(seed)


def _state(chance: np.random.Generator) -> NDArray[np.uint64]:
    return chance.integers(0, _SEEDS, 1).astype(np.uint64)


def _whole(name: str, number: int, least: int) -> None:
    if not isinstance(number, int | np.integer):
        raise BadInput(f"the {name} to simulate are a whole number", where=_WHERE)
    if number < least:
        raise BadInput(f"there are too few {name} to simulate", where=_WHERE, remedy="ask for more")
