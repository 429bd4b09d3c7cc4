"""Rules at their thresholds, decided with whole numbers and fractions.

Kernels work in floating point and say when they are not sure; those few classes come here. The
logarithms of rules are gone: −Σ (f/n) ln(f/n) ≥ ln(a/b) is Π f^f · a^n ≤ n^n · b^n, and so on.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import accumulate, pairwise
from math import gcd
from typing import Any

from sfumato.core.domain import as_day, as_number
from sfumato.hierarchy.ladder import Ladder
from sfumato.table.rule import Rule, RuleKind

_DIGITS = 60
"""of logarithms that decide first: powers of large counts have too many digits to be written out"""
Counts = Mapping[int, int]
"""persons of every sensitive value that occurs in a class, by its code"""


@dataclass(frozen=True)
class Facts:
    """What a rule about a sensitive column needs to know of the whole table."""

    base: tuple[int, ...]
    """persons of every value"""
    values: tuple[Any, ...] = ()
    watched: frozenset[int] = frozenset()
    """codes of the values that are watched; all when empty"""
    ladder: Ladder | None = None


def satisfies(rule: Rule, counts: Counts, facts: Facts) -> bool:
    """Say whether a class with these counts satisfies a rule about a sensitive column."""
    return _EXACT[rule.kind](rule, counts, facts)


def fraction(rule: Rule, at: int = 0) -> Fraction:
    """Return the fraction that two parameters of a rule spell."""
    return Fraction(rule.parameters[at], rule.parameters[at + 1])


def number(value: Any) -> Fraction:
    """Return a value as the number that it is written as; dates and times count in days."""
    if isinstance(value, str) and (day := as_day(value)) is not None and as_number(value) is None:
        return Fraction(int(day))
    if isinstance(value, str | int | float | Decimal):
        return Fraction(str(value))
    days = Fraction(value.toordinal())
    if hasattr(value, "hour"):
        seconds = value.hour * 3600 + value.minute * 60 + value.second
        days += (seconds + Fraction(value.microsecond, 10**6)) / 86400
    return days


def _distinct(rule: Rule, counts: Counts, facts: Facts) -> bool:
    return len(counts) >= rule.parameters[0]


def _max_share(rule: Rule, counts: Counts, facts: Facts) -> bool:
    most = fraction(rule) * sum(counts.values())
    return all(f <= most for v, f in counts.items() if not facts.watched or v in facts.watched)


def _entropy(rule: Rule, counts: Counts, facts: Facts) -> bool:
    wanted, n = fraction(rule), sum(counts.values())
    with localcontext() as context:
        context.prec = _DIGITS
        most = n * (Decimal(n).ln() + Decimal(wanted.denominator).ln())
        found = n * Decimal(wanted.numerator).ln() + sum(f * Decimal(f).ln() for f in counts.values())
        if abs(found - most) > (1 + abs(most)) * Decimal(10) ** (8 - _DIGITS):
            return found < most
    # All exponents are multiples of the greatest common divisor: its root is taken on both sides.
    common = gcd(*counts.values())
    product: int = wanted.numerator ** (n // common)
    for f in counts.values():
        product *= f ** (f // common)
    return bool(product <= (n * wanted.denominator) ** (n // common))


def _recursive(rule: Rule, counts: Counts, facts: Facts) -> bool:
    ordered = sorted(counts.values(), reverse=True)
    return ordered[0] < fraction(rule) * sum(ordered[rule.parameters[2] - 1 :])


def _differences(counts: Counts, facts: Facts) -> list[Fraction]:
    """Return f_v/n − p_v for every value."""
    n, total = sum(counts.values()), sum(facts.base)
    return [Fraction(counts.get(v, 0), n) - Fraction(p, total) for v, p in enumerate(facts.base)]


def _close_equal(rule: Rule, counts: Counts, facts: Facts) -> bool:
    return sum(map(abs, _differences(counts, facts)), Fraction(0)) / 2 <= fraction(rule)


def _along(differences: Sequence[Fraction], gaps: Sequence[Fraction]) -> Fraction:
    moved = carried = Fraction(0)
    for difference, gap in zip(differences, gaps, strict=False):
        carried += difference
        moved += abs(carried) * gap
    return moved


def ordered_gaps(base: Sequence[int]) -> list[Fraction]:
    """Return how far each value of an order is from the next: 1/(m − 1) between the m that occur."""
    places = [Fraction(rank) for rank in accumulate(int(count > 0) for count in base)]
    return _gaps(places, base)


def numeric_gaps(values: Sequence[Any], base: Sequence[int]) -> list[Fraction]:
    """Return how far each number is from the next, as a share of the range of those that occur."""
    return _gaps([number(value) for value in values], base)


def _gaps(places: Sequence[Fraction], base: Sequence[int]) -> list[Fraction]:
    occurring = [place for place, count in zip(places, base, strict=True) if count > 0]
    span = occurring[-1] - occurring[0] if occurring else Fraction(0)
    return [(high - low) / span for low, high in pairwise(places)] if span else []


def _close_ordered(rule: Rule, counts: Counts, facts: Facts) -> bool:
    return _along(_differences(counts, facts), ordered_gaps(facts.base)) <= fraction(rule)


def _close_numeric(rule: Rule, counts: Counts, facts: Facts) -> bool:
    return _along(_differences(counts, facts), numeric_gaps(facts.values, facts.base)) <= fraction(rule)


def _close_hierarchical(rule: Rule, counts: Counts, facts: Facts) -> bool:
    assert facts.ladder is not None
    rungs, height = facts.ladder.rungs, facts.ladder.height
    if height == 0:
        return True
    extra: dict[int, Fraction] = {}
    for v, difference in enumerate(_differences(counts, facts)):
        group = int(rungs[0, v])
        extra[group] = extra.get(group, Fraction(0)) + difference
    moved = Fraction(0)
    for level in range(1, height + 1):
        parent = {int(rungs[level - 1, v]): int(rungs[level, v]) for v in range(len(facts.base))}
        surplus: dict[int, Fraction] = {}
        want: dict[int, Fraction] = {}
        for group, difference in extra.items():
            side = surplus if difference > 0 else want
            side[parent[group]] = side.get(parent[group], Fraction(0)) + abs(difference)
        groups = set(surplus) | set(want)
        nothing = Fraction(0)
        for group in groups:
            moved += Fraction(level, height) * min(surplus.get(group, nothing), want.get(group, nothing))
        extra = {group: surplus.get(group, nothing) - want.get(group, nothing) for group in groups}
    return moved <= fraction(rule)


def _likeness(rule: Rule, counts: Counts, facts: Facts) -> bool:
    n, total = sum(counts.values()), sum(facts.base)
    return all(
        Fraction(f, n) <= (1 + fraction(rule)) * Fraction(facts.base[v], total) for v, f in counts.items()
    )


def _likeness_enhanced(rule: Rule, counts: Counts, facts: Facts) -> bool:
    n, total = sum(counts.values()), sum(facts.base)
    for v, f in counts.items():
        share = Fraction(facts.base[v], total)
        if share == 0:
            return False
        gain = Fraction(f, n) / share - 1
        if gain > fraction(rule) or not at_most_log(gain, share):
            return False
    return True


def at_most_log(gain: Fraction, share: Fraction) -> bool:
    """Say whether gain ≤ −ln(share); the logarithm of a fraction below 1 is irrational, so digits decide."""
    if gain <= 0 or share == 1:
        return gain <= 0
    digits = 30
    while True:
        with localcontext() as context:
            context.prec = digits
            found = Decimal(share.denominator).ln() - Decimal(share.numerator).ln()
            wanted = Decimal(gain.numerator) / Decimal(gain.denominator)
            if abs(found - wanted) > abs(wanted) * Decimal(10) ** (8 - digits):
                return wanted < found
        digits *= 2


def _disclosure(rule: Rule, counts: Counts, facts: Facts) -> bool:
    n, total = sum(counts.values()), sum(facts.base)
    a, b = rule.parameters[:2]
    for v, f in counts.items():
        if facts.base[v] == 0:
            return False
        ratio = Fraction(f, n) / Fraction(facts.base[v], total)
        if _reaches(max(ratio, 1 / ratio), a, b):
            return False
    return True


def _reaches(ratio: Fraction, a: int, b: int) -> bool:
    """Say whether ratio ≥ 2^(a/b), which is no fraction unless b = 1: then digits decide."""
    if b == 1:
        return bool(ratio >= 2**a)
    digits = _DIGITS
    while True:
        with localcontext() as context:
            context.prec = digits
            found = b * (Decimal(ratio.numerator).ln() - Decimal(ratio.denominator).ln())
            wanted = a * Decimal(2).ln()
            if abs(found - wanted) > wanted * Decimal(10) ** (8 - digits):
                return bool(found > wanted)
        digits *= 2


def _range(rule: Rule, counts: Counts, facts: Facts) -> bool:
    places = [number(facts.values[v]) for v in counts if facts.values[v] is not None]
    return bool(places) and max(places) - min(places) >= fraction(rule)


def windows(rule: Rule, values: Sequence[Any]) -> list[tuple[int, int]]:
    """Return for every value x the first and last code within x ± ε (or x ± ε·|x|); missing is alone."""
    places = [number(value) for value in values if value is not None]
    found = []
    for middle in places:
        reach = fraction(rule) * (abs(middle) if rule.parameters[3] else 1)
        found.append((bisect_left(places, middle - reach), bisect_right(places, middle + reach) - 1))
    return found + [(v, v) for v in range(len(places), len(values))]


_EXACT = {
    RuleKind.DISTINCT: _distinct,
    RuleKind.MAX_SHARE: _max_share,
    RuleKind.ENTROPY: _entropy,
    RuleKind.RECURSIVE: _recursive,
    RuleKind.CLOSE_EQUAL: _close_equal,
    RuleKind.CLOSE_ORDERED: _close_ordered,
    RuleKind.CLOSE_NUMERIC: _close_numeric,
    RuleKind.CLOSE_HIERARCHICAL: _close_hierarchical,
    RuleKind.LIKENESS: _likeness,
    RuleKind.LIKENESS_ENHANCED: _likeness_enhanced,
    RuleKind.DISCLOSURE: _disclosure,
    RuleKind.RANGE: _range,
}
