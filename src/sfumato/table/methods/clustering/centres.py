"""Publish the centre and the radius of a cluster: ``27 ± 4``.

G. Aggarwal et al., "Achieving anonymity via clustering" (PODS 2006; ACM TALG 2010): of every cluster its
centre, its radius and the number of its members are published. Here the centre of a number is the mean
of the cluster, rounded to the finest step that the column is written in; the radius is the distance to
the member that is farthest away, so that everybody lies within it. Dates are centred on a day. Values
without an order have no mean: they are published as sets.

The mean tells more than a range (where the cluster is dense) and less (its ends, unless both are as far
away). A radius of 0 is left out: the value is published as it is.
"""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Scale
from sfumato.table.methods.mondrian_boxes import OR_MISSING
from sfumato.table.methods.mondrian_columns import Column
from sfumato.table.solution import Generalised

_MOST_DECIMALS = 9


def centres(
    column: Column, codes: NDArray[np.int32], rows: NDArray[np.int64], starts: NDArray[np.int64]
) -> tuple[Generalised, NDArray[np.int32]]:
    """Write the centres of a column with an axis; return them and which of them each cluster shows.

    Cluster i holds ``codes[starts[i]:starts[i + 1]]``, each so often as ``rows`` says.
    """
    places: dict[str | None, int] = {}
    extents: list[float] = []
    leaves: list[float] = []
    of_cluster = np.empty(len(starts) - 1, np.int32)
    step = _step(column)
    for i in range(len(starts) - 1):
        some = slice(int(starts[i]), int(starts[i + 1]))
        inside = codes[some] != column.missing
        present = codes[some][inside]
        mixed = len(present) < len(inside)
        text, extent, covered = None, 0.0, 1.0
        if len(present):
            text, extent, covered = _centre(column, present, rows[some][inside], step)
            if mixed:
                bounds = text if extent > 0 else f"[{text}]"
                text, extent, covered = f"{bounds}{OR_MISSING}", column.span, covered + 1
        if text not in places:
            places[text] = len(places)
            extents.append(extent)
            leaves.append(covered)
        of_cluster[i] = places[text]
    shown = Generalised(
        name=column.domain.name,
        labels=tuple(places),
        leaves=np.array(leaves),
        size=column.size,
        extent=np.array(extents),
        span=column.span,
        levels=np.full(len(places), math.nan),
        height=0,
    )
    return shown, of_cluster


def _centre(
    column: Column, codes: NDArray[np.int32], rows: NDArray[np.int64], step: Fraction
) -> tuple[str | None, float, float]:
    """Return the label of some values, how wide it is and how many values of the domain it covers."""
    low, high = int(codes.min()), int(codes.max())
    if low == high:
        return column.domain.texts[low], 0.0, 1.0
    weights = rows if rows.any() else np.ones(len(rows), np.int64)
    positions = column.positions
    mean = float((positions[codes] * weights).sum() / weights.sum())
    centre = round(Fraction(mean) / step) * step
    ends = [_exact(column, positions[low]), _exact(column, positions[high])]
    radius = max(centre - ends[0], ends[1] - centre)
    covered = np.count_nonzero((positions >= float(centre - radius)) & (positions <= float(centre + radius)))
    extent = min(float(2 * radius), column.span)
    if column.domain.scale is Scale.DATE:
        day = dt.date.fromordinal(int(centre)).isoformat()
        days = math.ceil(radius)
        return f"{day} ± {days} {'day' if days == 1 else 'days'}", extent, float(covered)
    return f"{_decimal(centre)} ± {_decimal(radius)}", extent, float(covered)


def _exact(column: Column, position: float) -> Fraction:
    """The number that a position stands for, as it is written."""
    if column.domain.scale is Scale.DATE:
        return Fraction(float(position))
    return Fraction(str(Decimal(repr(float(position)))))


def _step(column: Column) -> Fraction:
    """The finest step in which the values of a column are written: 1, 1/10, …; a day for dates."""
    if column.domain.scale is Scale.DATE:
        return Fraction(1)
    finest = 0
    for position in column.positions.tolist():
        exponent = Decimal(repr(position)).normalize().as_tuple().exponent
        finest = max(finest, -int(exponent))
    return Fraction(1, 10 ** min(finest, _MOST_DECIMALS))


def _decimal(number: Fraction) -> str:
    """Write a fraction whose denominator divides a power of ten."""
    text = format(Decimal(number.numerator) / Decimal(number.denominator), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
