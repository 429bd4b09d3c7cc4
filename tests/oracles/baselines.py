"""Datafly and the minimal nodes of a lattice, by hand."""

from __future__ import annotations

from tests.oracles.lattice import Table, look, look_everywhere


def datafly(table: Table, k: int, limit: int) -> tuple[int, ...] | None:
    """Climb in the column with most values until few records stand out; None when it cannot be."""
    levels = [0] * len(table.heights)
    while True:
        node = look(table, tuple(levels), k)
        if len(node.suppressed) <= limit:
            return tuple(levels)
        distinct = [len({row[j] for row in node.generalised}) for j in range(len(levels))]
        climbing = [j for j, height in enumerate(table.heights) if levels[j] < height]
        if not climbing:
            return None
        levels[max(climbing, key=lambda j: (distinct[j], -j))] += 1


def anonymous_nodes(table: Table, k: int, limit: int) -> set[tuple[int, ...]]:
    """All nodes that leave at most so many records in small classes."""
    return {node.levels for node in look_everywhere(table, k) if len(node.suppressed) <= limit}


def minimal_nodes(table: Table, k: int, limit: int) -> set[tuple[int, ...]]:
    """Those with no other such node below."""
    allowed = anonymous_nodes(table, k, limit)
    return {
        x
        for x in allowed
        if not any(y != x and all(b <= a for a, b in zip(x, y, strict=True)) for y in allowed)
    }
