"""KL divergence between the original table and what a reader of the release would guess."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.hierarchy.ladder import Ladder
from sfumato.table.cells import Cells
from sfumato.table.utility.contract import Appraisal, Join, Score, Survey
from sfumato.table.utility.separable import (
    Aggregate,
    Separable,
    SuppressionCosts,
    as_matrix,
    group_counts,
    marginals,
)


@dataclass(frozen=True)
class KLDivergence:
    """KL divergence, in bits, as used by A. Machanavajjhala et al., "l-Diversity" (TKDD 2007).

    p(t) is the share of rows with tuple t; a reader of the release spreads every class evenly over
    the Π_j leaves_j tuples that its box may stand for, and the S suppressed rows over all tuples:

        Σ_t p(t)·log2( p(t) / q(t) ),   q(t) = |C(t)| / n / Π_j leaves_j   or   S / n / Π_j D_j

    >>> KLDivergence().name
    'kl-divergence'
    """

    name: ClassVar[str] = "kl-divergence"
    score_in: ClassVar[str] = "bits: logarithms to base 2"

    def prepare(self, cells: Cells, ladders: tuple[Ladder, ...]) -> KLDivergenceScorer:
        """Split off the part that adds up over columns: Σ_rows log2(leaves_j) / n."""
        rows = float(cells.total_rows)
        base, costs = [], []
        for ladder, levels in zip(ladders, marginals(cells, ladders), strict=True):
            bits = [np.log2(np.maximum(leaves, 1.0)) / rows for leaves in ladder.leaves]
            base.append([float(counts @ per_row) for counts, per_row in zip(levels, bits, strict=True)])
            costs.append([float(np.log2(ladder.size)) / rows - per_row for per_row in bits])
        spread = Separable(
            Aggregate.SUM, as_matrix(base), group_counts(ladders), SuppressionCosts.of(ladders, costs)
        )
        share = cells.rows[cells.rows > 0] / rows
        return KLDivergenceScorer(spread, float(share @ np.log2(share)))


@dataclass(frozen=True)
class KLDivergenceScorer:
    """value = Σ_j spread_j + H(sizes of the classes); the score adds Σ_t p·log2 p, the same everywhere.

    Both parts are at least 0, so the spread alone bounds a node. Merging classes, or suppressing one,
    never brings q nearer to p: the value without suppression bounds everything above.
    """

    spread: Separable
    constant: float
    join: ClassVar[Join] = Join.SUM
    from_levels: ClassVar[bool] = False

    @property
    def terms(self) -> NDArray[np.float64]:
        """The spread of each column."""
        return self.spread.terms

    def appraise(self, survey: Survey) -> Appraisal:
        """Value a node, and bound all nodes below and above it."""
        spread = self.spread.appraise(survey)
        sizes, kept = survey.class_rows(), survey.class_kept()
        shown = sizes[kept]
        if survey.suppressed:
            shown = np.append(shown, survey.suppressed)
        columns = np.arange(len(survey.levels))
        unsuppressed = float(self.terms[columns, survey.levels].sum())
        return Appraisal(
            spread.value + _entropy(shown, survey.rows),
            spread.below,
            above_floor=unsuppressed + _entropy(sizes, survey.rows),
        )

    def score(self, appraisal: Appraisal) -> Score:
        """Return the divergence."""
        return self.score_of_bound(appraisal.value)

    def score_of_bound(self, value: float) -> Score:
        """Return the divergence that a bound on values stands for."""
        return value + self.constant


def _entropy(sizes: NDArray[np.int64], rows: int) -> float:
    share = sizes / rows
    return float(-(share @ np.log2(share)))
