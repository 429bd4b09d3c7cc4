"""What figures of a network must be among each other, whoever counted them: from the release alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sfumato.graph.contract import Statistics
from sfumato.graph.methods import DpCounts, DpDegreeSequence
from sfumato.recipe.graph.statistics_methods import StatisticsMethod
from sfumato.recipe.graph.statistics_schema import ReleasedColumn, theta_of

_CLOSE = 1e-9
"""relative: sums of many figures are rounded"""


def rows_expected(method: StatisticsMethod, nodes: int | None) -> int | None:
    """Return how many rows a method writes: it follows from what is public."""
    if isinstance(method, DpCounts):
        return 1
    if isinstance(method, DpDegreeSequence):
        return nodes
    theta = theta_of(method, nodes)
    return None if theta is None else theta + 1


def outside(statistics: Statistics, declared: list[ReleasedColumn]) -> list[str]:
    """Return the columns with a figure that is missing or lies outside of what is declared."""
    wrong = []
    for told in declared:
        column = statistics.columns[told.name]
        slack = _CLOSE * max(1.0, told.most or 0.0)
        sound = np.isfinite(column).all() and bool((column >= told.least).all())
        if not sound or (told.most is not None and bool((column > told.most + slack).any())):
            wrong.append(told.name)
    return wrong


def disagreeing(statistics: Statistics, method: StatisticsMethod, nodes: int | None) -> list[str]:
    """Name what does not follow from what it follows from."""
    return [what for what, sound in _checks(statistics, method, nodes) if not sound]


def _checks(
    statistics: Statistics, method: StatisticsMethod, nodes: int | None
) -> Iterator[tuple[str, bool]]:
    columns = statistics.columns
    if isinstance(method, DpCounts):
        yield "a count is whole", _whole(columns[method.count.value])
        return
    degree = columns["degree"]
    if isinstance(method, DpDegreeSequence):
        yield "degrees ascend", bool((np.diff(degree) >= 0).all())
        if method.graphic:
            yield "some network has these degrees", _whole(degree) and is_graphic(degree.astype(np.int64))
        return
    yield "degrees are told one by one", bool(np.array_equal(degree, np.arange(len(degree))))
    counted = columns["nodes"]
    if not method.cumulative:
        yield "counts are whole", _whole(counted)
    elif nodes is not None:
        yield "nodes add up", bool(abs(float(counted.sum()) - nodes) <= _CLOSE * max(1, nodes))


def _whole(column: NDArray[np.float64]) -> bool:
    return bool((column == np.rint(column)).all())


def is_graphic(ascending: NDArray[np.int64]) -> bool:
    """Say whether some network has these degrees (Erdős & Gallai 1960): their sum is even and, descending,
    Σ_{i ≤ r} dᵢ ≤ r(r − 1) + Σ_{i > r} min(dᵢ, r) for each r.

    >>> is_graphic(np.array([1, 1, 2])), is_graphic(np.array([1, 3])), is_graphic(np.array([0, 2, 2]))
    (True, False, False)
    """
    nodes = len(ascending)
    if int(ascending.sum()) % 2:
        return False
    above = np.cumsum(ascending[::-1])
    below = np.concatenate([np.zeros(1, np.int64), np.cumsum(ascending)])
    taken = np.arange(1, nodes + 1)
    # Of the nodes that are not among the first r, those of at most r neighbours count in full.
    small = np.minimum(np.searchsorted(ascending, taken, side="right"), nodes - taken)
    rest = below[small] + (nodes - taken - small) * taken
    return bool((above <= taken * (taken - 1) + rest).all())
