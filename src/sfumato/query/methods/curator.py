"""The curator: who holds the people, and hands out only what was paid for and made noisy.

A method never reads a record. It asks the curator for noisy counts and for choices, each with its part of
the budget, and everything else that it does is a function of the replies: so whatever it publishes is
differentially private by composition and post-processing. Parts are exact, and the curator never gives out
more than the price.

Budgets are kept in ε when the price is pure (discrete Laplace noise, ε adds up) and in ρ otherwise (discrete
Gaussian noise, ρ adds up; M. Bun & T. Steinke 2016).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random, SecretRandom
from sfumato.dp.contract import IntegerNoise
from sfumato.dp.conversions import epsilon_to_rho
from sfumato.dp.exact import DIGITS, exact
from sfumato.dp.mechanisms.exponential import Exponential
from sfumato.dp.mechanisms.gaussian import DiscreteGaussian
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from sfumato.query.methods.contract import Attribute, Coded, Problem

Codes = NDArray[np.int32]
Cells = Callable[[Codes], NDArray[np.int64]]
"""gives each person one cell, from their own row alone"""
Scores = Callable[[Codes], NDArray[np.int64]]
"""gives each candidate a whole score, from all rows"""

UNIT = 10**DIGITS
_LEAST = 1e-3
"""no standard deviation is told to be less: with a huge ε it would vanish, and nothing be weighed by it"""


@dataclass(frozen=True)
class NoisyCounts:
    """What a count came to, and the standard deviation of the noise in each cell."""

    counts: NDArray[np.int64]
    deviation: float


class Curator(Protocol):
    """What methods see of the people."""

    attributes: tuple[Attribute, ...]
    budget: Fraction
    """in ε or in ρ"""
    pure: bool
    """whether the budget is in ε"""
    neighbours: Neighbours
    people: int | None
    """how many there are, where that is public: when neighbours replace each other"""
    most_people: int | None
    """how many there can be, where that was declared"""
    random: Random
    """for what needs no secret, such as the drawing of records"""

    @property
    def left(self) -> Fraction:
        """What may still be spent."""

    def typical_noise(self, share: Fraction) -> float:
        """Return the expected absolute noise in a cell that is counted with this share."""

    def count(self, cells: Cells, size: int, share: Fraction, what: str) -> NoisyCounts:
        """Count the people in each of ``size`` cells, with noise."""

    def choose(self, scores: Scores, sensitivity: int, share: Fraction, what: str) -> int:
        """Choose a candidate with a high score, by the exponential mechanism.

        ``sensitivity`` is the most that one person more or less changes any score.
        """

    def choose_apart(
        self, parts: Cells, scores: Sequence[Scores], sensitivity: int, share: Fraction, what: str
    ) -> list[int]:
        """Make several choices about different people for the price of one.

        ``parts`` gives each person the number of the choice that they count in, or −1; choice i sees the
        people of part i alone.
        """

    def spent(self) -> tuple[Price, tuple[tuple[str, Price], ...]]:
        """Return what was spent in all and on what."""


class DataCurator:
    """The curator of real people.

    One person more or less changes one cell of a count by 1 (L1 = L2 = 1); one replaced by another changes
    two cells by 1 (L1 = 2, L2² = 2), and a score by twice as much.
    """

    def __init__(self, problem: Problem) -> None:
        _check(problem.data)
        self._codes = problem.data.codes
        self._price = problem.price
        self._noise = problem.random
        self._steps: list[tuple[str, Price]] = []
        self.pure, self.budget = budget_of(problem.price)
        self._left = self.budget
        self.attributes = problem.data.attributes
        self.neighbours = problem.neighbours
        replaced = problem.neighbours is Neighbours.SUBSTITUTION
        self._cells_touched = 2 if replaced else 1
        self.people = len(self._codes) if replaced else None
        self.most_people = problem.most_people
        self.random = problem.random or SecretRandom()

    @property
    def left(self) -> Fraction:
        """What may still be spent."""
        return self._left

    def typical_noise(self, share: Fraction) -> float:
        """Return the expected absolute noise in a cell: σ/√2 of Laplace, σ√(2/π) of Gaussian noise."""
        return math.sqrt(self._mechanism(share).variance) * math.sqrt(0.5 if self.pure else 2.0 / math.pi)

    def count(self, cells: Cells, size: int, share: Fraction, what: str) -> NoisyCounts:
        """Count the people in each cell; every person is in one, by construction."""
        self._pay(share, what)
        counts = np.bincount(cells(self._codes), minlength=size).astype(np.int64)
        noise = self._mechanism(share)
        return NoisyCounts(noise.add(counts, self._noise), max(math.sqrt(noise.variance), _LEAST))

    def choose(self, scores: Scores, sensitivity: int, share: Fraction, what: str) -> int:
        """Choose by the exponential mechanism; at ε it costs ε²/8 of ρ (M. Cesar & R. Rogers 2021)."""
        self._pay(share, what)
        return int(self._choice(sensitivity, share).choose(scores(self._codes), self._noise))

    def choose_apart(
        self, parts: Cells, scores: Sequence[Scores], sensitivity: int, share: Fraction, what: str
    ) -> list[int]:
        """Choose within each part: one person more or less is in one of them (parallel composition).

        One who is replaced by another may leave one part and come into another: then each of the two scores
        changes by half of what the mechanism reckons with, and the two cost no more than the one.
        """
        self._pay(share, what)
        part, mechanism = parts(self._codes), self._choice(sensitivity, share)
        return [int(mechanism.choose(f(self._codes[part == i]), self._noise)) for i, f in enumerate(scores)]

    def spent(self) -> tuple[Price, tuple[tuple[str, Price], ...]]:
        """Return what was spent in all and on what; the steps add up to it exactly."""
        used = self.budget - self._left
        if self.pure:
            total = Price.pure(used)
        elif self._price.epsilon is None:
            total = Price.concentrated(used)
        else:
            total = Price.approximate(self._price.epsilon, self._price.delta, rho=used)
        return total, tuple(self._steps)

    def _choice(self, sensitivity: int, share: Fraction) -> Exponential:
        epsilon = share if self.pure else _root_below(8 * share)
        return Exponential(epsilon, sensitivity * self._cells_touched)

    def _mechanism(self, share: Fraction) -> IntegerNoise:
        if self.pure:
            return DiscreteLaplace.of(share, self._cells_touched)
        return DiscreteGaussian.of_rho(share, cells=self._cells_touched)

    def _pay(self, share: Fraction, what: str) -> None:
        if share <= 0 or (share * UNIT).denominator != 1:
            raise BadInput(
                "the budget is too small to be split into as many parts",
                where=what,
                remedy="ask for a larger ε, or for fewer attributes",
            )
        if share > self._left:
            raise AssertionError(f"{what}: more than the price would be spent")
        self._left -= share
        self._steps.append((what, Price.pure(share) if self.pure else Price.concentrated(share)))


def _check(data: Coded) -> None:
    if not data.attributes:
        raise BadInput("there are no attributes", where="release", remedy="name some columns")
    if data.codes.ndim != 2 or data.codes.shape[1] != len(data.attributes):
        raise BadInput("the records do not have one position for each attribute", where="release")
    for a, attribute in enumerate(data.attributes):
        column = data.codes[:, a]
        if attribute.size < 1 or (len(column) and not 0 <= column.min() <= column.max() < attribute.size):
            raise BadInput(
                "some positions lie outside the domain",
                where=f"attribute '{attribute.name}'",
                remedy="code the records by their metadata",
            )


def budget_of(price: Price) -> tuple[bool, Fraction]:
    """Return whether a price is pure, and what may be spent: ε, or the largest ρ that (ε, δ) allow."""
    if price.epsilon is not None and not price.delta:
        return True, exact(price.epsilon)
    limits = [] if price.rho is None else [exact(price.rho)]
    if price.epsilon is not None:
        limits.append(exact(epsilon_to_rho(price.epsilon, price.delta)))
    return False, min(limits)


def split(amount: Fraction, weights: Sequence[int | Fraction]) -> list[Fraction]:
    """Split a budget in proportion to weights, exactly: parts have 18 decimals, the last takes what is over.

    >>> split(Fraction(1), [1, 1, 1])[0], sum(split(Fraction(1), [1, 1, 1]))
    (Fraction(333333333333333333, 1000000000000000000), Fraction(1, 1))
    """
    whole = sum(Fraction(w) for w in weights)
    parts = [part_of(amount, Fraction(w) / whole) for w in weights[:-1]]
    return [*parts, amount - sum(parts, Fraction(0))]


def part_of(amount: Fraction, share: Fraction) -> Fraction:
    """Return a share of an amount, rounded down to 18 decimals."""
    return Fraction(math.floor(amount * share * UNIT), UNIT)


def _root_below(number: Fraction) -> Fraction:
    """Return the largest decimal of nine places whose square is not more."""
    return Fraction(math.isqrt(math.floor(number * UNIT)), math.isqrt(UNIT))
