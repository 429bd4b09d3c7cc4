"""OpenDP's Context on Polars (needs ``opendp[polars]``): ``latency ROWS RUNS``."""

from __future__ import annotations

import sys

import opendp.prelude as dp
import polars as pl
from common import cpu, million, tell

dp.enable_features("contrib")


def latency(rows: int, runs: int) -> None:
    """Measure count, 16 groups, mean (sum and count) and median, each with a context of its own."""
    frame = pl.DataFrame(million(rows)).lazy()

    def context() -> dp.Context:
        return dp.Context.compositor(
            data=frame,
            privacy_unit=dp.unit_of(contributions=1),
            privacy_loss=dp.loss_of(epsilon=0.1),
            split_evenly_over=1,
            margins=[
                dp.polars.Margin(max_length=2 * rows),
                dp.polars.Margin(by=["edu"], max_groups=16, max_length=2 * rows, invariant="keys"),
            ],
        )

    ages = list(range(17, 91))
    work = {
        "count": lambda: context().query().select(dp.len()).release().collect(),
        "groups": lambda: context().query().group_by("edu").agg(dp.len()).release().collect(),
        "mean": lambda: (
            context()
            .query()
            .select(pl.col("hours").fill_null(0).dp.sum((0, 100)), dp.len())
            .release()
            .collect()
        ),
        "median": lambda: (
            context().query().select(pl.col("age").fill_null(17).dp.median(ages)).release().collect()
        ),
    }
    tell({name: cpu(one, runs) for name, one in work.items()})


if __name__ == "__main__":
    latency(int(sys.argv[2]), int(sys.argv[3]))
