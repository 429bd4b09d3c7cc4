"""What reading rows gives: the rows, and beside them who they belong to, for the steward alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.sites import Sites


@dataclass(frozen=True, eq=False)
class Rows:
    """Sequences or genotypes as a file holds them.

    ``samples`` are the names that the file gives to its rows. They identify: they serve to join the rows with
    a file about the same people (``reading/people``) and are never written, printed or put in a message.
    """

    data: Aligned | Unaligned
    samples: tuple[str, ...] = field(default=(), repr=False)
    sites: Sites | None = field(default=None, repr=False)
    """of genotypes: where each column lies"""
    counted: Mapping[str, int] = field(default_factory=dict)
    """what was left out or read in a way that should be known, and how often"""
    alleles: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """of genotypes that were spelt by letters: what 0 and 1 stand for in each column"""

    def __len__(self) -> int:
        return len(self.data)

    def with_persons(self, persons: NDArray[np.int64]) -> Rows:
        """Return the same rows, each of them belonging to a person."""
        if len(persons) != len(self.data):
            raise AssertionError("each row has one person")
        return replace(self, data=replace(self.data, persons=np.asarray(persons, np.int64)))

    def alignment(self) -> Aligned:
        """Return the rows as an alignment, or say that they are none."""
        if isinstance(self.data, Unaligned):
            raise BadInput("the sequences are not aligned", remedy="align them first")
        return self.data


def counted_as(number: int, noun: str) -> str:
    """Write a number and what it counts.

    >>> counted_as(1, "call"), counted_as(1200, "call")
    ('1 call', '1,200 calls')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def check_names(names: Sequence[str], what: str, where: str) -> None:
    """Refuse names that stand in a file more than once: what belongs to whom could not be told."""
    often = Counter(names)
    again = sum(times > 1 for times in often.values())
    if again:
        first: dict[str, int] = {}
        for number, name in enumerate(names, 1):
            if name in first:
                raise BadInput(
                    f"{counted_as(again, what)} given to more than one: see numbers {first[name]:,} "
                    f"and {number:,}",
                    where=where,
                    remedy="give every one another name",
                )
            first[name] = number
