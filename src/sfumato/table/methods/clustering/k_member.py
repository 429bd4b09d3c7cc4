"""k-member clustering with local recoding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.core.progress import SILENT, Progress
from sfumato.table.methods.clustering._kernels_clusters import gather
from sfumato.table.methods.clustering.clustering import check_options, clustered
from sfumato.table.methods.clustering.settle import has_persons, settle
from sfumato.table.methods.clustering.show import Output
from sfumato.table.methods.clustering.space import Partition, Space
from sfumato.table.solution import Problem, Solution

if TYPE_CHECKING:
    from sfumato.table.utility.contract import Utility


@dataclass(frozen=True)
class KMember:
    """J.-W. Byun et al., "Efficient k-anonymization using clustering techniques" (DASFAA 2007).

    One cluster after the other: it begins with the cell farthest from where the one before began, and
    takes in the cell that makes its certainty penalty grow least until it has k persons. Cells that are
    left when fewer than k persons remain join the nearest clusters.

    Most clusters are narrow; the last ones are made of what nobody wanted. ``rounds`` of exchange mend
    that, see ``exchange``; the paper has none. ``output`` and ``block`` are those of
    ``BottomUp``.

    >>> KMember(block=None)
    KMember(output='tight', block=None, rounds=6)
    """

    output: Output = "tight"
    block: int | None = 32_768
    rounds: int = 6
    name: ClassVar[str] = "k-member"
    needs_hierarchies: ClassVar[bool] = False
    classes_overlap: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_options(self.output, self.block, self.rounds)

    def search(
        self, problem: Problem, utility: Utility | None = None, *, progress: Progress = SILENT
    ) -> Solution:
        """Cluster the cells. The clusters aim at low certainty penalty, whatever the ``utility``."""
        return clustered(
            problem, _gathered, output=self.output, block=self.block, rounds=self.rounds, progress=progress
        )


def _gathered(space: Space, k: int) -> Partition:
    """Grow clusters one after the other; what is left joins the nearest."""
    order = space.in_order()
    single = Partition(order, np.arange(len(space) + 1))
    clusters = space.clusters(single)
    hulls = space.hulls(clusters, np.ones(len(space), np.bool_))
    owner = np.arange(len(space))
    gather(k, space.persons[order], space.layout, clusters, hulls, owner)
    found = settle(space, Partition.of_owners(order, owner), k, has_persons(space, k))
    assert found is not None, "there are k persons in all"
    return found
