"""Move single cells between clusters while the loss falls.

Greedy clusterings leave something on the table: which columns a cluster opens is decided by its first
few cells. A cell x moves from cluster A to B when

    |A| · w(A) + |B| · w(B)  >  |A∖x| · w(A∖x) + |B∪x| · w(B∪x),

w the certainty penalties summed over the columns, and k persons stay in A; or all cells of A move, when
that lowers the loss in all. Clusters that have grown to 2k persons are parted in two. The loss falls
with every step, so this ends.
"""

from __future__ import annotations

import numpy as np

from sfumato.core.progress import SILENT, Progress
from sfumato.table.methods.clustering._kernels_clusters import exchange_cells
from sfumato.table.methods.clustering.settle import halved, has_persons
from sfumato.table.methods.clustering.space import Partition, Space

_WORTH = 1e-3
"""a round that lowers the loss by a smaller share is the last"""


def exchange(
    space: Space, partition: Partition, k: int, rounds: int, progress: Progress = SILENT
) -> Partition:
    """Move cells for some rounds at most; every cluster has k persons before and afterwards."""
    for done in range(rounds):
        progress.update(done / rounds)
        clusters = space.clusters(partition)
        hulls = space.hulls(clusters, np.ones(len(partition), np.bool_))
        members = space.members(partition)
        loss = clusters.rows * clusters.width
        turn = np.argsort(-loss, kind="stable")
        won = exchange_cells(turn, k, space.persons, space.layout, space.points, members, clusters, hulls)
        partition = Partition.of_owners(partition.order, members.owner[partition.order])
        partition = halved(space, partition, k, has_persons(space, k))
        if won <= _WORTH * float(loss.sum()):
            break
    return partition
