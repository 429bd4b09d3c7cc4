"""How many candidates are left to an adversary with some knowledge of a node's place in the network.

M. Hay, G. Miklau, D. Jensen, D. Towsley & P. Weis, "Resisting structural re-identification in anonymized
social networks" (VLDB 2008): the candidates of a node are those that the adversary's knowledge fits as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import in_per_cent

AT_LEAST = (1, 2, 5, 10, 20, 100)
"""where the ranges of the histogram begin"""
_RANGES = ("1", "2 to 4", "5 to 9", "10 to 19", "20 to 99", "100 or more")
FEWER_THAN = (2, 5, 10)


@dataclass(frozen=True)
class CandidateSets:
    """The classes of nodes that look the same to an adversary. Counts alone; prints as a line.

    ``expected`` is the share of people whom a guess among their candidates finds: the mean of 1/|class| over
    nodes, which is the number of classes divided by the number of nodes.
    """

    knowledge: str
    """what the adversary knows: ``degree``, ``H2``, ``neighbourhood`` …"""
    nodes: int
    classes: int
    unique: int
    """nodes alone in their class"""
    smallest: int
    """nodes of the smallest class: the k that holds"""
    below: Mapping[int, int] = field(repr=False)
    """for k of 2, 5 and 10: the nodes with fewer than k candidates, themselves included"""
    histogram: Mapping[str, int] = field(repr=False)
    """nodes by how many candidates they have"""

    @classmethod
    def of(cls, knowledge: str, classes: NDArray[np.int64]) -> CandidateSets:
        """Count classes that are numbered from 0 without gaps.

        >>> CandidateSets.of("degree", np.array([0, 1, 1, 2]))
        CandidateSets(knowledge='degree', nodes=4, classes=3, unique=2, smallest=1)
        """
        sizes = np.bincount(classes)
        candidates = sizes[classes]
        ranges = np.searchsorted(AT_LEAST, candidates, side="right") - 1
        counts = np.bincount(ranges, minlength=len(AT_LEAST)).tolist()
        return cls(
            knowledge,
            len(classes),
            len(sizes),
            int(np.count_nonzero(sizes == 1)),
            int(sizes.min()),
            {k: int(np.count_nonzero(candidates < k)) for k in FEWER_THAN},
            dict(zip(_RANGES, counts, strict=True)),
        )

    @property
    def expected(self) -> float:
        """The share of people whom a guess among their candidates finds."""
        return self.classes / self.nodes

    def __str__(self) -> str:
        few = ", ".join(
            f"below {k}: {in_per_cent(count / self.nodes)}" for k, count in self.below.items() if k > 2
        )
        return (
            f"{self.knowledge}: {self.classes:,} class{'es' * (self.classes != 1)}, "
            f"{in_per_cent(self.unique / self.nodes)} unique, smallest {self.smallest:,}; {few}; "
            f"a guess finds {in_per_cent(self.expected)}"
        )
