"""How far counts over ranges are from the true ones, when they are read from a noisy table.

X. Xiao, G. Wang & J. Gehrke (2011) and W. Qardaji, W. Yang & N. Li (2013) compare histograms by it.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.core.measure import Measured
from sfumato.query.methods.contract import Coded, NoisyTable


@dataclass(frozen=True)
class RangeQueries:
    """The root mean square error of counts over ranges, in people.

        value = √ mean over ranges R of (Σ_R noisy − Σ_R true)²

    A range is a run of neighbouring positions of every attribute of the table, each run as likely as the
    others. All of one attribute are taken where there are no more than ``queries``, else as many are drawn.
    Also told: the mean absolute error, and the mean relative one, |error| / max(true, ``floor`` · people).
    Computed from raw data: for the steward, not for release.

    >>> from sfumato.query.methods.contract import Attribute
    >>> age = Attribute("age", ("young", "old"))
    >>> people = Coded((age,), np.array([[0], [1], [1]], np.int32))
    >>> RangeQueries().measure(people, NoisyTable(("age",), np.array([4.0, -1.0]))).value
    2.449489742783178
    """

    queries: int = 10_000
    seed: int = 0
    floor: float = 0.001
    name: ClassVar[str] = "range-queries"
    title: ClassVar[str] = "error of counts over ranges"
    range: ClassVar[str] = "0 … ∞"
    meaning: ClassVar[str] = "root mean square error, in people, of counts over ranges of positions"

    def __post_init__(self) -> None:
        if isinstance(self.queries, bool) or self.queries < 1 or not 0 < self.floor <= 1:
            raise BadInput(
                "queries must be at least 1, and floor a share of the people",
                where=self.name,
                remedy="try 1000",
            )

    def measure(self, original: Coded, table: NoisyTable) -> Measured:
        """Ask both about the same ranges."""
        exact = self._counted(original, table)
        runs = self._runs(exact.shape)
        truth, noisy = _sums(exact, runs), _sums(table.counts, runs)
        error = np.abs(noisy - truth)
        relative = error / np.maximum(truth, self.floor * len(original.codes))
        return Measured(
            math.sqrt(float((error**2).mean())),
            {
                "absolute": float(error.mean()),
                "relative": float(relative.mean()),
                "largest": float(error.max()),
                "queries": len(error),
            },
        )

    def _counted(self, original: Coded, table: NoisyTable) -> NDArray[np.float64]:
        known = [attribute.name for attribute in original.attributes]
        for name in table.attributes:
            if name not in known:
                raise BadInput(
                    f"there is no attribute '{name}'", where=self.name, remedy=nearest(name, known)
                )
        columns = [known.index(name) for name in table.attributes]
        shape = tuple(original.attributes[c].size for c in columns)
        if not columns or shape != table.counts.shape:
            raise BadInput(
                "the table is not over the domains of the people", where=self.name, remedy="code them alike"
            )
        if not len(original.codes):
            raise BadInput("there is nobody to count", where=self.name)
        cells = np.ravel_multi_index([original.codes[:, c] for c in columns], shape)
        return np.bincount(cells, minlength=math.prod(shape)).astype(np.float64).reshape(shape)

    def _runs(self, shape: tuple[int, ...]) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Return, for each attribute, where the runs begin and where they end (the first position beyond)."""
        if len(shape) == 1 and shape[0] * (shape[0] + 1) // 2 <= self.queries:
            low, high = np.triu_indices(shape[0] + 1, 1)
            return [(low.astype(np.int64), high.astype(np.int64))]
        generator = np.random.default_rng(self.seed)
        found = []
        for size in shape:
            one = generator.integers(size + 1, size=self.queries)
            other = generator.integers(size, size=self.queries)
            other = np.where(other >= one, other + 1, other)
            found.append((np.minimum(one, other), np.maximum(one, other)))
        return found


def _sums(
    table: NDArray[np.float64], runs: list[tuple[NDArray[np.int64], NDArray[np.int64]]]
) -> NDArray[np.float64]:
    """Add up ranges: running sums at their corners, with alternating signs."""
    running = np.pad(np.asarray(table, np.float64), [(1, 0)] * table.ndim)
    for axis in range(table.ndim):
        running = running.cumsum(axis=axis)
    found = np.zeros(len(runs[0][0]))
    for corner in itertools.product((0, 1), repeat=table.ndim):
        sign = (-1) ** (table.ndim - sum(corner))
        found += sign * running[tuple(run[side] for run, side in zip(runs, corner, strict=True))]
    return found
