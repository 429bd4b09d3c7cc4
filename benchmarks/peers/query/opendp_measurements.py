"""OpenDP's measurements, put together by hand: ``error FILE EPSILON TIMES``.

Neighbours with one person more or less. The mean is a centred sum and a count with half of ε each; the median
the noisiest-best of all ages.
"""

from __future__ import annotations

import sys

import numpy as np
import opendp.prelude as dp
from common import rmse, tell

dp.enable_features("contrib")
ONE = (dp.atom_domain(T="i64"), dp.absolute_distance(T="i64"))
MANY = (dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64"))
SCORES = (dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.linf_distance(T=float))


def error(path: str, epsilon: float, times: int) -> None:
    """Measure the errors of count, 16 groups, mean and median."""
    columns = np.genfromtxt(path, delimiter=",", names=True, dtype=np.int64)
    age, edu = columns["age"], columns["edu"]
    counts = np.bincount(edu, minlength=16)
    count = dp.m.make_laplace(*ONE, scale=1 / epsilon)
    groups = dp.m.make_laplace(*MANY, scale=1 / epsilon)
    rows = dp.m.make_laplace(*ONE, scale=2 / epsilon)
    # Twice the age, so that the middle of 17 and 90 is a whole number: one person changes the sum by 73.
    total = dp.m.make_laplace(*ONE, scale=73 * 2 / epsilon)
    centred = int((2 * age - 107).sum())
    ages = np.arange(17, 91)
    below, above = (age[:, None] < ages).sum(axis=0), (age[:, None] > ages).sum(axis=0)
    best = dp.m.make_noisy_max(*SCORES, dp.max_divergence(), scale=2 * 0.5 / epsilon)
    scores = (-np.abs(0.5 * below - 0.5 * above)).tolist()
    tell(
        {
            "count": rmse(lambda: count(len(age)), len(age), times),
            "groups": rmse(lambda: groups(counts.tolist()), counts, times // 10),
            "mean": rmse(lambda: 53.5 + total(centred) / 2 / max(1, rows(len(age))), age.mean(), times),
            "median": rmse(lambda: ages[best(scores)], np.median(age), times // 10),
        }
    )


if __name__ == "__main__":
    error(sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))
