"""Non-uniform entropy: what a generalised value leaves unsaid about the original one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.hierarchy.ladder import Ladder
from sfumato.table.cells import Cells
from sfumato.table.utility.separable import (
    Aggregate,
    Separable,
    SuppressionEntropy,
    as_matrix,
    group_counts,
    marginals,
)


@dataclass(frozen=True)
class NonUniformEntropy:
    """Non-uniform entropy of A. Gionis and T. Tassa, "k-Anonymization with minimal loss of information".

    In bits, with c(x) rows that have value x and c(g(x)) rows that have its generalisation:

        Σ_j ( - Σ_x c(x)·log2( c(x) / c(g(x)) )  -  Σ_g s(g)·log2( s(g) / S ) )

    The first part is taken over all rows, the second over the S suppressed ones by their generalised
    values g. ``monotone`` leaves the second out.

    >>> NonUniformEntropy().name
    'non-uniform-entropy'
    """

    monotone: bool = False
    name: ClassVar[str] = "non-uniform-entropy"
    score_in: ClassVar[str] = "bits: logarithms to base 2"

    def prepare(self, cells: Cells, ladders: tuple[Ladder, ...]) -> Separable:
        """Tabulate the entropy of each column at each level."""
        suppression = None if self.monotone else SuppressionEntropy(np.ones(len(ladders)))
        base = [[_unsaid(levels[0], counts) for counts in levels] for levels in marginals(cells, ladders)]
        return Separable(Aggregate.SUM, as_matrix(base), group_counts(ladders), suppression)


@dataclass(frozen=True)
class NormalisedEntropy:
    """Non-uniform entropy with each column divided by the entropy - Σ_x c(x)·log2( c(x) / n ) that it has.

    A column with one value has nothing to lose and counts 0.

    >>> NormalisedEntropy().name
    'normalised-entropy'
    """

    name: ClassVar[str] = "normalised-entropy"
    score_in: ClassVar[str] = "ratios of bits, which are logarithms"

    def prepare(self, cells: Cells, ladders: tuple[Ladder, ...]) -> Separable:
        """Tabulate the share of its entropy that each column loses at each level."""
        counted = marginals(cells, ladders)
        scale = np.array([_unsaid(levels[0], levels[0].sum(keepdims=True)) for levels in counted])
        base = [
            [_unsaid(levels[0], counts) / whole if whole > 0 else 0.0 for counts in levels]
            for levels, whole in zip(counted, scale, strict=True)
        ]
        return Separable(Aggregate.SUM, as_matrix(base), group_counts(ladders), SuppressionEntropy(scale))


def _unsaid(values: NDArray[np.int64], groups: NDArray[np.int64]) -> float:
    """Return Σ_g c(g)·log2 c(g) - Σ_x c(x)·log2 c(x), which is the entropy within the groups."""
    return max(_weighted_logs(groups) - _weighted_logs(values), 0.0)


def _weighted_logs(counts: NDArray[np.int64]) -> float:
    present = counts[counts > 0].astype(np.float64)
    return float(present @ np.log2(present))
