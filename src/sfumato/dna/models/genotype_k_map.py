"""k-map of genotypes: every published row may be that of k people of the population.

L. Sweeney, "Computational disclosure control: a primer on data privacy protection" (2001) defines k-map for
tables; here what a person of the population shows is matched with the sets of a row.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.contract import Demand
from sfumato.dna.models.classes import SHOWN_ROWS, PositionsWitness, row_numbers
from sfumato.dna.models.holding import held_values
from sfumato.dna.models.places import Positions, asked_columns, checked, columns_of, in_words, numbered
from sfumato.dna.models.wording import as_aligned, check_whole


@dataclass(frozen=True)
class GenotypeKMap:
    """Every published row fits at least k people of the population, on the positions.

    For all rows r:  |{ person(q) : q of the population, q[j] ⊆ r[j] for all j in P }| ≥ k.

    A person fits when everything that they may be is held by the row, so that somebody whose genotype is not
    known there (N, ``./.``) fits only cells that leave everything open: nobody is counted who could be ruled
    out by a better list. Columns are found in the population by their names.

    Protects from finding whom of the population a row belongs to, by somebody who does not know who is in
    the release. It does not protect those who are known to be in it (sequence k-anonymity does), nor anything
    that the population's list does not cover: a list that is too short, or of other people, promises nothing.

    >>> from sfumato.dna.aligned import aligned
    >>> people = aligned("AAT", "AGT", "AAC", "AGC")
    >>> print(GenotypeKMap(2).check(aligned("ART", "AAY"), population=people))
    genotype-k-map holds: required k ≥ 2, achieved k = 2
    """

    k: int
    positions: Positions | None = None
    name: ClassVar[str] = "genotype-k-map"
    basis: ClassVar[Basis] = Basis.POPULATION
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)
    stops: ClassVar[tuple[str, ...]] = ()
    """linkage within the release is not bounded: only the population is behind this promise"""

    def __post_init__(self) -> None:
        check_whole(self.k, "k", self.name)
        object.__setattr__(self, "positions", checked(self.positions, self.name))

    def in_words(self) -> str:
        """Say what is promised."""
        return f"every row fits at least {self.k:,} people of the population{in_words(self.positions)}"

    def on(self, rows: Aligned) -> GenotypeKMap:
        """Return the same promise with the numbers of columns of these rows for names."""
        return replace(self, positions=numbered(rows, self.positions, self.name))

    def demand(self) -> Demand:
        """The face for methods."""
        return Demand(people=self.k, positions=asked_columns(self.positions, self.name), mapped=True)

    def check(self, published: Aligned | Unaligned, *, population: Aligned | None = None) -> Verdict:
        """Count the people whom each row fits."""
        rows = as_aligned(published, self.name)
        if population is None or not len(population):
            raise BadInput(
                "the promise is about a population, and there is nobody in it",
                where=self.name,
                remedy="give the sequences or genotypes of the population at the same positions",
            )
        if population.lattice.name != rows.lattice.name:
            raise BadInput(
                f"the release has {rows.lattice.name} and the population {population.lattice.name}",
                where=self.name,
                remedy="read both in the same way",
            )
        columns = columns_of(rows, self.positions, self.name)
        named = tuple(rows.positions[column] for column in columns)
        theirs = _columns_by_name(population, rows, columns, self.name)
        counts = _fitting(rows, columns, population, theirs, self.k)
        few = counts < self.k
        fewest = int(counts.min()) if len(counts) else 0
        first = tuple(int(row) + 1 for row in np.flatnonzero(counts == fewest)[:SHOWN_ROWS])
        people = len(np.unique(population.owners))
        return Verdict(
            self.name,
            not few.any(),
            required=f"k ≥ {self.k}",
            achieved=f"k = {fewest}" if len(counts) else "no rows",
            basis=self.basis,
            protects_from=self.protects_from,
            witness=PositionsWitness(named, first, fewest, what="{} of the population fit")
            if few.any()
            else None,
            violations=int(few.sum()),
            note="" if people >= len(rows) else "the population's list is shorter than the release",
        )


def _columns_by_name(
    population: Aligned, rows: Aligned, columns: NDArray[np.int64], where: str
) -> NDArray[np.int64]:
    """Return the columns of the population that bear the same names."""
    if population.positions == rows.positions:
        return columns
    named = [rows.positions[column] for column in columns]
    at = {name: column for column, name in enumerate(population.positions)}
    lost = sum(name not in at for name in named)
    if lost:
        raise BadInput(
            f"the population lacks {lost:,} of the {len(named):,} positions",
            where=where,
            remedy="give its genotypes at the same positions, or name the positions that both have",
        )
    theirs = Counter(population.positions)
    if len(set(named)) < len(named) or any(theirs[name] > 1 for name in named):
        raise BadInput(
            "several columns bear the same name, so that they cannot be found in the population",
            where=where,
            remedy="name positions apart, or leave out sites with several alternate alleles",
        )
    return np.array([at[name] for name in named], np.int64)


def _fitting(
    rows: Aligned,
    columns: NDArray[np.int64],
    population: Aligned,
    theirs: NDArray[np.int64],
    k: int,
) -> NDArray[np.int64]:
    """Count for each row the people whom it fits; exact below k, and of the fewest."""
    from sfumato.dna.models._kernels_fitting import fitting

    if not len(rows):
        return np.zeros(0, np.int64)
    held = held_values(rows.lattice)
    order = np.argsort(population.owners, kind="stable")
    of_people = held[population.cells[np.ix_(order, theirs)]]
    of_rows = held[rows.cells[:, columns]]
    # Columns that rule out most people come first, so that most comparisons end with the first word.
    said_no = np.array(
        [
            np.count_nonzero(of_people[:, at] & ~np.bitwise_and.reduce(of_rows[:, at]))
            for at in range(len(columns))
        ],
        np.int64,
    )
    told = np.argsort(-said_no, kind="stable")[: np.count_nonzero(said_no)]
    numbers = row_numbers(of_rows[:, told])
    _, first = np.unique(numbers, return_index=True)
    _, owners = np.unique(population.owners[order], return_inverse=True)
    found = fitting(
        _words(of_rows[np.ix_(first, told)]), _words(of_people[:, told]), owners.astype(np.int64), k
    )
    counts: NDArray[np.int64] = found[numbers]
    return counts


def _words(held: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Put eight cells into a word; cells that are not there fit nothing less than nothing."""
    width = -(-held.shape[1] // 8) * 8
    padded = np.zeros((len(held), max(width, 8)), np.uint8)
    padded[:, : held.shape[1]] = held
    return padded.view(np.uint64)
