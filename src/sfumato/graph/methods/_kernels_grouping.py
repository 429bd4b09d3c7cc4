"""Groups of nodes on a board: counts of edges within and between them, and what a change does to log W.

Of the counts only those above 0 are kept: log C(pairs, 0) is 0. They stand in a table by the pair of groups:
addressed directly where all pairs fit, else hashed (open addressing; counts back at 0 keep their place until
the table is made anew).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

I64 = NDArray[np.int64]
TAKEN, UNUSED, LOOKED, LOGGED = 0, 1, 2, 3


class Board(NamedTuple):
    """A network, the groups of its nodes, and what a search writes on."""

    offsets: I64
    neighbours: NDArray[np.int32]
    group: I64
    place: I64
    """where a node stands in its group"""
    members: I64
    """group × place"""
    size: I64
    table: I64
    """by slot a pair of groups (−1: none) and its edges; only the edges where slots are addressed directly"""
    logs: NDArray[np.float64]
    """log i! for small i"""
    unused: I64
    """a stack of numbers that no group has"""
    figures: I64
    """slots taken, numbers unused, neighbours looked at, moves logged"""
    row: I64
    other: I64
    mine: I64
    """counts by group, 0 between uses"""
    touched: I64
    log: I64
    """moves so far: a node, the group that it left"""
    chance: NDArray[np.uint64]
    growth: NDArray[np.float64]
    """by how much log W has grown, and its least so far"""
    best: I64
    """the group of each node when log W was least; empty where that is not kept"""


@kernel
def log_choose(logs: NDArray[np.float64], pairs: int, edges: int) -> Any:
    """Return log C(pairs, edges)."""
    if edges <= 0 or edges >= pairs:
        return 0.0
    if pairs < len(logs):
        return logs[pairs] - logs[edges] - logs[pairs - edges]
    return math.lgamma(pairs + 1.0) - math.lgamma(edges + 1.0) - math.lgamma(pairs - edges + 1.0)


@kernel
def _slot(board: Board, one: int, other: int) -> Any:
    """Return where the count of a pair of groups stands, or would stand."""
    if one > other:
        one, other = other, one
    key = one * len(board.size) + other
    if board.table.shape[1] == 1:
        return key
    last = len(board.table) - 1
    mixed = (np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)
    slot = np.int64(mixed) & last
    while board.table[slot, 0] != key and board.table[slot, 0] >= 0:
        slot = (slot + 1) & last
    return slot


@kernel
def count_of(board: Board, one: int, other: int) -> Any:
    """Return the number of edges between two groups, or within one."""
    slot = _slot(board, one, other)
    return board.table[slot, board.table.shape[1] - 1]


@kernel
def _add(board: Board, one: int, other: int, edges: int) -> None:
    slot = _slot(board, one, other)
    hashed = board.table.shape[1] == 2
    if hashed and board.table[slot, 0] < 0:
        board.table[slot, 0] = min(one, other) * len(board.size) + max(one, other)
        board.figures[TAKEN] += 1
    board.table[slot, board.table.shape[1] - 1] += edges


@kernel
def recount(board: Board) -> None:
    """Count all edges anew."""
    board.table[:, 0] = -1
    board.table[:, board.table.shape[1] - 1] = 0
    board.figures[TAKEN] = 0
    for node in range(len(board.group)):
        for at in range(board.offsets[node], board.offsets[node + 1]):
            other = board.neighbours[at]
            if node < other:
                _add(board, board.group[node], board.group[other], 1)


@kernel
def relocate(board: Board, node: int, to: int) -> None:
    """Move a node, with its edges, to another group."""
    # Each of its edges may need a new slot, and a table without an empty one would be searched for ever.
    needed = board.figures[TAKEN] + board.offsets[node + 1] - board.offsets[node]
    if board.table.shape[1] == 2 and 4 * needed > 3 * len(board.table):
        recount(board)
    origin = board.group[node]
    for at in range(board.offsets[node], board.offsets[node + 1]):
        near = board.group[board.neighbours[at]]
        _add(board, origin, near, -1)
        _add(board, to, near, 1)
    hole = board.place[node]
    board.size[origin] -= 1
    last = board.members[origin, board.size[origin]]
    board.members[origin, hole] = last
    board.place[last] = hole
    board.members[to, board.size[to]] = node
    board.place[node] = board.size[to]
    board.size[to] += 1
    board.group[node] = to


@kernel
def swap_change(board: Board, one: int, other: int) -> Any:
    """Return by how much log W grows when two nodes of different groups change places.

    Sizes stay, so that only groups where either has neighbours matter. The edges among the two groups
    together stay as well: what they gain inside they lose between them.
    """
    a, b = board.group[one], board.group[other]
    row, mine, size, logs = board.row, board.mine, board.size, board.logs
    touched, adjacent = 0, 0
    for at in range(board.offsets[one], board.offsets[one + 1]):
        node = board.neighbours[at]
        if node == other:
            adjacent = 1
        near = board.group[node]
        if row[near] == 0:
            board.touched[touched] = near
            touched += 1
        row[near] += 1
    for at in range(board.offsets[other], board.offsets[other + 1]):
        near = board.group[board.neighbours[at]]
        if row[near] == 0 and mine[near] == 0:
            board.touched[touched] = near
            touched += 1
        mine[near] += 1
    change = 0.0
    for at in range(touched):
        near = board.touched[at]
        shift = mine[near] - row[near]
        if shift != 0 and near != a and near != b:
            before = count_of(board, a, near)
            pairs = size[a] * size[near]
            change += log_choose(logs, pairs, before + shift) - log_choose(logs, pairs, before)
            before = count_of(board, b, near)
            pairs = size[b] * size[near]
            change += log_choose(logs, pairs, before - shift) - log_choose(logs, pairs, before)
    inside_a, inside_b = mine[a] - row[a] - adjacent, row[b] - mine[b] - adjacent
    for at in range(touched):
        row[board.touched[at]] = 0
        mine[board.touched[at]] = 0
    pairs = size[a] * (size[a] - 1) // 2
    before = count_of(board, a, a)
    change += log_choose(logs, pairs, before + inside_a) - log_choose(logs, pairs, before)
    pairs = size[b] * (size[b] - 1) // 2
    before = count_of(board, b, b)
    change += log_choose(logs, pairs, before + inside_b) - log_choose(logs, pairs, before)
    before = count_of(board, a, b)
    pairs = size[a] * size[b]
    change += log_choose(logs, pairs, before - inside_a - inside_b) - log_choose(logs, pairs, before)
    board.figures[LOOKED] += (
        board.offsets[one + 1] - board.offsets[one] + board.offsets[other + 1] - board.offsets[other] + 4
    )
    return change


@kernel
def _tally(board: Board, node: int, tally: I64, touched: int) -> Any:
    """Count the neighbours of a node by group; return how many groups were seen so far."""
    for at in range(board.offsets[node], board.offsets[node + 1]):
        near = board.group[board.neighbours[at]]
        if board.row[near] == 0 and board.other[near] == 0 and board.mine[near] == 0:
            board.touched[touched] = near
            touched += 1
        tally[near] += 1
    board.figures[LOOKED] += board.offsets[node + 1] - board.offsets[node] + 1
    return touched


@kernel
def move_change(board: Board, node: int, to: int) -> Any:
    """Return by how much log W grows when a node moves to another group, which may be empty.

    Sizes change, so that every group linked to either matters.
    """
    a, b = board.group[node], to
    row, other, mine, size, logs = board.row, board.other, board.mine, board.size, board.logs
    touched = _tally(board, node, mine, 0)
    for at in range(size[a]):
        touched = _tally(board, board.members[a, at], row, touched)
    for at in range(size[b]):
        touched = _tally(board, board.members[b, at], other, touched)
    change = 0.0
    for at in range(touched):
        near = board.touched[at]
        if near != a and near != b:
            change += log_choose(logs, (size[a] - 1) * size[near], row[near] - mine[near])
            change -= log_choose(logs, size[a] * size[near], row[near])
            change += log_choose(logs, (size[b] + 1) * size[near], other[near] + mine[near])
            change -= log_choose(logs, size[b] * size[near], other[near])
    # Edges inside a group were seen from both their ends.
    change += log_choose(logs, (size[a] - 1) * (size[a] - 2) // 2, row[a] // 2 - mine[a])
    change -= log_choose(logs, size[a] * (size[a] - 1) // 2, row[a] // 2)
    change += log_choose(logs, (size[b] + 1) * size[b] // 2, other[b] // 2 + mine[b])
    change -= log_choose(logs, size[b] * (size[b] - 1) // 2, other[b] // 2)
    change += log_choose(logs, (size[a] - 1) * (size[b] + 1), row[b] - mine[b] + mine[a])
    change -= log_choose(logs, size[a] * size[b], row[b])
    for at in range(touched):
        near = board.touched[at]
        row[near], other[near], mine[near] = 0, 0, 0
    return change
