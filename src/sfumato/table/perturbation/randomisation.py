"""Randomised values: each is kept or replaced by a throw of dice that everybody knows.

Retention and replacement: R. Agrawal, R. Srikant & D. Thomas, "Privacy preserving OLAP" (SIGMOD 2005);
the calibration: A. Evfimievski, J. Gehrke & R. Srikant (PODS 2003) and Y. Tao et al. (ICDE 2008).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.table.perturbation.contract import Mechanism, Perturbed, told_of_data
from sfumato.table.perturbation.randomisation_bounds import (
    amplification,
    exactly,
    gamma_for_beliefs,
    gamma_for_growth,
    share,
    shown,
)
from sfumato.table.perturbation.randomisation_values import Coded, Value, code_column, given_values

_FINEST = 2**62
"""shares are drawn as whole numbers below this"""


@dataclass(frozen=True)
class RetentionReplacement:
    """Keep each value with probability p, else draw one from a public distribution q.

    P[u → v] = p·[u = v] + (1 − p)·q_v. Say how much to keep in one of four ways: ``keep`` is p itself;
    ``gamma`` bounds the amplification; ``rho1`` and ``rho2`` bound a belief of at most ρ1 by ρ2;
    ``delta`` bounds the growth of a belief (of beliefs of at most ``prior``, if that is given). The
    largest p is taken that does it: p = (γ − 1)·q_min / (1 + (γ − 1)·q_min).

    ``values`` are those that the column may have, from metadata; missing is one of them if it occurs.
    Without them they are taken from the data, which tells everybody which values occur.
    ``replacement`` are weights of the values, in their order; all alike unless given.

    Protects each value on its own: the other columns of a row are not touched, and an adversary who
    infers the value from them knows as much as before.

    >>> from sfumato.core.randomness import SeededRandom
    >>> step = RetentionReplacement("ill", values=("flu", "cancer"), rho1=0.1, rho2=0.5)
    >>> perturbed = step.apply(pa.table({"ill": ["flu", "flu", "cancer"]}), SeededRandom(1))
    >>> perturbed.mechanisms[0].matrix[0]
    (Fraction(9, 10), Fraction(1, 10))
    """

    column: str
    values: tuple[Value, ...] | None = None
    keep: float | None = None
    gamma: float | None = None
    rho1: float | None = None
    rho2: float | None = None
    delta: float | None = None
    prior: float | None = None
    replacement: tuple[float, ...] | None = None
    name: ClassVar[str] = "retention-replacement"
    truthful: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.values is not None:
            object.__setattr__(self, "values", given_values(self.values, self.name))
        if self.replacement is not None:
            object.__setattr__(self, "replacement", tuple(self.replacement))
            if self.values is None or len(self.replacement) != len(self.values):
                raise BadInput(
                    "replacement needs one weight for each of the values",
                    where=self.name,
                    remedy="list the values of the column, and a weight for each",
                )
            if any(exactly(weight, "a weight") < 0 for weight in self.replacement):
                raise BadInput("a weight is negative", where=self.name, remedy="weights are 0 or more")
            if not any(self.replacement):
                raise BadInput("all weights are 0", where=self.name, remedy="give some value a weight")
        self._limit()

    @property
    def columns(self) -> tuple[str, ...]:
        """The column that is randomised."""
        return (self.column,)

    def retention(self, values: int) -> Fraction:
        """Return p for a column of so many values.

        >>> RetentionReplacement("ill", gamma=9).retention(5)
        Fraction(8, 13)
        """
        if self.keep is not None:
            return self._kept()
        gamma = self._limit()
        least = min(self._replacement(values))
        if gamma is None:
            return Fraction(1)
        kept = (gamma - 1) * least / (1 + (gamma - 1) * least)
        if kept.denominator >= _FINEST:
            # A little less is kept than allowed: the promise holds with room to spare.
            kept = Fraction(math.floor(kept * _FINEST), _FINEST)
        return kept

    def mechanism(self, values: tuple[str | None, ...]) -> Mechanism:
        """Return the matrix over some values."""
        kept, drawn = self.retention(len(values)), self._replacement(len(values))
        instead = [(1 - kept) * weight for weight in drawn]
        matrix = tuple(
            tuple(instead[v] + kept if u == v else instead[v] for v in range(len(values)))
            for u in range(len(values))
        )
        return Mechanism(self.column, values, matrix)

    def apply(self, records: pa.Table, random: Random) -> Perturbed:
        """Draw a value for every row."""
        listed = None if self.values is None else given_values(self.values, self.name)
        coded = code_column(records, self.column, listed)
        mechanism = self.mechanism(coded.values)
        kept = self.retention(len(coded.values))
        rows = len(coded.codes)
        stays = random.integers(kept.denominator, rows) < kept.numerator
        drawn = drawn_from(self._replacement(len(coded.values)), rows, random)
        codes = np.where(stays, coded.codes, drawn)
        return finished(records, coded, mechanism, codes, {"kept": shown(kept)}, self.values is None)

    def _replacement(self, values: int) -> tuple[Fraction, ...]:
        if self.replacement is None:
            return (Fraction(1, values),) * values
        weights = [exactly(weight, "a weight") for weight in self.replacement]
        return tuple(weight / sum(weights) for weight in weights)

    def _kept(self) -> Fraction:
        kept = exactly(self.keep, "keep")
        if not 0 <= kept <= 1:
            raise BadInput("keep must lie between 0 and 1", where=self.name, remedy="try keep: 0.5")
        return kept

    def _limit(self) -> Fraction | None:
        """Return the γ that was asked for, in whichever way (None: there is no bound)."""
        ways = [self.keep is not None, self.gamma is not None, self.delta is not None]
        ways.append(self.rho1 is not None or self.rho2 is not None)
        if sum(ways) != 1 or (self.prior is not None and self.delta is None):
            raise BadInput(
                "say in one way how much to keep",
                where=self.name,
                remedy="give keep, or gamma, or rho1 and rho2, or delta (with prior, if you like)",
            )
        if self.keep is not None:
            self._kept()
            return None
        if self.gamma is not None:
            gamma = exactly(self.gamma, "gamma")
            if gamma < 1:
                raise BadInput("gamma must be at least 1", where=self.name, remedy="try gamma: 9")
            limit: Fraction | None = gamma
        elif self.delta is not None:
            limit = gamma_for_growth(share(self.delta, "delta"), prior_of(self.prior))
        else:
            if self.rho1 is None or self.rho2 is None:
                raise BadInput("rho1 and rho2 go together", where=self.name, remedy="give both")
            limit = gamma_for_beliefs(*beliefs(self.rho1, self.rho2))
        if self.replacement is not None and 0 in self.replacement:
            raise BadInput(
                "a value that is never drawn betrays those who show it, whatever is kept",
                where=self.name,
                remedy="give every value a weight above 0",
            )
        return limit


@dataclass(frozen=True)
class MatrixRandomisation:
    """Replace each value by a draw from its own row of a matrix, over a domain that is known.

    ``matrix[u][v]`` = P[u → v]; every row adds up to exactly 1 (fractions may be written as texts, such
    as "1/3"). Which promise it keeps is up to the models that are asked.

    >>> from sfumato.core.randomness import SeededRandom
    >>> step = MatrixRandomisation("smokes", ("no", "yes"), ((0.75, 0.25), (0.25, 0.75)))
    >>> step.apply(pa.table({"smokes": ["no", "yes"]}), SeededRandom(1)).published["gamma"]
    '3'
    """

    column: str
    values: tuple[Value, ...]
    matrix: tuple[tuple[float | str, ...], ...]
    name: ClassVar[str] = "matrix-randomisation"
    truthful: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", given_values(self.values, self.name))
        object.__setattr__(self, "matrix", tuple(tuple(row) for row in self.matrix))
        size = len(self.values)
        if len(self.matrix) != size or any(len(row) != size for row in self.matrix):
            raise BadInput(
                "the matrix needs a row and a column for each of the values",
                where=self.name,
                remedy=f"write {size} rows of {size} probabilities",
            )
        for number, row in enumerate(self._exact(), 1):
            if min(row) < 0 or sum(row) != 1:
                raise BadInput(
                    f"row {number} of the matrix is no distribution: it must add up to exactly 1",
                    where=self.name,
                    remedy='write fractions as texts, such as "1/3"',
                )

    @property
    def columns(self) -> tuple[str, ...]:
        """The column that is randomised."""
        return (self.column,)

    @property
    def mechanism(self) -> Mechanism:
        """The matrix over its values."""
        return Mechanism(self.column, given_values(self.values, self.name), self._exact())

    def apply(self, records: pa.Table, random: Random) -> Perturbed:
        """Draw a value for every row."""
        coded = code_column(records, self.column, given_values(self.values, self.name))
        codes = coded.codes.copy()
        for u, row in enumerate(self.mechanism.matrix):
            mine = np.flatnonzero(coded.codes == u)
            codes[mine] = drawn_from(row, len(mine), random)
        return finished(records, coded, self.mechanism, codes, {}, False)

    def _exact(self) -> tuple[tuple[Fraction, ...], ...]:
        return tuple(tuple(exactly(entry, "an entry of the matrix") for entry in row) for row in self.matrix)


def prior_of(prior: Any) -> Fraction:
    """Read the bound on beliefs before: 1 unless given."""
    if prior is None:
        return Fraction(1)
    bound = exactly(prior, "prior")
    if not 0 < bound <= 1:
        raise BadInput("prior must lie above 0 and not above 1", remedy="leave it out to cover every belief")
    return bound


def beliefs(rho1: Any, rho2: Any) -> tuple[Fraction, Fraction]:
    """Read ρ1 < ρ2."""
    before, after = share(rho1, "rho1"), share(rho2, "rho2")
    if before >= after:
        raise BadInput("rho1 must be smaller than rho2", remedy="try rho1: 0.1 and rho2: 0.5")
    return before, after


def drawn_from(distribution: Sequence[Fraction], size: int, random: Random) -> NDArray[np.int64]:
    """Draw positions with exactly these probabilities."""
    whole = math.lcm(*(part.denominator for part in distribution))
    if whole >= _FINEST:
        raise BadInput(
            "the probabilities have too many digits to be drawn exactly", remedy="write them with fewer"
        )
    ends = np.cumsum([int(part * whole) for part in distribution])
    return np.searchsorted(ends, random.integers(whole, size), side="right").astype(np.int64)


def finished(
    records: pa.Table,
    coded: Coded,
    mechanism: Mechanism,
    codes: NDArray[np.int64],
    parameters: dict[str, str],
    from_data: bool,
) -> Perturbed:
    """Put the drawn values into their column, and say what everybody may know."""
    gamma = amplification(mechanism.matrix).gamma
    published: dict[str, int | float | str] = {
        "column": mechanism.column,
        "values": len(mechanism.values),
        **(told_of_data([mechanism.column]) if from_data else {"domain": "from metadata"}),
        **parameters,
        "gamma": shown(gamma),
    }
    changed = int((codes != coded.codes).sum())
    return Perturbed(coded.written(records, codes), (mechanism,), {"changed rows": changed}, published)
