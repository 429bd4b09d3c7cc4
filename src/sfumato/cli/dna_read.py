"""Reading rows of DNA for the terminal: which columns of a table hold them, and whose they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Role
from sfumato.dna.align import align_if_needed
from sfumato.dna.aligned import Aligned
from sfumato.dna.reading import (
    Content,
    People,
    Phenotype,
    Rows,
    content_of,
    open_rows,
    read_column,
    read_people,
    read_positions,
)
from sfumato.dna.reading.letters import NONE
from sfumato.dna.reading.phenotype import read_phenotype
from sfumato.dna.reading.tables import columns_of, names_of
from sfumato.recipe.dna.init import propose_dna_table
from sfumato.recipe.init import propose

USUAL = ("sequence", "dna", "haplotype", "bases")
"""names of a column of sequences that need not be told"""


@dataclass(frozen=True)
class Reading:
    """What options say of a file of rows; None where they say nothing."""

    column: str | None = None
    positions: tuple[str, ...] = ()
    person: str | None = None
    cells: str | None = None
    align: bool = False
    people: Path | None = None
    sample: str = "sample"
    phenotype: str | None = None
    case: str | None = None
    alleles: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """of a table in letters: what 0 and 1 stand for at the positions that are looked for, by their names"""

    def rows(self, path: Path) -> Rows:
        """Read a file, with whose each row is."""
        if content_of(path) is Content.TABLE:
            return self._of_table(path)
        for option, given in (("--column", self.column), ("--positions", self.positions)):
            if given:
                raise BadInput("this is about tables", where=option, remedy="leave it out")
        read = open_rows(path, cells=self.cells)
        if self.person is None:
            return read
        if self.people is None:
            raise BadInput(
                "samples have no column that names the person",
                where="--person",
                remedy="give a table about them with --people",
            )
        return read.with_persons(self.about(read.samples).persons)

    def alignment(self, path: Path, progress: Progress = SILENT) -> tuple[Rows, Aligned]:
        """Read a file, and its rows as an alignment."""
        read = self.rows(path)
        try:
            return read, align_if_needed(read.data, self.align, progress=progress)
        except BadInput as problem:
            if not self.align:
                problem.remedy = "give --align to have them aligned, or sequences that are"
            raise

    def about(self, samples: tuple[str, ...]) -> People:
        """Read the table about the samples."""
        if self.people is None:
            raise AssertionError("there is no table about the samples")
        return read_people(
            self.people,
            samples,
            sample=self.sample,
            person=self.person,
            phenotype=self.phenotype,
            case=self.case,
        )

    def states(self, path: Path, read: Rows) -> Phenotype | None:
        """Read who is ill, where the options say where that stands."""
        if self.phenotype is None:
            return None
        if self.people is not None:
            return self.about(read.samples).phenotype
        if content_of(path) is not Content.TABLE:
            raise BadInput(
                "who is ill stands in a table", where="--phenotype", remedy="give it with --people"
            )
        texts = columns_of(path, [self.phenotype]).column(0).to_pylist()
        return read_phenotype(texts, case=self.case, where=f"{path}, column '{self.phenotype}'")

    def cases(self, samples: tuple[str, ...]) -> NDArray[np.bool_] | None:
        """Return who is a case, where everybody's state is known."""
        if self.people is None or self.phenotype is None:
            return None
        found = self.about(samples).phenotype
        if found is None or not found.known.all():
            raise BadInput(
                "it is not known of everybody whether they are a case",
                where="--phenotype",
                remedy="give the state of each sample",
            )
        return found.cases

    def _of_table(self, path: Path) -> Rows:
        if self.cells is not None:
            raise BadInput("a table says by its cells what they are", where="--cells", remedy="leave it out")
        if self.column and self.positions:
            raise BadInput(
                "sequences lie in one column, or one position in each",
                where="--positions",
                remedy="give one of --column and --positions",
            )
        names = names_of(path)
        column = self.column or (None if self.positions else next((n for n in USUAL if n in names), None))
        if column is not None:
            return read_column(path, column, person=self.person)
        if self.positions:
            return self._positions(path, self.positions, self.person)
        whose, person = _about_people(path)
        others = {*whose, self.person, self.phenotype}
        positions = tuple(name for name in names if name not in others)
        # Where alleles are told, columns of other names are no positions that anybody looks for.
        positions = tuple(name for name in positions if name in self.alleles) or positions
        try:
            return self._positions(path, positions, self.person or person)
        except BadInput as problem:
            if "column" in (problem.where or ""):
                problem.remedy = "mend it, or name the columns of DNA with --positions, or --column"
            raise

    def _positions(self, path: Path, positions: tuple[str, ...], person: str | None) -> Rows:
        pairs = [self.alleles.get(name, (NONE, NONE)) for name in positions] if self.alleles else ()
        return read_positions(path, positions, person=person, alleles=pairs)


def _about_people(path: Path) -> tuple[tuple[str, ...], str | None]:
    """Guess as ``sfumato init`` does: columns that name people and are no DNA, and which is the person."""
    proposal = propose(path)
    dna = propose_dna_table(path, proposal.columns, proposal.guesses, None, "utf-8", asked=False)
    held = {name for name, guess in (dna.guesses if dna else {}).items() if guess.role is Role.SEQUENCE}
    named = (Role.PERSON, Role.IDENTIFIER)
    roles = {name: guess.role for name, guess in proposal.guesses.items() if name not in held}
    whose = tuple(name for name, role in roles.items() if role in named)
    return whose, next((name for name, role in roles.items() if role is Role.PERSON), None)
