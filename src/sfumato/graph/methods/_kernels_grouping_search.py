"""Simulated annealing over groups of nodes: swap two nodes, move one, found a group, dissolve one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sfumato.core.jit import kernel
from sfumato.graph.methods._kernels_grouping import (
    LOGGED,
    LOOKED,
    UNUSED,
    Board,
    move_change,
    relocate,
    swap_change,
)

ANYWHERE = 32
"""one in so many steps looks at any node instead of one nearby"""
REGROUP = 64
"""one in so many steps founds or dissolves a group"""
HOSTS = 4
"""groups that a node of a dissolved group may choose among"""
ROUNDING = 1e-9
"""less than this is no gain"""


@kernel
def _uniform(board: Board) -> Any:
    """Draw from [0, 1): splitmix64 (Steele, Lea and Flood 2014)."""
    board.chance[0] += np.uint64(0x9E3779B97F4A7C15)
    word = board.chance[0]
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    word = word ^ (word >> np.uint64(31))
    return np.float64(word >> np.uint64(11)) * 2.0**-53


@kernel
def _below(board: Board, most: int) -> Any:
    return np.int64(_uniform(board) * most)


@kernel
def _neighbour(board: Board, node: int) -> Any:
    first = board.offsets[node]
    return np.int64(board.neighbours[first + _below(board, board.offsets[node + 1] - first)])


@kernel
def _nearby(board: Board, node: int) -> Any:
    """Draw a node that may be like this one: a neighbour, or the neighbour of a neighbour."""
    board.figures[LOOKED] += 2
    if board.offsets[node] == board.offsets[node + 1] or _below(board, ANYWHERE) == 0:
        return _below(board, len(board.group))
    between = _neighbour(board, node)
    if _below(board, 4) == 0:
        return between
    return _neighbour(board, between)


@kernel
def _accepted(board: Board, change: float, temperature: float) -> Any:
    if change <= 0.0:
        return True
    return temperature > 0.0 and _uniform(board) < math.exp(-change / temperature)


@kernel
def _logged_move(board: Board, node: int, to: int) -> Any:
    change = move_change(board, node, to)
    at = board.figures[LOGGED]
    board.log[at, 0] = node
    board.log[at, 1] = board.group[node]
    board.figures[LOGGED] = at + 1
    relocate(board, node, to)
    return change


@kernel
def _undo(board: Board) -> None:
    for back in range(board.figures[LOGGED]):
        at = board.figures[LOGGED] - 1 - back
        relocate(board, board.log[at, 0], board.log[at, 1])


@kernel
def _dissolve(board: Board, k: int, emptied: int, temperature: float) -> Any:
    """Move all nodes of a group to groups nearby that have room; return by how much log W grew."""
    board.figures[LOGGED] = 0
    total = 0.0
    while board.size[emptied] > 0:
        node = board.members[emptied, board.size[emptied] - 1]
        best, least = -1, math.inf
        for _ in range(HOSTS):
            to = board.group[_nearby(board, node)]
            if to != emptied and board.size[to] < 2 * k - 1:
                change = move_change(board, node, to)
                if change < least:
                    best, least = to, change
        if best < 0:
            _undo(board)
            return 0.0
        total += _logged_move(board, node, best)
    if not _accepted(board, total, temperature):
        _undo(board)
        return 0.0
    board.unused[board.figures[UNUSED]] = emptied
    board.figures[UNUSED] += 1
    return total


@kernel
def _found(board: Board, k: int, first: int, temperature: float) -> Any:
    """Gather k nodes near one from groups that can spare them; return by how much log W grew."""
    fresh = board.unused[board.figures[UNUSED] - 1]
    board.figures[LOGGED] = 0
    total, node = 0.0, first
    for _ in range(8 * k):
        origin = board.group[node]
        if origin != fresh and board.size[origin] > k:
            total += _logged_move(board, node, fresh)
            if board.size[fresh] == k:
                break
        node = _nearby(board, first)
    if board.size[fresh] < k or not _accepted(board, total, temperature):
        _undo(board)
        return 0.0
    board.figures[UNUSED] -= 1
    return total


@kernel
def _step(board: Board, k: int, temperature: float) -> Any:
    """Try one change; return by how much log W grew."""
    board.figures[LOOKED] += 1
    node = _below(board, len(board.group))
    origin = board.group[node]
    if _below(board, REGROUP) == 0:
        if _below(board, 2) == 0:
            return _dissolve(board, k, origin, temperature) if board.size[origin] == k else 0.0
        if board.figures[UNUSED] > 0 and board.size[origin] > k:
            return _found(board, k, node, temperature)
        return 0.0
    to = board.group[_nearby(board, node)]
    if to == origin:
        return 0.0
    if board.size[origin] > k and board.size[to] < 2 * k - 1 and _below(board, 2) == 0:
        change = move_change(board, node, to)
        if not _accepted(board, change, temperature):
            return 0.0
        relocate(board, node, to)
        return change
    other = board.members[to, _below(board, board.size[to])]
    change = swap_change(board, node, other)
    if not _accepted(board, change, temperature):
        return 0.0
    relocate(board, node, to)
    relocate(board, other, origin)
    return change


@kernel
def anneal(board: Board, k: int, hot: float, cold: float, budget: int, until: int) -> None:
    """Search until so many neighbours were looked at.

    The temperature falls from ``hot`` to ``cold`` over the budget, and is 0 in its last twentieth.
    """
    while board.figures[LOOKED] < until:
        done = board.figures[LOOKED] / (0.95 * budget)
        temperature = hot * (cold / hot) ** done if done < 1.0 else 0.0
        board.growth[0] += _step(board, k, temperature)
        if len(board.best) and board.growth[0] < board.growth[1] - ROUNDING:
            board.growth[1] = board.growth[0]
            board.best[:] = board.group
