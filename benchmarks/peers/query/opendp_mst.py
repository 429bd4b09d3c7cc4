"""OpenDP's MST (needs ``opendp[mbi]==0.16.0`` and pandas): ``PEOPLE SIZES {epsilon|rho} NUMBER MADE``.

PEOPLE is a CSV of positions with a header, SIZES the sizes of its columns' domains, with commas between them.
Synthetic people are written to MADE in the same form. Neighbours have one person more or less; the budget is
split as OpenDP does by default.

A domain is declared as cuts between its positions and not as keys: keys are given a place for unknown values
that nobody is in, and people are then made who have no value. People are drawn from the fitted model and not
rounded to it, as is the default: rounding ties columns to each other that the model holds to be independent.

The parts of the budget are added up in floats, rounded upwards, and in 0.16 the parts of eight choices (nine
columns) come to more than their sum may be, whatever the budget. So each part is made smaller by one in
10¹² (``prior``; the library goes to the next smaller float).
"""

from __future__ import annotations

import sys
from fractions import Fraction

import opendp.prelude as dp
import polars as pl
from opendp.extras.mbi import _mst

dp.enable_features("contrib")
_mst.prior = lambda part: part * (1 - 1e-12)


def synthesise(people: str, sizes: list[int], loss: str, number: float, made: str) -> None:
    """Spend the whole budget on one table and draw as many people as it says there are."""
    frame = pl.read_csv(people)
    context = dp.Context.compositor(
        data=frame.lazy(),
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(**{loss: number}),
        split_evenly_over=1,
    )
    cuts = {name: list(range(size - 1)) for name, size in zip(frame.columns, sizes, strict=True)}
    table = context.query().contingency_table(cuts=cuts, algorithm=dp.mbi.MST()).release()
    table.synthesize(method="sample").select(frame.columns).write_csv(made)


if __name__ == "__main__":
    synthesise(
        sys.argv[1],
        [int(size) for size in sys.argv[2].split(",")],
        sys.argv[3],
        float(Fraction(sys.argv[4])),
        sys.argv[5],
    )
