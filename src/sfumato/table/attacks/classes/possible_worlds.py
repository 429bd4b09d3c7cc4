"""Counting the ways in which sensitive values may be handed out to the people of a class.

R. C.-W. Wong, A. W.-C. Fu, K. Wang & J. Pei, "Minimality attack in privacy preserving data publishing"
(2007).
A class is made of *groups*, whose sizes are known; which of its values belong to which group is not. Each way
to hand the values out is a possible world, and all are equally likely. Counted in whole numbers, as a product
of polynomials: one for each group, with a term for each choice of values that the group may have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import comb, floor, prod

Terms = dict[tuple[int, ...], int]
"""how many people have each watched value → in how many ways"""


@dataclass(frozen=True)
class Worlds:
    """The worlds of one class.

    ``allowed`` are those in which no group breaks the promise. ``holders[size, v]`` adds up, over these, how
    many people of one group of that size have value v.
    """

    people: int
    counts: tuple[int, ...]
    total: int
    allowed: int
    holders: Mapping[tuple[int, int], int] = field(repr=False)

    @property
    def fine(self) -> Fraction:
        """The probability that no group breaks the promise."""
        return Fraction(self.allowed, self.total)

    def credence(self, size: int, value: int, others_fine: Fraction) -> Fraction | None:
        """Return how likely somebody of a group has a value, given that some group somewhere breaks it.

        ``others_fine`` is the probability that no group of the *other* classes does. With A "somebody has
        the value" and F "all is fine":  P(A | not F) = (P(A) − P(A and F)) / (1 − P(F)).  None if nothing
        can be broken.
        """
        broken = 1 - self.fine * others_fine
        if not broken:
            return None
        prior = Fraction(self.counts[value], self.people)
        both = Fraction(self.holders[size, value], size * self.total)
        return (prior - both * others_fine) / broken


def steps(sizes: Sequence[int], counts: Sequence[int], share: Fraction) -> int:
    """Estimate the work to count the worlds of a class."""
    states = prod(count + 1 for count in counts)
    terms = max((prod(min(floor(size * share), c) + 1 for c in counts) for size in sizes), default=1)
    return len(sizes) * states * terms * (1 + len(set(sizes)))


def worlds(sizes: Sequence[int], counts: Sequence[int], share: Fraction) -> Worlds:
    """Count the worlds of a class: groups of these sizes, so many people with each watched value.

    A group breaks the promise when one of the watched values has more than ``share`` of it. Two of the
    lecture's seven people are ill; two live here and five there. All but one of the 21 worlds are fine with
    at most half of each group:

    >>> found = worlds([2, 5], [2], Fraction(1, 2))
    >>> found.total, found.allowed, found.credence(2, 0, Fraction(1))
    (21, 20, Fraction(1, 1))
    """
    people, rest = sum(sizes), sum(sizes) - sum(counts)
    wanted = tuple(counts)
    total, left = 1, people
    for count in counts:
        total *= comb(left, count)
        left -= count
    terms = {size: _terms(size, wanted, share, filled=rest == 0) for size in set(sizes)}
    holders: dict[tuple[int, int], int] = {}
    groups = Counter(sizes)
    allowed = 0
    for size in groups:
        others = _product([terms[other] for other in (groups - Counter([size])).elements()], wanted)
        allowed = 0
        held = [0] * len(wanted)
        for have, ways in terms[size].items():
            missing = tuple(all_ - own for all_, own in zip(wanted, have, strict=True))
            found = ways * others.get(missing, 0)
            allowed += found
            for v, own in enumerate(have):
                held[v] += own * found
        holders |= {(size, v): number for v, number in enumerate(held)}
    return Worlds(people, wanted, total, allowed, holders)


def _terms(size: int, counts: tuple[int, ...], share: Fraction, *, filled: bool) -> Terms:
    """Return what a group may have; with ``filled`` nobody in the class has any other value."""
    most = floor(size * share)
    found: Terms = {}
    for have in product(*(range(min(most, count) + 1) for count in counts)):
        taken = sum(have)
        if taken > size or (filled and taken < size):
            continue
        ways, left = 1, size
        for own in have:
            ways *= comb(left, own)
            left -= own
        found[have] = ways
    return found


def _product(factors: Sequence[Terms], counts: tuple[int, ...]) -> Terms:
    """Multiply polynomials, leaving out terms that hand out more than there is."""
    found: Terms = {(0,) * len(counts): 1}
    for factor in factors:
        after: Terms = {}
        for have, ways in found.items():
            for more, others in factor.items():
                both = tuple(a + b for a, b in zip(have, more, strict=True))
                if all(a <= c for a, c in zip(both, counts, strict=True)):
                    after[both] = after.get(both, 0) + ways * others
        found = after
    return found
