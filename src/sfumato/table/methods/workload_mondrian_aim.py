"""What the cuts of workload-aware Mondrian are to tell apart: classes, numbers, or regions of queries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.table.cells import Cells, Histogram
from sfumato.table.methods._kernels_mondrian import UNORDERED
from sfumato.table.methods._kernels_workload import ENTROPY
from sfumato.table.methods.mondrian_columns import Column

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SQUARES = 1
MOST_CLASSES = 100
_NOTHING = 1e-9
"""the part of all that could be gained below which a gain is taken for rounding"""


class Aim(NamedTuple):
    """What is known of each cell, and the regions that queries ask for.

    Classes: ``sums[c, v]`` are the persons of cell c with class v. Else ``sums[c, 0]`` is the weight of
    cell c and ``sums[c, d]`` a weighted sum whose squares count ``scale[d]``.
    """

    kind: int
    sums: Floats
    scale: Floats
    asks: Ints
    """whether condition a is about column j; no lines when there are no queries"""
    query: Ints
    """the sum that condition a belongs to"""
    inside: Ints
    """whether a value satisfies condition a, by rank, columns one after the other"""
    least: float
    """the gain up to which a cut is said to gain nothing"""


class Notes(NamedTuple):
    """What is noted about the box at hand."""

    persons: Ints
    """of each value of the column at hand; -1 where it is absent"""
    sums: Floats
    order: Ints
    """the values of each column that are in the box, in the order in which it is cut"""
    share: Floats
    spare: Ints
    live: Ints
    whole: Floats
    left: Floats
    right: Floats
    gains: Floats
    cuts: Ints


def notes_for(columns: Sequence[Column], aim: Aim) -> Notes:
    """Make room for the notes on one box."""
    sizes = [len(column.domain) for column in columns]
    longest, width = max(sizes), aim.sums.shape[1]
    most = sum(
        len(aim.asks) if column.kind == UNORDERED and len(aim.asks) else size
        for column, size in zip(columns, sizes, strict=True)
    )
    return Notes(
        persons=np.full(longest, -1, np.int64),
        sums=np.zeros((longest, width)),
        order=np.zeros(sum(sizes), np.int64),
        share=np.zeros(longest),
        spare=np.zeros(longest, np.int64),
        live=np.zeros(width, np.int64),
        whole=np.zeros(width),
        left=np.zeros(width),
        right=np.zeros(width),
        gains=np.zeros(most),
        cuts=np.zeros((most, 2), np.int64),
    )


def aim_at_classes(histogram: Histogram) -> Aim:
    """Tell the values of a column apart; missing is one of them."""
    values = len(histogram.domain)
    if values > MOST_CLASSES:
        raise BadInput(
            f"it has {values} different values, too many to be classes",
            where=f"column '{histogram.domain.name}'",
            remedy=f"name a target with at most {MOST_CLASSES}, or 'task: regression' if they are numbers",
        )
    sums = np.zeros((len(histogram.starts) - 1, values))
    np.add.at(sums, (_owners(histogram), histogram.keys % values), histogram.persons)
    whole = sums.sum(0)
    shares = whole[whole > 0] / max(float(whole.sum()), 1.0)
    mixed = float(whole.sum() * -(shares * np.log(shares)).sum())
    return _without_queries(ENTROPY, sums, np.ones(values), mixed)


def aim_at_numbers(histogram: Histogram) -> Aim:
    """Tell large numbers (or late dates) from small ones; who has none counts nowhere."""
    positions = histogram.domain.positions
    if positions is None:
        raise BadInput(
            "its values are neither numbers nor dates",
            where=f"column '{histogram.domain.name}'",
            remedy="name another target, or 'task: classification'",
        )
    numbers = positions[histogram.keys % len(positions)]
    weights = np.where(np.isnan(numbers), 0.0, histogram.persons)
    numbers = np.nan_to_num(numbers)
    everybody = max(float(weights.sum()), 1.0)
    numbers = numbers - float((weights * numbers).sum()) / everybody
    spread = math.sqrt(float((weights * numbers**2).sum()) / everybody)
    numbers = numbers / spread if spread > 0 else numbers
    sums = np.zeros((len(histogram.starts) - 1, 2))
    np.add.at(sums[:, 0], _owners(histogram), weights)
    np.add.at(sums[:, 1], _owners(histogram), weights * numbers)
    return _without_queries(SQUARES, sums, np.ones(2), everybody)


def aim_at_regions(
    cells: Cells,
    columns: Sequence[Column],
    orders: Sequence[Ints],
    queries: Sequence[Sequence[dict[int, NDArray[np.bool_]]]],
) -> Aim:
    """Tell what lies in the region of a query from what does not.

    A query is a list of alternatives, each a condition (which codes satisfy it) for some columns. An
    error counts by its part of the true count, so the squares of a query count 1/count².
    """
    offset = np.cumsum([0, *(len(column.domain) for column in columns)])
    alternatives = [(q, one) for q, query in enumerate(queries) for one in query]
    asks = np.zeros((len(alternatives), len(columns)), np.int64)
    inside = np.zeros((len(alternatives), int(offset[-1])), np.int64)
    member = np.zeros((len(cells), len(queries)), np.bool_)
    for a, (q, alternative) in enumerate(alternatives):
        satisfied = np.ones(len(cells), np.bool_)
        for j, mask in alternative.items():
            satisfied &= mask[cells.codes[j]]
            asks[a, j] = 1
            inside[a, offset[j] : offset[j + 1]] = mask[orders[j]]
        member[:, q] |= satisfied
    sums = np.empty((len(cells), 1 + len(queries)))
    sums[:, 0] = cells.rows
    sums[:, 1:] = member * cells.rows[:, None]
    scale = np.ones(1 + len(queries))
    scale[1:] = 1.0 / np.square(np.maximum(sums[:, 1:].sum(0), 1.0))
    query = np.array([1 + q for q, _ in alternatives], np.int64)
    everything = float((sums[:, 1:].sum(0) * scale[1:]).sum())
    return Aim(SQUARES, sums, scale, asks, query, inside, _NOTHING * everything)


def _owners(histogram: Histogram) -> Ints:
    """Return the cell that each entry belongs to."""
    return np.repeat(np.arange(len(histogram.starts) - 1), np.diff(histogram.starts))


def _without_queries(kind: int, sums: Floats, scale: Floats, everything: float) -> Aim:
    nothing = np.zeros((0, 0), np.int64)
    return Aim(kind, sums, scale, nothing, np.zeros(0, np.int64), nothing, _NOTHING * everything)
