"""Write released rows, and read them again from their bytes alone."""

from __future__ import annotations

import contextlib
import dataclasses
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
from pyarrow import csv as pa_csv

from sfumato.core.errors import BadInput
from sfumato.core.files import open_unpacked, read_bytes, unpacked_bytes
from sfumato.core.system import system_problem
from sfumato.core.temporary import temporary_folder
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.reading import Rows, open_plink, open_rows, read_column, read_fasta, read_positions
from sfumato.dna.sites import Sites
from sfumato.dna.writing import rows_table, write_fasta, write_plink, write_vcf
from sfumato.dna.writing.order import write_bytes
from sfumato.dna.writing.table import positions_csv
from sfumato.engine import open_engine
from sfumato.engine.contract import Layout, Order
from sfumato.engine.recoding import PerAttribute
from sfumato.engine.sources import CsvFile, Frame, ParquetFile
from sfumato.recipe.dna.rows_schema import ReleasedRows
from sfumato.recipe.dna.rows_shape import BED, FASTA, POSITIONS, TEXT, VCF
from sfumato.recipe.text.on_disk import remarks_in


@dataclass(frozen=True, eq=False)
class Content:
    """What a released file holds, in its order."""

    rows: Aligned | Unaligned = field(repr=False)
    sites: Sites | None = field(default=None, repr=False)
    beside: pa.Table | None = field(default=None, repr=False)


def write_content(content: Content, schema: ReleasedRows, folder: Path) -> Path:
    """Write rows in the order that they have; return the path of the file."""
    path, rows = folder / schema.file, content.rows
    if schema.layout == FASTA:
        write_fasta(rows, path, order=Order.KEPT)
    elif schema.layout in (VCF, BED):
        if not isinstance(rows, Aligned) or content.sites is None:
            raise AssertionError("genotypes have sites")
        write = write_vcf if schema.layout == VCF else write_plink
        write(rows, content.sites, path, order=Order.KEPT)
    elif isinstance(rows, Aligned) and _is_matrix(rows, schema, path):
        write_bytes(path, positions_csv(rows))
    else:
        with contextlib.closing(open_engine()) as engine:
            engine.write(engine.read(Frame(table_of(content, schema))), path, order=Order.KEPT)
    return path


def _is_matrix(rows: Aligned, schema: ReleasedRows, path: Path) -> bool:
    """Say whether a CSV file holds the positions and nothing beside them."""
    named = tuple(one.name for one in schema.fields)
    return schema.layout == POSITIONS and path.suffix != ".parquet" and named == rows.positions


def table_of(content: Content, schema: ReleasedRows) -> pa.Table:
    """Return rows as a table, with what stands beside them."""
    inside = rows_table(content.rows, schema.layout, order=Order.KEPT)
    if schema.layout == TEXT:
        inside = inside.rename_columns(schema.sequences)
    columns = dict(zip(inside.column_names, inside.columns, strict=True))
    if content.beside is not None:
        columns |= dict(zip(content.beside.column_names, content.beside.columns, strict=True))
    return pa.table([columns[one.name] for one in schema.fields], names=[one.name for one in schema.fields])


def read_content(path: Path, schema: ReleasedRows) -> Content:
    """Read a released file the way its schema says; raises ``BadInput`` where it is otherwise."""
    if schema.layout == FASTA:
        return Content(_named(read_fasta(path, aligned=schema.aligned), schema))
    if schema.layout == VCF:
        read = open_rows(path, cells="genotypes", multiallelic="error")
        return Content(_named(read, schema), read.sites)
    if schema.layout == BED:
        read = open_plink(path).rows()
        return Content(_named(read, schema), read.sites)
    source = ParquetFile(path) if path.suffix == ".parquet" else CsvFile(path, ",", quoted_missing=False)
    if schema.layout == TEXT:
        if len(schema.sequences) != 1:
            raise BadInput("texts lie in one column", where=str(path), remedy="get the release again")
        read = read_column(source, schema.sequences[0], aligned=schema.aligned)
    else:
        texts = _texts(path, [one.name for one in schema.fields])
        read = read_positions(source if texts is None else texts, schema.sequences)
        if texts is not None and not schema.beside:
            return Content(_named(read, schema))
    with contextlib.closing(open_engine()) as engine:
        table = engine.read(source)
        if list(table.names) != [one.name for one in schema.fields]:
            raise BadInput("the file has other columns than its schema", where=str(path))
        beside = None
        if schema.beside:
            beside = engine.arrow(
                engine.recode(table, PerAttribute((), {}), Layout(tuple(schema.beside), ()))
            )
    return Content(_named(read, schema), None, beside)


def _texts(path: Path, names: list[str]) -> pa.Table | None:
    """Return the columns of a CSV file as texts, in one pass; None for other files.

    Engines settle types and plans for each of thousands of columns, which takes longer than reading them.
    What this reads otherwise than they would is found when the file is written once more (``is_canonical``).
    """
    if path.suffix == ".parquet":
        return None
    try:
        with open_unpacked(path, packed=path.suffix == ".gz") as file:
            found = pa_csv.read_csv(
                file,
                pa_csv.ReadOptions(block_size=1 << 24),
                convert_options=pa_csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string())),
            )
    except (pa.ArrowException, OSError, EOFError, zlib.error) as problem:
        raise system_problem(
            problem, "the file cannot be read as CSV", where=str(path), remedy="get the release again"
        ) from None
    if found.column_names != names:
        raise BadInput("the file has other columns than its schema", where=str(path))
    return found


def _named(read: Rows, schema: ReleasedRows) -> Aligned | Unaligned:
    """Call the positions what the schema calls them, where the file itself does not."""
    rows = read.data
    if isinstance(rows, Aligned) and rows.lattice.name != schema.lattice.name:
        raise BadInput(f"the file holds {rows.lattice.name}, and its schema says {schema.form}")
    if not schema.positions:
        return rows
    if not isinstance(rows, Aligned) or len(schema.positions) != rows.width:
        raise BadInput(f"the schema names {len(schema.positions):,} positions, and the file has others")
    return dataclasses.replace(rows, positions=tuple(schema.positions))


def is_canonical(path: Path, schema: ReleasedRows, content: Content) -> bool:
    """Write what was read once more and compare: whatever a reader passes over would be missing then."""
    if path.suffix == ".parquet":
        return _same_columns(path, schema, content)
    with temporary_folder() as folder:
        again = write_content(content, schema, folder)
        names = (schema.file, *schema.shape.more_files)
        return all(_bytes(path.with_name(name)) == _bytes(again.with_name(name)) for name in names)


def _bytes(path: Path) -> bytes:
    """Return the bytes of a file; of packed ones what is inside, and nothing may follow it."""
    return unpacked_bytes(path) if path.suffix == ".gz" else read_bytes(path)


def _same_columns(path: Path, schema: ReleasedRows, content: Content) -> bool:
    if remarks_in(path):
        return False
    with contextlib.closing(open_engine()) as engine:
        found = engine.arrow(engine.read(ParquetFile(path)))
    expected = table_of(content, schema)
    # What the house writes is text: another type could hold what is not compared.
    return found.column_names == expected.column_names and all(
        found.column(name).type == pa.string() and found.column(name).equals(expected.column(name))
        for name in schema.sequences
    )
