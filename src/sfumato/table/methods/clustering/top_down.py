"""Top-down clustering with local recoding."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.core.progress import SILENT, Progress
from sfumato.table.methods.clustering._kernels_division import divide_ranges
from sfumato.table.methods.clustering.clustering import check_options, clustered
from sfumato.table.methods.clustering.show import Output
from sfumato.table.methods.clustering.space import Partition, Space
from sfumato.table.solution import Problem, Solution

if TYPE_CHECKING:
    from sfumato.table.utility.contract import Utility

_DRAWS = 4096


@dataclass(frozen=True)
class TopDown:
    """J. Xu et al., "Utility-based anonymization using local recoding" (KDD 2006): top-down.

    All cells begin in one group. In a group of 2k persons or more two cells far apart become seeds: from
    a cell that the ``seed`` draws the farthest is looked for, from that one the farthest again, three
    times. Every other cell goes to the seed whose group widens less, those first that lean most to one
    side. A part with fewer than k persons is filled up with the cells nearest to it from the other, and
    both parts are divided in turn. (The paper fills up and merges small groups at the end, over all
    groups; done at once no group is ever too small.)

    ``rounds`` of exchange afterwards keep still more, see ``exchange``; the paper has none. ``output``
    and ``block`` are those of ``BottomUp``.

    >>> TopDown(rounds=0)
    TopDown(output='tight', block=32768, rounds=0, seed=0)
    """

    output: Output = "tight"
    block: int | None = 32_768
    rounds: int = 6
    seed: int = 0
    name: ClassVar[str] = "top-down"
    needs_hierarchies: ClassVar[bool] = False
    classes_overlap: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_options(self.output, self.block, self.rounds)

    def search(
        self, problem: Problem, utility: Utility | None = None, *, progress: Progress = SILENT
    ) -> Solution:
        """Cluster the cells. The clusters aim at low certainty penalty, whatever the ``utility``."""
        return clustered(
            problem,
            partial(_divided, seed=self.seed),
            output=self.output,
            block=self.block,
            rounds=self.rounds,
            progress=progress,
        )


def _divided(space: Space, k: int, seed: int) -> Partition:
    """Divide all cells until no group has 2k persons, or none can be divided."""
    order = space.in_order()
    begins = np.zeros(len(space), np.bool_)
    draws = np.random.default_rng(seed).integers(0, 2**62, _DRAWS)
    whole = np.array([0, len(space)], np.int64)
    divide_ranges(order, whole, draws, k, True, space.persons, space.layout, space.points, begins)
    return Partition(order, np.append(np.flatnonzero(begins), len(space)))
