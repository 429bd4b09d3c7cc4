"""Read what a job over rows is about: the rows, whose they are, and what stands beside them."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from sfumato.core.errors import BadInput
from sfumato.core.fingerprint import chunks_of
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Role, is_nearly_unique
from sfumato.dna.align import Aligner, Banded, Mafft, align_if_needed, usual_aligner
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.reading import (
    Content,
    Phenotype,
    Rows,
    content_of,
    counted_alike,
    open_rows,
    read_column,
    read_people,
    read_positions,
)
from sfumato.dna.reading.phenotype import read_phenotype
from sfumato.dna.reading.tables import columns_of, names_of
from sfumato.dna.sites import Sites
from sfumato.engine import open_engine
from sfumato.engine.contract import Layout
from sfumato.engine.recoding import PerAttribute
from sfumato.engine.sources import FILES, Source
from sfumato.hierarchy.iupac import iupac
from sfumato.recipe.dna.rows_job import RowData, RowsJob
from sfumato.recipe.job import check_listed

BASES = "bases"
_ALIGNERS: dict[str, type[Aligner]] = {"mafft": Mafft, "built-in": Banded}
_TABLE = "table"
_MEMORY = "memory"
_LEFT_OUT = "left out"


@dataclass(frozen=True)
class ReadRows:
    """Rows as they were read, aligned; names of samples serve to join files and go nowhere else."""

    rows: Aligned = field(repr=False)
    origin: str
    """what they were read from: FASTA, VCF, BCF, PLINK bed, table or memory"""
    sites: Sites | None = field(default=None, repr=False)
    alleles: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """of genotypes that a table spells in letters: reference and alternate of each column"""
    samples: tuple[str, ...] = field(default=(), repr=False)
    column: str | None = None
    """the one column of a table that holds sequences"""
    beside: pa.Table | None = field(default=None, repr=False)
    """columns that are released as they are"""
    phenotype: Phenotype | None = field(default=None, repr=False)
    counted: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def form(self) -> str:
        """What is released: sequences, or genotypes."""
        return "sequences" if self.rows.lattice.name == BASES else "genotypes"

    @property
    def as_read(self) -> Rows:
        """The rows and what 0 and 1 stand for in them, to lay other genotypes beside them."""
        return Rows(self.rows, sites=self.sites, alleles=self.alleles)

    @property
    def left_out(self) -> dict[str, int]:
        """Sites that were left out in reading, by the reason."""
        return {what: number for what, number in self.counted.items() if number and _LEFT_OUT in what}

    @property
    def told(self) -> tuple[str, ...]:
        """What was mended, guessed or read in a way that should be known."""
        others = {what: number for what, number in self.counted.items() if number and _LEFT_OUT not in what}
        return (*self.notes, *(f"{what}: {number:,}" for what, number in others.items()))

    @property
    def one_text(self) -> bool:
        """Whether all positions of a row stood together in one text."""
        return self.column is not None or self.origin == Content.FASTA

    @property
    def cases(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]] | None:
        """Who is a case, where that is known of everybody."""
        if self.phenotype is None or not self.phenotype.known.all():
            return None
        return self.phenotype.cases


def read_for(job: RowsJob, progress: Progress = SILENT) -> ReadRows:
    """Read the rows of a job and align them where that is needed and allowed."""
    progress.step("reading")
    beside = None
    column: str | None = None
    if isinstance(job.data, Rows):
        read, origin = job.data, _MEMORY
    elif job.is_table:
        read, origin = _of_table(job, job.data), _TABLE
        named = job.schema.with_role(Role.SEQUENCE)
        column = named[0] if len(named) == 1 else None
        beside = _beside(job, job.data)
    else:
        read, origin = _of_file(job, job.data)
    if beside is not None and beside.num_rows != len(read):
        raise BadInput(
            f"{len(read):,} rows were read, and then {beside.num_rows:,}",
            remedy="do not change the table meanwhile",
        )
    rows, notes = _aligned(job, read.data, progress)
    if read.alleles:
        notes = (*notes, "genotypes were spelt by letters: 0 is the allele that is first in the alphabet")
    if rows.lattice.name == BASES:
        rows = dataclasses.replace(rows, lattice=iupac(job.options.gap_level))
    elif "gap_level" in job.options.model_fields_set:
        raise BadInput("genotypes have no gaps", where="dna, gap-level", remedy="leave it out")
    found = ReadRows(
        rows,
        origin,
        read.sites,
        read.alleles,
        read.samples,
        column,
        beside,
        None,
        read.counted,
        notes,
    )
    return _with_people(job, found)


def population_for(job: RowsJob, found: ReadRows) -> Aligned | None:
    """Read everybody whom the rows were drawn from, in the same way."""
    rows, alleles = found.rows, found.alleles
    if job.population is None:
        return None
    if isinstance(job.population, Rows):
        read = job.population
    elif isinstance(job.population, Path):
        read, _ = _of_file(job, job.population)
    else:
        read = _of_table(job, job.population, alleles)
    read = counted_alike(read, found.as_read, "population")
    if isinstance(read.data, Unaligned):
        raise BadInput(
            f"the {len(read):,} sequences have different lengths",
            where="population",
            remedy="give the population and the rows aligned together",
        )
    lattice = rows.lattice if read.data.lattice.name == rows.lattice.name else read.data.lattice
    return dataclasses.replace(read.data, lattice=lattice)


def input_bytes(job: RowsJob) -> Iterator[bytes]:
    """Return what the fingerprint of the input is made of."""
    data = job.data
    if isinstance(data, Rows):
        cells = data.data.cells if isinstance(data.data, Aligned) else np.concatenate(data.data.sequences)
        yield cells.tobytes()
    elif isinstance(data, Path):
        files = [data.with_suffix(end) for end in (".bed", ".bim", ".fam")] if _is_plink(data) else [data]
        for file in files:
            yield from chunks_of(file)
    elif isinstance(data, FILES):
        yield from chunks_of(data.path)
    else:
        with contextlib.closing(open_engine()) as engine:
            for batch in engine.scan(engine.read(data)):
                yield batch.serialize().to_pybytes()


def _is_plink(path: Path) -> bool:
    return content_of(path) is Content.PLINK


def _of_file(job: RowsJob, data: RowData) -> tuple[Rows, str]:
    """Read a file of DNA; what a recipe says of it must have a meaning for it."""
    if not isinstance(data, Path):
        raise AssertionError("only a file has a content")
    content, options, said = content_of(data), job.options, job.options.model_fields_set
    of_vcf = content in (Content.VCF, Content.BCF)
    meaningless = {
        "multiallelic": not of_vcf,
        "align": bool(options.align) and content is not Content.FASTA,
        "read": (options.read == "genotypes" and content is Content.FASTA)
        or (options.read == BASES and content is Content.PLINK),
    }
    for key, none in meaningless.items():
        if key in said and none:
            raise BadInput(
                f"'{key}: {str(getattr(options, key)).lower()}' has no meaning for a {content.value} file",
                where="dna",
                remedy="leave it out",
            )
    if of_vcf:
        return open_rows(data, cells=options.read, multiallelic=options.multiallelic), content.value
    return open_rows(data), content.value


def _of_table(job: RowsJob, source: Any, alleles: Sequence[tuple[str, str]] = ()) -> Rows:
    """Read one column of sequences, or one column for each position."""
    for key in ("read", "multiallelic"):
        if key in job.options.model_fields_set:
            raise BadInput(
                f"'{key}' has no meaning for a table", where="dna", remedy="leave it out: its cells say it"
            )
    names = names_of(source)
    if source is job.data:
        check_listed(job.schema, names)
    person = job.schema.person if job.schema.person in names else None
    sequences = job.schema.with_role(Role.SEQUENCE)
    if len(sequences) == 1:
        return read_column(source, sequences[0], person=person)
    return read_positions(source, sequences, person=person, alleles=alleles)


def _beside(job: RowsJob, source: Any) -> pa.Table | None:
    """Read the columns that are released as they are, with the types that they have."""
    if not job.beside:
        return None
    wanted = tuple(name for name in job.schema.columns if name in job.beside)
    with contextlib.closing(open_engine()) as engine:
        table = engine.read(source)
        found = engine.arrow(engine.recode(table, PerAttribute((), {}), Layout(wanted, ())))
    for name in job.schema.with_role(Role.INSENSITIVE):
        column = found.column(name)
        present = len(column) - column.null_count
        distinct = len(column.drop_null().unique())
        if not job.schema.field(name).confirmed and is_nearly_unique(distinct, present):
            raise BadInput(
                f"it is declared insensitive, but {distinct:,} of {present:,} values are different, so that "
                "a single row can be found by it",
                where=f"column '{name}'",
                remedy="make it an identifier, or set 'confirmed: true' if nobody outside can know them",
            )
    return found


def _aligned(job: RowsJob, data: Aligned | Unaligned, progress: Progress) -> tuple[Aligned, tuple[str, ...]]:
    asked = job.options.align
    aligner = _ALIGNERS[asked]() if isinstance(asked, str) else None
    found = align_if_needed(data, bool(asked), aligner, progress=progress)
    if isinstance(data, Aligned) or data.even:
        return found, ()
    used = (aligner or usual_aligner()).name
    lengths = [len(sequence) for sequence in data.sequences]
    note = (
        f"{len(lengths):,} sequences of {min(lengths):,} to {max(lengths):,} bases were aligned by {used}: "
        f"{found.width:,} positions"
    )
    return found, (note,)


def _with_people(job: RowsJob, found: ReadRows) -> ReadRows:
    """Join a file about the samples: whose they are, and who is a case."""
    options = job.options
    ways = options.cases if "cases" in options.model_fields_set else [None]
    if job.is_table and options.phenotype is not None:
        texts = columns_of(job.data, [options.phenotype]).column(0).to_pylist()
        where = f"column '{options.phenotype}'"
        read = [read_phenotype(texts, case=case, where=where) for case in ways]
        return dataclasses.replace(found, phenotype=_either(read))
    if job.people is None:
        return found
    joined = [
        read_people(
            job.people,
            found.samples,
            sample=options.sample,
            person=options.person,
            phenotype=options.phenotype,
            case=case,
        )
        for case in ways
    ]
    rows, notes = found.rows, list(found.notes)
    if options.person is not None:
        rows = dataclasses.replace(rows, persons=joined[0].persons)
    if joined[0].unmatched:
        notes.append(f"{joined[0].unmatched:,} lines of the file of people have no sample in the data")
    states = [one.phenotype for one in joined if one.phenotype is not None]
    phenotype = _either(states) if states else None
    return dataclasses.replace(found, rows=rows, phenotype=phenotype, notes=tuple(notes))


def _either(read: list[Phenotype]) -> Phenotype:
    """A case by any of the values that mean one."""
    return Phenotype(np.max(np.stack([one.states for one in read]), axis=0))


def path_of(data: RowData | Source) -> Path | None:
    """Return where data lie, if they lie in a file."""
    if isinstance(data, Path):
        return data
    return data.path if isinstance(data, FILES) else None
