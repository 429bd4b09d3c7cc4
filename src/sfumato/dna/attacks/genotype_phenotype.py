"""Genotype and phenotype: DNA says which disease its owner has, and the disease says whose DNA it is.

B. Malin and L. Sweeney, "Determining the identifiability of DNA database entries", AMIA 2000: a gene that is
known to cause a disease links DNA to diagnosis codes, the age of onset and demographics, and these to names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import MOST_VICTIMS, AttackResult, Need, Scored, Victim
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.dna.aligned import Aligned
from sfumato.dna.attacks.contract import Knowledge
from sfumato.dna.attacks.genes import DISEASES, Disease, Onset, diseases_of_codes, diseases_of_genes

Column = tuple[str | None, ...]


@dataclass(frozen=True)
class KnownMutation:
    """A published mutation: this value (as it is written, such as T or 0/1) here changes this gene."""

    position: str
    value: str
    gene: str


@dataclass(frozen=True)
class ReleasedDna:
    """Released rows: the genes whose DNA is changed, and whatever stands beside it. None is not known.

    ``demographics`` are columns such as gender and age; ``codes`` diagnoses; ``repeats`` the length of the
    repeated piece in the gene, where the DNA shows it.
    """

    genes: tuple[frozenset[str] | None, ...] = field(repr=False)
    demographics: Mapping[str, Column] = field(default_factory=dict, repr=False)
    codes: tuple[frozenset[str] | None, ...] | None = field(default=None, repr=False)
    repeats: tuple[int | None, ...] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        _same_length(len(self.genes), self.demographics, self.codes, self.repeats)

    def __len__(self) -> int:
        return len(self.genes)


@dataclass(frozen=True)
class Patients:
    """People whom the adversary knows by name, each with what is known of them. None is not known.

    ``rows`` says which released row (from 0) is whose, −1 for none, where the house knows it.
    """

    demographics: Mapping[str, Column] = field(repr=False)
    codes: tuple[frozenset[str] | None, ...] | None = field(default=None, repr=False)
    onset: tuple[float | None, ...] | None = field(default=None, repr=False)
    """the age at which they became ill"""
    rows: NDArray[np.int64] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        _same_length(len(self), self.demographics, self.codes, self.onset)
        if self.rows is not None and len(self.rows) != len(self):
            raise BadInput("each patient has one row, or −1", remedy="give as many rows as patients")

    def __len__(self) -> int:
        for column in (*self.demographics.values(), self.codes, self.onset):
            if column is not None:
                return len(column)
        return 0


@dataclass(frozen=True)
class GenotypePhenotype:
    """Find the released rows that may be a known person's, and read their disease.

    A row and a person may belong together when

    - they agree in every demographic column that both have,
    - a disease of the row (from its changed genes, or from its codes) is one of the person's, where codes of
      the person are known, and a person without any of the table's diseases fits only rows without, and
    - the age at which the person became ill fits the repeats that the row's DNA shows (``onset``).

    What is not known never parts a row from a person. A pick among n rows is right with chance 1 / n; who
    fits one row alone is found, and whoever fits only rows of one disease is known to have it, **without
    a diagnosis being released**. Removing names or codes does not help: DNA itself is the code.

    >>> released = ReleasedDna((frozenset({"HD"}), frozenset({"FMR1"})))
    >>> patients = Patients({"gender": ("Male", "Female")}, (frozenset({"333.4"}), frozenset({"759.83"})))
    >>> found = GenotypePhenotype().run(released, Knowledge(patients=patients))
    >>> found.success, found.certain
    (1.0, 2)
    """

    diseases: tuple[Disease, ...] = DISEASES
    onset: Onset = field(default_factory=Onset)
    onset_genes: tuple[str, ...] = ("HD",)
    """the genes whose repeats tell the age of onset"""
    name: ClassVar[str] = "genotype-phenotype"
    title: ClassVar[str] = "reads a disease off DNA and joins it with diagnoses and demographics"
    threat: ClassVar[Threat] = Threat.IDENTITY
    needs: ClassVar[frozenset[Need]] = frozenset({Need.PEOPLE})

    def run(
        self,
        target: ReleasedDna,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Look for the rows of everybody in the identified file."""
        patients = knowledge.patients
        if patients is None or not len(patients):
            raise BadInput("there is nobody to attack", where=self.name, remedy="give identified patients")
        if not len(target):
            raise BadInput("there are no rows to attack", where=self.name, remedy="give a release with rows")
        shared = sorted(set(target.demographics) & set(patients.demographics))
        if not shared and patients.codes is None and (patients.onset is None or target.repeats is None):
            raise BadInput(
                "release and identified file have nothing in common",
                where=self.name,
                remedy="give diagnoses, ages of onset or a demographic column that both have",
            )
        fits = self._fits(target, patients, shared)
        candidates = fits.sum(axis=1)
        rows = patients.rows
        lost = 0
        if rows is not None:
            rows = np.asarray(rows, np.int64)
            if rows.max(initial=-1) >= len(target):
                raise BadInput(
                    "a patient's row lies past the release", where=self.name, remedy="count from 0"
                )
            own = np.array([row >= 0 and bool(fits[at, row]) for at, row in enumerate(rows.tolist())])
            lost = int(np.count_nonzero((rows >= 0) & ~own))
            chance = np.where(own, candidates, 0)
        else:
            chance = candidates
        learnt = self._learnt(target, fits)
        found = np.flatnonzero(chance)
        fewest = int(chance[found].min()) if len(found) else 0
        total = sum((Fraction(1, int(n)) for n in chance[found]), Fraction(0)) / len(chance)
        order = found[np.lexsort((found, chance[found]))][:MOST_VICTIMS]
        return AttackResult(
            self.name,
            self.threat,
            len(patients),
            float(total),
            1 / len(target),
            1 / len(target),
            certain=int(np.count_nonzero(chance == 1)),
            highest=1 / fewest if fewest else 0.0,
            scored=Scored.EXPECTED if rows is None else Scored.MEASURED,
            details={
                "people who fit one row": int(np.count_nonzero(candidates == 1)),
                "people who fit no row": int(np.count_nonzero(candidates == 0)),
                "people whose disease is read": learnt,
                **({} if rows is None else {"people whose own row does not fit": lost}),
            },
            victims=tuple(Victim(int(at) + 1, 1 / int(chance[at]), int(chance[at])) for at in order)
            if victims
            else (),
        )

    def _row_diseases(self, target: ReleasedDna, row: int) -> frozenset[str] | None:
        """Return what DNA and codes of a row say of diseases, both where they agree; None for nothing."""
        genes = target.genes[row]
        codes = None if target.codes is None else target.codes[row]
        if genes is None and codes is None:
            return None
        read = frozenset() if genes is None else diseases_of_genes(genes, self.diseases)
        told = frozenset() if codes is None else diseases_of_codes(codes, self.diseases)
        return (read & told) or read | told

    def _fits(self, target: ReleasedDna, patients: Patients, shared: list[str]) -> NDArray[np.bool_]:
        """Return patients × rows: who may be whose."""
        fits = np.ones((len(patients), len(target)), np.bool_)
        for column in shared:
            theirs = np.array(patients.demographics[column], np.object_)[:, None]
            shown = np.array(target.demographics[column], np.object_)[None, :]
            unknown = _is_none(patients.demographics[column])[:, None] | _is_none(target.demographics[column])
            fits &= np.asarray(unknown | (theirs == shown), np.bool_)
        if patients.codes is not None:
            of_rows = [self._row_diseases(target, row) for row in range(len(target))]
            of_people = [
                None if codes is None else diseases_of_codes(codes, self.diseases) for codes in patients.codes
            ]
            kinds = {(a, b): _agree(a, b) for a in set(of_people) for b in set(of_rows)}
            fits &= np.array([[kinds[a, b] for b in of_rows] for a in of_people], np.bool_)
        if patients.onset is not None and target.repeats is not None:
            ages = patients.onset
            for row, repeats in enumerate(target.repeats):
                genes = target.genes[row]
                if repeats is None or genes is None or not genes & set(self.onset_genes):
                    continue
                fits[:, row] &= [age is None or age != age or self.onset.fits(repeats, age) for age in ages]
        return fits

    def _learnt(self, target: ReleasedDna, fits: NDArray[np.bool_]) -> int:
        """Count the people all of whose candidate rows have a disease of the table in common."""
        said = [self._row_diseases(target, row) or frozenset() for row in range(len(target))]
        names = sorted({name for one in said for name in one})
        if not names:
            return 0
        has = np.array([[name in one for name in names] for one in said])
        without = fits.astype(np.int64) @ (~has).astype(np.int64)
        return int(np.count_nonzero(fits.any(axis=1) & (without == 0).any(axis=1)))


def genes_read(rows: Aligned, mutations: tuple[KnownMutation, ...]) -> tuple[frozenset[str] | None, ...]:
    """Read changed genes off DNA; None of a row where a known place is not readable and nothing was found.

    A cell that may be something else too is no finding, and no proof of health.

    >>> from sfumato.dna.aligned import aligned
    >>> mutations = (KnownMutation("2", "T", "HD"), KnownMutation("4", "G", "FMR1"))
    >>> [sorted(one or ()) for one in genes_read(aligned("ATTCA", "AATGA", "AATCA"), mutations)]
    [['HD'], ['FMR1'], []]
    """
    columns = {position: at for at, position in enumerate(rows.positions)}
    unknown = [one for one in mutations if one.position not in columns or one.value not in rows.lattice.masks]
    if len(unknown) == len(mutations):
        raise BadInput(
            "none of the known mutations lies at a position of the rows",
            where="mutations",
            remedy="write positions and values as the rows do",
        )
    found: list[set[str]] = [set() for _ in range(len(rows))]
    open_ = np.zeros(len(rows), np.bool_)
    for one in mutations:
        if one in unknown:
            continue
        cells, mask = rows.cells[:, columns[one.position]], rows.lattice.masks[one.value]
        for row in np.flatnonzero(cells == mask):
            found[int(row)].add(one.gene)
        open_ |= (cells != mask) & (rows.lattice.closed[cells | mask] == cells)
    return tuple(
        None if not genes and not_sure else frozenset(genes)
        for genes, not_sure in zip(found, open_.tolist(), strict=True)
    )


def _is_none(column: Column) -> NDArray[np.bool_]:
    # What is not a number is not equal to itself: frames write what is missing so.
    return np.array([value is None or value != value for value in column], np.bool_)


def _agree(person: frozenset[str] | None, row: frozenset[str] | None) -> bool:
    if person is None or row is None:
        return True
    return bool(person & row) or (not person and not row)


def _same_length(
    rows: int,
    demographics: Mapping[str, Column],
    *others: tuple[object, ...] | None,
) -> None:
    if any(column is not None and len(column) != rows for column in (*demographics.values(), *others)):
        raise BadInput(
            "columns of a file are not of the same length", remedy="write None where nothing is known"
        )
