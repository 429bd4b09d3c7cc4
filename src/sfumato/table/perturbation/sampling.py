"""Sub-sampling: only some records are released, so nobody can be sure that a person is among them.

C. J. Skinner, C. Marsh, S. Openshaw and C. Wymer, "Disclosure control for census microdata" (1994).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.table.perturbation import reading
from sfumato.table.perturbation.contract import Perturbed

I64 = NDArray[np.int64]


@dataclass(frozen=True)
class Sampling:
    """Keep exactly ⌊share · N⌋ of N persons (rows, where no column names persons), drawn without replacement.

    With ``strata``, each stratum h keeps ⌊share · N_h⌋ of its own, and those that are then missing to the
    whole go to the strata with the largest remainders, so that no stratum is more than one away from its
    share. All rows of a person stay or go together; the stratum of a person is that of the first row.

    A sample lowers the risk that a unique record is a unique person, at most by its share. It protects
    nobody who is in it and known to be in it. Weights are not changed: analysts divide them by the share.

    >>> Sampling(share=0.5).columns
    ()
    """

    share: float = 0.5
    strata: tuple[str, ...] = ()
    person: str | None = None
    name: ClassVar[str] = "sampling"
    truthful: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "strata", reading.names_of(self.strata))
        if not 0.0 < self.share <= 1.0:
            raise BadInput("share must lie between 0 and 1", where=self.name, remedy="try share: 0.5")

    @property
    def columns(self) -> tuple[str, ...]:
        """No column is changed."""
        return ()

    def apply(self, records: pa.Table, random: Random) -> Perturbed:
        """Draw the sample; the order of the rows stays."""
        owner = reading.owners_of(records, self.person)
        persons, first = np.unique(owner, return_index=True)
        stratum = np.zeros(records.num_rows, np.int64)
        for number, members in enumerate(reading.strata_of(records, self.strata)):
            stratum[members] = number
        groups = stratum[first]
        kept = np.zeros(len(persons), np.bool_)
        sizes = np.bincount(groups) if len(groups) else np.zeros(0, np.int64)
        for number, keep in enumerate(shares_of(sizes, Fraction(str(self.share)))):
            members = np.flatnonzero(groups == number)
            kept[members[random.permutation(len(members))[:keep]]] = True
        if not kept.any():
            raise BadInput(
                f"a share of {self.share:g} of {len(persons)} persons is nobody",
                where=self.name,
                remedy="choose a larger share",
            )
        rows = np.flatnonzero(np.isin(owner, persons[kept]))
        return Perturbed(
            records.take(pa.array(rows)),
            details={"persons_before": len(persons), "persons_kept": int(kept.sum())},
        )


def shares_of(sizes: I64, share: Fraction) -> list[int]:
    """Divide ⌊share · N⌋ over strata by largest remainders, the larger stratum first among equals.

    >>> shares_of(np.array([3, 3, 4]), Fraction(1, 2))
    [2, 1, 2]
    """
    exact = [share * int(size) for size in sizes]
    kept = [floor(part) for part in exact]
    missing = floor(share * int(sizes.sum())) - sum(kept)
    order = sorted(range(len(kept)), key=lambda h: (kept[h] - exact[h], -int(sizes[h]), h))
    for h in order[:missing]:
        kept[h] += 1
    return kept
