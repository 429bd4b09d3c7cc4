"""SmartNoise SQL: ``latency ROWS RUNS``, ``people ROWS RUNS`` or ``error FILE EPSILON TIMES``.

``latency`` takes each row as a person (row_privacy). ``people`` names the person in a column (private_id)
and leaves the rest at its defaults: one row per person (max_ids 1), sampled anew for every question.
"""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import snsql
from common import cpu, million, rmse, tell

NAMES = {"age": (17, 90), "hours": (0, 100), "edu": (0, 15)}


def reader(frame: pd.DataFrame, epsilon: float) -> snsql.PrivateReader:
    """Open a frame with public bounds; rows are people unless there is a column that names them."""
    columns = {name: {"type": "int", "lower": low, "upper": high} for name, (low, high) in NAMES.items()}
    table = {"rows": len(frame), **{n: c for n, c in columns.items() if n in frame}}
    if "person" in frame:
        table["person"] = {"type": "int", "private_id": True}
    else:
        table["row_privacy"] = True
    return snsql.from_df(
        frame, privacy=snsql.Privacy(epsilon=epsilon, delta=1e-9), metadata={"": {"db": {"t": table}}}
    )


def latency(rows: int, runs: int, *, people: bool = False) -> None:
    """Measure count, 16 groups and mean; there is no median."""
    held = million(rows)
    private = reader(pd.DataFrame({**held, "person": np.arange(rows)} if people else held), 0.1)
    work = {
        "count": "SELECT COUNT(*) AS n FROM db.t",
        "groups": "SELECT edu, COUNT(*) AS n FROM db.t GROUP BY edu",
        "mean": "SELECT AVG(hours) AS m FROM db.t",
    }
    tell({name: cpu(lambda sql=sql: private.execute(sql), runs) for name, sql in work.items()})


def error(path: str, epsilon: float, times: int) -> None:
    """Measure the error of a count and a mean. A mean is charged twice ε, so it is asked with half."""
    frame = pd.read_csv(path)
    whole, half = reader(frame, epsilon), reader(frame, epsilon / 2)
    tell(
        {
            "count": rmse(lambda: whole.execute("SELECT COUNT(*) AS n FROM db.t")[1][0], len(frame), times),
            "mean": rmse(
                lambda: half.execute("SELECT AVG(age) AS m FROM db.t")[1][0], np.mean(frame["age"]), times
            ),
        }
    )


if __name__ == "__main__":
    if sys.argv[1] in ("latency", "people"):
        latency(int(sys.argv[2]), int(sys.argv[3]), people=sys.argv[1] == "people")
    else:
        error(sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))
