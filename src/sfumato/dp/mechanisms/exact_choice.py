"""What mechanisms that choose share: coins and tickets whose probabilities are exactly what is written.

A choice with Pr[i] ∝ e^(−γᵢ) is made without one rounded probability. Each candidate gets a public envelope
2^(−kᵢ) ≥ e^(−γᵢ), at most about twice too large. A ticket is drawn in proportion to the envelopes, with whole
numbers, and kept with probability e^(−γᵢ) · 2^kᵢ (von Neumann's rejection, 1951). That last coin compares a
uniform number, drawn bit by bit, with e^(−γᵢ), enclosed digit by digit, until the two are apart. Floats help
to find kᵢ, where a smaller one is as right and only slower; they decide nothing.

How long a choice takes depends on how many candidates there are and on how many tickets are refused (about
one on average at most), and hardly on the scores.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random, SecretRandom
from sfumato.dp.exact import Number, exact
from sfumato.dp.mechanisms.coins import is_below
from sfumato.dp.mechanisms.enclosure import exp_minus
from sfumato.dp.rounding import ln_enclosure

WORD = 62
"""bits of one random number"""
LARGEST_SCORE = 2**61
"""scores beyond are taken as this: cutting off moves no two scores further apart, so sensitivities hold"""
MOST_HALVINGS = 192
_BELOW_ROUNDING = 1.0 - 2.0**-40


def source(random: Random | None) -> Random:
    """Return what is drawn from: the operating system unless a test hands in a generator."""
    return SecretRandom() if random is None else random


def positive(number: Number, name: str, mechanism: str) -> Fraction:
    """Read a parameter that must be more than 0."""
    found = exact(number, where=f"{mechanism}, {name}")
    if found <= 0:
        raise BadInput(f"{name} must be more than 0", where=mechanism, remedy="try 1")
    return found


def integer_scores(scores: NDArray[np.int64], mechanism: str) -> NDArray[np.int64]:
    """Return scores as whole numbers, cut off where differences would not fit a word."""
    given = np.asarray(scores)
    if given.ndim != 1 or given.size == 0:
        raise BadInput(
            "there is nothing to choose from", where=mechanism, remedy="give a score per candidate"
        )
    if given.dtype.kind not in "iu":
        raise BadInput(
            "scores must be whole numbers", where=mechanism, remedy="multiply scores and sensitivity alike"
        )
    if given.dtype.kind == "u":
        given = np.minimum(given, np.uint64(LARGEST_SCORE))
    clipped: NDArray[np.int64] = np.clip(given.astype(np.int64), -LARGEST_SCORE, LARGEST_SCORE)
    return clipped


def gaps_below_best(scores: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how far each score lies below the largest."""
    gaps: NDArray[np.int64] = scores.max() - scores
    return gaps


def uniform_below(bound: int, random: Random) -> int:
    """Draw a whole number from {0, …, bound − 1}, however large.

    >>> 0 <= uniform_below(10**40, SecretRandom()) < 10**40
    True
    """
    if bound < 2**63:
        return int(random.integers(bound, 1)[0])
    bits = (bound - 1).bit_length()
    while True:
        found = 0
        for word in random.integers(2**WORD, -(-bits // WORD)):
            found = found << WORD | int(word)
        found >>= -bits % WORD
        if found < bound:
            return found


def coin(gamma: Fraction, halvings: int, random: Random) -> bool:
    """Toss a coin that shows true with probability e^(−γ) · 2^halvings exactly; it must be at most 1.

    >>> coin(Fraction(0), 0, SecretRandom()), coin(Fraction(1000), 0, SecretRandom())
    (True, False)
    """
    if gamma == 0 and halvings == 0:
        return True
    power = exp_minus(gamma)

    def doubled(bits: int) -> tuple[int, int]:
        low, high = power(bits + halvings)
        if low > 1 << bits:
            raise AssertionError("an envelope lies below what it should cover")
        return low, high

    return is_below(doubled, 0, 0, random)


def halvings_of(gaps: NDArray[np.int64], rate: Fraction) -> NDArray[np.int64]:
    """Return kᵢ with 2^(−kᵢ) ≥ e^(−rate · gapᵢ), nearly as large as can be.

    >>> halvings_of(np.array([0, 1, 7, 1000]), Fraction(1)).tolist()
    [0, 1, 10, 192]
    """
    per_unit = float(min(rate / ln_enclosure(Fraction(2))[1], Fraction(10**6))) * _BELOW_ROUNDING
    # Conversions and products err by a few 2⁻⁵³ of the value, and the factor takes away far more than that.
    found: NDArray[np.int64] = np.minimum(np.floor(gaps * per_unit), MOST_HALVINGS).astype(np.int64)
    return found


def choose_exactly(gaps: NDArray[np.int64], rate: Fraction, random: Random) -> int:
    """Choose a position with Pr[i] ∝ e^(−rate · gapᵢ), exactly."""
    halvings = halvings_of(gaps, rate)
    counts = np.bincount(halvings).tolist()
    deepest = len(counts) - 1
    total = sum(count << (deepest - k) for k, count in enumerate(counts))
    while True:
        ticket, k = uniform_below(total, random), 0
        while ticket >= counts[k] << (deepest - k):
            ticket -= counts[k] << (deepest - k)
            k += 1
        place = int(np.flatnonzero(halvings == k)[ticket >> (deepest - k)])
        if coin(rate * int(gaps[place]), k, random):
            return place
