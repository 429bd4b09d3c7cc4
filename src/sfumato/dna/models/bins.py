"""Bins: values that many SNPs of a sequence share, and combinations that many sequences share.

Lin, Hewett, Altman, "Using binning to maintain confidentiality of medical data" (AMIA 2002).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.contract import Demand
from sfumato.dna.models.classes import SHOWN_ROWS, PositionsWitness, basis_of
from sfumato.dna.models.places import Positions, asked_columns, checked, in_words, numbered
from sfumato.dna.models.sequence_k_anonymity import SequenceKAnonymity
from sfumato.dna.models.wording import check_whole
from sfumato.hierarchy.iupac import SIZE

_NO_VALUE = np.iinfo(np.int64).max
"""of a row without cells: it has no value that too few of them share"""


@dataclass(frozen=True)
class Bins:
    """In every row each value stands at B positions at least; on the SNP set each row has B′ people.

    For all rows r and values v in r:  |{ j : r[j] = v }| ≥ B (``within``);
    for all rows r:  |{ person(r') : r'[P] = r[P] }| ≥ B′ (``across``), P the set of SNPs (``positions``).

    B counts all positions of a row, whatever P is; a set of bases, N and a gap are values like others.

    B′ protects from finding a person's row by what is known of them on P. B alone protects from nothing that
    is measured here: a value that many SNPs share can still stand in a combination that is one person's, so
    that whoever sees values without their positions learns little, and whoever sees positions learns all. It
    is checked as published, for those whose policies ask for it.

    >>> from sfumato.dna.aligned import aligned
    >>> found = Bins(within=2, across=2).check(aligned("RRYY", "RRYY", "AAYY"))
    >>> found.achieved, str(found.witness)
    ('B = 2 and B′ = 1', 'a class of 1 on 1, 2, 3, 4 (row 3)')
    """

    within: int = 1
    across: int = 1
    positions: Positions | None = None
    name: ClassVar[str] = "bins"
    basis: ClassVar[Basis] = Basis.RELEASE

    def __post_init__(self) -> None:
        check_whole(self.within, "within", self.name)
        check_whole(self.across, "across", self.name)
        object.__setattr__(self, "positions", checked(self.positions, self.name))

    @property
    def protects_from(self) -> tuple[Threat, ...]:
        """B′ answers a threat; B alone answers none."""
        return (Threat.IDENTITY,) if self.across > 1 else ()

    @property
    def stops(self) -> tuple[str, ...]:
        """Linkage is bounded by B′ on all positions; B bounds nothing."""
        return ("sequence-linkage",) if self.positions is None and self.across > 1 else ()

    def in_words(self) -> str:
        """Say what is promised."""
        return (
            f"each value of a row stands at {self.within:,} or more of its positions, and each combination"
            f"{in_words(self.positions)} belongs to {self.across:,} or more people"
        )

    def on(self, rows: Aligned) -> Bins:
        """Return the same promise with the numbers of columns of these rows for names."""
        return replace(self, positions=numbered(rows, self.positions, self.name))

    def demand(self) -> Demand:
        """The face for methods."""
        return Demand(
            people=self.across, positions=asked_columns(self.positions, self.name), alike=self.within
        )

    def check(self, published: Aligned | Unaligned, *, population: Aligned | None = None) -> Verdict:
        """Count each value of each row, and the people of rows that are the same on the SNP set."""
        across = SequenceKAnonymity(self.across, self.positions).check(published)
        least = _least_shared(published)
        few = np.flatnonzero(least < self.within)
        size = int(least.min()) if len(least) else _NO_VALUE
        witness = across.witness
        if few.size:
            rows = tuple(int(row) + 1 for row in np.flatnonzero(least == size)[:SHOWN_ROWS])
            witness = PositionsWitness(("all positions",), rows, size, what="a value shared by {}")
        reached = across.achieved.replace("k", "B′")
        return Verdict(
            self.name,
            across.holds and not few.size,
            required=f"B ≥ {self.within} and B′ ≥ {self.across}",
            achieved=reached if size == _NO_VALUE else f"B = {size} and {reached}",
            basis=basis_of(published),
            protects_from=self.protects_from,
            witness=witness,
            violations=across.violations + len(few),
        )


def _least_shared(published: Aligned | Unaligned) -> NDArray[np.int64]:
    """Return for each row how many of its cells its rarest value has."""
    least = np.full(len(published), _NO_VALUE, np.int64)
    if isinstance(published, Aligned):
        for mask in np.flatnonzero(np.bincount(published.cells.ravel(), minlength=SIZE)):
            shared = (published.cells == mask).sum(axis=1)
            least = np.where(shared > 0, np.minimum(least, shared), least)
        return least
    for row, sequence in enumerate(published.sequences):
        if len(sequence):
            least[row] = np.unique(sequence, return_counts=True)[1].min()
    return least
