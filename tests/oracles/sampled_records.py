"""What sampling and suppressing one class shows, with every probability computed: no bound is used here."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb


def shown(size: int, k: int, beta: Fraction) -> list[Fraction]:
    """The probability that a class of so many records shows 0, 1, … of them."""
    taken = [comb(size, j) * beta**j * (1 - beta) ** (size - j) for j in range(size + 1)]
    return [sum(taken[:k], Fraction(0)), *(Fraction(0),) * (k - 1), *taken[k:]]


def excess(one: Sequence[Fraction], other: Sequence[Fraction], growth: Fraction) -> Fraction:
    """The least δ for which no event is more than growth times (plus δ) as likely under one as the other."""
    length = max(len(one), len(other))
    padded = [[*p, *(Fraction(0),) * (length - len(p))] for p in (one, other)]
    return sum((max(p - growth * q, Fraction(0)) for p, q in zip(*padded, strict=True)), Fraction(0))


def spent(k: int, beta: Fraction, growth: Fraction, largest: int) -> Fraction:
    """The least δ over all classes of up to so many records, with one record more or less."""
    worst = Fraction(0)
    for size in range(1, largest + 1):
        before, after = shown(size - 1, k, beta), shown(size, k, beta)
        worst = max(worst, excess(before, after, growth), excess(after, before, growth))
    return worst
