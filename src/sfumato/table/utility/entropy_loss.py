"""Entropy-based loss: how many bits of a row's place in the domain are given up (Wan et al. 2015)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.hierarchy.ladder import Ladder
from sfumato.table.cells import Cells
from sfumato.table.utility.separable import (
    Aggregate,
    Separable,
    SuppressionCosts,
    as_matrix,
    group_counts,
    marginals,
)


@dataclass(frozen=True)
class EntropyBasedLoss:
    """Entropy-based loss of Z. Wan et al., "A game theoretic framework for …" (PLOS ONE 2015).

    With D_j leaves in column j, of which a published value covers ``leaves``:

        Σ_rows ( Σ_j log(leaves_j) / Σ_j log(D_j) )      and 1 for a suppressed row

    >>> EntropyBasedLoss().name
    'entropy-based-loss'
    """

    name: ClassVar[str] = "entropy-based-loss"
    score_in: ClassVar[str] = "ratios of logarithms over whole hierarchies"

    def prepare(self, cells: Cells, ladders: tuple[Ladder, ...]) -> Separable:
        """Tabulate the bits given up by each column at each level."""
        whole = max(sum(float(np.log(ladder.size)) for ladder in ladders), np.finfo(np.float64).tiny)
        base, costs = [], []
        for ladder, levels in zip(ladders, marginals(cells, ladders), strict=True):
            given_up = [np.log(np.maximum(leaves, 1.0)) / whole for leaves in ladder.leaves]
            base.append([float(counts @ bits) for counts, bits in zip(levels, given_up, strict=True)])
            costs.append([float(np.log(ladder.size)) / whole - bits for bits in given_up])
        return Separable(
            Aggregate.SUM, as_matrix(base), group_counts(ladders), SuppressionCosts.of(ladders, costs)
        )
