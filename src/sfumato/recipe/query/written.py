"""Drawn records and noisy counts as tables that can be written."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.query.coding import MISSING, decoded
from sfumato.query.metadata import Column, Type
from sfumato.query.methods.contract import Attribute, Coded, NoisyTable
from sfumato.recipe.query.job import QueryJob
from sfumato.recipe.query.released_schema import as_declared

COUNT = "count"
"""the column of noisy counts"""


def records_table(job: QueryJob, records: Coded) -> pa.Table:
    """Return drawn records as values; generalised ones as labels. Missing is null.

    Of a bin a value of the grid is drawn evenly, which costs no privacy: the bin is all that is known.
    """
    columns: dict[str, pa.Array] = {}
    for place, attribute in enumerate(records.attributes):
        codes = records.codes[:, place]
        if as_declared(job, attribute):
            one = Coded((attribute,), np.ascontiguousarray(codes[:, None]))
            drawn = decoded(one, job.table, job.random).column(0).combine_chunks()
            columns[attribute.name] = _on_grid(drawn, job.table.columns[attribute.name])
        else:
            labels = pa.array(
                [None if label == MISSING else label for label in attribute.labels], pa.string()
            )
            columns[attribute.name] = labels.take(pa.array(codes))
    return pa.table(columns)


def _on_grid(values: pa.Array, column: Column) -> pa.Array:
    """Give decimal numbers the float that is nearest to their step of the grid: 0.3, not 3 · 0.1."""
    if column.type is not Type.NUMBER:
        return values
    absent = values.is_null().to_numpy(zero_copy_only=False)
    numbers, grid = values.fill_null(0.0).to_numpy(zero_copy_only=False), column.grid
    steps = np.rint(numbers * grid.denominator / grid.numerator)
    return pa.array(steps * grid.numerator / grid.denominator, mask=absent)


def counts_table(table: NoisyTable, axes: Sequence[Attribute]) -> pa.Table:
    """Return a noisy table as rows: a label of each column, and the count.

    Counts are written whole where all are whole, which says at once that nothing was fitted.
    """
    return labelled([attribute.labels for attribute in axes], table.counts.ravel(), table.attributes)


def labelled(labels: Sequence[Sequence[str]], counts: NDArray[np.float64], names: Sequence[str]) -> pa.Table:
    """Lay counts beside all combinations of labels, the last column changing fastest."""
    sizes = [len(one) for one in labels]
    columns: list[pa.Array] = []
    for place, one in enumerate(labels):
        inner, outer = math.prod(sizes[place + 1 :]), math.prod(sizes[:place])
        codes = np.tile(np.repeat(np.arange(sizes[place]), inner), outer)
        columns.append(pa.array(list(one), pa.string()).take(pa.array(codes)))
    flat = np.asarray(counts, np.float64)
    whole = np.rint(flat)
    exact = bool((whole == flat).all()) and bool((np.abs(flat) < 2**53).all())
    columns.append(pa.array(whole.astype(np.int64)) if exact else pa.array(flat))
    return pa.table(columns, names=[*names, _count_name(names)])


def _count_name(names: Sequence[str]) -> str:
    """Name the column of counts apart from the others, whatever their case.

    >>> _count_name(["age"]), _count_name(["Count"])
    ('count', 'count of people')
    """
    taken, name = {one.casefold() for one in names}, COUNT
    while name in taken:
        name += " of people"
    return name
