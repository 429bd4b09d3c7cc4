"""Log-linear risk: how many of the sample's uniques are unique in the population, by a model of all cells.

C. J. Skinner & D. J. Holmes, "Estimating the re-identification risk per record in microdata" (1998);
E. A. H. Elamir & C. J. Skinner, "Record level measures of disclosure risk for survey microdata" (2006); the
test of the model: C. J. Skinner & N. Shlomo, "Assessing identification disclosure risk in survey microdata
using log-linear models" (2008).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.table.risk.class_sizes import checked_sizes
from sfumato.table.risk.contingency import FittedCells, Interactions

Numbers = NDArray[np.float64]

WHERE = "log-linear risk"
NOTABLE = 2.0
"""standard deviations beyond which the test of the model speaks against it"""


@dataclass(frozen=True)
class LogLinearRisk:
    """Expected numbers of sample uniques that are population unique, and that a linker gets right.

    In cell k there are F_k ~ Poisson(λ_k) people, of whom the sample has f_k ~ Poisson(μ_k), μ_k = π_k λ_k.
    The μ_k obey a log-linear model of the quasi-identifiers (independence, all pairs, or given
    interactions) and are fitted to the counts. The people of a cell who are not in the sample are Poisson
    too, hence with v_k = λ_k (1 − π_k) and over the cells with f_k = 1

        τ1 = Σ P(F_k = 1 | f_k = 1) = Σ e^(−v_k),     τ2 = Σ E(1 / F_k | f_k = 1) = Σ (1 − e^(−v_k)) / v_k.

    ``misfit`` tells from how the counts scatter about the fit whether the model is the right one (B of
    Skinner & Shlomo: E[τ̂1 − τ1] with e^(−v) expanded to second order),

        B = Σ λ e^(−λ) (1 − π) { (f − μ) + (1 − π) [(f − μ)² − f] / 2π }  over all cells, empty ones too,

    and ``misfit_score`` is B by its standard deviation: above 2 the model is too simple and τ probably too
    high, below −2 it is too rich and τ probably too low. So it is too when it has a parameter for every two
    persons. ``deviance`` is 2 Σ f ln(f / μ).

    It is about linking sample uniques to people on the declared quasi-identifiers. People in larger classes
    and sensitive values are not looked at. A fit that does not converge gives None, and ``said`` tells why.

    >>> codes = [[0, 0, 1, 1, 2], [0, 1, 0, 1, 1]]
    >>> risk = LogLinearRisk.of(codes, [40, 9, 30, 1, 1], fraction=0.5)
    >>> print(risk)
    log-linear risk: of 2 sample uniques 0.9 are expected to be population unique, 1.2 to be linked rightly
    """

    population_uniques: float | None
    """τ1"""
    correct_matches: float | None
    """τ2"""
    uniques: int
    persons: int
    fraction: float
    """of the population, in the sample"""
    risks: Numbers = field(repr=False, compare=False)
    """E(1 / F | f = 1) for every cell with f = 1, not a number for the others"""
    fitted: Numbers = field(repr=False, compare=False)
    """μ for every cell that was given"""
    deviance: float | None = None
    misfit: float | None = None
    misfit_score: float | None = None
    parameters: int = 0
    """of the model; more than the data can tell where some margins are empty"""
    said: tuple[str, ...] = ()
    threat: ClassVar[Threat] = Threat.IDENTITY

    @classmethod
    def of(
        cls,
        codes: ArrayLike,
        counts: ArrayLike,
        *,
        population: ArrayLike | None = None,
        fraction: float | None = None,
        interactions: Interactions | Sequence[Sequence[int]] = "none",
    ) -> LogLinearRisk:
        """Fit the model to the cells of a sample and sum over its uniques.

        ``codes[j, k]`` is the value of cell k in column j and ``counts[k]`` its persons, as in ``Cells``:
        each combination once. Give the ``fraction`` of the population that is in the sample, or by
        ``population`` the sum of weights of every cell; then π_k = f_k / F_k, and for empty cells the share
        of the whole.
        ``interactions`` are "none" (independence), "pairs" (all of two columns), or a list of sets of
        columns, such as ``[(0, 1), (2, 3, 4)]``, where columns in none of them are independent.
        """
        persons = checked_sizes(counts)
        if not len(persons):
            raise BadInput("there is nobody whose risk could be measured", where=WHERE)
        chance, overall = _sampling(persons, population, fraction)
        cells = FittedCells.of(np.asarray(codes), persons, interactions, WHERE)
        unique = persons == 1
        risks = np.full(len(persons), math.nan)
        if cells.said:
            return cls(
                None,
                None,
                int(unique.sum()),
                int(persons.sum()),
                overall,
                risks,
                cells.fitted,
                said=cells.said,
            )
        unseen = (cells.fitted * (1 - chance) / chance)[unique]
        # (1 − e^−v) / v is 1 at v = 0.
        risks[unique] = np.where(unseen > 0, -np.expm1(-unseen) / np.where(unseen > 0, unseen, 1.0), 1.0)
        misfit, score = _misfit(cells, persons, chance, overall)
        for array in (risks, cells.fitted):
            array.flags.writeable = False
        return cls(
            population_uniques=float(np.exp(-unseen).sum()),
            correct_matches=float(risks[unique].sum()),
            uniques=int(unique.sum()),
            persons=int(persons.sum()),
            fraction=overall,
            risks=risks,
            fitted=cells.fitted,
            deviance=float(2 * (persons * np.log(persons / cells.fitted)).sum()),
            misfit=misfit,
            misfit_score=score,
            parameters=cells.parameters,
            said=_judged(score, cells),
        )

    def __str__(self) -> str:
        if self.population_uniques is None:
            return f"log-linear risk: not known: {'; '.join(self.said)}"
        notes = f" ({'; '.join(self.said)})" if self.said else ""
        return (
            f"log-linear risk: of {self.uniques:,} sample uniques {self.population_uniques:,.1f} are "
            f"expected to be population unique, {self.correct_matches:,.1f} to be linked rightly{notes}"
        )


def _sampling(
    persons: NDArray[np.int64], population: ArrayLike | None, fraction: float | None
) -> tuple[Numbers, float]:
    """Return π for every cell and for the whole."""
    if (population is None) == (fraction is None):
        raise BadInput("give the sampling fraction or the sums of weights, one of them", where=WHERE)
    if fraction is not None:
        if not 0 < fraction <= 1:
            raise BadInput("the sampling fraction lies above 0 and is at most 1", where=WHERE)
        return np.full(len(persons), float(fraction)), float(fraction)
    stand_for = np.atleast_1d(np.asarray(population, np.float64))
    if stand_for.shape != persons.shape or not np.isfinite(stand_for).all():
        raise BadInput(f"{len(persons):,} cells need as many sums of weights", where=WHERE)
    short = int((stand_for < persons * (1 - 1e-9)).sum())
    if short:
        raise BadInput(
            f"{short:,} cells stand for fewer people of the population than they have in the data",
            where=WHERE,
            remedy="weights must be at least 1 on average in every cell",
        )
    stand_for = np.maximum(stand_for, persons)
    return persons / stand_for, float(persons.sum() / stand_for.sum())


def _misfit(
    cells: FittedCells, persons: NDArray[np.int64], chance: Numbers, overall: float
) -> tuple[float | None, float | None]:
    """Return B and B by its standard deviation, or None where the table is too large to go through.

    For f ~ Poisson(μ) the terms f − μ and (f − μ)² − f have mean 0, variances μ and 2μ², and covariance 0.
    """
    table = cells.table()
    if table is None:
        return None, None
    counted, pi = np.zeros(len(table)), np.full(len(table), overall)
    counted[cells.places], pi[cells.places] = persons, chance
    rate = table / pi
    first = rate * np.exp(-rate) * (1 - pi)
    second = first * (1 - pi) / (2 * pi)
    off = counted - table
    misfit = float((first * off + second * (off**2 - counted)).sum())
    spread = math.sqrt(float((first**2 * table + 2 * second**2 * table**2).sum()))
    return misfit, misfit / spread if spread else None


def _judged(score: float | None, cells: FittedCells) -> tuple[str, ...]:
    said = []
    if score is not None and score > NOTABLE:
        said.append("the model is too simple for these data, so the figures are probably too high")
    elif score is not None and score < -NOTABLE:
        said.append("the model is too rich for these data, so the figures are probably too low")
    if 2 * cells.parameters > cells.persons:
        said.append(
            f"the model has {cells.parameters:,} parameters for {cells.persons:,} persons, so the figures "
            "are probably too low"
        )
    return tuple(said)
