"""Which utility constraints can be kept whole together.

G. Loukides, A. Gkoulalas-Divanis and B. Malin (PNAS 2010) count the diseases of which no code is suppressed.
Codes that are suppressed one by one, each where that costs least, soon take something of every disease. So
it is chosen first which diseases to give up: what fits together, fits together without one of its members
as well, and a largest family that fits is looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

LOOKS = 20_000
"""how many families are asked about; after that the largest one found so far is taken"""

Fits = Callable[[Sequence[int], int], bool]
"""says whether one more member fits to a family that fits"""


def largest_family(members: int, fits: Fits, looks: int = LOOKS) -> list[int]:
    """Return the members of a largest family that fits; earlier members are preferred.

    At first every member is taken that fits to those before it, and again with members first that quarrel
    with fewest others. Then families are searched depth first, without those that could not become larger
    than the best one. The answer is a largest family unless ``looks`` run out.

    >>> largest_family(4, lambda family, one: one != 0 or not family)
    [1, 2, 3]
    """
    return _Search(fits, looks).largest(members)


class _Search:
    def __init__(self, fits: Fits, looks: int) -> None:
        self._fits = fits
        self._left = looks
        self._best: list[int] = []

    def largest(self, members: int) -> list[int]:
        alone = [one for one in range(members) if self._fits((), one)]
        self._take_in_order(alone)
        if len(self._best) < len(alone):
            quarrels = dict.fromkeys(alone, 0)
            for place, one in enumerate(alone):
                # Two passes over all pairs must not eat what the search needs.
                if self._left < len(alone):
                    break
                for other in alone[place + 1 :]:
                    if not self._asked([one], other):
                        quarrels[one] += 1
                        quarrels[other] += 1
            self._take_in_order(sorted(alone, key=lambda one: (quarrels[one], one)))
            self._grow([], alone)
        return sorted(self._best)

    def _asked(self, family: Sequence[int], one: int) -> bool:
        self._left -= 1
        return self._fits(family, one)

    def _take_in_order(self, order: Sequence[int]) -> None:
        family: list[int] = []
        for one in order:
            if self._fits(family, one):
                family.append(one)
        if len(family) > len(self._best):
            self._best = family

    def _grow(self, family: list[int], members: Sequence[int]) -> None:
        if len(family) > len(self._best):
            self._best = family
        able: list[int] = []
        for place, one in enumerate(members):
            if self._left <= 0 or len(family) + len(able) + len(members) - place <= len(self._best):
                return
            if self._asked(family, one):
                able.append(one)
        for place, one in enumerate(able):
            if len(family) + len(able) - place <= len(self._best):
                return
            self._grow([*family, one], able[place + 1 :])
