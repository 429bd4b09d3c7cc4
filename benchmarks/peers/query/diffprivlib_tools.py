"""diffprivlib: ``latency ROWS RUNS`` or ``error FILE EPSILON TIMES``.

Neighbours by substitution, and the number of rows is public.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np
from common import cpu, million, rmse, tell
from diffprivlib import tools
from diffprivlib.mechanisms import Geometric

warnings.simplefilter("ignore")


def latency(rows: int, runs: int) -> None:
    """Measure count, 16 groups, mean and median of arrays in memory."""
    held = million(rows)
    work = {
        "count": lambda: tools.count_nonzero(held["age"] > 0, epsilon=0.1),
        "groups": lambda: tools.histogram(held["edu"], epsilon=0.1, bins=16, range=(0, 16)),
        "mean": lambda: tools.mean(held["hours"], epsilon=0.1, bounds=(0, 100)),
        "median": lambda: tools.median(held["age"], epsilon=0.1, bounds=(17, 90)),
    }
    tell({name: cpu(one, runs) for name, one in work.items()})


def error(path: str, epsilon: float, times: int) -> None:
    """Measure the errors of the same four questions."""
    columns = np.genfromtxt(path, delimiter=",", names=True, dtype=np.int64)
    age, edu = columns["age"], columns["edu"]
    noise = Geometric(epsilon=epsilon, sensitivity=1)
    counts = np.bincount(edu, minlength=16)
    tell(
        {
            "count": rmse(lambda: noise.randomise(len(age)), len(age), times),
            "groups": rmse(
                lambda: tools.histogram(edu, epsilon=epsilon, bins=16, range=(0, 16))[0], counts, times // 20
            ),
            "mean": rmse(lambda: tools.mean(age, epsilon=epsilon, bounds=(17, 90)), age.mean(), times),
            "median": rmse(
                lambda: tools.median(age, epsilon=epsilon, bounds=(17, 90)), np.median(age), times // 50
            ),
        }
    )


if __name__ == "__main__":
    if sys.argv[1] == "latency":
        latency(int(sys.argv[2]), int(sys.argv[3]))
    else:
        error(sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))
