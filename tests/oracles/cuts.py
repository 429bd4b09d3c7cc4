"""Cuts of a hierarchy, written down one by one, and what each of them loses. Shares nothing with the package.

A tree is nested mappings and lists; a node is the set of leaves under it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from tests.oracles.codes import Record, supports

Node = frozenset[str]


def node_of(tree: Any) -> Node:
    """Return all leaves of a tree."""
    if isinstance(tree, str):
        return frozenset([tree])
    parts = tree.values() if isinstance(tree, dict) else tree
    return frozenset(leaf for part in parts for leaf in node_of(part))


def nodes_of(tree: Any) -> Iterator[Node]:
    """Return all nodes of a tree."""
    yield node_of(tree)
    if not isinstance(tree, str):
        for part in tree.values() if isinstance(tree, dict) else tree:
            yield from nodes_of(part)


def cuts(tree: Any) -> Iterator[frozenset[Node]]:
    """Return all ways to cover each leaf by one node."""
    if isinstance(tree, str):
        yield frozenset([node_of(tree)])
        return
    parts = list(tree.values() if isinstance(tree, dict) else tree)
    seen: set[frozenset[Node]] = {frozenset([node_of(tree)])}
    for chosen in product(*(list(cuts(part)) for part in parts)):
        seen.add(frozenset(node for cut in chosen for node in cut))
    yield from seen


def recoded(records: Iterable[Iterable[str]], cut: frozenset[Node]) -> list[Record]:
    """Show every code as its node."""
    return [frozenset(node for node in cut if node & set(record)) for record in records]


def ncp(records: Iterable[Iterable[str]], cut: frozenset[Node]) -> Fraction:
    """Mean over occurrences of the share of leaves under the shown node, 0 for a code as it is."""
    total = sum(len(node) for node in cut)
    costs = [
        Fraction(len(node), total) if len(node) > 1 else Fraction(0)
        for record in records
        for code in set(record)
        for node in cut
        if code in node
    ]
    return sum(costs, Fraction(0)) / len(costs) if costs else Fraction(0)


def is_km(records: list[Record], k: int, m: int | None) -> bool:
    """Say whether every itemset of at most m items that occurs has k records."""
    return all(number >= k for number in supports(records, m).values())


def best_ncp(records: list[set[str]], tree: Any, k: int, m: int | None) -> Fraction | None:
    """Return the least loss of all cuts that are k^m-anonymous, None when there is none."""
    good = [ncp(records, cut) for cut in cuts(tree) if is_km(recoded(records, cut), k, m)]
    return min(good, default=None)
