"""Everything a person has: who else looks the same, and who else holds all of it.

Two readings of "the whole set", kept apart. *Alike*: another record holds exactly the same codes, nothing
more (Y. He & J. Naughton, PVLDB 2009). *Held*: another record holds all of these codes, perhaps among
others. Whoever knows that the set is complete looks for the first, whoever saw a discharge summary for the
second.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.risk.matching import Matching
from sfumato.codes.sets import CodeSets, Visits
from sfumato.core.attack import in_per_cent
from sfumato.core.errors import BadInput


def alike(starts: NDArray[np.int64], values: NDArray[np.int32]) -> NDArray[np.int64]:
    """Count for every row of a ragged array the rows that are exactly the same, itself included.

    >>> alike(np.array([0, 2, 3, 5]), np.array([4, 7, 4, 4, 7], np.int32)).tolist()
    [2, 1, 2]
    """
    rows = [values[a:b].tobytes() for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]
    times = Counter(rows)
    return np.array([times[row] for row in rows], np.int64)


def alike_among(sets: CodeSets, population: CodeSets) -> NDArray[np.int64]:
    """Count for every person of a file who looks exactly the same: max(f, F), or nobody when F is 0."""
    listed = Counter(population)
    own = Counter(sets)
    return np.array([max(listed[row], own[row]) if listed[row] else 0 for row in sets], np.int64)


@dataclass(frozen=True)
class VisitExposure:
    """The adversary who saw one discharge summary: the codes of a visit, looked for in whole histories.

    ``unique`` of the ``visits`` have codes that one history alone holds all of, ``below`` fewer than k;
    ``people_unique`` and ``people_below`` have at least one such visit. Visits without codes are left out.
    """

    visits: int
    unique: int
    below: int
    people: int
    people_unique: int
    people_below: int

    def __str__(self) -> str:
        return (
            f"one visit: {in_per_cent(self.unique / self.visits)} of {self.visits:,} visits are held by one "
            f"history alone, {in_per_cent(self.below / self.visits)} by fewer than k; "
            f"{in_per_cent(self.people_unique / self.people)} of the people have a unique one"
        )


def visit_exposure(histories: CodeSets, visits: Visits, k: int) -> VisitExposure | None:
    """Look for every visit in all histories; None where no visit has a code.

    >>> histories = CodeSets.of([["a", "b"], ["a", "c"], ["a"]])
    >>> visits = Visits(CodeSets.of([["a"], ["b"], ["a", "c"], ["a"]]), np.array([0, 0, 1, 2]))
    >>> found = visit_exposure(histories, visits, 3)
    >>> found.unique, found.people_unique, found.people
    (2, 2, 3)
    """
    if len(visits.owner) != len(visits.sets):
        raise BadInput("there must be one owner for each visit", where="visits")
    filled = np.diff(visits.sets.starts) > 0
    if not filled.any():
        return None
    matching = Matching.among(visits.sets, histories)
    # Visits themselves are no people: only histories are counted.
    found = matching.held_by_members(k)
    alone, few = filled & (found == 1), filled & (found > 0) & (found < k)
    return VisitExposure(
        int(filled.sum()),
        int(alone.sum()),
        int(few.sum()),
        len(np.unique(visits.owner[filled])),
        len(np.unique(visits.owner[alone])),
        len(np.unique(visits.owner[few])),
    )
