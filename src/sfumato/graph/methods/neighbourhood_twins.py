"""Twins: nodes that are connected to the same others, and so have the same neighbourhood.

Where N(u) ∖ {v} = N(v) ∖ {u}, exchanging u and v maps the network to itself, and so the neighbourhood of the
one to that of the other: no search for an isomorphism is needed. If the nodes are split into groups of k or
more, and all of two groups are connected as soon as two of them are (and all inside a group as soon as two
are), everybody has k − 1 twins. That always works, and it is the bound on what any other way may cost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from sfumato.graph.methods.neighbourhood_growing import Growing, Pair
from sfumato.graph.methods.neighbourhood_words import Words
from sfumato.graph.network import Network

Change = tuple[list[Pair], list[Pair]]
"""edges to add, and new labels as (node, label)"""


def made_twins(growing: Growing, members: Sequence[int], words: Words) -> Change | None:
    """Return what makes some nodes twins; None where their labels have nothing in common."""
    group = set(members)
    around = set[int]().union(*(growing.near[one] for one in members)) - group
    inside = any(not group.isdisjoint(growing.near[one]) for one in members)
    pairs = [(one, other) for one in members for other in sorted(around - growing.near[one])]
    if inside:
        pairs += [
            (one, other)
            for at, one in enumerate(members)
            for other in members[:at]
            if other not in growing.near[one]
        ]
    labels = words.shared(growing.labels, members)
    return None if labels is None else (pairs, labels)


def twins_of(growing: Growing, node: int) -> list[int]:
    """Return the twins of a node, itself first."""
    near = growing.near[node]
    found = [node]
    for other in sorted(growing.classes[growing.key[node]]):
        if other != node and near - {other} == growing.near[other] - {node}:
            found.append(other)
    return found


def closest(growing: Growing, node: int, most: int) -> list[int]:
    """Return the nodes that need the fewest edges to become twins of a node."""
    near = growing.near[node]
    common = Counter[int]()
    for other in near:
        common.update(growing.near[other])
        common[other] += 0
    del common[node]
    far = {
        other: len(near) + len(growing.near[other]) - 2 * shared - 2 * (other in near)
        for other, shared in common.items()
    }
    return sorted(far, key=lambda other: (far[other], other))[:most]


def all_twins(network: Network, words: Words, k: int) -> tuple[Change, list[list[int]]] | None:
    """Return what gives everybody k − 1 twins, at a cost that is bounded beforehand; None for lack of labels.

    The groups come with it. They are made greedily: who has most neighbours first, with the k − 1 free
    nodes closest to it. The rest of fewer than k joins the last group.
    """
    near = [set(network.neighbours_of(node).tolist()) for node in range(network.nodes)]
    order = np.lexsort((np.arange(network.nodes), -network.degrees()))
    groups: list[list[int]] = []
    for pool in words.pools():
        if len(pool) < k:
            return None
        groups += grouped(near, [one for one in order.tolist() if one in pool], k)
    number = np.empty(network.nodes, np.int64)
    for at, group in enumerate(groups):
        number[group] = at
    ends = np.sort(number[network.pairs()], axis=1)
    pairs: list[Pair] = []
    for one, other in np.unique(ends, axis=0).tolist():
        for at, a in enumerate(groups[one]):
            others = groups[other] if one != other else groups[one][:at]
            pairs += [(a, b) for b in others if b not in near[a]]
    changed: list[Pair] = []
    for group in groups:
        shared = words.shared(words.labels, group)
        if shared is None:
            return None
        changed += shared
    return (pairs, changed), groups


def grouped(near: list[set[int]], order: list[int], k: int) -> list[list[int]]:
    """Split some nodes into groups of k or more."""
    free = dict.fromkeys(order)
    groups: list[list[int]] = []
    while len(free) >= k:
        first = next(iter(free))
        del free[first]
        common = Counter[int]()
        for other in near[first]:
            common.update(near[other])
            common[other] += 1
        ranked = sorted(
            (one for one in common if one in free),
            key=lambda one: (len(near[one]) - 2 * common[one], one),
        )
        group = [first, *ranked[: k - 1]]
        for one in group[1:]:
            del free[one]
        # Nobody near is free: whoever has about as many neighbours is next in the order.
        while len(group) < k:
            one = next(iter(free))
            del free[one]
            group.append(one)
        groups.append(group)
    groups[-1] += free
    return groups
