"""What the peers' scripts share: the table of a million rows, the clock, and what they print."""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np


def million(rows: int) -> dict[str, np.ndarray]:
    """Make the same table for everybody: age, hours, education as a number."""
    draw = np.random.default_rng(0)
    return {
        "age": draw.integers(17, 91, rows),
        "hours": draw.integers(0, 101, rows),
        "edu": draw.integers(0, 16, rows),
    }


def cpu(work: Callable[[], object], runs: int) -> float:
    """Return the median CPU milliseconds after one run to warm up."""
    work()
    spent = []
    for _ in range(runs):
        before = time.process_time()
        work()
        spent.append(time.process_time() - before)
    return 1000 * statistics.median(spent)


def rmse(draw: Callable[[], object], truth: object, times: int) -> float:
    """Return the root mean square error of so many answers (over all cells, where there are several)."""
    off = [np.asarray(draw(), float) - np.asarray(truth, float) for _ in range(times)]
    return float(np.sqrt(np.mean(np.square(off))))


def tell(found: dict[str, float]) -> None:
    """Print the figures as the last line."""
    sys.stdout.flush()
    print(json.dumps(found))
