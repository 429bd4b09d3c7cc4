"""Clustering: do the same people still belong together?

Agreement by the adjusted Rand index, L. Hubert and P. Arabie, "Comparing partitions" (1985); clusters by
k-means, S. Lloyd (1982). Needs scikit-learn (``sfumato[learn]``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.measure import Measured
from sfumato.table.utility.features import features, learning_part
from sfumato.table.utility.records import Records


def adjusted_rand(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    """Return the agreement of two partitions: 1 the same, 0 as good as chance.

        ARI = (Σ_ij C(n_ij, 2) − E) / ((Σ_i C(a_i, 2) + Σ_j C(b_j, 2)) / 2 − E),
        E = Σ_i C(a_i, 2) · Σ_j C(b_j, 2) / C(n, 2)

    >>> adjusted_rand(np.array([0, 0, 1, 1]), np.array([5, 5, 2, 2]))
    1.0
    """
    table = _met(one, other)
    together, rows, columns = _pairs(table), _pairs(table.sum(1)), _pairs(table.sum(0))
    every = len(one) * (len(one) - 1) / 2
    expected = rows * columns / every if every else 0.0
    most = (rows + columns) / 2
    return 1.0 if most == expected else (together - expected) / (most - expected)


def pairwise_f(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    """Return the F measure over pairs: of precision and recall in keeping two records together."""
    table = _met(one, other)
    rows, columns = _pairs(table.sum(1)), _pairs(table.sum(0))
    return 2 * _pairs(table) / (rows + columns) if rows + columns else 1.0


def _met(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the records that lie in cluster i of the one and in cluster j of the other."""
    _, first = np.unique(one, return_inverse=True)
    _, second = np.unique(other, return_inverse=True)
    table = np.zeros((first.max() + 1, second.max() + 1), np.int64)
    np.add.at(table, (first, second), 1)
    return table


def _pairs(counts: NDArray[np.int64]) -> float:
    """Return Σ C(n, 2)."""
    return float((counts * (counts - 1) // 2).sum())


@dataclass(frozen=True)
class Clusters:
    """How far clusters found in the release differ from those found in the original.

    k-means is run on both tables; the *original* records are then assigned to the centres of either,
    and the two assignments compared: value = 1 − adjusted Rand index. The order of the release does not
    matter. k-means finds round clusters in whatever it is given: where the original has none, two runs
    on the original itself would differ too, and ``stability`` (the agreement of two such runs) says so.
    """

    clusters: int = 5
    columns: tuple[str, ...] = ()
    seed: int = 0
    name: ClassVar[str] = "clusters"
    title: ClassVar[str] = "disagreement of clusters (1 − adjusted Rand)"
    range: ClassVar[str] = "0 … 1 and a little more"
    meaning: ClassVar[str] = (
        "0: clusters of the release part the people as those of the original do; 1: as chance would"
    )

    def __post_init__(self) -> None:
        if self.clusters < 2:
            raise BadInput("there must be at least 2 clusters", where=self.name)

    def measure(self, records: Records) -> Measured:
        """Cluster both, assign the original twice, compare."""
        kmeans = learning_part("cluster").KMeans
        columns = records.chosen(self.columns)
        before = features(records, columns, released=False)
        after = features(records, columns, released=True)
        if min(len(before), len(after)) < self.clusters:
            raise BadInput(
                f"there are fewer records than {self.clusters} clusters",
                where=self.name,
                remedy="ask for fewer",
            )

        def parted(numbers: NDArray[np.float64], seed: int) -> NDArray[np.int64]:
            fitted = kmeans(self.clusters, n_init=4, random_state=seed).fit(numbers)
            return np.asarray(fitted.predict(before), np.int64)

        original = parted(before, self.seed)
        release = parted(after, self.seed)
        agreement = adjusted_rand(original, release)
        return Measured(
            1.0 - agreement,
            {
                "adjusted_rand": agreement,
                "f_measure": pairwise_f(original, release),
                "stability": adjusted_rand(original, parted(before, self.seed + 1)),
            },
        )
