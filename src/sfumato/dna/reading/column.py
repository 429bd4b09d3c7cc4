"""Sequences in a table: all bases of a person in one column, or one column for each position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.aligned import Aligned
from sfumato.dna.reading.fasta import as_rows, spelt_bases
from sfumato.dna.reading.letters import Pair, in_letters, read_letters
from sfumato.dna.reading.rows import Rows, check_names
from sfumato.dna.reading.tables import check_filled, columns_of, names_of, numbered, place_of
from sfumato.hierarchy.iupac import Lattice, genotypes, iupac


def read_column(
    data: Any,
    column: str,
    *,
    person: str | None = None,
    sample: str | None = None,
    aligned: bool | None = None,
) -> Rows:
    """Read a column of sequences from a CSV or Parquet file or a frame.

    ``person`` is the column that says to whom a row belongs, ``sample`` one that names rows for joins.
    Sequences of the same length are taken as an alignment unless ``aligned`` says otherwise.

    >>> read_column(pa.table({"who": ["a", "a", "b"], "dna": ["AAT", "AAG", "ATC"]}), "dna", person="who")
    ... # doctest: +ELLIPSIS
    Rows(data=Aligned(...), counted={})
    """
    where = place_of(data)
    others = [name for name in (person, sample) if name is not None]
    table = columns_of(data, [column, *others])
    check_filled(table.column(column), column, where)
    sequences = []
    for number, text in enumerate(table.column(column).to_pylist(), 1):
        place = f"{where}, column '{column}', row {number:,}"
        if not text.strip():
            raise BadInput("the sequence is empty", where=place, remedy="leave the row out")
        sequences.append(spelt_bases(text.strip().encode("utf-8"), place))
    rows = Rows(as_rows(sequences, aligned, f"{where}, column '{column}'"))
    return _owned(rows, table, person, sample, where)


def read_positions(
    data: Any,
    columns: Sequence[str] | None = None,
    *,
    person: str | None = None,
    sample: str | None = None,
    alleles: Sequence[Pair] = (),
) -> Rows:
    """Read one column for each position: a code of IUPAC or a genotype (0/1, 0/., ./.) in each cell.

    All columns other than ``person`` and ``sample`` are positions unless they are named. Genotypes may also
    be spelt by letters (AG; empty where not known): see ``reading/letters``. ``alleles`` are then those of
    another table, so that 0 and 1 mean the same in both.

    >>> found = read_positions(pa.table({"rs1": ["AG", "GG"], "rs2": ["TT", None]}))
    >>> found.data.cells.tolist(), found.alleles
    ([[2, 1], [4, 7]], (('A', 'G'), ('T', '.')))
    """
    where = place_of(data)
    others = [name for name in (person, sample) if name is not None]
    named = [name for name in names_of(data) if name not in others] if columns is None else list(columns)
    table = columns_of(data, [*named, *others])
    if in_letters(table.column(name) for name in named):
        known: list[Pair | None] = [*alleles] or [None] * len(named)
        read = [
            read_letters(table.column(name), name, where, pair)
            for name, pair in zip(named, known, strict=True)
        ]
        sets = np.stack([cells for cells, _ in read], axis=1)
        spelt = Rows(Aligned(sets, genotypes(), tuple(named)), alleles=tuple(pair for _, pair in read))
        return _owned(spelt, table, person, sample, where)
    lattice = genotypes() if _holds_genotypes(table.column(named[0])) else iupac()
    cells = np.stack([_cells(table.column(name), name, lattice, where) for name in named], axis=1)
    return _owned(Rows(Aligned(cells, lattice, tuple(named))), table, person, sample, where)


def _holds_genotypes(column: pa.ChunkedArray) -> bool:
    return any("/" in text or "|" in text for text in column.drop_null().unique().to_pylist())


def _cells(column: pa.ChunkedArray, name: str, lattice: Lattice, where: str) -> NDArray[np.uint8]:
    """Return the sets of one column; each distinct text is read once."""
    check_filled(column, name, where)
    coded = column.combine_chunks().dictionary_encode()
    masks = np.array([_mask(text, lattice) for text in coded.dictionary.to_pylist()], np.uint8)
    cells: NDArray[np.uint8] = masks[coded.indices.to_numpy(zero_copy_only=False)]
    if not cells.all():
        first = int(np.flatnonzero(cells == 0)[0]) + 1
        kind = "genotype of two alleles" if lattice.gap is None else "code of IUPAC"
        raise BadInput(
            f"the cell is no {kind}",
            where=f"{where}, column '{name}', row {first:,}",
            remedy="mend it, or leave the column out",
        )
    return cells


def _mask(text: str, lattice: Lattice) -> int:
    """Return the set of a spelling, 0 when it is none; phase and the order of alleles say nothing here."""
    plain = text.strip().upper().replace("|", "/")
    back = "/".join(reversed(plain.split("/")))
    return lattice.masks.get(plain) or lattice.masks.get(back, 0)


def _owned(rows: Rows, table: pa.Table, person: str | None, sample: str | None, where: str) -> Rows:
    """Add whom the rows belong to, and what they are called."""
    samples: tuple[str, ...] = ()
    if sample is not None:
        check_filled(table.column(sample), sample, where)
        samples = tuple(table.column(sample).to_pylist())
        check_names(samples, "sample name", f"{where}, column '{sample}'")
    rows = Rows(rows.data, samples, rows.sites, rows.counted, rows.alleles)
    return rows if person is None else rows.with_persons(numbered(table.column(person), person, where))
