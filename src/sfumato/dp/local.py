"""How often each of k values occurs, from people who tell nobody the truth: the choice between two protocols.

Optimised unary encoding: T. Wang, J. Blocki, N. Li & S. Jha, "Locally differentially private protocols for
frequency estimation" (2017). k-ary randomised response: P. Kairouz, S. Oh & P. Viswanath (2014).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.dp.exact import Number, decimal_above, exact
from sfumato.dp.mechanisms.exact_choice import source
from sfumato.dp.mechanisms.randomised_response import (
    GRID,
    Estimated,
    KaryRandomisedResponse,
    check_local,
    positions,
)
from sfumato.dp.price import Price
from sfumato.dp.rounding import exp_enclosure

MOST_BITS = 10**8


@dataclass(frozen=True)
class OptimisedUnaryEncoding:
    """Each person sends k bits: the true value's bit is 1 with p = 1/2, every other with q = 1/(e^ε + 1).

    ε = ln(p(1 − q) / ((1 − p)q)) = ln((1 − q)/q); q is rounded up to a multiple of 2⁻⁶², so that ε is never
    more. The variance of an estimated count is 4e^ε/(e^ε − 1)² per person, whatever k is; k-ary randomised
    response has less only while k < 3e^ε + 2.

    >>> oue = OptimisedUnaryEncoding(100, 0.5)
    >>> round(float(oue.flip), 6), round(oue.variance, 4)
    (0.377541, 15.6708)
    """

    k: int
    epsilon: Number
    name: ClassVar[str] = "optimised-unary-encoding"

    def __post_init__(self) -> None:
        check_local(self.k, self.epsilon, self.name)

    @property
    def flip(self) -> Fraction:
        """q, the probability that the bit of a value that is not true is 1."""
        low = exp_enclosure(exact(self.epsilon))[0]
        return min(Fraction(math.ceil(GRID / (low + 1)), GRID), Fraction(1, 2))

    @property
    def gamma(self) -> Fraction:
        """(1 − q)/q, which is at most e^ε."""
        return (1 - self.flip) / self.flip

    @property
    def variance(self) -> float:
        """The variance of a rare value's estimated count, per person."""
        grown = math.exp(float(exact(self.epsilon)))
        return 4.0 * grown / (grown - 1.0) ** 2

    @property
    def price(self) -> Price:
        """What one report costs the person who sends it."""
        return Price.pure(decimal_above(exact(self.epsilon)))

    def answer(self, values: NDArray[np.int64], random: Random | None = None) -> NDArray[np.bool_]:
        """Return one row of k bits per person, drawn exactly."""
        given, chance = positions(values, self.k, self.name), source(random)
        if given.size * self.k > MOST_BITS:
            raise BadInput(
                "so many bits do not fit in memory at once", where=self.name, remedy="send in parts"
            )
        drawn = chance.integers(GRID, given.size * self.k).reshape(given.size, self.k)
        bits: NDArray[np.bool_] = drawn < int(self.flip * GRID)
        people = np.arange(given.size)
        bits[people, given] = drawn[people, given] < GRID // 2
        return bits

    def estimate(self, ones: NDArray[np.int64], people: int) -> Estimated:
        """Estimate the true counts from how many reports had each bit set: ĉ = (o − nq) / (1/2 − q).

        The coins alone give ĉ the variance (ĉ/4 + (n − ĉ) q(1 − q)) / (1/2 − q)².
        """
        told = np.asarray(ones, np.float64)
        if told.shape != (self.k,) or people < 1:
            raise BadInput(
                "give how many of the reports had each bit set, and how many there are", where=self.name
            )
        flip, kept = float(self.flip), float(Fraction(1, 2) - self.flip)
        if kept <= 0:
            raise BadInput(
                "the reports do not depend on the truth", where=self.name, remedy="take a larger ε"
            )
        counts = (told - people * flip) / kept
        coins = (counts / 4.0 + (people - counts) * flip * (1.0 - flip)) / kept**2
        rate = told / people
        return Estimated(
            counts,
            np.sqrt(np.maximum(coins, 0.0)),
            counts / people,
            np.sqrt(rate * (1.0 - rate) / people) / kept,
        )


def better_for(k: int, epsilon: Number) -> KaryRandomisedResponse | OptimisedUnaryEncoding:
    """Return the protocol that estimates rare values with less variance.

    >>> better_for(4, 1).name, better_for(1000, 1).name
    ('k-ary-randomised-response', 'optimised-unary-encoding')
    """
    check_local(k, epsilon, "local randomisation")
    low = exp_enclosure(exact(epsilon))[0]
    return KaryRandomisedResponse(k, epsilon) if k < 3 * low + 2 else OptimisedUnaryEncoding(k, epsilon)
