"""Additive noise: every number is moved by a random amount.

J. J. Kim, "A method for limiting disclosure in microdata based on random noise and transformation"
(1986); for the uncorrelated kind also P. Tendick (1991).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.core.randomness import Random
from sfumato.table.perturbation import reading
from sfumato.table.perturbation.contract import Perturbed

F64 = NDArray[np.float64]
Restore = Literal["nothing", "expected", "exact"]


@dataclass(frozen=True)
class Noise:
    """Add normal noise whose covariance is α times that of the data:

        X' = X + E,   E ~ N(0, α · diag Σ)   or, correlated,   E ~ N(0, α · Σ).

    Means are kept in expectation. Correlated, Cov(X') = (1 + α) Σ in expectation: correlations are kept,
    and an analyst who knows α divides by 1 + α. ``restore``: *expected* shrinks the outcome so that means
    and variances (correlated: all covariances) are those of X in expectation (Kim's transformation),

        X'' = μ + (X' − μ) / √(1 + α);

    *exact* moves and scales each column so that its mean and variance are exactly those of the data.

    It blurs values so that they cannot be matched exactly. It promises nothing about one person: somebody
    far from all others is still far, and several noisy versions of the same table can be averaged.
    Missing values stay missing; they, and rows with one of them, are left out of Σ when correlated.

    >>> Noise(["income"], alpha=0.01).truthful
    False
    """

    columns: tuple[str, ...]
    alpha: float = 0.1
    correlated: bool = False
    restore: Restore = "nothing"
    name: ClassVar[str] = "noise"
    truthful: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", reading.names_of(self.columns))
        reading.check_names(self.name, self.columns)
        if not 0.0 < self.alpha < np.inf:
            raise BadInput(
                "alpha must be a positive number: the noise's share of the variance",
                where=self.name,
                remedy="try alpha: 0.1",
            )
        if self.restore not in get_args(Restore):
            raise BadInput(
                f"'{self.restore}' cannot be restored",
                where=self.name,
                remedy=nearest(str(self.restore), get_args(Restore)),
            )

    def apply(self, records: pa.Table, random: Random) -> Perturbed:
        """Draw noise for every value that is there."""
        axes = [reading.axis_of(records, name) for name in self.columns]
        before = np.column_stack([axis.values for axis in axes])
        for axis in axes:
            if axis.present.sum() < 2:
                raise BadInput(
                    "it has fewer than two values, so their variance is not known",
                    where=f"column '{axis.name}'",
                    remedy="leave it out",
                )
        drawn = random.normal(before.size).reshape(before.shape)
        after = before + drawn @ self._root(before).T
        if self.restore == "expected":
            means = np.nanmean(before, axis=0)
            after = means + (after - means) / np.sqrt(1.0 + self.alpha)
        elif self.restore == "exact":
            after = _like(before, after)
        for j, axis in enumerate(axes):
            records = reading.with_column(records, axis.name, axis.write(after[:, j]))
        moved = np.nanstd(after - before, axis=0, ddof=1)
        return Perturbed(
            records,
            details={
                "changed_values": int((~np.isnan(before)).sum()),
                **{f"deviation_of_noise_in_{axis.name}": float(moved[j]) for j, axis in enumerate(axes)},
            },
        )

    def _root(self, before: F64) -> F64:
        """Return A with A·Aᵀ = the covariance of the noise."""
        if not self.correlated:
            return np.diag(np.sqrt(self.alpha * np.nanvar(before, axis=0, ddof=1)))
        whole = before[~np.isnan(before).any(axis=1)]
        if len(whole) < 2:
            raise BadInput(
                "fewer than two rows have a value in all columns, so their covariance is not known",
                where=self.name,
                remedy="leave out the column with most missing values",
            )
        covariance = np.atleast_2d(np.cov(whole, rowvar=False))
        # Columns that depend on each other make Σ singular: its eigenvalues may fall a hair below 0.
        values, vectors = np.linalg.eigh(covariance)
        return np.asarray(vectors * np.sqrt(self.alpha * np.maximum(values, 0.0)), np.float64)


def _like(before: F64, after: F64) -> F64:
    """Move and scale each column of ``after`` to the mean and variance of ``before``."""
    wanted, found = np.nanstd(before, axis=0, ddof=1), np.nanstd(after, axis=0, ddof=1)
    scale = np.divide(wanted, found, out=np.ones_like(found), where=found > 0.0)
    restored: F64 = np.nanmean(before, axis=0) + (after - np.nanmean(after, axis=0)) * scale
    return restored
