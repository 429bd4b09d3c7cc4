"""Numeric data: what became of values, means, covariances, correlations and eigenvalues.

J. Mateo-Sanz, F. Sebé and J. Domingo-Ferrer, "Outlier protection in continuous microdata masking" (PSD
2004) for IL1s; J. Domingo-Ferrer and V. Torra, "A quantitative comparison of disclosure control methods
for microdata" (2001) for the comparison of moments.

x are the original numbers, y the released ones, s_j the standard deviation of the original column j.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.measure import Measured
from sfumato.table.utility.records import Records

Numbers = NDArray[np.float64]


def standardised_distance(original: Numbers, released: Numbers) -> float:
    """IL1s = Σ_i Σ_j |x_ij − y_ij| / (√2 · s_j), over records in the same order.

    >>> round(standardised_distance(np.array([[0.0], [2.0]]), np.array([[1.0], [1.0]])), 6)
    1.0
    """
    spread = _spread(original)
    return float((np.abs(original - released) / (np.sqrt(2.0) * spread)).sum())


def distance_of_means(original: Numbers, released: Numbers) -> float:
    """Return mean_j |mean(x_j) − mean(y_j)| / s_j."""
    return float(np.mean(np.abs(original.mean(0) - released.mean(0)) / _spread(original)))


def distance_of_covariances(original: Numbers, released: Numbers) -> float:
    """Return mean over i ≤ j of |cov(x_i, x_j) − cov(y_i, y_j)| / (s_i · s_j)."""
    spread = _spread(original)
    apart = np.abs(_covariance(original) - _covariance(released)) / np.outer(spread, spread)
    return float(np.mean(apart[np.triu_indices(len(spread))]))


def distance_of_correlations(original: Numbers, released: Numbers) -> float:
    """Return mean over i < j of |corr(x_i, x_j) − corr(y_i, y_j)|; 0 for a single column."""
    apart = np.abs(_correlation(original) - _correlation(released))
    pairs = apart[np.triu_indices(len(apart), 1)]
    return float(np.mean(pairs)) if len(pairs) else 0.0


def distance_of_eigenvalues(original: Numbers, released: Numbers) -> float:
    """Return Σ_j |λ_j(x) − λ_j(y)| / λ_j(x), of the correlation matrices, eigenvalues in order."""
    before = np.linalg.eigvalsh(_correlation(original))
    after = np.linalg.eigvalsh(_correlation(released))
    # A direction without variance has no scale of its own: it is measured against one column's.
    scale = np.where(before > 1e-12, before, 1.0)
    return float((np.abs(before - after) / scale).sum())


def _spread(numbers: Numbers) -> Numbers:
    """Return the standard deviations; a constant column is measured as it is."""
    spread = numbers.std(0, ddof=1) if len(numbers) > 1 else np.zeros(numbers.shape[1])
    return np.where(spread > 0, spread, 1.0)


def _covariance(numbers: Numbers) -> Numbers:
    return np.atleast_2d(np.cov(numbers.T)) if len(numbers) > 1 else np.zeros((numbers.shape[1],) * 2)


def _correlation(numbers: Numbers) -> Numbers:
    """Return the correlations; a constant column is correlated with none but itself."""
    covariance = _covariance(numbers)
    spread = np.sqrt(np.diag(covariance))
    scale = np.where(spread > 0, spread, 1.0)
    found: Numbers = covariance / np.outer(scale, scale)
    np.fill_diagonal(found, 1.0)
    return found


@dataclass(frozen=True)
class Moments:
    """How far means, covariances, correlations and eigenvalues of numeric columns moved.

    The value is the mean of the four distances, each without a unit. Labels enter by their middle,
    records with a missing number are left out. Where the order of the records is known, IL1s is told
    besides. Averages hide what happens in the tails: look at queries or models for those.
    """

    columns: tuple[str, ...] = ()
    name: ClassVar[str] = "moments"
    title: ClassVar[str] = "means, covariances, correlations, eigenvalues"
    range: ClassVar[str] = "0 …"
    meaning: ClassVar[str] = "how far the moments of numeric columns moved, in units of the original's spread"

    def measure(self, records: Records) -> Measured:
        """Compare the moments of both tables."""
        columns = self.columns or tuple(name for name in records.columns if records.reader(name).on_axis)
        if not columns:
            raise BadInput("no column holds numbers", where=self.name, remedy="name 'columns'")
        before, after = (
            np.column_stack([records.numbers(name, released=released) for name in columns])
            for released in (False, True)
        )
        whole_before, whole_after = (side[~np.isnan(side).any(1)] for side in (before, after))
        if not len(whole_before) or not len(whole_after):
            raise BadInput("no record has all the numbers", where=self.name, remedy="name fewer columns")
        details: dict[str, int | float | str] = {
            "means": distance_of_means(whole_before, whole_after),
            "covariances": distance_of_covariances(whole_before, whole_after),
            "correlations": distance_of_correlations(whole_before, whole_after),
            "eigenvalues": distance_of_eigenvalues(whole_before, whole_after),
        }
        value = float(np.mean([float(part) for part in details.values()]))
        if records.rows is not None:
            paired = before[records.rows]
            known = ~(np.isnan(paired) | np.isnan(after)).any(1)
            spread = _spread(whole_before)
            apart = np.abs(paired[known] - after[known]) / (np.sqrt(2.0) * spread)
            details["il1s"] = float(apart.sum())
        return Measured(value, details)
