"""Which property of a person is believed most, or more than before, once a randomised value was seen.

A. Evfimievski, J. Gehrke & R. Srikant, "Limiting privacy breaches in privacy preserving data mining"
(2003): a property Q is a set of values. With the prior p and the chances l_u that value u shows as what
was seen,

    Pr[Q] = Σ_{u ∈ Q} p_u        Pr[Q | seen] = Σ_{u ∈ Q} p_u l_u / Σ_u p_u l_u.

All in whole numbers: p and l are given up to a common factor each.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

MOST_STEPS = 20_000
"""sets that are looked at for one value that was seen, before the best so far is taken"""


@dataclass(frozen=True)
class Belief:
    """What an adversary comes to think on seeing one value: ``prior`` and ``chance`` of every value.

    >>> seen = Belief((1, 1, 2), (9, 1, 1))
    >>> seen.best, seen.before([0]), seen.after([0])
    ((0,), Fraction(1, 4), Fraction(3, 4))
    >>> seen.growth(Fraction(1)), seen.highest(Fraction(1, 2))
    ((Fraction(1, 2), True), (Fraction(5, 6), True))
    """

    prior: tuple[int, ...]
    chance: tuple[int, ...]
    most: int | None = None
    """values that a property may consist of; None: any number"""
    steps: int = MOST_STEPS

    @cached_property
    def _joint(self) -> list[int]:
        return [p * chance for p, chance in zip(self.prior, self.chance, strict=True)]

    @cached_property
    def _order(self) -> list[int]:
        """The values from the one that makes what was seen most likely."""
        return sorted(range(len(self.chance)), key=self.chance.__getitem__, reverse=True)

    @cached_property
    def possible(self) -> bool:
        """Whether the prior allows for what was seen."""
        return any(self._joint)

    @cached_property
    def _total(self) -> int:
        return sum(self._joint)

    @cached_property
    def _whole(self) -> int:
        return sum(self.prior)

    def before(self, values: Sequence[int]) -> Fraction:
        """Return what was believed of a set of values."""
        return Fraction(sum(self.prior[u] for u in values), self._whole)

    def after(self, values: Sequence[int]) -> Fraction:
        """Return what is believed of a set of values on seeing what is shown."""
        return Fraction(sum(self._joint[u] for u in values), self._total)

    @property
    def left(self) -> int:
        """How many values are still possible."""
        return sum(joint > 0 for joint in self._joint)

    @cached_property
    def best(self) -> tuple[int, ...]:
        """The values that are believed most."""
        top = max(self._joint)
        return tuple(u for u, joint in enumerate(self._joint) if joint == top)

    def highest(self, bound: Fraction) -> tuple[Fraction, bool]:
        """Return the highest belief in a property that was believed with at most ``bound``.

        Says also whether no other property does better: many values with odd priors are a knapsack, and
        the search gives up after a while with the best property so far.
        """
        most, exact = self._fullest(self._joint, bound)
        return Fraction(most, self._total), exact

    def growth(self, bound: Fraction) -> tuple[Fraction, bool]:
        """Return by how much a belief of at most ``bound`` grows at most.

        The growth of Q is Σ_{u ∈ Q} p_u (l_u / Z − 1), Z being the mean chance: without a bound, the
        property of all values with l_u > Z grows most.
        """
        whole, total = self._whole, self._total
        gains = [joint * whole - p * total for p, joint in zip(self.prior, self._joint, strict=True)]
        most, exact = self._fullest(gains, bound)
        return Fraction(most, whole * total), exact

    def _fullest(self, values: Sequence[int], bound: Fraction) -> tuple[int, bool]:
        pairs = [(values[u], self.prior[u]) for u in self._order]
        return fullest(pairs, int(bound * self._whole), self.most, self.steps)


def fullest(
    pairs: Sequence[tuple[int, int]], room: int, most: int | None = None, steps: int = MOST_STEPS
) -> tuple[int, bool]:
    """Return the greatest sum of values whose weights fit into the room, and whether it is proved.

    ``pairs`` of value and weight come in the order of value for weight (here: the likelihood ratio), the
    best first. So what fits whole or in part bounds what any choice can reach, and choices that cannot
    beat the best are cut off.

    >>> pairs = [(5, 2), (6, 3), (4, 2)]
    >>> fullest(pairs, 4), fullest(pairs, 4, most=1)
    ((9, True), (6, True))
    """
    pairs = [(v, w) for v, w in pairs if v > 0 and 0 < w <= room]
    limit = len(pairs) if most is None else min(most, len(pairs))
    if limit == 1:
        return max(v for v, _ in pairs), True
    worth = [0, *accumulate(v for v, _ in pairs)]
    weight = [0, *accumulate(w for _, w in pairs)]
    best = 0
    waiting = [(0, 0, room, limit)]
    while waiting and steps:
        steps -= 1
        at, value, left, free = waiting.pop()
        best = max(best, value)
        if at == len(pairs) or not free:
            continue
        end = bisect_right(weight, weight[at] + left) - 1
        reach = value + worth[end] - worth[at]
        if end - at <= free:
            best = max(best, reach)
        if end < len(pairs):
            reach += (left - weight[end] + weight[at]) * pairs[end][0] // pairs[end][1]
        if reach <= best:
            continue
        waiting.append((at + 1, value, left, free))
        if pairs[at][1] <= left:
            waiting.append((at + 1, value + pairs[at][0], left - pairs[at][1], free - 1))
    return best, not waiting
