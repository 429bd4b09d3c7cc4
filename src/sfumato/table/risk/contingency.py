"""Fitting log-linear models to a contingency table by iterative proportional fitting.

W. E. Deming & F. F. Stephan, "On a least squares adjustment of a sampled frequency table when the expected
marginal totals are known" (1940); Y. M. M. Bishop, S. E. Fienberg & P. W. Holland, "Discrete multivariate
analysis" (1975).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput

Numbers = NDArray[np.float64]
Ints = NDArray[np.int64]
Margin = tuple[int, ...]
Interactions = Literal["none", "pairs"]

MOST_CELLS = 5_000_000
"""cells of a table that is gone through as a whole"""
MOST_CYCLES = 1000
CLOSE = 1e-6
"""the share by which a fitted margin may be off"""
PERSONS = 0.01
"""persons by which it may be off anyway: where some margins are empty the last digits come slowly"""


@dataclass(frozen=True)
class Block:
    """Columns that interact, directly or through others; different blocks are independent."""

    columns: tuple[int, ...]
    shape: tuple[int, ...]
    places: Ints = field(repr=False)
    """for every cell that was given, its place in the table of this block"""
    fitted: Numbers = field(repr=False)
    """the table, flat"""


@dataclass(frozen=True)
class FittedCells:
    """Expected counts under a log-linear model that reproduces certain margins of the table.

    The margins of the interactions and of single columns are sufficient: the fit of greatest likelihood is
    the table of the model's form that has the same ones. Columns that share no interaction factorise,

        μ = n · Π over blocks (μ_block / n),

    so only the table of a block must be held, never that of all columns.
    """

    blocks: tuple[Block, ...]
    persons: int
    parameters: int
    """of the model: Σ over all sets of columns in a margin of Π (values − 1)"""
    fitted: Numbers = field(repr=False)
    """μ of every cell that was given"""
    said: tuple[str, ...] = ()
    """why there is no fit; empty when there is"""

    @classmethod
    def of(
        cls,
        codes: NDArray[np.generic],
        counts: Ints,
        interactions: Interactions | Sequence[Sequence[int]],
        where: str,
    ) -> FittedCells:
        """Fit the model to the cells with people in them; each combination of codes is given once."""
        dense, shape = _dense(codes, counts, where)
        margins = _margins(interactions, len(shape), where)
        total = int(counts.sum())
        within = {
            some for m in margins for width in range(len(m) + 1) for some in itertools.combinations(m, width)
        }
        parameters = sum(math.prod(shape[j] - 1 for j in some) for some in within)
        fitted = np.full(len(counts), float(total))
        blocks = []
        for columns in _connected(margins, len(shape)):
            sizes = tuple(shape[j] for j in columns)
            if math.prod(sizes) > MOST_CELLS:
                said = (
                    f"a table of {math.prod(sizes):,} cells is too large to fit; the limit is {MOST_CELLS:,}"
                )
                return cls((), total, parameters, np.full(len(counts), math.nan), (said,))
            places = np.ravel_multi_index(tuple(dense[j] for j in columns), sizes).astype(np.int64)
            table: Numbers = np.bincount(places, counts, math.prod(sizes)).astype(np.float64)
            inside = [tuple(columns.index(j) for j in m) for m in margins if set(m) <= set(columns)]
            fit = proportional_fit(table.reshape(sizes), inside)
            if fit is None:
                said = f"the fit does not converge in {MOST_CYCLES:,} cycles"
                return cls((), total, parameters, np.full(len(counts), math.nan), (said,))
            blocks.append(Block(columns, sizes, places, fit.reshape(-1)))
            fitted *= blocks[-1].fitted[places] / total
        return cls(tuple(blocks), total, parameters, fitted)

    def table(self) -> Numbers | None:
        """Return μ of all cells, flat, empty ones too; None where they are too many."""
        if math.prod(len(block.fitted) for block in self.blocks) > MOST_CELLS:
            return None
        whole = np.array([float(self.persons)])
        for block in self.blocks:
            whole = (whole[:, None] * (block.fitted / self.persons)).reshape(-1)
        return whole

    @property
    def places(self) -> Ints:
        """For every cell that was given, its place in ``table()``."""
        place = np.zeros(len(self.fitted), np.int64)
        for block in self.blocks:
            place = place * len(block.fitted) + block.places
        return place


def proportional_fit(
    table: Numbers, margins: Sequence[Margin], close: float = CLOSE, persons: float = PERSONS
) -> Numbers | None:
    """Scale a table of ones to the margins in turn until all agree; None when they never do.

    >>> proportional_fit(np.array([[30.0, 10.0], [10.0, 10.0]]), [(0,), (1,)]).round(3).tolist()
    [[26.667, 13.333], [13.333, 6.667]]
    """
    others = [tuple(axis for axis in range(table.ndim) if axis not in margin) for margin in margins]
    if any(not other for other in others):
        return table.copy()
    wanted = [table.sum(axis=other, keepdims=True) for other in others]
    allowed = [np.maximum(close * want, persons) for want in wanted]
    fit = np.full(table.shape, table.sum() / table.size)
    for _ in range(MOST_CYCLES):
        agree = True
        for other, want, off in zip(others, wanted, allowed, strict=True):
            have = fit.sum(axis=other, keepdims=True)
            # A margin without people leaves its cells empty from the first cycle on.
            factor = np.divide(want, have, out=np.zeros_like(want), where=want > 0)
            agree = agree and bool((np.abs(have - want) <= off).all())
            fit *= factor
        if agree:
            return fit
    return None


def _dense(codes: NDArray[np.generic], counts: Ints, where: str) -> tuple[Ints, tuple[int, ...]]:
    """Number the values of every column from 0, and refuse combinations that come twice."""
    if codes.ndim != 2 or codes.shape[1] != len(counts) or not codes.shape[0]:
        raise BadInput(f"{len(counts):,} cells need a code in every column", where=where)
    dense, shape = np.empty(codes.shape, np.int64), []
    number = np.zeros(len(counts), np.int64)
    for j, column in enumerate(codes):
        values, dense[j] = np.unique(column, return_inverse=True)
        shape.append(len(values))
        _, number = np.unique(number * len(values) + dense[j], return_inverse=True)
    if int(number.max()) + 1 < len(counts):
        raise BadInput(
            "a combination of values comes twice", where=where, remedy="add up the persons of each"
        )
    return dense, tuple(shape)


def _margins(
    interactions: Interactions | Sequence[Sequence[int]], columns: int, where: str
) -> tuple[Margin, ...]:
    """Return the largest sets of columns whose margins the model reproduces."""
    if isinstance(interactions, str):
        if interactions not in ("none", "pairs"):
            raise BadInput(f"there are no interactions '{interactions}'", where=where, remedy="none or pairs")
        width = 2 if interactions == "pairs" else 1
        given: list[Margin] = list(itertools.combinations(range(columns), width))
    else:
        given = [tuple(sorted(set(some))) for some in interactions]
    if any(not 0 <= j < columns for some in given for j in some):
        raise BadInput(f"interactions are of columns 0 to {columns - 1}", where=where)
    wanted = {*given, *((j,) for j in range(columns))} - {()}
    return tuple(sorted(m for m in wanted if not any(set(m) < set(other) for other in wanted)))


def _connected(margins: Sequence[Margin], columns: int) -> list[tuple[int, ...]]:
    """Join columns that share a margin, directly or through others."""
    block_of = list(range(columns))
    for margin in margins:
        joined = {block_of[j] for j in margin}
        block_of = [min(joined) if block in joined else block for block in block_of]
    return [tuple(j for j in range(columns) if block_of[j] == block) for block in sorted(set(block_of))]
