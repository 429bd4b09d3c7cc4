"""Coins whose probability is any real number, tossed exactly, for all cells at once.

U is an endless string of random bits after the binary point, and the coin shows 1 when U < p. Bits of 64
cells are one machine word; they are compared with p digit by digit, and a cell is decided at the first
bit that differs (J. von Neumann's comparison of 1951, bit-sliced). A cell that the first 128 bits do not
decide gets more, one by one, against tighter bounds of p. So a coin takes about two bits that matter
and no float, and its probability is p and not a number near it.
"""

from __future__ import annotations

import os
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.dp.mechanisms.enclosure import Enclosure, exp_minus, first_bits

DEPTH = 128
"""bits that are compared in one go"""

Words = NDArray[np.uint64]
Bits = NDArray[np.uint8]


def bernoulli_exp(exponent: Fraction, size: int, random: Random | None = None) -> NDArray[np.bool_]:
    """Draw coins that are true with probability e^(−exponent), exactly; the exponent is at least 0.

    >>> bernoulli_exp(Fraction(0), 3), bernoulli_exp(Fraction(1000), 2)
    (array([ True,  True,  True]), array([False, False]))
    """
    if exponent < 0:
        raise BadInput("a probability e^-x needs an exponent of at least 0", where="exponent")
    if exponent == 0:
        return np.ones(size, bool)
    return bernoulli(exp_minus(exponent), size, random).astype(bool)


def bernoulli(
    probability: Enclosure,
    size: int,
    random: Random | None = None,
    *,
    digits: int | None = None,
    depth: int = DEPTH,
) -> Bits:
    """Draw 0 or 1, with the same irrational probability of 1 for every cell, exactly.

    ``digits`` are the first ``depth`` binary digits of the probability where they are known already.
    """
    known = first_bits(probability, depth) if digits is None else digits
    count = (size + 63) // 64
    below = np.zeros(count, np.uint64)
    waiting = np.full(count, 2**64 - 1, np.uint64)
    if size % 64:
        waiting[-1] = (1 << size % 64) - 1
    where = np.arange(count)
    for place in range(depth - 1, -1, -1):
        if not where.size:
            break
        drawn = words(where.size, random)
        still = waiting[where]
        if known >> place & 1:
            below[where] |= still & ~drawn
            still &= drawn
        else:
            still &= ~drawn
        waiting[where] = still
        where = where[still != 0]
    found = _unpacked(below, size)
    for cell in np.flatnonzero(_unpacked(waiting, size)):
        found[cell] = is_below(probability, known, depth, random)
    return found


def is_below(probability: Enclosure, prefix: int, bits: int, random: Random | None) -> bool:
    """Say whether a uniform number with these first bits is below p, drawing as many more as it takes."""
    while True:
        bits += 64
        prefix = prefix << 64 | int(words(1, random)[0])
        low, high = probability(bits)
        if prefix < low:
            return True
        if prefix >= high:
            return False


def fair_coins(size: int, random: Random | None = None) -> Bits:
    """Draw 0 or 1, equally likely."""
    return _unpacked(words((size + 63) // 64, random), size)


def words(size: int, random: Random | None = None) -> Words:
    """Draw 64 random bits each: from the operating system, unless a test hands in a generator."""
    if random is None:
        return np.frombuffer(os.urandom(8 * size), np.uint64)
    halves = random.integers(2**32, 2 * size).astype(np.uint64)
    return halves[:size] << np.uint64(32) | halves[size:]


def _unpacked(packed: Words, size: int) -> Bits:
    return np.unpackbits(packed.view(np.uint8), bitorder="little")[:size]
