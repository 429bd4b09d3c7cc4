"""Bounds on powers of e in whole numbers: what exact samplers compare random bits with.

An enclosure is a function: for d bits it gives whole numbers (low, high) with
low ≤ 2^d · p ≤ high, and the gap shrinks to a few units as d grows. Nothing here is a float, so nothing
is rounded in a direction that is not known.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

Enclosure = Callable[[int], tuple[int, int]]
"""for d bits: low ≤ 2^d · p ≤ high"""

_GUARD = 16


def exp_minus(exponent: Fraction) -> Enclosure:
    """Enclose p = e^(−exponent) for an exponent ≥ 0.

    The exponent is halved k times until it is below 1/16, the alternating series is summed in whole numbers,
    and the result is squared k times, rounding down for the lower bound and up for the upper one.

    >>> exp_minus(Fraction(1))(20)  # 2^20 / e is 385749.6…
    (385749, 385750)
    """
    halvings = max(0, (exponent.numerator // exponent.denominator).bit_length() + 4)

    def enclose(bits: int) -> tuple[int, int]:
        width = bits + halvings + _GUARD
        one = 1 << width
        x = (exponent.numerator << width) // (exponent.denominator << halvings)
        total = term = one
        terms = 0
        while term:
            terms += 1
            term = (term * x >> width) // terms
            total += -term if terms % 2 else term
        # Each term is at most 3 units off (its own two floors and the shrunken error of the one before);
        # the floor of x and the terms that are left out are at most one unit each.
        slack = 4 * terms + 4
        low, high = max(total - slack, 0), min(total + slack, one)
        for _ in range(halvings):
            low = low * low >> width
            high = -(-high * high >> width)
        spare = width - bits
        return low >> spare, -(-high >> spare)

    return enclose


def odds_minus(exponent: Fraction, times: int = 1) -> Enclosure:
    """Enclose p = times · e^(−exponent) / (1 + e^(−exponent)), for times 1 or 2.

    >>> odds_minus(Fraction(1))(20)  # 2^20 / (1 + e) is 282005.6…
    (282005, 282006)
    """
    power = exp_minus(exponent)

    def enclose(bits: int) -> tuple[int, int]:
        low, high = power(bits + _GUARD)
        one = 1 << (bits + _GUARD)
        return times * (low << bits) // (one + low), -(-times * (high << bits) // (one + high))

    return enclose


def share(first: int, second: int, exponent: Fraction) -> Enclosure:
    """Enclose p = first / (first + second · e^(−exponent)) for positive whole numbers.

    >>> share(1, 1, Fraction(1))(20)  # 2^20 · e / (1 + e) is 766570.4…
    (766570, 766571)
    """
    power = exp_minus(exponent)

    def enclose(bits: int) -> tuple[int, int]:
        spare = _GUARD + second.bit_length()
        low, high = power(bits + spare)
        whole = first << (bits + spare)
        return (whole << bits) // (whole + second * high), -(-(whole << bits) // (whole + second * low))

    return enclose


def first_bits(probability: Enclosure, bits: int) -> int:
    """Return the floor of 2^bits · p for an irrational p: its first binary digits, exactly.

    >>> bin(first_bits(exp_minus(Fraction(1)), 8))
    '0b1011110'
    """
    spare = 32
    while True:
        low, high = probability(bits + spare)
        if low >> spare == high >> spare:
            return low >> spare
        spare *= 2
