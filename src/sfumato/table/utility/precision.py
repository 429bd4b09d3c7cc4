"""Precision: how far up its hierarchy each value went (Sweeney 2002)."""

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
)


@dataclass(frozen=True)
class Precision:
    """Loss of precision of L. Sweeney, "Achieving k-anonymity privacy protection …" (IJUFKS 2002).

        1 - Prec = mean_j ( (level_j/height_j · (n - S) + S) / n )

    for n rows of which S are suppressed. ``monotone`` leaves suppression out: mean_j level_j/height_j.

    >>> Precision(monotone=True).name
    'precision'
    """

    monotone: bool = False
    name: ClassVar[str] = "precision"

    def prepare(self, cells: Cells, ladders: tuple[Ladder, ...]) -> Separable:
        """Tabulate level/height."""
        rows = float(cells.total_rows)
        base = [[level / max(ladder.height, 1) for level in range(ladder.height + 1)] for ladder in ladders]
        suppression = None
        if not self.monotone:
            costs = [
                [
                    np.full(len(leaves), (1.0 - value) / rows)
                    for leaves, value in zip(ladder.leaves, line, strict=True)
                ]
                for ladder, line in zip(ladders, base, strict=True)
            ]
            suppression = SuppressionCosts.of(ladders, costs)
        return Separable(Aggregate.ARITHMETIC_MEAN, as_matrix(base), group_counts(ladders), suppression)
