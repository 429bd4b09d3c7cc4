"""OpenDP's MST (needs ``opendp[mbi]``): ``PEOPLE SIZES {epsilon|rho} NUMBER MADE``.

PEOPLE is a CSV of positions with a header, SIZES the sizes of its columns' domains, with commas between them.
Synthetic people are written to MADE in the same form, and the CPU seconds they took are printed. Neighbours
have one person more or less, budgets are split as OpenDP does by default.

A domain is declared as cuts between its positions and not as keys: keys are given a place for unknown values
that nobody is in, and people are then made who have no value. Its check of the budget is done in floats and
refuses some numbers by a rounding error; those with few binary digits (1, 15/1024) pass.
"""

from __future__ import annotations

import sys
import time
from fractions import Fraction

import opendp.prelude as dp
import polars as pl
from common import tell

dp.enable_features("contrib")


def synthesise(people: str, sizes: list[int], loss: str, number: float, made: str) -> None:
    """Spend the whole budget on one table and draw as many people as it says there are."""
    frame = pl.read_csv(people)
    before = time.process_time()
    context = dp.Context.compositor(
        data=frame.lazy(),
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(**{loss: number}),
        split_evenly_over=1,
    )
    cuts = {name: list(range(size - 1)) for name, size in zip(frame.columns, sizes, strict=True)}
    table = context.query().contingency_table(cuts=cuts, algorithm=dp.mbi.MST()).release()
    drawn = table.synthesize()
    tell({"seconds": time.process_time() - before})
    drawn.select(frame.columns).write_csv(made)


if __name__ == "__main__":
    synthesise(
        sys.argv[1],
        [int(size) for size in sys.argv[2].split(",")],
        sys.argv[3],
        float(Fraction(sys.argv[4])),
        sys.argv[5],
    )
