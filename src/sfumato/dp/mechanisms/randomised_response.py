"""Randomised response: people answer by a coin, so that no single answer can be held against them.

S. Warner, "Randomized response: a survey technique for eliminating evasive answer bias" (1965); k answers:
P. Kairouz, S. Oh & P. Viswanath, "Extremal mechanisms for local differential privacy" (2014); any matrix
and its ratio γ: A. Evfimievski, J. Gehrke & R. Srikant (2003). With P[u → v] the probability that u is told
as v,

    γ = max over v, u1, u2 of P[u1 → v] / P[u2 → v]    and    ε = ln γ.

It is local differential privacy: nobody, the collector included, ever holds the truth. Each answer costs ε of
the person who gives it; asking the same person again adds up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.dp.exact import Number, decimal_above, exact
from sfumato.dp.mechanisms.exact_choice import positive, source
from sfumato.dp.price import Price
from sfumato.dp.rounding import exp_enclosure, float_above, ln_enclosure

GRID = 2**62
"""probabilities that stand for e^ε are whole multiples of one in so many, rounded to the safe side"""
LARGEST_EPSILON = 40
"""beyond, lies are rarer than one in 10¹⁷: nothing is promised any more"""
_SINGULAR = 1e-12


@dataclass(frozen=True)
class Estimated:
    """What the truth was, estimated without bias from randomised answers. Estimates may be negative.

    ``count_errors`` are standard errors by the coins alone (how far from the true counts of these people),
    ``share_errors`` add that the people are a sample (how far from the shares of the population).
    """

    counts: NDArray[np.float64] = field(repr=False)
    count_errors: NDArray[np.float64] = field(repr=False)
    shares: NDArray[np.float64] = field(repr=False)
    share_errors: NDArray[np.float64] = field(repr=False)


@dataclass(frozen=True)
class RandomisedResponse:
    """Answer u is told as v with probability ``matrix[u][v]``: any rows of exact fractions that sum to 1.

    Protects the answer of a person from everybody, odds change by at most γ = e^ε. Where a column has a 0
    beside something else, that answer proves something: ε is infinite and there is no price.

    >>> warner = RandomisedResponse.of([["0.9", "0.1"], ["0.1", "0.9"]])
    >>> warner.gamma, round(warner.epsilon, 4)
    (Fraction(9, 1), 2.1972)
    """

    matrix: tuple[tuple[Fraction, ...], ...]
    name: ClassVar[str] = "randomised-response"

    def __post_init__(self) -> None:
        widths = {len(row) for row in self.matrix}
        if len(widths) != 1 or widths == {0}:
            raise BadInput("the matrix has no rows of equal length", where=self.name)
        for place, row in enumerate(self.matrix, 1):
            if not all(isinstance(entry, Fraction) for entry in row):
                raise BadInput(
                    "probabilities must be exact fractions",
                    where=f"{self.name}, row {place}",
                    remedy="write RandomisedResponse.of(rows), which reads 0.1 as one tenth",
                )
            if any(entry < 0 for entry in row) or sum(row) != 1:
                raise BadInput(
                    "probabilities of a row must be at least 0 and sum to 1 exactly",
                    where=f"{self.name}, row {place}",
                    remedy="write fractions such as 1/3",
                )
            if _denominator(row) > GRID:
                raise BadInput(
                    "probabilities have too many digits to be drawn exactly",
                    where=f"{self.name}, row {place}",
                    remedy="round them so that the row still sums to 1",
                )

    @classmethod
    def of(cls, rows: Sequence[Sequence[Number]]) -> RandomisedResponse:
        """Read a matrix as it is written: 0.1 is one tenth."""
        return cls(tuple(tuple(exact(entry, where=cls.name) for entry in row) for row in rows))

    @classmethod
    def retention(cls, keep: Number, values: int) -> RandomisedResponse:
        """Keep the answer with probability ``keep``, else draw any of the values alike, itself included."""
        kept = exact(keep, where=cls.name)
        other = (1 - kept) / values
        return cls(tuple(tuple(other + kept * (u == v) for v in range(values)) for u in range(values)))

    @property
    def gamma(self) -> Fraction | None:
        """The worst ratio of a column; None when it is unbounded."""
        worst = Fraction(1)
        for column in zip(*self.matrix, strict=True):
            if max(column) == 0:
                continue
            if min(column) == 0:
                return None
            worst = max(worst, max(column) / min(column))
        return worst

    @property
    def epsilon(self) -> float:
        """ε = ln γ, rounded up; infinite when an answer can prove something."""
        gamma = self.gamma
        return math.inf if gamma is None else float_above(ln_enclosure(gamma)[1])

    @property
    def price(self) -> Price:
        """What one answer costs the person who gives it."""
        gamma = self.gamma
        if gamma is None:
            raise BadInput(
                "an answer of this matrix proves something, so that no ε holds",
                where=self.name,
                remedy="give every answer some probability in every row",
            )
        if gamma == 1:
            raise BadInput("this matrix forgets the answers altogether and costs nothing", where=self.name)
        return Price.pure(decimal_above(ln_enclosure(gamma)[1]))

    def answer(self, values: NDArray[np.int64], random: Random | None = None) -> NDArray[np.int64]:
        """Return what is told instead of each true position, drawn exactly."""
        given = positions(values, len(self.matrix), self.name)
        chance, told = source(random), np.empty(given.size, np.int64)
        for u, row in enumerate(self.matrix):
            here = np.flatnonzero(given == u)
            whole = _denominator(row)
            limits = np.cumsum([int(entry * whole) for entry in row], dtype=np.int64)
            told[here] = np.searchsorted(limits, chance.integers(whole, here.size), side="right")
        return told

    def estimate(self, observed: NDArray[np.int64]) -> Estimated:
        """Estimate the true counts from how often each answer was told.

        ĉ = o P⁻¹; with A = P⁻¹ its variance by the coins is Σᵥ oᵥ A[v][u]² − ĉᵤ, and that of the share p̂ =
        ĉ/n of a population (Σᵥ oᵥ A[v][u]² / n − p̂ᵤ²) / n.
        """
        matrix = np.array([[float(entry) for entry in row] for row in self.matrix])
        square = matrix.shape[0] == matrix.shape[1]
        if not square or np.linalg.svd(matrix, compute_uv=False)[-1] < _SINGULAR:
            raise BadInput(
                "the matrix cannot be undone, so that nothing can be estimated",
                where=self.name,
                remedy="use one with as many answers as values, and rows that differ",
            )
        told, inverse = _counts(observed, len(matrix), self.name), np.linalg.inv(matrix)
        return estimated(told @ inverse, told @ inverse**2, told.sum())


@dataclass(frozen=True)
class CoinFlip(RandomisedResponse):
    """The classroom protocol: tails, tell the truth; heads, toss again and say yes or no by the second coin.

    P[yes | yes] = 3/4, P[yes | no] = 1/4, so ε = ln 3. Position 0 is no and 1 is yes.

    >>> CoinFlip().gamma, round(CoinFlip().epsilon, 4)
    (Fraction(3, 1), 1.0986)
    >>> CoinFlip().estimate(np.array([600, 400])).shares.round(6).tolist()
    [0.7, 0.3]
    """

    matrix: tuple[tuple[Fraction, ...], ...] = field(
        default=((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))), init=False
    )
    name: ClassVar[str] = "coin-flip"


@dataclass(frozen=True)
class KaryRandomisedResponse:
    """Tell the truth with probability p, and each of the other k − 1 answers with probability q.

    p = e^ε / (e^ε + k − 1) and q = 1 / (e^ε + k − 1), as multiples of 2⁻⁶²: q is rounded up and p = 1 − (k
    − 1)q, so that p/q ≤ e^ε exactly. For many values ``OptimisedUnaryEncoding`` errs less.

    >>> kary = KaryRandomisedResponse(4, 1)
    >>> round(float(kary.truth), 6), round(float(kary.other), 6), kary.gamma <= Fraction("2.718281828459046")
    (0.475367, 0.174878, True)
    """

    k: int
    epsilon: Number
    name: ClassVar[str] = "k-ary-randomised-response"

    def __post_init__(self) -> None:
        check_local(self.k, self.epsilon, self.name)

    @property
    def other(self) -> Fraction:
        """The probability of each answer that is not true."""
        low = exp_enclosure(exact(self.epsilon))[0]
        return min(Fraction(math.ceil(GRID / (low + self.k - 1)), GRID), Fraction(1, self.k))

    @property
    def truth(self) -> Fraction:
        """The probability of the true answer."""
        return 1 - (self.k - 1) * self.other

    @property
    def gamma(self) -> Fraction:
        """p/q, which is at most e^ε."""
        return self.truth / self.other

    @property
    def price(self) -> Price:
        """What one answer costs the person who gives it."""
        return Price.pure(decimal_above(exact(self.epsilon)))

    def answer(self, values: NDArray[np.int64], random: Random | None = None) -> NDArray[np.int64]:
        """Return what is told instead of each true position, drawn exactly."""
        given, chance = positions(values, self.k, self.name), source(random)
        whole = self.truth.denominator
        truthful = chance.integers(whole, given.size) < int(self.truth * whole)
        # One of the other k − 1 positions alike: a step of 1 to k − 1 around the circle.
        steps = 1 + chance.integers(self.k - 1, given.size)
        told: NDArray[np.int64] = np.where(truthful, given, (given + steps) % self.k)
        return told

    def estimate(self, observed: NDArray[np.int64]) -> Estimated:
        """Estimate the true counts: ĉᵤ = (oᵤ − nq) / (p − q)."""
        told = _counts(observed, self.k, self.name)
        other, people = float(self.other), told.sum()
        kept = float(self.truth - self.other)
        if kept <= 0:
            raise BadInput(
                "the answers do not depend on the truth", where=self.name, remedy="take a larger ε"
            )
        # P⁻¹ has (1 − q)/(p − q) on its diagonal and −q/(p − q) beside it.
        squares = (told * (1 - other) ** 2 + (people - told) * other**2) / kept**2
        return estimated((told - people * other) / kept, squares, people)


def estimated(
    counts: NDArray[np.float64], squares: NDArray[np.float64], people: np.float64 | float
) -> Estimated:
    """Lay out an estimate with its standard errors, given Σᵥ oᵥ A[v][u]²."""
    if people <= 0:
        raise BadInput("there are no answers to estimate from", where="randomised response")
    shares = counts / people
    return Estimated(
        counts,
        np.sqrt(np.maximum(squares - counts, 0.0)),
        shares,
        np.sqrt(np.maximum(squares / people - shares**2, 0.0) / people),
    )


def check_local(k: int, epsilon: Number, name: str) -> None:
    """Refuse a number of values or an ε that cannot be used."""
    if isinstance(k, bool) or not isinstance(k, int) or not 2 <= k <= 2**31:
        raise BadInput("k must be a whole number of at least 2", where=name, remedy="count the values")
    if positive(epsilon, "epsilon", name) > LARGEST_EPSILON:
        raise BadInput(f"epsilon must be at most {LARGEST_EPSILON}", where=name, remedy="try 1")


def _denominator(row: Sequence[Fraction]) -> int:
    return math.lcm(*(entry.denominator for entry in row))


def positions(values: NDArray[np.int64], k: int, name: str) -> NDArray[np.int64]:
    """Return answers as positions from 0 to k − 1, or refuse them."""
    given = np.asarray(values)
    if given.ndim != 1 or given.dtype.kind not in "iu":
        raise BadInput("answers must be positions, one whole number per person", where=name)
    if given.size and not (given.min() >= 0 and given.max() < k):
        raise BadInput(f"an answer is not one of the {k} positions", where=name, remedy="code them from 0")
    return given.astype(np.int64)


def _counts(observed: NDArray[np.int64], k: int, name: str) -> NDArray[np.float64]:
    told = np.asarray(observed, np.float64)
    if told.shape != (k,):
        raise BadInput(f"give how often each of the {k} answers was told", where=name)
    return told
