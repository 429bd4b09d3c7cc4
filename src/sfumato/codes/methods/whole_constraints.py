"""Which utility constraints can be kept whole together.

G. Loukides, A. Gkoulalas-Divanis and B. Malin (PNAS 2010) count the diseases of which no code is suppressed.
Codes that are suppressed one by one, each where that costs least, soon take something of every disease. So
it is chosen first which diseases to give up: what fits together still fits together without one of its
members, and a largest family that fits is looked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

LOOKS = 20_000
"""how many families are asked about; after that the largest one found so far is taken"""

Fits = Callable[[Sequence[int], int], bool]
"""says whether one more member fits to a family that fits"""


def largest_family(
    members: int, fits: Fits, rivals: Iterable[tuple[int, int]], looks: int = LOOKS
) -> list[int]:
    """Return the members of a largest family that fits; earlier members are preferred.

    At first every member is taken that fits to those taken before it, and again with members first that
    quarrel with fewest others. Then families are searched depth first, without those that could not become
    larger than the best one. The answer is a largest family unless ``looks`` run out.

    Args:
        members: how many there are, numbered from 0
        fits: says whether one more member fits to a family that fits
        rivals: pairs of members that might not fit to each other
        looks: how often the search may ask

    >>> largest_family(4, lambda family, one: one != 0 or not family, [(0, 1), (0, 2), (0, 3)])
    [1, 2, 3]
    """
    alone = [one for one in range(members) if fits((), one)]
    search = _Search(fits, looks)
    search.take_in_order(alone)
    if len(search.best) < len(alone):
        quarrels = search.quarrels(set(alone), rivals)
        order = sorted(alone, key=lambda one: (quarrels[one], one))
        search.take_in_order(order)
        search.grow([], order)
    return sorted(search.best)


class _Search:
    def __init__(self, fits: Fits, looks: int) -> None:
        self._fits = fits
        self._left = looks
        self.best: list[int] = []

    def take_in_order(self, order: Sequence[int]) -> None:
        family: list[int] = []
        for one in order:
            if self._fits(family, one):
                family.append(one)
        if len(family) > len(self.best):
            self.best = family

    def quarrels(self, alone: set[int], rivals: Iterable[tuple[int, int]]) -> Counter[int]:
        """Count for each member how many others do not fit to it; half of the looks may go into it."""
        found: Counter[int] = Counter()
        for one, other in sorted(pair for pair in rivals if alone.issuperset(pair))[: self._left // 2]:
            if not self._asked([one], other):
                found.update((one, other))
        return found

    def grow(self, family: list[int], members: Sequence[int]) -> None:
        if len(family) > len(self.best):
            self.best = family
        able: list[int] = []
        for place, one in enumerate(members):
            if self._left <= 0 or len(family) + len(able) + len(members) - place <= len(self.best):
                return
            if self._asked(family, one):
                able.append(one)
        for place, one in enumerate(able):
            if len(family) + len(able) - place <= len(self.best):
                return
            self.grow([*family, one], able[place + 1 :])

    def _asked(self, family: Sequence[int], one: int) -> bool:
        self._left -= 1
        return self._fits(family, one)
