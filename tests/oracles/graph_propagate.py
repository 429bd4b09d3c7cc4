"""Seed-and-propagate with sets and dictionaries, pair by pair."""

from __future__ import annotations

import math
from collections.abc import Sequence

Near = Sequence[set[int]]


def likeness(one: Near, other: Near, mate: dict[int, int], u: int, v: int) -> tuple[int, int]:
    """Return how alike two nodes are, in 2¹⁸ths, and their common neighbours as far as these are known."""
    known = {node for node in one[u] if node in mate}
    known_there = {node for node in other[v] if node in mate.values()}
    common = len({mate[node] for node in known} & other[v])
    if not common:
        return 0, 0
    cosine = common / math.sqrt(len(known) * len(known_there))
    degrees = sorted((len(one[u]), len(other[v])))
    return int(cosine * (degrees[0] / degrees[1]) * 2**18), common


def stands_out(values: list[int], threshold: float) -> bool:
    """Say whether the first is far enough from the second, in standard deviations."""
    ranked = sorted([*values, 0], reverse=True)
    mean = sum(ranked) / len(ranked)
    spread = math.sqrt(max(sum(value * value for value in ranked) / len(ranked) - mean * mean, 0.0))
    gap = ranked[0] - ranked[1]
    return gap > 0 and gap >= threshold * spread


def one_round(one: Near, other: Near, mate: dict[int, int], threshold: float, least: int) -> dict[int, int]:
    """Return all pairs that are each other's best and stand out."""
    alike = {
        (u, v): found
        for u in range(len(one))
        for v in range(len(other))
        if (found := likeness(one, other, mate, u, v))[1]
    }
    pairs = {}
    for (u, v), (value, common) in alike.items():
        row = [found[0] for (a, _), found in alike.items() if a == u]
        column = [found[0] for (_, b), found in alike.items() if b == v]
        best = value == max(row) == max(column) and common >= least
        if best and stands_out(row, threshold) and stands_out(column, threshold):
            pairs[u] = v
    return pairs
