"""Numbers as intervals between given cuts: under 18, 18 to 44, 45 to 64, 65 and over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput
from sfumato.hierarchy.bounds import exact, interval_level, is_whole, leaf_count, positions_of
from sfumato.hierarchy.build import assemble, root_level
from sfumato.hierarchy.ladder import Ladder


@dataclass(frozen=True)
class Cuts:
    """Intervals between cuts, one list for each level; a level keeps some of the cuts below it.

    Below the first cut and from the last one on, the intervals are open. ``*`` is on top. Labels
    and leaves are those of ``Intervals``.

    >>> Cuts([[18, 45, 65], [65]]).ladder(Domain.of("age", [7, 20, 65])).labels[1:]
    (('<18', '18-44', '65+'), ('<65', '65+'), ('*',))
    """

    cuts: Sequence[float] | Sequence[Sequence[float]]

    def __post_init__(self) -> None:
        nested = [level if isinstance(level, Sequence) else None for level in self.cuts]
        lists = [self.cuts] if None in nested else nested
        levels = tuple(tuple(level) for level in lists if isinstance(level, Sequence))
        object.__setattr__(self, "cuts", levels)
        for level in levels:
            numbers = [exact(cut, "a cut") for cut in level]
            if not numbers or any(high <= low for low, high in pairwise(numbers)):
                raise BadInput("cuts must be numbers in increasing order, at least one", where="intervals")
        if not levels:
            raise BadInput("there must be at least one cut", where="intervals")
        for below, above in pairwise(levels):
            if not {*above} < {*below}:
                raise BadInput(
                    "the cuts do not nest",
                    where="intervals",
                    remedy="let each level keep some of the cuts of the level below",
                )

    def ladder(self, domain: Domain) -> Ladder:
        """Lay the cuts over the numbers of a column."""
        positions = positions_of(domain)
        levels = []
        numbers = [[exact(cut, "a cut") for cut in level] for level in self.cuts if isinstance(level, tuple)]
        whole = is_whole(positions) and all(cut.denominator == 1 for cut in numbers[0])
        for cuts in numbers:
            keys = np.searchsorted([float(cut) for cut in cuts], positions, side="right").astype(np.int64)
            between = list(pairwise([None, *cuts, None]))
            levels.append(interval_level(positions, keys, between.__getitem__, whole))
        size = leaf_count(positions, whole)
        return assemble(domain, [*levels, root_level(len(positions), size)], size)
