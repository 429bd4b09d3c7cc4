"""Measures that are added up column by column.

    value = Agg_j ( base_j(level_j) + suppression_j )

``base_j(l)`` is what column j loses at level l when nothing is suppressed: it needs only the marginal
of the column. ``suppression_j`` is what the suppressed rows add to it. Rows that are surely suppressed
at a node m and at every node below bound with their losses the whole down-set of m.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.hierarchy.ladder import Ladder
from sfumato.table.cells import Cells
from sfumato.table.utility._kernels_separable import losses_with_costs, losses_with_entropy
from sfumato.table.utility.contract import Appraisal, Join, Score, Survey

RANK_DIGITS = 12
"""decimals to which the entries of ranks are compared: past them lies the error of sums of floats"""


class Aggregate(StrEnum):
    """How the losses v_1 … v_m of the columns make one score.

    The geometric mean is taken of v + 1, so that one untouched column does not hide the others:
    Π (v_j + 1)^(1/m) - 1. A rank is the tuple of the losses, largest first.
    """

    GEOMETRIC_MEAN = "geometric mean"
    ARITHMETIC_MEAN = "arithmetic mean"
    SUM = "sum"
    MAX = "max"
    RANK = "rank"


@dataclass(frozen=True)
class SuppressionCosts:
    """Every suppressed row adds a cost that depends on the group it lies in.

    ``extra[offset[j, high, low] + g]`` is the least cost at level ``low`` of the values in group g of
    level ``high``; for low = high it is the cost itself.
    """

    extra: NDArray[np.float64]
    offset: NDArray[np.int64]

    @classmethod
    def of(cls, ladders: tuple[Ladder, ...], costs: list[list[NDArray[np.float64]]]) -> SuppressionCosts:
        """Tabulate costs[j][level][group] for every pair of levels."""
        tallest = max(ladder.height for ladder in ladders) + 1
        offset = np.full((len(ladders), tallest, tallest), -1, np.int64)
        tables: list[NDArray[np.float64]] = []
        start = 0
        for j, ladder in enumerate(ladders):
            for high in range(ladder.height + 1):
                for low in range(high + 1):
                    least = np.full(len(costs[j][high]), np.inf)
                    np.minimum.at(least, ladder.rungs[high], costs[j][low][ladder.rungs[low]])
                    least[np.isinf(least)] = 0.0
                    tables.append(least)
                    offset[j, high, low] = start
                    start += len(least)
        return cls(np.concatenate(tables), offset)


@dataclass(frozen=True)
class SuppressionEntropy:
    """The S suppressed rows lose their entropy: S·log2 S - Σ c·log2 c over their groups, per scale."""

    scale: NDArray[np.float64]


@dataclass(frozen=True)
class Separable:
    """A measure that is added up column by column, ready for one table."""

    aggregate: Aggregate
    base: NDArray[np.float64]
    """base[j, l], 0 past the height of a column"""
    groups: NDArray[np.int64]
    """groups[j, l]: how many groups column j has at level l"""
    suppression: SuppressionCosts | SuppressionEntropy | None
    from_levels: bool = True
    _losses: NDArray[np.float64] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_losses", np.zeros_like(self.base))

    @property
    def join(self) -> Join:
        """Logarithms of v + 1 are added for the geometric mean; ranks are led by their maximum."""
        return Join.MAX if self.aggregate in (Aggregate.MAX, Aggregate.RANK) else Join.SUM

    @cached_property
    def terms(self) -> NDArray[np.float64]:
        """The losses without suppression, as terms."""
        return self._terms(self.base)

    def appraise(self, survey: Survey) -> Appraisal:
        """Value a node, and bound all nodes below it."""
        levels = survey.levels
        columns = np.arange(len(levels))
        if self.suppression is None or survey.suppressed == 0:
            return self._appraisal(self.base[columns, levels], self.terms[columns, levels], None)
        losses = self._charge(levels, survey.histogram())
        here = losses[columns, levels]
        below = None
        if survey.surely == survey.suppressed:
            below = self._terms(losses)
        elif survey.surely:
            below = self._terms(self._charge(levels, survey.histogram_below()))
        return self._appraisal(here, self._terms(here), below)

    def _charge(self, levels: NDArray[np.int64], histogram: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the losses at the levels and below when the rows of a histogram are suppressed."""
        widths = self.groups[np.arange(len(levels)), levels]
        if isinstance(self.suppression, SuppressionCosts):
            costs = self.suppression
            losses_with_costs(levels, histogram, widths, self.base, costs.extra, costs.offset, self._losses)
        else:
            assert self.suppression is not None
            losses_with_entropy(levels, histogram, widths, self.base, self.suppression.scale, self._losses)
        return self._losses

    def score(self, appraisal: Appraisal) -> Score:
        """Return the aggregate that the joined terms stand for."""
        return appraisal.then if self.aggregate is Aggregate.RANK else self.score_of_bound(appraisal.value)

    def score_of_bound(self, value: float) -> Score:
        """Undo the transformation into terms; a rank is bounded by its first entry alone."""
        columns = len(self.base)
        if self.aggregate is Aggregate.GEOMETRIC_MEAN:
            return float(np.expm1(value / columns))
        if self.aggregate is Aggregate.ARITHMETIC_MEAN:
            return float(value / columns)
        if self.aggregate is Aggregate.RANK:
            return (float(value), *[0.0] * (columns - 1))
        return float(value)

    def _terms(self, losses: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.log1p(losses) if self.aggregate is Aggregate.GEOMETRIC_MEAN else losses

    def _appraisal(
        self, losses: NDArray[np.float64], terms: NDArray[np.float64], below: NDArray[np.float64] | None
    ) -> Appraisal:
        if self.aggregate is Aggregate.RANK:
            # An entry that is a rounding error larger must not outweigh all entries after it.
            then = tuple(sorted(np.round(losses, RANK_DIGITS).tolist(), reverse=True))
            return Appraisal(then[0], below, then=then)
        return Appraisal(float(terms.max() if self.join is Join.MAX else terms.sum()), below)


def marginals(cells: Cells, ladders: tuple[Ladder, ...]) -> list[list[NDArray[np.int64]]]:
    """Return for every column and level the rows of each group."""
    counted = []
    for j, ladder in enumerate(ladders):
        values = np.zeros(ladder.rungs.shape[1], np.int64)
        np.add.at(values, cells.codes[j], cells.rows)
        levels = []
        for level in range(ladder.height + 1):
            groups = np.zeros(len(ladder.leaves[level]), np.int64)
            np.add.at(groups, ladder.rungs[level], values)
            levels.append(groups)
        counted.append(levels)
    return counted


def as_matrix(table: list[list[float]]) -> NDArray[np.float64]:
    """Lay lists of different lengths into one matrix, padded with zeros."""
    matrix = np.zeros((len(table), max(map(len, table))))
    for j, line in enumerate(table):
        matrix[j, : len(line)] = line
    return matrix


def group_counts(ladders: tuple[Ladder, ...]) -> NDArray[np.int64]:
    """Return how many groups each column has at each level (1 past its height)."""
    counts = np.ones((len(ladders), max(ladder.height for ladder in ladders) + 1), np.int64)
    for j, ladder in enumerate(ladders):
        for level in range(ladder.height + 1):
            counts[j, level] = len(ladder.leaves[level])
    return counts
