"""The genotype–phenotype attack on released rows, as recipes ask for it: known mutations, known patients.

The attack itself is ``dna/attacks/genotype_phenotype``; here it is told where mutations lie and which columns
of an identified file say what.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Need
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.dna.aligned import Aligned
from sfumato.dna.attacks import GenotypePhenotype, Knowledge, KnownMutation, Patients, ReleasedDna, genes_read
from sfumato.dna.reading.tables import columns_of, names_of

_PARTED = re.compile(r"[\s;,|]+")


@dataclass(frozen=True)
class PhenotypeOfRows:
    """Reads diseases off ``mutations`` (position, value, gene) and joins them with an identified file.

    ``codes`` is the column of that file with diagnosis codes of ICD-9-CM, ``who`` the one that names the
    person (as the column of persons does, or the samples): with it is known who was found. Columns that both
    the file and the release have are compared.
    """

    mutations: tuple[KnownMutation, ...]
    codes: str | None = None
    who: str | None = None
    name: ClassVar[str] = GenotypePhenotype.name
    title: ClassVar[str] = GenotypePhenotype.title
    threat: ClassVar[Threat] = GenotypePhenotype.threat
    needs: ClassVar[frozenset[Need]] = GenotypePhenotype.needs

    def __post_init__(self) -> None:
        if not self.mutations:
            raise BadInput(
                "no mutation is known",
                where=self.name,
                remedy="write 'mutations: [{position: …, value: …, gene: HD}]'",
            )

    def run(
        self,
        target: ReleasedDna,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Look for the rows of everybody in the identified file."""
        return GenotypePhenotype().run(target, knowledge, victims=victims, progress=progress)

    def target(self, rows: Aligned, beside: pa.Table | None, kept: NDArray[np.int64]) -> ReleasedDna:
        """Return rows as this adversary reads them, with what stands beside them."""
        shown = (
            {} if beside is None else {name: beside.column(name).take(kept) for name in beside.column_names}
        )
        return ReleasedDna(
            genes_read(rows, self.mutations), {name: _texts(column) for name, column in shown.items()}
        )

    def patients(
        self, file: Any, beside: Sequence[str], names: Sequence[str | None], kept: NDArray[np.int64]
    ) -> Patients:
        """Read the identified file; ``names`` are those of the original rows, for the house alone."""
        shared = [name for name in names_of(file) if name in beside]
        asked = [name for name in (self.codes, self.who) if name is not None]
        table = columns_of(file, [*shared, *asked])
        codes = None
        if self.codes is not None:
            codes = tuple(
                None if text is None else frozenset(part for part in _PARTED.split(text) if part)
                for text in _texts(table.column(self.codes))
            )
        rows = None
        if self.who is not None:
            row_of = _first_rows(names, kept)
            rows = np.array([row_of.get(one, -1) for one in _texts(table.column(self.who))], np.int64)
        return Patients({name: _texts(table.column(name)) for name in shared}, codes, rows=rows)


def _first_rows(names: Sequence[str | None], kept: NDArray[np.int64]) -> dict[str | None, int]:
    """Return for each name of a person or a sample the first published row that is theirs."""
    if not names:
        raise BadInput(
            "nothing names the person of a row, so that nobody can tell who was found",
            where=PhenotypeOfRows.name,
            remedy="give a column the role person, or leave 'who' out",
        )
    found: dict[str | None, int] = {}
    for row, original in enumerate(kept.tolist()):
        found.setdefault(names[original], row)
    return found


def _texts(column: Any) -> tuple[str | None, ...]:
    return tuple(None if value is None else str(value) for value in column.to_pylist())
