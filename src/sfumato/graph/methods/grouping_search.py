"""The search for groups of k nodes or more that leave the fewest possible worlds.

Hay, Miklau, Jensen, Towsley and Weis (2008) anneal: a change of the groups that lowers log W is taken, one
that raises it by d with probability exp(−d / T), and T falls. Two facts make the search smaller:

- A group of 2k nodes or more may be split: each world of the finer groups is one of the coarser, so that
  W never grows. Groups of k to 2k − 1 nodes are therefore enough.
- Nodes that belong together are connected or have a neighbour in common: others are rarely looked at.

The budget is counted in neighbours looked at, not in seconds: a seed gives the same groups everywhere.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import SILENT, Progress
from sfumato.graph.methods._kernels_grouping import LOOKED, UNUSED, Board, recount
from sfumato.graph.methods._kernels_grouping_search import anneal
from sfumato.graph.network import Network

I64 = NDArray[np.int64]
HOT, COLD = 2.0, 0.1
"""temperatures: how much log W may grow in a step that is taken now and then"""
DIRECT = 2**22
"""pairs of groups up to which counts are addressed directly"""
LOGS = 2**16
PARTS = 50


def board_of(network: Network, group: I64, k: int, seed: int) -> Board:
    """Set up groups of k to 2k − 1 nodes, numbered from 0, for a search."""
    n = network.nodes
    used = int(group.max()) + 1
    groups = n // k
    size = np.zeros(groups, np.int64)
    size[:used] = np.bincount(group, minlength=used)
    order = np.argsort(group, kind="stable")
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(size)])
    place = np.empty(n, np.int64)
    place[order] = np.arange(n) - starts[group[order]]
    members = np.full((groups, 2 * k), -1, np.int64)
    members[group, place] = np.arange(n)
    direct = groups * groups <= DIRECT
    slots = groups * groups if direct else 1 << int(2 * network.edges + 2).bit_length()
    small = np.concatenate([np.zeros(1), np.cumsum(np.log(np.arange(1, min(4 * k * k, LOGS) + 1)))])
    unused = np.zeros(groups, np.int64)
    unused[: groups - used] = np.arange(used, groups)
    figures = np.zeros(4, np.int64)
    figures[UNUSED] = groups - used
    board = Board(
        network.offsets,
        network.neighbours,
        group.astype(np.int64),
        place,
        members,
        size,
        np.full(0 if direct else slots, -1, np.int64),
        np.zeros(slots, np.int64),
        small,
        unused,
        figures,
        np.zeros(groups, np.int64),
        np.zeros(groups, np.int64),
        np.zeros(groups, np.int64),
        np.zeros(groups, np.int64),
        np.zeros((2 * k, 2), np.int64),
        np.random.SeedSequence(seed).generate_state(1, np.uint64),
    )
    recount(board)
    return board


def searched(
    network: Network, group: I64, k: int, budget: int, seed: int, progress: Progress = SILENT
) -> tuple[I64, float]:
    """Improve groups by annealing; return the group of each node, and by how much log W grew (below 0)."""
    board = board_of(network, group, k, seed)
    total = 0.0
    for part in range(1, PARTS + 1):
        total += anneal(board, np.int64(k), HOT, COLD, np.int64(budget), np.int64(budget * part // PARTS))
        progress.update(part / PARTS)
    assert board.figures[LOOKED] >= budget
    return board.group, total
