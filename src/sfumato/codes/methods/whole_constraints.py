"""Which utility constraints can be kept whole together.

G. Loukides, A. Gkoulalas-Divanis and B. Malin (PNAS 2010) count the diseases of which no code is suppressed.
Codes that are suppressed one by one, each where that costs least, soon take something of every disease. So
it is chosen first which diseases to give up: what fits together still fits together without one of its
members, and a largest family that fits is looked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.contract import Problem
from sfumato.codes.methods.clusters import Clusters
from sfumato.codes.policies.partners import Partners

if TYPE_CHECKING:
    from sfumato.codes.methods.set_based import Targets

LOOKS = 20_000
"""how many families are asked about; after that the largest one found so far is taken"""

Fits = Callable[[Sequence[int], int], bool]
"""says whether one more member fits to a family that fits"""


def known_constraints(problem: Problem, partners: Partners) -> list[NDArray[np.int64]]:
    """Return the different utility constraints as codes that occur, those with most occurrences first.

    There are none where codes may be joined whatever the utility policy says.
    """
    if not partners.named.any():
        return []
    place = {code: position for position, code in enumerate(problem.sets.domain)}
    known = {tuple(sorted({place[code] for code in one if code in place})) for one in problem.utility} - {()}
    supports = problem.sets.supports
    return [
        np.array(codes, np.int64)
        for codes in sorted(known, key=lambda codes: (-int(supports[list(codes)].sum()), codes))
    ]


def whole(clusters: Clusters, constraints: Sequence[NDArray[np.int64]]) -> int:
    """Count the utility constraints of which nothing is suppressed; no item crosses any of them."""
    return sum(bool((clusters.item_of[codes] >= 0).all()) for codes in constraints)


def spared_codes(targets: Targets, constraints: Sequence[NDArray[np.int64]]) -> list[NDArray[np.bool_]]:
    """Mark the codes of utility constraints that can be kept whole together if all other codes may go.

    Nothing may be joined or suppressed yet. The last answer is cautious: what it spares is never suppressed.
    Where nobody holds some itemset, that may spare less than is possible, and another answer hopes for more.
    """

    def marked(chosen: Sequence[int]) -> NDArray[np.bool_]:
        found = np.zeros(targets.codes, np.bool_)
        for one in chosen:
            found[constraints[one]] = True
        return found

    rivals = targets.meeting(constraints)
    found: dict[tuple[int, ...], NDArray[np.bool_]] = {}
    for cautious in (False, True):
        family = largest_family(
            len(constraints),
            lambda some, one: targets.can_keep(marked([*some, one]), marked([one]), cautious),  # noqa: B023 - used at once
            rivals,
            # With caution a look goes through the parts of what nobody holds, which takes long.
            LOOKS // (1 + targets.unheld) if cautious else LOOKS,
        )
        found[tuple(family)] = marked(family)
    return list(found.values())


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

    >>> largest_family(4, lambda family, one: not family or 0 not in (*family, one), [(0, 1), (0, 2), (0, 3)])
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
