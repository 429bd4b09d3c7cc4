"""How often a sensitive value can be told from a person's class, with their record and without it.

The guess is the most frequent value of the class (A. Machanavajjhala et al., "l-diversity", 2006: a class
with one value tells it for sure). What is learned from everybody else's records would be learned anyway:
C. Dwork, "Differential privacy" (2006), on the smoker whom a study harms whether she takes part or not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.table.published import ClassValues

Ints = NDArray[np.int64]
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class SensitiveValueRisk:
    """Who guesses the most frequent value of a person's class is right so often.

    With c_v of the f people of a class having value v, over all classes and N = Σ f people in all:

    - ``sure`` = (1/N) Σ f of classes where all share a value, max_v c_v = f: no guess is needed;
    - ``guessed`` = (1/N) Σ max_v c_v, attribute disclosure: the person's own record is in the class;
    - ``without`` = the same guess from the records of everybody else in the class (from the whole table where
      nobody else is): inference that the person cannot prevent. The difference is due to their own record;
    - ``blind`` = max_v N_v / N, the most frequent value of the table, for everybody.

    It bounds an adversary who knows the class and nothing about how values go together with anything else.
    Somebody with several values is told when one of them is; ``without`` is then taken as if nobody had both
    the most frequent value and one that comes next.

    >>> found = SensitiveValueRisk.of_counts([[4, 0], [1, 1], [2, 1]])
    >>> round(found.sure, 3), round(found.guessed, 3), round(found.without, 3), round(found.blind, 3)
    (0.444, 0.778, 0.556, 0.778)
    """

    sure: float
    guessed: float
    without: float
    blind: float
    people: int
    """a person in several classes counts in each of them"""
    threat: ClassVar[Threat] = Threat.ATTRIBUTE

    @classmethod
    def of(cls, values: ClassValues) -> SensitiveValueRisk:
        """Measure it on counted classes."""
        return cls._of(values.starts, values.codes, values.persons, values.people, len(values.domain))

    @classmethod
    def of_counts(cls, counts: list[list[int]]) -> SensitiveValueRisk:
        """Measure it on one row of counts for each class, one column for each value."""
        table = np.array(counts, np.int64)
        place, codes = np.nonzero(table)
        starts = np.searchsorted(place, np.arange(len(table) + 1)).astype(np.int64)
        return cls._of(starts, codes.astype(np.int64), table[place, codes], table.sum(axis=1), table.shape[1])

    @classmethod
    def _of(cls, starts: Ints, codes: Ints, persons: Ints, people: Ints, values: int) -> SensitiveValueRisk:
        total = int(people.sum())
        if not total:
            raise BadInput(
                "nobody has a value whose risk could be measured", remedy="give a table with at least one row"
            )
        first = starts[:-1]
        number = np.diff(starts)
        owner = np.repeat(np.arange(len(number)), number)
        most = np.maximum.reduceat(persons, first)
        is_mode = persons == most[owner]
        modes = np.add.reduceat(is_mode.astype(np.int64), first)
        second = np.maximum.reduceat(np.where(is_mode, 0, persons), first)
        seconds = np.add.reduceat((persons == second[owner]).astype(np.int64), first)
        base = np.bincount(codes, weights=persons, minlength=values).astype(np.int64)
        alone = people == 1
        # Whoever takes a person with the one most frequent value away leaves it ahead, level, or behind none.
        ahead = (modes == 1) & ~alone & (most - 1 > second)
        level = (modes == 1) & ~alone & (most - 1 == second)
        right = most[ahead].sum() + (most[level] / (1 + seconds[level])).sum()
        right += _from_the_table(base)[codes[alone[owner]]].sum()
        return cls(
            sure=int(people[most == people].sum()) / total,
            guessed=int(most.sum()) / total,
            without=float(right) / total,
            blind=int(base.max()) / total,
            people=total,
        )

    def __str__(self) -> str:
        return (
            f"sensitive value: sure for {100 * self.sure:.1f} %, guessed rightly for "
            f"{100 * self.guessed:.1f} %, without the person's record for {100 * self.without:.1f} % "
            f"(a blind guess: {100 * self.blind:.1f} %)"
        )


def _from_the_table(base: Ints) -> Numbers:
    """Return for each value the chance that the rest of the table makes somebody guess it."""
    top = int(base.max())
    at_top = int((base == top).sum())
    below = base[base < top]
    second = int(below.max(initial=0))
    # Only who has the one most frequent value leaves it ahead or level; the others leave another ahead.
    chance = np.zeros(len(base))
    if at_top == 1 and top - 1 > second:
        chance[base == top] = 1.0
    elif at_top == 1 and top - 1 == second and second:
        chance[base == top] = 1 / (1 + int((below == second).sum()))
    return chance
