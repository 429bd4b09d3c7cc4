"""Rows as a table: one column for each position, or one column of text. CSV (also .gz) or Parquet."""

from __future__ import annotations

import contextlib
import csv
import io
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
from sfumato.hierarchy.iupac import SIZE, letters

SEQUENCE = "sequence"
"""the column of texts"""
_SUFFIXES = (".csv", ".csv.gz", ".parquet")
_AT_ONCE = 1024
"""rows that are spelt at once"""


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


def positions_csv(rows: Aligned) -> bytes:
    """Return what a CSV file of one column for each position holds, without an engine's plan for each.

    >>> from sfumato.dna.aligned import aligned
    >>> positions_csv(aligned("AC", "-T"))
    b'1,2\\nA,C\\n-,T\\n'
    """
    check_cells(rows)
    head = io.StringIO()
    csv.writer(head, lineterminator="\n").writerow(rows.positions)
    spelt = {mask: text.encode("ascii") for mask, text in rows.lattice.spellings.items()}
    # All spellings of a lattice are equally long: a file is a table of bytes, with a comma after each cell.
    width = max(len(text) for text in spelt.values()) + 1
    signs = np.zeros((SIZE, width), np.uint8)
    for mask, text in spelt.items():
        signs[mask] = np.frombuffer(text + b",", np.uint8)
    parts = [head.getvalue().encode("utf-8")]
    for first in range(0, len(rows), _AT_ONCE):
        lines = signs[rows.cells[first : first + _AT_ONCE]].reshape(-1, rows.width * width)
        lines[:, -1] = ord("\n")
        parts.append(lines.tobytes())
    return b"".join(parts)


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
