"""One door for every file: what it is shows in its first bytes."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.core.errors import BadInput, nearest
from sfumato.dna.reading.column import read_column, read_positions
from sfumato.dna.reading.content import Content, content_of
from sfumato.dna.reading.fasta import read_fasta
from sfumato.dna.reading.plink import PlinkSource, open_plink
from sfumato.dna.reading.rows import Rows
from sfumato.dna.reading.vcf import Multiallelic, VcfFile, open_vcf
from sfumato.dna.reading.vcf_bases import MITOCHONDRION, TwoBases, vcf_bases
from sfumato.dna.reading.vcf_source import VcfSource, open_vcf_source

if TYPE_CHECKING:
    from sfumato.dna.source import GenotypeSource


class Cells(StrEnum):
    """What the cells of a VCF file are read as."""

    BASES = "bases"
    GENOTYPES = "genotypes"


def open_rows(
    data: Any,
    *,
    cells: Cells | str | None = None,
    column: str | None = None,
    person: str | None = None,
    sample: str | None = None,
    aligned: bool | None = None,
    two_bases: TwoBases | str | None = None,
    multiallelic: Multiallelic | str = Multiallelic.DROP,
) -> Rows:
    """Read sequences or genotypes of people into memory: FASTA, VCF, BCF, PLINK, a table or a frame.

    ``cells`` says whether a VCF file is read as ``bases`` or as ``genotypes``: unless said, as bases when its
    first record is haploid or lies on the mitochondrion, else as genotypes. ``column`` is the column of
    sequences of a table; without it each column (but ``person`` and ``sample``) is a position. ``aligned``
    is for sequences, ``two_bases`` for VCF as bases, ``multiallelic`` for VCF as genotypes.
    """
    for value, known in ((cells, Cells), (two_bases, TwoBases), (multiallelic, Multiallelic)):
        if value is not None and value not in tuple(known):
            raise BadInput(f"there is no choice '{value}'", remedy=nearest(str(value), list(known)))
    content = content_of(Path(data)) if isinstance(data, str | Path) else Content.TABLE
    if content is Content.TABLE:
        _refuse(content, cells=cells, two_bases=two_bases)
        if column is None:
            return read_positions(data, person=person, sample=sample)
        return read_column(data, column, person=person, sample=sample, aligned=aligned)
    _refuse(content, column=column, person=person, sample=sample)
    path = Path(data)
    if content is Content.FASTA:
        _refuse(content, cells=cells, two_bases=two_bases)
        return read_fasta(path, aligned=aligned)
    _refuse(content, aligned=aligned)
    if content is Content.PLINK:
        _refuse(content, two_bases=two_bases)
        if cells == Cells.BASES:
            raise BadInput("PLINK files hold genotypes", where=str(path), remedy="read them as genotypes")
        return open_plink(path).rows()
    file = open_vcf(path)
    if (cells or _guessed(file)) == Cells.BASES:
        return vcf_bases(file, two_bases)
    _refuse(content, two_bases=two_bases)
    return open_vcf_source(file, multiallelic=multiallelic).rows()


def open_genotypes(
    path: Path | str, *, multiallelic: Multiallelic | str = Multiallelic.DROP
) -> GenotypeSource:
    """Open genotypes that are read block by block: VCF, BCF or a PLINK .bed with its .bim and .fam."""
    path = Path(path)
    content = content_of(path)
    if content is Content.PLINK:
        return open_plink(path)
    if content in (Content.VCF, Content.BCF):
        return open_vcf_source(path, multiallelic=multiallelic)
    raise BadInput(
        f"a {content.value} file holds no genotypes of sites",
        where=str(path),
        remedy="give VCF, BCF or a PLINK .bed",
    )


def samples_of(source: GenotypeSource) -> tuple[str, ...]:
    """Return the names of the people of a source, for joins with a file about them (``read_people``)."""
    if isinstance(source, PlinkSource):
        return source.family.samples
    return source.samples if isinstance(source, VcfSource) else ()


def _guessed(file: VcfFile) -> Cells:
    first = next(file.records(), None)
    if first is None:
        return Cells.GENOTYPES
    haploid = first.calls.shape[1] == 1 or first.chromosome.lower() in MITOCHONDRION
    return Cells.BASES if haploid else Cells.GENOTYPES


def _refuse(content: Content, **options: object) -> None:
    """Refuse options that have no meaning for a kind of file: they would be passed over in silence."""
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise BadInput(
            f"'{given[0]}' has no meaning for a {content.value} file", remedy=f"leave '{given[0]}' out"
        )
