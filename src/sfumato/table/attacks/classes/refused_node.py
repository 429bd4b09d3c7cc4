"""What it tells of everybody that a node of the lattice was refused.

R. C.-W. Wong, A. W.-C. Fu, K. Wang & J. Pei, "Minimality attack in privacy preserving data publishing"
(2007).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from operator import mul

from sfumato.table.attacks.classes.node_below import Belief, Below, Reading
from sfumato.table.attacks.classes.possible_worlds import Worlds, steps, worlds

MOST_STEPS = 2_000_000
"""products of whole numbers that are computed for one node; past them it is not read"""
_LONGEST = 10**60


def read(below: Below, share: Fraction) -> Reading | None:
    """Work out everybody's credence, given that at this node some group has more than a share of one value.

    Classes are independent: what happens in the others matters only by the probability that they are fine.
    None where there are too many worlds to count.
    """
    work = 0
    for sizes, counts, have in zip(below.sizes, below.counts, below.have, strict=True):
        work += steps(sizes, counts, share) * (1 + len(have))
        if work > MOST_STEPS:
            return None
    counted = [worlds(sizes, counts, share) for sizes, counts in zip(below.sizes, below.counts, strict=True)]
    fine = [one.fine for one in counted]
    before = list(accumulate(fine, _times, initial=Fraction(1)))
    after = list(accumulate(reversed(fine), _times, initial=Fraction(1)))[::-1]
    beliefs = []
    for c, (sizes, counts, have) in enumerate(zip(below.sizes, below.counts, below.have, strict=True)):
        others = before[c] * after[c + 1]
        for (size, v), people in have.items():
            credence = _believed(counted[c], size, v, others)
            without = _without(sizes, counts, size, v, share, others)
            beliefs.append(Belief(c, size, v, people, credence, without))
    return Reading(below.column, 1 - before[-1], tuple(beliefs), below.group_size)


def _believed(found: Worlds, size: int, value: int, others: Fraction) -> Fraction:
    told = found.credence(size, value, others)
    return Fraction(found.counts[value], found.people) if told is None else told


def _without(
    sizes: Sequence[int], counts: Sequence[int], size: int, value: int, share: Fraction, others: Fraction
) -> Fraction:
    """Return the credence about somebody whose record is not there, from those of their group who are.

    When nobody else is in their group, that of the class; when nobody is in the class, nothing is believed.
    """
    smaller = list(sizes)
    smaller.remove(size)
    if size > 1:
        smaller.append(size - 1)
    fewer = [count - (v == value) for v, count in enumerate(counts)]
    if size == 1:
        return Fraction(fewer[value], max(sum(smaller), 1))
    return _believed(worlds(smaller, fewer, share), size - 1, value, others)


def _times(one: Fraction, other: Fraction) -> Fraction:
    """Multiply probabilities, and keep products of very many short: what is lost is far below any margin."""
    product: Fraction = mul(one, other)
    return product if product.denominator < _LONGEST else Fraction(float(product))
