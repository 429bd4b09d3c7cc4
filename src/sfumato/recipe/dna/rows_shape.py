"""The shape in which rows are released: which kind of file, and how rows lie in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.contract import RowModel
from sfumato.dna.models import GenotypeKMap, SnpExposure
from sfumato.dna.reading import Content
from sfumato.dna.writing import without_gaps
from sfumato.engine.sources import FILES, ParquetFile
from sfumato.hierarchy.iupac import UNKNOWN
from sfumato.recipe.dna.rows_job import TABLES, RowsJob
from sfumato.recipe.dna.rows_reading import ReadRows

FASTA, VCF, BED = "fasta", "vcf", "bed"
TEXT, POSITIONS = "text", "positions"
"""how rows lie in a table: all bases in one column, or a column for each position"""


@dataclass(frozen=True)
class Shape:
    """A file format and the layout of rows in it."""

    format: str
    layout: str

    @property
    def file(self) -> str:
        """The name of the released file."""
        return f"data.{self.format}"

    @property
    def drops_gaps(self) -> bool:
        """Whether rows are written as texts of bases, without the gaps of an alignment."""
        return self.layout in (FASTA, TEXT)

    @property
    def more_files(self) -> tuple[str, ...]:
        """Files that belong to the released one."""
        return ("data.bim", "data.fam") if self.format == BED else ()


def shape_of(job: RowsJob, read: ReadRows) -> Shape:
    """Choose how rows are written: as the recipe says, else like the input as far as it can hold them."""
    format_ = job.format or _usual(job, read)
    genotypes = read.form == "genotypes"
    if format_ == FASTA and genotypes:
        raise BadInput(
            "genotypes are no sequences of bases, which FASTA holds",
            where="output",
            remedy=_others(job, read),
        )
    if format_ in (VCF, BED) and not genotypes:
        raise BadInput(
            f"the rows were read as bases, which {format_} cannot hold once they are generalised",
            where="output",
            remedy="write 'format: csv', 'parquet' or 'fasta', or read them as genotypes ('read: genotypes')",
        )
    if format_ in (VCF, BED) and read.sites is None:
        raise BadInput(
            f"it is not known where the positions lie, which {format_} needs",
            where="output",
            remedy="write 'format: csv' or 'parquet'",
        )
    if format_ not in TABLES:
        return Shape(format_, format_)
    return Shape(format_, TEXT if read.one_text else POSITIONS)


def settled(shape: Shape, published: Aligned, models: tuple[RowModel, ...]) -> Shape:
    """Refuse to lose the positions that a promise speaks of: without its gaps a row has none."""
    gaps = published.lattice.gap is not None and bool((published.cells == published.lattice.gap).any())
    placed = [model for model in models if _speaks_of_positions(model)]
    if not (shape.drops_gaps and gaps and placed):
        return shape
    if shape.layout == TEXT:
        return Shape(shape.format, POSITIONS)
    raise BadInput(
        f"{placed[0].name} speaks of positions of the alignment, and FASTA is written without its gaps",
        where="output",
        remedy="write 'format: csv' or 'parquet', where each position has a column",
    )


def as_released(published: Aligned, shape: Shape) -> Aligned:
    """Return rows as the file can hold them: PLINK files have no room for 0/. and ./1, which become ./.

    A set becomes the same larger set wherever it stands, so that rows that were alike still are.
    """
    if shape.format != BED:
        return published
    between = (np.bitwise_count(published.cells) > 1) & (published.cells != UNKNOWN)
    return published.with_cells(np.where(between, np.uint8(UNKNOWN), published.cells))


def as_shown(released: Aligned, shape: Shape) -> Aligned | Unaligned:
    """Return rows as a reader of the file sees them: without gaps, they are texts without positions."""
    if not shape.drops_gaps or released.lattice.gap is None:
        return released
    return without_gaps(released) if (released.cells == released.lattice.gap).any() else released


def _speaks_of_positions(model: RowModel) -> bool:
    return isinstance(model, GenotypeKMap | SnpExposure) or getattr(model, "positions", None) is not None


def _usual(job: RowsJob, read: ReadRows) -> str:
    if isinstance(job.data, FILES):
        if isinstance(job.data, ParquetFile):
            return "parquet"
        return "csv.gz" if job.data.path.suffix == ".gz" else "csv"
    if read.form == "genotypes" and read.sites is not None:
        return BED if read.origin == Content.PLINK else VCF
    return FASTA if read.origin == Content.FASTA else "csv"


def _others(job: RowsJob, read: ReadRows) -> str:
    return "write 'format: csv' or 'parquet'" if read.sites is None else "write 'format: vcf'"
