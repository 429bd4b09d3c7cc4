"""Planting: fake accounts that will find themselves again in the published network.

L. Backstrom, C. Dwork and J. Kleinberg, "Wherefore art thou R3579X? Anonymized social networks, hidden
patterns, and structural steganography", WWW, 2007: the walk-based attack.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.graph.attacks.active_search import search
from sfumato.graph.network import Network

MOST_ACCOUNTS = 62
"""sets of accounts are kept as bits of one number"""
_WHERE = "active"
_TRIES = 100


@dataclass(frozen=True, eq=False)
class Planted:
    """A network with fake accounts in it, and what the adversary remembers of them."""

    network: Network
    """the network with the accounts, which have the last numbers"""
    accounts: NDArray[np.int64] = field(repr=False)
    """the node of each account, in the order of the path"""
    inside: NDArray[np.bool_] = field(repr=False)
    """which accounts are connected"""
    degree: NDArray[np.int64] = field(repr=False)
    """how many neighbours each account has"""
    targets: NDArray[np.int64] = field(repr=False)
    """the node of each target"""
    contacts: NDArray[np.int64] = field(repr=False)
    """for each target the accounts that befriended it, as bits"""


def accounts_needed(nodes: int, delta: float = 0.1) -> int:
    """Return ⌈(2 + δ) log₂ n⌉: with so many accounts no other place looks like theirs, with high probability.

    >>> accounts_needed(1_000_000), accounts_needed(4039)
    (42, 26)
    """
    return max(2, math.ceil((2 + delta) * math.log2(max(nodes, 2))))


def plant(
    network: Network,
    accounts: int | None = None,
    *,
    targets: NDArray[np.int64],
    contacts: int = 3,
    outside: tuple[int, int] = (10, 20),
    seed: int = 0,
) -> Planted:
    """Create accounts x₁ … x_k, befriend targets through distinct sets of accounts, and return what is known.

    Accounts x_i and x_{i+1} are connected, all other pairs with probability 1/2. Each target is connected to
    a set of ``contacts`` accounts that no other target and no bystander has. Each account has edges to a
    number of people drawn from ``outside`` (both ends included), or to its targets where these are more.
    Accounts and edges are drawn again until no other order of the accounts has the same degrees and edges:
    whoever finds them then knows which is which. ``contacts=1`` and ``outside=(0, 0)`` with as many targets
    as accounts is the simple form: one edge from each account to a target of its own.

    ``accounts`` unless given are ⌈(2 + δ) log₂ n⌉, see ``accounts_needed``; ``targets`` are node numbers.

    >>> from sfumato.graph.simulate import barabasi_albert
    >>> planted = plant(barabasi_albert(500, 4), 7, targets=np.array([3, 50, 200]))
    >>> planted.network.nodes, len(planted.accounts), len(set(planted.contacts.tolist()))
    (507, 7, 3)
    """
    many = accounts_needed(network.nodes) if accounts is None else accounts
    chosen = np.asarray(targets, np.int64)
    _check(network, many, chosen, contacts, outside)
    chance = np.random.default_rng(seed)
    for _ in range(_TRIES):
        inside = chance.random((many, many)) < 0.5
        inside = np.triu(inside, 1)
        inside[np.arange(many - 1), np.arange(1, many)] = True
        inside |= inside.T
        sets = _distinct_sets(many, contacts, len(chosen), chance)
        edges = _outside_edges(network.nodes, chosen, sets, many, outside, chance)
        contact = _as_bits(sets)
        if _shares_a_set(edges, chosen, contact):
            continue
        degree = inside.sum(axis=1) + np.bincount(edges[:, 0], minlength=many)
        if not _one_order(inside, degree):
            continue
        first = network.nodes
        one, other = np.nonzero(np.triu(inside))
        new = np.concatenate(
            [np.column_stack([one, other]) + first, np.column_stack([edges[:, 0] + first, edges[:, 1]])]
        )
        labels = network.labels
        if labels is not None:
            # Accounts say of themselves what somebody says who is there already.
            labels = np.concatenate([labels, chance.choice(labels, many)])
        joined = Network.of_edges(first + many, np.concatenate([network.pairs(), new]), labels, network.words)
        return Planted(joined, np.arange(first, first + many), inside, degree, chosen, contact)
    raise BadInput(
        f"after {_TRIES} tries the accounts could still be taken for each other",
        where=_WHERE,
        remedy="take more accounts, or more people whom each befriends",
    )


def _check(
    network: Network, many: int, targets: NDArray[np.int64], contacts: int, outside: tuple[int, int]
) -> None:
    low, high = outside
    if not 2 <= many <= MOST_ACCOUNTS:
        raise BadInput(f"there are from 2 to {MOST_ACCOUNTS} accounts", where=f"{_WHERE}, accounts")
    if not 1 <= contacts <= many:
        raise BadInput("a target has from 1 to all accounts as contacts", where=f"{_WHERE}, contacts")
    if not 0 <= low <= high:
        raise BadInput("these are two whole numbers from 0, the smaller first", where=f"{_WHERE}, outside")
    if contacts == 1 and high > 1:
        raise BadInput(
            "a target with one contact cannot be told from others whom that account befriends",
            where=f"{_WHERE}, contacts",
            remedy="take 2 or more, or no others: outside = (0, 0)",
        )
    if not len(targets):
        raise BadInput("there is nobody to attack", where=_WHERE, remedy="give targets")
    if targets.min() < 0 or targets.max() >= network.nodes or len(np.unique(targets)) != len(targets):
        raise BadInput("targets are different nodes of the network", where=f"{_WHERE}, targets")
    if len(targets) > math.comb(many, contacts):
        raise BadInput(
            f"{many} accounts have fewer sets of {contacts} than there are targets ({len(targets):,})",
            where=_WHERE,
            remedy="take more accounts or fewer targets",
        )
    if high > network.nodes - len(targets):
        raise BadInput(
            "there are not so many people whom an account could befriend",
            where=f"{_WHERE}, outside",
            remedy=f"the network has {network.nodes:,} nodes",
        )


def _distinct_sets(
    accounts: int, size: int, wanted: int, chance: np.random.Generator
) -> list[tuple[int, ...]]:
    """Draw different sets of accounts."""
    if 2 * wanted > math.comb(accounts, size):
        from itertools import combinations

        every = list(combinations(range(accounts), size))
        return [every[at] for at in chance.permutation(len(every))[:wanted]]
    found: dict[tuple[int, ...], None] = {}
    while len(found) < wanted:
        found[tuple(sorted(chance.choice(accounts, size, replace=False).tolist()))] = None
    return list(found)


def _outside_edges(
    nodes: int,
    targets: NDArray[np.int64],
    sets: list[tuple[int, ...]],
    accounts: int,
    outside: tuple[int, int],
    chance: np.random.Generator,
) -> NDArray[np.int64]:
    """Return pairs (account, node): the targets' contacts, and bystanders up to a number drawn for each."""
    edges = [(account, node) for node, some in zip(targets.tolist(), sets, strict=True) for account in some]
    load = np.bincount([account for account, _ in edges], minlength=accounts)
    wanted = chance.integers(outside[0], outside[1] + 1, accounts)
    taken = set(targets.tolist())
    for account in range(accounts):
        friends: set[int] = set()
        while len(friends) < wanted[account] - load[account]:
            node = int(chance.integers(nodes))
            if node not in taken:
                friends.add(node)
        edges += [(account, node) for node in sorted(friends)]
    return np.array(edges, np.int64)


def _as_bits(sets: list[tuple[int, ...]]) -> NDArray[np.int64]:
    return np.array([sum(1 << account for account in some) for some in sets], np.int64)


def _shares_a_set(edges: NDArray[np.int64], targets: NDArray[np.int64], contacts: NDArray[np.int64]) -> bool:
    """Say whether a bystander is connected to exactly the accounts of a target."""
    people, which = np.unique(edges[:, 1], return_inverse=True)
    bits = np.zeros(len(people), np.int64)
    np.bitwise_or.at(bits, which, np.int64(1) << edges[:, 0])
    return bool(np.isin(bits[~np.isin(people, targets)], contacts).any())


def _one_order(inside: NDArray[np.bool_], degree: NDArray[np.int64]) -> bool:
    """Say whether only the identity keeps degrees and edges of the accounts."""
    pairs = np.column_stack(np.nonzero(np.triu(inside)))
    alone = Network.of_edges(len(degree), pairs)
    looked = search(alone, degree, inside, degree)
    return looked.places == 1 and not looked.cut
