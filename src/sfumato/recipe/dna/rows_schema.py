"""schema.json of released rows: the file, how rows lie in it, and what its letters may stand for."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from sfumato.core.schema import Role
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.models.holding import held_values, values_of
from sfumato.hierarchy.iupac import Lattice, genotypes, iupac
from sfumato.recipe.dna.rows_job import RowsJob
from sfumato.recipe.dna.rows_reading import ReadRows
from sfumato.recipe.dna.rows_shape import POSITIONS, TEXT, Shape


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ReleasedColumn(_Part):
    """A column of a released table."""

    name: str
    role: Role


class ReleasedRows(_Part):
    """What a release of rows holds."""

    format: Literal["sfumato-schema"] = "sfumato-schema"
    kind: Literal["dna"] = "dna"
    version: Literal[1] = 1
    file: str
    form: Literal["sequences", "genotypes"]
    layout: Literal["fasta", "vcf", "bed", "text", "positions"]
    aligned: bool = Field(description="whether the same place of two rows is the same position")
    positions: list[str] = Field(
        default=[], description="what the places are called; the file itself says it where this is empty"
    )
    letters: dict[str, list[str]] = Field(
        description="each value that may stand in a cell, and what it may be"
    )
    alleles: dict[str, list[str]] = Field(
        default={}, description="of genotypes of a table: what 0 and 1 stand for in each column"
    )
    fields: list[ReleasedColumn] = Field(default=[], description="of tables: the columns in their order")
    more: dict[str, str] = Field(
        default={}, description="files that belong to the released one, and their fingerprints (SHA-256)"
    )

    @property
    def shape(self) -> Shape:
        """How rows lie in the file."""
        return Shape(self.file.partition(".")[2], self.layout)

    @property
    def lattice(self) -> Lattice:
        """What cells may be."""
        return iupac() if self.form == "sequences" else genotypes()

    @property
    def sequences(self) -> list[str]:
        """The columns of a table that hold rows."""
        return [field.name for field in self.fields if field.role is Role.SEQUENCE]

    @property
    def beside(self) -> list[str]:
        """The columns of a table that stand beside them."""
        return [field.name for field in self.fields if field.role is not Role.SEQUENCE]


def letters_of(lattice: Lattice) -> dict[str, list[str]]:
    """Say what each written value may stand for.

    >>> letters_of(iupac())["R"], letters_of(genotypes())["0/."]
    (['A', 'G'], ['0/0', '0/1'])
    """
    held, spelt = held_values(lattice), lattice.spellings
    values = values_of(lattice)
    return {
        text: [spelt[value] for value in values if int(held[mask]) & value]
        for text, mask in lattice.masks.items()
    }


def released_rows(job: RowsJob, read: ReadRows, shown: Aligned | Unaligned, shape: Shape) -> ReleasedRows:
    """Describe what a job releases."""
    rows = read.rows
    aligned = isinstance(shown, Aligned)
    numbered = rows.positions == tuple(str(at + 1) for at in range(rows.width))
    named = aligned and shape.drops_gaps and not numbered
    fields: list[ReleasedColumn] = []
    if shape.layout in (TEXT, POSITIONS):
        fields = [ReleasedColumn(name=name, role=role) for name, role in columns_of(job, read, shape)]
    return ReleasedRows(
        file=shape.file,
        form="sequences" if read.form == "sequences" else "genotypes",
        layout=shape.layout,  # type: ignore[arg-type] # the layouts of a shape are those of the schema
        aligned=aligned,
        positions=list(rows.positions) if named else [],
        letters=letters_of(rows.lattice),
        alleles={
            name: [*pair]
            for name, pair in zip(rows.positions, read.alleles, strict=True)
            if shape.layout == POSITIONS
        }
        if read.alleles
        else {},
        fields=fields,
    )


def columns_of(job: RowsJob, read: ReadRows, shape: Shape) -> list[tuple[str, Role]]:
    """Return the columns of a released table: as in the input, but for those that are left out."""
    texts = [(read.column or SEQUENCE, Role.SEQUENCE)]
    places = [(name, Role.SEQUENCE) for name in read.rows.positions]
    inside = texts if shape.layout == TEXT else places
    if not job.is_table:
        return inside
    if shape.layout == TEXT or read.column is None:
        return [(f.name, f.role) for f in job.schema.fields if f.role in _RELEASED]
    beside = [(f.name, f.role) for f in job.schema.fields if f.role in _BESIDE]
    return [*beside, *inside]


SEQUENCE = "sequence"
_BESIDE = (Role.SENSITIVE, Role.INSENSITIVE)
_RELEASED = (*_BESIDE, Role.SEQUENCE)
