"""The search for groups of k nodes or more that leave the fewest possible worlds.

Hay, Miklau, Jensen, Towsley and Weis (2008) anneal: a change of the groups that lowers log W is taken, one
that raises it by d with probability exp(−d / T), and T falls. Two facts make the search smaller:

- A group of 2k nodes or more may be split: each world of the finer groups is one of the coarser, so that
  W never grows. Groups of k to 2k − 1 nodes are therefore enough.
- Nodes that belong together are connected or have a neighbour in common: others are rarely looked at.

The budget is counted in neighbours looked at, not in seconds: a seed gives the same groups however busy the
machine.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import SILENT, Progress
from sfumato.graph.methods._kernels_grouping import UNUSED, Board, recount
from sfumato.graph.methods._kernels_grouping_search import anneal
from sfumato.graph.network import Network

I64 = NDArray[np.int64]
HOT, COLD = 4.0, 0.5
"""temperatures at the beginning and the end: how much log W may grow in a step that is taken now and then"""
WARM_FROM = 2_000
"""neighbours to look at for each edge from which it pays to begin hot; with fewer, a good start is kept"""
DIRECT = 2**22
"""pairs of groups up to which counts are addressed directly"""
LOGS = 2**16
"""numbers whose factorials are looked up"""
SMALL = 500
"""nodes up to which the best groups on the way are kept: in larger networks nearly every late step is best"""
PARTS = 50
"""how often progress is reported"""


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
    # More than twice the edges: a hub whose every edge needs a new slot still finds them.
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
        np.zeros((slots, 1 if direct else 2), np.int64),
        small,
        unused,
        figures,
        np.zeros(groups, np.int64),
        np.zeros(groups, np.int64),
        np.zeros(groups, np.int64),
        np.zeros(groups, np.int64),
        np.zeros((2 * k, 2), np.int64),
        np.random.default_rng(seed).integers(0, 2**64 - 1, 1, np.uint64),
        np.zeros(2),
        group.astype(np.int64) if n <= SMALL else np.empty(0, np.int64),
    )
    recount(board)
    return board


def searched(
    network: Network, group: I64, k: int, budget: int, seed: int, progress: Progress = SILENT
) -> tuple[I64, float]:
    """Improve groups by annealing; return the group of each node, and by how much log W grew.

    ``group`` must be numbered from 0 without gaps, with k to 2k − 1 nodes in each.
    """
    board = board_of(network, group, k, seed)
    share = budget / (WARM_FROM * max(network.edges, 1))
    hot = max(COLD, HOT * min(share, 1.0))
    for part in range(1, PARTS + 1):
        anneal(board, k, hot, COLD, budget, budget * part // PARTS)
        progress.update(part / PARTS)
    if len(board.best):
        return board.best, float(board.growth[1])
    return board.group, float(board.growth[0])
