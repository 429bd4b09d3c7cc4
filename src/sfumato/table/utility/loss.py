"""Loss: the share of its domain that a generalised value may stand for (Iyengar 2002)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.core.errors import BadInput, nearest
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
class Loss:
    """Loss of V. S. Iyengar, "Transforming data to satisfy privacy constraints" (KDD 2002).

    With n rows and column j of D_j leaves, a row whose value covers ``share`` of the leaves costs

        kept: G·share        suppressed: share + S·(1 - share)
        v_j = (Σ_rows cost - G·n/D_j) / (n - G·n/D_j)

    so that 0 is untouched and 1 is nothing left. The v_j are aggregated, by default as
    Π (v_j + 1)^(1/m) - 1. ``gs_factor`` g weighs generalisation against suppression:
    S = min(1, 2g), G = min(1, 2 - 2g); below ½ suppression is cheap, above ½ generalisation is.

    >>> Loss().aggregate.value
    'geometric mean'
    """

    aggregate: Aggregate = Aggregate.GEOMETRIC_MEAN
    gs_factor: float = 0.5
    name: ClassVar[str] = "loss"
    score_in: ClassVar[str] = "shares of whole hierarchies, values included that do not occur"

    def __post_init__(self) -> None:
        known = [aggregate.value for aggregate in Aggregate]
        if self.aggregate not in known:
            raise BadInput(
                f"the loss knows no aggregate '{self.aggregate}'", remedy=nearest(self.aggregate, known)
            )
        object.__setattr__(self, "aggregate", Aggregate(self.aggregate))
        if not 0.0 <= self.gs_factor <= 1.0:
            raise BadInput("the gs_factor of the loss must lie between 0 and 1", remedy="0.5 weighs evenly")

    def prepare(self, cells: Cells, ladders: tuple[Ladder, ...]) -> Separable:
        """Tabulate the loss of each column at each level."""
        rows = float(cells.total_rows)
        suppressing = min(1.0, 2.0 * self.gs_factor)
        generalising = min(1.0, 2.0 - 2.0 * self.gs_factor)
        base, costs = [], []
        for ladder, levels in zip(ladders, marginals(cells, ladders), strict=True):
            least = generalising * rows / ladder.size
            span = rows - least
            line, cost_of_level = [], []
            for level, counts in enumerate(levels):
                shares = ladder.shares(level)
                spent = generalising * float(counts @ shares)
                line.append(max((spent - least) / span, 0.0) if span > 0 else 0.0)
                extra = (1.0 - generalising) * shares + suppressing * (1.0 - shares)
                cost_of_level.append(extra / span if span > 0 else np.zeros_like(extra))
            base.append(line)
            costs.append(cost_of_level)
        return Separable(
            self.aggregate, as_matrix(base), group_counts(ladders), SuppressionCosts.of(ladders, costs)
        )
