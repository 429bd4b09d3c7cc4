"""Rows as a table: one column for each position, or one column of text. CSV (also .gz) or Parquet."""

from __future__ import annotations

import contextlib
from enum import StrEnum
from pathlib import Path

import numpy as np
import pyarrow as pa

from sfumato.core.errors import BadInput, nearest
from sfumato.core.randomness import Random
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.writing.cells import check_cells
from sfumato.dna.writing.fasta import rows_are_genotypes, without_gaps
from sfumato.dna.writing.order import row_order
from sfumato.engine import open_engine
from sfumato.engine.contract import Order
from sfumato.engine.sources import Frame
from sfumato.hierarchy.iupac import letters

SEQUENCE = "sequence"
"""the column of texts"""
_SUFFIXES = (".csv", ".csv.gz", ".parquet")


class RowLayout(StrEnum):
    """How rows lie in a table."""

    POSITIONS = "positions"
    """one column for each position, named as it is (MT:73)"""
    TEXT = "text"
    """one column, ``sequence``; gaps of the alignment are removed"""


def rows_table(
    rows: Aligned | Unaligned,
    layout: RowLayout | str = RowLayout.POSITIONS,
    *,
    order: Order = Order.SHUFFLED,
    random: Random | None = None,
) -> pa.Table:
    """Return rows as an Arrow table, nothing beside them.

    >>> from sfumato.dna.aligned import aligned
    >>> rows_table(aligned("AC-T"), "text").to_pylist()
    [{'sequence': 'ACT'}]
    >>> rows_table(aligned("AC-T")).to_pylist()
    [{'1': 'A', '2': 'C', '3': '-', '4': 'T'}]
    """
    if layout not in tuple(RowLayout):
        raise BadInput(f"there is no layout '{layout}'", remedy=nearest(layout, RowLayout))
    check_cells(rows)
    picked = row_order(len(rows), order, random)
    if layout == RowLayout.TEXT:
        sequences = without_gaps(rows).sequences
        texts = [letters()[sequences[at]].tobytes().decode("ascii") for at in picked.tolist()]
        return pa.table({SEQUENCE: pa.array(texts, pa.string())})
    if isinstance(rows, Unaligned):
        raise BadInput("sequences that are not aligned have no positions", remedy="write them as text")
    masks = sorted(rows.lattice.spellings)
    place = np.zeros(32, np.int8)
    place[masks] = np.arange(len(masks))
    spelt = pa.array([rows.lattice.spellings[mask] for mask in masks], pa.string())
    columns = [spelt.take(pa.array(place[rows.cells[picked, at]])) for at in range(rows.width)]
    return pa.table(columns, names=list(rows.positions))


def write_rows(
    rows: Aligned | Unaligned,
    path: Path | str,
    layout: RowLayout | str | None = None,
    *,
    order: Order = Order.SHUFFLED,
    random: Random | None = None,
) -> int:
    """Write rows to a CSV or Parquet file, by its suffix, and return how many.

    Without ``layout`` an alignment is written by positions and sequences of different lengths as text.
    """
    path = Path(path)
    if not path.name.lower().endswith(_SUFFIXES):
        raise BadInput(
            "rows cannot be written in this kind of file",
            where=str(path),
            remedy=f"use {', '.join(_SUFFIXES)}",
        )
    if layout is None:
        layout = RowLayout.POSITIONS if isinstance(rows, Aligned) else RowLayout.TEXT
    if layout == RowLayout.TEXT and rows_are_genotypes(rows):
        raise BadInput("genotypes are no text of bases", remedy="write them by positions, or as VCF")
    table = rows_table(rows, layout, order=order, random=random)
    with contextlib.closing(open_engine()) as engine:
        return engine.write(engine.read(Frame(table)), path, order=Order.KEPT)
