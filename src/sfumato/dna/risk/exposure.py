"""How exposed people are by their sequences or genotypes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import in_per_cent
from sfumato.core.errors import BadInput
from sfumato.core.evidence import RiskFigure
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.aligned import Aligned
from sfumato.dna.models.classes import classes_of, row_numbers
from sfumato.dna.models.holding import values_of
from sfumato.dna.risk.figures import figures_of, numbers_of
from sfumato.dna.risk.homogeneity import Homogeneity, homogeneity
from sfumato.dna.risk.independent import independent_snps
from sfumato.dna.risk.needed import MOST_PEOPLE, Candidates, Needed, Order, snps_needed
from sfumato.dna.risk.snp_sets import MOST_POSITIONS, SetExposure, telling_sets
from sfumato.dna.utility.weights import counts_of
from sfumato.hierarchy.iupac import SIZE, Lattice


@dataclass(frozen=True)
class DnaRisk:
    """How exposed people are. Prints as a short table; holds counts and names of positions, no values.

    ``unique`` people have a row that nobody else's is like, on all positions; ``below``: fewer than k people
    have one. ``entropy`` is the mean of the positions in bits (log2 of their number tells all people apart),
    ``largest`` that of the most telling one. ``independent`` is how many unlinked SNPs the file is worth.
    """

    people: int
    rows: int
    positions: int
    varying: int
    k: int
    unique: int
    below: int
    entropy: float
    largest: float
    independent: float | None
    needed: tuple[Needed, ...]
    sets: tuple[SetExposure, ...]
    phenotype: Homogeneity | None = None
    said: tuple[str, ...] = ()

    def __str__(self) -> str:
        worth = "" if self.independent is None else f", worth {self.independent:,.1f} independent ones"
        lines = [
            f"{self.people:,} people, {self.varying:,} positions that vary{worth}; k = {self.k}",
            f"  all positions: {in_per_cent(self.unique / self.people)} unique, "
            f"{in_per_cent(self.below / self.people)} below k",
            f"  a position tells {self.entropy:.3f} bits on average, {self.largest:.3f} at most; "
            f"{math.log2(self.people):.1f} tell everybody apart",
            *(f"  {one}" for one in self.needed),
            *(f"  {one}" for one in self.sets),
        ]
        if self.phenotype is not None:
            lines.append(f"  {self.phenotype}")
        return "\n".join([*lines, *(f"  ({said})" for said in self.said)])

    def figures(self) -> list[RiskFigure]:
        """Return the measures for the steward's evidence, each with the threat that it is about."""
        return figures_of(self)

    def to_dict(self) -> dict[str, int | float | None]:
        """Return every figure by a plain name: numbers alone."""
        return numbers_of(self)


def exposure(
    rows: Aligned,
    *,
    k: int = 5,
    sets: int = 5,
    phenotype: Sequence[object] | None = None,
    truth: Aligned | None = None,
    seed: int = 0,
    most_people: int = MOST_PEOPLE,
    most_positions: int = MOST_POSITIONS,
    independent: bool = True,
    progress: Progress = SILENT,
) -> DnaRisk:
    """Measure how exposed people are by all of their positions, by few, and by what those alike share.

    The adversary knows that the person is in the file. How many SNPs are needed is measured for
    ``most_people`` drawn by the ``seed`` where there are more; sets of up to ``sets`` SNPs are tried among
    the ``most_positions`` that tell most. ``phenotype`` gives a sensitive value for each row. Of released
    rows ``truth`` gives what each was before: the adversary knows a person's SNPs as they are. How many
    ``independent`` SNPs the rows are worth takes long where there are many; leave it out by False.

    >>> from sfumato.dna.aligned import aligned
    >>> print(exposure(aligned("AATTA", "AATGA", "ATTCA", "AATGA"), k=2, sets=1))
    4 people, 2 positions that vary, worth 1.8 independent ones; k = 2
      all positions: 50.0 % unique, 50.0 % below k
      a position tells 0.462 bits on average, 1.500 at most; 2.0 tell everybody apart
      SNPs needed, random: 1 at least, 5 % by 1, half by 2 (2 never)
      SNPs needed, most telling first: 1 at least, 5 % by 1, half by 1 (2 never)
      SNPs needed, rarest first: 1 at least, 5 % by 1, half by 1 (2 never)
      1 SNP chosen to tell most: 50.0 % unique (3 kinds of rows)
    """
    _checked(rows, k, sets)
    people = len(np.unique(rows.owners))
    progress.step("rows that are alike")
    classes = classes_of(row_numbers(rows.cells), rows.owners)
    candidates = Candidates.of(rows, truth)

    def of_classes(below: int) -> int:
        return len(np.unique(rows.owners[(classes.persons < below)[classes.of_row]]))

    telling = candidates.telling
    varying = int((telling > 0).sum())
    progress.step("linkage")
    said = []
    if people > most_people:
        said.append(f"SNPs needed were measured for {most_people:,} people, drawn at random")
    if varying > most_positions:
        said.append(f"sets were chosen among the {most_positions:,} positions that tell most")
    sets_there = int(counts_of(candidates.truth.cells).sum(axis=0)[_sets_of(rows.lattice)].sum())
    if sets_there:
        open_ = in_per_cent(sets_there / rows.cells.size)
        said.append(f"{open_} of the cells are sets: of these nothing is known, and they rule nobody out")
    return DnaRisk(
        people=people,
        rows=len(rows),
        positions=rows.width,
        varying=varying,
        k=k,
        unique=of_classes(2),
        below=of_classes(k),
        entropy=float(telling.mean()),
        largest=float(telling.max()),
        independent=independent_snps(rows) if independent else None,
        needed=tuple(
            snps_needed(candidates, order, seed=seed, most_people=most_people, progress=progress)
            for order in get_args(Order)
        ),
        sets=telling_sets(rows, sets, most_positions=most_positions, progress=progress),
        phenotype=None if phenotype is None else homogeneity(rows, phenotype),
        said=tuple(said),
    )


def _sets_of(lattice: Lattice) -> NDArray[np.bool_]:
    """Say of each mask whether it is no single value."""
    found = np.ones(SIZE, np.bool_)
    found[list(values_of(lattice))] = False
    return found


def _checked(rows: Aligned, k: int, sets: int) -> None:
    if not len(rows) or not rows.width:
        raise BadInput("there is nobody in the data, or no position", remedy="give at least one of each")
    if len(np.unique(rows.owners)) < 2:
        raise BadInput(
            "there is one person in the data, with nobody to be told from", remedy="give more rows"
        )
    for value, what, least in ((k, "k", 2), (sets, "sets", 1)):
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise BadInput(f"{what} must be a whole number of at least {least}", remedy=f"try {what}: 5")
