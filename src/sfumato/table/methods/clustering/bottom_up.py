"""Bottom-up clustering with local recoding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.core.progress import SILENT, Progress
from sfumato.table.methods.clustering.clustering import check_options, clustered
from sfumato.table.methods.clustering.settle import has_persons, settle
from sfumato.table.methods.clustering.show import Output
from sfumato.table.methods.clustering.space import Partition, Space
from sfumato.table.solution import Problem, Solution

if TYPE_CHECKING:
    from sfumato.table.utility.contract import Utility


@dataclass(frozen=True)
class BottomUp:
    """J. Xu et al., "Utility-based anonymization using local recoding" (KDD 2006): bottom-up.

    Every cell begins as a cluster. While some cluster has fewer than k persons, each of these looks for
    the cluster with which it has the least certainty penalty

        NCP(G ∪ G') = |G ∪ G'| · Σ_j width_j(G ∪ G'),

    and the nearest pairs merge. Clusters of 2k persons are parted in two around cells far apart.
    Clusters may overlap: what is published for one record says nothing about a similar one (*local*
    recoding), which keeps more than one recoding for all. Nothing is suppressed, no cell is divided.

    ``rounds`` of *exchange* then move single cells, or all cells of a cluster, to other clusters wherever
    that lowers the loss; see ``exchange``. With 0 the clusters stay as the paper makes them.

    ``output``: *tight* publishes ranges and sets, *hierarchy* the lowest common node of a hierarchy,
    *centres* means with radius for numbers and dates. ``block``: more cells than this are first parted
    into the boxes of a coarse Mondrian and clustered inside; None never does.

    >>> BottomUp(rounds=0)
    BottomUp(output='tight', block=32768, rounds=0)
    """

    output: Output = "tight"
    block: int | None = 32_768
    rounds: int = 6
    name: ClassVar[str] = "bottom-up"
    needs_hierarchies: ClassVar[bool] = False
    classes_overlap: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_options(self.output, self.block, self.rounds)

    def search(
        self, problem: Problem, utility: Utility | None = None, *, progress: Progress = SILENT
    ) -> Solution:
        """Cluster the cells. The clusters aim at low certainty penalty, whatever the ``utility``."""
        return clustered(
            problem, _merged, output=self.output, block=self.block, rounds=self.rounds, progress=progress
        )


def _merged(space: Space, k: int) -> Partition:
    """Merge single cells until every cluster has k persons."""
    single = Partition(space.in_order(), np.arange(len(space) + 1))
    found = settle(space, single, k, has_persons(space, k))
    assert found is not None, "there are k persons in all"
    return found
