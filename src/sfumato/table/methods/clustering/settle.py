"""Merge clusters that break a rule with their nearest, part those that have grown too large.

The rounds of J. Xu et al. (KDD 2006): every cluster that breaks a rule looks for the cluster with which
its union has the least certainty penalty; the nearest pairs merge first, each cluster once in a round.
Clusters of 2k persons are then parted in two, if both parts satisfy the rules.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import SILENT, Progress
from sfumato.table.methods.clustering._kernels_clusters import nearest_of_each
from sfumato.table.methods.clustering._kernels_division import divide_ranges
from sfumato.table.methods.clustering._kernels_order import match
from sfumato.table.methods.clustering.space import Partition, Space

Satisfied = Callable[[Partition], NDArray[np.bool_]]
"""says for each cluster whether it satisfies the rules"""

_FIRST = np.zeros(1, np.int64)


def has_persons(space: Space, k: int) -> Satisfied:
    """Return the rule that every cluster has k persons."""
    return lambda partition: partition.sums(space.persons) >= k


def settle(
    space: Space, partition: Partition, k: int, satisfied: Satisfied, progress: Progress = SILENT
) -> Partition | None:
    """Merge and part clusters until all satisfy the rules; None when even one cluster of all does not."""
    holds = satisfied(partition)
    first = max(1, int((~holds).sum()))
    while not holds.all():
        if len(partition) == 1:
            return None
        partition = _merged(space, partition, np.flatnonzero(~holds))
        partition = halved(space, partition, k, satisfied)
        holds = satisfied(partition)
        progress.update(1.0 - (~holds).sum() / first)
    return partition


def _merged(space: Space, partition: Partition, asking: NDArray[np.int64]) -> Partition:
    """Let some clusters look for their nearest, and merge those that are found first."""
    clusters = space.clusters(partition)
    # What the clusters lose now is not held against their union: it is to be narrow in the end.
    clusters.width[:] = 0.0
    everybody = np.ones(len(partition), np.bool_)
    hulls = space.hulls(clusters, everybody)
    partner = np.full(len(asking), -1, np.int64)
    growth = np.full(len(asking), np.inf)
    nearest_of_each(asking, everybody, space.layout, clusters, hulls, partner, growth)
    into = np.arange(len(partition))
    match(asking, partner, np.argsort(growth, kind="stable"), into)
    return Partition.of_owners(partition.order, np.repeat(into, np.diff(partition.starts)))


def halved(space: Space, partition: Partition, k: int, satisfied: Satisfied) -> Partition:
    """Part clusters of 2k persons or more where both halves satisfy the rules."""
    large = partition.sums(space.persons) >= 2 * k
    if not large.any():
        return partition
    order = partition.order.copy()
    begins = np.zeros(len(order), np.bool_)
    begins[partition.starts[:-1]] = True
    divide_ranges(
        order, partition.starts, _FIRST, k, False, space.persons, space.layout, space.points, begins
    )
    parts = Partition(order, np.append(np.flatnonzero(begins), len(order)))
    holds = satisfied(parts)
    if holds.all():
        return parts
    whole = np.repeat(np.arange(len(partition)), np.diff(partition.starts))[parts.starts[:-1]]
    broken = np.zeros(len(partition), np.bool_)
    broken[whole[~holds]] = True
    kept = ~broken[whole] | np.isin(parts.starts[:-1], partition.starts)
    return Partition(order, np.append(parts.starts[:-1][kept], len(order)))
