"""k-anonymity of sequences: nobody's published sequence is theirs alone.

Malin, "Protecting DNA sequence anonymity with generalization lattices" (Methods of Information in Medicine
2005) asks it for k = 2, of whole sequences.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.contract import Demand
from sfumato.dna.models.classes import PositionsWitness, classes_of, row_numbers, text_numbers
from sfumato.dna.models.places import Positions, asked_columns, checked, columns_of, in_words, numbered
from sfumato.dna.models.wording import as_aligned, check_whole, others, verdict


@dataclass(frozen=True)
class SequenceKAnonymity:
    """Every published row is the same as those of at least k − 1 other people, on the positions.

    For all rows r:  |{ person(r') : r'[P] = r[P] }| ≥ k,  P the positions (all, unless given).

    Cells are the same when they are the same set: R is like R, not like A, though it may be an A. What is
    not known (N, ``./.``) and a gap are values of their own. So whoever knows bases of a person, few or all
    of P, finds all k candidates or none of them. Sequences that are not aligned are compared as texts.

    Protects from finding a person's row by what is known of them on P. It does not protect from those who
    know other positions (only rows that are alike on all positions stop linkage), nor from learning what
    all k candidates share, such as a mutation or a disease; and relatives of a person remain visible.

    >>> from sfumato.dna.aligned import aligned
    >>> print(SequenceKAnonymity(2).check(aligned("AWTYA", "AATGA", "AWTYA", "AATGA")))
    sequence-k-anonymity holds: required k ≥ 2, achieved k = 2
    >>> print(SequenceKAnonymity(2, positions=[2]).check(aligned("AATTA", "ATTCA", "AATGA")))
    sequence-k-anonymity does not hold: required k ≥ 2, achieved k = 1; a class of 1 on 2 (row 2)
    """

    k: int
    positions: Positions | None = None
    name: ClassVar[str] = "sequence-k-anonymity"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)

    def __post_init__(self) -> None:
        check_whole(self.k, "k", self.name)
        object.__setattr__(self, "positions", checked(self.positions, self.name))

    @property
    def stops(self) -> tuple[str, ...]:
        """Linkage uses any position: only a promise about all of them bounds it."""
        return ("sequence-linkage",) if self.positions is None and self.k > 1 else ()

    def in_words(self) -> str:
        """Say what is promised."""
        what = "everybody's sequence" if self.positions is None else "everybody's row"
        return f"{what} is published the same as that of {others(self.k)}{in_words(self.positions)}"

    def on(self, rows: Aligned) -> SequenceKAnonymity:
        """Return the same promise with the numbers of columns of these rows for names."""
        return replace(self, positions=numbered(rows, self.positions, self.name))

    def demand(self) -> Demand:
        """The face for methods."""
        return Demand(people=self.k, positions=asked_columns(self.positions, self.name))

    def check(self, published: Aligned | Unaligned, *, population: Aligned | None = None) -> Verdict:
        """Count the people of rows that are the same."""
        if isinstance(published, Unaligned) and self.positions is None:
            of_row, named = text_numbers(published.sequences), ("the whole sequence",)
        else:
            rows = as_aligned(published, self.name)
            columns = columns_of(rows, self.positions, self.name)
            of_row = row_numbers(rows.cells[:, columns])
            named = tuple(rows.positions[column] for column in columns)
        classes = classes_of(of_row, published.owners)
        worst = int(classes.persons.argmin()) if len(classes) else None
        return verdict(
            self,
            published,
            required=f"k ≥ {self.k}",
            achieved="no rows" if worst is None else f"k = {classes.persons[worst]}",
            witness=None
            if worst is None
            else PositionsWitness(named, classes.rows(worst), int(classes.persons[worst])),
            violations=int(np.count_nonzero(classes.persons < self.k)),
        )
